# SPDX-License-Identifier: Apache-2.0
# A workgroup that needs more registers than an SM has.
#
# @grid 64 @local 64 @lanes 8 @set num_vgpr=1024
# @fault kernel 'nofit': workgroup does not fit on an SM: it needs 2048 vGPRs, an SM has 1024

    .text
    .globl  nofit
nofit:
    ret
