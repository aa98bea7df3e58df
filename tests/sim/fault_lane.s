# SPDX-License-Identifier: Apache-2.0
# One lane of one warp reads behind its buffer: the fault names it.
#
# @grid 256 @local 64 @lanes 32 @set bounds=strict
# @in x u32 [0] * 1024
# @fault access to unmapped memory to 0x90001000
# @fault workgroup 2 (2,0,0), warp 1, lane 4
# @fault work-item (164,0,0)
# @fault 0 bytes past the end of argument 0, 4096 bytes

    .text
    .globl  lane
lane:
    lw      t0, 0(a0)
    csrr    t1, gdx
    slli    t1, t1, 6
    csrr    t2, tid
    add     t1, t1, t2
    vid.v   v0
    vadd.vx v0, v0, t1          # global id
    li      t1, 164
    vmv.v.x v1, t1
    vmv.v.i v3, 0
1:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(1b)
    vbne    v0, v1, 2f
    li      t2, 1024
    vmv.v.x v3, t2
2:  join
    vsll.vi v3, v3, 2
    vadd.vx v3, v3, t0
    vlw12.v v4, 0(v3)
    ret
