// SPDX-License-Identifier: Apache-2.0
// Functions of the device library: large kernels, constant tables, doubles.

// @kernel trig
// @grid 64 @local 32
// @in a f32 [i * 0.37 - 11 for i in range(64)]
// @out s f32 64
// @out c f32 64
// @out t f32 64
// @tolerance 1e-5
// @expect s = [math.sin(x) for x in a]
// @expect c = [math.cos(x) for x in a]
// @expect t = [math.tan(x) for x in a]
kernel void
trig(global const float *a, global float *s, global float *c, global float *t)
{
    int i = get_global_id(0);
    s[i] = sin(a[i]);
    c[i] = cos(a[i]);
    t[i] = tan(a[i]);
}

// @kernel powers
// @grid 64 @local 32
// @in a f32 [i * 0.37 + 0.1 for i in range(64)]
// @in b f32 [(i % 9) * 0.7 - 2.5 for i in range(64)]
// @out p f32 64
// @out e f32 64
// @out l f32 64
// @out h f32 64
// @tolerance 1e-5
// @expect p = [x ** y for x, y in zip(a, b)]
// @expect e = [math.exp(x) for x in b]
// @expect l = [math.log(x) for x in a]
// @expect h = [math.hypot(x, y) for x, y in zip(a, b)]
kernel void
powers(global const float *a, global const float *b, global float *p,
       global float *e, global float *l, global float *h)
{
    int i = get_global_id(0);
    p[i] = pow(a[i], b[i]);
    e[i] = exp(b[i]);
    l[i] = log(a[i]);
    h[i] = hypot(a[i], b[i]);
}

// @kernel in_double
// @grid 32 @local 16
// @in a f64 [i * 0.37 + 0.1 for i in range(32)]
// @out s f64 32
// @out p f64 32
// @out l f64 32
// @tolerance 1e-14
// @expect s = [math.sin(x) for x in a]
// @expect p = [x ** 1.75 for x in a]
// @expect l = [math.log(x) for x in a]
kernel void
in_double(global const double *a, global double *s, global double *p,
          global double *l)
{
    int i = get_global_id(0);
    s[i] = sin(a[i]);
    p[i] = pow(a[i], 1.75);
    l[i] = log(a[i]);
}

// @kernel halves
// @grid 64 @local 32
// @in h u16 [(i * 1021 + 7) % 31744 + (i % 2) * 32768 for i in range(62)] + [1, 0x7c00]
// @out f f32 64
// @out g u16 64
// @def half(b): return struct.unpack('<e', struct.pack('<H', b))[0]
// @tolerance 0
// @expect f = [half(b) for b in h]
// @expect g = [struct.unpack('<H', struct.pack('<e', half(b) * 0.75))[0] for b in h]
kernel void
halves(global const half *h, global float *f, global half *g)
{
    int i = get_global_id(0);
    f[i] = vload_half(i, h);
    vstore_half(f[i] * 0.75f, i, g);
}

// @kernel integers
// @grid 64 @local 32
// @in a i32 [i * 123456789 % 2**32 for i in range(64)]
// @in b i32 [i * 987654321 % 2**32 for i in range(64)]
// @out h i32 64
// @out s i32 64
// @out m i32 64
// @out d u32 64
// @expect h = [x * y >> 32 for x, y in zip(a, b)]
// @expect s = [max(-2**31, min(2**31 - 1, x + y)) for x, y in zip(a, b)]
// @expect m = [min(max(x, -1000000), y) if y >= -1000000 else y for x, y in zip(a, b)]
// @expect d = [abs(x - y) for x, y in zip(a, b)]
kernel void
integers(global const int *a, global const int *b, global int *h,
         global int *s, global int *m, global uint *d)
{
    int i = get_global_id(0);
    h[i] = mul_hi(a[i], b[i]);
    s[i] = add_sat(a[i], b[i]);
    m[i] = min(max(a[i], -1000000), b[i]);
    d[i] = abs_diff(a[i], b[i]);
}

// @kernel local_atomics
// @grid 128 @local 64
// @in a i32 [(i * 31) % 200 - 50 for i in range(128)]
// @out o i32 8
// @expect o = [f(a[64 * g:64 * g + 64]) for g in range(2) for f in (sum_, min, max, len)]
kernel void
local_atomics(global const int *a, global int *o)
{
    local int t[4];
    int l = get_local_id(0);
    if (l < 4)
        t[l] = l == 1 ? INT_MAX : l == 2 ? INT_MIN : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = a[get_global_id(0)];
    atomic_add(&t[0], v);
    atomic_min(&t[1], v);
    atomic_max(&t[2], v);
    atomic_inc(&t[3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4)
        o[4 * get_group_id(0) + l] = t[l];
}

// The code 0 made an infinity.
// @kernel nan_of_code_0
// @skip pocl (its NaN signals)
// @grid 4
// @in c u64 [0, 1, 77, 2**50]
// @out o u64 4
// @out p u64 8
// @expect o = [0x7ff8 << 48 | x for x in c]
// @expect p = [0x7ff8 << 48 | x for x in c for _ in range(2)]
kernel void
nan_of_code_0(global const ulong *c, global ulong *o, global ulong2 *p)
{
    size_t i = get_global_id(0);
    o[i] = as_ulong(nan(c[i]));
    p[i] = as_ulong2(nan((ulong2)(c[i])));
}

// Signs of products and of what is added; a variable of a loop among them.
// @kernel signed_products
// @grid 64 @local 32
// @in a f32 [1 + i / 8 for i in range(64)]
// @in b f32 [3 - i / 4 for i in range(64)]
// @out y f32 384
// @f32 s 1.5
// @def loop(p, q): t, u = p, q; exec("for k in range(4): t, u = t * t / 256 - u * u / 256 + p, 2 * t * u / 256 + q", None, (e := dict(t=t, u=u, p=p, q=q))); return e['t'] + e['u']
// @expect y[:320] = [x for p, q in zip(a, b) for x in (p * q - s * p, s - p * q, -(p * q) - p, p * p - q * q, s * q - p)]
// @expect y[320:] = [loop(p, q) for p, q in zip(a, b)]
// @tolerance 1e-4
kernel void
signed_products(global const float *a, global const float *b, global float *y,
                float s)
{
    uint i = get_global_id(0);
    float p = a[i], q = b[i], t = p, u = q;
    y[5 * i] = fma(p, q, -(s * p));
    y[5 * i + 1] = fma(-p, q, s);
    y[5 * i + 2] = fma(p, -q, -p);
    y[5 * i + 3] = fma(p, p, -(q * q));
    y[5 * i + 4] = fma(s, q, -p);
    for (int k = 0; k < 4; k++) {
        float next = t * t / 256 - u * u / 256 + p;
        u = 2 * t * u / 256 + q;
        t = next;
    }
    y[320 + i] = t + u;
}

// The neighbour of the least negative number is -0, not 0.
// @kernel nextafter_keeps_the_sign_of_zero
// @grid 2 @local 2
// @in f u32 [0x80000001, 1]
// @in d u64 [0x8000000000000001, 1]
// @out g u32 2
// @out e u64 2
// @expect g = [0x80000000, 0]
// @expect e = [0x8000000000000000, 0]
kernel void
nextafter_keeps_the_sign_of_zero(global const float *f, global const double *d,
                                 global float *g, global double *e)
{
    size_t i = get_global_id(0);
    g[i] = nextafter(f[i], -f[i]);
    e[i] = nextafter(d[i], -d[i]);
}
