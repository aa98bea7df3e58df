// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of a workgroup's numbers in local memory.
// @kernel sort
// @grid 128 @local 64
// @inout x u32 [i * 2654435761 % 100003 for i in range(256)]
// @localmem t 512
// @expect x = sorted(x[:128]) + sorted(x[128:])
kernel void
sort(global uint *x, local uint *t)
{
    uint l = get_local_id(0), half_n = get_local_size(0), n = 2 * half_n;
    global uint *mine = x + get_group_id(0) * n;
    t[l] = mine[l];
    t[l + half_n] = mine[l + half_n];
    for (uint k = 2; k <= n; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint a = 2 * l - (l & (j - 1)), b = a + j;
            uint p = t[a], q = t[b];
            if ((p > q) == ((a & k) == 0)) {
                t[a] = q;
                t[b] = p;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[l] = t[l];
    mine[l + half_n] = t[l + half_n];
}
