# SPDX-License-Identifier: Apache-2.0
# Start code of the C examples: main, then exit with what it returns.
.globl _start
_start:
    call    main
    li      a7, 93
    ecall
