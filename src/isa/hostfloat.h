/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of softfloat.h for many lanes at once: on the host's FPU if it
 * gives the same bits and flags, else by softfloat.
 *
 *     struct fp_host host;
 *     fp_host_enter(&host, FP_RNE);
 *     fp32_add_lanes(&host, d, a, b, 32);        d[i] = a[i] + b[i]
 *     fp32_mul_lanes(&host, d, d, c, 32);
 *     fflags |= fp_host_leave(&host);
 *
 * Between enter and leave the thread has our floating-point environment: all
 * exceptions masked, subnormals neither flushed nor taken for zero, the given
 * rounding mode.  leave restores that of the application with its sticky flags;
 * no other floating-point code may run in between.  Writing MXCSR costs as much
 * as some 32-lane instructions, so enter once for many: fp_host_take gives the
 * flags so far, fp_host_set_rm changes the mode.
 *
 * The functions compute all n lanes.  Give inactive lanes the operand 1.0, which
 * raises no flag in any operation.  d may be one of the sources; apart from that
 * they do not overlap.
 *
 * On x86 all results are exact: SSE detects tininess after rounding as
 * RISC-V does, and the sticky bits of MXCSR are the union over the lanes.  Three
 * differences are handled here: NaN results become canonical; RMM does not exist
 * on x86; infinity * 0 + quiet NaN is invalid.  Compares, min, max and conversions
 * to integers are integer code, the same on every host.  Without SSE2, and for
 * fused operations without FMA at compile time, softfloat computes the results.
 *
 * Order of arithmetic and MXCSR.  The compiler treats floating-point arithmetic
 * as a pure function: it may fold constants, and move arithmetic across an asm
 * that reads or writes MXCSR, because it sees no dependence between them
 * (-frounding-math does not change this).  Therefore each kernel passes its
 * pointers through an empty asm at its start and its end.  The compiler must assume
 * that the first one changes the memory and the second one reads it; and volatile
 * asms keep their order.  So operands are loaded after MXCSR was written, and
 * results stored before it is read.  There is one operation between load and store,
 * so the compiler has nothing to contract.
 */
#pragma once

#include <string.h>

#include "isa/softfloat.h"

/* 0 makes softfloat do everything. */
#ifndef FP_HOST_SSE
#if defined(__x86_64__) && defined(__SSE2__)
#define FP_HOST_SSE 1
#else
#define FP_HOST_SSE 0
#endif
#endif

#if FP_HOST_SSE
#include <immintrin.h>
#endif

#if FP_HOST_SSE && defined(__FMA__)
#define FP_HOST_FMA 1
#else
#define FP_HOST_FMA 0
#endif

#if FP_HOST_SSE && defined(__AVX512F__)
#define FP_HOST_BYTES 64 /* size of a vector register */
#elif FP_HOST_SSE && defined(__AVX__)
#define FP_HOST_BYTES 32
#else
#define FP_HOST_BYTES 16
#endif

/* States before a loop over lanes that its iterations are independent. */
#ifdef __clang__
#define FP_EACH_LANE _Pragma("clang loop vectorize(assume_safety)")
#else
#define FP_EACH_LANE _Pragma("GCC ivdep")
#endif

#ifndef FP_LAUNDER
/* The empty asm of "Order of arithmetic and MXCSR" above.  `p` may be const. */
#define FP_LAUNDER(p) __asm__ volatile("" : "+r"(p) : : "memory")
#endif

/* The environment between enter and leave.  All members are private. */
struct fp_host {
    enum fp_rm rm;
    /* Flags that were found in other ways than by MXCSR, or read from it. */
    unsigned flags;
    uint32_t saved; /* the application's MXCSR */
};

/*
 * Fields of MXCSR:
 *
 *     15  14..13  12..7   6    5  4  3  2  1  0
 *     FTZ   RC    masks  DAZ  PE UE OE ZE DE IE
 */
enum { FP_MXCSR_MASKS = 0x1f80, FP_MXCSR_RC = 13, FP_MXCSR_STICKY = 0x3f };

static inline uint32_t
fp_host_read(void)
{
    uint32_t mxcsr = FP_MXCSR_MASKS;
#if FP_HOST_SSE
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
#endif
    return mxcsr;
}

static inline void
fp_host_write(uint32_t mxcsr)
{
#if FP_HOST_SSE
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
#else
    (void)mxcsr;
#endif
}

/* Whether the FPU computes. */
static inline bool
fp_host_is_hard(const struct fp_host *h)
{
    return FP_HOST_SSE && h->rm != FP_RMM;
}

