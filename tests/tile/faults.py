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
    ("li t0, 2\ntcsrw tqcfg, t0\nhere: tquant.f16 tr0, tr1, tr2, tr3",
     "illegal instruction"),
    ("li t0, 3\ntcsrw tqcfg, t0\nhere: tquant.f16 tr0, tr1, tr2, tr3",
     "illegal instruction"),
    ("here: texp.i32 tr0, tr1", "illegal instruction"),
    ("here: tmma.f16 tr0, tr1, tr2, ta", "illegal instruction"),
    ("here: tmma.s8 tr252, tr1, tr2, n=8", "illegal instruction"),
    ("li a0, 0\nvsetivli zero, 8, e32, m1, ta, ma\n"
     "here: tldx.g tr0, 0(a0), v4.w",
     "load from no memory 0x0"),
    ("here: ld a0, (zero)", "load from no memory 0x0"),
    ("li a0, 0x7000\nslli a0, a0, 40\nhere: jr a0", "no code at"),
]


def build(tools, bodies):
    """One program that begins with the case whose number is in a0."""
    ventus, clang, lld, folder = tools
    stem = os.path.join(folder, "p")
    text = [".globl _start", "_start:", "la t0, table", "slli t1, a0, 3",
            "add t0, t0, t1", "ld t0, (t0)", "jr t0"]
    for i, body in enumerate(bodies):
        text += [f"case{i}:", body.replace("here:", f"here{i}:")]
        text += ["li a7, 93", "ecall"]
    text += [".data", ".balign 8", "table:"]
    text += [f".8byte case{i}" for i in range(len(bodies))]
    with open(stem + ".s", "w", encoding="utf-8") as f:
        f.write("\n".join(text) + "\n")
    for command in ([ventus, "tile", "as", stem + ".s", "-o", stem + ".S"],
                    [clang, "--target=riscv64", "-march=rv64gcv", "-c",
                     stem + ".S", "-o", stem + ".o"],
                    [lld, stem + ".o", "-o", stem + ".elf"]):
        subprocess.run(command, check=True)
    out = subprocess.run(["llvm-nm-19", stem + ".elf"], text=True, check=True,
                         capture_output=True).stdout
    return stem + ".elf", {line.split()[2]: int(line.split()[0], 16)
                           for line in out.splitlines()}


def expect(ventus, elf, number, here, body, message):
    p = subprocess.run([ventus, "tile", "run", elf, "--limit", "1000", "--arg",
                        str(number)], capture_output=True, text=True,
                       check=False)
    place = "at " if "no code" in message else f"at {here:x} <"
    if p.returncode == 1 and message in p.stderr and place in p.stderr:
        return 0
    print(f"{body!r}: status {p.returncode}, expected '{message}' {place}\n"
          f"{p.stderr}")
    return 1


def main():
    if not all(shutil.which(t) for t in sys.argv[2:4] + ["llvm-nm-19"]):
        sys.exit(77)
    cases = list(FAULTS)
    for words in ILLEGAL:
        lines = "\n".join(f".4byte 0x{w}" for w in words.split())
        cases.append(("li a0, 0x2000\nhere: " + lines,
                      f"illegal instruction 0x{int(words[:8], 16):x}"))
    with tempfile.TemporaryDirectory() as folder:
        elf, symbols = build([*sys.argv[1:4], folder], [b for b, _ in cases])
        wrong = sum(expect(sys.argv[1], elf, i, symbols[f"here{i}"], body,
                           message)
                    for i, (body, message) in enumerate(cases))
    print(f"{len(cases)} programs, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
