# SPDX-License-Identifier: Apache-2.0
# There are no floats of 8 bits to make halves of.
#
# @grid 1 @local 1
# @fault illegal instruction
# @fault no floating point of this element width

    .text
    .globl  no_format
no_format:
    vsetvli zero, zero, e8
    vfwcvt.f.f.v v1, v3
    ret
