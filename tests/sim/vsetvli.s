# SPDX-License-Identifier: Apache-2.0
# vl = min(avl, threads of a warp); lanes behind vl keep their values and
# store nothing.
#
# @grid 64 @local 64
# @out r u32 64*4
# @expect r[:64] = [i if i % LANES < 3 else 9 for i in range(64)]
# @expect r[64:128] = [3 + 256 * LANES + 65536 * LANES] * 64
# @expect r[128:192] = [7 if i % LANES < 2 else 0 for i in range(64)]
# @expect r[192:] = [9] * 64

    .include "kernel.inc"
begin vsetvli, 0
    vmv.v.i v3, 9
    vmv.v.i v4, 9
    li      t0, 512
    add     t0, t0, s1
    vadd.vx v28, v29, t0
    li      a1, 3
    vsetvli a2, a1, e32, m1, ta, ma
    vmv.v.v v3, v30
    vsetivli zero, 2, e32, m1, ta, ma
    vmv.v.i v5, 7
    vsw12.v v5, 0(v28)
    vsetivli zero, 0, e32, m1, ta, ma
    vmv.v.i v4, 1
    li      a1, 1000
    vsetvli a3, a1, e32, m1, ta, ma
    vsetvli a4, zero, e32, m1, ta, ma   # as many as there are
    slli    a3, a3, 8
    slli    a4, a4, 16
    add     a2, a2, a3
    add     a2, a2, a4
    vmv.v.x v5, a2
    emit    v3, 0
    emit    v5, 1
    emit    v4, 3
    ret
