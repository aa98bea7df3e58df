/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of a sub-group: numbers, shuffles, votes, ballots, reductions and scans, of
 * all work-items of it or of those that are active.  A sub-group is a warp; in a kernel
 * that requires a size (intel_reqd_sub_group_size) it is one of the equal parts of a
 * warp, which may be only one.
 *
 * The machine moves nothing between lanes, so values go through local memory, in which
 * a sub-group has 64 bits for each of its lanes.  The lanes run in step and need no
 * barrier: all of them store before any of them loads.  What the active lanes have in
 * common (their set, how many they are, a sum of integers) is gathered by an atomic on
 * one word.
 *
 * All values that go from one lane to another do so in TAKE, SCAN_STEPS, CLUSTER_STEPS or
 * GATHER, where instructions that move them would take their place.
 */
#include "image.h"

/* Between two of these a function is executed by the same lanes: LLVM neither merges nor
 * duplicates what is between them.  No instruction. */
void
__ventus_together(void);

/* clang-format off */

/* ---- numbers ---- */

/* The lanes of a whole sub-group. */
static uint
width(void)
{
    uint required = __ventus_required_sub_group();
    return required ? required : __ventus_csr_numt();
}

/* The number of a lane in its sub-group. */
static uint
own_lane(void)
{
    uint required = __ventus_required_sub_group();
    return required ? __ventus_lane() & (required - 1) : __ventus_lane();
}

/* The number of the sub-group's first work-item in the workgroup. */
static uint
first_item(void)
{
    uint tid = __ventus_csr_tid(), required = __ventus_required_sub_group();
    return required ? tid + (__ventus_lane() & -required) : tid;
}

