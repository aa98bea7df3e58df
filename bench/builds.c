/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clBuildProgram of a small program that is in no cache, in three ways, in turns: in the
 * compiler that stays loaded, by a compiler for each build, and by one that starts clang
 * as a program.
 *
 *     builds [ROUNDS [WAY]]
 *
 * Prints the best and the median of the wall's milliseconds: on a busy host the best is
 * what a build takes.  WAY, `builds.warm` say: that one alone, so that `perf stat -e
 * task-clock`, which counts what all of its processes use, tells its processor time.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { WAYS = 3, MOST = 1000 };

static const struct {
    const char *name, *warm, *clang;
} ways[WAYS] = {
    { "builds.warm", "1", NULL },
    { "builds.apart", "0", NULL },
    { "builds.clang", "0", "clang-19" },
};

static void
set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static bool
is_wanted(unsigned way, const char *wanted)
{
    return !wanted || strcmp(wanted, ways[way].name) == 0;
}

static double
build_ms(cl_context c, unsigned round)
{
    static const char *source =
        "kernel void add(global const int *a, global const int *b,\n"
        "                global int *c)\n"
        "{\n    int i = get_global_id(0);\n    c[i] = a[i] + b[i] + N;\n}\n";
    char options[32];
    snprintf(options, sizeof options, "-DN=%u", round);
    cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
    double start = bench_clock();
    if (clBuildProgram(p, 0, NULL, options, NULL, NULL) != CL_SUCCESS) {
        fputs("building failed\n", stderr);
        exit(1);
    }
    double ms = 1e3 * (bench_clock() - start);
    clReleaseProgram(p);
    return ms;
}

static int
compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int
main(int argc, char **argv)
{
    static double ms[WAYS][MOST];
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 30;
    cl_platform_id platform;
    cl_device_id device;
    setenv("OCL_ICD_VENDORS", RUNTIME, 1);
    setenv("VENTUS_CACHE", "0", 1);
    if (rounds < 1 || rounds > MOST ||
        clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) !=
            CL_SUCCESS)
        return 1;
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    const char *wanted = argc > 2 ? argv[2] : NULL;
    for (int i = 0; i < 2 && is_wanted(0, wanted); i++)
        build_ms(c, 0); /* starts the compiler, and warms it up */
    for (unsigned i = 0; i < rounds; i++)
        for (unsigned w = 0; w < WAYS; w++) {
            if (!is_wanted(w, wanted))
                continue;
            set("VENTUS_WARM_COMPILER", ways[w].warm);
            set("VENTUS_CLANG", ways[w].clang);
            ms[w][i] = build_ms(c, i);
        }
    for (unsigned w = 0; w < WAYS; w++) {
        if (!is_wanted(w, wanted))
            continue;
        qsort(ms[w], rounds, sizeof *ms[w], compare);
        bench_report(ways[w].name, ms[w][0], "ms at best");
        bench_report(ways[w].name, ms[w][rounds / 2], "ms, median");
    }
    clReleaseContext(c);
    return 0;
}
