# SPDX-License-Identifier: Apache-2.0
# Vector shifts take the amount mod 32; minima and maxima by sign and without.
#
# @grid 64 @local 64
# @in a i32 [(-2147483648, -1, 0, 1, 2147483647, 123456789, -77)[i % 7] for i in range(64)]
# @in b i32 [(5, -6, 37, 31, 64, -1, 0, 99)[i % 8] for i in range(64)]
# @out r i32 64*13
# @def u(v): return v % 2**32
# @expect r[:64] = [p << q % 32 for p, q in zip(a, b)]
# @expect r[64:128] = [u(p) >> q % 32 for p, q in zip(a, b)]
# @expect r[128:192] = [p >> q % 32 for p, q in zip(a, b)]
# @expect r[192:256] = [p << 31 for p in a]
# @expect r[256:320] = [u(p) >> 31 for p in a]
# @expect r[320:384] = [p >> 31 for p in a]
# @expect r[384:448] = [p << 1 for p in a]
# @expect r[448:512] = [u(p) >> 1 for p in a]
# @expect r[512:576] = [p >> 1 for p in a]
# @expect r[576:640] = [min(p, q) for p, q in zip(a, b)]
# @expect r[640:704] = [max(p, q) for p, q in zip(a, b)]
# @expect r[704:768] = [min(u(p), 2**32 - 2) for p in a]
# @expect r[768:] = [max(u(p), u(q)) for p, q in zip(a, b)]

    .include "kernel.inc"
begin vector_shift, 2
    fetch   v1, 0
    fetch   v2, 1
    li      a1, 33
    li      a2, -2
    vsll.vv v3, v1, v2
    emit    v3, 0
    vsrl.vv v3, v1, v2
    emit    v3, 1
    vsra.vv v3, v1, v2
    emit    v3, 2
    vsll.vi v3, v1, 31
    emit    v3, 3
    vsrl.vi v3, v1, 31
    emit    v3, 4
    vsra.vi v3, v1, 31
    emit    v3, 5
    vsll.vx v3, v1, a1
    emit    v3, 6
    vsrl.vx v3, v1, a1
    emit    v3, 7
    vsra.vx v3, v1, a1
    emit    v3, 8
    vmin.vv v3, v1, v2
    emit    v3, 9
    vmax.vv v3, v1, v2
    emit    v3, 10
    vminu.vx v3, v1, a2
    emit    v3, 11
    vmaxu.vv v3, v1, v2
    emit    v3, 12
    ret
