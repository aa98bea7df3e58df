# SPDX-License-Identifier: Apache-2.0
# Private memory is interleaved: word a of thread t lies at
# pds + (a & ~3) * threads of the workgroup + 4 t.  What vsw.v, vsh.v and
# vsb.v wrote is read back by plain loads from there, and the other way round.
#
# @grid 64 @local 64 @private 64
# @out r u32 64*7
# @expect r[:64] = [i + 1000 for i in range(64)]
# @expect r[64:128] = [0x00ab0000 + i * 256 + 0xcd for i in range(64)]
# @expect r[128:192] = [0xffffffab] * 64
# @expect r[192:256] = [0xab] * 64
# @expect r[256:320] = [(0xff80 + i) % 2**16 + 0xffff0000 * (i < 128) for i in range(64)]
# @expect r[320:384] = [0xff80 + i for i in range(64)]
# @expect r[384:] = [0xabcd + i for i in range(64)]

    .include "kernel.inc"
begin private_words, 0
    csrr    a1, pds
    csrr    a2, numw
    csrr    a3, numt
    mul     a2, a2, a3          # threads of the workgroup
    slli    a3, a2, 3           # byte 8 of each thread
    add     a3, a3, a1
    vadd.vx v10, v29, a3        # where word 8 lies
    slli    a3, a2, 2
    add     a3, a3, a1
    vadd.vx v11, v29, a3        # where word 4 lies
    vmv.v.i v1, 0
    li      a4, 1000
    vadd.vx v2, v30, a4
    vsw.v   v2, 8(v1)
    vlw12.v v3, 0(v10)
    emit    v3, 0
    vmv.v.i v4, 0
    vsw12.v v4, 0(v11)
    li      a4, 0xab
    vmv.v.x v4, a4
    vsb.v   v4, 6(v1)
    li      a4, 0xcd
    vmv.v.x v5, a4
    vsb.v   v5, 4(v1)
    vsb.v   v30, 5(v1)
    vlw12.v v3, 0(v11)
    emit    v3, 1
    vlb.v   v3, 6(v1)
    emit    v3, 2
    vlbu.v  v3, 6(v1)
    emit    v3, 3
    li      a4, 0xff80
    vadd.vx v6, v30, a4
    vsh.v   v6, 6(v1)
    vadd12.vi v7, v1, 1000      # an offset below the address
    vlh.v   v3, 6-1000(v7)
    emit    v3, 4
    vlhu.v  v3, 6(v1)
    emit    v3, 5
    li      a4, 0xabcd
    vadd.vx v6, v30, a4
    vsw12.v v6, 0(v10)
    vlw.v   v3, 8(v1)
    emit    v3, 6
    ret
