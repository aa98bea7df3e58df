# SPDX-License-Identifier: Apache-2.0
# A barrier for two warps, but all others have ended.
#
# @grid 64 @local 64 @lanes 8,32
# @out x u32 1
# @fault barrier that can never complete: it needs
# @fault threads, and
# @fault are left at pc 0x
# @fault warp 1 at 0x
# @fault has ended

    .text
    .globl  alone
alone:
    csrr    t0, wid
    csrr    t1, numt
    slli    t1, t1, 1
    bnez    t0, end
    barrier x0, t1, 0
end:
    ret
