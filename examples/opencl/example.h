/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What these programs share, so that each can show its kernel and little else:
 * options, the way from a platform to a kernel, a clock, random numbers.
 *
 *     struct example ex = example_open("adds", argc, argv, options);
 *     cl_kernel add = example_kernel(&ex, source, "add", "");
 *     cl_mem x = example_buffer(&ex, CL_MEM_READ_ONLY, size, bytes);
 *     for (int i = 0; i < ex.repeat; i++) {
 *         example_start(&ex);
 *         ... enqueue ...
 *         example_stop(&ex);
 *     }
 *     CHECK(clEnqueueReadBuffer(ex.queue, ...));
 *     return example_close(&ex, wrong, "sums");
 *
 * Nothing here knows on which OpenCL it runs: the first device is taken.
 */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A call that returns a code; one that stores it in `example_code`. */
#define CHECK(call)      example_check((call), #call, __FILE__, __LINE__)
#define CHECK_CODE(what) example_check(example_code, (what), __FILE__, __LINE__)

static inline void
example_check(cl_int code, const char *what, const char *file, int line)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: error %d from %s\n", file, line, code, what);
    exit(2);
}

static inline void
example_fail(const char *what, const char *name)
{
    fprintf(stderr, "error: %s '%s'; see --help\n", what, name);
    exit(2);
}

/* `--name N`, least to most; or `--name TEXT` if text is not NULL:
 *     { "n", "elements", &n, 1, 1000000, NULL }
 * An array of them ends with one that has no name. */
struct example_option {
    const char *name, *help;
    int *number, least, most;
    const char **text;
};

struct example {
    const char *name;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program programs[8]; /* to be released */
    cl_kernel kernels[8];
    cl_mem buffers[32];
    int n_kernels, n_buffers;
    int repeat;
    struct timespec start;
    double best_ms; /* the shortest time from start to stop */
};

static inline void
example_help(const char *name, const char *about,
             const struct example_option *options)
{
    printf("usage: %s [OPTION...]\n\n%s\n\n", name, about);
    for (; options->name; options++) {
        printf("  --%s %-*s %s", options->name, 12 - (int)strlen(options->name),
               options->text ? "TEXT" : "N", options->help);
        if (options->text)
            printf(" (%s)\n", *options->text ? *options->text : "none");
        else
            printf(" (%d)\n", *options->number);
    }
    exit(0);
}

static inline void
example_read_option(const struct example_option *o, const char *value)
{
    if (o->text) {
        *o->text = value;
        return;
    }
    char *end;
    long number = strtol(value, &end, 10);
    if (*end || end == value || number < o->least || number > o->most) {
        fprintf(stderr, "error: --%s is '%s', expected %d to %d\n", o->name,
                value, o->least, o->most);
        exit(2);
    }
    *o->number = (int)number;
}

static inline void
example_options(struct example *ex, const char *about, int argc, char **argv,
                const struct example_option *options)
{
    struct example_option all[16] = {
        { "repeat", "run so often, show the shortest time", &ex->repeat, 1,
          1000000, NULL },
    };
    for (int n = 1; options->name; options++)
        all[n++] = *options;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help"))
            example_help(ex->name, about, all);
        const struct example_option *o = all;
        while (o->name &&
               (strncmp(argv[i], "--", 2) || strcmp(argv[i] + 2, o->name)))
            o++;
        if (!o->name)
            example_fail("unknown argument", argv[i]);
        if (++i == argc)
            example_fail("no value after", argv[i - 1]);
        example_read_option(o, argv[i]);
    }
}

/* Reads the options, then opens the first device of the first platform. */
static inline struct example
example_open(const char *about, int argc, char **argv,
             const struct example_option *options)
{
    struct example ex = { .repeat = 1, .best_ms = INFINITY };
    const char *slash = strrchr(argv[0], '/');
    ex.name = slash ? slash + 1 : argv[0];
    example_options(&ex, about, argc, argv, options);

    cl_int example_code;
    cl_platform_id platform;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &ex.device, NULL));
    ex.context =
        clCreateContext(NULL, 1, &ex.device, NULL, NULL, &example_code);
    CHECK_CODE("clCreateContext");
    ex.queue = clCreateCommandQueue(ex.context, ex.device, 0, &example_code);
    CHECK_CODE("clCreateCommandQueue");
    return ex;
}

/*
 * Work-items in a group: `most`, halved until the device takes a group of
 * that, or of its square.  A GPU's cores have room for so many and no more.
 */
