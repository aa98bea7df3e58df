# SPDX-License-Identifier: Apache-2.0
# A workgroup waits for another one, which computes for long and then lets it go
# on, four times: it counts in a scalar register; in a vector; in memory; by the
# counter of time.  All but the first leave the scalar registers as they are, and
# their rounds are 5 or 11 instructions, so that they are looked at everywhere.
#
# @grid 32 @local 16 @lanes 8
# @out x u32 4
# @out n u32 4
# @expect x = [1, 1, 1, 1]
# @expect n = [4000, 3000, 3000, 0]

    .text
    .globl  other_sm
.macro wait_for word
1:  fence   r, r
    lw      t1, 4*\word(t0)
    beqz    t1, 1b
.endm
.macro let_go word
    sw      t5, 4*\word(t0)
    fence   w, w
.endm
other_sm:
    lw      t0, 0(a0)
    lw      t4, 4(a0)
    csrr    t2, gdx
    csrr    t1, wid
    li      t5, 1
    bnez    t2, works
    beqz    t1, meet
    wait_for 0
    wait_for 1
    wait_for 2
    wait_for 3
    j       meet
works:
    beqz    t1, meet
    li      t1, 4000
    li      t3, 0
1:  addi    t3, t3, 1
    bne     t3, t1, 1b
    sw      t3, 0(t4)
    let_go  0

    li      t1, 3000
    vmv.v.i v1, 0
2:  vadd.vi v1, v1, 1
    vmv.x.s t3, v1
    sltu    t3, t3, t1
    nop
    bnez    t3, 2b
    vmv.x.s t3, v1
    sw      t3, 4(t4)
    let_go  1

3:  lw      t3, 8(t4)
    addi    t3, t3, 1
    sw      t3, 8(t4)
    sltu    t3, t3, t1
    .rept   6
    nop
    .endr
    bnez    t3, 3b
    let_go  2

    csrr    t1, instret
    li      t3, 15000
    add     t1, t1, t3
4:  csrr    t3, instret
    sltu    t3, t3, t1
    nop
    nop
    bnez    t3, 4b
    let_go  3
meet:
    barrier
    ret
