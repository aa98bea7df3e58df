# SPDX-License-Identifier: Apache-2.0
# A store to the arguments, which a kernel may only read.
#
# @grid 8 @local 8
# @out x u32 4
# @fault kernel 'readonly': access without permission to 0x9000
# @fault (vsw12.v v1, 0(v0)), workgroup 0 (0,0,0), warp 0, lane 0; readonly+0x4 (
# @fault fault_readonly.s:14), work-item (0,0,0)

    .text
    .globl  readonly
readonly:
    vmv.v.x v0, a0
    vsw12.v v1, 0(v0)
    ret
