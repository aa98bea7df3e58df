# SPDX-License-Identifier: Apache-2.0
# A workgroup waits for one of another SM, which computes for long: in its
# registers; in memory, with registers that are the same each time; by a
# counter; and then releases it, three times.  Needs two SMs, or two workgroups
# on one.
#
# @grid 32 @local 16 @lanes 8 @private 16
# @inout x u32 [0, 0, 0, 0]
# @out n u32 4
# @expect x[:3] = [1, 1, 1]
# @expect n = [20000, 0, 5000, 0]

    .text
    .globl  other_sm
other_sm:
    lw      t0, 0(a0)
    lw      t4, 4(a0)
    csrr    t2, gdx
    csrr    t1, wid
    li      t5, 1
    bnez    t2, works
    beqz    t1, meet
wait0:
    fence   r, r
    lw      t1, 0(t0)
    beqz    t1, wait0
wait1:
    fence   r, r
    lw      t1, 4(t0)
    beqz    t1, wait1
wait2:
    fence   r, r
    lw      t1, 8(t0)
    beqz    t1, wait2
    j       meet
works:
    beqz    t1, meet
    li      t1, 20000
    li      t3, 0
1:  addi    t3, t3, 1
    bne     t3, t1, 1b
    sw      t3, 0(t4)
    sw      t5, 0(t0)
    fence   w, w
    li      t1, 5000
2:  lw      t3, 8(t4)
    addi    t3, t3, 1
    sw      t3, 8(t4)
    sub     t6, t3, t1
    li      t3, 0
    bnez    t6, 2b
    sw      t5, 4(t0)
    fence   w, w
    li      t1, 80000
3:  csrr    t3, instret
    sltu    t6, t3, t1
    li      t3, 0
    bnez    t6, 3b
    sw      t5, 8(t0)
    fence   w, w
meet:
    barrier
    ret
