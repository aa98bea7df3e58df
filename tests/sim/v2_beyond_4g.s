# SPDX-License-Identifier: Apache-2.0
# Version 2: buffers above 4 GiB, of which one has 6 GiB, so that the low words of
# addresses in it repeat.  Loads, stores and atomics of 32 bits, of several words,
# of lanes and of the warp, at both ends.
#
# @grid 64 @local 64 @isa 2 @set memory_size=64G
# @in x u32 [7 * i + 1 for i in range(256)]
# @zeros far 6 * 2**30 // 4
# @out r u32 64*9
# @expect r[:64] = [7 * i + 1 for i in range(64)]
# @expect r[64:128] = [0] * 64
# @expect r[128:192] = [7 * i + 1 for i in range(64)]
# @expect r[192:256] = [7 * i + 1 for i in range(64)]
# @expect r[256:320] = [8 * i + 1 for i in range(64)]
# @expect r[320:384] = [8 * i + 1 for i in range(64)]
# @expect r[384:448] = [7 * (4 * i + 3) + 1 for i in range(64)]
# @expect r[448:512] = [55] * 64
# @expect r[512:] = [1] * 64

    .text
    .globl  v2_beyond_4g

# Row n of the results: a word of each thread.
.macro emit vs, n
    vsw12d.v \vs, 0([v29:v28])
    vadd.vx v28, v28, s4
.endm
# [vs+1:vs] = [s+1:s] + v30 * n: what the low words make does not carry.
.macro lanes vh, vl, sh, sl, index
    vadd.vx \vl, \index, \sl
    vmv.v.x \vh, \sh
.endm

v2_beyond_4g:
    csrr    t0, tid
    vid.v   v30
    vadd.vx v30, v30, t0
    vsll.vi v31, v30, 2
    li      s4, 256
    lw      s0, 0(a0)           # [s1:s0]: x
    lw      s1, 4(a0)
    lw      s2, 8(a0)           # [s3:s2]: far
    lw      s3, 12(a0)
    lw      a4, 16(a0)          # [a5:a4]: r
    lw      a5, 20(a0)
    lanes   v29, v28, a5, a4, v31
    lanes   v5, v4, s1, s0, v31
    vlw12d.v v1, 0([v5:v4])
    emit    v1, 0
    li      t3, 0x40000000      # [t4:t3]: 5 GiB
    li      t4, 1
    addw    [a3:a2], [s3:s2], [t4:t3]
    lanes   v7, v6, a3, a2, v31
    vsw12d.v v1, 0([v7:v6])     # far + 5 GiB
    sub     a6, a3, t4          # [a7:a6]: 4 GiB before that
    mv      a7, a6
    mv      a6, a2
    lanes   v9, v8, a7, a6, v31
    vlw12d.v v2, 0([v9:v8])     # is another word, of which the low half is the same
    emit    v2, 1
    vlw12d.v v2, 0([v7:v6])
    emit    v2, 2
    amoadd.d v2, v30, ([v7:v6])
    emit    v2, 3
    vlw12d.v v2, 0([v7:v6])
    emit    v2, 4
    lr.d    v2, ([v7:v6])
    emit    v2, 5
    vsll.vi v10, v30, 4         # four words a lane, to the end of far
    lanes   v13, v12, s1, s0, v10
    pre_m_128 0
    vlw12d.v v16, 0([v13:v12])
    li      t3, 0x7ffff000      # 6 GiB - 4 KiB
    addw    [a3:a2], [s3:s2], [t4:t3]
    lanes   v15, v14, a3, a2, v10
    pre_m_128 0
    vsw12d.v v16, 0([v15:v14])
    vlw12d.v v2, 12([v15:v14])
    emit    v2, 6
    li      t2, 55
    sd      t2, 2044([a3:a2])   # a scalar one, too
    ld      t5, 2044([a3:a2])
    vmv.v.x v2, t5
    emit    v2, 7
    vlw12d.v v2, 0([v5:v4])     # the low words of far's are not x's
    vsub.vv v2, v2, v1
    vadd.vi v2, v2, 1
    emit    v2, 8
    ret
