# SPDX-License-Identifier: Apache-2.0
# Each thread reverses eight numbers on its own stack in private memory.
#
# @grid 64 @local 32
# @in  x u32 [3 * i for i in range(512)]
# @out y u32 512
# @private 32
# @expect y = [x[8 * t + 7 - k] for t in range(64) for k in range(8)]

    .text
    .globl private
private:
    lw      t0, 0(a0)
    lw      t2, 4(a0)
    csrr    t3, knl
    lw      t4, 24(t3)          # KNL_LC_SIZE_X
    csrr    t5, gidx
    mul     t4, t4, t5
    csrr    t5, tid
    add     t4, t4, t5
    vid.v   v0
    vadd.vx v0, v0, t4
    vsll.vi v0, v0, 5           # 8 numbers of 4 bytes for each thread
    vadd.vx v1, v0, t0
    vadd.vx v2, v0, t2

    # vsw.v addresses are offsets in the thread's own memory.  The machine
    # interleaves the threads' words, so these accesses coalesce.
    vmv.v.x v3, tp
    .irp    k, 0, 4, 8, 12, 16, 20, 24, 28
    vlw12.v v4, \k(v1)
    vsw.v   v4, \k(v3)
    .endr
    .irp    k, 0, 4, 8, 12, 16, 20, 24, 28
    vlw.v   v4, \k(v3)
    vsw12.v v4, 28 - \k(v2)
    .endr
    ret
