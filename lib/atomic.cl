/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic functions: C11 atomics of OpenCL C 2.0, where objects are passed by
 * generic pointers whose address spaces the compiler finds after inlining
 * (src/cc/front/spaces.c), and of 3.0, where there is a function for each
 * space; those of OpenCL C 1, atomic_ and atom_.
 *
 * The order is LLVM's, which the compiler makes .aq and .rl of (isel/atomic.c;
 * docs/abi.md, "Memory order", has the table).  Orders are mostly constants
 * once this is inlined; for one that is not, clang branches.  .aq and .rl are
 * of the device: for scopes within a workgroup, whose warps share an L1D, the
 * operation is relaxed, between fences that wait for the warp's own accesses.
 * Local memory is the workgroup's whatever the scope says, and .aq and .rl of
 * what is done there cost its caches nothing; where a pointer is generic, as in
 * OpenCL C 3.0 with generic address spaces, this is not known here.
 */
#include "ventus.h"

#define DEVICE memory_scope_device
#define FIRMLY memory_order_seq_cst, DEVICE

static bool
is_acquire(memory_order o)
{
    return o == memory_order_acquire || o == memory_order_acq_rel ||
           o == memory_order_seq_cst;
}

static bool
is_release(memory_order o)
{
    return o == memory_order_release || o == memory_order_acq_rel ||
           o == memory_order_seq_cst;
}

/* Whether .aq and .rl say what is asked for, at each kind of pointer. */
static bool
marks_generic(memory_scope s)
{
    return IS_WIDE(s);
}

static bool
marks_global(memory_scope s)
{
    return IS_WIDE(s);
}

static bool
marks_local(memory_scope s)
{
    return s != memory_scope_work_item;
}

/* Around a relaxed operation of another scope. */
static void
before(memory_order o, memory_scope s)
{
    if (s != memory_scope_work_item && is_release(o))
        __ventus_fence(FENCE_DRAIN);
}

static void
after(memory_order o, memory_scope s)
{
    if (s != memory_scope_work_item && is_acquire(o))
        __ventus_fence(FENCE_DRAIN);
}

/* The order of a compare-exchange, of those if it succeeds and if it fails. */
static memory_order
order_of_both(memory_order y, memory_order n)
{
    if (n == memory_order_seq_cst)
        return n;
    if (n != memory_order_acquire)
        return y;
    return y == memory_order_relaxed   ? memory_order_acquire
           : y == memory_order_release ? memory_order_acq_rel
                                       : y;
}

/* clang-format off */

