// SPDX-License-Identifier: Apache-2.0
// First things: arithmetic, ifs, loops, local memory.

// @kernel vecadd
// @grid 100 @local 25
// @in  a f32 [i * 0.5 for i in range(100)]
// @in  b f32 [100.0 - i for i in range(100)]
// @out c f32 100
// @expect c = [x + y for x, y in zip(a, b)]
kernel void
vecadd(global const float *a, global const float *b, global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}

// @kernel saxpy
// @grid 256 @local 64
// @f32 k 2.5
// @in    x f32 [float(i % 17) for i in range(256)]
// @inout y f32 [float(i) for i in range(256)]
// @u32 n 250
// @expect y = [2.5 * x[i] + y[i] if i < 250 else y[i] for i in range(256)]
kernel void
saxpy(float k, global const float *x, global float *y, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] += k * x[i];
}

// @kernel collatz
// @def steps(n, k=0): return k if n == 1 else steps(3 * n + 1 if n % 2 else n // 2, k + 1)
// @grid 96 @local 32
// @out s u32 96
// @expect s = [steps(i + 1) for i in range(96)]
kernel void
collatz(global uint *s)
{
    uint i = get_global_id(0), n = i + 1, k = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        k++;
    }
    s[i] = k;
}

// A uniform counter is used behind a loop that threads leave apart.
// @kernel leave
// @def until(a, i): return next((k for k in range(len(a)) if a[k] > i), len(a))
// @grid 64 @local 64
// @in a i32 [(k * 7) % 64 for k in range(100)]
// @out o i32 64
// @i32 n 100
// @expect o = [sum_(a[:until(a, i)]) * 1000 + until(a, i) for i in range(64)]
kernel void
leave(global const int *a, global int *o, int n)
{
    int i = get_global_id(0), s = 0, k;
    for (k = 0; k < n; k++) {
        if (a[k] > i)
            break;
        s += a[k];
    }
    o[i] = s * 1000 + k;
}

// @kernel reduce
// @grid 256 @local 64
// @in x i32 [i * i - 300 for i in range(256)]
// @out sum i32 4
// @expect sum = [sum_(x[64 * g:64 * g + 64]) for g in range(4)]
kernel void
reduce(global const int *x, global int *sum)
{
    local int t[64];
    uint l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 32; k; k >>= 1) {
        if (l < k)
            t[l] += t[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sum[get_group_id(0)] = t[0];
}

// @kernel matmul
// @grid 12,20 @local 4,10
// @in a f32 [float((i * 7) % 11 - 5) for i in range(240)]
// @in b f32 [float((i * 5) % 13 - 6) for i in range(144)]
// @out c f32 240
// @i32 n 12
// @expect c = [sum_(a[y * 12 + k] * b[k * 12 + x] for k in range(12)) for y in range(20) for x in range(12)]
kernel void
matmul(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}

// @kernel transpose
// @grid 16,16 @local 8,8
// @in a u32 [i * 3 for i in range(256)]
// @out b u32 256
// @localmem tile 256
// @expect b = [a[x * 16 + y] for y in range(16) for x in range(16)]
kernel void
transpose(global const uint *a, global uint *b, local uint *tile)
{
    uint lx = get_local_id(0), ly = get_local_id(1);
    uint gx = get_group_id(0), gy = get_group_id(1);
    tile[ly * 8 + lx] = a[(gy * 8 + ly) * 16 + gx * 8 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[(gx * 8 + ly) * 16 + gy * 8 + lx] = tile[lx * 8 + ly];
}
