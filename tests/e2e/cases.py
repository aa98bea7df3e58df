#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases of the upstream simulators, made here, and long commit logs.

    cases.py VENTUS

Machine code and the order of a warp's instructions are worked out by hand.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CODE = 0x80000000
ENDPRG = 0x0000400b


def run(*args):
    return subprocess.run(list(map(str, args)), text=True, capture_output=True,
                          check=False)


def write_case(path, threads, warps=1):
    """One workgroup that ends at once; the order of src/obj/upstream.h."""
    numbers = [CODE, 0, 1, 1, 1, threads, warps, CODE, 0, 0, 32, 32, 0, 1,
               CODE, 4, 4096]
    path.write_text("".join(f"{n & 0xffffffff:08x}\n{n >> 32:08x}\n"
                            for n in numbers))
    path.with_suffix(".data").write_text(f"{ENDPRG:08x}\n")
    return path


def warp_sizes(ventus, tmp):
    """All cases of a command line are on one device."""
    eight = [write_case(tmp / f"{i}.metadata", 8) for i in range(3)]
    four = write_case(tmp / "four.metadata", 4)
    failed = []
    for cases, wrong in (eight, None), ([eight[0], four], four), \
            ([*eight, four], four), ([four, eight[0], four], eight[0]):
        p = run(ventus, "exec", *cases)
        want = f"{wrong}: warps of {8 if wrong == eight[0] else 4} threads"
        if p.returncode != bool(wrong) or (wrong and want not in p.stderr):
            failed.append(f"{cases}: {p.returncode}, {p.stderr}")
    return failed


def long_log(ventus, tmp):
    """Upstream counts a prefix as an instruction, so the first of two warps
    that take turns is soon thousands of lines behind what it has executed."""
    rounds = 3000
    (tmp / "loop.s").write_text(f"""
        .globl loop
loop:
        csrr t0, wid
        bnez t0, 2f
        li x40, {rounds}
1:      addi x40, x40, -1       # behind a prefix, as the branch
        bnez x40, 1b
        endprg
2:      li t0, {2 * rounds}
3:      addi t0, t0, -1
        bnez t0, 3b
        endprg
""")
    p = run(ventus, "exec", tmp / "loop.s", "--grid", 16, "--local", 16,
            "--set", "num_thread=8", "--log", tmp / "log")
    order, counts = [], {0: [], 1: []}
    for core, rest in re.findall(r"^core +(\d+): 3 0x\w+ \(0x\w+\)(.*)$",
                                 (tmp / "log").read_text(), re.M):
        order.append(int(core))
        register = ("x40", "x5 ")[int(core)]
        if rest.strip().startswith(register):
            counts[int(core)].append(int(rest.split()[1], 16))
    failed = [] if p.returncode == 0 else [p.stderr]
    if order[:4 * rounds] != [0, 1] * (2 * rounds):
        failed.append("the warps do not take turns")
    for core, start in (0, rounds), (1, 2 * rounds):
        if counts[core][-start - 1:] != list(range(start, -1, -1)):
            failed.append(f"core {core}: counts {counts[core][:9]}...")
    return failed


def main():
    failed = []
    for test in warp_sizes, long_log:
        with tempfile.TemporaryDirectory() as folder:
            failed += test(sys.argv[1], Path(folder))
    print("\n".join(failed) or "ok")
    return failed != []


if __name__ == "__main__":
    sys.exit(main())