/* A function of an object and a value; with _explicit an order, and a scope. */
#define OPERATION(S, R, A, T, NAME, BUILTIN)                                  \
    OVERLOAD R NAME(volatile S A *p, T x)                                     \
    { return BUILTIN(p, x, FIRMLY); }                                         \
    OVERLOAD R NAME##_explicit(volatile S A *p, T x, memory_order o)          \
    { return BUILTIN(p, x, o, DEVICE); }                                      \
    OVERLOAD R NAME##_explicit(volatile S A *p, T x, memory_order o,          \
                               memory_scope s)                                \
    {                                                                         \
        if (marks_##S(s))                                                     \
            return BUILTIN(p, x, o, DEVICE);                                  \
        before(o, s);                                                         \
        R old = BUILTIN(p, x, memory_order_relaxed, DEVICE);                  \
        after(o, s);                                                          \
        return old;                                                           \
    }

#define STORE(S, A, T)                                                        \
    OVERLOAD void atomic_store(volatile S A *p, T x)                          \
    { __opencl_atomic_store(p, x, FIRMLY); }                                  \
    OVERLOAD void atomic_store_explicit(volatile S A *p, T x, memory_order o) \
    { __opencl_atomic_store(p, x, o, DEVICE); }                               \
    OVERLOAD void atomic_store_explicit(volatile S A *p, T x, memory_order o, \
                                        memory_scope s)                       \
    {                                                                         \
        if (marks_##S(s)) {                                                   \
            __opencl_atomic_store(p, x, o, DEVICE);                           \
            return;                                                           \
        }                                                                     \
        before(o, s);                                                         \
        __opencl_atomic_store(p, x, memory_order_relaxed, DEVICE);            \
    }

#define LOAD(S, A, T)                                                         \
    OVERLOAD T atomic_load(volatile S A *p)                                   \
    { return __opencl_atomic_load(p, FIRMLY); }                               \
    OVERLOAD T atomic_load_explicit(volatile S A *p, memory_order o)          \
    { return __opencl_atomic_load(p, o, DEVICE); }                            \
    OVERLOAD T atomic_load_explicit(volatile S A *p, memory_order o,          \
                                    memory_scope s)                           \
    {                                                                         \
        if (marks_##S(s))                                                     \
            return __opencl_atomic_load(p, o, DEVICE);                        \
        before(o, s);                                                         \
        T x = __opencl_atomic_load(p, memory_order_relaxed, DEVICE);          \
        after(o, s);                                                          \
        return x;                                                             \
    }

/* E: the space of the expected value. */
#define EXCHANGE(p, e, x, y, n)                                               \
    __opencl_atomic_compare_exchange_strong(                                  \
        p, e, x, memory_order_##y, memory_order_##n, DEVICE)
#define COMPARE_E(S, E, A, T, NAME)                                           \
    OVERLOAD bool NAME(volatile S A *p, E T *e, T x)                          \
    { return EXCHANGE(p, e, x, seq_cst, seq_cst); }                           \
    OVERLOAD bool NAME##_explicit(volatile S A *p, E T *e, T x,               \
                                  memory_order y, memory_order n,             \
                                  memory_scope s)                             \
    {                                                                         \
        memory_order o = order_of_both(y, n);                                 \
        if (!marks_##S(s)) {                                                  \
            before(o, s);                                                     \
            bool done = EXCHANGE(p, e, x, relaxed, relaxed);                  \
            after(o, s);                                                      \
            return done;                                                      \
        }                                                                     \
        switch (o) {                                                          \
        case memory_order_relaxed:                                            \
            return EXCHANGE(p, e, x, relaxed, relaxed);                       \
        case memory_order_acquire:                                            \
            return EXCHANGE(p, e, x, acquire, acquire);                       \
        case memory_order_release:                                            \
            return EXCHANGE(p, e, x, release, relaxed);                       \
        case memory_order_acq_rel:                                            \
            return EXCHANGE(p, e, x, acq_rel, acquire);                       \
        default:                                                              \
            return EXCHANGE(p, e, x, seq_cst, seq_cst);                       \
        }                                                                     \
    }                                                                         \
    OVERLOAD bool NAME##_explicit(volatile S A *p, E T *e, T x,               \
                                  memory_order y, memory_order n)             \
    { return NAME##_explicit(p, e, x, y, n, DEVICE); }
#define COMPARE_generic(A, T, NAME)                                           \
    COMPARE_E(generic, generic, A, T, NAME)
#define COMPARE_global(A, T, NAME)                                            \
    COMPARE_E(global, private, A, T, NAME)                                    \
    COMPARE_E(global, global, A, T, NAME)                                     \
    COMPARE_E(global, local, A, T, NAME)
#define COMPARE_local(A, T, NAME)                                             \
    COMPARE_E(local, private, A, T, NAME)                                     \
    COMPARE_E(local, global, A, T, NAME)                                      \
    COMPARE_E(local, local, A, T, NAME)

/* An atomic type, its plain type. */
#define SIMPLE(S, A, T)                                                       \
    OVERLOAD void atomic_init(volatile S A *p, T x)                           \
    { __opencl_atomic_init(p, x); }                                           \
    STORE(S, A, T)                                                            \
    OPERATION(S, T, A, T, atomic_exchange, __opencl_atomic_exchange)          \
    LOAD(S, A, T)                                                             \
    COMPARE_##S(A, T, atomic_compare_exchange_strong)                         \
    COMPARE_##S(A, T, atomic_compare_exchange_weak)

#define INTEGER(S, A, T)                                                      \
    SIMPLE(S, A, T)                                                           \
    OPERATION(S, T, A, T, atomic_fetch_add, __opencl_atomic_fetch_add)        \
    OPERATION(S, T, A, T, atomic_fetch_sub, __opencl_atomic_fetch_sub)        \
    OPERATION(S, T, A, T, atomic_fetch_and, __opencl_atomic_fetch_and)        \
    OPERATION(S, T, A, T, atomic_fetch_or, __opencl_atomic_fetch_or)          \
    OPERATION(S, T, A, T, atomic_fetch_xor, __opencl_atomic_fetch_xor)        \
    OPERATION(S, T, A, T, atomic_fetch_min, __opencl_atomic_fetch_min)        \
    OPERATION(S, T, A, T, atomic_fetch_max, __opencl_atomic_fetch_max)

/* cl_ext_float_atomics: no instruction computes floating-point numbers in memory; I is the
 * integer type as wide.  The first value that is compared need not be the newest, so it
 * needs no order. */
#define COMPUTE(S, A, T, I, NAME, ...)                                        \
    OVERLOAD T NAME##_explicit(volatile S A *p, T x, memory_order o,          \
                               memory_scope s)                                \
    {                                                                         \
        volatile S atomic_##I *q = (volatile S atomic_##I *)p;                \
        I word = __opencl_atomic_load(q, memory_order_relaxed, DEVICE);       \
        T old;                                                                \
        do                                                                    \
            old = __builtin_astype(word, T);                                  \
        while (!atomic_compare_exchange_weak_explicit(                        \
            q, &word, __builtin_astype((T)(__VA_ARGS__), I), o,               \
            memory_order_relaxed, s));                                        \
        return old;                                                           \
    }                                                                         \
    OVERLOAD T NAME##_explicit(volatile S A *p, T x, memory_order o)          \
    { return NAME##_explicit(p, x, o, DEVICE); }                              \
    OVERLOAD T NAME(volatile S A *p, T x)                                     \
    { return NAME##_explicit(p, x, FIRMLY); }
#define FLOAT(S, A, T, I)                                                     \
    SIMPLE(S, A, T)                                                           \
    COMPUTE(S, A, T, I, atomic_fetch_add, old + x)                            \
    COMPUTE(S, A, T, I, atomic_fetch_sub, old - x)                            \
    COMPUTE(S, A, T, I, atomic_fetch_min, fmin(old, x))                       \
    COMPUTE(S, A, T, I, atomic_fetch_max, fmax(old, x))

/* The word that a half is in, and the number of bits below it there. */
#define WORD_OF(S, p)                                                         \
    ((volatile S atomic_uint *)((volatile S char *)(p) - ((uintptr_t)(p) & 2)))
#define BITS_BELOW(p) (((uintptr_t)(p) & 2) * 8)

/* Halves: atomic instructions are of words, so each operation replaces a word, in which
 * the other half stays as another work-item may have written it in between. */
#define COMPUTE_HALF(S, NAME, ...)                                            \
    OVERLOAD half NAME##_explicit(volatile S atomic_half *p, half x,          \
                                  memory_order o, memory_scope s)             \
    {                                                                         \
        volatile S atomic_uint *q = WORD_OF(S, p);                            \
        uint below = BITS_BELOW(p), others = ~(0xffffu << below);             \
        uint word = __opencl_atomic_load(q, memory_order_relaxed, DEVICE);    \
        half old;                                                             \
        do                                                                    \
            old = as_half((ushort)(word >> below));                           \
        while (!atomic_compare_exchange_weak_explicit(                        \
            q, &word,                                                         \
            (word & others) | (uint)as_ushort((half)(__VA_ARGS__)) << below,  \
            o, memory_order_relaxed, s));                                     \
        return old;                                                           \
    }                                                                         \
    OVERLOAD half NAME##_explicit(volatile S atomic_half *p, half x,          \
                                  memory_order o)                             \
    { return NAME##_explicit(p, x, o, DEVICE); }                              \
    OVERLOAD half NAME(volatile S atomic_half *p, half x)                     \
    { return NAME##_explicit(p, x, FIRMLY); }

/* clang declares atomic_store with an atomic_half for the value, as no definition can: the
 * names are those that it calls.  AS: the number of the space. */
#define STORE_HALF_NAME(AS, NAME, ORDER)                                      \
    __asm__("_Z" NAME "PU3AS" #AS "VU7_AtomicDhS_" ORDER)
#define STORE_HALF(S, AS)                                                     \
    void store_half_##S(volatile S atomic_half *p, half x)                    \
        STORE_HALF_NAME(AS, "12atomic_store", "");                            \
    void store_half_##S(volatile S atomic_half *p, half x)                    \
    { atomic_exchange_explicit(p, x, FIRMLY); }                               \
    void store_half_order_##S(volatile S atomic_half *p, half x,              \
                              memory_order o)                                 \
        STORE_HALF_NAME(AS, "21atomic_store_explicit", "12memory_order");     \
    void store_half_order_##S(volatile S atomic_half *p, half x,              \
                              memory_order o)                                 \
    { atomic_exchange_explicit(p, x, o, DEVICE); }                            \
    void store_half_scope_##S(volatile S atomic_half *p, half x,              \
                              memory_order o, memory_scope s)                 \
        STORE_HALF_NAME(AS, "21atomic_store_explicit",                        \
                        "12memory_order12memory_scope");                      \
    void store_half_scope_##S(volatile S atomic_half *p, half x,              \
                              memory_order o, memory_scope s)                 \
    { atomic_exchange_explicit(p, x, o, s); }
