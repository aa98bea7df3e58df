# SPDX-License-Identifier: Apache-2.0
# With barrier_all a barrier waits for warps that have ended, the first one too.
#
# @grid 64 @local 64 @lanes 8,32 @set barrier_all=yes
# @fault kernel 'first': barrier that can never complete
# @fault warp 0 at 0x
# @fault has ended
# @fault waits at a barrier

    .text
    .globl  first
first:
    csrr    t0, wid
    bnez    t0, wait
    endprg
wait:
    barrier
    ret
