# SPDX-License-Identifier: Apache-2.0
# A barrier waits for live warps only: all but the first two end before it.
#
# @grid 64 @local 64 @lanes 4,8,16,32
# @out r u32 64
# @expect r = [1 + i // LANES if i < 2 * LANES else 0 for i in range(64)]

    .include "kernel.inc"
begin barrier_ended, 0
    csrr    a1, wid
    li      a2, 2
    blt     a1, a2, 2f
    endprg
2:  barrier
    addi    a1, a1, 1
    barrier
    vmv.v.x v1, a1
    emit    v1, 0
    ret
