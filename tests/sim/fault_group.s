# SPDX-License-Identifier: Apache-2.0
# A group of two registers that starts at an odd one.
#
# @grid 1 @local 1
# @fault kernel 'group': illegal instruction: a group of two registers starts at an even one
# @fault (vadd.vi v3, v2, 1), workgroup 0 (0,0,0), warp 0; group+0x4 (
# @fault fault_group.s:13)

    .text
    .globl  group
group:
    vsetvli t0, zero, e32, m2, ta, ma
    vadd.vi v3, v2, 1
    ret
