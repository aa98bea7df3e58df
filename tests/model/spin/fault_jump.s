# SPDX-License-Identifier: Apache-2.0
# A warp jumps to itself while the other waits at a barrier; the text names both.
#
# @grid 16 @local 16 @lanes 8
# @out x u32 1
# @fault kernel 'jump': deadlock (some warps repeat themselves for ever, the others wait at a barrier) at pc 0x
# @fault , workgroup 0 (0,0,0), warp 1; jump+0x8 (
# @fault workgroup 0: warp 0 at 0x
# @fault : barrier, warp 1 at 0x
# @fault : repeats itself

    .text
    .globl  jump
jump:
    csrr    t1, wid
    beqz    t1, meet
    j       .
meet:
    barrier
    ret