/* Collects the flags of MXCSR and clears them there. */
static inline void
fp_host_collect(struct fp_host *h)
{
    uint32_t mxcsr = fp_host_read();
    if (!(mxcsr & FP_MXCSR_STICKY))
        return;
    h->flags |= (mxcsr >> 5 & 1) * FP_NX | (mxcsr >> 4 & 1) * FP_UF |
                (mxcsr >> 3 & 1) * FP_OF | (mxcsr >> 2 & 1) * FP_DZ |
                (mxcsr & 1) * FP_NV;
    fp_host_write(mxcsr & ~(uint32_t)FP_MXCSR_STICKY);
}

/* Changes the rounding mode; flags are kept. */
static inline void
fp_host_set_rm(struct fp_host *h, enum fp_rm rm)
{
    /* Values of RC: 0 nearest, 1 down, 2 up, 3 towards zero. */
    static const uint8_t rc[] = { 0, 3, 1, 2, 0 };
    if (rm == h->rm)
        return;
    h->rm = rm;
    uint32_t sticky = fp_host_read() & FP_MXCSR_STICKY;
    fp_host_write(FP_MXCSR_MASKS | (uint32_t)rc[rm] << FP_MXCSR_RC | sticky);
}

static inline void
fp_host_enter(struct fp_host *h, enum fp_rm rm)
{
    *h = (struct fp_host){ .rm = FP_RNE, .saved = fp_host_read() };
    fp_host_write(FP_MXCSR_MASKS);
    fp_host_set_rm(h, rm);
}

/* The flags raised since enter or the last take. */
static inline unsigned
fp_host_take(struct fp_host *h)
{
    fp_host_collect(h);
    unsigned flags = h->flags;
    h->flags = 0;
    return flags;
}

/* Returns the flags as take does, and restores the application's environment. */
static inline unsigned
fp_host_leave(struct fp_host *h)
{
    unsigned flags = fp_host_take(h);
    fp_host_write(h->saved);
    return flags;
}

/* Thresholds of rounding: a fraction above the threshold rounds away from zero; see
 * to_integer_lanes.  Units are half, 2^63: 0, just below half, half, never. */
struct fp_thresholds {
    uint64_t positive, negative;
    bool even; /* half: rounds up only if the integer is odd */
};

static inline struct fp_thresholds
fp_thresholds(enum fp_rm rm)
{
    const uint64_t half = (uint64_t)1 << 63, never = UINT64_MAX;
    switch (rm) {
    case FP_RNE:
        return (struct fp_thresholds){ half, half, true };
    case FP_RTZ:
        return (struct fp_thresholds){ never, never, false };
    case FP_RDN:
        return (struct fp_thresholds){ never, 0, false };
    case FP_RUP:
        return (struct fp_thresholds){ 0, never, false };
    case FP_RMM:
        return (struct fp_thresholds){ half - 1, half - 1, false };
    }
    return (struct fp_thresholds){ never, never, false };
}

/* clang warns of loops that it does not vectorise, for example without optimisation. */
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#define FP_WIDTH 32
#include "isa/hostfloat_width.h"
#define FP_WIDTH 64
#include "isa/hostfloat_width.h"

/* ---- between binary32 and binary64 ---- */

/* Widens; exact, so that the rounding mode does not matter.  NaNs become quiet before
 * the host sees them: MXCSR keeps its flags, and signalling ones raise FP_NV here. */
static inline void
fp64_from_fp32_lanes(struct fp_host *h, uint64_t *d, const uint32_t *a,
                     unsigned n)
{
    if (!FP_HOST_SSE) {
        for (unsigned i = 0; i < n; i++)
            d[i] = fp64_from_fp32(a[i], &h->flags);
        return;
    }
    uint32_t flags = 0;
    FP_LAUNDER(d);
    FP_LAUNDER(a);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++) {
        uint32_t quiet = a[i] | (fp32_nan_mask(a[i]) & 0x00400000);
        d[i] = fp64_from_host((double)fp32_to_host(quiet));
        flags |= fp32_snan_mask(a[i]) & FP_NV;
    }
    FP_LAUNDER(d);
    h->flags |= flags;
}

/* Narrows, with one rounding. */
static inline void
fp32_from_fp64_lanes(struct fp_host *h, uint32_t *d, const uint64_t *a,
                     unsigned n)
{
    if (!fp_host_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = fp32_from_fp64(a[i], h->rm, &h->flags);
        return;
    }
    FP_LAUNDER(d);
    FP_LAUNDER(a);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = fp32_from_host((float)fp64_to_host(a[i]));
    FP_LAUNDER(d);
}

#ifdef __clang__
#pragma clang diagnostic pop
#endif
