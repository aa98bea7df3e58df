# SPDX-License-Identifier: Apache-2.0
# A grid that is no multiple of the workgroup, in two dimensions: work-items
# outside do not exist, nor do warps of nothing but these, and a barrier does
# not wait for them.  Those inside are numbered by the size that is left.
#
# @grid 10,7 @local 4,4
# @out x u32 128
# @expect x = [i + 1 for i in range(70)] + [0] * 58

    .text
    .globl  edges
edges:
    lw      t0, 0(a0)
    csrr    t3, knl
    csrr    t5, tid
    vid.v   v0
    vadd.vx v0, v0, t5          # thread in the workgroup
    lw      t4, 24(t3)          # KNL_LC_SIZE_X
    lw      t6, 12(t3)          # KNL_GL_SIZE_X
    csrr    t5, gdx
    mul     t5, t5, t4
    sub     t6, t6, t5          # columns left
    bltu    t4, t6, 1f
    mv      t4, t6
1:  vremu.vx v1, v0, t4         # x and y there
    vdivu.vx v2, v0, t4
    vadd.vx v1, v1, t5          # in the grid
    lw      t4, 28(t3)          # KNL_LC_SIZE_Y
    csrr    t5, gdy
    mul     t5, t5, t4
    vadd.vx v2, v2, t5
    lw      t4, 12(t3)          # KNL_GL_SIZE_X
    vmul.vx v2, v2, t4
    vadd.vv v1, v1, v2
    vsll.vi v2, v1, 2
    vadd.vx v2, v2, t0
    vlw12.v v3, 0(v2)           # 0, unless somebody was here
    barrier
    vadd.vv v3, v3, v1
    vadd.vi v3, v3, 1
    vsw12.v v3, 0(v2)
    ret
