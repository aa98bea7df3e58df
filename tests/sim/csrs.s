# SPDX-License-Identifier: Apache-2.0
# The CSRs (semantics.md, CSRs) and the kernel's metadata, in three dimensions.
#
# @grid 4,4,4 @local 2,2,2
# @out r u32 64*12
# @expect r[:64] = [i // 8 for i in range(64)]
# @expect r[64:128] = [i // 8 % 2 + i // 16 % 2 * 256 + i // 32 * 65536 for i in range(64)]
# @expect r[128:192] = [i % 8 // LANES for i in range(64)]
# @expect r[192:256] = [i % 8 // LANES * LANES for i in range(64)]
# @expect r[256:320] = [max(8 // LANES, 1)] * 64
# @expect r[320:384] = [LANES] * 64
# @expect r[384:448] = [3] * 64
# @expect r[448:512] = [4 + 4 * 256 + 4 * 65536] * 64
# @expect r[512:576] = [2 + 2 * 256 + 2 * 65536] * 64
# @expect r[576:640] = [LANES * 5] * 64
# @expect r[640:704] = [1] * 64
# @expect r[704:] = [0] * 64

    .include "kernel.inc"
.macro put rs, n
    vmv.v.x v1, \rs
    emit    v1, \n
.endm
.macro three to                 # words at a1 as bytes of one number
    lw      \to, 0(a1)
    lw      t3, 4(a1)
    slli    t3, t3, 8
    add     \to, \to, t3
    lw      t3, 8(a1)
    slli    t3, t3, 16
    add     \to, \to, t3
.endm
begin csrs, 0
    csrr    a2, wgid
    slli    a3, a2, 5           # 8 threads of 4 bytes
    vadd.vx v29, v29, a3
    put     a2, 0
    csrr    a2, gidx
    csrr    a3, gidy
    slli    a3, a3, 8
    add     a2, a2, a3
    csrr    a3, gidz
    slli    a3, a3, 16
    add     a2, a2, a3
    put     a2, 1
    csrr    a2, wid
    put     a2, 2
    csrr    a2, tid
    put     a2, 3
    csrr    a2, numw
    put     a2, 4
    csrr    a2, numt
    put     a2, 5
    csrr    a4, knl
    lw      a2, 8(a4)           # dimensions
    put     a2, 6
    addi    a1, a4, 12          # global size
    three   a2
    put     a2, 7
    addi    a1, a4, 24          # local size
    three   a2
    put     a2, 8
    csrr    a2, vl              # elements, and bytes: 5 of vl in all
    csrr    a3, vlenb
    add     a2, a2, a3
    put     a2, 9
    csrwi   frm, 2              # fcsr is frm and fflags
    csrwi   fflags, 21
    csrr    a2, fcsr
    li      a3, 2 * 32 + 21
    sub     a2, a2, a3
    seqz    a2, a2
    put     a2, 10
    csrrci  a2, fcsr, 21
    csrr    a2, fflags
    put     a2, 11
    ret
