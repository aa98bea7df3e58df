# SPDX-License-Identifier: Apache-2.0
# Adds 1 to a word n times; each work-item has its own.  count(word *, n)
    .text
    .globl count
count:
    lw      t0, 0(a0)           # the words
    lw      t2, 4(a0)           # n
    csrr    t4, tid
    vid.v   v0
    vadd.vx v0, v0, t4
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0          # my word
    li      t3, 0
loop:
    vlw12.v v2, 0(v1)
    vadd.vi v2, v2, 1
    vsw12.v v2, 0(v1)
    addi    t3, t3, 1
    bne     t3, t2, loop
end:
    ret
