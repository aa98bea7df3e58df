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
