# SPDX-License-Identifier: Apache-2.0
# A join that a scalar branch jumps to, around the setrpc that names it: that
# is no underflow.
#
# @grid 64 @local 64
# @out r u32 64
# @expect r = [i % 64 for i in range(64)]

    .include "kernel.inc"
begin join_skipped, 0
    beqz    zero, end
    meet    end
    vbne    v0, v1, end
    vmv.v.i v30, 0
end:
    join
    emit    v30, 0
    ret
