# SPDX-License-Identifier: Apache-2.0
# P5: an 8 x 8 box of words out of one 64-wide image and into another one: a
# tensor load that an mbarrier in the L2B counts, a tensor store as a group.
# input: map of the source, map of the destination, their two vectors.
.globl _start
_start:
    la      s0, input
    li      a0, 0x400               # share memory
    mv      a1, s0
    addi    a2, s0, 64
    li      a4, 0x80000000          # mbarrier, at the start of the L2B
    addi    t0, s0, 128
    addi    t1, s0, 160
    vsetivli zero, 8, e32, m1, ta, ma
    vle32.v v8, (t0)
    vle32.v v9, (t1)
    tma.ld.2d.mbar a0, a1, v8, a4
1:  tatom.add.d.s t0, zero, (a4)
    sext.w  t0, t0
    li      t1, 256                 # bytes
    bne     t0, t1, 1b
    tma.st.2d.bulk a2, a0, v9
    tcommit.tma 0
    twait.tma 0
    li      a0, 0
    li      a7, 93
    ecall
.bss
.balign 64
.globl input, source, output
input:  .zero 192
source: .zero 16384
output: .zero 16384
