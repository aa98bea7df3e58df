// SPDX-License-Identifier: Apache-2.0
// The nearest few of many, kept in order in private memory.
// @kernel nearest
// @grid 64 @local 32
// @in x i32 [i * 37 % 211 for i in range(100)]
// @out y i32 512
// @i32 n 100
// @i32 k 8
// @expect y = [v for i in range(64) for v in sorted(abs(a - 3 * i) for a in x)[:8]]
kernel void
nearest(global const int *x, global int *y, int n, int k)
{
    int i = get_global_id(0), best[16];
    for (int j = 0; j < k; j++)
        best[j] = INT_MAX;
    for (int j = 0; j < n; j++) {
        int d = abs(x[j] - 3 * i), at = k - 1;
        if (d >= best[at])
            continue;
        for (; at > 0 && best[at - 1] > d; at--)
            best[at] = best[at - 1];
        best[at] = d;
    }
    for (int j = 0; j < k; j++)
        y[i * k + j] = best[j];
}
