# SPDX-License-Identifier: Apache-2.0
# With vadd12_signed, 4095 is -1 as in the upstream machines.
#
# @grid 64 @local 64 @set vadd12_signed=yes
# @out r i32 128
# @expect r = [i - 1 for i in range(64)] + [i + 2048 for i in range(64)]

    .include "kernel.inc"
begin vadd12_signed, 0
    vadd12.vi v1, v30, 4095
    emit    v1, 0
    vsub12.vi v1, v30, 2048
    emit    v1, 1
    ret
