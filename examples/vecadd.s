# SPDX-License-Identifier: Apache-2.0
# c[i] = a[i] + b[i]: one thread for each element.
#
# @grid 100 @local 32
# @in  a f32 [i * 0.5 for i in range(100)]
# @in  b f32 [100.0 - i for i in range(100)]
# @out c f32 100
# @expect c = [x + y for x, y in zip(a, b)]

    .text
    .globl vecadd
vecadd:
    lw      t0, 0(a0)           # a, b, c are common to all threads: scalars
    lw      t1, 4(a0)
    lw      t2, 8(a0)

    csrr    t3, knl             # global id = group * local size + tid + lane
    lw      t4, 24(t3)          # KNL_LC_SIZE_X
    csrr    t5, gidx
    mul     t4, t4, t5
    csrr    t5, tid             # first thread of this warp
    add     t4, t4, t5
    vid.v   v0
    vadd.vx v0, v0, t4

    vsll.vi v0, v0, 2           # bytes
    vadd.vx v1, v0, t0
    vlw12.v v1, 0(v1)
    vadd.vx v2, v0, t1
    vlw12.v v2, 0(v2)
    vfadd.vv v1, v1, v2
    vadd.vx v2, v0, t2
    vsw12.v v1, 0(v2)
    ret
