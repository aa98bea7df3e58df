# SPDX-License-Identifier: Apache-2.0
# Vector integer arithmetic, in all forms of operands.
#
# @grid 64 @local 64
# @in a u32 [i * 0x9e3779b1 % 2**32 for i in range(64)]
# @in b u32 [(0xffffffff, 0, 1, 0x80000000)[i % 4] ^ i for i in range(64)]
# @out r u32 64*17
# @expect r[:64] = [p + q for p, q in zip(a, b)]
# @expect r[64:128] = [p - q for p, q in zip(a, b)]
# @expect r[128:192] = [p & q for p, q in zip(a, b)]
# @expect r[192:256] = [p | q for p, q in zip(a, b)]
# @expect r[256:320] = [p ^ q for p, q in zip(a, b)]
# @expect r[320:384] = [p + 0x80000001 for p in a]
# @expect r[384:448] = [p - 0x80000001 for p in a]
# @expect r[448:512] = [0x80000001 - p for p in a]
# @expect r[512:576] = [p - 16 for p in a]
# @expect r[576:640] = [15 - p for p in a]
# @expect r[640:704] = [p & -13 for p in a]
# @expect r[704:768] = [p | -16 for p in a]
# @expect r[768:832] = [~p for p in a]
# @expect r[832:896] = [p + 4095 for p in a]
# @expect r[896:960] = [p - 4095 for p in a]
# @expect r[960:1024] = [p ^ 0x80000001 for p in a]
# @expect r[1024:] = [-p for p in a]

    .include "kernel.inc"
begin vector_alu, 2
    fetch   v1, 0
    fetch   v2, 1
    li      a1, 0x80000001
    vadd.vv v3, v1, v2
    emit    v3, 0
    vsub.vv v3, v1, v2
    emit    v3, 1
    vand.vv v3, v1, v2
    emit    v3, 2
    vor.vv  v3, v1, v2
    emit    v3, 3
    vxor.vv v3, v1, v2
    emit    v3, 4
    vadd.vx v3, v1, a1
    emit    v3, 5
    vsub.vx v3, v1, a1
    emit    v3, 6
    vrsub.vx v3, v1, a1
    emit    v3, 7
    vadd.vi v3, v1, -16
    emit    v3, 8
    vrsub.vi v3, v1, 15
    emit    v3, 9
    vand.vi v3, v1, -13
    emit    v3, 10
    vor.vi  v3, v1, -16
    emit    v3, 11
    vnot.v  v3, v1
    emit    v3, 12
    vadd12.vi v3, v1, 4095      # these immediates have no sign
    emit    v3, 13
    vsub12.vi v3, v1, 4095
    emit    v3, 14
    vxor.vx v3, v1, a1
    emit    v3, 15
    vneg.v  v3, v1
    emit    v3, 16
    ret
