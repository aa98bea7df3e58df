// SPDX-License-Identifier: Apache-2.0
// Matrix multiply, square tiles in local memory.
// @kernel matmul
// @grid 64,64 @local 16,16
// @in a f32 [float((i * 7) % 11 - 5) for i in range(4096)]
// @in b f32 [float((i * 5) % 13 - 6) for i in range(4096)]
// @out c f32 4096
// @i32 n 64
// @expect c = [sum_(a[y * 64 + k] * b[k * 64 + x] for k in range(64)) for y in range(64) for x in range(64)]
#define T 16
kernel void
matmul(global const float *a, global const float *b, global float *c, int n)
{
    local float as[T][T], bs[T][T];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int t = 0; t < n; t += T) {
        as[ly][lx] = a[y * n + t + lx];
        bs[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; k++)
            s += as[ly][k] * bs[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = s;
}

// The same without tiles.
// @kernel matmul_plain
// @grid 64,64 @local 16,16
// @in a f32 [float((i * 7) % 11 - 5) for i in range(4096)]
// @in b f32 [float((i * 5) % 13 - 6) for i in range(4096)]
// @out c f32 4096
// @i32 n 64
// @expect c = [sum_(a[y * 64 + k] * b[k * 64 + x] for k in range(64)) for y in range(64) for x in range(64)]
kernel void
matmul_plain(global const float *a, global const float *b, global float *c,
             int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}
