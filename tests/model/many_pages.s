# SPDX-License-Identifier: Apache-2.0
# More pages of code than the cycle-level machine had room for, 4096: behind them
# it knew no branches and no end, and the kernel ran on beyond its last
# instruction.
#
# @grid 8 @local 8
# @out y u32 1
# @expect y = [4200]

    .text
    .globl many_pages
many_pages:
    lw      t0, 0(a0)
    li      t2, 0
    .rept 4200
    addi    t2, t2, 1
    j       1f
    .zero   4088
1:
    .endr
    sw      t2, 0(t0)
    ret
