/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of a workgroup as a whole: vote, broadcast, reduce, scan.  Values go
 * through local memory, 64 bits for each work-item; those of sub-groups:
 * lib/subgroup.cl.
 *
 * Scans take log2(n) steps, in each of which a value is combined with the one
 * 1, 2, 4, ... places before it, with a barrier between the steps.
 */
#include "ventus.h"

/* clang-format off */

static uint
group_size(void)
{
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

static void
wait(void)
{
    barrier(CLK_LOCAL_MEM_FENCE);
}

#define PUT(T, at, x) (*(local volatile T *)&__ventus_values()[at] = (x))
#define GET(T, at)    (*(local volatile T *)&__ventus_values()[at])

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MIN(a, b) min(a, b)
#define MAX(a, b) max(a, b)
#define AND(a, b) ((a) & (b))
#define OR(a, b)  ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

/* x becomes the sum of all up to this one, which is in its place too. */
#define STEPS(T, OP)                                                          \
    uint at = __ventus_local_linear(), n = group_size();                      \
    PUT(T, at, x);                                                            \
    wait();                                                                   \
    for (uint d = 1; d < n; d *= 2) {                                         \
        T other = GET(T, at - (at < d ? 0 : d));                              \
        wait();                                                               \
        x = at < d ? x : OP(other, x);                                        \
        PUT(T, at, x);                                                        \
        wait();                                                               \
    }

#define SCAN(T, NAME, OP, NEUTRAL)                                            \
    OVERLOAD T work_group_reduce_##NAME(T x)                                  \
    {                                                                         \
        STEPS(T, OP)                                                          \
        x = GET(T, n - 1);                                                    \
        wait();                                                               \
        return x;                                                             \
    }                                                                         \
    OVERLOAD T work_group_scan_inclusive_##NAME(T x)                          \
    {                                                                         \
        STEPS(T, OP)                                                          \
        return x;                                                             \
    }                                                                         \
    OVERLOAD T work_group_scan_exclusive_##NAME(T x)                          \
    {                                                                         \
        STEPS(T, OP)                                                          \
        x = GET(T, at - (at ? 1 : 0));                                        \
        wait();                                                               \
        return at ? x : NEUTRAL;                                              \
    }

#define TYPE(T, LEAST, MOST)                                                  \
    SCAN(T, add, ADD, (T)0)                                                   \
    SCAN(T, mul, MUL, (T)1)                                                   \
    SCAN(T, min, MIN, MOST)                                                   \
    SCAN(T, max, MAX, LEAST)                                                  \
    OVERLOAD T work_group_broadcast(T x, size_t i)                            \
    {                                                                         \
        PUT(T, __ventus_local_linear(), x);                                   \
        wait();                                                               \
        x = GET(T, i);                                                        \
        wait();                                                               \
        return x;                                                             \
    }                                                                         \
    OVERLOAD T work_group_broadcast(T x, size_t i, size_t j)                  \
    { return work_group_broadcast(x, i + get_local_size(0) * j); }            \
    OVERLOAD T work_group_broadcast(T x, size_t i, size_t j, size_t k)        \
    {                                                                         \
        return work_group_broadcast(                                          \
            x, i + get_local_size(0) * (j + get_local_size(1) * k));          \
    }

/* Operations of bits, whose names in SPIR-V (BITWISE_NAMES) are other ones. */
#define INTEGER(T, LEAST, MOST)                                               \
    TYPE(T, LEAST, MOST)                                                      \
    SCAN(T, and, AND, (T)-1)                                                  \
    SCAN(T, or, OR, (T)0)                                                     \
    SCAN(T, xor, XOR, (T)0)                                                   \
    BITWISE_NAMES(work_group, T)

INTEGER(int, INT_MIN, INT_MAX)
INTEGER(uint, 0u, UINT_MAX)
INTEGER(long, LONG_MIN, LONG_MAX)
INTEGER(ulong, 0ul, ULONG_MAX)
/* OpenCL C has no narrower ones; SPIR-V does. */
INTEGER(char, CHAR_MIN, CHAR_MAX)
INTEGER(uchar, 0, UCHAR_MAX)
INTEGER(short, SHRT_MIN, SHRT_MAX)
INTEGER(ushort, 0, USHRT_MAX)
TYPE(float, -INFINITY, INFINITY)
TYPE(double, (double)-INFINITY, (double)INFINITY)
TYPE(half, (half)-INFINITY, (half)INFINITY)

/* Truth values; of the neutral elements, which are -1 and 0, the lowest bit remains. */
LOGICAL(work_group, and)
LOGICAL(work_group, or)
LOGICAL(work_group, xor)

OVERLOAD int work_group_any(int x) { return work_group_reduce_max((int)(x != 0)); }
OVERLOAD int work_group_all(int x) { return work_group_reduce_min((int)(x != 0)); }
