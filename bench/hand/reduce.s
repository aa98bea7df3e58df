# SPDX-License-Identifier: Apache-2.0
# bench/cc/reduce.cl by hand: one dimension.
#
#   a1 x, a2 sum, a3 n, a4 scratch        v2 my place in scratch
    .text
    .globl reduce
reduce:
    csrr    t0, knl
    lw      t2, 24(t0)          # local size
    lw      t3, 12(t0)          # global size
    lw      a1, 0(a0)
    lw      a2, 4(a0)
    lw      a3, 8(a0)
    lw      a4, 12(a0)
    csrr    t4, tid
    csrr    t5, gidx
    vid.v   v1
    vadd.vx v1, v1, t4          # local id
    mul     t6, t5, t2
    slli    t6, t6, 2
    add     t6, t6, a1
    vsll.vi v2, v1, 2
    vadd.vx v3, v2, t6          # &x[i]
    vadd.vx v2, v2, a4
    slli    a3, a3, 2
    add     a3, a3, a1          # the end of x
    slli    t3, t3, 2
    vmv.v.x v4, a3
    vmv.v.i v5, 0               # the sum
1:  auipc   t1, %pcrel_hi(summed)
    setrpc  zero, t1, %pcrel_lo(1b)
    vbgeu   v3, v4, summed
more:
    vlw12.v v6, 0(v3)
    vadd.vx v3, v3, t3
    vadd.vv v5, v5, v6
    vbltu   v3, v4, more
summed:
    join
    vsw12.v v5, 0(v2)
    barrier
    srli    t2, t2, 1
    blez    t2, halved
2:  auipc   t1, %pcrel_hi(idle)
    setrpc  zero, t1, %pcrel_lo(2b)
half:
    vmv.v.x v4, t2
    vbge    v1, v4, idle
    slli    t3, t2, 2
    vadd.vx v6, v2, t3
    vlw12.v v5, 0(v2)
    vlw12.v v6, 0(v6)
    vadd.vv v5, v5, v6
    vsw12.v v5, 0(v2)
idle:
    join
    barrier
    srli    t2, t2, 1
    bgtz    t2, half
halved:
    bnez    t4, end             # only the first warp has the first thread
    lw      t0, 0(a4)
    slli    t5, t5, 2
    add     a2, a2, t5
    sw      t0, 0(a2)
end:
    ret
