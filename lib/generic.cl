/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that take pointers, for the generic pointers of OpenCL C 2.0;
 * after inlining the compiler finds their address spaces (src/cc/front/
 * spaces.c).  libclc has them for named spaces, under the mangled names
 * given here.
 */
#include "ventus.h"

/* clang-format off */

/* ---- casts: NULL if it is another space ---- */

/* A cast of the language would be a pair of casts after inlining, which LLVM
 * makes one: from one named space to another. */
#define CAST(S)                                                             \
    INTRINSIC S void *__ventus_to_##S(generic void *p);                     \
    S void *cast_to_##S(generic void *p) __asm__("__to_" #S);               \
    S void *cast_to_##S(generic void *p) { return __ventus_to_##S(p); }
CAST(global)
CAST(local)
CAST(private)

OVERLOAD cl_mem_fence_flags
get_fence(generic void *p)
{
    return cast_to_local(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}

OVERLOAD cl_mem_fence_flags
get_fence(const generic void *p)
{
    return get_fence((generic void *)p);
}

/* ---- a second result through a pointer ---- */

#define RESULT(F, NAME, T, P)                                               \
    T F##_##T(T x, private P *p) __asm__("_Z" NAME);                        \
    OVERLOAD T F(T x, generic P *p)                                         \
    {                                                                       \
        P second;                                                           \
        T first = F##_##T(x, &second);                                      \
        *p = second;                                                        \
        return first;                                                       \
    }
#define RESULT_SAME(F, N, T, M)                                             \
    RESULT(F, N #F M "P" M, T, T)                                           \
    RESULT(F, N #F "Dv2_" M "PS_", T##2, T##2)                              \
    RESULT(F, N #F "Dv3_" M "PS_", T##3, T##3)                              \
    RESULT(F, N #F "Dv4_" M "PS_", T##4, T##4)                              \
    RESULT(F, N #F "Dv8_" M "PS_", T##8, T##8)                              \
    RESULT(F, N #F "Dv16_" M "PS_", T##16, T##16)
#define RESULT_INT(F, N, T, M)                                              \
    RESULT(F, N #F M "Pi", T, int)                                          \
    RESULT(F, N #F "Dv2_" M "PDv2_i", T##2, int2)                           \
    RESULT(F, N #F "Dv3_" M "PDv3_i", T##3, int3)                           \
    RESULT(F, N #F "Dv4_" M "PDv4_i", T##4, int4)                           \
    RESULT(F, N #F "Dv8_" M "PDv8_i", T##8, int8)                           \
    RESULT(F, N #F "Dv16_" M "PDv16_i", T##16, int16)
#define REMQUO(NAME, T, P)                                                  \
    T remquo_##T(T x, T y, private P *p) __asm__("_Z6remquo" NAME);         \
    OVERLOAD T remquo(T x, T y, generic P *p)                               \
    {                                                                       \
        P second;                                                           \
        T first = remquo_##T(x, y, &second);                                \
        *p = second;                                                        \
        return first;                                                       \
    }
#define RESULTS(T, M)                                                       \
    RESULT_SAME(fract, "5", T, M)                                           \
    RESULT_SAME(modf, "4", T, M)                                            \
    RESULT_SAME(sincos, "6", T, M)                                          \
    RESULT_INT(frexp, "5", T, M)                                            \
    RESULT_INT(lgamma_r, "8", T, M)                                         \
    REMQUO(M M "Pi", T, int)                                                \
    REMQUO("Dv2_" M "S_PDv2_i", T##2, int2)                                 \
    REMQUO("Dv3_" M "S_PDv3_i", T##3, int3)                                 \
    REMQUO("Dv4_" M "S_PDv4_i", T##4, int4)                                 \
    REMQUO("Dv8_" M "S_PDv8_i", T##8, int8)                                 \
    REMQUO("Dv16_" M "S_PDv16_i", T##16, int16)
RESULTS(float, "f")
RESULTS(double, "d")
RESULTS(half, "Dh")

/* ---- vectors in memory ---- */

#define LOAD_STORE(T, N)                                                    \
    OVERLOAD T##N vload##N(size_t i, const generic T *p)                    \
    {                                                                       \
        union { T##N v; T at[sizeof(T##N) / sizeof(T)]; } u;                \
        for (uint k = 0; k < N; k++)                                        \
            u.at[k] = p[i * N + k];                                         \
        return u.v;                                                         \
    }                                                                       \
    OVERLOAD void vstore##N(T##N x, size_t i, generic T *p)                 \
    {                                                                       \
        union { T##N v; T at[sizeof(T##N) / sizeof(T)]; } u = { x };        \
        for (uint k = 0; k < N; k++)                                        \
            p[i * N + k] = u.at[k];                                         \
    }
#define LOADS_STORES(T)                                                     \
    LOAD_STORE(T, 2) LOAD_STORE(T, 3) LOAD_STORE(T, 4) LOAD_STORE(T, 8)     \
    LOAD_STORE(T, 16)
FOR_SCALARS(LOADS_STORES) LOADS_STORES(half)

/* ---- half in memory ---- */

float
load_half(size_t i, const private half *p) __asm__(
    "_Z10vload_half" SIZE_MANGLED "PKDh");

#define HALF_BITS(T, M, NAME)                                               \
    void store_##T##M(T x, size_t i, private half *p) __asm__("_Z" NAME);   \
    static ushort T##M##_bits(T x)                                          \
    {                                                                       \
        ushort bits;                                                        \
        store_##T##M(x, 0, (private half *)&bits);                          \
        return bits;                                                        \
    }
#define STORE_HALVES(T, M, NAME, N, STEP)                                   \
    OVERLOAD void NAME##N##M(T##N x, size_t i, generic half *p)             \
    {                                                                       \
        for (uint k = 0; k < N; k++)                                        \
            ((generic ushort *)p)[i * STEP + k] = T##M##_bits(x[k]);        \
    }
#define STORE_HALF(T, M, NAME)                                              \
    HALF_BITS(T, M, NAME)                                                   \
    OVERLOAD void vstore_half##M(T x, size_t i, generic half *p)            \
    { ((generic ushort *)p)[i] = T##M##_bits(x); }                          \
    STORE_HALVES(T, M, vstore_half, 2, 2)                                   \
    STORE_HALVES(T, M, vstore_half, 3, 3)                                   \
    STORE_HALVES(T, M, vstore_half, 4, 4)                                   \
    STORE_HALVES(T, M, vstore_half, 8, 8)                                   \
    STORE_HALVES(T, M, vstore_half, 16, 16)                                 \
    STORE_HALVES(T, M, vstorea_half, 2, 2)                                  \
    STORE_HALVES(T, M, vstorea_half, 3, 4)                                  \
    STORE_HALVES(T, M, vstorea_half, 4, 4)                                  \
    STORE_HALVES(T, M, vstorea_half, 8, 8)                                  \
    STORE_HALVES(T, M, vstorea_half, 16, 16)
#define STORES_HALF(T, M)                                                   \
    STORE_HALF(T, , "11vstore_half" M SIZE_MANGLED "PDh")                               \
    STORE_HALF(T, _rte, "15vstore_half_rte" M SIZE_MANGLED "PDh")                       \
    STORE_HALF(T, _rtz, "15vstore_half_rtz" M SIZE_MANGLED "PDh")                       \
    STORE_HALF(T, _rtp, "15vstore_half_rtp" M SIZE_MANGLED "PDh")                       \
    STORE_HALF(T, _rtn, "15vstore_half_rtn" M SIZE_MANGLED "PDh")
STORES_HALF(float, "f")
STORES_HALF(double, "d")

#define LOAD_HALVES(NAME, N, STEP)                                          \
    OVERLOAD float##N NAME##N(size_t i, const generic half *p)              \
    {                                                                       \
        float##N r;                                                         \
        for (uint k = 0; k < N; k++)                                        \
            r[k] = vload_half(i * STEP + k, p);                             \
        return r;                                                           \
    }
OVERLOAD float
vload_half(size_t i, const generic half *p)
{
    ushort bits = ((const generic ushort *)p)[i];
    return load_half(0, (const private half *)&bits);
}
LOAD_HALVES(vload_half, 2, 2)
LOAD_HALVES(vload_half, 3, 3)
LOAD_HALVES(vload_half, 4, 4)
LOAD_HALVES(vload_half, 8, 8)
LOAD_HALVES(vload_half, 16, 16)
LOAD_HALVES(vloada_half, 2, 2)
LOAD_HALVES(vloada_half, 3, 4)
LOAD_HALVES(vloada_half, 4, 4)
LOAD_HALVES(vloada_half, 8, 8)
LOAD_HALVES(vloada_half, 16, 16)
