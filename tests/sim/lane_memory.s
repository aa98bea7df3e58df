# SPDX-License-Identifier: Apache-2.0
# vl?12.v and vs?12.v: an address for each lane plus a signed offset; loads
# extend, stores change their bytes only; of lanes with one address the
# highest stores last.
#
# @grid 64 @local 64
# @in x u8 [(i * 37 + 120) % 256 for i in range(256)]
# @out w u32 64
# @out r i32 64*6
# @def s8(v): return (v ^ 128) - 128
# @def at(x, i, n): return sum(v << 8 * k for k, v in enumerate(x[i:i + n]))
# @def s16(v): return (v ^ 32768) - 32768
# @expect r[:64] = [s8(x[255 - i]) for i in range(64)]
# @expect r[64:128] = [x[i + 3] for i in range(64)]
# @expect r[128:192] = [s16(at(x, 2 * i, 2)) for i in range(64)]
# @expect r[192:256] = [at(x, 254 - 2 * i, 2) for i in range(64)]
# @expect r[256:320] = [at(x, 252 - 4 * i, 4) for i in range(64)]
# @expect r[320:] = [i // LANES * LANES + LANES - 1 for i in range(64)]
# @expect w = [(0xee00 + i << 16) + 0x7700 for i in range(64)]

    .include "kernel.inc"
begin lane_memory, 2
    lw      a1, 0(a0)
    addi    a2, a1, 255
    vrsub.vx v1, v30, a2
    vlb12.v v3, 0(v1)
    emit    v3, 0
    addi    a2, a1, 2047
    vadd.vx v1, v30, a2
    vlbu12.v v3, 3-2047(v1)
    emit    v3, 1
    vadd.vv v2, v30, v30
    vadd.vx v1, v2, a1
    vlh12.v v3, 0(v1)
    emit    v3, 2
    vrsub.vx v1, v2, a1
    vlhu12.v v3, 254(v1)
    emit    v3, 3
    vrsub.vx v1, v29, a1
    vlw12.v v3, 252(v1)
    emit    v3, 4
    lw      a2, 4(a0)           # w
    vadd.vx v1, v29, a2
    li      a3, 0xee00
    vadd.vx v3, v30, a3
    vsh12.v v3, 2(v1)
    li      a3, 0xffff77        # only its low byte is stored
    vmv.v.x v3, a3
    vsb12.v v3, 1(v1)
    csrr    a3, tid             # a word of each warp
    slli    a3, a3, 2
    add     a3, a3, s1
    li      a4, 256*5
    add     a3, a3, a4
    vmv.v.x v1, a3
    vsw12.v v30, 0(v1)
    vlw12.v v3, 0(v1)
    emit    v3, 5
    ret
