# SPDX-License-Identifier: Apache-2.0
# Numbers wander around the 32 threads of a workgroup in local memory, a place
# at each barrier; each workgroup has its own memory.
#
# @grid 96 @local 32
# @in x u32 [i * i for i in range(96)]
# @out r u32 96
# @localmem ring 256
# @expect r = [x[i // 32 * 32 + (i + 7) % 32] + 7 for i in range(96)]

    .text
    .globl  barriers
barriers:
    lw      a1, 0(a0)
    lw      a2, 4(a0)
    lw      a3, 8(a0)
    csrr    t0, tid
    vid.v   v1
    vadd.vx v1, v1, t0          # thread in the workgroup
    csrr    t1, gidx
    slli    t1, t1, 5
    vadd.vx v2, v1, t1
    vsll.vi v2, v2, 2           # 4 * global id
    vadd.vx v3, v2, a1
    vlw12.v v4, 0(v3)
    vadd.vi v5, v1, 1
    li      t1, 31
    vand.vx v5, v5, t1          # the next thread
    vsll.vi v5, v5, 2
    vadd.vx v5, v5, a3
    vsll.vi v6, v1, 2
    vadd.vx v6, v6, a3
    li      s2, 7
again:
    vsw12.v v4, 0(v6)
    barrier
    vlw12.v v4, 0(v5)
    vadd.vi v4, v4, 1
    barrier
    addi    s2, s2, -1
    bnez    s2, again
    vadd.vx v3, v2, a2
    vsw12.v v4, 0(v3)
    ret
