# SPDX-License-Identifier: Apache-2.0
# Conversions in the five rounding modes; out of range they saturate, NaN
# becomes the largest integer; rtz forms do not look at frm.
#
# @grid 64 @local 64
# @in x f32 [(2.5, -2.5, 3.5, 0.5, -0.5, 1e10, -1e10, math.nan)[i % 8] for i in range(64)]
# @out r i32 64*9
# @def top(): return [2147483647, -2147483648, 2147483647]
# @expect r[:64] = ([2, -2, 4, 0, 0] + top()) * 8
# @expect r[64:128] = ([2, -2, 3, 0, 0] + top()) * 8
# @expect r[128:192] = ([2, -3, 3, 0, -1] + top()) * 8
# @expect r[192:256] = ([3, -2, 4, 1, 0] + top()) * 8
# @expect r[256:320] = ([3, -3, 4, 1, -1] + top()) * 8
# @expect r[320:384] = [2, 0, 3, 0, 0, 2**32 - 1, 0, 2**32 - 1] * 8
# @expect r[384:448] = [3, 0, 4, 1, 0, 2**32 - 1, 0, 2**32 - 1] * 8
# @expect r[448:512] = [0x4b800000] * 64
# @expect r[512:] = [0x4b800001] * 64

    .include "kernel.inc"
begin float_convert, 1
    fetch   v1, 0
    .irp    mode, 0, 1, 2, 3, 4         # rne rtz rdn rup rmm
    csrw    frm, \mode
    vfcvt.x.f.v v3, v1
    emit    v3, \mode
    .endr
    vfcvt.rtz.xu.f.v v3, v1
    emit    v3, 5
    vfcvt.xu.f.v v3, v1
    emit    v3, 6
    li      a1, 0x1000001       # 2^24 + 1, a tie
    vmv.v.x v2, a1
    csrw    frm, 0
    vfcvt.f.x.v v3, v2
    emit    v3, 7
    csrw    frm, 3
    vfcvt.f.xu.v v3, v2
    emit    v3, 8
    csrw    frm, 0
    ret
