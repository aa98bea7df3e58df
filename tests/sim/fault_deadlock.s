# SPDX-License-Identifier: Apache-2.0
# A barrier that one warp never reaches: it waits for a word that the warps at
# the barrier would write.
#
# @grid 64 @local 64 @lanes 32 @set max_instructions=100000
# @out x u32 1
# @fault barrier that can never complete
# @fault warp 0 at 0x
# @fault warp 1 at 0x
# @fault waits at a barrier

    .text
    .globl  deadlock
deadlock:
    lw      t0, 0(a0)
    csrr    t1, wid
    bnez    t1, wait
    barrier
    li      t1, 1
    sw      t1, 0(t0)
    ret
wait:
    lw      t1, 0(t0)
    beqz    t1, wait
    barrier
    ret
