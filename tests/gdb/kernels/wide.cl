/* SPDX-License-Identifier: Apache-2.0 */
struct pair {
    int first;
    global int *where;
};

__attribute__((noinline)) int take(global int *p, long n)
{
    int x = p[n];
    return x + 1;
}

kernel void wide(global int *out, global const int *far, long last)
{
    long i = get_global_id(0);
    local int tile[32];
    tile[get_local_id(0)] = (int)i;
    barrier(CLK_LOCAL_MEM_FENCE);
    global int *mine = out + i;
    private int kept[4] = { 1, 2, 3, (int)i };
    private int *k = &kept[i & 3];
    struct pair both = { (int)i + tile[0], mine };
    far += last - i;
    *both.where = both.first + far[0] + *k; /* the store */
    out[i] += take(out, i);
}
