# SPDX-License-Identifier: Apache-2.0
# P10: the rules of table 10 on tmask: what reads, what writes.
.globl _start
_start:
    la      s0, output
    li      t0, 0xf0
    li      t1, 0x3c
    tcsrw   tmask, t0               # writes
    tcsrr   t2, tmask
    sd      t2, 0(s0)               # f0
    tcsrrw  t2, tmask, t1           # reads f0, writes 3c
    sd      t2, 8(s0)
    tcsrrs  t2, tmask, t0           # reads 3c, writes fc
    sd      t2, 16(s0)
    tcsrrc  t2, tmask, t1           # reads fc, writes c0
    sd      t2, 24(s0)
    tcsrrs  t2, tmask, zero         # reads c0, does not write
    sd      t2, 32(s0)
    tcsrrc  t2, tmask, zero         # the same
    sd      t2, 40(s0)
    tcsrrw  zero, tmask, zero       # writes 0
    tcsrr   t2, tmask
    sd      t2, 48(s0)
    tcsrs   tmask, t1               # 3c
    tcsrc   tmask, t0               # 0c
    tcsrr   t2, tmask
    sd      t2, 56(s0)
    tcsrrs  t2, ttid, zero          # reads a read-only one
    sd      t2, 64(s0)
    tcsrr   t2, tinfo
    sd      t2, 72(s0)
    li      a0, 0
    li      a7, 93
    ecall
.bss
.balign 64
.globl input, output
input:  .zero 64
output: .zero 128
