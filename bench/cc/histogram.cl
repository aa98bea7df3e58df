// SPDX-License-Identifier: Apache-2.0
// Bytes counted in local memory, then added.
// @kernel histogram
// @grid 256 @local 64
// @in x u8 [i * i % 251 for i in range(3000)]
// @inout bins u32 [0] * 256
// @u32 n 3000
// @expect bins = [sum_(1 for v in x if v == b) for b in range(256)]
kernel void
histogram(global const uchar *x, global uint *bins, uint n)
{
    local uint count[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        count[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&count[x[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        if (count[i])
            atomic_add(&bins[i], count[i]);
}
