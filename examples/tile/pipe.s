# SPDX-License-Identifier: Apache-2.0
# P8: thread 0 passes four tiles to thread 1 through one slot of share memory;
# thread 1 doubles them.  t_sync 0: full, 1: empty.  Run with --threads 2.
.globl _start
_start:
    la      a0, input
    la      a1, output
    li      a2, 0
    tcsrr   t0, ttid
    li      s0, 4
    bnez    t0, cons
prod: tsync.wait 1, 0x03, cta       # until empty
    tld.g   tr4, 0(a0)
    twait.g ld=0
    tst.s   tr4, 0(a2)
    twait.s st=0
    tsync.arrive 0, 0x03, cta       # full
    addi    a0, a0, 256
    addi    s0, s0, -1
    bnez    s0, prod
    j       end
cons: tsync.arrive 1, 0x03, cta     # empty
    tsync.wait 0, 0x03, cta         # until full
    tld.s   tr5, 0(a2)
    twait.s ld=0
    tadd.i32 tr6, tr5, tr5
    twait.alu
    tst.g   tr6, 0(a1)
    twait.g st=0
    addi    a1, a1, 256
    addi    s0, s0, -1
    bnez    s0, cons
end:
    li      a0, 0
    li      a7, 93
    ecall
.bss
.balign 64
.globl input, output
input:  .zero 1024
output: .zero 1024