#define HALF(S, AS)                                                           \
    COMPUTE_HALF(S, atomic_exchange, x)                                       \
    STORE_HALF(S, AS)                                                         \
    OVERLOAD half atomic_load_explicit(volatile S atomic_half *p,             \
                                       memory_order o, memory_scope s)        \
    {                                                                         \
        uint word = atomic_load_explicit(WORD_OF(S, p), o, s);                \
        return as_half((ushort)(word >> BITS_BELOW(p)));                      \
    }                                                                         \
    OVERLOAD half atomic_load_explicit(volatile S atomic_half *p,             \
                                       memory_order o)                        \
    { return atomic_load_explicit(p, o, DEVICE); }                            \
    OVERLOAD half atomic_load(volatile S atomic_half *p)                      \
    { return atomic_load_explicit(p, FIRMLY); }                               \
    COMPUTE_HALF(S, atomic_fetch_add, old + x)                                \
    COMPUTE_HALF(S, atomic_fetch_sub, old - x)                                \
    COMPUTE_HALF(S, atomic_fetch_min, fmin(old, x))                           \
    COMPUTE_HALF(S, atomic_fetch_max, fmax(old, x))

#define FLAG(S)                                                               \
    OVERLOAD bool atomic_flag_test_and_set_explicit(                          \
        volatile S atomic_flag *p, memory_order o, memory_scope s)            \
    { return atomic_exchange_explicit((volatile S atomic_int *)p, 1, o, s); } \
    OVERLOAD bool atomic_flag_test_and_set_explicit(                          \
        volatile S atomic_flag *p, memory_order o)                            \
    { return atomic_flag_test_and_set_explicit(p, o, DEVICE); }               \
    OVERLOAD bool atomic_flag_test_and_set(volatile S atomic_flag *p)         \
    { return atomic_flag_test_and_set_explicit(p, FIRMLY); }                  \
    OVERLOAD void atomic_flag_clear_explicit(                                 \
        volatile S atomic_flag *p, memory_order o, memory_scope s)            \
    { atomic_store_explicit((volatile S atomic_int *)p, 0, o, s); }           \
    OVERLOAD void atomic_flag_clear_explicit(volatile S atomic_flag *p,       \
                                             memory_order o)                  \
    { atomic_flag_clear_explicit(p, o, DEVICE); }                             \
    OVERLOAD void atomic_flag_clear(volatile S atomic_flag *p)                \
    { atomic_flag_clear_explicit(p, FIRMLY); }

