# SPDX-License-Identifier: Apache-2.0
# NaNs are canonical, a NaN loses in min and max, -0 < +0, flags accumulate:
# NV 16, DZ 8, OF 4, UF 2, NX 1.
#
# @grid 1 @local 1
# @out r u32 24
# @expect r[:6] = [0x7fc00000, 0x10, 0x7f800000, 8, 0x7f800000, 5]
# @expect r[6:12] = [0, 3, 0x3f800000, 0x10, 0x80000000, 0]
# @expect r[12:18] = [0, 0, 0, 0x10, 0x200, 1]
# @expect r[18:] = [0xffc12345, 0x3f800000, 1, 0x7fc00000, 0x7fc00000, 0x40000000]

    .include "kernel.inc"
.macro flags n
    csrrw   t3, fflags, zero
    scalar  t3, \n
.endm
begin float_corners, 0
    csrw    fcsr, zero
    li      a1, 0x7f800000      # infinity
    li      a2, 0x7fc12345      # quiet NaN
    li      a3, 0x7f800001      # signalling NaN
    li      a4, 0x3f800000      # 1
    li      a5, 0x80000000      # -0
    li      a6, 0x7f7fffff      # the largest
    li      a7, 1               # the smallest
    fsub.s  t3, a1, a1
    scalar  t3, 0
    flags   1
    fdiv.s  t3, a4, zero
    scalar  t3, 2
    flags   3
    fadd.s  t3, a6, a6
    scalar  t3, 4
    flags   5
    fmul.s  t3, a7, a7
    scalar  t3, 6
    flags   7
    fmin.s  t3, a3, a4          # signalling: NV, and the number
    scalar  t3, 8
    flags   9
    fmin.s  t3, zero, a5
    scalar  t3, 10
    flags   11
    feq.s   t3, a2, a2          # quiet compare of a quiet NaN
    scalar  t3, 12
    flags   13
    flt.s   t3, a2, a4          # signalling compare
    scalar  t3, 14
    flags   15
    fclass.s t3, a2
    scalar  t3, 16
    fclass.s t3, a1
    fclass.s t4, a3
    li      t5, 0x80            # bit 7: +infinity; bit 8: signalling NaN
    sub     t3, t3, t5
    li      t5, 0x100
    sub     t4, t4, t5
    or      t3, t3, t4
    seqz    t3, t3
    scalar  t3, 17
    fneg.s  t3, a2              # sign operations keep the payload
    scalar  t3, 18
    fmax.s  t3, a2, a4
    scalar  t3, 19
    csrr    t3, fflags          # none by sign operations and fmax
    seqz    t3, t3
    scalar  t3, 20
    fmin.s  t3, a2, a2
    scalar  t3, 21
    fadd.s  t3, a2, a4
    scalar  t3, 22
    li      a2, 0x40800000
    fsqrt.s t3, a2
    scalar  t3, 23
    ret
