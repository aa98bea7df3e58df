// SPDX-License-Identifier: Apache-2.0
// Saturating sums and averages: widths of elements and rounding through control
// flow and calls, operands that all lanes share, constants.

// All widths in turn, in one block; a 32-bit sum between them.

// @kernel widths
// @grid 64 @local 32
// @in c i8 [(i * 37 % 256) - 128 for i in range(256)]
// @in s i16 [(i * 7919 % 65536) - 32768 for i in range(256)]
// @in n i32 [(i * 0x9e3779b9 + 2**31) % 2**32 - 2**31 for i in range(128)]
// @out r i32 256
// @def lim(v, w): return max(-2**(w - 1), min(2**(w - 1) - 1, v))
// @def wrap(v): return (v + 2**31) % 2**32 - 2**31
// @def one(c, s, n, k): return wrap(lim(c[4*k] + c[4*k+1], 8) + lim(s[4*k] - s[4*k+1], 16) + lim(n[2*k] + n[2*k+1], 32))
// @def two(c, s, n, k): return wrap((c[4*k+2] + c[4*k+3] >> 1) * 3 + (s[4*k+2] + s[4*k+3] + 1 >> 1) + (n[2*k] + n[2*k+1] >> 1))
// @def three(c, s, n, k): return min(255, c[4*k] % 256 + c[4*k+2] % 256) + max(0, s[4*k] % 65536 - s[4*k+2] % 65536)
// @def four(c, s, n, k): return (c[4*k] % 256 + c[4*k+1] % 256 + 1 >> 1) - (n[2*k] % 2**32 + n[2*k+1] % 2**32 + 1 >> 1) % 1000
// @expect r = [f(c, s, n, k) for k in range(64) for f in (one, two, three, four)]
kernel void
widths(global const char4 *c, global const short4 *s, global const int2 *n,
       global int4 *r)
{
    size_t i = get_global_id(0);
    char4 x = c[i];
    short4 y = s[i];
    int2 z = n[i];
    uint low = as_uint(z.x), high = as_uint(z.y);
    int4 v;
    v.x = as_int(as_uint((int)add_sat(x.x, x.y)) +
                 as_uint((int)sub_sat(y.x, y.y)) + as_uint(add_sat(z.x, z.y)));
    v.y = as_int(as_uint(hadd(x.zw, x.wz).x * 3 + rhadd(y.zw, y.wz).y) +
                 as_uint(hadd(z.x, z.y)));
    v.z = add_sat(as_uchar4(x).x, as_uchar4(x).z) +
          sub_sat(as_ushort4(y).x, as_ushort4(y).z);
    v.w = rhadd(as_uchar4(x), as_uchar4(x).yxwz).x - (int)(rhadd(low, high) % 1000);
    r[i] = v;
}

// What all lanes share, and constants, which are immediates.

// @kernel shared
// @grid 64 @local 32
// @i32 a0 -2147483648
// @i32 a1 100
// @i32 a2 2147483647
// @in x i32 [i * 67108864 - 2147483648 for i in range(64)]
// @out r i32 256
// @def clip(v): return max(-2**31, min(2**31 - 1, v))
// @def wrap(v): return (v + 2**31) % 2**32 - 2**31
// @expect r = [w for p in x for w in (clip(p + 15), clip(-2**31 - p), -2 + (2**31 - 1) % 7, wrap((-2**31 + 100 >> 1) + (p + 2**31 >> 1)))]
kernel void
shared(int a0, int a1, int a2, global const int *x, global int4 *r)
{
    size_t i = get_global_id(0);
    int p = x[i];
    r[i] = (int4)(add_sat(p, 15), sub_sat(a0, p),
                  add_sat(a0, a2 - 1) + sub_sat(a1, a0) % 7,
                  as_int(as_uint(hadd(a0, a1)) + as_uint(rhadd(p, a2))));
}

// The two roundings on the sides of a divergent branch, in a loop, and in a
// function that is called between them.

int __attribute__((noinline))
up(int a, int b)
{
    return rhadd(a, b);
}

// @kernel sides
// @grid 96 @local 32
// @in x i32 [i * 2654435761 % 2**31 for i in range(96)]
// @out y i32 96
// @def odd(p): return (p + 6 >> 1) if p % 3 == 0 else p
// @def step(p, j, k): return odd(p + p + j + k + (p >> j) % 2 >> 1) + j >> 1
// @def go(p, k): return step(step(step(step(p, 0, k), 1, k), 2, k), 3, k)
// @expect y = [go(p % 2**20, i) for i, p in enumerate(x)]
kernel void
sides(global const int *x, global int *y)
{
    int i = get_global_id(0), p = x[i] % (1 << 20);
    for (int j = 0; j < 4; j++) {
        int q = p + j + i;
        if (p >> j & 1)
            p = rhadd(p, q);
        else
            p = hadd(p, q);
        if (p % 3 == 0)
            p = up(p, 5);
        p = hadd(p, j);
    }
    y[i] = p;
}

// Conversions that saturate; of what is no number, 0.

// @kernel conversions
// @grid 64 @local 32
// @in s i16 [(i * 7919 % 65536) - 32768 for i in range(256)]
// @in n i32 [((i * 0x9e3779b9 + 2**31) % 2**32 - 2**31) >> i % 24 for i in range(256)]
// @in f f32 [(math.nan, math.inf, -math.inf, 1e30, -3e9, 2.5, -2.5, 127.6, -129, 70000, 3e9, -0.5)[i % 12] for i in range(64)]
// @out c i8 256
// @out h i16 256
// @out r i32 256
// @def to(v, w): return max(-2**(w - 1), min(2**(w - 1) - 1, v))
// @def whole(v): return 0 if v != v else int(max(-2.0**40, min(2.0**40, v)))
// @expect c = [to(p, 8) for p in s]
// @expect h = [to(p, 16) for p in n]
// @expect r = [w for p in f for w in (to(whole(p), 8), max(0, min(65535, whole(p))), to(whole(p), 32), to(max(0, min(2**32 - 1, whole(p))) - 2**31, 32))]
kernel void
conversions(global const short4 *s, global const int4 *n, global const float *f,
            global char4 *c, global short4 *h, global int4 *r)
{
    size_t i = get_global_id(0);
    float x = f[i];
    c[i] = convert_char4_sat(s[i]);
    h[i] = convert_short4_sat(n[i]);
    r[i] = (int4)(convert_char_sat(x), convert_ushort_sat_rtz(x),
                  convert_int_sat(x), as_int(convert_uint_sat(x) ^ 0x80000000));
}

// mad_sat of products beyond 31 bits whose operands LLVM knows not to be negative.

// @kernel mad_sat_of_extended
// @grid 64 @local 32
// @in n u16 [(i * 7919 + 60000) % 65536 for i in range(64)]
// @in c i32 [(i * 0x9e3779b9 + 2**31) % 2**32 - 2**31 for i in range(64)]
// @out r i32 192
// @def int_sat(v): return max(-2**31, min(2**31 - 1, v))
// @expect r = [int_sat(a * b + c[i]) for i in range(64) for a, b in ((n[i], n[i]), (n[i], n[i] ^ 255), (n[i], -n[i]))]
kernel void
mad_sat_of_extended(global const ushort *n, global const int *c, global int *r)
{
    size_t i = get_global_id(0);
    int x = n[i], y = n[i] ^ 255;
    r[3 * i] = mad_sat(x, x, c[i]);
    int2 both = mad_sat((int2)(x, x), (int2)(y, -x), (int2)(c[i], c[i]));
    r[3 * i + 1] = both.x;
    r[3 * i + 2] = both.y;
}
