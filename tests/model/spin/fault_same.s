# SPDX-License-Identifier: Apache-2.0
# A warp that waits stores in each round what is there already: in global, in
# local and in private memory.
#
# @grid 16 @local 16 @lanes 8 @private 16
# @out x u32 2
# @localmem l 64
# @fault the others wait at a barrier)
# @fault : repeats itself
# @fault : barrier

    .text
    .globl  same
same:
    lw      t0, 0(a0)
    lw      t4, 4(a0)
    csrr    t1, wid
    beqz    t1, meet
    vmv.v.i v1, 4
    vmv.v.x v2, t4
    li      t2, 7
wait:
    sw      t2, 4(t0)
    vsw12.v v1, 0(v2)
    vsw.v   v1, 4(v1)
    lw      t1, 0(t0)
    beqz    t1, wait
meet:
    barrier
    ret
