# SPDX-License-Identifier: Apache-2.0
# A warp has no more threads than its lanes.
#
# @grid 64 @local 64 @lanes 8
# @out x u32 1
# @fault barrier that can never complete: it needs 9 threads, and 8 are left at pc 0x
# @fault (barriersub x0, x6, use_cnt), workgroup 0 (0,0,0), warp

    .text
    .globl  sub_many
sub_many:
    li      t1, 9
    barriersub x0, t1, 0
    ret
