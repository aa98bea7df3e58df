# SPDX-License-Identifier: Apache-2.0
# RV32I on registers and immediates: wrap-around, signs, shift amounts mod 32.
#
# @grid 1 @local 1
# @out r u32 26
# @expect r[:10] = [0x80000000, 0x7fffffff, 1, 0, 0, 1, 0x80000000, 1, 0xffffffff, 0x0f0f0f0f]
# @expect r[10:19] = [0x0000abcd, 0xffffffff, 0xffff5432, 0xfffff800, 1, 1, 0, 0xf8000000, 0x12345000]
# @expect r[19:] = [0, 2, 0xfffffffe, 0x40000000, 0xc0000000, 4, 0]

    .include "kernel.inc"
begin scalar_alu, 0
    li      a1, 0x7fffffff
    li      a2, 0x80000000
    li      a3, 1
    li      a4, -1
    li      a5, 0xabcd
    add     t3, a1, a3
    scalar  t3, 0               # the largest + 1
    sub     t3, a2, a3
    scalar  t3, 1               # the smallest - 1
    slt     t3, a2, a1
    scalar  t3, 2               # signed: -2^31 < 2^31 - 1
    sltu    t3, a2, a1
    scalar  t3, 3               # unsigned: not
    slt     t3, a3, a4
    scalar  t3, 4
    sltu    t3, a3, a4
    scalar  t3, 5
    li      t4, 63              # shifts by 31
    sll     t3, a3, t4
    scalar  t3, 6
    srl     t3, a2, t4
    scalar  t3, 7
    sra     t3, a2, t4
    scalar  t3, 8
    li      t4, 0xf0f0f0f0
    xor     t3, t4, a4
    scalar  t3, 9
    and     t3, a5, a4
    scalar  t3, 10
    or      t3, a5, a4
    scalar  t3, 11
    xori    t3, a5, -1
    scalar  t3, 12
    ori     t3, zero, -2048
    scalar  t3, 13
    slti    t3, a2, -2048
    scalar  t3, 14
    sltiu   t3, a5, -1          # the immediate is -1, then unsigned
    scalar  t3, 15
    sltiu   t3, a4, -1
    scalar  t3, 16
    srai    t3, a2, 4
    scalar  t3, 17
    lui     t3, 0x12345
    scalar  t3, 18
    addi    zero, a1, 1         # x0 stays 0
    scalar  zero, 19
    andi    t3, a4, 2
    scalar  t3, 20
    slli    t3, a4, 1
    scalar  t3, 21
    srli    t3, a2, 1
    scalar  t3, 22
    srai    t3, a2, 1
    scalar  t3, 23
    auipc   t3, 0
    auipc   t4, 0
    sub     t3, t4, t3
    scalar  t3, 24
    li      t3, 0
    beq     a3, a4, 2f          # not taken, any of them
    bne     a3, a3, 2f
    blt     a1, a2, 2f
    bge     a2, a1, 2f
    bltu    a2, a1, 2f
    bgeu    a1, a2, 2f
    j       3f
2:  li      t3, 1
3:  scalar  t3, 25
    ret
