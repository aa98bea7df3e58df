# SPDX-License-Identifier: Apache-2.0
    .text
    .globl endless
endless:
    addi    t3, t3, 1
    j       endless
