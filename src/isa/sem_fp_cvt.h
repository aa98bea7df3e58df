/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions between widths (RVV 13.18, 13.19): from SEW bits to twice as many
 * (sem_fw_...) and back (sem_fn_...), a function for each meaning and SEW.
 *
 *     d = sem_fw_f_f_16(vs2[i], rm, &fflags);    half to float
 *     d = sem_fn_f_f_16(vs2[i], rm, &fflags);    float to half
 *
 * In the names f is a floating-point number, w a signed and wu an unsigned
 * integer; the first letter is the result.  Operands and results are in the low
 * bits of 64; results have zeros above.  All functions have the same type, so
 * that they fit in a table.  SEW 8 has only conversions between integers of 8
 * bits and halves, as there are no floats of 8 bits.
 */
#pragma once

#include "isa/softfloat.h"

#define SEM_CVT(name, type, value)                               \
    static inline uint64_t sem_##name(uint64_t a, enum fp_rm rm, \
                                      unsigned *flags)           \
    {                                                            \
        (void)rm;                                                \
        (void)flags;                                             \
        return (type)(value);                                    \
    }

/* A conversion at SEW of a float of F bits to an integer of N bits: fw or fn. */
#define SEM_CVT_TO(form, SEW, F, N)                           \
    SEM_CVT(form##_w_f_##SEW, uint##N##_t,                    \
            fp##F##_to_int((uint##F##_t)a, N, rm, flags))     \
    SEM_CVT(form##_wu_f_##SEW, uint##N##_t,                   \
            fp##F##_to_uint((uint##F##_t)a, N, rm, flags))    \
    SEM_CVT(form##_rtz_w_f_##SEW, uint##N##_t,                \
            fp##F##_to_int((uint##F##_t)a, N, FP_RTZ, flags)) \
    SEM_CVT(form##_rtz_wu_f_##SEW, uint##N##_t,               \
            fp##F##_to_uint((uint##F##_t)a, N, FP_RTZ, flags))

/* A conversion at SEW of an integer of N bits to a float of F bits. */
#define SEM_CVT_FROM(form, SEW, N, F)                   \
    SEM_CVT(form##_f_w_##SEW, uint##F##_t,              \
            fp##F##_from_int((int##N##_t)a, rm, flags)) \
    SEM_CVT(form##_f_wu_##SEW, uint##F##_t,             \
            fp##F##_from_uint((uint##N##_t)a, rm, flags))

SEM_CVT_TO(fw, 16, 16, 32)
SEM_CVT_TO(fw, 32, 32, 64)
SEM_CVT_TO(fn, 8, 16, 8)
SEM_CVT_TO(fn, 16, 32, 16)
SEM_CVT_TO(fn, 32, 64, 32)
SEM_CVT_FROM(fw, 8, 8, 16)
SEM_CVT_FROM(fw, 16, 16, 32)
SEM_CVT_FROM(fw, 32, 32, 64)
SEM_CVT_FROM(fn, 16, 32, 16)
SEM_CVT_FROM(fn, 32, 64, 32)
SEM_CVT(fw_f_f_16, uint32_t, fp32_from_fp16((uint16_t)a, flags))
SEM_CVT(fw_f_f_32, uint64_t, fp64_from_fp32((uint32_t)a, flags))
SEM_CVT(fn_f_f_16, uint16_t, fp16_from_fp32((uint32_t)a, rm, flags))
SEM_CVT(fn_f_f_32, uint32_t, fp32_from_fp64(a, rm, flags))
#undef SEM_CVT
#undef SEM_CVT_TO
#undef SEM_CVT_FROM

/* Rounds to odd: towards zero, with the last bit set if the result is inexact.  The
 * largest number, which is the result of an overflow, is odd. */
static inline uint64_t
sem_fn_rod_f_f_16(uint64_t a, enum fp_rm rm, unsigned *flags)
{
    unsigned raised = 0;
    uint16_t r = fp16_from_fp32((uint32_t)a, FP_RTZ, &raised);
    (void)rm;
    *flags |= raised;
    return r | (raised & FP_NX ? 1u : 0u);
}

static inline uint64_t
sem_fn_rod_f_f_32(uint64_t a, enum fp_rm rm, unsigned *flags)
{
    unsigned raised = 0;
    uint32_t r = fp32_from_fp64(a, FP_RTZ, &raised);
    (void)rm;
    *flags |= raised;
    return r | (raised & FP_NX ? 1u : 0u);
}

/* clang-format off */
/* X(meaning, SEW) for every function above. */
#define SEM_CVT_LIST(X)                                                 \
    X(fw_w_f, 16) X(fw_wu_f, 16) X(fw_rtz_w_f, 16) X(fw_rtz_wu_f, 16)   \
    X(fw_w_f, 32) X(fw_wu_f, 32) X(fw_rtz_w_f, 32) X(fw_rtz_wu_f, 32)   \
    X(fw_f_w, 8) X(fw_f_w, 16) X(fw_f_w, 32)                            \
    X(fw_f_wu, 8) X(fw_f_wu, 16) X(fw_f_wu, 32)                         \
    X(fw_f_f, 16) X(fw_f_f, 32)                                         \
    X(fn_w_f, 8) X(fn_wu_f, 8) X(fn_rtz_w_f, 8) X(fn_rtz_wu_f, 8)       \
    X(fn_w_f, 16) X(fn_wu_f, 16) X(fn_rtz_w_f, 16) X(fn_rtz_wu_f, 16)   \
    X(fn_w_f, 32) X(fn_wu_f, 32) X(fn_rtz_w_f, 32) X(fn_rtz_wu_f, 32)   \
    X(fn_f_w, 16) X(fn_f_w, 32) X(fn_f_wu, 16) X(fn_f_wu, 32)           \
    X(fn_f_f, 16) X(fn_f_f, 32) X(fn_rod_f_f, 16) X(fn_rod_f_f, 32)

/* X(meaning) for each meaning once, wider ones first. */
#define SEM_CVT_MEANINGS(X)                                             \
    X(fw_w_f) X(fw_wu_f) X(fw_rtz_w_f) X(fw_rtz_wu_f) X(fw_f_w)         \
    X(fw_f_wu) X(fw_f_f)                                                \
    X(fn_w_f) X(fn_wu_f) X(fn_rtz_w_f) X(fn_rtz_wu_f) X(fn_f_w)         \
    X(fn_f_wu) X(fn_f_f) X(fn_rod_f_f)
/* clang-format on */
