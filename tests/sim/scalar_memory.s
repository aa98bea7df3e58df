# SPDX-License-Identifier: Apache-2.0
# Scalar loads extend by sign or by zeros; stores change their bytes only.
#
# @grid 1 @local 1
# @in x u8 [0x80, 0xff, 0x7f, 0x81, 0x01, 0x02, 0x03, 0x04]
# @out r u32 11
# @expect r[:7] = [0xffffff80, 0x80, 0xffffff81, 0xffffff80, 0xff80, 0xffff817f, 0x817fff80]
# @expect r[7:] = [0x04030201, 0x0000aa00, 0xbbcc0000, 0x11223344]

    .include "kernel.inc"
begin scalar_memory, 1
    lw      a1, 0(a0)
    lb      t3, 0(a1)
    scalar  t3, 0
    lbu     t3, 0(a1)
    scalar  t3, 1
    lb      t3, 3(a1)
    scalar  t3, 2
    lh      t3, 0(a1)
    scalar  t3, 3
    lhu     t3, 0(a1)
    scalar  t3, 4
    addi    a2, a1, 2047        # negative offsets
    lh      t3, 2-2047(a2)
    scalar  t3, 5
    lw      t3, -2047(a2)
    scalar  t3, 6
    flw     t3, 4(a1)           # Zfinx: a word into an x register
    scalar  t3, 7
    li      t3, 0x112233aa
    sb      t3, 33(s1)
    li      t3, 0x1122bbcc
    sh      t3, 38(s1)
    li      t3, 0x11223344
    fsw     t3, 40(s1)
    ret
