# SPDX-License-Identifier: Apache-2.0
# y[i] = a * x[i] + y[i]: a scalar argument meets vectors.
#
# @grid 256 @local 64
# @f32 alpha 2.5
# @in    x f32 [float(i % 17) for i in range(256)]
# @inout y f32 [float(i) for i in range(256)]
# @expect y = [2.5 * p + q for p, q in zip(x, y)]

    .text
    .globl saxpy
saxpy:
    lw      t0, 0(a0)           # alpha, its bits in an x register (Zfinx)
    lw      t1, 4(a0)           # x
    lw      t2, 8(a0)           # y

    csrr    t3, knl
    lw      t4, 24(t3)          # KNL_LC_SIZE_X
    csrr    t5, gidx
    mul     t4, t4, t5
    csrr    t5, tid
    add     t4, t4, t5
    vid.v   v0
    vadd.vx v0, v0, t4
    vsll.vi v0, v0, 2

    vadd.vx v1, v0, t1
    vlw12.v v1, 0(v1)
    vadd.vx v2, v0, t2
    vlw12.v v3, 0(v2)
    vfmacc.vf v3, t0, v1        # v3 += alpha * v1, rounded once
    vsw12.v v3, 0(v2)
    ret
