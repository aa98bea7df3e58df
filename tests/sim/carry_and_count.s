# SPDX-License-Identifier: Apache-2.0
# Carries are elements of 0 or 1 in v0, for every active lane; vcpop.m and
# vfirst.m count lanes, with LMUL 2 those of both registers; vzext.vf8 has a
# 64-bit result in a pair.
#
# @grid 64 @local 64
# @in a u64 [i * 0x9e3779b97f4a7c15 % 2**64 for i in range(64)]
# @in b u64 [2**64 - i * 0x1234567 for i in range(1, 65)]
# @out s u64 64
# @out d u64 64
# @out x u64 64
# @out n i32 64*6
# @def lane(i): return i % LANES
# @def sx(v): return (v % 256 ^ 128) - 128
# @expect s = [(p + q) % 2**64 for p, q in zip(a, b)]
# @expect d = [(p - q) % 2**64 for p, q in zip(a, b)]
# @expect x = [sx(p) % 2**64 for p in a]
# @expect n[:64] = [(LANES + 2) // 3] * 64
# @expect n[64:128] = [2 if LANES > 2 else -1] * 64
# @expect n[128:192] = [-1] * 64
# @expect n[192:256] = [LANES // 2 if lane(i) < LANES // 2 else -7 for i in range(64)]
# @expect n[256:320] = [2 * LANES - 3] * 64
# @expect n[320:] = [LANES + 1] * 64

    .include "kernel.inc"
.macro fetch64 lo, hi, k
    lw      t0, 4*(\k)(a0)
    vadd.vx v28, v25, t0
    vlw12.v \lo, 0(v28)
    vlw12.v \hi, 4(v28)
.endm
.macro put64 lo, hi, k
    lw      t0, 4*(\k)(a0)
    vadd.vx v28, v25, t0
    vsw12.v \lo, 0(v28)
    vsw12.v \hi, 4(v28)
.endm
begin carry_and_count, 5
    vsll.vi v25, v30, 3
    fetch64 v2, v3, 0
    fetch64 v4, v5, 1
    vmadc.vv v0, v2, v4
    vadd.vv v6, v2, v4
    vadc.vvm v7, v3, v5, v0
    put64   v6, v7, 2
    vmsbc.vv v0, v2, v4
    vsub.vv v6, v2, v4
    vsbc.vvm v7, v3, v5, v0
    put64   v6, v7, 3
    vsext.vf8 [v7:v6], [v3:v2]
    put64   v6, v7, 4
    # every third lane
    vid.v   v1
    li      t0, 3
    vremu.vx v2, v1, t0
    vmseq.vi v3, v2, 0
    vcpop.m a1, v3
    vmv.v.x v4, a1
    emit    v4, 0
    vmseq.vi v0, v2, 2
    vmv.v.i v3, 1
    vfirst.m a1, v3, v0.t
    vmv.v.x v4, a1
    emit    v4, 1
    vmv.v.i v3, 2               # bit 0 is what counts
    vfirst.m a1, v3
    vmv.v.x v4, a1
    emit    v4, 2
    # only the lower half of the lanes
    csrr    a2, numt
    srli    a2, a2, 1
    vmv.v.x v2, a2
    vmv.v.i v4, -7
    vmv.v.i v3, 1
    meet    1f
    vbge    v1, v2, 1f
    vcpop.m a1, v3
    vmv.v.x v4, a1
1:  join
    emit    v4, 3
    # LMUL 2: three elements less than all
    csrr    a2, numt
    slli    a3, a2, 1
    vsetvli zero, a3, e32, m2, ta, ma
    vid.v   v2
    addi    a3, a3, -3
    vmsltu.vx v4, v2, a3
    vcpop.m a4, v4
    addi    a3, a2, 1
    vmseq.vx v4, v2, a3
    vfirst.m a5, v4
    vsetvli zero, zero, e32, m1, ta, ma
    csrr    a3, numt
    vsetvli zero, a3, e32, m1, ta, ma
    vmv.v.x v4, a4
    emit    v4, 4
    vmv.v.x v4, a5
    emit    v4, 5
    ret
