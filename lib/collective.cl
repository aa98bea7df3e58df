/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of a workgroup or of a warp, which is the sub-group, as a whole:
 * vote, broadcast, reduce, scan.  The machine moves nothing between lanes, so
 * values go through local memory, 64 bits for each work-item.
 *
 * Scans take log2(n) steps, in each of which a value is combined with the one
 * 1, 2, 4, ... places before it.  Between the steps a workgroup waits at a
 * barrier; the lanes of a warp run in step and need none: all of them load
 * before any of them stores.
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

/* ---- sub-groups ---- */

OVERLOAD uint get_max_sub_group_size(void) { return __ventus_csr_numt(); }
OVERLOAD uint get_enqueued_num_sub_groups(void) { return __ventus_csr_numw(); }
OVERLOAD uint get_sub_group_id(void) { return __ventus_csr_wid(); }
OVERLOAD uint get_sub_group_local_id(void) { return __ventus_lane(); }

OVERLOAD uint
get_sub_group_size(void)
{
    uint left = group_size() - __ventus_csr_tid();
    uint most = __ventus_csr_numt();
    return left < most ? left : most;
}

OVERLOAD uint
get_num_sub_groups(void)
{
    return (group_size() - 1) / __ventus_csr_numt() + 1;
}

/* ---- both ---- */

/* The participants: the number of a work-item among them, their count, the
 * place of the first one, how they wait for each other. */
#define WORK_GROUP(X, ...)                                                    \
    X(work_group, __ventus_local_linear(), group_size(), 0, wait(), __VA_ARGS__)
#define SUB_GROUP(X, ...)                                                     \
    X(sub_group, __ventus_lane(), get_sub_group_size(), __ventus_csr_tid(),   \
      , __VA_ARGS__)

#define PUT(T, at, x) (*(local volatile T *)&__ventus_values()[at] = (x))
#define GET(T, at)    (*(local volatile T *)&__ventus_values()[at])

#define ADD(a, b) ((a) + (b))
#define MIN(a, b) min(a, b)
#define MAX(a, b) max(a, b)

/* x becomes the sum of all up to this one, which is in its place too. */
#define STEPS(T, OP, ME, N, FIRST, WAIT)                                      \
    uint me = ME, n = N, at = FIRST + me;                                     \
    PUT(T, at, x);                                                            \
    WAIT;                                                                     \
    for (uint d = 1; d < n; d *= 2) {                                         \
        T other = GET(T, at - (me < d ? 0 : d));                              \
        WAIT;                                                                 \
        x = me < d ? x : OP(other, x);                                        \
        PUT(T, at, x);                                                        \
        WAIT;                                                                 \
    }

#define SCAN(G, ME, N, FIRST, WAIT, T, NAME, OP, NEUTRAL)                     \
    OVERLOAD T G##_reduce_##NAME(T x)                                         \
    {                                                                         \
        STEPS(T, OP, ME, N, FIRST, WAIT)                                      \
        x = GET(T, FIRST + n - 1);                                            \
        WAIT;                                                                 \
        return x;                                                             \
    }                                                                         \
    OVERLOAD T G##_scan_inclusive_##NAME(T x)                                 \
    {                                                                         \
        STEPS(T, OP, ME, N, FIRST, WAIT)                                      \
        return x;                                                             \
    }                                                                         \
    OVERLOAD T G##_scan_exclusive_##NAME(T x)                                 \
    {                                                                         \
        STEPS(T, OP, ME, N, FIRST, WAIT)                                      \
        x = GET(T, at - (me ? 1 : 0));                                        \
        WAIT;                                                                 \
        return me ? x : NEUTRAL;                                              \
    }

#define BROADCAST(G, ME, N, FIRST, WAIT, T)      \
    OVERLOAD T ventus_##G##_read(T x, uint from) \
    {                                            \
        PUT(T, FIRST + ME, x);                   \
        WAIT;                                    \
        x = GET(T, FIRST + from);                \
        WAIT;                                    \
        return x;                                \
    }

#define VOTE(G, ME, N, FIRST, WAIT, UNUSED)                                   \
    OVERLOAD int G##_any(int x) { return G##_reduce_max((int)(x != 0)); }     \
    OVERLOAD int G##_all(int x) { return G##_reduce_min((int)(x != 0)); }

#define BOTH(X, ...) WORK_GROUP(X, __VA_ARGS__) SUB_GROUP(X, __VA_ARGS__)
#define TYPE(T, LEAST, MOST)                                           \
    BOTH(SCAN, T, add, ADD, (T)0)                                      \
    BOTH(SCAN, T, min, MIN, MOST)                                      \
    BOTH(SCAN, T, max, MAX, LEAST)                                     \
    BOTH(BROADCAST, T)                                                 \
    OVERLOAD T sub_group_broadcast(T x, uint from)                     \
    { return ventus_sub_group_read(x, from); }                         \
    OVERLOAD T work_group_broadcast(T x, size_t i)                     \
    { return ventus_work_group_read(x, i); }                           \
    OVERLOAD T work_group_broadcast(T x, size_t i, size_t j)           \
    { return ventus_work_group_read(x, i + get_local_size(0) * j); }   \
    OVERLOAD T work_group_broadcast(T x, size_t i, size_t j, size_t k) \
    {                                                                  \
        return ventus_work_group_read(                                 \
            x, i + get_local_size(0) * (j + get_local_size(1) * k));   \
    }

TYPE(int, INT_MIN, INT_MAX)
TYPE(uint, 0u, UINT_MAX)
TYPE(long, LONG_MIN, LONG_MAX)
TYPE(ulong, 0ul, ULONG_MAX)
TYPE(float, -INFINITY, INFINITY)
TYPE(double, (double)-INFINITY, (double)INFINITY)
TYPE(half, (half)-INFINITY, (half)INFINITY)

BOTH(VOTE, )
