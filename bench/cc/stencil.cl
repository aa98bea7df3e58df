// SPDX-License-Identifier: Apache-2.0
// Five points; the border stays.
// @kernel stencil
// @grid 64,64 @local 32,4
// @in a f32 [float((i * 13) % 29) for i in range(4096)]
// @out b f32 4096
// @i32 w 64
// @i32 h 64
// @expect b = [0.5 * a[i] + 0.125 * (a[i - 1] + a[i + 1] + a[i - 64] + a[i + 64]) if 0 < i % 64 < 63 and 0 < i // 64 < 63 else a[i] for i in range(4096)]
kernel void
stencil(global const float *a, global float *b, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    int i = y * w + x;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        b[i] = 0.5f * a[i] +
               0.125f * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);
    else
        b[i] = a[i];
}

// Many steps along z in one work-item.
// @kernel stencil3
// @grid 16,16 @local 16,4
// @in a f32 [float((i * 13) % 29) for i in range(4096)]
// @out b f32 4096
// @i32 n 16
// @expect b = [a[i] * -6 + a[i - 1] + a[i + 1] + a[i - 16] + a[i + 16] + a[i - 256] + a[i + 256] if 0 < i % 16 < 15 and 0 < i // 16 % 16 < 15 and 0 < i // 256 < 15 else 0 for i in range(4096)]
kernel void
stencil3(global const float *a, global float *b, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        return;
    for (int z = 1; z < n - 1; z++) {
        int i = (z * n + y) * n + x;
        b[i] = a[i] * -6.0f + a[i - 1] + a[i + 1] + a[i - n] + a[i + n] +
               a[i - n * n] + a[i + n * n];
    }
}
