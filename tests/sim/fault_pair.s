# SPDX-License-Identifier: Apache-2.0
# A high register that is not 0 where no memory is: the fault is located and
# shows all of the address.
#
# @grid 64 @local 64
# @in x u32 [0]
# @fault to 0x1200000000 at pc
# @fault vlw12.v v3, 0([v5:v4])
# @fault lane 2

    .include "kernel.inc"
begin fault_pair, 0
    lw      a1, 0(a0)
    vmv.v.x v4, a1
    vid.v   v6
    vmv.v.i v5, 0
    li      a2, 2
    vmseq.vx v0, v6, a2
    li      a2, 18
    vmul.vx v5, v0, a2          # 0x12 in lane 2
    vmv.v.x v7, a1
    vmul.vv v7, v7, v0
    vsub.vv v4, v4, v7          # and 0 below it
    vlw12.v v3, 0([v5:v4])
    ret
