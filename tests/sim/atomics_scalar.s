# SPDX-License-Identifier: Apache-2.0
# With scalar_amo, atomics run once a warp on x registers.
#
# @grid 64 @local 64 @set scalar_amo=yes
# @inout w u32 [100]
# @out r u32 4
# @expect w = [100 + 64 // LANES]
# @expect r[:3] = [77, 0, 1]

    .include "kernel.inc"
begin atomics_scalar, 1
    lw      a1, 0(a0)
    li      a2, 1
    amoadd.w a3, a2, (a1)
    csrr    t3, wid
    bnez    t3, 1f
    addi    a1, s1, 12          # a word of our own: lr and sc
    li      a2, 77
    amoswap.w a3, a2, (a1)
    lr.w    a3, (a1)
    scalar  a3, 0
    sc.w    a4, a2, (a1)
    scalar  a4, 1
    sc.w    a4, a2, (a1)        # the reservation is gone
    scalar  a4, 2
1:  ret
