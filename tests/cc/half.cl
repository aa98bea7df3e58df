// SPDX-License-Identifier: Apache-2.0
// Halves: the width of elements through control flow; scalars; all widths of
// vectors; memory of every kind.
// @skip pocl (has no halves)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

// Integers and halves in turn, in one block.

// @kernel mixed
// @grid 64 @local 32
// @in x f16 [i * 0.37 - 11 for i in range(64)]
// @in n i32 [i * 70000 - 900 for i in range(64)]
// @out h f16 64
// @out m i32 64
// @expect h = [f16(f16(f16(p * p) + p) - q % 100) for p, q in zip(x, n)]
// @expect m = [q * 70001 + int(f16(f16(p * p) + p)) for p, q in zip(x, n)]
kernel void
mixed(global const half *x, global const int *n, global half *h, global int *m)
{
    int i = get_global_id(0);
    half a = x[i] * x[i] + x[i];
    int rest = n[i] % 100;
    rest += rest < 0 ? 100 : 0;
    h[i] = a - (half)rest;
    m[i] = n[i] * 70001 + (int)a;
}

// One side of a divergent branch computes with halves, the other does not;
// after it both do.

// @kernel sides
// @grid 96 @local 32
// @in x f16 [(i * 7 % 31) - 15.5 for i in range(96)]
// @in n i32 [i * 99991 for i in range(96)]
// @out y f16 96
// @out m i32 96
// @def big(p): return p > 2
// @expect y = [f16(f16(p * p if p > 2 else p) / 3) for p in x]
// @expect m = [q if p > 2 else q * 65537 - 2**32 * ((q * 65537 + 2**31) // 2**32) for p, q in zip(x, n)]
kernel void
sides(global const half *x, global const int *n, global half *y, global int *m)
{
    int i = get_global_id(0);
    half a = x[i];
    int k = n[i];
    if (a > 2.0h)
        a = a * a;
    else
        k = k * 65537;
    y[i] = a / 3.0h;
    m[i] = k;
}

// A loop that lanes leave at different times, with another inside.

// @kernel newton
// @grid 64 @local 32
// @in x f16 [1 + i * 3.25 for i in range(64)]
// @out y f16 64
// @out n u32 64
// @def newton(a): return step_(a, a, 0)
// @def half_step(a, r): return f16(0.5 * f16(r + f16(a / r)))
// @def step_(a, r, k): return (r, k) if k == 20 or f16(half_step(a, r)) >= r else step_(a, half_step(a, r), k + 1)
// @expect y = [newton(a)[0] for a in x]
// @expect n = [sum((newton(a)[1] * 3 + 100000 * j) % 2**32 for j in range(int(a) % 3)) + newton(a)[1] for a in x]
kernel void
newton(global const half *x, global half *y, global uint *n)
{
    int i = get_global_id(0);
    half a = x[i], r = a;
    uint steps = 0;
    while (steps < 20) {
        half next = 0.5h * (r + a / r);
        if (next >= r)
            break;
        r = next;
        steps++;
    }
    uint sum = steps;
    for (uint j = 0; j < (uint)(ushort)a % 3; j++)
        sum += steps * 3 + 100000 * j;
    y[i] = r;
    n[i] = sum;
}

// What is the same for the whole warp is computed in vectors, too.

// @kernel uniform
// @grid 32 @local 32
// @in x f16 [1.5, -2.25, 1024, 0.125]
// @out y f16 32
// @out n i32 32
// @expect y = [f16(f16(1.5 * -2.25) + 1024) + i % 2 * 0 if i >= 0 else 0 for i in range(32)]
// @expect n = [1 + 2 - 2 + (f16(1.5 * -2.25) < 0) * 100] * 32
kernel void
uniform(global const half *x, global half *y, global int *n)
{
    half a = x[0] * x[1];
    half b = a + x[2];
    int k = (int)x[0] + convert_int_rtp(x[3] + 0.9h) + (int)x[1];
    if (a < 0.0h)
        k += 100;
    y[get_global_id(0)] = b;
    n[get_global_id(0)] = k;
}

// A loop over halves only, in front of which the width is set once.

