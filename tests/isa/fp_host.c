/* SPDX-License-Identifier: Apache-2.0 */
/*
 * softfloat against the host: C's operators and the C library's fma and sqrt,
 * under fesetround, with the flags of fetestexcept.  Compiled with
 * -frounding-math; operands are volatile, so that nothing is computed early.
 *
 * fp_host [COUNT]
 */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fp_operands.h"
#include "isa/softfloat.h"

static const int host_rounding[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                     FE_UPWARD };
static unsigned long failures;

struct operation {
    const char *name;
    unsigned width;
    enum fp_rm rm;
    uint64_t a, b, c;
};

static unsigned
host_flags(void)
{
    int e = fetestexcept(FE_ALL_EXCEPT);
    return (e & FE_INEXACT ? FP_NX : 0u) | (e & FE_UNDERFLOW ? FP_UF : 0u) |
           (e & FE_OVERFLOW ? FP_OF : 0u) | (e & FE_DIVBYZERO ? FP_DZ : 0u) |
           (e & FE_INVALID ? FP_NV : 0u);
}

/*
 * RISC-V and x86 ask whether a result is tiny after rounding, aarch64 before: one
 * that is rounded to the smallest normal may raise underflow there alone.
 */
static bool
is_early_underflow(unsigned width, uint64_t host, unsigned more)
{
#ifdef __aarch64__
    uint64_t sign = UINT64_C(1) << (width - 1);
    uint64_t smallest = UINT64_C(1) << (width == 32 ? 23 : 52);
    return more == FP_UF && (host & ~sign) == smallest;
#else
    (void)width;
    (void)host;
    (void)more;
    return false;
#endif
}

static void
compare(const struct operation *o, uint64_t ours, unsigned our_flags,
        uint64_t host, unsigned flags)
{
    if (ours == host &&
        (our_flags == flags ||
         (our_flags == (our_flags & flags) &&
          is_early_underflow(o->width, host, our_flags ^ flags))))
        return;
    printf("%s%u rm %u: %" PRIx64 " %" PRIx64 " %" PRIx64 ": %" PRIx64
           " flags %x, host %" PRIx64 " flags %x\n",
           o->name, o->width, (unsigned)o->rm, o->a, o->b, o->c, ours,
           our_flags, host, flags);
    if (++failures == 20)
        exit(1);
}

#define FP_WIDTH  32
#define HOST      float
#define HOST_FMA  fmaf
#define HOST_SQRT sqrtf
#include "fp_host_width.h"
#define FP_WIDTH  64
#define HOST      double
#define HOST_FMA  fma
#define HOST_SQRT sqrt
#include "fp_host_width.h"

static void
check_formats(enum fp_rm rm, uint64_t wide, uint32_t narrow)
{
    struct operation o = { "from_fp64_", 32, rm, wide, 0, 0 };
    unsigned flags = 0;
    feclearexcept(FE_ALL_EXCEPT);
    volatile float f = (float)fp64_host(wide);
    uint32_t ours = fp32_from_fp64(wide, rm, &flags);
    compare(&o, ours, flags, fp32_bits(f), host_flags());

    o = (struct operation){ "from_fp32_", 64, rm, narrow, 0, 0 };
    flags = 0;
    feclearexcept(FE_ALL_EXCEPT);
    volatile double d = (double)fp32_host(narrow);
    uint64_t ours64 = fp64_from_fp32(narrow, &flags);
    compare(&o, ours64, flags, fp64_bits(d), host_flags());
}

int
main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 200000;
    struct fp_random random = { 20240229 };
    for (unsigned long i = 0; i < count; i++) {
        enum fp_rm rm = (enum fp_rm)(i % 4);
        fesetround(host_rounding[rm]);
        uint64_t integer =
            (uint64_t)((int64_t)fp_random(&random) >> fp_random(&random) % 64);
        fp32_check(rm, &random, integer);
        fp64_check(rm, &random, integer);
        uint64_t wide = fp_operand(&random, 64);
        uint32_t narrow = (uint32_t)fp_operand(&random, 32);
        check_formats(rm, wide, narrow);
        unsigned ignored = 0; /* where binary32 ends */
        wide = fp64_from_fp32(narrow, &ignored);
        check_formats(rm, wide + (fp_random(&random) >> 36), narrow);
        fesetround(FE_TONEAREST);
    }
    printf("%lu operand sets, %lu failures\n", count, failures);
    return failures != 0;
}
