/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of hostfloat.h and hosthalf.h against softfloat: bits of every lane, and the
 * union of the flags, which says most when there are few lanes.  Compiled for
 * several -march.
 *
 * fp_lanes [COUNT]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fp_operands.h"
#include "isa/hosthalf.h"

enum { LANES = 64 };

static unsigned long failures;

static void
report(const char *name, unsigned width, enum fp_rm rm, const uint64_t *operand,
       uint64_t hard, uint64_t soft)
{
    printf("%s%u rm %u: %" PRIx64 " %" PRIx64 " %" PRIx64 ": %" PRIx64
           ", softfloat %" PRIx64 "\n",
           name, width, (unsigned)rm, operand[0], operand[1], operand[2], hard,
           soft);
    if (++failures == 20)
        exit(1);
}

#define FP_WIDTH 16
#include "fp_lanes_width.h"
#define FP_WIDTH 32
#include "fp_lanes_width.h"
#define FP_WIDTH 64
#include "fp_lanes_width.h"

/* The application's MXCSR comes back, whatever was in it. */
static void
check_environment(void)
{
#if FP_HOST_SSE
    const uint32_t strange[] = { 0x1f80, 0x9fc0, 0x7fbf, 0x5f81 };
    uint32_t before = fp_host_read();
    for (unsigned i = 0; i < sizeof strange / sizeof *strange; i++) {
        fp_host_write(strange[i]);
        struct fp_host h;
        fp_host_enter(&h, FP_RNE);
        uint32_t tiny = 1, third[2] = { 0x3f800000, 0x40400000 };
        fp32_add_lanes(&h, &tiny, &tiny, &tiny, 1);
        unsigned none = fp_host_take(&h);
        uint32_t zero = 0, inf;
        fp32_div_lanes(&h, &inf, third, &zero, 1);
        fp_host_set_rm(&h, FP_RUP);
        fp32_div_lanes(&h, third, third, third + 1, 1);
        unsigned flags = fp_host_leave(&h);
        uint32_t after = fp_host_read();
        fp_host_write(before);
        if (after != strange[i] || tiny != 2 || none != 0 ||
            flags != (FP_NX | FP_DZ) || third[0] != 0x3eaaaaab) {
            printf("environment %x: after %x, %x %x %x %x\n", strange[i], after,
                   tiny, none, flags, third[0]);
            failures++;
        }
    }
#endif
}

/* Each half alone, with others as second and third, in every mode. */
static void
check_halves(struct fp_random *random)
{
    static struct fp16_lanes l = { .n = 1 };
    for (uint32_t i = 0; i < 5 << 16; i++) {
        l.rm = (enum fp_rm)(i >> 16);
        l.a[0] = i & 0xffff;
        l.b[0] = (uint32_t)fp_partner(random, 16, l.a[0]);
        l.c[0] = (uint32_t)fp_partner(random, 16, l.b[0]);
        fp16_check_rounding(&l);
        fp16_check_integer(&l);
    }
}

/* Between binary32 and binary64: one lane, or all. */
static void
check_formats(struct fp_random *random)
{
    uint32_t narrow[LANES], rounded[LANES];
    uint64_t wide[LANES], widened[LANES];
    unsigned n = fp_random(random) % 4 ? 1 : LANES, soft[2] = { 0, 0 };
    enum fp_rm rm = (enum fp_rm)(fp_random(random) % 5);
    for (unsigned i = 0; i < n; i++) {
        uint32_t about = (uint32_t)fp_operand(random, 32);
        unsigned ignored = 0;
        narrow[i] = (uint32_t)fp_operand(random, 32);
        wide[i] = fp_operand(random, 64);
        if (fp_random(random) % 2) /* a float or a neighbour of one */
            wide[i] =
                fp64_from_fp32(about, &ignored) + fp_random(random) % 3 - 1;
    }
    struct fp_host h;
    fp_host_enter(&h, rm);
    fp64_from_fp32_lanes(&h, widened, narrow, n);
    unsigned widening = fp_host_take(&h);
    fp32_from_fp64_lanes(&h, rounded, wide, n);
    unsigned narrowing = fp_host_leave(&h);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t operand[3] = { narrow[i], wide[i], 0 };
        uint64_t to_wide = fp64_from_fp32(narrow[i], &soft[0]);
        uint32_t to_narrow = fp32_from_fp64(wide[i], rm, &soft[1]);
        if (widened[i] != to_wide)
            report("from_fp32", 64, rm, operand, widened[i], to_wide);
        if (rounded[i] != to_narrow)
            report("from_fp64", 32, rm, operand, rounded[i], to_narrow);
    }
    const uint64_t first[3] = { narrow[0], wide[0], n };
    if (widening != soft[0])
        report("flags of from_fp32", 64, rm, first, widening, soft[0]);
    if (narrowing != soft[1])
        report("flags of from_fp64", 32, rm, first, narrowing, soft[1]);
}

static bool
host_can_run(void)
{
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

int
main(int argc, char **argv)
{
    if (!host_can_run()) {
        printf("skipped: this processor lacks the instructions\n");
        return 77;
    }
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 30000;
    struct fp_random random = { 4711 };
    for (unsigned long i = 0; i < count; i++) {
        fp16_check(&random);
        fp32_check(&random);
        fp64_check(&random);
        check_formats(&random);
    }
    check_halves(&random);
    check_environment();
    printf("%lu rounds, %lu failures\n", count, failures);
    return failures != 0;
}
