# SPDX-License-Identifier: Apache-2.0
# Version 2: addresses that are pairs of registers, and atomics on them, whose
# data are 32 bits.
#
# @grid 64 @local 64 @isa 2
# @in x u8 [(i * 91 + 7) % 256 for i in range(256)]
# @inout w u32 [i for i in range(128)]
# @out r i32 64*9
# @def s8(v): return (v ^ 128) - 128
# @def s16(v): return (v ^ 32768) - 32768
# @def at(x, i, n): return sum(v << 8 * k for k, v in enumerate(x[i:i + n]))
# @expect r[:64] = [at(x, 4 * i, 4) for i in range(64)]
# @expect r[64:128] = [s8(x[4 * i + 3]) for i in range(64)]
# @expect r[128:192] = [x[4 * i + 3] for i in range(64)]
# @expect r[192:256] = [s16(at(x, 4 * i + 2, 2)) for i in range(64)]
# @expect r[256:320] = [at(x, 4 * i + 2, 2) for i in range(64)]
# @expect r[320:384] = list(range(64))
# @expect r[384:448] = [2 * i for i in range(64)]
# @expect r[448:512] = [22] * 64
# @expect r[512:] = [0] * 64
# @expect w[:64] = [i | 64 for i in range(64)]
# @expect w[64:] = [(0xab00 + i) * 65536 + 0x700 + i + 64 for i in range(64)]

    .include "kernel.inc"
begin v2_address64, 2, 8
    lw      a1, 0(a0)
    vadd.vx v4, v29, a1         # [v5:v4]
    vmv.v.i v5, 0
    vlw12d.v v3, 0([v5:v4])
    emit    v3, 0
    vlb12d.v v3, 3([v5:v4])
    emit    v3, 1
    vlbu12d.v v3, 3([v5:v4])
    emit    v3, 2
    vlh12d.v v3, 2([v5:v4])
    emit    v3, 3
    vlhu12d.v v3, 2([v5:v4])
    emit    v3, 4
    lw      a2, 8(a0)
    vadd.vx v6, v29, a2
    vmv.v.i v7, 0
    amoadd.d v3, v30, ([v7:v6])
    emit    v3, 5
    li      a3, 64
    vmv.v.x v8, a3
    vor.vv  v8, v8, v30
    amoswap.d v3, v8, ([v7:v6])
    emit    v3, 6
    vadd12.vi v6, v6, 256       # the second half of w: 64 + thread
    li      a3, 0xab00
    vadd.vx v8, v30, a3
    vsh12d.v v8, 2([v7:v6])
    li      a3, 7
    vmv.v.x v8, a3
    vsb12d.v v8, 1([v7:v6])
    mv      a4, a2              # [a5:a4]
    li      a5, 0
    li      a3, 22
    addi    s2, s1, 4*448
    mv      a4, s2
    sd      a3, 0([a5:a4])
    ld      a6, 0([a5:a4])
    vmv.v.x v3, a6
    emit    v3, 7
    vadd.vx v6, v29, s1
    li      a3, 2048            # row 8 of r
    vadd.vx v6, v6, a3
    lr.d    v3, ([v7:v6])
    sc.d    v3, v3, ([v7:v6])
    emit    v3, 8
    ret
