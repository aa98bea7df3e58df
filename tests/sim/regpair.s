# SPDX-License-Identifier: Apache-2.0
# Under regpair even registers are pairs, odd ones stay words: 64-bit
# arithmetic, shifts, compares and binary64.
#
# @grid 64 @local 64
# @in a u64 [(0, 2**63, 2**64 - 1, 0x123456789abcdef0)[i % 4] ^ i for i in range(64)]
# @in b u64 [(2**32, 1, 2**63 + 5)[i % 3] for i in range(64)]
# @in f f64 [1 / (i + 1) for i in range(64)]
# @out r u64 64*7
# @def W(): return 2**64
# @expect r[:64] = [(p - q) % W() for p, q in zip(a, b)]
# @expect r[64:128] = [p * q % W() for p, q in zip(a, b)]
# @expect r[128:192] = [p << 40 for p in a]
# @expect r[192:256] = [p >> 33 for p in a]
# @expect r[256:320] = [p < q for p, q in zip(a, b)]
# @expect r[320:384] = [struct.unpack('<Q', struct.pack('<d', v + v))[0] for v in f]
# @expect r[384:] = [i + 2**32 * (i + 5) for i in range(64)]

    .include "kernel.inc"
.macro fetch64 vd, odd, k
    lw      t0, 4*(\k)(a0)
    vadd.vx v27, v25, t0
    vlw12.v \vd, 0(v27)
    vlw12.v \odd, 4(v27)
.endm
.macro emit64 vs, odd, n
    li      t0, 512*(\n)
    add     t0, t0, s1
    vadd.vx v27, v25, t0
    vsw12.v \vs, 0(v27)
    vsw12.v \odd, 4(v27)
.endm
begin regpair, 3
    vsll.vi v25, v30, 3
    fetch64 v4, v5, 0
    fetch64 v6, v7, 1
    vsub.vv [v9:v8], [v5:v4], [v7:v6]
    emit64  v8, v9, 0
    vmul.vv [v9:v8], [v5:v4], [v7:v6]
    emit64  v8, v9, 1
    li      a2, 40
    li      a3, 0
    vsll.vx [v9:v8], [v5:v4], [a3:a2]
    emit64  v8, v9, 2
    vsrl.vi [v9:v8], [v5:v4], 33
    emit64  v8, v9, 3
    vmv.v.i v9, 0
    vmsltu.vv v11, [v5:v4], [v7:v6]
    vmv.v.v v8, v11
    emit64  v8, v9, 4
    fetch64 v4, v5, 2
    vfadd.vv [v9:v8], [v5:v4], [v5:v4]
    emit64  v8, v9, 5
    vmv.v.v v8, v30
    vadd.vi v9, v30, 5
    emit64  v8, v9, 6
    ret
