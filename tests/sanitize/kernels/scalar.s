# SPDX-License-Identifier: Apache-2.0
# Scalar registers of lanes that have diverged: kernels with a mistake, at the line
# that a comment names, and kernels without.  All have (uint *out).

    .text

# Lanes below t2 go to `other`; the side with fewer lanes goes first.
    .macro diverge meet, other, lanes=5
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    li      t2, \lanes
    vmv.v.x v2, t2
9:  auipc   t1, %pcrel_hi(\meet)
    setrpc  zero, t1, %pcrel_lo(9b)
    vblt    v0, v2, \other
    .endm

    .ventus_kernel other_path, sgpr=32, vgpr=8
    .globl other_path
other_path:
    li      t3, 1
    diverge 2f, 1f, 27
    li      t3, 7
    j       2f
1:  vmv.v.x v3, t3              # scalar-path
    vsw12.v v3, 0(v1)
2:  join
    ret

    .ventus_kernel behind_the_join, sgpr=32, vgpr=8
    .globl behind_the_join
behind_the_join:
    li      t3, 1
    diverge 2f, 1f
    li      t3, 2
    j       2f
1:  li      t3, 3
2:  join
    vmv.v.x v3, t3              # scalar-path
    vsw12.v v3, 0(v1)
    ret

    .ventus_kernel high_word, sgpr=32, vgpr=8
    .globl high_word
high_word:
    li      s4, 1
    li      s5, 0
    diverge 2f, 1f
    li      s5, 1
    j       2f
1:  vmv.v.i v4, 3
2:  join
    add     t3, s4, s5          # scalar-path
    vmv.v.x v3, t3
    vsw12.v v3, 0(v1)
    ret

# The inner branch of one path sets rpc, and the branch of the other has no setrpc.
    .ventus_kernel rpc_of_the_other, sgpr=32, vgpr=8
    .globl rpc_of_the_other
rpc_of_the_other:
    diverge 2f, 1f, 27
    li      t3, 29
    vmv.v.x v3, t3
8:  auipc   t1, %pcrel_hi(3f)
    setrpc  zero, t1, %pcrel_lo(8b)
    vblt    v0, v3, 3f
    vmv.v.i v4, 1
3:  join
    j       2f
1:  vmv.v.i v3, 2
    vblt    v0, v3, 4f          # rpc-path
    vmv.v.i v4, 2
4:  join
2:  join
    vsw12.v v0, 0(v1)
    ret

    .ventus_kernel rpc_names_no_join, sgpr=32, vgpr=8
    .globl rpc_names_no_join
rpc_names_no_join:
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    li      t2, 5
    vmv.v.x v2, t2
9:  auipc   t1, %pcrel_hi(3f)
    setrpc  zero, t1, %pcrel_lo(9b)
    vblt    v0, v2, 1f          # no-join
    vmv.v.i v3, 1
    j       3f
1:  vmv.v.i v3, 2
3:  vsw12.v v3, 0(v1)
2:  join
    ret

# A join without a setrpc before the branch.
    .ventus_kernel rpc_is_not_set, sgpr=32, vgpr=8
    .globl rpc_is_not_set
rpc_is_not_set:
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    li      t2, 5
    vmv.v.x v2, t2
    vblt    v0, v2, 1f          # no-join
    vsw12.v v0, 0(v1)
1:  join
    ret

# Neither a setrpc nor a join.
    .ventus_kernel no_setrpc_no_join, sgpr=32, vgpr=8
    .globl no_setrpc_no_join
no_setrpc_no_join:
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    vmv.v.i v2, 5
    vbne    v0, v2, 1f          # no-join
    vsw12.v v0, 0(v1)
1:  ret

    .ventus_kernel too_many_scalars, sgpr=20, vgpr=4
    .globl too_many_scalars
too_many_scalars:
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    addi    s4, t0, 4           # undeclared-register
    vsw12.v v0, 0(v1)
    ret

    .ventus_kernel too_many_vectors, sgpr=20, vgpr=4
    .globl too_many_vectors
too_many_vectors:
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    vmv.v.i v9, 1               # undeclared-register
    vsw12.v v0, 0(v1)
    ret

# Each path reads what it has written itself.
    .ventus_kernel own_path, sgpr=32, vgpr=8
    .globl own_path
own_path:
    diverge 2f, 1f
    li      t3, 7
    vmv.v.x v3, t3
    vsw12.v v3, 0(v1)
    j       2f
1:  li      t3, 8
    vmv.v.x v3, t3
    vsw12.v v3, 0(v1)
2:  join
    ret

# Both paths write the same.
    .ventus_kernel same_value, sgpr=32, vgpr=8
    .globl same_value
same_value:
    li      t3, 1
    diverge 2f, 1f
    li      t3, 7
    j       2f
1:  li      t3, 7
2:  join
    vmv.v.x v3, t3
    vsw12.v v3, 0(v1)
    ret

# One path uses the register, and gives it back as it was.
    .ventus_kernel given_back, sgpr=32, vgpr=8
    .globl given_back
given_back:
    li      t3, 1
    diverge 2f, 1f
    sw      t3, 0(sp)
    li      t3, 7
    addi    t3, t3, 1
    vmv.v.x v3, t3
    lw      t3, 0(sp)
    j       2f
1:  vmv.v.x v3, t3
2:  join
    vadd.vx v3, v3, t3
    vsw12.v v3, 0(v1)
    ret

# Lanes leave a loop one after the other, whose counter is a scalar.
    .ventus_kernel counter_of_a_loop, sgpr=32, vgpr=8
    .globl counter_of_a_loop
counter_of_a_loop:
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    vmv.v.i v2, 0
    li      t3, 0
9:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(9b)
1:  vmv.v.x v2, t3
    addi    t3, t3, 1
    vmv.v.x v3, t3
    vblt    v3, v0, 1b
2:  join
    vsw12.v v2, 0(v1)
    li      t3, 0
    ret

# The same, but the counter is read behind the loop.
    .ventus_kernel counter_behind_a_loop, sgpr=32, vgpr=8
    .globl counter_behind_a_loop
counter_behind_a_loop:
    lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    li      t3, 0
9:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(9b)
1:  addi    t3, t3, 1
    vmv.v.x v3, t3
    vblt    v3, v0, 1b
2:  join
    vmv.v.x v2, t3              # scalar-path
    vsw12.v v2, 0(v1)
    ret

# All lanes store to the warp's stack, and those of each path load and store there.
    .ventus_kernel stack_of_warp, sgpr=32, vgpr=8
    .globl stack_of_warp
stack_of_warp:
    li      t3, 7
    sw      t3, 0(sp)
    sw      t3, 4(sp)
    diverge 2f, 1f
    lw      t3, 0(sp)
    sw      t3, 4(sp)
    vmv.v.x v3, t3
    j       2f
1:  lw      t3, 0(sp)
    sw      t3, 4(sp)
    vmv.v.x v3, t3
2:  join
    vsw12.v v3, 0(v1)
    ret
