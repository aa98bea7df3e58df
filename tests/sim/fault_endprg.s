# SPDX-License-Identifier: Apache-2.0
# endprg while other lanes wait on the SIMT stack.
#
# @grid 64 @local 64 @lanes 16
# @fault kernel 'half': endprg while lanes wait on the SIMT stack at pc 0x
# @fault (endprg x0, x0, x0), workgroup 0 (0,0,0), warp 0; half+0x18 (
# @fault fault_endprg.s:18)

    .text
    .globl  half
half:
    vid.v   v0
    vmv.v.i v1, 2
1:  auipc   t1, %pcrel_hi(2f)
    setrpc  zero, t1, %pcrel_lo(1b)
    vblt    v0, v1, 2f
    nop
    endprg
2:  join
    ret
