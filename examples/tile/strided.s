# SPDX-License-Identifier: Apache-2.0
# P2: an 8 x 32 B block out of an image with rows of 128 B; row 3 masked off.
.globl _start
_start:
    la      a0, input
    la      a1, output
    li      t0, 0xF7
    tcsrw   tmask, t0
    li      t1, 4                   # rows are 4 * 32 B apart
    tmv.t.x tr8, x0.d, bc           # zero the tile
    twait.alu
    tlds.g  tr8, 64(a0), t1, m
    twait.g ld=0
    tst.g   tr8, 0(a1)              # dense, unmasked
    twait.g st=0
    li      a0, 0
    li      a7, 93
    ecall
.bss
.balign 64
.globl input, output
input:  .zero 2048
output: .zero 256
