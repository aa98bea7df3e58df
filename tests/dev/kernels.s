# SPDX-License-Identifier: Apache-2.0
# Kernels of the driver's tests: arguments are a buffer and a number.

    .ventus_kernel put, sgpr=16, vgpr=4
    .ventus_kernel spin, sgpr=16, vgpr=4
    .ventus_kernel far, sgpr=16, vgpr=4
    .ventus_kernel code, sgpr=16, vgpr=4
    .ventus_kernel odd, sgpr=16, vgpr=4
    .ventus_kernel locals, sgpr=16, vgpr=4, local=20
    .ventus_kernel stack, sgpr=16, vgpr=4, private=64
    .ventus_kernel peek, sgpr=16, vgpr=4, private=64
    .ventus_kernel knl, sgpr=16, vgpr=4
    .ventus_kernel print, sgpr=16, vgpr=4
    .ventus_kernel half, sgpr=16, vgpr=4
    .ventus_kernel args, sgpr=16, vgpr=4
    .ventus_kernel prints, sgpr=16, vgpr=4
    .ventus_kernel private, sgpr=16, vgpr=4, private=64
    .ventus_kernel gather, sgpr=16, vgpr=4
    .ventus_kernel local, sgpr=16, vgpr=4, local=20
    .ventus_kernel read, sgpr=16, vgpr=4
    .ventus_kernel torn, sgpr=16, vgpr=4
    .ventus_kernel nothing, sgpr=16, vgpr=4, private=64

    .macro  global_id           # v0 = 4 * (global id), one dimension
    csrr    t3, knl
    lw      t4, 24(t3)
    csrr    t5, gdx
    mul     t4, t4, t5
    csrr    t5, tid
    add     t4, t4, t5
    vid.v   v0
    vadd.vx v0, v0, t4
    vsll.vi v0, v0, 2
    .endm

put:                            # x[id] = number
    global_id
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    vadd.vx v0, v0, t0
    vmv.v.x v1, t1
    vsw12.v v1, 0(v0)
    ret

spin:
    j       spin

nothing:
    ret

gather:                         # workgroup 0 ends when `number` work-items of others
    lw      t0, 0(a0)           # have come; those never end
    lw      t1, 4(a0)
    csrr    t2, wgid
    vmv.v.x v1, t0
    vmv.v.i v2, 0
    bnez    t2, come
wait:
    amoadd.w v3, v2, (v1)
    vmv.x.s t3, v3
    blt     t3, t1, wait
    ret
come:
    vmv.v.i v2, 1
    amoadd.w v3, v2, (v1)
rest:
    j       rest

far:                            # a store `number` bytes behind x
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    add     t0, t0, t1
    sw      t1, 0(t0)
    ret

code:                           # a store into the code
    auipc   t0, 0
    sw      t0, 0(t0)
    ret

odd:
    lw      t0, 0(a0)
    lw      t1, 1(t0)
    ret

locals:                         # x = { address of local argument, lds }
    lw      t0, 0(a0)
    lw      t1, 4(a0)
    sw      t1, 0(t0)
    csrr    t1, lds
    sw      t1, 4(t0)
    lw      t1, 8(a0)
    sw      t1, 8(t0)
    ret

stack:                          # x[id] = what another thread's stack is not
    global_id
    lw      t0, 0(a0)
    vadd.vx v1, v0, t0
    vmv.v.x v2, tp
    vsw.v   v0, 60(v2)
    vlw.v   v3, 60(v2)
    vsw12.v v3, 0(v1)
    ret

peek:                           # x[id] = what is on the stack at the start
    global_id
    lw      t0, 0(a0)
    vadd.vx v1, v0, t0
    vmv.v.x v2, tp
    vlw.v   v3, 60(v2)
    vadd.vi v3, v3, 1
    vsw.v   v3, 60(v2)
    vsw12.v v3, 0(v1)
    ret

knl:                            # x[0..15] = the metadata
    lw      t0, 0(a0)
    csrr    t1, knl
    .irp    k, 0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60
    lw      t2, \k(t1)
    sw      t2, \k(t0)
    .endr
    ret

print:                          # prints `number` records of 8 bytes
    csrr    t0, knl
    lw      t1, 48(t0)          # buffer
    lw      t2, 52(t0)          # its size
    addi    t2, t2, -8
    lw      t3, 4(a0)
next:
    lw      t4, 0(t1)           # used
    addi    t5, t4, 8
    ble     t5, t2, fits
    csrwi   print, 1            # wait until there is room
    j       next
fits:
    sw      t5, 0(t1)
    add     t4, t4, t1
    sw      t3, 12(t4)          # what is printed
    li      t5, 8
    sw      t5, 8(t4)           # complete
    addi    t3, t3, -1
    bnez    t3, next
    ret

torn:                           # records that others were writing, then a fault
    csrr    t0, knl
    lw      t1, 48(t0)
    li      t2, 56
    sw      t2, 0(t1)           # used
    li      t2, 8
    li      t3, 2
    sw      t3, 12(t1)
    sw      t2, 8(t1)           # complete: 2; then 12 bytes were reserved
    li      t3, 13
    sw      t3, 28(t1)          # begun, 12 bytes, with what looks like a size
    sw      t2, 32(t1)
    li      t3, 1
    sw      t3, 44(t1)
    sw      t2, 40(t1)          # complete: 1
    sw      t3, 52(t1)
    li      t3, 9
    sw      t3, 48(t1)          # begun, 8 bytes
    li      t3, 0
    sw      t3, 60(t1)
    sw      t2, 56(t1)          # complete: 0
    sw      t2, 0(x0)
    ret

half:                           # endprg while the other half waits
    vid.v   v0
    vmv.v.i v1, 2
1:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(1b)
    vblt    v0, v1, 2f
    endprg
2:  join
    ret

args:                           # x[0] = the word `number` bytes behind a0
    lw      t1, 4(a0)
    add     t1, t1, a0
    lw      t1, 0(t1)
    lw      t0, 0(a0)
    sw      t1, 0(t0)
    ret

prints:                         # a store `number` bytes into the print buffer
    csrr    t0, knl
    lw      t0, 48(t0)
    lw      t1, 4(a0)
    add     t0, t0, t1
    sw      x0, 0(t0)
    ret

private:                        # a load `number` bytes behind pds
    csrr    t0, pds
    lw      t1, 4(a0)
    add     t0, t0, t1
    lw      t0, 0(t0)
    ret

local:                          # x[0] = number, through local memory there
    csrr    t0, lds
    lw      t1, 4(a0)
    add     t0, t0, t1
    sw      t1, 0(t0)
    lw      t1, 0(t0)
    lw      t0, 0(a0)
    sw      t1, 0(t0)
    ret

read:                           # x[0] = the word at address `number`
    lw      t1, 4(a0)
    lw      t1, 0(t1)
    lw      t0, 0(a0)
    sw      t1, 0(t0)
    ret
