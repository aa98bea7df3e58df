# SPDX-License-Identifier: Apache-2.0
# A lane that reads a word at an odd address; others are right.
#
# @grid 64 @local 64 @lanes 8
# @in x u32 [0] * 64
# @fault kernel 'unaligned': misaligned access to 0x90000056 at pc 0x
# @fault (vlw12.v v2, 0(v1)), workgroup 0 (0,0,0), warp 2, lane 5; unaligned+0x
# @fault fault_unaligned.s:24), work-item (21,0,0)

    .text
    .globl  unaligned
unaligned:
    lw      t0, 0(a0)
    csrr    t1, tid
    vid.v   v0
    vadd.vx v0, v0, t1
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    li      t2, 21
    vxor.vx v2, v0, t2
    vmseq.vi v2, v2, 0
    vsll.vi v2, v2, 1
    vadd.vv v1, v1, v2          # + 2 in work-item 21
    vlw12.v v2, 0(v1)
    ret
