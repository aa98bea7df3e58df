/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer functions that libclc lacks; in which sums and products of signed
 * numbers may not wrap for LLVM; and that are wrong at the ends of the range.
 */
#include "ventus.h"

/* clang-format off */

/* T by way of U; C converts one to the other, scalars or vectors. */
#define MAD_HI(T, U, C)                                                       \
    PURE T mad_hi(T a, T b, T c) { return C(T, C(U, mul_hi(a, b)) + C(U, c)); }
#define MUL24(T, U, C)                                                        \
    PURE T mul24(T a, T b) { return C(T, C(U, a) * C(U, b)); }                \
    PURE T mad24(T a, T b, T c)                                               \
    { return C(T, C(U, a) * C(U, b) + C(U, c)); }
#define CAST(T, x)   ((T)(x))
#define AS_IT_IS(T, x) __builtin_astype(x, T)

#define EACH(X, T, U)                                                         \
    X(T, U, CAST)                                                             \
    X(T##2, U##2, AS_IT_IS) X(T##3, U##3, AS_IT_IS) X(T##4, U##4, AS_IT_IS)   \
    X(T##8, U##8, AS_IT_IS) X(T##16, U##16, AS_IT_IS)
#define BOTH(X, T) EACH(X, T, u##T) EACH(X, u##T, u##T)
BOTH(MAD_HI, char)
BOTH(MAD_HI, short)
BOTH(MAD_HI, int)
BOTH(MAD_HI, long)
BOTH(MUL24, int)

/* The zeros below the lowest one; of 0 all. */
#define CTZ(T, U, C)                                                          \
    PURE T ctz(T a)                                                           \
    { return C(T, popcount(C(U, ~C(U, a) & (C(U, a) - (U)1)))); }
BOTH(CTZ, char)
BOTH(CTZ, short)
BOTH(CTZ, int)
BOTH(CTZ, long)

/* libclc says to LLVM that no scalar is the lowest number: 2^31 fits in the
 * result (OpenCL C 3.0, 6.15.3). */
PURE uint abs(int a) { return a < 0 ? 0 - (uint)a : (uint)a; }
PURE ulong abs(long a) { return a < 0 ? 0 - (ulong)a : (ulong)a; }

/* ---- half of a sum ---- */

/* Averages of 32 bits, and of vectors of narrower numbers, which are not extended for
 * it; an extended scalar needs no more than a sum and a shift. */
#define AVERAGE_VECTORS(T, F, NAME)                                           \
    PURE T##2 F(T##2 a, T##2 b)                                               \
    { return (T##2)(NAME(a.x, b.x), NAME(a.y, b.y)); }                        \
    PURE T##3 F(T##3 a, T##3 b)                                               \
    { return (T##3)(F(a.xy, b.xy), NAME(a.z, b.z)); }                         \
    PURE T##4 F(T##4 a, T##4 b)                                               \
    { return (T##4)(F(a.lo, b.lo), F(a.hi, b.hi)); }                          \
    PURE T##8 F(T##8 a, T##8 b)                                               \
    { return (T##8)(F(a.lo, b.lo), F(a.hi, b.hi)); }                          \
    PURE T##16 F(T##16 a, T##16 b)                                            \
    { return (T##16)(F(a.lo, b.lo), F(a.hi, b.hi)); }
#define AVERAGE(T, F, U)                                                      \
    INTRINSIC T __ventus_##F##U##_##T(T a, T b);                              \
    AVERAGE_VECTORS(T, F, __ventus_##F##U##_##T)
#define AVERAGE_NARROW(T, U)                                                  \
    PURE T hadd(T a, T b) { return (T)(((int)a + b) >> 1); }                  \
    PURE T rhadd(T a, T b) { return (T)(((int)a + b + 1) >> 1); }             \
    AVERAGE(T, hadd, U)                                                       \
    AVERAGE(T, rhadd, U)
#define AVERAGE_32(T, U)                                                      \
    AVERAGE(T, hadd, U)                                                       \
    AVERAGE(T, rhadd, U)                                                      \
    PURE T hadd(T a, T b) { return __ventus_hadd##U##_##T(a, b); }            \
    PURE T rhadd(T a, T b) { return __ventus_rhadd##U##_##T(a, b); }
AVERAGE_NARROW(char,)
AVERAGE_NARROW(uchar, u)
AVERAGE_NARROW(short,)
AVERAGE_NARROW(ushort, u)
AVERAGE_32(int,)
AVERAGE_32(uint, u)

/* ---- saturation ---- */

#define SATURATE(T)                                                           \
    PURE T add_sat(T a, T b) { return __builtin_elementwise_add_sat(a, b); }  \
    PURE T sub_sat(T a, T b) { return __builtin_elementwise_sub_sat(a, b); }
/* Scalars would become int first. */
#define SATURATE_SCALAR(T)                                                    \
    PURE T add_sat(T a, T b) { return add_sat((T##2)(a), (T##2)(b)).x; }      \
    PURE T sub_sat(T a, T b) { return sub_sat((T##2)(a), (T##2)(b)).x; }
#define SATURATES(T)                                                          \
    SATURATE(T##2) SATURATE_SCALAR(T) SATURATE(T##3) SATURATE(T##4)           \
    SATURATE(T##8) SATURATE(T##16)
FOR_INTEGERS(SATURATES)

/* The product as two words, c added; what is above 63 bits must be signs. */
PURE long
mad_sat(long a, long b, long c)
{
    ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
    long high = mul_hi(a, b) + (c >> 63) + (sum < low);
    if (high == (long)sum >> 63)
        return sum;
    return high < 0 ? LONG_MIN : LONG_MAX;
}

/* libclc multiplies the low words as signed numbers that do not overflow. */
PURE int
mad_sat(int a, int b, int c)
{
    long sum = (long)a * b + c;
    return sum > INT_MAX ? INT_MAX : sum < INT_MIN ? INT_MIN : (int)sum;
}

#define MAD_SAT(T)                                                            \
    PURE T mad_sat(T a, T b, T c)                                             \
    { return (T)(mad_sat(a.lo, b.lo, c.lo), mad_sat(a.hi, b.hi, c.hi)); }
#define MAD_SATS(T)                                                           \
    MAD_SAT(T##2)                                                             \
    PURE T##3 mad_sat(T##3 a, T##3 b, T##3 c)                                 \
    { return (T##3)(mad_sat(a.xy, b.xy, c.xy), mad_sat(a.z, b.z, c.z)); }     \
    MAD_SAT(T##4)                                                             \
    MAD_SAT(T##8)                                                             \
    MAD_SAT(T##16)
MAD_SATS(int)
MAD_SATS(long)

/* cl_khr_integer_dot_product: the sum of four products, which does not overflow; packed,
 * the bytes of a word are the elements. */
#define DOT(R, A, B, N)                                                       \
    PURE R dot(A a, B b)                                                      \
    {                                                                         \
        return (R)a.x * (R)b.x + (R)a.y * (R)b.y + (R)a.z * (R)b.z +          \
               (R)a.w * (R)b.w;                                               \
    }                                                                         \
    PURE R dot_acc_sat(A a, B b, R c) { return add_sat(dot(a, b), c); }       \
    PURE R dot_4x8packed_##N(uint a, uint b)                                  \
    { return dot(__builtin_astype(a, A), __builtin_astype(b, B)); }           \
    PURE R dot_acc_sat_4x8packed_##N(uint a, uint b, R c)                     \
    { return add_sat(dot_4x8packed_##N(a, b), c); }
DOT(uint, uchar4, uchar4, uu_uint)
DOT(int, char4, char4, ss_int)
DOT(int, uchar4, char4, us_int)
DOT(int, char4, uchar4, su_int)

/*
 * The instructions of SPV_KHR_integer_dot_product, as llvm-spirv names and types them: a
 * result of any width, of which the sum's low bits are, and operands that say nothing of
 * signs; packed, with the number of the format, which has one value.
 */
#define SPIRV_DOT_OF(NAME, R, T, PACKED, A, B)                        \
    PURE R __spirv_##NAME##DotKHR_R##R(char4 a, char4 b)                      \
    { return (R)dot(__builtin_astype(a, A), __builtin_astype(b, B)); }     \
    PURE R __spirv_##NAME##DotKHR_R##R(int a, int b, int format)              \
    { return (R)PACKED((uint)a, (uint)b); }                                   \
    PURE R __spirv_##NAME##DotAccSatKHR_R##R(char4 a, char4 b, T c)           \
    { return add_sat(__spirv_##NAME##DotKHR_R##R(a, b), (R)c); }              \
    PURE R __spirv_##NAME##DotAccSatKHR_R##R(int a, int b, T c, int format)   \
    { return add_sat(__spirv_##NAME##DotKHR_R##R(a, b, format), (R)c); }
#define SPIRV_DOT(T)                                                          \
    SPIRV_DOT_OF(S, T, T, dot_4x8packed_ss_int, char4, char4)            \
    SPIRV_DOT_OF(SU, T, T, dot_4x8packed_su_int, char4, uchar4)          \
    SPIRV_DOT_OF(U, u##T, T, dot_4x8packed_uu_uint, uchar4, uchar4)
SPIRV_DOT(char)
SPIRV_DOT(short)
SPIRV_DOT(int)
SPIRV_DOT(long)
