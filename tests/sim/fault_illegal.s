# SPDX-License-Identifier: Apache-2.0
# A word that is no instruction.
#
# @grid 1 @local 1
# @fault illegal instruction
# @fault 0xffffffff
# @fault illegal+0x4

    .text
    .globl  illegal
illegal:
    nop
    .word   0xffffffff
