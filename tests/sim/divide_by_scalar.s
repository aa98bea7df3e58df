# SPDX-License-Identifier: Apache-2.0
# Quotients and remainders by each of some numbers that all threads share, in a register
# and in a vector; the results are added up with weights.
#
# @grid 64 @local 64
# @in x u32 [(0, 1, 2, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 2, 2**32 - 1)[i % 8] if i < 16 else i * 2654435761 % 2**32 for i in range(64)]
# @in y u32 [0, 1, 2, 3, 7, 10, 641, 65535, 65536, 65537, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 7, 2**32 - 2, 2**32 - 1]
# @out r u32 128
# @def signed(a): return a - 2**32 * (a >> 31)
# @def quotient(a, b): return 2**32 - 1 if b == 0 else a // b
# @def toward_zero(a, b): return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
# @def four(a, b): return [quotient(a, b), a - b * quotient(a, b) if b else a, toward_zero(signed(a), signed(b)), signed(a) - signed(b) * toward_zero(signed(a), signed(b))]
# @def total(h, values): return total((h * 31 + values[0]) % 2**32, values[1:]) if values else h
# @expect r[:64] = [total(0, sum([four(a, b) for b in y], [])) for a in x]
# @expect r[64:] = [total(0, sum([four(a, b) for b in y], [])) for a in x]

    .include "kernel.inc"
.macro total sum, value
    vmul.vx \sum, \sum, a4
    vadd.vv \sum, \sum, \value
.endm
begin divide_by_scalar, 2
    fetch   v1, 0
    lw      a1, 4(a0)
    addi    a2, a1, 64          # the end of y
    li      a4, 31
    vmv.v.i v2, 0
    vmv.v.i v3, 0
loop:
    lw      a3, 0(a1)
    vdivu.vx v4, v1, a3
    total   v2, v4
    vremu.vx v4, v1, a3
    total   v2, v4
    vdiv.vx v4, v1, a3
    total   v2, v4
    vrem.vx v4, v1, a3
    total   v2, v4
    vmv.v.x v5, a3
    vdivu.vv v4, v1, v5
    total   v3, v4
    vremu.vv v4, v1, v5
    total   v3, v4
    vdiv.vv v4, v1, v5
    total   v3, v4
    vrem.vv v4, v1, v5
    total   v3, v4
    addi    a1, a1, 4
    bltu    a1, a2, loop
    emit    v2, 0
    emit    v3, 1
    ret
