# SPDX-License-Identifier: Apache-2.0
# Version 2: the RV64I forms work on even pairs of x registers, all 64 bits.
#
# @grid 1 @local 1 @isa 2
# @out r u64 12
# @expect r[:4] = [2**33, 2**33 - 2, 2**33 - 1 - 2048, 2**33 + 2046]
# @expect r[4:8] = [(2**33 - 1) * 2**20, (2**33 - 1) * 2**31 % 2**64, 2**63 + 1 >> 4, 2**59]
# @expect r[8:] = [2**64 - 2**59, 2**64 - 2**59, 2**48, 2**64 - 2**31]

    .include "kernel.inc"
.macro both n                   # [t4:t3]
    scalar  t3, 2*(\n)
    scalar  t4, 2*(\n)+1
.endm
begin v2_pairs, 0, 8
    li      a2, -1              # [a3:a2] = 2^33 - 1
    li      a3, 1
    li      a4, 1               # [a5:a4] = 1
    li      a5, 0
    addw    [t4:t3], [a3:a2], [a5:a4]
    both    0
    subw    [t4:t3], [a3:a2], [a5:a4]
    both    1
    addiw   [t4:t3], [a3:a2], -2048
    both    2
    addiw   [t4:t3], [a3:a2], 2047
    both    3
    slliw   [t4:t3], [a3:a2], 20
    both    4
    slliw   [t4:t3], [a3:a2], 31
    both    5
    li      a2, 1               # [a3:a2] = 2^63 + 1
    li      a3, 0x80000000
    srliw   [t4:t3], [a3:a2], 4
    both    6
    li      a4, 4
    srlw    [t4:t3], [a3:a2], [a5:a4]
    both    7
    sraw    [t4:t3], [a3:a2], [a5:a4]
    both    8
    sraiw   [t4:t3], [a3:a2], 4
    both    9
    li      a4, 48
    li      t3, 1
    li      t4, 0
    sllw    [t4:t3], [t4:t3], [a5:a4]
    both    10
    li      a4, 64 + 32         # the amount mod 64
    sraw    [t4:t3], [a3:a2], [a5:a4]
    both    11
    ret
