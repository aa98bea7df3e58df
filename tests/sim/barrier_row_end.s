# SPDX-License-Identifier: Apache-2.0
# With barrier_all a barrier waits for warps that have ended, but not for those of which
# nothing exists: the second workgroup has four of sixteen work-items, so one warp.
#
# @grid 20 @local 16 @lanes 8 @set barrier_all=yes
# @out r u32 16
# @expect r = [i + 7 for i in range(16)]

    .include "kernel.inc"
begin barrier_row_end, 0
    vadd.vi v1, v30, 7
    barrier
    emit    v1, 0
    ret
