/* SPDX-License-Identifier: Apache-2.0 */
/*
 * softfloat.h against the cases of Berkeley's TestFloat, which docs/accuracy-fp.md
 * says how to get and build:
 *
 *     testfloat_gen -rminMag -tininessafter f32_add | fp_testfloat f32_add minMag
 *
 * A line of a case has operands, result and flags in hexadecimal; the flags are
 * numbered as in fflags.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/sem_fp_cvt.h"

/* A case's operands; a function gives the result. */
typedef uint64_t
test_fn(const uint64_t x[3], enum fp_rm rm, unsigned *flags);

#define FN(name, value)                                                       \
    static uint64_t name(const uint64_t x[3], enum fp_rm rm, unsigned *flags) \
    {                                                                         \
        (void)rm;                                                             \
        return (uint64_t)(value);                                             \
    }
#define A(W) ((uint##W##_t)x[0])
#define B(W) ((uint##W##_t)x[1])
#define C(W) ((uint##W##_t)x[2])

#define ARITHMETIC(W)                                                \
    FN(f##W##_add, fp##W##_add(A(W), B(W), rm, flags))               \
    FN(f##W##_sub, fp##W##_sub(A(W), B(W), rm, flags))               \
    FN(f##W##_mul, fp##W##_mul(A(W), B(W), rm, flags))               \
    FN(f##W##_div, fp##W##_div(A(W), B(W), rm, flags))               \
    FN(f##W##_mulAdd, fp##W##_fma(A(W), B(W), C(W), 0, rm, flags))   \
    FN(f##W##_sqrt, fp##W##_sqrt(A(W), rm, flags))                   \
    FN(f##W##_eq, fp##W##_eq(A(W), B(W), flags))                     \
    FN(f##W##_lt, fp##W##_lt(A(W), B(W), flags))                     \
    FN(f##W##_le, fp##W##_le(A(W), B(W), flags))                     \
    FN(f##W##_to_i32, (uint32_t)fp##W##_to_int(A(W), 32, rm, flags)) \
    FN(f##W##_to_i64, fp##W##_to_int(A(W), 64, rm, flags))           \
    FN(f##W##_to_ui32, fp##W##_to_uint(A(W), 32, rm, flags))         \
    FN(f##W##_to_ui64, fp##W##_to_uint(A(W), 64, rm, flags))         \
    FN(i32_to_f##W, fp##W##_from_int((int32_t)x[0], rm, flags))      \
    FN(i64_to_f##W, fp##W##_from_int((int64_t)x[0], rm, flags))      \
    FN(ui32_to_f##W, fp##W##_from_uint((uint32_t)x[0], rm, flags))   \
    FN(ui64_to_f##W, fp##W##_from_uint(x[0], rm, flags))
ARITHMETIC(16)
ARITHMETIC(32)
ARITHMETIC(64)
FN(f16_to_f32, fp32_from_fp16(A(16), flags))
FN(f16_to_f64, fp64_from_fp16(A(16), flags))
FN(f32_to_f16, fp16_from_fp32(A(32), rm, flags))
FN(f32_to_f64, fp64_from_fp32(A(32), flags))
FN(f64_to_f16, fp16_from_fp64(x[0], rm, flags))
FN(f64_to_f32, fp32_from_fp64(x[0], rm, flags))
FN(odd_to_f16, sem_fn_rod_f_f_16(x[0], rm, flags))
FN(odd_to_f32, sem_fn_rod_f_f_32(x[0], rm, flags))

static const struct {
    const char *name;
    unsigned operands;
    test_fn *fn, *odd; /* odd: where the mode is to odd */
} functions[] = {
#define ROW(name, n)         \
    {                        \
#name, n, name, NULL \
    }
#define ROWS(W)                                                               \
    ROW(f##W##_add, 2), ROW(f##W##_sub, 2), ROW(f##W##_mul, 2),               \
        ROW(f##W##_div, 2), ROW(f##W##_mulAdd, 3), ROW(f##W##_sqrt, 1),       \
        ROW(f##W##_eq, 2), ROW(f##W##_lt, 2), ROW(f##W##_le, 2),              \
        ROW(f##W##_to_i32, 1), ROW(f##W##_to_i64, 1), ROW(f##W##_to_ui32, 1), \
        ROW(f##W##_to_ui64, 1), ROW(i32_to_f##W, 1), ROW(i64_to_f##W, 1),     \
        ROW(ui32_to_f##W, 1), ROW(ui64_to_f##W, 1)
    ROWS(16),
    ROWS(32),
    ROWS(64),
    ROW(f16_to_f32, 1),
    ROW(f16_to_f64, 1),
    ROW(f32_to_f64, 1),
    ROW(f64_to_f16, 1),
    { "f32_to_f16", 1, f32_to_f16, odd_to_f16 },
    { "f64_to_f32", 1, f64_to_f32, odd_to_f32 },
};

static const char *const modes[] = { "near_even", "minMag",      "min",
                                     "max",       "near_maxMag", "odd" };
enum { MODES = sizeof modes / sizeof *modes, ODD = MODES - 1 };

/* Reads all cases; the number of those that differ. */
static unsigned long
check(test_fn *fn, unsigned operands, enum fp_rm rm, unsigned long *cases)
{
    unsigned long differ = 0;
    char line[200];
    while (fgets(line, sizeof line, stdin)) {
        uint64_t x[5] = { 0 };
        char *at = line;
        for (unsigned i = 0; i < operands + 2; i++)
            x[i] = strtoull(at, &at, 16);
        unsigned flags = 0;
        uint64_t ours = fn(x, rm, &flags);
        ++*cases;
        if (ours == x[operands] && flags == x[operands + 1])
            continue;
        if (++differ <= 10)
            printf("ours %" PRIx64 " %02x: %s", ours, flags, line);
    }
    return differ;
}

int
main(int argc, char **argv)
{
    unsigned long cases = 0, differ = 0;
    unsigned rm = 0;
    test_fn *fn = NULL;
    unsigned operands = 0;
    for (; argc == 3 && rm < MODES && strcmp(modes[rm], argv[2]) != 0; rm++)
        continue;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (argc == 3 && strcmp(functions[i].name, argv[1]) == 0) {
            fn = rm == ODD ? functions[i].odd : functions[i].fn;
            operands = functions[i].operands;
        }
    if (argc != 3 || rm == MODES || !fn) {
        fprintf(stderr, "usage: fp_testfloat FUNCTION MODE < CASES\n");
        return 2;
    }
    differ = check(fn, operands, rm == ODD ? FP_RTZ : (enum fp_rm)rm, &cases);
    printf("%s %s: %lu cases, %lu differ\n", argv[1], argv[2], cases, differ);
    return differ || !cases;
}
