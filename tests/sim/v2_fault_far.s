# SPDX-License-Identifier: Apache-2.0
# Version 2: a lane reads behind a buffer of 5 GiB; the message has all bits of the
# address, and what is left of 32 of them would be inside of the buffer.
#
# @grid 64 @local 64 @lanes 8,32 @isa 2 @set memory_size=64G @set bounds=strict
# @zeros far 5 * 2**30 // 4
# @fault access to unmapped memory to 0x240000000
# @fault (vlw12d.v v1, 0(v4)), workgroup 0 (0,0,0), warp 0, lane 3
# @fault 0 bytes past the end of argument 0, 5368709120 bytes

    .text
    .globl  v2_fault_far
v2_fault_far:
    csrr    t0, tid
    vid.v   v30
    vadd.vx v30, v30, t0
    li      t0, 3
    vmv.v.x v3, t0
    lw      s0, 0(a0)           # [s1:s0]: far
    lw      s1, 4(a0)
    vmv.v.x v4, s0
    vmv.v.x v5, s1
1:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(1b)
    vbne    v30, v3, 2f
    li      t3, 0x40000000      # + 5 GiB
    li      t4, 1
    addw    [s1:s0], [s1:s0], [t4:t3]
    vmv.v.x v4, s0
    vmv.v.x v5, s1
2:  join
    vlw12d.v v1, 0([v5:v4])
    ret
