# SPDX-License-Identifier: Apache-2.0
# regext adds three bits to each register of the next instruction, only of
# that; a second prefix replaces the first; xd also extends an accumulator.
# regexti makes an immediate of 11 bits with a sign (semantics.md, Registers and
# prefixes).
#
# @grid 64 @local 64
# @out r i32 64*12
# @expect r[:64] = [i + 1000 for i in range(64)]
# @expect r[64:128] = [77] * 64
# @expect r[128:192] = [i + 1 for i in range(64)]
# @expect r[192:256] = [77] * 64
# @expect r[256:320] = [5 + 3 * i for i in range(64)]
# @expect r[320:384] = [77] * 64
# @expect r[384:448] = [i - 33 for i in range(64)]
# @expect r[448:512] = [i + 1023 for i in range(64)]
# @expect r[512:576] = [i - 1024 for i in range(64)]
# @expect r[576:640] = [-600] * 64
# @expect r[640:704] = [i & -513 for i in range(64)]
# @expect r[704:] = [123456] * 64

    .include "kernel.inc"
begin regext, 0
    li      a1, 77
    vmv.v.x v16, a1
    vmv.v.x v3, a1
    vmv.v.x v67, a1
    li      x40, 1000
    .word   0x00a0200b          # regext, xd = 2, x1 = 1
    vadd.vx v16, v30, x8        # v80, v30, x40
    emit    v80, 0
    emit    v16, 1
    .word   0x0020200b          # regext, xd = 2
    .word   0x0010200b          # regext, xd = 1
    .word   0x03e0b1d7          # vadd.vi v3, v30, 1
    li      t0, 256*2
    add     t0, t0, s1
    vadd.vx v28, v29, t0
    .word   0x0400200b          # regext, x2 = 1: what is stored
    .word   0x003e607b          # vsw12.v v3, 0(v28)
    emit    v67, 3
    vmv.v.i v35, 5
    vmv.v.i v1, 3
    regext  zero, zero, 1       # xd = 1, x3 = 0
    .word   0xb7e0a1d7          # vmacc.vv v3, v1, v30
    emit    v35, 4
    emit    v3, 5
    .word   0xf800300b          # regexti, imm[10:5] = 111110
    .word   0x03efb257          # vadd.vi v4, v30, -1
    emit    v4, 6
    vadd.vi v4, v30, 1023
    emit    v4, 7
    vadd.vi v4, v30, -1024
    emit    v4, 8
    vmv.v.i v200, -600
    emit    v200, 9
    vand.vi v200, v30, -513
    emit    v200, 10
    li      x63, 123456
    mv      x50, x63
    vmv.v.x v255, x50
    emit    v255, 11
    ret
