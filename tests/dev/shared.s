# SPDX-License-Identifier: Apache-2.0
# Version 2: kernels on memory that the host shares.

    .ventus_kernel walk, sgpr=32, vgpr=4
    .ventus_kernel count, sgpr=32, vgpr=8

# walk(list, result): sums the values of nodes { next, value } and adds 1000 to
# each.
walk:
    lw      s0, 0(a0)           # [s1:s0]: the node
    lw      s1, 4(a0)
    lw      s2, 8(a0)           # [s3:s2]: the result
    lw      s3, 12(a0)
    li      t3, 0
1:  or      t0, s0, s1
    beq     t0, zero, 2f
    ld      t0, 8([s1:s0])
    add     t3, t3, t0
    addi    t0, t0, 1000
    sd      t0, 8([s1:s0])
    ld      a4, 0([s1:s0])
    ld      a5, 4([s1:s0])
    mv      s0, a4
    mv      s1, a5
    j       1b
2:  sd      t3, 0([s3:s2])
    ret

# count(word): each thread adds 1.
count:
    lw      s0, 0(a0)
    lw      s1, 4(a0)
    vmv.v.x v2, s0
    vmv.v.x v3, s1
    vmv.v.i v4, 1
    amoadd.d v5, v4, ([v3:v2])
    ret
