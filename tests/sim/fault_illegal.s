# SPDX-License-Identifier: Apache-2.0
# A word that is no instruction.
#
# @grid 1 @local 1
# @fault illegal instruction
# @fault 0xffffffff
# @fault workgroup 0 (0,0,0), warp 0; illegal+0x4 (
# @fault fault_illegal.s:14)

    .text
    .globl  illegal
illegal:
    nop
    .word   0xffffffff
