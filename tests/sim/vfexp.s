# SPDX-License-Identifier: Apache-2.0
# vfexp.v is the exponential in double precision, rounded once.
#
# @grid 64 @local 64
# @in x f32 [(i - 40) * 2.25 for i in range(62)] + [math.inf, -math.inf]
# @out r f32 64
# @expect r = [math.exp(v) for v in x]

    .include "kernel.inc"
begin vfexp, 1
    fetch   v1, 0
    vfexp.v v2, v1
    emit    v2, 0
    ret
