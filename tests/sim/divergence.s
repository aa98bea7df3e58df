# SPDX-License-Identifier: Apache-2.0
# A loop that each thread leaves by itself, with an if inside and one inside
# that; the reference follows one thread.
#
# @grid 64 @local 64
# @in x u32 [i * 7919 % 97 + 1 for i in range(64)]
# @out r u32 128
# @def run(v, n, k): return (v, n, k) if v == 1 or n == 60 else run(3 * v + 1, n + 1, k + (10 if v % 4 == 3 else 100)) if v % 2 else run(v // 2, n + 1, k)
# @expect r[:64] = [run(v, 0, 0)[1] for v in x]
# @expect r[64:] = [run(v, 0, 0)[2] for v in x]

    .include "kernel.inc"
begin divergence, 1
    fetch   v1, 0
    vmv.v.i v2, 0               # rounds
    vmv.v.i v3, 0               # points
    vmv.v.i v10, 0
    vmv.v.i v11, 1
    vmv.v.i v13, 3
    li      a1, 60
    vmv.v.x v14, a1
    li      a2, 10
    li      a3, 100
loop:
    meet    done
    vbeq    v1, v11, done
    meet    done                # the same join for another way out
    vbeq    v2, v14, done
    vand.vi v4, v1, 1
    meet    halved
    vbeq    v4, v10, even
    vand.vi v5, v1, 3
    meet    counted
    vbne    v5, v13, one
    vadd.vx v3, v3, a2
    j       counted
one:
    vadd.vx v3, v3, a3
counted:
    join
    vmadd.vv v1, v13, v11       # 3 v + 1
    j       halved
even:
    vsrl.vi v1, v1, 1
halved:
    join
    vadd.vi v2, v2, 1
    j       loop
done:
    join
    emit    v2, 0
    emit    v3, 1
    ret
