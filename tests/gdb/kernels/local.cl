/* SPDX-License-Identifier: Apache-2.0 */
struct places {
    local int *tile;
    private int *kept;
    long n;
};

__attribute__((noinline)) void put(local int *tile, long n)
{
    tile[get_local_id(0)] = (int)n;
}

kernel void places(global int *out)
{
    long i = get_global_id(0);
    local int tile[32];
    put(tile, i * 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    private int kept[2] = { 5, (int)i };
    struct places p = { tile + 2, kept + 1, -1 };
    out[i] = *p.tile + *p.kept; /* the store */
}
