# SPDX-License-Identifier: Apache-2.0
# Atomics act once per lane, in ascending lane order (semantics.md, Atomics).
# The lanes of each warp share one word, of row k of w: vd is what the lanes
# below left.
#
# @grid 64 @local 64
# @inout w i32 [50] * 16 + [-1] * 16 + [0] * 16 + [0x55] * 16 + [5] * 16 + [-2] * 16 + [-2] * 16 + [6] * 16 + [-1] * 16
# @out r i32 64*9
# @def low(i): return range(i // LANES * LANES, i)
# @def xor(v, s): return v if not s else xor(v ^ s[0], s[1:])
# @def bits(i): return [1 << k % 31 for k in low(i)]
# @def either(s): return 0 if not s else s[0] | either(s[1:])
# @expect r[:64] = [50 + sum(low(i)) for i in range(64)]
# @expect r[64:128] = [i - 1 if low(i) else -1 for i in range(64)]
# @expect r[128:192] = [either(bits(i)) for i in range(64)]
# @expect r[192:256] = [xor(0x55, list(low(i))) for i in range(64)]
# @expect r[256:320] = [min(5, *low(i)) if low(i) else 5 for i in range(64)]
# @expect r[320:384] = [max(-2, *low(i)) if low(i) else -2 for i in range(64)]
# @expect r[384:448] = [min(low(i), default=-2) for i in range(64)]
# @expect r[448:512] = [max(6, *low(i)) if low(i) else 6 for i in range(64)]
# @expect r[512:] = [~either(bits(i)) for i in range(64)]
# @def left(f, v): return [f(k * LANES, LANES) for k in range(64 // LANES)] + [v] * (16 - 64 // LANES)
# @expect w[:16] = left(lambda k, n: 50 + sum(range(k, k + n)), 50)
# @expect w[16:32] = left(lambda k, n: k + n - 1, -1)

    .include "kernel.inc"
begin atomics, 1
    lw      a1, 0(a0)
    csrr    a2, wid
    slli    a2, a2, 2
    add     a1, a1, a2
    vmv.v.x v1, a1
    amoadd.w v3, v30, (v1)
    emit    v3, 0
    vadd12.vi v1, v1, 64
    amoswap.w v3, v30, (v1)
    emit    v3, 1
    vadd12.vi v1, v1, 64
    vmv.v.i v5, 1
    li      a3, 31
    vremu.vx v4, v30, a3
    vsll.vv v5, v5, v4          # 1 << thread % 31
    amoor.w v3, v5, (v1)
    emit    v3, 2
    vadd12.vi v1, v1, 64
    amoxor.w v3, v30, (v1)
    emit    v3, 3
    vadd12.vi v1, v1, 64
    amomin.w v3, v30, (v1)
    emit    v3, 4
    vadd12.vi v1, v1, 64
    amomax.w v3, v30, (v1)
    emit    v3, 5
    vadd12.vi v1, v1, 64
    amominu.w v3, v30, (v1)
    emit    v3, 6
    vadd12.vi v1, v1, 64
    amomaxu.w v3, v30, (v1)
    emit    v3, 7
    vadd12.vi v1, v1, 64
    vnot.v  v5, v5
    amoand.w v3, v5, (v1)
    emit    v3, 8
    ret
