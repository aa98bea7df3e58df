# SPDX-License-Identifier: Apache-2.0
# Vector multiply, divide and multiply-add.
#
# @grid 64 @local 64
# @in a i32 [(-2147483648, -1, 7, -7, 2147483647, 0)[i % 6] for i in range(64)]
# @in b i32 [(-1, 0, 2, -2147483648, 3)[i % 5] for i in range(64)]
# @out r i32 64*15
# @def u(v): return v % 2**32
# @def quot(p, q): return -1 if q == 0 else abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1)
# @def rest(p, q): return p if q == 0 else p - q * quot(p, q)
# @expect r[:64] = [p * q for p, q in zip(a, b)]
# @expect r[64:128] = [p * q >> 32 for p, q in zip(a, b)]
# @expect r[128:192] = [u(p) * u(q) >> 32 for p, q in zip(a, b)]
# @expect r[192:256] = [p * u(q) >> 32 for p, q in zip(a, b)]
# @expect r[256:320] = [quot(p, q) for p, q in zip(a, b)]
# @expect r[320:384] = [u(p) // u(q) if q else -1 for p, q in zip(a, b)]
# @expect r[384:448] = [rest(p, q) for p, q in zip(a, b)]
# @expect r[448:512] = [u(p) % u(q) if q else p for p, q in zip(a, b)]
# @expect r[512:576] = [p * i + q for i, (p, q) in enumerate(zip(a, b))]
# @expect r[576:640] = [-(p * i) + q for i, (p, q) in enumerate(zip(a, b))]
# @expect r[640:704] = [p * q + i for i, (p, q) in enumerate(zip(a, b))]
# @expect r[704:768] = [-(p * q) + i for i, (p, q) in enumerate(zip(a, b))]
# @expect r[768:832] = [-5 * i + q for i, q in enumerate(b)]
# @expect r[832:896] = [5 * q + i for i, q in enumerate(b)]
# @expect r[896:] = [quot(p, -5) for p in a]

    .include "kernel.inc"
begin vector_muldiv, 2
    fetch   v1, 0
    fetch   v2, 1
    li      a1, -5
    vmul.vv v3, v1, v2
    emit    v3, 0
    vmulh.vv v3, v1, v2
    emit    v3, 1
    vmulhu.vv v3, v1, v2
    emit    v3, 2
    vmulhsu.vv v3, v1, v2       # vs2 signed, vs1 unsigned
    emit    v3, 3
    vdiv.vv v3, v1, v2
    emit    v3, 4
    vdivu.vv v3, v1, v2
    emit    v3, 5
    vrem.vv v3, v1, v2
    emit    v3, 6
    vremu.vv v3, v1, v2
    emit    v3, 7
    vmv.v.v v3, v30
    vmadd.vv v3, v1, v2
    emit    v3, 8
    vmv.v.v v3, v30
    vnmsub.vv v3, v1, v2
    emit    v3, 9
    vmv.v.v v3, v30
    vmacc.vv v3, v1, v2
    emit    v3, 10
    vmv.v.v v3, v30
    vnmsac.vv v3, v1, v2
    emit    v3, 11
    vmv.v.v v3, v30
    vmadd.vx v3, a1, v2
    emit    v3, 12
    vmv.v.v v3, v30
    vnmsac.vx v3, a1, v2
    emit    v3, 13
    vdiv.vx v3, v1, a1
    emit    v3, 14
    ret
