// SPDX-License-Identifier: Apache-2.0
// What CL_DEVICE_SINGLE_FP_CONFIG and CL_DEVICE_DOUBLE_FP_CONFIG promise:
// subnormal numbers, one rounding of fma, and correctly rounded division and
// square root in single precision.
// @options -cl-fp32-correctly-rounded-divide-sqrt

// Python's quotients of floats, rounded twice, are the ones rounded once: a
// double has more than twice the bits.
// @kernel divide_sqrt_f32
// @grid 64 @local 32
// @in a f32 [f32(1.1 ** (i * 7 % 64) * 10.0 ** (i % 13 - 6)) for i in range(64)]
// @in b f32 [f32(1.3 ** (i * 5 % 64) / 3) for i in range(64)]
// @out q f32 64
// @out s f32 64
// @tolerance 0
// @expect q = [f32(x / y) for x, y in zip(a, b)]
// @expect s = [f32(math.sqrt(x)) for x in a]
kernel void
divide_sqrt_f32(global const float *a, global const float *b, global float *q,
                global float *s)
{
    int i = get_global_id(0);
    q[i] = a[i] / b[i];
    s[i] = sqrt(a[i]);
}

// @kernel subnormal_f32
// @grid 32 @local 32
// @in a f32 [f32((i + 1) * 1.37e-39) for i in range(32)]
// @in b f32 [f32(3 - i / 8) for i in range(32)]
// @out sum f32 32
// @out product f32 32
// @out quotient f32 32
// @out root f32 32
// @out half_of f32 32
// @tolerance 0
// @expect sum = [f32(x + f32(1e-38)) for x in a]
// @expect product = [f32(x * y) for x, y in zip(a, b)]
// @expect quotient = [f32(x / 7) for x in a]
// @expect root = [f32(math.sqrt(x)) for x in a]
// @expect half_of = [f32(f32(1.5e-38) / 2 + x) for x in a]
kernel void
subnormal_f32(global const float *a, global const float *b, global float *sum,
              global float *product, global float *quotient, global float *root,
              global float *half_of)
{
    int i = get_global_id(0);
    sum[i] = a[i] + 1e-38f;
    product[i] = a[i] * b[i];
    quotient[i] = a[i] / 7.0f;
    root[i] = sqrt(a[i]);
    half_of[i] = fma(1.5e-38f, 0.5f, a[i]);
}

// The product of 1 + e and 1 - e is 1 - e^2, which two roundings lose.
// @kernel one_rounding
// @grid 8
// @in e u32 [13 + i for i in range(8)]
// @out f f32 8
// @out d f64 8
// @out contracted f32 8
// @tolerance 0
// @expect f = [-2.0 ** (-2 * n) for n in e]
// @expect d = [-2.0 ** (-2 * n - 28) for n in e]
// @expect contracted = [0.0 for n in e]
kernel void
one_rounding(global const uint *e, global float *f, global double *d,
             global float *contracted)
{
#pragma OPENCL FP_CONTRACT OFF
    int i = get_global_id(0);
    float x = ldexp(1.0f, -(int)e[i]);
    double y = ldexp(1.0, -(int)e[i] - 14);
    f[i] = fma(1.0f + x, 1.0f - x, -1.0f);
    d[i] = fma(1.0 + y, 1.0 - y, -1.0);
    contracted[i] = (1.0f + x) * (1.0f - x) - 1.0f;
}

// @kernel subnormal_f64
// @grid 32 @local 32
// @in a f64 [(i + 1) * 1.37e-310 for i in range(32)]
// @in b f64 [3 - i / 8 for i in range(32)]
// @out sum f64 32
// @out product f64 32
// @out quotient f64 32
// @out root f64 32
// @tolerance 0
// @expect sum = [x + 1e-309 for x in a]
// @expect product = [x * y for x, y in zip(a, b)]
// @expect quotient = [x / 7 for x in a]
// @expect root = [math.sqrt(x) for x in a]
kernel void
subnormal_f64(global const double *a, global const double *b,
              global double *sum, global double *product,
              global double *quotient, global double *root)
{
    int i = get_global_id(0);
    sum[i] = a[i] + 1e-309;
    product[i] = a[i] * b[i];
    quotient[i] = a[i] / 7;
    root[i] = sqrt(a[i]);
}

