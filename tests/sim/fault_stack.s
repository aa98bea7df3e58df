# SPDX-License-Identifier: Apache-2.0
# Thread branches without joins fill the SIMT stack.
#
# @grid 64 @local 64 @set stack_depth=3
# @fault SIMT stack overflow
# @fault overflow+0x24

    .text
    .globl  overflow
overflow:
    vid.v   v0
    vmv.v.i v1, 0
    vmv.v.i v2, 1
1:  auipc   t1, %pcrel_hi(out)
    setrpc  zero, t1, %pcrel_lo(1b)
    vblt    v0, v2, out         # lane 0 leaves, the others go on
    vadd.vi v2, v2, 1
    vblt    v0, v2, out
    vadd.vi v2, v2, 1
    vblt    v0, v2, out
out:
    join
    ret
