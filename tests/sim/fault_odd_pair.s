# SPDX-License-Identifier: Apache-2.0
# With SEW 32 a source of 64 bits is an even register pair.
#
# @grid 1 @local 1
# @fault illegal instruction
# @fault a 64-bit element is an even register pair

    .text
    .globl  odd_pair
odd_pair:
    vnsrl.wi v1, v3, 4
    ret
