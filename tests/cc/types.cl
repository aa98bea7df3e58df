// SPDX-License-Identifier: Apache-2.0
// Integers of all widths, double, half, structs, constants, private arrays.

// @kernel longs
// @grid 64 @local 32
// @in a i64 [(i - 20) * 0x123456789 for i in range(64)]
// @in b i64 [(i * i + 1) * 0x1000003 for i in range(64)]
// @out add i64 64
// @out mul i64 64
// @out div i64 64
// @out rem i64 64
// @out shl i64 64
// @out shr i64 64
// @out cmp i32 64
// @def quot(a, b): return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
// @expect add = [p + q for p, q in zip(a, b)]
// @expect mul = [p * q for p, q in zip(a, b)]
// @expect div = [quot(p, q) for p, q in zip(a, b)]
// @expect rem = [p - quot(p, q) * q for p, q in zip(a, b)]
// @expect shl = [p << i for i, p in enumerate(a)]
// @expect shr = [p >> i for i, p in enumerate(a)]
// @expect cmp = [(p < q) + 2 * (p == q) + 4 * ((p & (2**64 - 1)) < (q & (2**64 - 1))) + 8 * (p >= q) for p, q in zip(a, b)]
kernel void
longs(global const long *a, global const long *b, global long *add,
      global long *mul, global long *div, global long *rem, global long *shl,
      global long *shr, global int *cmp)
{
    int i = get_global_id(0);
    long p = a[i], q = b[i];
    add[i] = p + q;
    mul[i] = p * q;
    div[i] = p / q;
    rem[i] = p % q;
    shl[i] = p << i;
    shr[i] = p >> i;
    cmp[i] = (p < q) + 2 * (p == q) + 4 * ((ulong)p < (ulong)q) + 8 * (p >= q);
}

// @kernel narrow
// @grid 64 @local 64
// @in a i8 [(i * 5) % 256 for i in range(64)]
// @in b i16 [i * 1021 - 30000 for i in range(64)]
// @in c u8 [(i * 77) % 256 for i in range(64)]
// @out o i32 64
// @out p i8 64
// @out q u16 64
// @expect o = [a[i] * b[i] + c[i] for i in range(64)]
// @expect p = [(a[i] + c[i]) >> 1 if i % 2 else -a[i] for i in range(64)]
// @expect q = [(c[i] << 5) // 3 for i in range(64)]
kernel void
narrow(global const char *a, global const short *b, global const uchar *c,
       global int *o, global char *p, global ushort *q)
{
    int i = get_global_id(0);
    o[i] = a[i] * b[i] + c[i];
    p[i] = i & 1 ? (a[i] + c[i]) >> 1 : -a[i];
    q[i] = (ushort)(c[i] << 5) / 3;
}

// @kernel doubles
// @grid 64 @local 32
// @in a f64 [i * 1.25 - 30 for i in range(64)]
// @in b f64 [1 / (i + 1) for i in range(64)]
// @out o f64 64
// @out f f32 64
// @out n i32 64
// @tolerance 1e-15
// @expect o = [x * y + x / y - y if x < 0 else math.sqrt(x) + y for x, y in zip(a, b)]
// @expect f = [f32(x * 3) for x in a]
// @expect n = [int(x * 7) for x in a]
kernel void
doubles(global const double *a, global const double *b, global double *o,
        global float *f, global int *n)
{
    int i = get_global_id(0);
    double x = a[i], y = b[i];
    if (x < 0)
        o[i] = x * y + x / y - y;
    else
        o[i] = __builtin_sqrt(x) + y;
    f[i] = (float)(x * 3);
    n[i] = (int)(x * 7);
}

// @kernel conversions
// @grid 32 @local 32
// @in a f32 [i * 3.7 - 50 for i in range(32)]
// @in l i64 [(i - 7) * 0x1fffffff7ff + i for i in range(32)]
// @out u u32 32
// @out d f64 32
// @out g f32 32
// @out k i64 32
// @tolerance 0
// @expect u = [int(abs(x)) for x in a]
// @expect d = [x + 0.5 for x in a]
// @expect g = [f32(float(y)) for y in l]
// @expect k = [int(x * 1e10) if i > 4 else int(x) for i, x in enumerate([f32(y) for y in a])]
kernel void
conversions(global const float *a, global const long *l, global uint *u,
            global double *d, global float *g, global long *k)
{
    int i = get_global_id(0);
    float x = a[i];
    u[i] = (uint)__builtin_fabsf(x);
    d[i] = (double)x + 0.5;
    g[i] = (float)l[i];
    k[i] = i > 4 ? (long)((double)x * 1e10) : (long)x;
}


// @kernel structs
// @grid 16 @local 16
// @u64 s (3 | struct.unpack('<I', struct.pack('<f', 1.5))[0] << 32)
// @out o f32 16
// @expect o = [3 * i + 1.5 for i in range(16)]
struct two {
    int x;
    float y;
};
kernel void
structs(struct two s, global float *o)
{
    int i = get_global_id(0);
    o[i] = s.x * i + s.y;
}

constant int table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
constant float weights[4] = { 0.5f, 1.5f, 2.5f, -1.0f };

