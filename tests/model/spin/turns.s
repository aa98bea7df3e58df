# SPDX-License-Identifier: Apache-2.0
# Two workgroups take turns, a long one each: who waited and went round and round
# before works now, and the other way round.
#
# @grid 32 @local 16 @lanes 8
# @out x u32 1
# @expect x = [8]

    .text
    .globl  turns
turns:
    lw      t0, 0(a0)
    csrr    t2, gdx
    csrr    t1, wid
    beqz    t1, meet
    li      t5, 8
wait:
    fence   r, r
    lw      t1, 0(t0)
    bgeu    t1, t5, meet
    andi    t3, t1, 1
    bne     t3, t2, wait
    li      t3, 3000
1:  addi    t3, t3, -1
    bnez    t3, 1b
    addi    t1, t1, 1
    sw      t1, 0(t0)
    fence   w, w
    j       wait
meet:
    barrier
    ret
