# SPDX-License-Identifier: Apache-2.0
# RVV unit-stride, strided and indexed accesses: base and stride are scalars,
# lane i takes base + i * stride or base + v[i].
#
# @grid 64 @local 64
# @in x u32 [i * 0x01010183 for i in range(256)]
# @inout w u32 [7] * 256
# @out r u32 64*7
# @def word(x, i): return (x[i // 4] >> i % 4 * 8) & 0xff
# @expect r[:64] = [x[i] for i in range(64)]
# @expect r[64:128] = [x[3 * (i % LANES)] for i in range(64)]
# @expect r[128:192] = [x[255 - i % LANES] for i in range(64)]
# @expect r[192:256] = [x[9]] * 64
# @expect r[256:320] = [x[i * 5 % 64] for i in range(64)]
# @expect r[320:384] = [word(x, i % LANES) for i in range(64)]
# @expect r[384:] = [x[i % LANES // 2] >> 16 * (i % 2) & 0xffff for i in range(64)]
# @expect w = [i // 2 if i % 2 == 0 and i < 128 else i - 128 if 128 <= i < 192 else 63 - (i - 192) if i >= 192 else 7 for i in range(256)]

    .include "kernel.inc"
begin strided, 2
    lw      a1, 0(a0)
    lw      a2, 4(a0)
    csrr    a3, tid
    slli    a4, a3, 2
    add     a5, a1, a4
    vle32.v v3, (a5)
    emit    v3, 0
    li      a6, 12
    vlse32.v v3, (a1), a6
    emit    v3, 1
    addi    a5, a1, 1020
    li      a6, -4
    vlse32.v v3, (a5), a6
    emit    v3, 2
    addi    a5, a1, 36
    vlse32.v v3, (a5), zero
    emit    v3, 3
    li      a6, 20
    vmul.vx v2, v30, a6
    li      a6, 255
    vand.vx v2, v2, a6
    vluxei32.v v3, (a1), v2
    emit    v3, 4
    vle8.v  v3, (a1)
    emit    v3, 5
    vle16.v v3, (a1)
    emit    v3, 6
    slli    a5, a3, 3           # every second word
    add     a5, a5, a2
    li      a6, 8
    vsse32.v v30, (a5), a6
    addi    a5, a2, 512
    add     a5, a5, a4
    vse32.v v30, (a5)
    addi    a5, a2, 768
    li      a6, 252
    vrsub.vx v2, v29, a6
    vsoxei32.v v30, (a5), v2
    ret