// @kernel constants
// @def pi(i): return [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3][i % 16]
// @grid 48 @local 24
// @i32 k 6
// @out o f32 48
// @expect o = [(pi(i) + pi(6)) * [0.5, 1.5, 2.5, -1][i % 4] for i in range(48)]
kernel void
constants(int k, global float *o)
{
    int i = get_global_id(0);
    o[i] = (table[i % 16] + table[k]) * weights[i & 3];
}

// @kernel private_array
// @grid 40 @local 20
// @in a i32 [(i * 7919) % 101 for i in range(400)]
// @out o i32 400
// @expect o = [x for t in range(40) for x in sorted(a[10 * t:10 * t + 10])]
kernel void
private_array(global const int *a, global int *o)
{
    int t = get_global_id(0), x[10];
    for (int i = 0; i < 10; i++)
        x[i] = a[10 * t + i];
    for (int i = 1; i < 10; i++) {
        int v = x[i], j = i - 1;
        while (j >= 0 && x[j] > v) {
            x[j + 1] = x[j];
            j--;
        }
        x[j + 1] = v;
    }
    for (int i = 0; i < 10; i++)
        o[10 * t + i] = x[i];
}

// @kernel atomics
// @grid 128 @local 64
// @in a u32 [(i * 31) % 16 for i in range(128)]
// @inout h u32 [0] * 20
// @expect h[0:16] = [a.count(k) for k in range(16)]
// @expect h[16:20] = [sum_(a), max(a), 128, 127 * 64]
kernel void
atomics(global const uint *a, global uint *h)
{
    int i = get_global_id(0);
    __sync_fetch_and_add(&h[a[i]], 1);
    __sync_fetch_and_add(&h[16], a[i]);
    __sync_fetch_and_max((global int *)&h[17], (int)a[i]);
    __sync_fetch_and_add(&h[18], 1);
    uint old;
    do {
        old = *(volatile global uint *)&h[19];
    } while (__sync_val_compare_and_swap(&h[19], old, old + i) != old);
}

// @kernel vectors
// @grid 16 @local 16
// @in a f32 [float(i) for i in range(64)]
// @out b f32 64
// @expect b = [x * 2 + (y + 1) for t in range(16) for x, y in zip(a[4 * t:4 * t + 4], a[4 * t:4 * t + 4][::-1])]
kernel void
vectors(global const float4 *a, global float4 *b)
{
    int i = get_global_id(0);
    float4 v = a[i];
    b[i] = v * 2 + (v.wzyx + 1.0f);
}

// @kernel bits
// @grid 64 @local 32
// @in a u32 [(i * 0x9e3779b9 + (i << 3)) % 2**32 if i else 0 for i in range(64)]
// @out c u32 64
// @out z u32 64
// @out r u32 64
// @expect c = [bin(x).count('1') for x in a]
// @expect z = [32 - x.bit_length() for x in a]
// @expect r = [(x << (i % 32) | x >> (32 - i % 32)) % 2**32 for i, x in enumerate(a)]
kernel void
bits(global const uint *a, global uint *c, global uint *z, global uint *r)
{
    int i = get_global_id(0);
    c[i] = __builtin_popcount(a[i]);
    z[i] = a[i] ? __builtin_clz(a[i]) : 32;
    r[i] = __builtin_rotateleft32(a[i], i);
}

// @kernel rounding
// @grid 64 @local 32
// @in a f32 [i * 0.25 - 8 for i in range(62)] + [1e10, -3e9]
// @out f f32 64
// @out c f32 64
// @out t f32 64
// @out r f32 64
// @tolerance 0
// @expect f = [float(math.floor(x)) for x in a]
// @expect c = [float(math.ceil(x)) for x in a]
// @expect t = [float(math.trunc(x)) for x in a]
// @expect r = [float(round(x)) for x in a]
kernel void
rounding(global const float *a, global float *f, global float *c,
         global float *t, global float *r)
{
    int i = get_global_id(0);
    f[i] = __builtin_floorf(a[i]);
    c[i] = __builtin_ceilf(a[i]);
    t[i] = __builtin_truncf(a[i]);
    r[i] = __builtin_rintf(a[i]);
}

// @kernel inline_asm
// @skip pocl (is another processor)
// @grid 32 @local 32
// @in a f32 [i * 0.25 - 3 for i in range(32)]
// @in b i32 [i * 3 for i in range(32)]
// @i32 k 5
// @out e f32 32
// @out o i32 32
// @tolerance 1e-6
// @expect e = [math.exp(x) for x in a]
// @expect o = [(y + 5) * y + 7 * y + 5 for y in b]
kernel void
inline_asm(global const float *a, global const int *b, int k, global float *e,
           global int *o)
{
    int i = get_global_id(0), x, y = b[i];
    float f;
    __asm__("vfexp.v %0, %1" : "=vr"(f) : "vr"(a[i]));
    e[i] = f;
    __asm__("vadd.vx %0, %1, %2\n\tvmul.vv %0, %0, %1" : "=&vr"(x) : "vr"(y), "r"(k));
    int acc = k;
    __asm__("vmacc.vv %0, %1, %2" : "+vr"(acc) : "vr"(y), "vr"(7));
    o[i] = x + acc;
}
