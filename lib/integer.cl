/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer functions that libclc lacks, or in which sums and products of signed
 * numbers may not wrap for LLVM.
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
