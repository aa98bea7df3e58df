# SPDX-License-Identifier: Apache-2.0
#
# Start code: every warp begins here (manual 2.3).  The kernel is a function
# whose address and arguments the driver put into the metadata:
#
#     sp  stack of this warp's scalar spills, 1 KiB in local memory, grows up
#     tp  offset of the per-thread stack in private memory, grows up
#     a0  argument buffer
#
# .bss is zero already: the driver clears it once, not every warp again.

    .section .text.start, "ax", @progbits
    .globl _start
_start:
    csrr    sp, lds
    csrr    t0, wid
    slli    t0, t0, 10
    add     sp, sp, t0
    li      tp, 0
    csrr    t0, knl
    lw      t1, 0(t0)           # KNL_ENTRY
    lw      a0, 4(t0)           # KNL_ARG_BASE
    jalr    t1
    endprg
