// SPDX-License-Identifier: Apache-2.0
// What the compiler warns about; see diagnosed.py.
struct body {
    float x[16];
};

kernel void
barriers(global int *o, local int *t, int n)
{
    int i = get_local_id(0);
    t[i] = o[i];
    if (i < n)
        barrier(CLK_LOCAL_MEM_FENCE); // warning: divergent-barrier
    for (int k = 0; k < n; k++)
        barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < o[i]; k++)
        barrier(CLK_LOCAL_MEM_FENCE); // warning: divergent-barrier
    if (n > 4)
        barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[n - i];
}

kernel void
distances(global float *o, global const struct body *b, local float *t, int n)
{
    int i = get_global_id(0), row = get_global_id(1);
    float v = b[i].x[3];          // warning: uncoalesced
    o[i] = v + b[n].x[i & 15];
    o[100 * i] = 2;               // warning: uncoalesced
    o[n * 64 + i] = 1;
    o[row * 640 + i] = 1;
    o[row + i * n] = 1;           // who knows n?
    t[i * 64] = 1;
}

kernel void
array(global int *o, int n)
{
    int a[500];
    for (int k = 0; k < 500; k++) // warning: private-memory
        a[k] = o[k] * n;
    o[get_global_id(0)] = a[n & 255] + a[o[3] & 255];
}
