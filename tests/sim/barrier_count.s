# SPDX-License-Identifier: Apache-2.0
# USE_CNT: the first two warps meet twelve times at a barrier for as many threads
# as they have, and hand each other numbers, while the others wait for all.
#
# @grid 128 @local 64 @lanes 4,8,16
# @localmem ring 256
# @out r u32 64
# @expect r = [i + 6 if i < 2 * LANES else (i + LANES) % (2 * LANES) + 5 for i in range(64)]

    .include "kernel.inc"
begin barrier_count, 1
    lw      a1, 0(a0)
    csrr    t0, wid
    csrr    t1, numt
    li      t2, 2
    slli    t3, t1, 1           # threads of two warps
    addi    t4, t3, -1
    vand.vx v2, v30, t4
    vsll.vi v2, v2, 2
    vadd.vx v2, v2, a1          # its place in the ring
    vadd.vx v3, v30, t1
    vand.vx v3, v3, t4
    vsll.vi v3, v3, 2
    vadd.vx v3, v3, a1          # that of the other warp
    bge     t0, t2, others
    vadd.vi v1, v30, 0
    li      t5, 6
again:
    vsw12.v v1, 0(v2)
    barrier x0, t3, 0
    vlw12.v v1, 0(v3)
    vadd.vi v1, v1, 1
    barrier x0, t3, 0
    addi    t5, t5, -1
    bnez    t5, again
    barrier
    j       end
others:
    barrier
    vlw12.v v1, 0(v2)           # what the last round stored
end:
    emit    v1, 0
    ret
