// SPDX-License-Identifier: Apache-2.0
// Built-in functions where something was wrong once.

// The product of 24-bit numbers wraps: LLVM must not believe that it is
// positive when both factors are.
// @kernel mul24_wraps
// @skip pocl (it believes so)
// @def low(x): return (x & 0xffffffff) - (x >> 31 & 1) * 2**32
// @i32 m 7491073
// @in a i32 [6077443 + i for i in range(16)]
// @out o i64 16
// @out p i64 16
// @grid 16
// @expect o = [low(m * x) for x in a]
// @expect p = [low(m * x + 0x7fffffff) for x in a]
kernel void
mul24_wraps(int m, global const int *a, global long *o, global long *p)
{
    int i = get_global_id(0);
    o[i] = mul24(m & 0x7fffff, a[i] & 0x7fffff);
    p[i] = mad24(m & 0x7fffff, a[i] & 0x7fffff, 0x7fffffff);
}

// The absolute value of the lowest number is 2^31, or 2^63, which are no more
// than it if converted back: LLVM must not believe that they are positive.
// @kernel abs_of_the_lowest_number
// @in a i32 [-2**31, -2**31 + 1, -10, -9, 9, 10, 0, 2**31 - 1]
// @in b i64 [-2**63, -2**63 + 1, -10, -9, 9, 10, 0, 2**63 - 1]
// @out o u64 32
// @grid 8
// @def back(x, n): return x - (x >> n - 1 << n)
// @def both(x, n): return [abs(x), int(back(abs(x), n) > 9)]
// @expect o = [k for x, y in zip(a, b) for k in both(x, 32) + both(y, 64)]
kernel void
abs_of_the_lowest_number(global const int *a, global const long *b,
                         global ulong *o)
{
    int i = get_global_id(0);
    o[4 * i] = abs(a[i]);
    o[4 * i + 1] = (int)abs(a[i]) > 9;
    o[4 * i + 2] = abs(b[i]);
    o[4 * i + 3] = (long)abs(b[i]) > 9;
}

// Of constants: what libclc computes of a number that it cannot convert to int
// made the whole function undefined for LLVM, and the result 0.
// @kernel functions_of_constants
// @in x f32 [1, -1, 2, 0.5]
// @out o f32 20
// @grid 4
// @expect o = [k for p, r in zip([1, -1, math.inf, 0], [1, -1, 1, 1]) for k in (-1, math.inf, 3, p, r)]
kernel void
functions_of_constants(global const float *x, global float *o)
{
    int i = get_global_id(0);
    o[5 * i] = expm1(-INFINITY);
    o[5 * i + 1] = powr(0.0f, -1.0f);
    o[5 * i + 2] = isnan(powr(0.0f, 0.0f)) + 2 * isnan(expm1((double)NAN));
    o[5 * i + 3] = pown(x[i], INT_MAX);
    o[5 * i + 4] = rootn(x[i], INT_MAX);
}

// @kernel mad_hi_wraps
// @in a i32 [0x7fffffff - i for i in range(16)]
// @out o i64 16
// @grid 16
// @expect o = [low((x * x >> 32) + x) for x in a]
kernel void
mad_hi_wraps(global const int *a, global long *o)
{
    int i = get_global_id(0);
    o[i] = mad_hi(a[i] & 0x7fffffff, a[i] & 0x7fffffff, a[i] & 0x7fffffff);
}
