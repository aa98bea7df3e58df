# SPDX-License-Identifier: Apache-2.0
# The CSRs of the launch cannot be written.
#
# @grid 1 @local 1
# @fault csrrw

    .text
    .globl  csr_write
csr_write:
    li      t0, 5
    csrrw   t1, tid, t0
    ret
