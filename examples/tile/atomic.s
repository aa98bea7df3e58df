# SPDX-License-Identifier: Apache-2.0
# P4: a tile added to memory atomically, the old values kept; a fetch-and-add
# and a compare-and-swap of one word.
# input: 256 B memory, 256 B addend, a word c.
.globl _start
_start:
    la      a0, input
    addi    a1, a0, 256
    la      a2, output
    addi    a3, a0, 512
    tld.g   tr8, 0(a1)              # addend: 64 words
    twait.g ld=0
    tatomt.add.w.g tr8, 0(a0), rtn
    twait.g ld=0, st=0
    tst.g   tr8, 0(a2)              # old values
    li      t0, 5
    tatom.add.w.g t1, t0, (a3)
    addi    t2, t1, 5
    li      t3, 99
    tatom.cas.w.g t4, t3, (a3), t2  # is c + 5: becomes 99
    sw      t1, 256(a2)
    sw      t4, 260(a2)
    twait.all
    li      a0, 0
    li      a7, 93
    ecall
.bss
.balign 64
.globl input, output
input:  .zero 576
output: .zero 320
