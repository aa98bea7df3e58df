# SPDX-License-Identifier: Apache-2.0
# Warps try to take a lock, by swap and by lr and sc, that a warp holds which
# waits for them at a barrier: atomics that change nothing.
#
# @grid 32 @local 32 @lanes 8
# @out x u32 1
# @fault the others wait at a barrier)
# @fault : repeats itself
# @fault warp 0 at 0x
# @fault : barrier

    .text
    .globl  lock
lock:
    lw      t0, 0(a0)
    vmv.v.x v1, t0
    vmv.v.i v2, 1
    vmv.v.i v0, 0
    csrr    t1, wid
    bnez    t1, others
    li      t2, 1
    sw      t2, 0(t0)
    barrier
    barrier
    sw      zero, 0(t0)
    ret
others:
    barrier
    li      t2, 2
    blt     t1, t2, swap
    beq     t1, t2, reserve
add:
    amoadd.w v3, v0, (v1)
    vmv.x.s t3, v3
    bnez    t3, add
    j       meet
swap:
    amoswap.w v3, v2, (v1)
    vmv.x.s t3, v3
    bnez    t3, swap
    j       meet
reserve:
    lr.w     v3, (v1)
    vmv.x.s t3, v3
    bnez    t3, reserve
    sc.w     v3, v2, (v1)
    vmv.x.s t3, v3
    bnez    t3, reserve
meet:
    barrier
    ret
