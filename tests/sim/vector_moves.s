# SPDX-License-Identifier: Apache-2.0
# Between lanes and scalars (semantics.md, Between lanes and scalars): vmv.x.s
# takes the last active lane, vfmv.f.s lane 0; vmv.s.x and vfmv.s.f write all
# active lanes; vid.v is the lane, not the thread.
#
# @grid 64 @local 64
# @out r u32 64*7
# @expect r[:64] = [i % LANES for i in range(64)]
# @expect r[64:128] = [i // LANES * LANES + LANES - 1 for i in range(64)]
# @expect r[128:192] = [i // LANES * LANES for i in range(64)]
# @expect r[192:256] = [12345] * 64
# @expect r[256:320] = [0x3f800000] * 64
# @expect r[320:384] = [i // LANES * LANES + 2 if i % LANES < 3 else 9 for i in range(64)]
# @expect r[384:] = [4 if i % LANES < 3 else 9 for i in range(64)]

    .include "kernel.inc"
begin vector_moves, 0
    vid.v   v1
    emit    v1, 0
    vmv.x.s a1, v30
    vmv.v.x v3, a1
    emit    v3, 1
    vfmv.f.s a1, v30
    vmv.v.x v3, a1
    emit    v3, 2
    li      a1, 12345
    vmv.s.x v3, a1
    emit    v3, 3
    li      a1, 0x3f800000
    vfmv.s.f v3, a1
    emit    v3, 4
    vmv.v.i v3, 9
    vmv.v.i v4, 9
    vmv.v.i v5, 3
    meet    2f
    vbge    v1, v5, 2f          # lanes 0 to 2 stay
    vmv.x.s a1, v30
    vmv.v.x v3, a1
    li      a1, 4
    vmv.s.x v4, a1
2:  join
    emit    v3, 5
    emit    v4, 6
    ret
