# SPDX-License-Identifier: Apache-2.0
# Version 2: the metadata have 128 bytes, with addresses of 64 bits behind those of
# version 1 (docs/abi.md, Version 2); an argument of four bytes, a local pointer,
# is followed by an aligned address.  From 80 on: work_dim - 1; of each dimension local
# size, offset, global size.
#
# @grid 1 @local 1 @isa 2
# @u32 n 17
# @localmem near 64
# @u32 m 18
# @out r u32 40
# @expect r[:5] = [1, 1, 1, 17, 18]
# @expect r[5:25] = [0] * 2 + [1] * 7 + [0] * 11
# @expect r[25:37] = [0] + [1, 0, 1, 0] * 2 + [1, 0, 1]

    .text
    .globl  v2_metadata
v2_metadata:
    lw      s1, 16(a0)          # n, near, m at 0, 4, 8; r at 16
    csrr    s2, knl
    lw      t0, 4(s2)
    sub     t0, t0, a0          # KNL_ARG_BASE
    sltiu   t0, t0, 1
    sw      t0, 0(s1)
    lw      t0, 64(s2)
    sub     t0, t0, a0          # KNL_ARG_BASE64
    sltiu   t0, t0, 1
    sw      t0, 4(s1)
    sub     t0, a0, s2
    addi    t0, t0, -128        # the argument buffer begins behind them
    sltiu   t0, t0, 1
    sw      t0, 8(s1)
    lw      t0, 0(a0)
    sw      t0, 12(s1)
    lw      t0, 8(a0)
    sw      t0, 16(s1)
    mv      t3, s2              # the other words
    addi    s3, s1, 20
    li      t5, 32
1:  lw      t0, 0(t3)
    lw      t4, 0(s2)
    beq     t0, t4, 2f          # the entry is left out,
    beq     t0, a0, 2f          # and the two addresses
    sw      t0, 0(s3)
2:  addi    t3, t3, 4
    addi    s3, s3, 4
    addi    t5, t5, -1
    bne     t5, zero, 1b
    ret
