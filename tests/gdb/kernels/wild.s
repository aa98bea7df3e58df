# SPDX-License-Identifier: Apache-2.0
# Lane 5 stores to address 64.  wild(word *)
    .text
    .globl wild
wild:
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    vsw12.v v0, 0(v1)
    li      t2, 5
    vmv.v.x v2, t2
1:  auipc   t1, %pcrel_hi(meet)
    setrpc  zero, t1, %pcrel_lo(1b)
    vbne    v0, v2, meet
    vmv.v.x v1, zero
    vadd.vi v1, v1, 31
    vadd.vi v1, v1, 31
    vadd.vi v1, v1, 2
bad:
    vsw12.v v0, 0(v1)
meet:
    join
    ret
