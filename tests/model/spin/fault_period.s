# SPDX-License-Identifier: Apache-2.0
# What the warps repeat is 3 * 5 * 7 * 11 rounds long, and not the same of each;
# it changes scalar and vector registers.
#
# @grid 24 @local 24 @lanes 8
# @out x u32 1
# @fault the others wait at a barrier)
# @fault : repeats itself
# @fault : barrier

    .text
    .globl  period
period:
    lw      t0, 0(a0)
    csrr    t1, wid
    beqz    t1, meet
    li      t3, 3 * 5 * 7
    li      t4, 11
    mul     t3, t3, t1
    vid.v   v2
    vmv.v.i v3, 0
    li      t2, 0
    li      t5, 0
wait:
    addi    t2, t2, 1
    remu    t2, t2, t3
    addi    t5, t5, 1
    remu    t5, t5, t4
    vmv.v.x v4, t5
    vadd.vv v3, v4, v2
    lw      t1, 0(t0)
    beqz    t1, wait
meet:
    barrier
    ret
