# SPDX-License-Identifier: Apache-2.0
# bench/cc/bfs.cl by hand: one dimension.
#
#   a1 first, a2 edges, a3 level, a4 more, a5 depth, a6 n
    .text
    .globl bfs
bfs:
    csrr    t0, knl
    lw      t2, 24(t0)          # local size
    csrr    t4, tid
    csrr    t5, gidx
    lw      a1, 0(a0)
    lw      a2, 4(a0)
    lw      a3, 8(a0)
    lw      a4, 12(a0)
    lw      a5, 16(a0)
    lw      a6, 20(a0)
    mul     t5, t5, t2
    add     t5, t5, t4
    vid.v   v1
    vadd.vx v1, v1, t5
    vmv.v.x v2, a6
0:  auipc   t1, %pcrel_hi(end)
    setrpc  t1, t1, %pcrel_lo(0b)       # t1: where all meet
    vbge    v1, v2, end
    vsll.vi v1, v1, 2
    vadd.vx v2, v1, a3
    vlw12.v v2, 0(v2)
    vmv.v.x v3, a5
    vbne    v2, v3, end
    vadd.vx v1, v1, a1
    vlw12.v v2, 0(v1)
    vlw12.v v3, 4(v1)
    vbgeu   v2, v3, end
    addi    a5, a5, 1
    vsll.vi v2, v2, 2
    vadd.vx v2, v2, a2          # the edges
    vsll.vi v3, v3, 2
    vadd.vx v3, v3, a2          # their end
    vmv.v.x v4, a5
    vmv.v.i v5, 0
    li      t2, 1
next:
    vlw12.v v6, 0(v2)
    vadd.vi v2, v2, 4
    vsll.vi v6, v6, 2
    vadd.vx v6, v6, a3
    vlw12.v v7, 0(v6)
    setrpc  zero, t1, known - end
    vbge    v7, v5, known
    vsw12.v v4, 0(v6)
    sw      t2, 0(a4)
known:
    join
    setrpc  zero, t1, 0
    vbltu   v2, v3, next
end:
    join
    ret
