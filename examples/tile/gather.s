# SPDX-License-Identifier: Apache-2.0
# P3: gathers 8 rows of 32 B by an index vector, scatters them by another one.
# input: 2 KiB of rows, then 8 words of each index, in units of 32 B.
.globl _start
_start:
    la      a0, input
    la      a1, output
    addi    a2, a0, 1024
    addi    a2, a2, 1024
    addi    a3, a2, 32
    vsetivli zero, 8, e32, m1, ta, ma
    vle32.v v4, (a2)
    vle32.v v5, (a3)
    tldx.g  tr8, 0(a0), v4.w
    twait.g ld=0
    tstx.g  tr8, 0(a1), v5.w
    twait.g st=0
    li      a0, 0
    li      a7, 93
    ecall
.bss
.balign 64
.globl input, output
input:  .zero 2112
output: .zero 2048
