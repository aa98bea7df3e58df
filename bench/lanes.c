/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating-point lanes computed in a nanosecond, 32 at a time, with operands
 * in the first cache and MXCSR written once for all; then softfloat.
 */
#include "bench.h"

#include "isa/hostfloat.h"

enum { LANES = 32, ROUNDS = 2000000 };

static uint32_t a[LANES], b[LANES], c[LANES], d[LANES];

/* Reports how long `work` takes; the asm keeps it in the loop. */
#define MEASURE(name, rounds, work)                                        \
    do {                                                                   \
        double start = bench_now();                                        \
        for (unsigned r = 0; r < (rounds); r++) {                          \
            __asm__ volatile("" : : "r"(a), "r"(b), "r"(d) : "memory");    \
            work;                                                          \
        }                                                                  \
        double seconds = bench_now() - start;                              \
        bench_report(name, 1e-9 * LANES * (rounds) / seconds, "lanes/ns"); \
    } while (0)

static void
add_soft(struct fp_host *h)
{
    for (unsigned i = 0; i < LANES; i++)
        d[i] = fp32_add(a[i], b[i], h->rm, &h->flags);
}

static void
fma_soft(struct fp_host *h)
{
    for (unsigned i = 0; i < LANES; i++)
        d[i] = fp32_fma(a[i], b[i], c[i], 0, h->rm, &h->flags);
}

static void
exp_soft(void)
{
    for (unsigned i = 0; i < LANES; i++)
        d[i] = fp32_exp(a[i]);
}

int
main(void)
{
#ifdef __AVX2__
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return 0; /* nothing to report */
#endif
    for (unsigned i = 0; i < LANES; i++) {
        a[i] = 0x3f800000 + i * 12345;
        b[i] = 0x40000000 + i * 54321;
        c[i] = 0x3f000000 + i * 777;
    }
    struct fp_host h;
    fp_host_enter(&h, FP_RNE);
    MEASURE("fp.add", ROUNDS, fp32_add_lanes(&h, d, a, b, LANES));
    MEASURE("fp.mul", ROUNDS, fp32_mul_lanes(&h, d, a, b, LANES));
    MEASURE("fp.fma", ROUNDS, fp32_fma_lanes(&h, d, a, b, c, 0, LANES));
    MEASURE("fp.div", ROUNDS, fp32_div_lanes(&h, d, a, b, LANES));
    MEASURE("fp.sqrt", ROUNDS, fp32_sqrt_lanes(&h, d, a, LANES));
    MEASURE("fp.lt", ROUNDS, fp32_lt_lanes(&h, d, a, b, LANES));
    MEASURE("fp.min", ROUNDS, fp32_min_lanes(&h, d, a, b, LANES));
    MEASURE("fp.to_int", ROUNDS, fp32_to_int_lanes(&h, d, a, LANES));
    MEASURE("fp.add_take", ROUNDS, {
        fp32_add_lanes(&h, d, a, b, LANES);
        fp_host_take(&h);
    });
    fp_host_leave(&h);
    MEASURE("fp.add_enter_leave", ROUNDS, {
        fp_host_enter(&h, FP_RNE);
        fp32_add_lanes(&h, d, a, b, LANES);
        fp_host_leave(&h);
    });
    fp_host_enter(&h, FP_RNE);
    MEASURE("fp.add_soft", ROUNDS / 50, add_soft(&h));
    MEASURE("fp.fma_soft", ROUNDS / 50, fma_soft(&h));
    MEASURE("fp.exp", ROUNDS / 50, exp_soft());
    fp_host_leave(&h);
    return 0;
}
