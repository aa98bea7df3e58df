# SPDX-License-Identifier: Apache-2.0
# Warps that look at a counter for long, and keep nothing of it, while others
# wait at a barrier: their registers are the same each time, but it ends.
#
# @grid 64 @local 64 @lanes 16,32
# @out r u32 64
# @expect r = [7] * 64

    .include "kernel.inc"
begin barrier_counter, 0
    csrr    t1, wid
    beqz    t1, meet
    li      t1, 3000000
1:  csrr    t0, cycle
    sltu    t0, t0, t1
    bnez    t0, 1b
meet:
    barrier
    vmv.v.i v1, 7
    emit    v1, 0
    ret
