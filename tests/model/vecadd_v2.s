# SPDX-License-Identifier: Apache-2.0
# c[i] = a[i] + b[i] in version 2: buffers anywhere, their addresses in pairs.
#
# @grid 200 @local 32 @isa 2
# @in a f32 [i * 0.5 for i in range(200)]
# @in b f32 [1 - i for i in range(200)]
# @out c f32 200
# @expect c = [x + y for x, y in zip(a, b)]

    .ventus_kernel vecadd_v2, sgpr=32, vgpr=16

# [vh:vl] = the argument + 4 * v0.
.macro place vh, vl, argument
    lw      t0, 8*(\argument)(a0)
    lw      t1, 8*(\argument)+4(a0)
    vadd.vx \vl, v1, t0
    vmsltu.vx v0, \vl, t0       # the carry
    vmv.v.x \vh, t1
    vadd.vv \vh, \vh, v0
.endm

    .text
    .globl  vecadd_v2
vecadd_v2:
    csrr    t0, gdx
    slli    t0, t0, 5
    csrr    t1, tid
    add     t0, t0, t1
    vid.v   v1
    vadd.vx v1, v1, t0
    vsll.vi v1, v1, 2
    place   v3, v2, 0
    place   v5, v4, 1
    place   v7, v6, 2
    vlw12d.v v8, 0([v3:v2])
    vlw12d.v v9, 0([v5:v4])
    vfadd.vv v8, v8, v9
    vsw12d.v v8, 0([v7:v6])
    ret
