# SPDX-License-Identifier: Apache-2.0
# Collatz steps of each number: threads leave the loop at different times.
#
# A thread branch sends the lanes that take it to its target and the others to
# the next instruction, one side after the other.  setrpc says beforehand where
# both meet; join there puts them together again.
#
# @grid 96 @local 32
# @out steps u32 96
# @expect steps = [next(k for k in range(200) if collatz(i + 1, k) == 1) for i in range(96)]
# @def collatz(n, k): return n if k == 0 else collatz(n // 2 if n % 2 == 0 else 3 * n + 1, k - 1)

    .text
    .globl divergent
divergent:
    lw      t0, 0(a0)
    csrr    t3, knl
    lw      t4, 24(t3)          # KNL_LC_SIZE_X
    csrr    t5, gidx
    mul     t4, t4, t5
    csrr    t5, tid
    add     t4, t4, t5
    vid.v   v0
    vadd.vx v0, v0, t4          # global id
    vadd.vi v1, v0, 1           # n = id + 1
    vmv.v.i v2, 0               # steps
    vmv.v.i v3, 1

loop:
    auipc   t1, %pcrel_hi(done)         # lanes that reach n == 1 wait at done
    setrpc  zero, t1, %pcrel_lo(loop)
    vbeq    v1, v3, done

    vand.vi v4, v1, 1
    vmv.v.i v5, 0
1:  auipc   t1, %pcrel_hi(next)         # both arms of the if meet at next
    setrpc  zero, t1, %pcrel_lo(1b)
    vbeq    v4, v5, even
    vsll.vi v6, v1, 1           # n = 3 n + 1
    vadd.vv v1, v1, v6
    vadd.vi v1, v1, 1
    j       next
even:
    vsrl.vi v1, v1, 1           # n = n / 2
next:
    join
    vadd.vi v2, v2, 1
    j       loop

done:
    join
    vsll.vi v0, v0, 2
    vadd.vx v0, v0, t0
    vsw12.v v2, 0(v0)
    ret
