# SPDX-License-Identifier: Apache-2.0
# Nothing has 128 bits, so narrowing to a register pair is refused.
#
# @grid 1 @local 1
# @fault illegal instruction

    .text
    .globl  narrow_pair
narrow_pair:
    regpair 0
    vnclip.wi v2, v4, 4
    ret
