# SPDX-License-Identifier: Apache-2.0
# Warps of the first workgroups wait for what a later one writes, after long.
#
# @grid 64 @local 16 @lanes 8
# @inout x u32 [0]
# @out r u32 4
# @expect x = [1]
# @expect r = [7] * 4

    .text
    .globl  later_group
later_group:
    lw      t0, 0(a0)
    lw      t4, 4(a0)
    csrr    t2, gdx
    slli    t3, t2, 2
    add     t4, t4, t3
    li      t3, 3
    beq     t2, t3, last
    csrr    t1, wid
    beqz    t1, meet
wait:
    fence   r, r
    lw      t1, 0(t0)
    beqz    t1, wait
    j       meet
last:
    li      t1, 20000
1:  addi    t1, t1, -1
    bnez    t1, 1b
    li      t1, 1
    sw      t1, 0(t0)
    fence   w, w
meet:
    barrier
    li      t1, 7
    sw      t1, 0(t4)
    ret
