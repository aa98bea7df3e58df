// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sum of a workgroup, up and down a tree (Blelloch).
// @kernel scan
// @grid 128 @local 64
// @inout x u32 [i * 7 % 31 for i in range(256)]
// @out sums u32 2
// @localmem t 512
// @expect x = [sum_(x[i // 128 * 128:i]) for i in range(256)]
// @expect sums = [sum_(x[128 * g:128 * g + 128]) for g in range(2)]
kernel void
scan(global uint *x, global uint *sums, local uint *t)
{
    uint l = get_local_id(0), n = 2 * get_local_size(0), step = 1;
    global uint *mine = x + get_group_id(0) * n;
    t[2 * l] = mine[2 * l];
    t[2 * l + 1] = mine[2 * l + 1];
    for (uint d = n >> 1; d > 0; d >>= 1, step <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
    }
    if (l == 0) {
        sums[get_group_id(0)] = t[n - 1];
        t[n - 1] = 0;
    }
    for (uint d = 1; d < n; d <<= 1) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint a = step * (2 * l + 1) - 1, b = step * (2 * l + 2) - 1;
            uint was = t[a];
            t[a] = t[b];
            t[b] += was;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[2 * l] = t[2 * l];
    mine[2 * l + 1] = t[2 * l + 1];
}
