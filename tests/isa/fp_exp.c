/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfexp against the C library's exp: all of binary16; every STRIDE-th of
 * binary32, bit for bit; binary64 to one unit in the last place.
 *
 * fp_exp STRIDE
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fp_operands.h"
#include "isa/softfloat.h"

static double
host_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t
double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool
check32(uint32_t a)
{
    float x, y;
    uint32_t want;
    memcpy(&x, &a, sizeof x);
    y = (float)exp((double)x);
    memcpy(&want, &y, sizeof want);
    if (fp32_is_nan(want))
        want = 0x7fc00000;
    uint32_t ours = fp32_exp(a);
    if (ours == want)
        return true;
    printf("exp32 %08x: %08x, host %08x\n", a, ours, want);
    return false;
}

static bool
check16(uint16_t a)
{
    unsigned f = 0;
    double x = host_double(fp64_from_fp16(a, &f));
    uint16_t want = fp16_from_fp64(double_bits(exp(x)), FP_RNE, &f);
    uint16_t ours = fp16_exp(a);
    if (ours == want)
        return true;
    printf("exp16 %04x: %04x, host %04x\n", a, ours, want);
    return false;
}

static bool
check64(uint64_t a)
{
    uint64_t want = double_bits(exp(host_double(a)));
    if (fp64_is_nan(want))
        want = 0x7ff8000000000000;
    uint64_t ours = fp64_exp(a);
    if (ours - want + 1 <= 2)
        return true;
    printf("exp64 %016" PRIx64 ": %016" PRIx64 ", host %016" PRIx64 "\n", a,
           ours, want);
    return false;
}

int
main(int argc, char **argv)
{
    unsigned long failures = 0,
                  stride = argc > 1 ? strtoul(argv[1], NULL, 0) : 257;
    struct fp_random random = { 99 };
    for (uint32_t a = 0; a < 0x10000; a++)
        failures += !check16((uint16_t)a);
    for (uint64_t a = 0; a < (uint64_t)1 << 32; a += stride)
        failures += !check32((uint32_t)a);
    for (unsigned i = 0; i < 100000; i++)
        failures += !check32((uint32_t)fp_operand(&random, 32));
    for (unsigned i = 0; i < 100000; i++) {
        failures += !check64(fp_operand(&random, 64));
        /* Where the result is finite: up to 2^10. */
        uint64_t exponent = 0x3c0 + fp_random(&random) % 0x4a;
        failures += !check64(exponent << 52 | fp_random(&random) >> 12 |
                             fp_random(&random) >> 63 << 63);
        exponent = 1023 - 10 + fp_random(&random) % 21;
        failures += !check64(exponent << 52 | fp_random(&random) >> 12 |
                             fp_random(&random) >> 63 << 63);
    }
    /* Around k ln 2, where k is easily one off. */
    for (int k = -1075; k <= 1024; k++)
        for (unsigned i = 0; i < 5; i++)
            failures += !check64(double_bits(k * 0x1.62e42fefa39efp-1) + i - 2);
    printf("%lu failures\n", failures);
    return failures != 0;
}
