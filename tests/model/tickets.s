# SPDX-License-Identifier: Apache-2.0
# Work-items of all workgroups take numbers from one counter, compute for a
# while that depends on their workgroup, and load what others wrote before the
# launch: who gets which number says in which cycle an atomic was done.
#
# @grid 512 @local 64
# @out out u32 2048
# @inout counter u32 [0] * 64
# @in x u32 list(range(4096))
# @expect counter[:1] = [2048]

    .text
    .globl tickets
tickets:
    lw      s0, 0(a0)           # out
    lw      s1, 4(a0)           # counter
    lw      s2, 8(a0)           # x
    csrr    t4, tid
    vid.v   v0
    vadd.vx v0, v0, t4          # in the workgroup
    csrr    t5, gidx
    slli    t3, t5, 6
    vadd.vx v0, v0, t3          # of all
    vsll.vi v1, v0, 2
    vadd.vx v2, v1, s2
    vsll.vi v1, v1, 2
    vadd.vx v1, v1, s0          # four numbers each
    vmv.v.x v3, s1
    vmv.v.i v4, 1
    li      t0, 4
round:
    amoadd.w v5, v4, (v3)
    vsw12.v v5, 0(v1)
    vadd12.vi v1, v1, 4
    andi    t1, t5, 3
    slli    t1, t1, 4
    addi    t1, t1, 8
compute:
    vlw12.v v6, 0(v2)
    vmul.vv v7, v6, v0
    vadd.vv v8, v8, v7
    vxor.vv v0, v0, v4
    addi    t1, t1, -1
    bnez    t1, compute
    barrier
    vadd12.vi v2, v2, 128
    addi    t0, t0, -1
    bnez    t0, round
    ret
