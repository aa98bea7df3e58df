# SPDX-License-Identifier: Apache-2.0
# USE_CNT: teams of one, two and three warps, each with its own number of threads,
# meet only their own, twenty times, while two warps wait for all: they ask with a
# register that holds 0.
#
# @grid 128 @local 64 @lanes 8
# @localmem slots 64
# @out r u32 64
# @expect r = [v for v in (210, 420, 420, 630, 630, 630, 120, 120) for i in range(8)]

    .include "kernel.inc"
begin barrier_teams, 1
    lw      a1, 0(a0)
    csrr    t0, wid
    csrr    t1, numt
    slli    t2, t0, 2
    add     a2, a1, t2          # its own slot
    li      a3, 0               # the first warp of its team
    li      a4, 1               # how many they are
    beqz    t0, known
    li      a3, 1
    li      a4, 2
    li      t3, 3
    blt     t0, t3, known
    li      a3, 3
    li      a4, 3
    li      t3, 6
    blt     t0, t3, known
    li      a3, 0
    li      a4, 0
known:
    slli    a3, a3, 2
    add     a3, a3, a1
    mul     a5, t1, a4          # threads of the team
    li      t4, 0               # round
    li      t5, 0               # sum of what it saw
    beqz    a4, all
again:
    addi    t4, t4, 1
    sw      t4, 0(a2)
    barrier x0, a5, 0
    li      t2, 0
    mv      t6, a3
1:  lw      t3, 0(t6)
    add     t5, t5, t3
    addi    t6, t6, 4
    addi    t2, t2, 1
    blt     t2, a4, 1b
    barrier x0, a5, 0
    li      t3, 20
    blt     t4, t3, again
    li      t3, 0
    barrier x0, t3, 0
    j       end
all:
    barrier x0, a5, 0
    li      t2, 6
1:  lw      t3, 0(a1)
    add     t5, t5, t3
    addi    a1, a1, 4
    addi    t2, t2, -1
    bnez    t2, 1b
end:
    vmv.v.x v1, t5
    emit    v1, 0
    ret
