# SPDX-License-Identifier: Apache-2.0
# A store of LMUL 2 to lines that the L1D holds, both halves of it, and a load
# behind it in LMUL 1: without coherence the cache has its own data.
#
# @grid 8 @local 8 @lanes 8
# @out r u32 64
# @out s u32 16
# @expect r[:16] = [7 for i in range(16)]
# @expect s = [7 for i in range(16)]

    .text
    .globl  lmul2
lmul2:
    lw      t0, 0(a0)           # r
    lw      t1, 4(a0)           # s
    vsetvli t2, zero, e32, m1, ta, ma
    slli    t3, t2, 2
    add     t4, t0, t3          # the second half
    vle32.v v2, (t0)            # both lines come
    vle32.v v3, (t4)
    vadd.vi v4, v3, 0
    vsetvli t2, zero, e32, m2, ta, ma
    vmv.v.i v6, 7
    vse32.v v6, (t0)
    vsetvli t2, zero, e32, m1, ta, ma
    vle32.v v8, (t0)
    vle32.v v9, (t4)
    add     t5, t1, t3
    vse32.v v8, (t1)
    vse32.v v9, (t5)
    ret
