# SPDX-License-Identifier: Apache-2.0
# P1: 2 KiB through eight tile registers.
.globl _start
_start:
    la      a0, input
    la      a1, output
    tld.g   tr16, 0(a0), n=8
    twait.g ld=0
    tst.g   tr16, 0(a1), n=8
    twait.g st=0
    li      a0, 0
    li      a7, 93
    ecall
.bss
.balign 64
.globl input, output
input:  .zero 2048
output: .zero 2048
