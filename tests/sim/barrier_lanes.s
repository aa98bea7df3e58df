# SPDX-License-Identifier: Apache-2.0
# USE_CNT counts threads, not warps: of the last warp only two exist, of the first
# two only half are active.  When all threads have arrived, who asks for no more
# than these goes on too.
#
# @grid 10 @local 10 @lanes 4
# @out r u32 10
# @expect r = [1, 1, 3, 3, 1, 1, 3, 3, 5, 5]

    .include "kernel.inc"
begin barrier_lanes, 0
    csrr    t0, wid
    li      t1, 2
    vmv.v.i v2, 2
    vid.v   v5
    beq     t0, t1, last
    meet    joined
    vbgeu   v5, v2, upper       # two lanes of four each
    li      t2, 4
    barrier x0, t2, 0           # 2 + 2 threads
    li      t2, 6
    barrier x0, t2, 0           # 4 wait for 6, 2 for 7: all have arrived
    vmv.v.i v1, 1
    j       joined
upper:
    vmv.v.i v1, 3
joined:
    join
    emit    v1, 0
    ret
last:
    barrier
    li      t2, 2
    barrier x0, t2, 0           # its own
    barriersub x0, t2, 0
    vmv.v.i v1, 5
    emit    v1, 0
    ret
