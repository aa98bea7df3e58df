# SPDX-License-Identifier: Apache-2.0
# Matrix multiply of 8 threads: (m, k, n) = (2, 4, 2), 4 results; the other
# lanes keep vd (semantics.md, Matrix multiply).
#
# @grid 64 @local 64 @lanes 8
# @in a f32 [float(i * 7 % 11 - 5) for i in range(64)]
# @in b f32 [float(i * 5 % 13 - 6) for i in range(64)]
# @in c f32 [float(i) for i in range(64)]
# @out r f32 64
# @def dot(w, i, a, b): return sum(a[8 * w + i // 2 * 4 + j] * b[8 * w + i % 2 * 4 + j] for j in range(4))
# @expect r = [v + (dot(i // 8, i % 8, a, b) if i % 8 < 4 else 0) for i, v in enumerate(c)]

    .include "kernel.inc"
begin vftta, 3
    fetch   v1, 0
    fetch   v2, 1
    fetch   v3, 2
    vftta.vv v3, v2, v1         # vd, vs2, vs1: vs1 has the rows
    emit    v3, 0
    ret
