# SPDX-License-Identifier: Apache-2.0
# Bases that are register pairs, of every kind of access: the same memory as
# by 32-bit bases, since the upper halves are 0 or carry to 0 again.
#
# @grid 64 @local 64 @private 64
# @in x u32 [i * 2654435761 % 2**32 for i in range(256)]
# @inout w u32 [i for i in range(64)]
# @out r u32 64*7
# @expect r[:64] = [x[i] for i in range(64)]
# @expect r[64:128] = [x[5]] * 64
# @expect r[128:192] = [x[i % LANES] for i in range(64)]
# @expect r[192:256] = [x[2 * (i % LANES)] for i in range(64)]
# @expect r[256:320] = [x[i] for i in range(64)]
# @expect r[320:384] = list(range(64))
# @expect r[384:] = [7 * i for i in range(64)]
# @expect w = [i + 3 for i in range(64)]

    .include "kernel.inc"
begin pair_address, 2
    lw      a2, 0(a0)
    li      a3, 0               # [a3:a2]: x
    vadd.vx v4, v29, a2
    vmv.v.i v5, 0               # [v5:v4]: x, a word a thread
    vlw12.v v3, 0([v5:v4])
    emit    v3, 0
    lw      a4, 20([a3:a2])
    vmv.v.x v3, a4
    emit    v3, 1
    vle32.v v3, ([a3:a2])
    emit    v3, 2
    li      a5, 8
    vlse32.v v3, ([a3:a2]), a5
    emit    v3, 3
    vluxei32.v v3, ([a3:a2]), v29
    emit    v3, 4
    lw      a4, 4(a0)
    li      a5, -1              # down by 2^32, and up again
    vmv.v.x v6, a4
    vmv.v.x v7, a5
    vmv.v.i v8, 1
    vmv.v.i v10, 0
    vmv.v.i v11, 1
    vadd.vv [v7:v6], [v7:v6], [v11:v10]
    vadd.vv v6, v6, v29
    vmv.v.i v9, 3
    amoadd.w v3, v9, ([v7:v6])
    emit    v3, 5
    vmv.v.i v12, 8
    vmv.v.i v13, 0
    li      a5, 7
    vmul.vx v3, v30, a5
    vsw.v   v3, 4([v13:v12])    # private
    vlw.v   v14, 12(v13)
    emit    v14, 6
    ret
