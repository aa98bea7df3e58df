# SPDX-License-Identifier: Apache-2.0
# Workgroups in which a warp waits for others that wait for it: found without
# a limit, by any number of host threads, and the first workgroup is named.
#
# @grid 256 @local 64 @lanes 8,32
# @out x u32 1
# @fault kernel 'stuck': barrier that can never complete at pc 0x
# @fault workgroup 0 (0,0,0), warp 1; warp 0 at 0x
# @fault waits at a barrier, warp 1 at 0x
# @fault runs

    .text
    .globl  stuck
stuck:
    lw      t0, 0(a0)
    csrr    t1, wid
    li      t2, 0
    li      t3, 7
    bnez    t1, wait
    barrier
    li      t1, 1
    sw      t1, 0(t0)
    ret
wait:
    addi    t2, t2, 1           # a period of seven rounds
    remu    t2, t2, t3
    lw      t1, 0(t0)
    beqz    t1, wait
    barrier
    ret