// libclc took subnormal numbers for zeros, or gave zeros for them.
// @kernel subnormal_remainders
// @grid 32 @local 32
// @in a f32 [f32((i + 1) * 1.37e-39 / 4 ** (i % 8)) for i in range(32)]
// @out m f32 32
// @out r f32 32
// @out p f32 32
// @tolerance 0
// @expect m = [math.fmod(1.5, v) for v in a]
// @expect r = [math.remainder(0.75, v) for v in a]
// @expect p = [f32(math.ldexp(v, 3)) for v in a]
kernel void
subnormal_remainders(global const float *a, global float *m, global float *r,
                     global float *p)
{
    int i = get_global_id(0);
    m[i] = fmod(1.5f, a[i]);
    r[i] = remainder(0.75f, a[i]);
    p[i] = ldexp(a[i], 3);
}

// @kernel subnormal_exp_log
// @grid 32 @local 32
// @in a f32 [f32((i + 1) * 1.37e-39 / 4 ** (i % 8)) for i in range(32)]
// @in x f32 [f32(-87.4 - i / 32) for i in range(32)]
// @out l f32 32
// @out e f32 32
// @tolerance 2e-6
// @expect l = [math.log(v) for v in a]
// @expect e = [math.exp(v) for v in x]
kernel void
subnormal_exp_log(global const float *a, global const float *x, global float *l,
                  global float *e)
{
    int i = get_global_id(0);
    l[i] = log(a[i]);
    e[i] = exp(x[i]);
}

// sinpi, cospi and sin of doubles gave zeros of the other sign.
// @kernel zeros
// @skip pocl (gives either zero)
// @grid 4
// @in x f64 [1.0, -1.0, 2.0, -0.0]
// @out s u64 4
// @out c u64 4
// @out z u64 4
// @out f u32 4
// @expect s = [0, 1 << 63, 0, 1 << 63]
// @expect c = [0, 0, 0, 0]
// @expect z[3:] = [1 << 63]
// @expect f = [0, 1 << 31, 0, 1 << 31]
kernel void
zeros(global const double *x, global ulong *s, global ulong *c, global ulong *z,
      global uint *f)
{
    int i = get_global_id(0);
    s[i] = as_ulong(sinpi(x[i]));
    c[i] = as_ulong(cospi(x[i] + 0.5));
    z[i] = as_ulong(sin(x[i]));
    f[i] = as_uint(sinpi((float)x[i]));
}

// What rounds to zero keeps its sign; what is beyond the largest float.
// @kernel double_to_float
// @grid 12
// @in x f64 [v * k for k in (1, -1) for v in (1e-46, 1e-300, 1.0 + 2 ** -40, 1e39, 3.5e38, 0.0)]
// @out z u32 12
// @out p u32 12
// @out n u32 12
// @def up(k): return [0x1, 0x1, 0x3f800001, 0x7f800000, 0x7f800000, 0][k]
// @def down(k): return [0, 0, 0x3f800000, 0x7f7fffff, 0x7f7fffff, 0][k]
// @expect z = [down(k) | s for s in (0, 1 << 31) for k in range(6)]
// @expect p = [up(k) for k in range(6)] + [down(k) | 1 << 31 for k in range(6)]
// @expect n = [down(k) for k in range(6)] + [up(k) | 1 << 31 for k in range(6)]
kernel void
double_to_float(global const double *x, global uint *z, global uint *p,
                global uint *n)
{
    int i = get_global_id(0);
    z[i] = as_uint(convert_float_rtz(x[i]));
    p[i] = as_uint(convert_float_rtp(x[i]));
    n[i] = as_uint(convert_float_rtn(x[i]));
}