static inline size_t
example_group(const struct example *ex, size_t most, bool square)
{
    size_t room;
    CHECK(clGetDeviceInfo(ex->device, CL_DEVICE_MAX_WORK_GROUP_SIZE,
                          sizeof room, &room, NULL));
    while (most > 1 && (square ? most * most : most) > room)
        most /= 2;
    return most;
}

/* The same for a kernel that was built: its registers may leave less room. */
static inline size_t
example_kernel_group(const struct example *ex, cl_kernel kernel, size_t most)
{
    size_t room;
    CHECK(clGetKernelWorkGroupInfo(kernel, ex->device,
                                   CL_KERNEL_WORK_GROUP_SIZE, sizeof room,
                                   &room, NULL));
    while (most > 1 && most > room)
        most /= 2;
    return most;
}

static inline void
example_print_log(struct example *ex, cl_program program)
{
    size_t size;
    CHECK(clGetProgramBuildInfo(program, ex->device, CL_PROGRAM_BUILD_LOG, 0,
                                NULL, &size));
    char *log = calloc(size + 1, 1);
    CHECK(clGetProgramBuildInfo(program, ex->device, CL_PROGRAM_BUILD_LOG, size,
                                log, NULL));
    fputs(log, stderr);
    free(log);
}

/* Builds the source and takes one kernel of it. */
static inline cl_kernel
example_kernel(struct example *ex, const char *source, const char *name,
               const char *build_options)
{
    cl_int example_code;
    cl_program program =
        clCreateProgramWithSource(ex->context, 1, &source, NULL, &example_code);
    CHECK_CODE("clCreateProgramWithSource");
    example_code =
        clBuildProgram(program, 1, &ex->device, build_options, NULL, NULL);
    if (example_code != CL_SUCCESS)
        example_print_log(ex, program);
    CHECK_CODE("clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, name, &example_code);
    CHECK_CODE("clCreateKernel");
    ex->programs[ex->n_kernels] = program;
    ex->kernels[ex->n_kernels++] = kernel;
    return kernel;
}

/* A buffer, with these contents unless NULL. */
static inline cl_mem
example_buffer(struct example *ex, cl_mem_flags flags, size_t size, void *bytes)
{
    cl_int example_code;
    if (bytes)
        flags |= CL_MEM_COPY_HOST_PTR;
    cl_mem buffer =
        clCreateBuffer(ex->context, flags, size, bytes, &example_code);
    CHECK_CODE("clCreateBuffer");
    ex->buffers[ex->n_buffers++] = buffer;
    return buffer;
}

static inline void
example_start(struct example *ex)
{
    CHECK(clFinish(ex->queue));
    timespec_get(&ex->start, TIME_UTC);
}

static inline void
example_stop(struct example *ex)
{
    struct timespec now;
    CHECK(clFinish(ex->queue));
    timespec_get(&now, TIME_UTC);
    double ms = (double)(now.tv_sec - ex->start.tv_sec) * 1e3 +
                (double)(now.tv_nsec - ex->start.tv_nsec) / 1e6;
    if (ms < ex->best_ms)
        ex->best_ms = ms;
}

/* Says how many results are wrong, gives everything back, and returns the
 * status to end with. */
static inline int
example_close(struct example *ex, size_t wrong, size_t results,
              const char *what)
{
    char device[256] = "";
    CHECK(clGetDeviceInfo(ex->device, CL_DEVICE_NAME, sizeof device - 1, device,
                          NULL));
    if (wrong)
        printf("%s: %zu of %zu %s are wrong", ex->name, wrong, results, what);
    else
        printf("%s: %zu %s, all right", ex->name, results, what);
    printf("; %.3f ms on %s\n", ex->best_ms, device);
    for (int i = 0; i < ex->n_buffers; i++)
        CHECK(clReleaseMemObject(ex->buffers[i]));
    for (int i = 0; i < ex->n_kernels; i++) {
        CHECK(clReleaseKernel(ex->kernels[i]));
        CHECK(clReleaseProgram(ex->programs[i]));
    }
    CHECK(clReleaseCommandQueue(ex->queue));
    CHECK(clReleaseContext(ex->context));
    return wrong != 0;
}

static inline void *
example_alloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fprintf(stderr, "error: no memory for %zu * %zu bytes\n", count, size);
        exit(2);
    }
    return p;
}

/* The same numbers on every machine (xorshift32, Marsaglia 2003). */
static inline uint32_t
example_random(uint32_t *state)
{
    uint32_t x = *state ? *state : 2463534242u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* Between 0 and 1, 24 random bits. */
static inline float
example_random_float(uint32_t *state)
{
    return (float)(example_random(state) >> 8) * 0x1p-24f;
}

static inline size_t
example_round_up(size_t n, size_t step)
{
    return (n + step - 1) / step * step;
}
