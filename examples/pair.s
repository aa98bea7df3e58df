# SPDX-License-Identifier: Apache-2.0
# 64-bit addition: c[i] = a[i] + b[i] on register pairs.
#
# [v5:v4] is the pair of v5 (high word) and v4.  The assembler puts a regpair
# word before an instruction that has a pair; `ventus as -l` shows it.  A load
# or store moves 32 bits: for it, a pair is a 64-bit address.
#
# @grid 64 @local 32
# @in  a u64 [(i << 32) + 0xffffffff - i for i in range(64)]
# @in  b u64 [i * 0x100000003 for i in range(64)]
# @out c u64 64
# @expect c = [(p + q) % 2**64 for p, q in zip(a, b)]

    .text
    .globl pair
pair:
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    lw      t2, 8(a0)
    csrr    t3, knl
    lw      t4, 24(t3)          # KNL_LC_SIZE_X
    csrr    t5, gidx
    mul     t4, t4, t5
    csrr    t5, tid
    add     t4, t4, t5
    vid.v   v1
    vadd.vx v1, v1, t4
    vsll.vi v1, v1, 3

    vadd.vx v3, v1, t0
    vlw12.v v4, 0(v3)
    vlw12.v v5, 4(v3)
    vadd.vx v8, v1, t1
    vmv.v.i v9, 0               # [v9:v8]: the address in 64 bits
    vlw12.v v6, 0([v9:v8])
    vlw12.v v7, 4([v9:v8])
    vadd.vv [v5:v4], [v5:v4], [v7:v6]
    vadd.vx v3, v1, t2
    vsw12.v v4, 0(v3)
    vsw12.v v5, 4(v3)
    ret
