/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenCL runtime: a program that is in the cache, an empty launch. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdlib.h>

#include "bench.h"
#include "cl/queue/command_buffer_entries.h"

static const char *source =
    "kernel void empty(void) {}\n"
    "kernel void some(global float *x, global const float *y, int n)\n"
    "{\n    int i = get_global_id(0);\n    float s = 0;\n"
    "    for (int j = 0; j < n; j++)\n        s += y[j] * x[i];\n"
    "    x[i] = sin(s) + cos(s);\n}\n";

/* What an application waits, which threads of ours have a part in: the best
 * of many, since other programs run, too. */
static double
wall_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void
fail(const char *what)
{
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static cl_program
build(cl_context c, double *best_us)
{
    cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
    double start = wall_us();
    if (clBuildProgram(p, 0, NULL, "", NULL, NULL) != CL_SUCCESS)
        fail("building");
    double us = wall_us() - start;
    if (us < *best_us)
        *best_us = us;
    return p;
}

static double
launch(cl_command_queue q, cl_kernel k)
{
    enum { BATCHES = 50, EACH = 20 };
    const size_t one = 1;
    double best = 1e9;
    for (int i = 0; i < BATCHES; i++) {
        double start = wall_us();
        for (int j = 0; j < EACH; j++)
            if (clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL,
                                       NULL) ||
                clFinish(q))
                fail("a launch");
        double us = (wall_us() - start) / EACH;
        if (us < best)
            best = us;
    }
    return best;
}

enum { RECORDED = 100 };

/* Empty launches in a row and clFinish, for each launch. */
static double
enqueue(cl_command_queue q, cl_kernel k)
{
    enum { BATCHES = 50 };
    const size_t one = 1;
    double best = 1e9;
    for (int i = 0; i < BATCHES; i++) {
        double start = wall_us();
        for (int j = 0; j < RECORDED; j++)
            if (clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL,
                                       NULL))
                fail("a launch");
        if (clFinish(q))
            fail("launches");
        double us = (wall_us() - start) / RECORDED;
        best = us < best ? us : best;
    }
    return best;
}

#define FIND(platform, function, name)   \
    ((__typeof__(function) *)(uintptr_t) \
         clGetExtensionFunctionAddressForPlatform(platform, #name))

/* The same launches from a command buffer. */
static double
replay(cl_platform_id platform, cl_command_queue q, cl_kernel k)
{
    enum { BATCHES = 50 };
    const size_t one = 1;
    double best = 1e9;
    cl_command_buffer_khr b = FIND(platform, command_buffer_create,
                                   clCreateCommandBufferKHR)(1, &q, NULL, NULL);
    for (int j = 0; j < RECORDED; j++)
        if (FIND(platform, kernel_record, clCommandNDRangeKernelKHR)(
                b, NULL, NULL, k, 1, NULL, &one, NULL, 0, NULL, NULL, NULL))
            fail("recording");
    FIND(platform, command_buffer_finalize, clFinalizeCommandBufferKHR)(b);
    __typeof__(command_buffer_enqueue) *run =
        FIND(platform, command_buffer_enqueue, clEnqueueCommandBufferKHR);
    for (int i = 0; i < BATCHES; i++) {
        double start = wall_us();
        if (run(0, NULL, b, 0, NULL, NULL) || clFinish(q))
            fail("a command buffer");
        double us = (wall_us() - start) / RECORDED;
        best = us < best ? us : best;
    }
    FIND(platform, command_buffer_release, clReleaseCommandBufferKHR)(b);
    return best;
}

/* A context with a buffer, or a buffer alone, made and released. */
static double
allocate(cl_device_id device, cl_context with)
{
    enum { BATCHES = 50, EACH = 100 };
    double best = 1e9;
    for (int i = 0; i < BATCHES; i++) {
        double start = wall_us();
        for (int j = 0; j < EACH; j++) {
            cl_context c =
                with ? with
                     : clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
            cl_mem m = clCreateBuffer(c, 0, 1000, NULL, NULL);
            if (!m || clReleaseMemObject(m) || (!with && clReleaseContext(c)))
                fail("an allocation");
        }
        double us = (wall_us() - start) / EACH;
        best = us < best ? us : best;
    }
    return best;
}

/* Launches in two contexts in turn, which share no tables: each of them. */
static double
alternate(cl_device_id device)
{
    enum { BATCHES = 50, EACH = 10 };
    const size_t one = 1;
    cl_command_queue q[2];
    cl_kernel k[2];
    double best = 1e9;
    for (int i = 0; i < 2; i++) {
        cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
        q[i] = clCreateCommandQueue(c, device, 0, NULL);
        k[i] = clCreateKernel(build(c, &(double){ 0 }), "empty", NULL);
    }
    for (int i = 0; i < BATCHES; i++) {
        double start = wall_us();
        for (int j = 0; j < 2 * EACH; j++)
            if (clEnqueueNDRangeKernel(q[j % 2], k[j % 2], 1, NULL, &one, NULL,
                                       0, NULL, NULL) ||
                clFinish(q[j % 2]))
                fail("a launch");
        double us = (wall_us() - start) / (2 * EACH);
        best = us < best ? us : best;
    }
    return best;
}

int
main(void)
{
    char folder[] = "/tmp/ventus-bench-XXXXXX", command[64];
    cl_platform_id platform;
    cl_device_id device = NULL;
    double first = 1e9, cached = 1e9;
    if (!mkdtemp(folder))
        fail("mkdtemp");
    setenv("VENTUS_CACHE_DIR", folder, 1);
    setenv("OCL_ICD_VENDORS", RUNTIME, 1);
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL))
        fail("finding a device");
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueue(c, device, 0, NULL);
    cl_program p = build(c, &first);
    for (int i = 0; i < 50; i++)
        clReleaseProgram(build(c, &cached));
    bench_report("cl.cached", cached / 1e3, "ms");
    bench_report("cl.launch", launch(q, clCreateKernel(p, "empty", NULL)),
                 "us");
    bench_report("cl.enqueued", enqueue(q, clCreateKernel(p, "empty", NULL)),
                 "us");
    bench_report("cl.recorded",
                 replay(platform, q, clCreateKernel(p, "empty", NULL)), "us");
    bench_report("cl.two_contexts", alternate(device), "us");
    bench_report("cl.buffer", allocate(device, c), "us");
    bench_report("cl.context", allocate(device, NULL), "us");
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0;
}
