/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of bits and reversal (cl_khr_extended_bit_ops).  A field of no bits is a case by
 * itself: shifts by all bits of an element are shifts by none.
 */
#include "ventus.h"

/* clang-format off */

/* T as unsigned U, as signed S; W bits. */
#define BITS(T, U, S, W)                                                      \
    PURE T bitfield_insert(T base, T insert, uint offset, uint count)         \
    {                                                                         \
        U ones = count ? (U)(~(U)0) >> (U)(W - count) : (U)0;                 \
        U field = (U)(ones << (U)offset), b = __builtin_astype(base, U);      \
        U moved = (U)(__builtin_astype(insert, U) << (U)offset);              \
        return __builtin_astype((U)(b ^ ((b ^ moved) & field)), T);           \
    }                                                                         \
    PURE U bitfield_extract_unsigned(T base, uint offset, uint count)         \
    {                                                                         \
        U top = (U)(__builtin_astype(base, U) << (U)(W - offset - count));    \
        return count ? (U)(top >> (U)(W - count)) : (U)0;                     \
    }                                                                         \
    PURE S bitfield_extract_signed(T base, uint offset, uint count)           \
    {                                                                         \
        U top = (U)(__builtin_astype(base, U) << (U)(W - offset - count));    \
        return count ? (S)(__builtin_astype(top, S) >> (S)(W - count)) : (S)0;\
    }

#define REVERSE(T) \
    PURE T bit_reverse(T x) { return __builtin_elementwise_bitreverse(x); }
/* Scalars would become int first. */
#define REVERSE_SCALAR(T) \
    PURE T bit_reverse(T x) { return bit_reverse((T##2)(x)).x; }

#define EACH_BITS(T, U, S, W)                                                 \
    BITS(T, U, S, W) BITS(T##2, U##2, S##2, W) BITS(T##3, U##3, S##3, W)      \
    BITS(T##4, U##4, S##4, W) BITS(T##8, U##8, S##8, W)                       \
    BITS(T##16, U##16, S##16, W)                                              \
    REVERSE(T##2) REVERSE_SCALAR(T) REVERSE(T##3) REVERSE(T##4)               \
    REVERSE(T##8) REVERSE(T##16)
#define SIGNED_AND_UNSIGNED(T, W) EACH_BITS(T, u##T, T, W) EACH_BITS(u##T, u##T, T, W)
SIGNED_AND_UNSIGNED(char, 8)
SIGNED_AND_UNSIGNED(short, 16)
SIGNED_AND_UNSIGNED(int, 32)
SIGNED_AND_UNSIGNED(long, 64)
