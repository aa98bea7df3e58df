# SPDX-License-Identifier: Apache-2.0
# barriersub is the warp's: one that is alone in a branch goes on, and so does one
# whose others wait for what it does next.
#
# @grid 64 @local 64 @lanes 4,8,16,32
# @localmem flag 4
# @out r u32 64
# @expect r = [7] * 64

    .include "kernel.inc"
begin barrier_sub, 1
    lw      a1, 0(a0)
    csrr    t0, wid
    li      t1, 7
    li      t2, 1
    beq     t0, t2, wait
    barriersub
    barriersub 7
    barriersub x0, x0, 3
    bnez    t0, end
    sw      t1, 0(a1)
    j       end
wait:
    lw      t1, 0(a1)
    barriersub 1
    beqz    t1, wait
end:
    vmv.v.x v1, t1
    emit    v1, 0
    ret