/* To a uintptr_t, a ptrdiff_t. */
#define ADD_DIFFERENCE(p, x, ...)                                             \
    __opencl_atomic_fetch_add(p, (uintptr_t)(x), __VA_ARGS__)
#define SUB_DIFFERENCE(p, x, ...)                                             \
    __opencl_atomic_fetch_sub(p, (uintptr_t)(x), __VA_ARGS__)

#define SPACE(S)                                                              \
    INTEGER(S, atomic_int, int)                                               \
    INTEGER(S, atomic_uint, uint)                                             \
    OPERATION(S, uintptr_t, atomic_uintptr_t, ptrdiff_t, atomic_fetch_add,    \
              ADD_DIFFERENCE)                                                 \
    OPERATION(S, uintptr_t, atomic_uintptr_t, ptrdiff_t, atomic_fetch_sub,    \
              SUB_DIFFERENCE)                                                 \
    INTEGER(S, atomic_long, long)                                             \
    INTEGER(S, atomic_ulong, ulong)                                           \
    FLOAT(S, atomic_float, float, int)                                        \
    FLOAT(S, atomic_double, double, long)                                     \
    FLAG(S)

SPACE(generic)
SPACE(global)
SPACE(local)
HALF(generic, 4)
HALF(global, 1)
HALF(local, 3)

