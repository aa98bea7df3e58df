# SPDX-License-Identifier: Apache-2.0
# join does nothing where it is not the rpc of the top of the stack, also with
# an empty stack (join_check would report that here); nested branches may share
# one; setrpc writes rd and the CSR, and a branch keeps the rpc it was pushed
# with.
#
# @grid 64 @local 64 @set join_check=no
# @out r u32 64*3
# @expect r[:64] = [1 if i % LANES < 1 else 2 if i % LANES < 3 else 3 for i in range(64)]
# @expect r[64:128] = [5 if i % LANES < 2 else 6 for i in range(64)]
# @expect r[128:] = [1] * 64

    .include "kernel.inc"
begin joins, 0
    join
    vid.v   v1
    vmv.v.i v2, 1
    vmv.v.i v3, 3
    meet    2f
    vbge    v1, v3, 3f
    vbge    v1, v2, 4f          # the rpc of before
    vmv.v.i v5, 1
    j       2f
4:  join                        # not the rpc
    vmv.v.i v5, 2
    j       2f
3:  vmv.v.i v5, 3
2:  join
    emit    v5, 0
    vmv.v.i v2, 2
    meet    2f
    vbge    v1, v2, 3f
    meet    4f                  # another rpc, for nobody
    vmv.v.i v5, 5
    j       2f
3:  vmv.v.i v5, 6
2:  join
4:  emit    v5, 1
    auipc   t3, 0
    setrpc  t4, t3, -100
    csrr    t5, rpc
    sub     t5, t5, t4          # 0
    addi    t3, t3, -100
    sub     t4, t4, t3          # 0
    or      t4, t4, t5
    seqz    t4, t4
    vmv.v.x v5, t4
    emit    v5, 2
    ret
