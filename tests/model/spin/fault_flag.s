# SPDX-License-Identifier: Apache-2.0
# Workgroups on all SMs wait for a word that nobody will write.
#
# @grid 64 @local 16 @lanes 8
# @out x u32 1
# @fault the others wait at a barrier)
# @fault workgroup 0: warp 0 at 0x
# @fault : barrier, warp 1 at 0x
# @fault : repeats itself

    .text
    .globl  flag
flag:
    lw      t0, 0(a0)
    csrr    t1, wid
    beqz    t1, meet
wait:
    lw      t1, 0(t0)
    beqz    t1, wait
meet:
    barrier
    ret
