# SPDX-License-Identifier: Apache-2.0
# P6: C += A * B of bytes, 8 x 64 by 64 x 8; the second half of B is read from
# share memory by its descriptor.
# input: A (8 x 64), B (8 columns of 64), C (8 x 8 words), the descriptor.
.globl _start
_start:
    la      a0, input
    addi    a1, a0, 512
    addi    a2, a0, 1024
    addi    t1, a2, 256
    vsetivli zero, 4, e32, m1, ta, ma
    vle32.v v5, (t1)
    lw      a3, (t1)
    li      t0, 2                   # rows are 64 B
    tlds.g  tr0, 0(a0), t0          # A[:, 0:32]
    tlds.g  tr1, 32(a0), t0         # A[:, 32:64]
    tlds.g  tr2, 0(a1), t0          # B[0:32]
    tlds.g  tr3, 32(a1), t0         # B[32:64]
    tld.g   tr8, 0(a2)              # C
    twait.g ld=0
    tst.s   tr3, 0(a3)
    twait.s st=0
    tmma.s8 tr8, tr0, tr2
    tmma.s8 tr8, tr1, v5
    twait.mma
    la      a2, output
    tst.g   tr8, 0(a2)
    twait.g st=0
    li      a0, 0
    li      a7, 93
    ecall
.bss
.balign 64
.globl input, output
input:  .zero 1344
output: .zero 256
