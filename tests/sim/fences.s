# SPDX-License-Identifier: Apache-2.0
# Fences order memory and change nothing that a thread can see.
#
# @grid 64 @local 64
# @inout x u32 [i for i in range(64)]
# @out r u32 64
# @expect r = [i + 1 for i in range(64)]
# @expect x = [i + 1 for i in range(64)]

    .include "kernel.inc"
begin fences, 1
    fetch   v1, 0
    vadd.vi v1, v1, 1
    vsw12.v v1, 0(v28)
    fence   w, r
    fence   rw, rw
    fence   iorw, iorw
    fence.tso
    fence
    vlw12.v v2, 0(v28)
    emit    v2, 0
    ret
