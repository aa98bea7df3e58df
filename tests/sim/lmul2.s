# SPDX-License-Identifier: Apache-2.0
# LMUL 2: an instruction of RVV acts on registers r and r + 1, elements from
# num_thread on in the second; vl counts both; a thread that is off keeps both.
#
# @grid 64 @local 64
# @in  x u32 [i * 2654435761 % 1000 for i in range(256)]
# @out r u32 64*15
# @def lane(i): return i % LANES
# @def third(e): return e * 7 if e % 3 else 1
# @expect r[:64] = [2 * LANES] * 64
# @expect r[64:128] = [lane(i) + 5 for i in range(64)]
# @expect r[128:192] = [lane(i) + LANES + 5 for i in range(64)]
# @expect r[192:256] = [3 for i in range(64)]
# @expect r[256:320] = [3 if lane(i) < 1 else 9 for i in range(64)]
# @expect r[320:384] = [x[lane(i)] for i in range(64)]
# @expect r[384:448] = [x[lane(i) + LANES] for i in range(64)]
# @expect r[448:512] = [third(lane(i)) for i in range(64)]
# @expect r[512:576] = [third(lane(i) + LANES) for i in range(64)]
# @expect r[576:704] = [third(i % (2 * LANES)) for i in range(128)]
# @expect r[704:768] = [x[2 * lane(i)] for i in range(64)]
# @expect r[768:832] = [x[2 * (lane(i) + LANES)] for i in range(64)]
# @expect r[832:896] = [1 if lane(i) < LANES // 2 else 9 for i in range(64)]
# @expect r[896:] = [1 if lane(i) < LANES // 2 else 9 for i in range(64)]

    .include "kernel.inc"

.macro all lmul
    vsetvli a2, zero, e32, \lmul, ta, ma
.endm

begin lmul2, 1
    lw      s3, 0(a0)           # x
    all     m2
    mv      s4, a2              # 2 num_thread
    vid.v   v2
    vadd.vi v2, v2, 5
    vmv.v.i v4, 9
    srli    s5, s4, 1
    addi    a3, s5, 1
    vsetvli zero, a3, e32, m2, ta, ma
    vmv.v.i v4, 3               # all of v4, lane 0 of v5
    all     m2
    vle32.v v6, (s3)
    vid.v   v8
    li      a4, 3
    vremu.vx v10, v8, a4
    vmsne.vi v0, v10, 0         # masks of the halves: v0, v1
    vmv.v.i v12, 1
    li      a4, 7
    vmul.vx v12, v8, a4, v0.t
    slli    a3, s4, 2           # stored by each warp behind the other
    csrr    a4, wid
    mul     a3, a3, a4
    add     a3, a3, s1
    li      a4, 4*576
    add     a3, a3, a4
    vse32.v v12, (a3)
    li      a4, 8
    vlse32.v v14, (s3), a4
    vmv.v.i v16, 9
    srli    a4, s5, 1
    vmv.v.x v20, a4
    vid.v   v22
    meet    1f
    vbge    v22, v20, 1f        # instructions of Ventus: one register
    vmv.v.i v16, 1
1:  join
    all     m1
    vmv.v.x v18, s4
    emit    v18, 0
    emit    v2, 1
    emit    v3, 2
    emit    v4, 3
    emit    v5, 4
    emit    v6, 5
    emit    v7, 6
    emit    v12, 7
    emit    v13, 8
    emit    v14, 11
    emit    v15, 12
    emit    v16, 13
    emit    v17, 14
    ret
