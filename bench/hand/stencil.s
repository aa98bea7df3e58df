# SPDX-License-Identifier: Apache-2.0
# bench/cc/stencil.cl by hand: two dimensions, workgroups as wide as a warp or
# narrower by a power of two do not matter: x and y come from one division.
#
#   a1 a, a2 b, a3 w, a4 h       v1 x, v2 y
    .text
    .globl stencil
stencil:
    csrr    t0, knl
    lw      t2, 24(t0)          # local size
    lw      t3, 28(t0)
    csrr    t4, tid
    csrr    t5, gidx
    csrr    t6, gidy
    lw      a1, 0(a0)
    lw      a2, 4(a0)
    lw      a3, 8(a0)
    lw      a4, 12(a0)
    vid.v   v1
    vadd.vx v1, v1, t4
    vdivu.vx v2, v1, t2
    vmul.vx v3, v2, t2
    vsub.vv v1, v1, v3
    mul     t5, t5, t2
    mul     t6, t6, t3
    vadd.vx v1, v1, t5          # x
    vadd.vx v2, v2, t6          # y
    vmul.vx v3, v2, a3
    vadd.vv v3, v3, v1
    vsll.vi v3, v3, 2
    vadd.vx v4, v3, a1          # &a[i]
    vadd.vx v5, v3, a2          # &b[i]
    vlw12.v v6, 0(v4)
    addi    t2, a3, -2          # 0 < x < w - 1 is x - 1 below w - 2
    addi    t3, a4, -2
    vadd.vi v1, v1, -1
    vadd.vi v2, v2, -1
    vmsltu.vx v1, v1, t2
    vmsltu.vx v2, v2, t3
    vand.vv v1, v1, v2
    vmv.v.i v2, 0
1:  auipc   t1, %pcrel_hi(store)
    setrpc  zero, t1, %pcrel_lo(1b)
    vbeq    v1, v2, store
    slli    a3, a3, 2
    vlw12.v v7, -4(v4)
    vlw12.v v8, 4(v4)
    vsub.vx v9, v4, a3
    vadd.vx v10, v4, a3
    vlw12.v v9, 0(v9)
    vlw12.v v10, 0(v10)
    vfadd.vv v7, v7, v8
    vfadd.vv v7, v7, v9
    vfadd.vv v7, v7, v10
    lui     t2, 0x3e000         # 0.125
    lui     t3, 0x3f000         # 0.5
    vfmul.vf v7, v7, t2
    vfmul.vf v6, v6, t3
    vfadd.vv v6, v6, v7
store:
    join
    vsw12.v v6, 0(v5)
    ret
