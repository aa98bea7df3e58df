# SPDX-License-Identifier: Apache-2.0
# With --coherence rcc, without a fence: what one SM wrote stays in its L1D until,
# long after, other lines take its place; another SM has the old one until it is
# the same there.  It walks through memory and comes back to where it was, always
# alike, but that is no deadlock: a word changes when a line leaves an L1D.
#
# @grid 32 @local 16 @lanes 8
# @inout x u32 [0] * 24576
# @out r u32 2
# @expect r = [5, 5]

    .text
    .globl  rcc_evict
rcc_evict:
    lw      t0, 0(a0)
    lw      t4, 4(a0)
    csrr    t2, gdx
    csrr    t1, wid
    slli    t3, t2, 2
    add     t4, t4, t3
    li      t5, 5
    li      t6, 98304           # more than an L1D
    add     t6, t6, t0
    beqz    t1, meet
    bnez    t2, writes
    mv      t3, t0
wait:
    lw      t1, 0(t0)
    bnez    t1, meet
walk:
    addi    t3, t3, 128
    lw      t1, -128(t3)
    bltu    t3, t6, walk
    mv      t3, t0
    j       wait
writes:
    lw      t1, 0(t0)
    sw      t5, 0(t0)
    li      t1, 50000
1:  addi    t1, t1, -1
    bnez    t1, 1b
    mv      t3, t0
2:  addi    t3, t3, 128
    lw      t1, -128(t3)
    bltu    t3, t6, 2b
meet:
    barrier
    sw      t5, 0(t4)
    ret
