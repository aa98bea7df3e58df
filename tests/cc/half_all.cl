// SPDX-License-Identifier: Apache-2.0
// What half_dev.c runs on all halves, and on samples of two and three.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

#define KERNEL(NAME, FROM, TO, ...)                                           \
    kernel void NAME(global const FROM *a, global const half *b,              \
                     global const half *c, global TO *o)                      \
    {                                                                         \
        int i = get_global_id(0);                                             \
        FROM x = a[i];                                                        \
        half y = b[i], z = c[i];                                              \
        o[i] = __VA_ARGS__;                                                   \
    }

#define ONE(F) KERNEL(F##_, half, half, F(x))
ONE(acos) ONE(acosh) ONE(acospi) ONE(asin) ONE(asinh) ONE(asinpi) ONE(atan)
ONE(atanh) ONE(atanpi) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(cospi)
ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(fabs)
ONE(floor) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(logb) ONE(rint)
ONE(round) ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(sqrt) ONE(tan)
ONE(tanh) ONE(tanpi) ONE(tgamma) ONE(trunc) ONE(degrees) ONE(radians)
KERNEL(minus_, half, half, -x)
KERNEL(half3_, half, half, exp2((half3)(0, 0, x)).z)

#define TEST(F) KERNEL(F##_, half, int, F(x))
TEST(ilogb) TEST(isfinite) TEST(isinf) TEST(isnan) TEST(isnormal) TEST(signbit)

KERNEL(add_, half, half, x + y)
KERNEL(sub_, half, half, x - y)
KERNEL(mul_, half, half, x * y)
KERNEL(div_, half, half, x / y)
KERNEL(fma_, half, half, fma(x, y, z))
#define TWO(F) KERNEL(F##_, half, half, F(x, y))
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot)
TWO(nextafter) TWO(pow) TWO(remainder)
KERNEL(less_, half, int, (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y))

#define FROM_HALF(T)                                                          \
    KERNEL(T##_, half, T, (T)x)                                               \
    KERNEL(T##_sat, half, T, convert_##T##_sat(x))                            \
    KERNEL(T##_sat_rte, half, T, convert_##T##_sat_rte(x))                    \
    KERNEL(T##_sat_rtp, half, T, convert_##T##_sat_rtp(x))                    \
    KERNEL(T##_sat_rtn, half, T, convert_##T##_sat_rtn(x))                    \
    KERNEL(T##_rte, half, T, convert_##T##_rte(x))                            \
    KERNEL(T##_rtp, half, T, convert_##T##_rtp(x))                            \
    KERNEL(T##_rtn, half, T, convert_##T##_rtn(x))
FROM_HALF(char) FROM_HALF(uchar) FROM_HALF(short) FROM_HALF(ushort)
FROM_HALF(int) FROM_HALF(uint) FROM_HALF(long) FROM_HALF(ulong)
KERNEL(to_float, half, float, (float)x)

#define TO_HALF(T)                                                            \
    KERNEL(of_##T##_rte, T, half, convert_half(x))                            \
    KERNEL(of_##T##_rtz, T, half, convert_half_rtz(x))                        \
    KERNEL(of_##T##_rtp, T, half, convert_half_rtp(x))                        \
    KERNEL(of_##T##_rtn, T, half, convert_half_rtn(x))
TO_HALF(char) TO_HALF(uchar) TO_HALF(short) TO_HALF(ushort)
TO_HALF(int) TO_HALF(uint) TO_HALF(float)
#ifdef cl_khr_fp64
KERNEL(to_double, half, double, (double)x)
TO_HALF(double) TO_HALF(long) TO_HALF(ulong) // by double
#endif
