// SPDX-License-Identifier: Apache-2.0
// Sum: each work-item over a stride, each workgroup by halves.
// @kernel reduce
// @grid 512 @local 128
// @in x i32 [i * i % 1009 - 300 for i in range(8000)]
// @out sum i32 4
// @i32 n 8000
// @localmem scratch 512
// @expect sum = [sum_(x[i] for i in range(8000) if i // 128 % 4 == g) for g in range(4)]
kernel void
reduce(global const int *x, global int *sum, int n, local int *scratch)
{
    int l = get_local_id(0), s = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        s += x[i];
    scratch[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_size(0) / 2; k > 0; k >>= 1) {
        if (l < k)
            scratch[l] += scratch[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sum[get_group_id(0)] = scratch[0];
}
