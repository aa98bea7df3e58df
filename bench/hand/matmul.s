# SPDX-License-Identifier: Apache-2.0
# bench/cc/matmul.cl by hand: workgroups of 16 x 16, tiles in local memory
# behind the stacks of the warps.
#
#   a0 arguments: a, b, c, n      v1 16 ly + lx (thread of the workgroup)
    .text
    .globl matmul
matmul:
    csrr    t5, tid
    lw      a1, 0(a0)           # a
    lw      a2, 4(a0)           # b
    lw      a3, 8(a0)           # c
    lw      a4, 12(a0)          # n
    csrr    t0, numw
    csrr    t2, lds
    vid.v   v1
    vadd.vx v1, v1, t5
    slli    t0, t0, 10
    add     t2, t2, t0          # the tile of a; that of b 1 KiB behind
    vand.vi v2, v1, 15          # lx
    vsrl.vi v3, v1, 4           # ly
    csrr    t3, gidx
    csrr    t4, gidy
    slli    t3, t3, 4
    slli    t4, t4, 4
    vsll.vi v1, v1, 2
    vadd.vx v4, v1, t2          # where I put my elements
    vsll.vi v5, v3, 6
    vadd.vx v5, v5, t2          # my row in the tile of a
    vsll.vi v6, v2, 2
    vadd.vx v7, v6, t2          # my column in the tile of b
    vmul.vx v8, v3, a4
    vadd.vv v8, v8, v2
    vsll.vi v8, v8, 2           # (ly n + lx) 4
    mul     t4, t4, a4
    slli    t4, t4, 2
    add     a1, a1, t4
    slli    t3, t3, 2
    add     a2, a2, t3
    add     a3, a3, t4
    add     a3, a3, t3
    vadd.vx v9, v8, a1          # into a
    vadd.vx v10, v8, a2         # into b
    vadd.vx v11, v8, a3         # into c
    slli    t6, a4, 6           # 16 rows of b
    vmv.v.i v12, 0
tile:
    vlw12.v v13, 0(v9)
    vlw12.v v14, 0(v10)
    vsw12.v v13, 0(v4)
    vadd12.vi v15, v4, 1024
    vsw12.v v14, 0(v15)
    barrier
    .set k, 0
    .rept 16
    vlw12.v v13, 4 * k(v5)
    vlw12.v v14, 1024 + 64 * k(v7)
    vfmacc.vv v12, v13, v14
    .set k, k + 1
    .endr
    barrier
    vadd12.vi v9, v9, 64
    vadd.vx v10, v10, t6
    addi    a4, a4, -16
    bgtz    a4, tile
    vsw12.v v12, 0(v11)
    ret
