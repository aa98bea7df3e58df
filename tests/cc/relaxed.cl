// SPDX-License-Identifier: Apache-2.0
// What still holds when less is asked for: the errors that OpenCL C allows
// with fast relaxed math, and exact operations.
// @options -cl-fast-relaxed-math -cl-denorms-are-zero

// @kernel operations
// @grid 64 @local 32
// @in a f32 [f32(1.1 ** (i * 7 % 64) * 10.0 ** (i % 13 - 6)) for i in range(64)]
// @in b f32 [f32(1.3 ** (i * 5 % 64) / 3) for i in range(64)]
// @out sum f32 64
// @out quotient f32 64
// @out fused f32 64
// @tolerance 3e-7
// @expect sum = [x + y for x, y in zip(a, b)]
// @expect quotient = [x / y for x, y in zip(a, b)]
// @expect fused = [x * y + 1 for x, y in zip(a, b)]
kernel void
operations(global const float *a, global const float *b, global float *sum,
           global float *quotient, global float *fused)
{
    int i = get_global_id(0);
    sum[i] = a[i] + b[i];
    quotient[i] = a[i] / b[i];
    fused[i] = fma(a[i], b[i], 1.0f);
}

// Errors of 2^-11 in [-pi, pi] for sin and cos, of 3 + |2 x| ulp for exp, of
// 3 ulp for log beyond [1/2, 2].
// @kernel functions
// @grid 64 @local 32
// @in a f32 [f32(i * 0.095 - 3.1) for i in range(64)]
// @in b f32 [f32(3.0 ** (i - 20)) for i in range(64)]
// @out s f32 64
// @out c f32 64
// @out e f32 64
// @out l f32 64
// @out p f32 64
// @tolerance 1e-6
// @expect s = [math.sin(x) for x in a]
// @expect c = [math.cos(x) for x in a]
// @expect e = [math.exp(x) for x in a]
// @expect l = [math.log(x) for x in b]
// @expect p = [x ** 0.25 for x in b]
kernel void
functions(global const float *a, global const float *b, global float *s,
          global float *c, global float *e, global float *l, global float *p)
{
    int i = get_global_id(0);
    s[i] = sin(a[i]);
    c[i] = cos(a[i]);
    e[i] = exp(a[i]);
    l[i] = log(b[i]);
    p[i] = powr(b[i], 0.25f);
}

// It does not exclude subnormal numbers; logarithms were 2 % wrong.
// @kernel subnormal_log
// @grid 32 @local 32
// @in a f32 [f32((i + 1) * 1.37e-39 / 4 ** (i % 8)) for i in range(32)]
// @out l f32 32
// @out l2 f32 32
// @out l10 f32 32
// @tolerance 1e-6
// @expect l = [math.log(v) for v in a]
// @expect l2 = [math.log2(v) for v in a]
// @expect l10 = [math.log10(v) for v in a]
kernel void
subnormal_log(global const float *a, global float *l, global float *l2,
              global float *l10)
{
    int i = get_global_id(0);
    l[i] = log(a[i]);
    l2[i] = log2(a[i]);
    l10[i] = log10(a[i]);
}

// A function and its native one in the same program, as darktable has them.
// @kernel named
// @grid 64 @local 32
// @in a f32 [f32(i * 0.095 - 3.1) for i in range(64)]
// @out e f32 64
// @out n f32 64
// @out c f32 128
// @out m f32 128
// @tolerance 1e-6
// @expect e = [math.exp(x) for x in a]
// @expect n = [math.exp(x) for x in a]
// @expect c = [math.cos(x + k) for x in a for k in (0, 1)]
// @expect m = [math.cos(x + k) for x in a for k in (0, 1)]
kernel void
named(global const float *a, global float *e, global float *n,
      global float2 *c, global float2 *m)
{
    int i = get_global_id(0);
    e[i] = exp(a[i]);
    n[i] = native_exp(a[i]);
    c[i] = cos((float2)(a[i], a[i] + 1));
    m[i] = native_cos((float2)(a[i], a[i] + 1));
}