// @kernel dots
// @grid 32 @local 32
// @in x f16 [(i * 13 % 29) / 8 for i in range(32)]
// @in w f16 [(i * 5 % 17) / 16 - 0.5 for i in range(40)]
// @out y f16 32
// @def run_(p, w): return fold_(p, w, 0.0)
// @def fold_(p, w, s): return fold_(p, w[1:], f16(s + p * w[0])) if w else s
// @expect y = [run_(p, w) for p in x]
kernel void
dots(global const half *x, constant half *w, global half *y)
{
    int i = get_global_id(0);
    half s = 0.0h;
    for (int k = 0; k < 40; k++)
        s = fma(x[i], w[k], s);
    y[i] = s;
}

// Local memory and barriers, private arrays, structs.

struct pair {
    char tag;
    half a[2];
    half3 b;
};

// @kernel places
// @grid 64 @local 32
// @in x f16 [i * 0.5 for i in range(64)]
// @out y f16 64
// @localmem s 64
// @expect y = [f16(x[i ^ 1] + x[(i & 32) + (i + 1) % 32] * 2 + i % 4) for i in range(64)]
kernel void
places(global const half *x, global half *y, local half *s)
{
    int i = get_global_id(0), l = get_local_id(0);
    half kept[4] = { 0.0h, 1.0h, 2.0h, 3.0h };
    struct pair p;
    s[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    p.a[l & 1] = s[l ^ 1];
    p.b = (half3)(s[(l + 1) % 32]);
    p.b.yz += p.b.x;
    y[i] = p.a[l & 1] + p.b.y + kept[x[i] >= 0.0h ? i & 3 : 0];
}

// @kernel widths
// @grid 8 @local 8
// @in x f16 [i * 0.25 - 16 for i in range(128)]
// @out y f16 128
// @out z f16 128
// @expect y = [f16(f16(p * 1.5) + max(p, 0)) for p in x]
// @expect z = [x[16 * (i // 16) + (i % 16 ^ 5)] for i in range(128)]
kernel void
widths(global const half16 *x, global half16 *y, global half *z)
{
    int i = get_global_id(0);
    half16 a = x[i];
    const ushort16 at = (ushort16)(5, 4, 7, 6, 1, 0, 3, 2, 13, 12, 15, 14, 9,
                                   8, 11, 10);
    y[i] = a * (half)1.5h + (a > (half)0 ? a : (half16)0);
    vstore16(shuffle(a, at), i, z);
}

// Rounding to float first would be once too often.
// @kernel doubles
// @grid 64 @local 32
// @in x f64 [(1 + k / 1024) * (1 + 2.0 ** -(11 + k % 9)) + (k % 3 - 1) * 2.0 ** -40 for k in range(64)]
// @in f f32 [f32((1 + k / 1024) + 2.0 ** -11 + (k % 3 - 1) * 2.0 ** -23) for k in range(64)]
// @out y f16 64
// @out z f16 64
// @out w f64 64
// @expect y = [f16(p) for p in x]
// @expect z = [f16(p) for p in f]
// @expect w = [f16(p) * 0.1 for p in x]
// @tolerance 0
kernel void
doubles(global const double *x, global const float *f, global half *y,
        global half *z, global double *w)
{
    int i = get_global_id(0);
    y[i] = (half)x[i];
    z[i] = (half)f[i];
    w[i] = (double)(half)x[i] * 0.1;
}

// vload reads as halves what was stored as shorts, vstore writes halves that
// are read as shorts: programs keep them so.

// @kernel halves_kept_in_shorts
// @grid 8 @local 8
// @in x u16 [(i * 7919 + 11) % 0x7c00 for i in range(8 * 33)]
// @out y u16 8*33
// @expect y = [x[i * 33 + k + 16] if 1 <= k <= 16 else 0 for i in range(8) for k in range(33)]
kernel void
halves_kept_in_shorts(global const ushort *x, global ushort *y)
{
    int i = get_global_id(0);
    volatile private ushort own[33], back[33];
    for (int k = 0; k < 33; k++) {
        own[k] = x[33 * i + k];
        back[k] = 0;
    }
    half16 v = vload16(1, (private half *)own + 1);
    vstore16(v, 0, (private half *)back + 1);
    for (int k = 0; k < 33; k++)
        y[33 * i + k] = back[k];
}
