# SPDX-License-Identifier: Apache-2.0
# A lane waits for others of its warp that took another way, and have their turn
# when it joins them: what repeats itself has an entry on the SIMT stack.
#
# @grid 16 @local 16 @lanes 8
# @out x u32 1
# @fault the others wait at a barrier)
# @fault : repeats itself
# @fault : barrier

    .text
    .globl  lanes
lanes:
    lw      t0, 0(a0)
    csrr    t1, wid
    beqz    t1, meet
    vmv.v.x v4, t0
    vid.v   v1
    vmv.v.i v2, 3
    vmv.v.i v6, 1
1:  auipc   t2, %pcrel_hi(join)
    setrpc  zero, t2, %pcrel_lo(1b)
    vbeq    v1, v2, wait        # one lane, so first
    vsw12.v v6, 0(v4)
    j       join
wait:
    lw      t3, 0(t0)
    beqz    t3, wait
join:
    join    v0, v0, 0
meet:
    barrier
    ret
