#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that say by their exit status whether a corner is as it must be.

    corners.py VENTUS CLANG LLD"""
import os
import shutil
import subprocess
import sys
import tempfile

# A count of instructions is right in the middle of a turn, and behind a
# tile instruction that waited (thread 0 for thread 1) and was tried again.
COUNT = """
    tcsrr   s0, ttid
    rdinstret s1
    nop
    nop
    bnez    s0, 1f
    tsync.wait 2, 0x03, cta
    j       2f
1:  .rept   100
    nop
    .endr
    tsync.arrive 2, 0x03, cta
2:  rdinstret s2
    nop
    rdcycle s3
    rdtime  s4
    sub     s2, s2, s1
    sub     s3, s3, s1
    sub     s4, s4, s1
    li      t0, 6               # of thread 0: two nops, bnez, wait, j, itself
    beqz    s0, 3f
    li      t0, 105
3:  sub     s2, s2, t0
    addi    t0, t0, 2
    sub     s3, s3, t0
    addi    t0, t0, 1
    sub     s4, s4, t0
    or      a0, s2, s3
    or      a0, a0, s4
    snez    a0, a0
"""
# A box without elements has no rows: not 2^48 of them, one after the other.
BOX = """
    li      a0, 0x400
    la      a1, map
    vsetivli zero, 8, e32, m1, ta, ma
    vmv.v.i v8, 0
    tma.ld.4d.bulk a0, a1, v8
    tcommit.tma 0
    twait.tma 0
    li      a0, 0
    .data
    .balign 64
map: .8byte 0x10000
    .byte 4, 2, 0, 0, 0, 0, 0, 0
    .4byte 64, 64, 64, 64
    .8byte 256, 4096, 65536
    .2byte 0, 65535, 65535, 65535
    .text
"""
PROGRAMS = [("count", COUNT, ["--threads", "2"]),
            ("count, in order, checked", COUNT, ["--threads", "2", "--check"]),
            ("count, deferred", COUNT, ["--threads", "2", "--mode", "deferred",
              "--seed", "3"]),
            ("box", BOX, []), ("box, checked", BOX, ["--check"]),
            ("box, timed", BOX, ["--timing"])]


def build(ventus, clang, lld, stem, body):
    with open(stem + ".s", "w", encoding="utf-8") as f:
        f.write(f".globl _start\n_start:\n{body}\nli a7, 93\necall\n")
    for command in ([ventus, "tile", "as", stem + ".s", "-o", stem + ".S"],
                    [clang, "--target=riscv64", "-march=rv64gcv", "-c",
                     stem + ".S", "-o", stem + ".o"],
                    [lld, stem + ".o", "-o", stem + ".elf"]):
        subprocess.run(command, check=True)
    return stem + ".elf"


def main():
    if not all(shutil.which(t) for t in sys.argv[2:4]):
        sys.exit(77)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, body, options in PROGRAMS:
            elf = build(*sys.argv[1:4], os.path.join(folder, "p"), body)
            p = subprocess.run([sys.argv[1], "tile", "run", elf, *options],
                               capture_output=True, text=True, check=False)
            if p.returncode:
                print(f"{name}: status {p.returncode}\n{p.stdout}{p.stderr}")
                wrong += 1
    print(f"{len(PROGRAMS)} programs, {wrong} of them wrong")
    sys.exit(wrong != 0)


main()
