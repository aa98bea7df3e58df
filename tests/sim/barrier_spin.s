# SPDX-License-Identifier: Apache-2.0
# Warps that spin while others of their workgroup wait at a barrier, until a
# later workgroup lets them go: that is no deadlock.
#
# @grid 256 @local 64 @lanes 16,32
# @inout x u32 [0]
# @out r u32 256
# @expect x = [1]
# @expect r = [7] * 256

    .include "kernel.inc"
begin barrier_spin, 1
    lw      s3, 0(a0)
    csrr    t1, gdx
    li      t2, 3
    beq     t1, t2, last
    csrr    t1, wid
    beqz    t1, meet
spin:
    lw      t1, 0(s3)
    beqz    t1, spin
    j       meet
last:
    li      t1, 3000000
1:  addi    t1, t1, -1
    bnez    t1, 1b
    li      t1, 1
    sw      t1, 0(s3)
meet:
    barrier
    csrr    t1, gdx
    slli    t1, t1, 8
    add     s1, s1, t1
    vmv.v.i v1, 7
    emit    v1, 0
    ret
