# SPDX-License-Identifier: Apache-2.0
# Lanes that each have a line of their own hit faster than results are written
# back: more answers of the L1D come than their queue has room for.  They were
# lost, and the warp waited for ever.
#
# @grid 512 @local 128
# @in  x u32 [i % 251 for i in range(512 * 32)]
# @out y u32 512
# @expect y = [sum((32 * i + k) % 251 for k in range(8)) for i in range(512)]

    .text
    .globl answers_wait
answers_wait:
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    csrr    t2, gidx
    slli    t2, t2, 7
    csrr    t3, tid
    add     t2, t2, t3
    vid.v   v0
    vadd.vx v0, v0, t2
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t1
    vsll.vi v2, v0, 7
    vadd.vx v2, v2, t0
    vmv.v.i v10, 0
    .rept 3
    vlw12.v v3, 0(v2)
    vlw12.v v4, 4(v2)
    vlw12.v v5, 8(v2)
    vlw12.v v6, 12(v2)
    vlw12.v v7, 16(v2)
    vlw12.v v8, 20(v2)
    vlw12.v v9, 24(v2)
    vlw12.v v11, 28(v2)
    .endr
    .irp r, 3, 4, 5, 6, 7, 8, 9, 11
    vadd.vv v10, v10, v\r
    .endr
    vsw12.v v10, 0(v1)
    ret
