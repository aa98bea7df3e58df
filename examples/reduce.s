# SPDX-License-Identifier: Apache-2.0
# Sum of each workgroup's 64 numbers, by halves, in local memory.
#
# @grid 256 @local 64
# @in  x u32 [i * i for i in range(256)]
# @out sum u32 4
# @localmem scratch 256
# @expect sum = [sum_(x[64 * g:64 * g + 64]) for g in range(4)]

    .text
    .globl reduce
reduce:
    lw      t0, 0(a0)           # x
    lw      t2, 4(a0)           # sum
    lw      s0, 8(a0)           # scratch, local memory of this workgroup

    csrr    t4, tid
    vid.v   v0
    vadd.vx v0, v0, t4          # thread in the workgroup
    csrr    t5, gidx
    slli    t3, t5, 6           # 64 numbers for each workgroup
    vadd.vx v1, v0, t3
    vsll.vi v1, v1, 2
    vadd.vx v1, v1, t0
    vlw12.v v1, 0(v1)
    vsll.vi v2, v0, 2
    vadd.vx v2, v2, s0          # my place in scratch
    vsw12.v v1, 0(v2)
    barrier

    li      s1, 32              # how many threads add
half:
    vmv.v.x v4, s1
1:  auipc   t1, %pcrel_hi(idle)
    setrpc  zero, t1, %pcrel_lo(1b)
    vbge    v0, v4, idle        # threads s1 and above have nothing to do
    slli    t3, s1, 2
    vadd.vx v5, v2, t3
    vlw12.v v6, 0(v5)           # the other half's number
    vlw12.v v1, 0(v2)
    vadd.vv v1, v1, v6
    vsw12.v v1, 0(v2)
idle:
    join
    barrier                     # only where all lanes are together
    srli    s1, s1, 1
    bnez    s1, half

    bnez    t4, end             # the first warp writes the result
    vmv.v.i v3, 0
    vlw12.v v1, 0(v2)
2:  auipc   t1, %pcrel_hi(last)
    setrpc  zero, t1, %pcrel_lo(2b)
    vbne    v0, v3, last        # its first thread
    slli    t3, t5, 2
    add     t3, t3, t2
    vmv.v.x v4, t3
    vsw12.v v1, 0(v4)
last:
    join
end:
    ret
