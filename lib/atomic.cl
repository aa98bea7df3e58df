/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The atom_ functions of 64 bits.  C11 atomics, of OpenCL C 2.0, where objects
 * are passed by generic pointers whose address spaces the compiler finds after
 * inlining (src/cc/llvm/front_spaces.c), and of 3.0, where there is a function
 * for each space.
 *
 * Every order is treated as sequentially consistent, every scope as the
 * device.  The compiler does those of 64 bits under locks (tr_atomic.c).
 */
#include "ventus.h"

#define ORDER memory_order_seq_cst, memory_scope_device

/* clang-format off */

/* A function of an object and a value; with _explicit an order, and a scope. */
#define OPERATION(S, R, A, T, NAME, BUILTIN)                                  \
    OVERLOAD R NAME(volatile S A *p, T x)                                     \
    { return BUILTIN(p, x, ORDER); }                                          \
    OVERLOAD R NAME##_explicit(volatile S A *p, T x, memory_order o)          \
    { return BUILTIN(p, x, ORDER); }                                          \
    OVERLOAD R NAME##_explicit(volatile S A *p, T x, memory_order o,          \
                               memory_scope s)                                \
    { return BUILTIN(p, x, ORDER); }

#define LOAD(S, A, T)                                                         \
    OVERLOAD T atomic_load(volatile S A *p)                                   \
    { return __opencl_atomic_load(p, ORDER); }                                \
    OVERLOAD T atomic_load_explicit(volatile S A *p, memory_order o)          \
    { return __opencl_atomic_load(p, ORDER); }                                \
    OVERLOAD T atomic_load_explicit(volatile S A *p, memory_order o,          \
                                    memory_scope s)                           \
    { return __opencl_atomic_load(p, ORDER); }

/* E: the space of the expected value. */
#define COMPARE_E(S, E, A, T, NAME)                                           \
    OVERLOAD bool NAME(volatile S A *p, E T *e, T x)                          \
    { return __opencl_atomic_compare_exchange_strong(                         \
          p, e, x, memory_order_seq_cst, ORDER); }                            \
    OVERLOAD bool NAME##_explicit(volatile S A *p, E T *e, T x,               \
                                  memory_order y, memory_order n)             \
    { return NAME(p, e, x); }                                                 \
    OVERLOAD bool NAME##_explicit(volatile S A *p, E T *e, T x,               \
                                  memory_order y, memory_order n,             \
                                  memory_scope s)                             \
    { return NAME(p, e, x); }
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
    OPERATION(S, void, A, T, atomic_store, __opencl_atomic_store)             \
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

#define FLAG(S)                                                               \
    OVERLOAD bool atomic_flag_test_and_set(volatile S atomic_flag *p)         \
    { return __opencl_atomic_exchange(p, 1, ORDER); }                         \
    OVERLOAD bool atomic_flag_test_and_set_explicit(                          \
        volatile S atomic_flag *p, memory_order o)                            \
    { return __opencl_atomic_exchange(p, 1, ORDER); }                         \
    OVERLOAD bool atomic_flag_test_and_set_explicit(                          \
        volatile S atomic_flag *p, memory_order o, memory_scope s)            \
    { return __opencl_atomic_exchange(p, 1, ORDER); }                         \
    OVERLOAD void atomic_flag_clear(volatile S atomic_flag *p)                \
    { __opencl_atomic_store(p, 0, ORDER); }                                   \
    OVERLOAD void atomic_flag_clear_explicit(volatile S atomic_flag *p,       \
                                             memory_order o)                  \
    { __opencl_atomic_store(p, 0, ORDER); }                                   \
    OVERLOAD void atomic_flag_clear_explicit(                                 \
        volatile S atomic_flag *p, memory_order o, memory_scope s)            \
    { __opencl_atomic_store(p, 0, ORDER); }

/* To a uintptr_t, a ptrdiff_t. */
#define ADD_DIFFERENCE(p, x, ...)                                             \
    __opencl_atomic_fetch_add(p, (uint)(x), __VA_ARGS__)
#define SUB_DIFFERENCE(p, x, ...)                                             \
    __opencl_atomic_fetch_sub(p, (uint)(x), __VA_ARGS__)

#define SPACE(S)                                                              \
    INTEGER(S, atomic_int, int)                                               \
    INTEGER(S, atomic_uint, uint)                                             \
    OPERATION(S, uint, atomic_uint, int, atomic_fetch_add, ADD_DIFFERENCE)    \
    OPERATION(S, uint, atomic_uint, int, atomic_fetch_sub, SUB_DIFFERENCE)    \
    INTEGER(S, atomic_long, long)                                             \
    INTEGER(S, atomic_ulong, ulong)                                           \
    SIMPLE(S, atomic_float, float)                                            \
    SIMPLE(S, atomic_double, double)                                          \
    FLAG(S)

SPACE(generic)
SPACE(global)
SPACE(local)

/* ---- cl_khr_int64_base_atomics, cl_khr_int64_extended_atomics ---- */

#define ATOM(S, T, NAME, BUILTIN)                                             \
    OVERLOAD T atom_##NAME(volatile S T *p, T x)                              \
    { return BUILTIN((volatile S atomic_##T *)p, x, ORDER); }
#define ATOMS(S, T)                                                           \
    ATOM(S, T, add, __opencl_atomic_fetch_add)                                \
    ATOM(S, T, sub, __opencl_atomic_fetch_sub)                                \
    ATOM(S, T, and, __opencl_atomic_fetch_and)                                \
    ATOM(S, T, or, __opencl_atomic_fetch_or)                                  \
    ATOM(S, T, xor, __opencl_atomic_fetch_xor)                                \
    ATOM(S, T, min, __opencl_atomic_fetch_min)                                \
    ATOM(S, T, max, __opencl_atomic_fetch_max)                                \
    ATOM(S, T, xchg, __opencl_atomic_exchange)                                \
    OVERLOAD T atom_inc(volatile S T *p) { return atom_add(p, (T)1); }        \
    OVERLOAD T atom_dec(volatile S T *p) { return atom_sub(p, (T)1); }        \
    OVERLOAD T atom_cmpxchg(volatile S T *p, T e, T x)                        \
    {                                                                         \
        atomic_compare_exchange_strong((volatile S atomic_##T *)p,            \
                                       (private T *)&e, x);                   \
        return e;                                                             \
    }

ATOMS(global, long)
ATOMS(global, ulong)
ATOMS(local, long)
ATOMS(local, ulong)
