#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must trap does, on the pc of the first word; and what is said then.

    faults.py VENTUS CLANG LLD"""
import os
import shutil
import subprocess
import sys
import tempfile

ILLEGAL = ["0000607b", "8005007b 00000013", "8045007b 0000607b",
           "8005007b 000061fb", "8005007b 0002617b",
           "4250727b 8405007b 0002e17b", "0000407b 0000667b",
           "0000307b 0010607b", "4050f0fb", "ff95007b 0000607b"]
# Assembly, what the message must have; the fault is at the label `here`.
FAULTS = [
    ("li a0, 0x2004\nhere: tld.g tr0, 0(a0)", "misaligned load from 0x2004"),
    ("li a0, 0x2010\nhere: tst.s tr0, 0(a0)", "misaligned store to 0x2010"),
    ("li a0, -32\nhere: tld.g tr0, 0(a0)",
     "load from no memory 0xffffffffffffffe0"),
    ("li a0, 0x3ff00\nhere: tst.s tr0, 32(a0), n=8",
     "store to no memory 0x40000"),
    ("li a0, 0x2002\nhere: tatom.add.w.g a1, a2, (a0)",
     "misaligned store to 0x2002"),
    ("here: tatom.swap.w.g a1, a2, (sp), v=2", "illegal instruction"),
    ("here: tcsrw ttid, a0", "illegal instruction 0x4"),
    ("here: tcsrr a0, 999", "illegal instruction 0x3e7"),
    ("here: tsync.arrive 1, 0x02, cta", "illegal instruction"),
    ("here: tsll.f32 tr0, tr1, tr2", "illegal instruction"),
    ("here: tmma.f16 tr0, tr1, tr2, ta", "illegal instruction"),
    ("here: tmma.s8 tr252, tr1, tr2, n=8", "illegal instruction"),
    ("vsetivli zero, 8, e32, m1, ta, ma\nhere: tldx.g tr0, 0(a0), v4.w",
     "load from no memory 0x0"),
    ("here: ld a0, (zero)", "load from no memory 0x0"),
    ("li a0, 0x7000\nslli a0, a0, 40\nhere: jr a0", "no code at"),
]


def program(tools, body):
    ventus, clang, lld, folder = tools
    stem = os.path.join(folder, "p")
    with open(stem + ".s", "w", encoding="utf-8") as f:
        f.write(f".globl _start\n_start:\n{body}\nli a7, 93\necall\n")
    for command in ([ventus, "tile", "as", stem + ".s", "-o", stem + ".S"],
                    [clang, "--target=riscv64", "-march=rv64gcv", "-c",
                     stem + ".S", "-o", stem + ".o"],
                    [lld, stem + ".o", "-o", stem + ".elf"]):
        subprocess.run(command, check=True)
    out = subprocess.run(["llvm-nm-19", stem + ".elf"], text=True, check=True,
                         capture_output=True).stdout
    here = {line.split()[2]: int(line.split()[0], 16)
            for line in out.splitlines()}["here"]
    p = subprocess.run([ventus, "tile", "run", stem + ".elf", "--limit",
                        "1000"], capture_output=True, text=True, check=False)
    return p.returncode, here, p.stderr


def expect(tools, body, message):
    status, here, err = program(tools, body)
    place = f"at {here:x} <"
    if "no code" in message:
        place = "at "
    if status == 1 and message in err and place in err:
        return 0
    print(f"{body!r}: status {status}, expected '{message}' {place}\n{err}")
    return 1


def main():
    if not all(shutil.which(t) for t in sys.argv[2:4] + ["llvm-nm-19"]):
        sys.exit(77)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        tools = [*sys.argv[1:4], folder]
        for words in ILLEGAL:
            lines = [f".4byte 0x{w}" for w in words.split()]
            wrong += expect(tools, "li a0, 0x2000\nhere: " + "\n".join(lines),
                            f"illegal instruction 0x{int(words[:8], 16):x}")
        for body, message in FAULTS:
            wrong += expect(tools, body, message)
    print(f"{len(ILLEGAL) + len(FAULTS)} programs, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
