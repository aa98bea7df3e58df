// SPDX-License-Identifier: Apache-2.0
// Vectors of two and four, structs, windows of a row: accesses to adjacent words.
// @def wave(n): return [float((i * 37) % 101 - 50) / 8 for i in range(n)]

// @kernel copy4
// @grid 256 @local 64
// @in x u32 [i * 2654435761 % 2**32 for i in range(1024)]
// @out y u32 1024
// @expect y = x
kernel void
copy4(global const int4 *x, global int4 *y)
{
    int i = get_global_id(0);
    y[i] = x[i];
}

// @kernel saxpy4
// @grid 256 @local 64
// @in x f32 wave(1024)
// @inout y f32 wave(1024)[::-1]
// @f32 a 1.5
// @expect y = [1.5 * p + q for p, q in zip(x, y)]
kernel void
saxpy4(global const float4 *x, global float4 *y, float a)
{
    int i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

// @kernel add2
// @grid 256 @local 64
// @in x f64 wave(512)
// @in y f64 wave(512)[::-1]
// @out z f64 512
// @expect z = [p + q for p, q in zip(x, y)]
kernel void
add2(global const double2 *x, global const double2 *y, global double2 *z)
{
    int i = get_global_id(0);
    z[i] = x[i] + y[i];
}

// @kernel blur3
// @grid 256 @local 64
// @in x f32 wave(768)
// @out y f32 768
// @expect y = [(2 * x[i] + x[(i + 3) % 768]) * 0.25 for i in range(768)]
kernel void
blur3(global const float *x, global float *y)
{
    int i = get_global_id(0), k = (i + 1) % get_global_size(0);
    vstore3((2 * vload3(i, x) + vload3(k, x)) * 0.25f, i, y);
}

struct pixel {
    int x, y;
    uint color, depth;
};

// @kernel nearer
// @grid 256 @local 64
// @in a u32 [i * 7 % 1009 for i in range(1024)]
// @inout b u32 [i * 11 % 1013 for i in range(1024)]
// @expect b = [(a if a[i // 4 * 4 + 3] < b[i // 4 * 4 + 3] else b)[i] for i in range(1024)]
kernel void
nearer(global const struct pixel *a, global struct pixel *b)
{
    int i = get_global_id(0);
    struct pixel p = a[i], q = b[i];
    b[i] = p.depth < q.depth ? p : q;
}

// @kernel dot4
// @grid 256 @local 64
// @in m f32 wave(1024)
// @in v f32 wave(128)
// @out y f32 256
// @tolerance 1e-4
// @expect y = [sum(m[(32 * i + k) % 1024] * v[k % 128] for k in range(128)) for i in range(256)]
kernel void
dot4(global const float4 *m, global const float4 *v, global float *y)
{
    int i = get_global_id(0);
    float4 s = 0;
    for (int k = 0; k < 32; k++)
        s += m[(8 * i + k) % 256] * v[k];
    y[i] = s.x + s.y + s.z + s.w;
}
