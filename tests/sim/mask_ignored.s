# SPDX-License-Identifier: Apache-2.0
# With ignore_vm, v0 is an ordinary register for every form with vm = 0.
#
# @grid 64 @local 64 @set ignore_vm=yes
# @out r u32 64
# @expect r = [i + 1 for i in range(64)]

    .include "kernel.inc"
begin mask_ignored, 0
    vmv.v.i v0, 0
    vmv.v.i v3, 9
    vadd.vi v3, v30, 1, v0.t
    emit    v3, 0
    ret
