// SPDX-License-Identifier: Apache-2.0
// A sparse matrix in rows, one work-item a row.
// @kernel spmv
// @grid 128 @local 64
// @in first u32 [2 * i + i % 2 for i in range(101)]
// @in column u32 [i * 29 % 64 for i in range(202)]
// @in value f32 [float(i % 9 - 4) for i in range(202)]
// @in x f32 [float(i % 7) for i in range(64)]
// @out y f32 128
// @i32 n 100
// @expect y = [sum_(value[e] * x[column[e]] for e in range(first[i], first[i + 1])) if i < 100 else 0 for i in range(128)]
kernel void
spmv(global const uint *first, global const uint *column,
     global const float *value, global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float s = 0;
    for (uint e = first[i]; e < first[i + 1]; e++)
        s += value[e] * x[column[e]];
    y[i] = s;
}
