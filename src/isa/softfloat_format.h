/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constants of the format FP_WIDTH, for the headers that are included once
 * for each width; hence no #pragma once.
 */
#undef FP_FRAC
#undef FP_UINT
#undef FP_INT

#if FP_WIDTH == 16
#define FP_FRAC 10 /* bits of the fraction */
#define FP_UINT uint16_t
#define FP_INT  int16_t
#elif FP_WIDTH == 32
#define FP_FRAC 23
#define FP_UINT uint32_t
#define FP_INT  int32_t
#elif FP_WIDTH == 64
#define FP_FRAC 52
#define FP_UINT uint64_t
#define FP_INT  int64_t
#else
#error "FP_WIDTH must be 16, 32 or 64"
#endif

#ifndef FP
/* Names that carry the width: FP(add) is fp32_add. */
#define FP_GLUE_(width, name) fp##width##_##name
#define FP_GLUE(width, name)  FP_GLUE_(width, name)
#define FP(name)              FP_GLUE(FP_WIDTH, name)

/* Single bits and special values. */
#define FP_SIGN      ((FP_UINT)((FP_UINT)1 << (FP_WIDTH - 1)))
#define FP_ONE       ((FP_UINT)((FP_UINT)1 << FP_FRAC)) /* above the fraction */
#define FP_QUIET     ((FP_UINT)((FP_UINT)1 << (FP_FRAC - 1)))
#define FP_INF       ((FP_UINT)(FP_SIGN - FP_ONE))
#define FP_CANONICAL ((FP_UINT)(FP_INF | FP_QUIET))
#endif
