# SPDX-License-Identifier: Apache-2.0
# A join that no setrpc names, on an empty stack: it ends no branch.
#
# @grid 64 @local 64 @lanes 32
# @fault kernel 'underflow': SIMT stack underflow: no setrpc names this join at pc 0x
# @fault (join v0, v0, pc + 0), workgroup 0 (0,0,0), warp 0; underflow+0x1c (
# @fault fault_join.s:19)

    .text
    .globl  underflow
underflow:
    vid.v   v0
    vmv.v.i v1, 3
1:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(1b)
    vblt    v0, v1, 2f
    nop
2:  join
    join
    ret
