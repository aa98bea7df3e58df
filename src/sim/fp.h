/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/warp.h"

/*
 * Lists of the floating-point meanings, for tables.  The functions are those
 * of isa/sem_fp.h; kernels are those of isa/hostfloat.h.
 */

/* X(meaning, kernel, exchanged): two sources */
#define FP_LIST2(X)     \
    X(fadd, add, 0)     \
    X(fsub, sub, 0)     \
    X(frsub, sub, 1)    \
    X(fmul, mul, 0)     \
    X(fdiv, div, 0)     \
    X(frdiv, div, 1)    \
    X(fmin, min, 0)     \
    X(fmax, max, 0)     \
    X(fsgnj, sgnj, 0)   \
    X(fsgnjn, sgnjn, 0) \
    X(fsgnjx, sgnjx, 0) \
    X(feq, eq, 0)       \
    X(fne, ne, 0)       \
    X(flt, lt, 0)       \
    X(fle, le, 0)       \
    X(fgt, lt, 1)       \
    X(fge, le, 1)

/* X(meaning, kernel, towards zero): one source */
#define FP_LIST1(X)            \
    X(fsqrt, sqrt, 0)          \
    X(vfexp, exp, 0)           \
    X(frec7, rec7, 0)          \
    X(frsqrt7, rsqrt7, 0)      \
    X(fcvt_f_w, from_int, 0)   \
    X(fcvt_f_wu, from_uint, 0) \
    X(fclass, class, 0)        \
    X(fcvt_w_f, to_int, 0)     \
    X(fcvt_wu_f, to_uint, 0)   \
    X(fcvt_rtz_w_f, to_int, 1) \
    X(fcvt_rtz_wu_f, to_uint, 1)

/*
 * X(meaning, factor, addend, negate): vs1 * factor + addend of vector forms;
 * the negation is enum fp_negate.
 */
#define FP_LIST3(X)        \
    X(vfmadd, vd, vs2, 0)  \
    X(vfnmsub, vd, vs2, 1) \
    X(vfmsub, vd, vs2, 2)  \
    X(vfnmadd, vd, vs2, 3) \
    X(vfmacc, vs2, vd, 0)  \
    X(vfnmsac, vs2, vd, 1) \
    X(vfmsac, vs2, vd, 2)  \
    X(vfnmacc, vs2, vd, 3)

/* Scalar, with a third source register. */
#define FP_LIST4(X) X(fmadd) X(fmsub) X(fnmsub) X(fnmadd)

enum fp_kind {
#define X(name, kernel, extra) FP_##name,
    FP_LIST2(X) FP_LIST1(X)
#undef X
#define X(name, factor, addend, negate) FP_##name,
        FP_LIST3(X)
#undef X
#define X(name) FP_##name,
            FP_LIST4(X)
#undef X
                FP_COUNT
};

/* Every width and form, lane by lane in software: fpu.c. */
sim_fn any_width_fp;

/* The rounding mode of an instruction: rm, or the CSR if that is 7. */
static inline unsigned
fp_rounding(const struct sim_warp *w, unsigned rm)
{
    return rm == 7 ? w->frm : rm;
}

enum { FP_RM_MAX = 4, FP_RM_DYNAMIC = 7 };
