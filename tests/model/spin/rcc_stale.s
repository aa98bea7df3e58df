# SPDX-License-Identifier: Apache-2.0
# A word is written by another SM, and looked at without a fence: with
# --coherence rcc the L1D keeps the old one for ever, which is a deadlock.
#
# @grid 32 @local 16 @lanes 8
# @inout x u32 [0] * 64
# @fault the others wait at a barrier)
# @fault : repeats itself
# @fault : barrier

    .text
    .globl  rcc_stale
rcc_stale:
    lw      t0, 0(a0)
    csrr    t2, gdx
    csrr    t1, wid
    li      t5, 1
    bnez    t2, writes
    beqz    t1, meet
    lw      t1, 0(t0)
    sw      t5, 128(t0)
    fence   w, w
wait:
    lw      t1, 0(t0)
    beqz    t1, wait
    j       meet
writes:
    lw      t1, 128(t0)
    fence   r, r
    beqz    t1, writes
    sw      t5, 0(t0)
    fence   w, w
meet:
    barrier
    ret
