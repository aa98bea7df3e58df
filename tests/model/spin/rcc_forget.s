# SPDX-License-Identifier: Apache-2.0
# With --coherence rcc and without a fence: a warp looks at an old word, which
# stays in its L1D until another warp there loads two lines of the same set, long
# after.  Then it computes for long, and all others go round and round.
#
# @grid 48 @local 24 @lanes 8
# @inout x u32 [0] * 24576
# @out r u32 1
# @expect r = [5]

    .text
    .globl  rcc_forget
rcc_forget:
    lw      t0, 0(a0)
    lw      t4, 4(a0)
    csrr    t2, gdx
    csrr    t1, wid
    li      t5, 5
    beqz    t1, meet
    bnez    t2, writes
    addi    t1, t1, -1
    bnez    t1, forgets
    lw      t1, 0(t0)
    sw      t5, 256(t0)
    fence   w, w                # it has the old one
wait:
    lw      t1, 0(t0)
    beqz    t1, wait
    li      t1, 60000
1:  addi    t1, t1, -1
    bnez    t1, 1b
    sw      t5, 128(t0)
    sw      t5, 0(t4)
    j       meet
forgets:
    li      t1, 20000
2:  addi    t1, t1, -1
    bnez    t1, 2b
    vid.v   v1
    vand.vi v1, v1, 1
    li      t1, 32768           # an L1D's sets
    vadd.vi v1, v1, 1
    vmul.vx v1, v1, t1
    vadd.vx v1, v1, t0
    vlw12.v v2, 0(v1)
3:  lw      t1, 128(t0)
    beqz    t1, 3b
    j       meet
writes:
    addi    t1, t1, -1
    bnez    t1, meet
4:  fence   r, r
    lw      t1, 256(t0)
    beqz    t1, 4b
    sw      t5, 0(t0)
    fence   w, w
meet:
    barrier
    ret
