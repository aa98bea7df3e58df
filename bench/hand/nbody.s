# SPDX-License-Identifier: Apache-2.0
# bench/cc/nbody.cl by hand: one dimension.
#
#   a1 p, a2 v, a3 q, a4 n, a5 dt, a6 tile
    .text
    .globl nbody
nbody:
    csrr    t0, knl
    lw      t2, 24(t0)          # local size
    csrr    t4, tid
    csrr    t5, gidx
    lw      a1, 0(a0)
    lw      a2, 4(a0)
    lw      a3, 8(a0)
    lw      a4, 12(a0)
    lw      a5, 16(a0)
    lw      a6, 20(a0)
    vid.v   v1
    vadd.vx v1, v1, t4
    vsll.vi v1, v1, 4
    vadd.vx v2, v1, a6          # my place in the tile
    vadd.vx v3, v1, a1          # what I put there
    mul     t5, t5, t2
    slli    t5, t5, 4
    vadd.vx v1, v1, t5          # 16 i
    vadd.vx v4, v1, a1
    vlw12.v v5, 0(v4)           # me
    vlw12.v v6, 4(v4)
    vlw12.v v7, 8(v4)
    vlw12.v v8, 12(v4)
    vmv.v.i v9, 0               # the force
    vmv.v.i v10, 0
    vmv.v.i v11, 0
    slli    t3, t2, 4           # bytes of a tile
    add     t6, a6, t3          # its end
    lui     s0, 0x3c23d
    addi    s0, s0, 1802        # 0.01
    lui     s1, 0x3f800         # 1
tile:
    vlw12.v v12, 0(v3)
    vlw12.v v13, 4(v3)
    vlw12.v v14, 8(v3)
    vlw12.v v15, 12(v3)
    vadd.vx v3, v3, t3
    vsw12.v v12, 0(v2)
    vsw12.v v13, 4(v2)
    vsw12.v v14, 8(v2)
    vsw12.v v15, 12(v2)
    barrier
    mv      t0, a6
body:
    lw      a1, 0(t0)
    lw      a7, 4(t0)
    lw      t4, 8(t0)
    lw      t5, 12(t0)
    addi    t0, t0, 16
    vfrsub.vf v12, v5, a1
    vfrsub.vf v13, v6, a7
    vfrsub.vf v14, v7, t4
    vfmul.vv v15, v12, v12
    vfmacc.vv v15, v13, v13
    vfmacc.vv v15, v14, v14
    vfadd.vf v15, v15, s0
    vfsqrt.v v15, v15
    vfrdiv.vf v15, v15, s1
    vfmul.vf v16, v15, t5
    vfmul.vv v15, v15, v15
    vfmul.vv v15, v15, v16
    vfmacc.vv v9, v12, v15
    vfmacc.vv v10, v13, v15
    vfmacc.vv v11, v14, v15
    bne     t0, t6, body
    barrier
    sub     a4, a4, t2
    bgtz    a4, tile

    vadd.vx v2, v1, a2
    vadd.vx v3, v1, a3
    vlw12.v v12, 0(v2)
    vlw12.v v13, 4(v2)
    vlw12.v v14, 8(v2)
    vfmacc.vf v12, a5, v9
    vfmacc.vf v13, a5, v10
    vfmacc.vf v14, a5, v11
    vsw12.v v12, 0(v2)
    vsw12.v v13, 4(v2)
    vsw12.v v14, 8(v2)
    vfmacc.vf v5, a5, v12
    vfmacc.vf v6, a5, v13
    vfmacc.vf v7, a5, v14
    vsw12.v v5, 0(v3)
    vsw12.v v6, 4(v3)
    vsw12.v v7, 8(v3)
    vsw12.v v8, 12(v3)
    ret
