# SPDX-License-Identifier: Apache-2.0
# With --coherence rcc and without a fence: a word that one SM wrote stays in its
# L1D until other lines take its place; another SM has the old one until it is the
# same there.  Who waited for it then computes for long.  Meanwhile all others go
# round and round, two of them through more memory than an L1D holds.  The Chisel
# design's own policy would keep the word for ever: it replaces the newest line.
#
# @set dcache_replacement=lru
# @grid 48 @local 24 @lanes 8
# @inout x u32 [0] * 24576
# @out r u32 1
# @expect r = [5]

    .text
    .globl  rcc_evict
.macro walk                     # until the second line is written
    mv      t3, t0
    lw      t1, 128(t0)
    bnez    t1, meet
1:  addi    t3, t3, 128
    lw      t1, 128(t3)
    bltu    t3, t6, 1b
.endm
rcc_evict:
    lw      t0, 0(a0)
    lw      t4, 4(a0)
    csrr    t2, gdx
    csrr    t1, wid
    li      t5, 5
    li      t6, 98304 - 256
    add     t6, t6, t0
    beqz    t1, meet
    bnez    t2, second
    addi    t1, t1, -1
    bnez    t1, walks
wait:                           # seldom, so that its line may be the oldest
    li      t1, 4000
4:  addi    t1, t1, -1
    bnez    t1, 4b
    lw      t1, 0(t0)
    beqz    t1, wait
    li      t1, 100000
2:  addi    t1, t1, -1
    bnez    t1, 2b
    sw      t5, 128(t0)
    fence   w, w
    sw      t5, 0(t4)
    j       meet
second:
    addi    t1, t1, -1
    bnez    t1, meet
    lw      t1, 0(t0)
    sw      t5, 0(t0)
    li      t1, 32000
3:  addi    t1, t1, -1
    bnez    t1, 3b
walks:
    walk
    j       walks
meet:
    barrier
    ret