static uint
group_size(void)
{
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

OVERLOAD uint get_max_sub_group_size(void) { return width(); }
OVERLOAD uint get_sub_group_local_id(void) { return own_lane(); }

OVERLOAD uint
get_sub_group_id(void)
{
    return __ventus_required_sub_group() ? first_item() / width()
                                         : __ventus_csr_wid();
}

OVERLOAD uint
get_enqueued_num_sub_groups(void)
{
    if (!__ventus_required_sub_group())
        return __ventus_csr_numw();
    uint size = get_enqueued_local_size(0) * get_enqueued_local_size(1) *
                get_enqueued_local_size(2);
    return (size - 1) / width() + 1;
}

OVERLOAD uint
get_sub_group_size(void)
{
    uint left = group_size() - first_item();
    return left < width() ? left : width();
}

OVERLOAD uint
get_num_sub_groups(void)
{
    return (group_size() - 1) / width() + 1;
}

/* ---- local memory of the sub-group: slots of 4 bytes or of 8 ---- */

#define SLOT(T, at)                                                          \
    (*(local volatile T *)((local char *)(__ventus_values() +                \
                                          first_item()) +                    \
                           (sizeof(T) > 4 ? 8 : 4) * (at)))

#define FOR_TYPES(X) FOR_SCALARS(X) X(half)

/* ---- shuffles: the value of another lane ---- */

/* The value of a lane that is not there or does not take part is undefined; no access is
 * outside of the warp's slots. */
#define TAKE(T)                                                 \
    static OVERLOAD T take(T x, uint from)                      \
    {                                                           \
        __ventus_together();                                    \
        SLOT(T, own_lane()) = x;                                \
        x = SLOT(T, min(from, width() - 1));                    \
        __ventus_together();                                    \
        return x;                                               \
    }
#define TAKE_2(T)                                               \
    static OVERLOAD T take(T x, uint from)                      \
    { return (T)(take(x.lo, from), take(x.hi, from)); }
#define TAKE_VECTORS(T)                                         \
    TAKE_2(T##2)                                                \
    static OVERLOAD T##3 take(T##3 x, uint from)                \
    { return (T##3)(take(x.xy, from), take(x.z, from)); }       \
    TAKE_2(T##4) TAKE_2(T##8) TAKE_2(T##16)
FOR_TYPES(TAKE)
FOR_TYPES(TAKE_VECTORS)

#define BROADCAST(T)                                            \
    OVERLOAD T sub_group_broadcast(T x, uint from)              \
    { return take(x, from); }                                   \
    OVERLOAD T sub_group_non_uniform_broadcast(T x, uint from)  \
    { return take(x, from); }
#define BROADCASTS(T) FOR_WIDTHS(BROADCAST, T)
FOR_TYPES(BROADCASTS)

#define SHUFFLE(T)                                                        \
    OVERLOAD T sub_group_shuffle(T x, uint from)                          \
    { return take(x, from); }                                             \
    OVERLOAD T sub_group_shuffle_xor(T x, uint mask)                      \
    { return take(x, own_lane() ^ mask); }                                \
    OVERLOAD T sub_group_shuffle_up(T x, uint delta)                      \
    { return take(x, own_lane() - delta); }                               \
    OVERLOAD T sub_group_shuffle_down(T x, uint delta)                    \
    { return take(x, own_lane() + delta); }                               \
    OVERLOAD T sub_group_rotate(T x, int delta)                           \
    { return take(x, (own_lane() + delta) % width()); }                   \
    OVERLOAD T sub_group_clustered_rotate(T x, int delta, uint size)      \
    {                                                                     \
        uint lane = own_lane();                                           \
        return take(x, (lane & -size) | ((lane + delta) & (size - 1)));   \
    }
FOR_TYPES(SHUFFLE)

/* ---- votes and ballots ---- */

/* Lanes for which it holds write the word that is read, all others the one after it. */
static int
is_any(int x)
{
    __ventus_together();
    SLOT(uint, 0) = 0;
    SLOT(uint, x ? 0 : 1) = 1;
    x = SLOT(uint, 0);
    __ventus_together();
    return x;
}

OVERLOAD int sub_group_any(int x) { return is_any(x); }
OVERLOAD int sub_group_all(int x) { return !is_any(!x); }
OVERLOAD int sub_group_non_uniform_any(int x) { return is_any(x); }
OVERLOAD int sub_group_non_uniform_all(int x) { return !is_any(!x); }

/* A bit for each active lane for which it holds; warps have 64 lanes at most. */
static uint2
ballot(bool x)
{
    uint lane = own_lane(), bit = x ? 1u << (lane & 31) : 0;
    uint2 all = 0;
    bool is_wide = width() > 32;
    __ventus_together();
    SLOT(uint, 0) = 0;
    if (is_wide)
        SLOT(uint, 1) = 0;
    atomic_or(&SLOT(uint, is_wide ? lane >> 5 : 0), bit);
    all.x = SLOT(uint, 0);
    if (is_wide)
        all.y = SLOT(uint, 1);
    __ventus_together();
    return all;
}

/* The bits of the lanes below one. */
static uint
below_in_word(uint lane)
{
    return lane < 32 ? (1u << lane) - 1 : ~0u;
}

static uint2
below(uint lane)
{
    return (uint2)(below_in_word(lane), lane < 32 ? 0 : below_in_word(lane - 32));
}

static uint4
as_ballot(uint2 bits)
{
    return (uint4)(bits, 0, 0);
}

static uint
count(uint2 bits)
{
    uint low = popcount(bits.x);
    return width() > 32 ? low + popcount(bits.y) : low;
}

static uint
lowest(uint2 bits)
{
    return bits.x ? ctz(bits.x) : 32 + ctz(bits.y);
}

OVERLOAD int sub_group_elect(void)
{ return own_lane() == lowest(ballot(true)); }
OVERLOAD uint4 sub_group_ballot(int x) { return as_ballot(ballot(x)); }

OVERLOAD int
sub_group_ballot_bit_extract(uint4 bits, uint at)
{
    uint2 half_of = at < 64 ? bits.xy : bits.zw;
    return (at & 32 ? half_of.y : half_of.x) >> (at & 31) & 1;
}

OVERLOAD int sub_group_inverse_ballot(uint4 bits)
{ return sub_group_ballot_bit_extract(bits, own_lane()); }
OVERLOAD uint sub_group_ballot_bit_count(uint4 bits)
{ return count(bits.xy & below(width())); }
OVERLOAD uint sub_group_ballot_exclusive_scan(uint4 bits)
{ return count(bits.xy & below(own_lane())); }
OVERLOAD uint sub_group_ballot_inclusive_scan(uint4 bits)
{ return count(bits.xy & below(own_lane() + 1)); }
OVERLOAD uint sub_group_ballot_find_lsb(uint4 bits) { return lowest(bits.xy); }

OVERLOAD uint
sub_group_ballot_find_msb(uint4 bits)
{
    uint2 there = bits.xy & below(width());
    return there.y ? 63 - clz(there.y) : 31 - clz(there.x);
}

OVERLOAD uint4 get_sub_group_lt_mask(void)
{ return as_ballot(below(own_lane())); }
OVERLOAD uint4 get_sub_group_le_mask(void)
{ return as_ballot(below(own_lane() + 1)); }
OVERLOAD uint4 get_sub_group_eq_mask(void)
{ return get_sub_group_le_mask() & ~get_sub_group_lt_mask(); }
OVERLOAD uint4 get_sub_group_ge_mask(void)
{ return as_ballot(below(width())) & ~get_sub_group_lt_mask(); }
OVERLOAD uint4 get_sub_group_gt_mask(void)
{ return as_ballot(below(width())) & ~get_sub_group_le_mask(); }

#define FIRST(T)                                                \
    OVERLOAD T sub_group_broadcast_first(T x)                   \
    { return take(x, lowest(ballot(true))); }                   \
    OVERLOAD int sub_group_non_uniform_all_equal(T x)           \
    { return !is_any(!(x == sub_group_broadcast_first(x))); }
FOR_TYPES(FIRST)

/* ---- reductions and scans ---- */

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MIN(a, b) min(a, b)
#define MAX(a, b) max(a, b)
#define AND(a, b) ((a) & (b))
#define OR(a, b)  ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

/* Integers of up to 32 bits: all lanes of a cluster add to one word. */
#define GATHER(T, WORD, NAME, NEUTRAL)                          \
    static OVERLOAD T reduce_##NAME(T x, uint first)            \
    {                                                           \
        __ventus_together();                                    \
        SLOT(WORD, first) = (WORD)(NEUTRAL);                    \
        atomic_##NAME(&SLOT(WORD, first), (WORD)x);             \
        x = (T)SLOT(WORD, first);                               \
        __ventus_together();                                    \
        return x;                                               \
    }

/* A number for each active lane of a cluster, from 0 in any order; *n: how many there are. */
static uint
arrive(uint first, uint *n)
{
    SLOT(uint, first) = 0;
    uint me = atomic_add(&SLOT(uint, first), 1);
    *n = SLOT(uint, first);
    return me;
}

/*
 * x becomes the result of all values up to that of number me of n, in log2(n) steps: a
 * value is combined with the one 1, 2, 4, ... places before it.  Values of 4 bytes have
 * as many neutral ones before them.
 */
#define SCAN_STEPS(T, OP, NEUTRAL)                                        \
    bool is_padded = sizeof(T) <= 4;                                      \
    uint at = is_padded ? n + me : me;                                    \
    if (is_padded)                                                        \
        SLOT(T, me) = NEUTRAL;                                            \
    SLOT(T, at) = x;                                                      \
    _Pragma("unroll") for (uint d = 1; d < 64; d *= 2) {                  \
        if (d >= n)                                                       \
            break;                                                        \
        bool is_low = !is_padded && me < d;                               \
        T other = SLOT(T, is_low ? at : at - d);                          \
        x = is_low ? x : OP(other, x);                                    \
        SLOT(T, at) = x;                                                  \
    }

/* The same in a cluster, whose n its own lanes know. */
#define CLUSTER_STEPS(T, OP)                                              \
    uint at = first + me;                                                 \
    SLOT(T, at) = x;                                                      \
    for (uint d = 1; d < size; d *= 2) {                                  \
        T other = SLOT(T, me < d ? at : at - d);                          \
        x = me < d ? x : OP(other, x);                                    \
        SLOT(T, at) = x;                                                  \
    }

#define SCAN(T, NAME, OP, NEUTRAL)                                        \
    static OVERLOAD T scan_##NAME(T x, uint me, uint n)                   \
    {                                                                     \
        SCAN_STEPS(T, OP, NEUTRAL)                                        \
        return x;                                                         \
    }                                                                     \
    static OVERLOAD T before_##NAME(T x, uint me, uint n)                 \
    {                                                                     \
        SCAN_STEPS(T, OP, NEUTRAL)                                        \
        x = SLOT(T, is_padded || me ? at - 1 : 0);                        \
        return is_padded || me ? x : NEUTRAL;                             \
    }                                                                     \
    OVERLOAD T sub_group_non_uniform_scan_inclusive_##NAME(T x)           \
    {                                                                     \
        uint2 bits = ballot(true);                                        \
        __ventus_together();                                              \
        x = scan_##NAME(x, count(bits & below(own_lane())),               \
                        count(bits));                                     \
        __ventus_together();                                              \
        return x;                                                         \
    }                                                                     \
    OVERLOAD T sub_group_non_uniform_scan_exclusive_##NAME(T x)           \
    {                                                                     \
        uint2 bits = ballot(true);                                        \
        __ventus_together();                                              \
        x = before_##NAME(x, count(bits & below(own_lane())),             \
                          count(bits));                                   \
        __ventus_together();                                              \
        return x;                                                         \
    }

/* Reductions that no atomic does. */
#define REDUCE(T, NAME, OP, NEUTRAL)                                      \
    static OVERLOAD T reduce_##NAME(T x)                                  \
    {                                                                     \
        uint n;                                                           \
        __ventus_together();                                              \
        uint me = arrive(0, &n);                                          \
        SCAN_STEPS(T, OP, NEUTRAL)                                        \
        x = SLOT(T, is_padded ? 2 * n - 1 : n - 1);                       \
        __ventus_together();                                              \
        return x;                                                         \
    }                                                                     \
    OVERLOAD T sub_group_non_uniform_reduce_##NAME(T x)                   \
    { return reduce_##NAME(x); }                                          \
    OVERLOAD T sub_group_clustered_reduce_##NAME(T x, uint size)          \
    {                                                                     \
        uint n, first = own_lane() & -size;                               \
        __ventus_together();                                              \
        uint me = arrive(first, &n);                                      \
        CLUSTER_STEPS(T, OP)                                              \
        x = SLOT(T, first + n - 1);                                       \
        __ventus_together();                                              \
        return x;                                                         \
    }

/* Operations of integers that an atomic does. */
#define REDUCE_WORD(T, WORD, NAME, NEUTRAL)                               \
    GATHER(T, WORD, NAME, NEUTRAL)                                        \
    static OVERLOAD T reduce_##NAME(T x) { return reduce_##NAME(x, 0); }  \
    OVERLOAD T sub_group_non_uniform_reduce_##NAME(T x)                   \
    { return reduce_##NAME(x); }                                          \
    OVERLOAD T sub_group_clustered_reduce_##NAME(T x, uint size)          \
    { return reduce_##NAME(x, own_lane() & -size); }

/* Functions that all work-items of the sub-group call. */
#define UNIFORM(T, NAME)                                                  \
    OVERLOAD T sub_group_reduce_##NAME(T x) { return reduce_##NAME(x); }  \
    OVERLOAD T sub_group_scan_inclusive_##NAME(T x)                       \
    {                                                                     \
        uint n;                                                           \
        __ventus_together();                                              \
        arrive(0, &n);                                                    \
        x = scan_##NAME(x, own_lane(), n);                                \
        __ventus_together();                                              \
        return x;                                                         \
    }                                                                     \
    OVERLOAD T sub_group_scan_exclusive_##NAME(T x)                       \
    {                                                                     \
        uint n;                                                           \
        __ventus_together();                                              \
        arrive(0, &n);                                                    \
        x = before_##NAME(x, own_lane(), n);                              \
        __ventus_together();                                              \
        return x;                                                         \
    }

#define SCANS(T, LEAST, MOST)                                             \
    SCAN(T, add, ADD, (T)0) SCAN(T, mul, MUL, (T)1)                       \
    SCAN(T, min, MIN, MOST) SCAN(T, max, MAX, LEAST)
#define BIT_SCANS(T)                                                      \
    SCAN(T, and, AND, (T)-1) SCAN(T, or, OR, (T)0) SCAN(T, xor, XOR, (T)0)
/* Uniform arithmetic of sub-groups; products and bits are SPIR-V's alone. */
#define UNIFORMS(T)                                                       \
    UNIFORM(T, add) UNIFORM(T, min) UNIFORM(T, max) UNIFORM(T, mul)
#define BIT_UNIFORMS(T)                                                   \
    UNIFORM(T, and) UNIFORM(T, or) UNIFORM(T, xor)                        \
    BITWISE_NAMES(sub_group, T)

/* Integers of up to 32 bits, of 64 bits, floating point. */
#define WORDS(T, WORD, LEAST, MOST)                                       \
    SCANS(T, LEAST, MOST) BIT_SCANS(T)                                    \
    REDUCE_WORD(T, WORD, add, 0) REDUCE(T, mul, MUL, (T)1)                \
    REDUCE_WORD(T, WORD, min, MOST) REDUCE_WORD(T, WORD, max, LEAST)      \
    REDUCE_WORD(T, WORD, and, -1) REDUCE_WORD(T, WORD, or, 0)             \
    REDUCE_WORD(T, WORD, xor, 0) UNIFORMS(T) BIT_UNIFORMS(T)
#define REALS(T, LEAST, MOST)                                             \
    SCANS(T, LEAST, MOST)                                                 \
    REDUCE(T, add, ADD, (T)0) REDUCE(T, mul, MUL, (T)1)                   \
    REDUCE(T, min, MIN, MOST) REDUCE(T, max, MAX, LEAST) UNIFORMS(T)
#define PAIRS(T, LEAST, MOST)                                             \
    BIT_SCANS(T) REALS(T, LEAST, MOST)                                    \
    REDUCE(T, and, AND, (T)-1) REDUCE(T, or, OR, (T)0)                    \
    REDUCE(T, xor, XOR, (T)0) BIT_UNIFORMS(T)

WORDS(char, int, CHAR_MIN, CHAR_MAX)
WORDS(uchar, uint, 0, UCHAR_MAX)
WORDS(short, int, SHRT_MIN, SHRT_MAX)
WORDS(ushort, uint, 0, USHRT_MAX)
WORDS(int, int, INT_MIN, INT_MAX)
WORDS(uint, uint, 0u, UINT_MAX)
PAIRS(long, LONG_MIN, LONG_MAX)
PAIRS(ulong, 0ul, ULONG_MAX)
REALS(float, -INFINITY, INFINITY)
REALS(double, (double)-INFINITY, (double)INFINITY)
REALS(half, (half)-INFINITY, (half)INFINITY)

/* Reductions and scans of truth values; of the neutral elements, which are -1 and 0, the
 * lowest bit remains. */
#define CLUSTER_LOGICAL(NAME)                                                 \
    LOGICAL(sub_group_non_uniform, NAME) LOGICAL(sub_group, NAME)             \
    OVERLOAD int sub_group_clustered_reduce_logical_##NAME(int x, uint size)  \
    { return sub_group_clustered_reduce_##NAME((int)(x != 0), size); }
CLUSTER_LOGICAL(and)
CLUSTER_LOGICAL(or)
CLUSTER_LOGICAL(xor)

/* ---- cl_intel_subgroups ---- */

/* The lanes of two values, one after the other: of the first one come those up to the
 * width, then those of the second. */
#define INTEL(T)                                                              \
    OVERLOAD T intel_sub_group_shuffle(T x, uint from)                        \
    { return take(x, from); }                                                 \
    OVERLOAD T intel_sub_group_shuffle_xor(T x, uint mask)                    \
    { return take(x, own_lane() ^ mask); }                                    \
    OVERLOAD T intel_sub_group_shuffle_down(T x, T next, uint delta)          \
    {                                                                         \
        uint at = own_lane() + delta, n = width();                            \
        T low = take(x, at), high = take(next, at - n);                       \
        return at < n ? low : high;                                           \
    }                                                                         \
    OVERLOAD T intel_sub_group_shuffle_up(T last, T x, uint delta)            \
    { return intel_sub_group_shuffle_down(last, x,                            \
                                          width() - delta); }
#define INTELS(T) FOR_WIDTHS(INTEL, T)
INTELS(int) INTELS(uint) INTELS(float)
INTELS(long) INTELS(ulong) INTELS(half) INTELS(double)
/* OpenCL C has no narrower ones, and of 64 bits and halves no vectors; SPIR-V does. */
INTELS(char) INTELS(uchar) INTELS(short) INTELS(ushort)

/* Blocks of words: of a buffer, those of the lanes side by side, then the next ones; of an
 * image, a row each.  Rows have whole words; outside of an image is its edge, and nothing
 * is written. */
static global uchar *
pixel_word(image i, int2 at, int row, bool *inside)
{
    int x = at.x + 4 * (int)own_lane(), y = at.y + row;
    int most_x = (int)(i->width << i->pixel_shift) / 4 * 4 - 4;
    int most_y = (int)i->height - 1;
    int to_x = clamp(x, 0, max(most_x, 0)), to_y = clamp(y, 0, most_y);
    *inside = x == to_x && y == to_y;
    size_t data = (size_t)((ulong)i->data_high << 32 | i->data);
    return (global uchar *)(data + (size_t)to_y * i->row_pitch + to_x);
}

static uint
read_word(image i, int2 at, int row)
{
    bool inside;
    return as_uint(vload4(0, pixel_word(i, at, row, &inside)));
}

static void
write_word(image i, int2 at, int row, uint x)
{
    bool inside;
    global uchar *to = pixel_word(i, at, row, &inside);
    if (inside)
        *(global uint *)to = x;
}

#define WORDS_2(F, k)  F(k), F(k + 1)
#define WORDS_4(F, k)  WORDS_2(F, k), WORDS_2(F, k + 2)
#define WORDS_8(F)     WORDS_4(F, 0), WORDS_4(F, 4)
#define OF_BUFFER(k)   p[own_lane() + (k) * width()]
#define OF_IMAGE(k)    read_word(d, at, k)
#define BLOCK_READ(N, T, LIST, ACCESS)                                        \
    OVERLOAD T intel_sub_group_block_read##N(ACCESS image2d_t i, int2 at)     \
    {                                                                         \
        image d = handle_of(i);                                               \
        return (T)(LIST(OF_IMAGE));                                           \
    }
#define BLOCK_WRITE(N, T, TO, ITEM)                                           \
    OVERLOAD void intel_sub_group_block_write##N(TO, T x)                     \
    {                                                                         \
        uint all[8] __attribute__((aligned(32)));                             \
        *(T *)all = x;                                                        \
        _Pragma("unroll") for (uint k = 0; k < sizeof(T) / 4; k++)            \
            ITEM;                                                             \
    }
#define TO_IMAGE write_word(handle_of(i), at, (int)k, all[k])
#define IMAGE_AT(ACCESS) ACCESS image2d_t i, int2 at
#define BLOCK(N, T, LIST)                                                     \
    OVERLOAD T intel_sub_group_block_read##N(const global uint *p)            \
    { return (T)(LIST(OF_BUFFER)); }                                          \
    BLOCK_READ(N, T, LIST, read_only)                                         \
    BLOCK_READ(N, T, LIST, read_write)                                        \
    BLOCK_WRITE(N, T, global uint *p, OF_BUFFER(k) = all[k])                  \
    BLOCK_WRITE(N, T, IMAGE_AT(write_only), TO_IMAGE)                         \
    BLOCK_WRITE(N, T, IMAGE_AT(read_write), TO_IMAGE)
#define LIST_1(F) F(0)
#define LIST_2(F) WORDS_2(F, 0)
#define LIST_4(F) WORDS_4(F, 0)
BLOCK(, uint, LIST_1)
BLOCK(2, uint2, LIST_2)
BLOCK(4, uint4, LIST_4)
BLOCK(8, uint8, WORDS_8)
