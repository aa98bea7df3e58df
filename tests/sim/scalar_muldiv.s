# SPDX-License-Identifier: Apache-2.0
# RV32M corners: high words of each mix of signs, division by zero, and the
# one overflow, -2^31 / -1.
#
# @grid 1 @local 1
# @out r u32 16
# @expect r[:4] = [0, 0x40000000, 0x40000000, 0xc0000000]
# @expect r[4:8] = [0xffffffff, 0xffffffff, 0x80000000, 0x80000000]
# @expect r[8:12] = [0x80000000, 0, 0, 0x80000000]
# @expect r[12:] = [0xfffffffd, 0xffffffff, 0xfffffffe, 0]

    .include "kernel.inc"
begin scalar_muldiv, 0
    li      a1, 0x80000000
    li      a2, -1
    li      a3, -7
    li      a4, 2
    mul     t3, a1, a1
    scalar  t3, 0               # 2^62, low
    mulh    t3, a1, a1
    scalar  t3, 1               # 2^62, high
    mulhu   t3, a1, a1
    scalar  t3, 2
    mulhsu  t3, a1, a1
    scalar  t3, 3               # -2^31 * 2^31 = -2^62
    div     t3, a1, zero
    scalar  t3, 4
    divu    t3, a1, zero
    scalar  t3, 5
    rem     t3, a1, zero
    scalar  t3, 6
    remu    t3, a1, zero
    scalar  t3, 7
    div     t3, a1, a2
    scalar  t3, 8
    rem     t3, a1, a2
    scalar  t3, 9
    divu    t3, a1, a2
    scalar  t3, 10
    remu    t3, a1, a2
    scalar  t3, 11
    div     t3, a3, a4
    scalar  t3, 12              # -3, towards zero
    rem     t3, a3, a4
    scalar  t3, 13              # -1, the sign of the dividend
    mulhsu  t3, a2, a4
    mulh    t3, a2, a4
    slli    t3, t3, 1
    scalar  t3, 14              # high word of -2, twice
    mulhu   t3, a4, a4
    scalar  t3, 15
    ret
