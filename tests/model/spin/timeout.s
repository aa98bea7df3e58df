# SPDX-License-Identifier: Apache-2.0
# Warps wait for a word until they have looked often enough: they count in local
# memory, in private memory and by an atomic, and their registers are the same
# each time.  Rounds of 11 instructions are looked at everywhere.
#
# @grid 32 @local 32 @lanes 8 @private 16
# @inout x u32 [0, 0]
# @out r u32 4
# @localmem l 64
# @expect r = [1, 1, 1, 1]
# @expect x = [0, 24000]

    .text
    .globl  timeout
.macro again label, nops
    vmv.x.s t1, v4
    vmv.v.i v4, 0
    sltu    t1, t1, t3
    .rept   \nops
    nop
    .endr
    bnez    t1, \label
.endm
timeout:
    lw      t0, 0(a0)
    lw      t4, 4(a0)
    lw      t5, 8(a0)
    csrr    t1, wid
    slli    t2, t1, 2
    add     t4, t4, t2
    beqz    t1, meet
    li      t3, 3000
    li      t2, 2
    vmv.v.i v1, 4
    vmv.v.i v2, 1
    addi    t6, t0, 4
    vmv.v.x v3, t6
    vmv.v.x v6, t5
    blt     t1, t2, local
    beq     t1, t2, private
    li      t3, 24000 - 1       # the last lane finds what the others left
atomic:
    amoadd.w v4, v2, (v3)
    again   atomic, 6
    j       meet
local:
    vlw12.v v4, 0(v6)
    vadd.vv v4, v4, v2
    vsw12.v v4, 0(v6)
    again   local, 4
    j       meet
private:
    vlw.v   v4, 0(v1)
    vadd.vv v4, v4, v2
    vsw.v   v4, 0(v1)
    again   private, 4
meet:
    barrier
    li      t1, 1
    sw      t1, 0(t4)
    ret
