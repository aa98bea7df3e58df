/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shuffle and shuffle2.  libclc's branch on the components of a mask that is not
 * constant; these select.  half.cl has those of halfs.
 */
#include "ventus.h"

/* clang-format off */

#define AT_2(x, at, N)  x[at.s0 & (N - 1)], x[at.s1 & (N - 1)]
#define AT_4(x, at, N)  AT_2(x, at.lo, N), AT_2(x, at.hi, N)
#define AT_8(x, at, N)  AT_4(x, at.lo, N), AT_4(x, at.hi, N)
#define AT_16(x, at, N) AT_8(x, at.lo, N), AT_8(x, at.hi, N)

/* A component of two vectors: the bit above the index says of which. */
#define OF(x, y, i, N)  (i & N ? y[i & (N - 1)] : x[i & (N - 1)])
#define OF_2(x, y, at, N)  OF(x, y, at.s0, N), OF(x, y, at.s1, N)
#define OF_4(x, y, at, N)  OF_2(x, y, at.lo, N), OF_2(x, y, at.hi, N)
#define OF_8(x, y, at, N)  OF_4(x, y, at.lo, N), OF_4(x, y, at.hi, N)
#define OF_16(x, y, at, N) OF_8(x, y, at.lo, N), OF_8(x, y, at.hi, N)

#define SHUFFLE(T, U, N, M)                                                   \
    PURE T##N shuffle(T##M x, U##N at)                                        \
    { return (T##N)(AT_##N(x, at, M)); }                                      \
    PURE T##N shuffle2(T##M x, T##M y, U##N at)                               \
    { return (T##N)(OF_##N(x, y, at, M)); }
#define FROM_ALL(T, U, N)                                                     \
    SHUFFLE(T, U, N, 2) SHUFFLE(T, U, N, 4)                                   \
    SHUFFLE(T, U, N, 8) SHUFFLE(T, U, N, 16)
#define SHUFFLES(T, U)                                                        \
    FROM_ALL(T, U, 2) FROM_ALL(T, U, 4) FROM_ALL(T, U, 8) FROM_ALL(T, U, 16)
SHUFFLES(char, uchar)
SHUFFLES(uchar, uchar)
SHUFFLES(short, ushort)
SHUFFLES(ushort, ushort)
SHUFFLES(int, uint)
SHUFFLES(uint, uint)
SHUFFLES(long, ulong)
SHUFFLES(ulong, ulong)
SHUFFLES(float, uint)
SHUFFLES(double, ulong)
