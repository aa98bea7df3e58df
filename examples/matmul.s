# SPDX-License-Identifier: Apache-2.0
# Tensor instruction: D (4x4) = A (4x8) x B (8x4), one warp of 32 threads.
#
# vftta.vv spreads the matrices over the lanes: element (i, j) of A is in lane
# 8 i + j, element (j, k) of B in lane 8 k + j (so B lies transposed), element
# (i, k) of D in lane 4 i + k.
#
# @grid 32 @local 32 @lanes 32
# @in  A f32 [float(i + j) for i in range(4) for j in range(8)]
# @in  Bt f32 [float(j - 2 * k) for k in range(4) for j in range(8)]
# @out D f32 32
# @expect D[0:16] = [sum_(A[8 * i + j] * Bt[8 * k + j] for j in range(8)) for i in range(4) for k in range(4)]

    .text
    .globl matmul
matmul:
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    lw      t2, 8(a0)
    vid.v   v0
    vsll.vi v0, v0, 2
    vadd.vx v1, v0, t0
    vlw12.v v1, 0(v1)
    vadd.vx v2, v0, t1
    vlw12.v v2, 0(v2)
    vmv.v.i v3, 0               # D starts at zero
    vftta.vv v3, v2, v1
    vadd.vx v4, v0, t2
    vsw12.v v3, 0(v4)
    ret