/* ---- OpenCL C 1: no order but that of the object itself ---- */

#define RELAXED memory_order_relaxed, DEVICE

#define ATOM(S, T, P, NAME, BUILTIN)                                          \
    OVERLOAD T P##NAME(volatile S T *p, T x)                                  \
    { return BUILTIN((volatile S atomic_##T *)p, x, RELAXED); }
#define ATOMS(S, T, P)                                                        \
    ATOM(S, T, P, add, __opencl_atomic_fetch_add)                             \
    ATOM(S, T, P, sub, __opencl_atomic_fetch_sub)                             \
    ATOM(S, T, P, and, __opencl_atomic_fetch_and)                             \
    ATOM(S, T, P, or, __opencl_atomic_fetch_or)                               \
    ATOM(S, T, P, xor, __opencl_atomic_fetch_xor)                             \
    ATOM(S, T, P, min, __opencl_atomic_fetch_min)                             \
    ATOM(S, T, P, max, __opencl_atomic_fetch_max)                             \
    ATOM(S, T, P, xchg, __opencl_atomic_exchange)                             \
    OVERLOAD T P##inc(volatile S T *p) { return P##add(p, (T)1); }            \
    OVERLOAD T P##dec(volatile S T *p) { return P##sub(p, (T)1); }            \
    OVERLOAD T P##cmpxchg(volatile S T *p, T e, T x)                          \
    {                                                                         \
        EXCHANGE((volatile S atomic_##T *)p, &e, x, relaxed, relaxed);        \
        return e;                                                             \
    }
#define ATOMS_1(S)                                                            \
    ATOMS(S, int, atomic_)                                                    \
    ATOMS(S, uint, atomic_)                                                   \
    ATOM(S, float, atomic_, xchg, __opencl_atomic_exchange)                   \
    ATOMS(S, int, atom_)                                                      \
    ATOMS(S, uint, atom_)                                                     \
    ATOMS(S, long, atom_)                                                     \
    ATOMS(S, ulong, atom_)

ATOMS_1(global)
ATOMS_1(local)
