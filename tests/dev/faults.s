# SPDX-License-Identifier: Apache-2.0
# A kernel for each class of fault; arguments are a buffer and a read-only one.

    .ventus_kernel put, sgpr=16, vgpr=4
    .ventus_kernel illegal, sgpr=16, vgpr=4
    .ventus_kernel unaligned, sgpr=16, vgpr=4
    .ventus_kernel unmapped, sgpr=16, vgpr=4
    .ventus_kernel readonly, sgpr=16, vgpr=4
    .ventus_kernel beyond, sgpr=16, vgpr=4, private=16
    .ventus_kernel overflow, sgpr=16, vgpr=4
    .ventus_kernel underflow, sgpr=16, vgpr=4
    .ventus_kernel diverged, sgpr=16, vgpr=4
    .ventus_kernel nofit, sgpr=16, vgpr=128
    .ventus_kernel deadlock, sgpr=16, vgpr=4

    .macro  address             # v0 = x + 4 * (number in the workgroup)
    lw      t0, 0(a0)
    csrr    t5, tid
    vid.v   v0
    vadd.vx v0, v0, t5
    vsll.vi v0, v0, 2
    vadd.vx v0, v0, t0
    .endm

put:
    address
    vmv.v.i v1, 7
    vsw12.v v1, 0(v0)
    ret

illegal:
    .word   0xffffffff

unaligned:
    address
    vlw12.v v1, 2(v0)
    ret

unmapped:
    address
    vsw12.v v1, -8(v0)          # lanes 0 and 1 are before the buffer
    ret

readonly:
    lw      t0, 4(a0)
    vmv.v.x v0, t0
    vsw12.v v1, 4(v0)
    ret

beyond:
    vid.v   v0
    vsll.vi v0, v0, 2
    vsw.v   v1, 0(v0)           # offset 4 * lane: 0 to 12 are there
    ret

overflow:
    vid.v   v0
    vmv.v.i v1, 1
1:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(1b)
    vblt    v0, v1, 2f
    vmv.v.i v1, 2
    vblt    v0, v1, 2f
2:  join
    ret

underflow:
    join
    ret

diverged:
    vid.v   v0
    vmv.v.i v1, 1
1:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(1b)
    vblt    v0, v1, 2f
    endprg
2:  endprg

nofit:
    ret

deadlock:                       # warp 1 waits for who waits for it
    lw      t0, 0(a0)
    csrr    t1, wid
    bnez    t1, 1f
    barrier
    ret
1:  lw      t1, 0(t0)
    beqz    t1, 1b
    barrier
    ret
