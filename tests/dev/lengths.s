# SPDX-License-Identifier: Apache-2.0
# Workgroups of lengths that the launch chooses: a warp of workgroup g reads x
# (g * factor + warp) % most times, so that warps and workgroups end in any order and at
# any distance.  x, factor, most: arguments.  Then x[16 + id] = the times of its warp.

    .ventus_kernel lengths, sgpr=32, vgpr=4
    .globl  lengths
lengths:
    lw      t0, 0(a0)           # x
    lw      t1, 4(a0)           # factor
    lw      t2, 8(a0)           # most
    csrr    t3, wgid
    mul     t3, t3, t1
    csrr    t4, wid
    add     t3, t3, t4
    remu    t3, t3, t2          # times
    mv      t5, t3
    beqz    t5, 2f
1:  lw      t6, 0(t0)
    addi    t5, t5, -1
    add     t5, t5, t6          # x[0] is 0
    bnez    t5, 1b
2:  csrr    a1, knl
    lw      a2, 24(a1)          # local size
    csrr    a3, gdx
    mul     a2, a2, a3
    csrr    a3, tid
    add     a2, a2, a3
    vid.v   v0
    vadd.vx v0, v0, a2
    vsll.vi v0, v0, 2
    vadd.vx v0, v0, t0
    vmv.v.x v1, t3
    vsw12.v v1, 64(v0)
    ret
