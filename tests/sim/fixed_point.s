# SPDX-License-Identifier: Apache-2.0
# Fixed point in elements of 8 bits: all rounding modes, saturation with its
# flag, which a lane that is off does not raise, and results zero-extended.
#
# @grid 64 @local 64
# @in a i32 [(-128, -1, 0, 1, 127, 100, -77)[i % 7] for i in range(64)]
# @in b i32 [(5, -128, 127, 3, 64, -1, 0, 99)[i % 8] for i in range(64)]
# @out r u32 64*11+6
# @def clip(v): return min(max(v, -128), 127) % 256
# @def uclip(v): return min(max(v, 0), 255)
# @def u(v): return v % 256
# @expect r[:64] = [clip(p + q) for p, q in zip(a, b)]
# @expect r[64:128] = [uclip(u(p) + u(q)) for p, q in zip(a, b)]
# @expect r[128:192] = [clip(p - q) for p, q in zip(a, b)]
# @expect r[192:256] = [uclip(u(p) - u(q)) for p, q in zip(a, b)]
# @expect r[256:320] = [u(p + q + 1 >> 1) for p, q in zip(a, b)]
# @expect r[320:384] = [u(round((p + q) / 2)) for p, q in zip(a, b)]
# @expect r[384:448] = [u(p + q >> 1) for p, q in zip(a, b)]
# @expect r[448:512] = [u((p + q >> 1) | (p + q) % 2) for p, q in zip(a, b)]
# @expect r[512:576] = [u(p - q >> 1) for p, q in zip(a, b)]
# @expect r[576:640] = [clip(p * q + 64 >> 7) for p, q in zip(a, b)]
# @expect r[640:704] = [clip(p * q + 4 >> 3) for p, q in zip(a, b)]
# @expect r[704:710] = [0, 1, 2, 6, 0, 1]

    .include "kernel.inc"
.macro bytes
    vsetvli zero, zero, e8
.endm
.macro words
    vsetvli zero, zero, e32
.endm
begin fixed_point, 2
    fetch   v1, 0
    fetch   v2, 1
    li      s2, 4*704           # behind the rows: scalars
    add     s2, s2, s1
    bytes
    vsadd.vv v3, v1, v2
    csrr    t2, vxsat
    vsaddu.vv v4, v1, v2
    vssub.vv v5, v1, v2
    vssubu.vv v6, v1, v2
    csrwi   vxrm, 0
    vaadd.vv v7, v1, v2
    csrwi   vxrm, 1
    vaadd.vv v8, v1, v2
    csrwi   vxrm, 2
    vaadd.vv v9, v1, v2
    csrwi   vxrm, 3
    vaadd.vv v10, v1, v2
    csrwi   vcsr, 4             # vxrm 2
    vasub.vv v11, v1, v2
    csrwi   vxrm, 0
    vsmul.vv v12, v1, v2
    words
    vmul.vv v13, v1, v2         # 16 bits
    bytes
    vnclip.wi v13, v13, 3
    words
    emit    v3, 0
    emit    v4, 1
    emit    v5, 2
    emit    v6, 3
    emit    v7, 4
    emit    v8, 5
    emit    v9, 6
    emit    v10, 7
    emit    v11, 8
    emit    v12, 9
    emit    v13, 10
    vmv.v.i v0, 0               # no lane is on
    csrwi   vxsat, 0
    bytes
    vsadd.vv v7, v1, v1, v0.t
    csrr    s3, vxsat
    li      t0, 120
    vmv.v.x v7, t0
    vsadd.vi v7, v7, 15
    csrr    s4, vxsat
    words
    sw      s3, 0(s2)
    sw      s4, 4(s2)
    csrwi   vcsr, 2
    csrr    t0, vcsr
    sw      t0, 8(s2)
    csrwi   vxrm, 3
    csrr    t0, vcsr
    sw      t0, 12(s2)
    csrwi   vxrm, 0
    csrr    t0, vcsr
    sw      t0, 16(s2)
    csrwi   vxsat, 1
    csrr    t0, vcsr
    sw      t0, 20(s2)
    ret
