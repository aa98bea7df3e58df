# SPDX-License-Identifier: Apache-2.0
# A barrier for more threads than the workgroup has can never be over.
#
# @grid 64 @local 64 @lanes 8,32
# @out x u32 1
# @fault kernel 'too_many': barrier that can never complete: it needs 65 threads, and 64 are left at pc 0x
# @fault (barrier x0, x6, use_cnt), workgroup 0 (0,0,0), warp 0
# @fault warp 1 at 0x
# @fault waits at a barrier

    .text
    .globl  too_many
too_many:
    li      t1, 65
    barrier x0, t1, 0
    ret
