# SPDX-License-Identifier: Apache-2.0
# A scalar load far from any buffer: no lane, no work-item.
#
# @grid 64 @local 64 @lanes 32
# @fault kernel 'scalar': access to unmapped memory to 0x00000010 at pc 0x
# @fault (lw x5, 16(x0)), workgroup 0 (0,0,0), warp 0; scalar (
# @fault fault_scalar.s:12)

    .text
    .globl  scalar
scalar:
    lw      t0, 16(zero)
    ret
