# SPDX-License-Identifier: Apache-2.0
# Version 2: pre_m makes an access of 64 to 128 bits out of one of 32, words
# in a row into registers in a row, and names the space: + csr_gds, local
# memory + csr_lds, private memory interleaved + csr_pds.
#
# @grid 64 @local 64 @isa 2 @private 64
# @in x u32 [i * 5 for i in range(256)]
# @localmem near 1024
# @out r u32 64*9
# @expect r[:64] = [4 * i * 5 for i in range(64)]
# @expect r[64:128] = [(4 * i + 1) * 5 for i in range(64)]
# @expect r[128:192] = [(4 * i + 3) * 5 for i in range(64)]
# @expect r[192:256] = [77] * 64
# @expect r[256:320] = [(4 * i + 2) * 5 for i in range(64)]
# @expect r[320:384] = [(4 * (63 - i) + 1) * 5 for i in range(64)]
# @expect r[384:448] = [(4 * i + 3) * 5 for i in range(64)]
# @expect r[448:512] = [(4 * i + 3) * 5 for i in range(64)]
# @expect r[512:] = [(4 * i + 1) * 5 for i in range(64)]

    .include "kernel.inc"
begin v2_memory, 2, 8
    lw      a1, 0(a0)
    lw      a2, 8(a0)
    vsll.vi v1, v30, 4
    vadd.vx v2, v1, a1
    pre_m_128 0
    vlw12.v v4, 0(v2)           # v4 to v7
    emit    v4, 0
    emit    v5, 1
    emit    v7, 2
    li      a3, 77
    vmv.v.x v11, a3
    pre_m_96 0
    vlw12.v v8, 0(v2)           # v8 to v10 only
    emit    v11, 3
    emit    v10, 4
    csrr    a3, lds
    sub     a3, a2, a3          # relative to the local memory
    vadd.vx v3, v1, a3
    pre_m_local_128 0
    vsw12.v v4, 0(v3)
    barrier
    li      a4, 63*16           # what another thread stored
    add     a4, a4, a2
    vrsub.vx v3, v1, a4
    pre_m_64 0
    vlw12.v v12, 0(v3)
    emit    v13, 5
    csrw    gds, a1
    pre_m_global_64 0
    vlw12.v v14, 8(v1)          # words 2 and 3
    emit    v15, 6
    vmv.v.i v3, 8
    pre_m_private_128 0
    vsw12.v v4, 0(v3)           # bytes 8 to 23 of each thread
    vmv.v.i v3, 0
    pre_m_private_32 0
    vlw12.v v16, 20(v3)
    emit    v16, 7
    csrr    a1, pds             # where byte 12 of the threads lies
    csrr    a2, numw
    csrr    a3, numt
    mul     a2, a2, a3
    li      a3, 12
    mul     a2, a2, a3
    add     a1, a1, a2
    vadd.vx v3, v29, a1
    vlw12.v v16, 0(v3)
    emit    v16, 8
    ret
