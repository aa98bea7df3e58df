/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer of the OpenCL loader that measures the kernels of an unchanged program,
 * whatever implementation runs them:
 *
 *     OPENCL_LAYERS=libkernel_times.so KERNEL_TIMES=FILE ./program
 *
 * The time of a launch is from its call to the end of the command, on a queue that was
 * idle before: transfers and the program's own part are outside.
 *
 *   KERNEL_TIMES=FILE     gets a line `NAME LAUNCHES CPU WALL FIRST` for each kernel: the
 *                         milliseconds of the process's processor time and of the wall,
 *                         and of the wall for the first launch; and a line `code BYTES`,
 *                         the code that the process had made at its last launch.
 *   KERNEL_WARM=MS        repeats the first launch of a kernel, and of each size of its
 *                         groups, at least once and for MS of the wall, before it is
 *                         measured: pocl compiles for a size of groups, a simulator
 *                         translates.  Buffers get their contents back after each.
 *   KERNEL_PROGRAM=FILE   gets the binary of the program that has the first kernel.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ARGS = 128 };

struct kernel {
    struct kernel *next;
    cl_kernel handle;
    char name[128];
    cl_mem arg[MOST_ARGS]; /* buffers among its arguments */
    bool has_svm;          /* other memory, which cannot be put back */
    bool is_warm;          /* for groups of this size */
    size_t local[3];
    unsigned launches;
    double cpu_ms, wall_ms, first_ms;
};

static const struct _cl_icd_dispatch *target;
static struct _cl_icd_dispatch layer;
static struct kernel *kernels; /* the newest first */
static cl_mem *buffers;
static size_t num_buffers;
static unsigned long code_B;

static void *
allocate(void *old, size_t size)
{
    void *p = realloc(old, size);
    if (!p) {
        fputs("kernel_times: no memory\n", stderr);
        exit(3);
    }
    return p;
}

static double
clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Bytes that can be executed and are of no file. */
static unsigned long
made_code_B(void)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char line[1024], mode[8], path[2];
    unsigned long start, end, sum = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %1s", &start, &end, mode,
                   path) == 3 &&
            mode[2] == 'x')
            sum += end - start;
    if (f)
        fclose(f);
    return sum;
}

/* ---- what the program creates ---- */

static struct kernel *
add_kernel(cl_kernel handle)
{
    struct kernel *k = allocate(NULL, sizeof *k);
    memset(k, 0, sizeof *k);
    k->next = kernels;
    k->handle = handle;
    target->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof k->name,
                            k->name, NULL);
    return kernels = k;
}

static struct kernel *
kernel_of(cl_kernel handle)
{
    for (struct kernel *k = kernels; k; k = k->next)
        if (k->handle == handle)
            return k;
    return add_kernel(handle);
}

static bool
is_buffer(cl_mem m)
{
    for (size_t i = 0; i < num_buffers; i++)
        if (buffers[i] == m)
            return true;
    return false;
}

static void
write_program(cl_program p, const char *path)
{
    size_t size = 0;
    if (target->clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size,
                                 NULL) != CL_SUCCESS ||
        !size)
        return;
    unsigned char *bytes = allocate(NULL, size);
    FILE *f = fopen(path, "wb");
    if (f && target->clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes,
                                      &bytes, NULL) == CL_SUCCESS)
        fwrite(bytes, 1, size, f);
    if (f)
        fclose(f);
    free(bytes);
}

static cl_kernel CL_API_CALL
create_kernel(cl_program p, const char *name, cl_int *error)
{
    const char *path = getenv("KERNEL_PROGRAM");
    cl_kernel handle = target->clCreateKernel(p, name, error);
    if (handle && path && !kernels)
        write_program(p, path);
    if (handle)
        add_kernel(handle);
    return handle;
}

static cl_mem CL_API_CALL
create_buffer(cl_context c, cl_mem_flags flags, size_t size, void *host,
              cl_int *error)
{
    cl_mem m = target->clCreateBuffer(c, flags, size, host, error);
    if (m && !is_buffer(m)) {
        buffers = allocate(buffers, (num_buffers + 1) * sizeof *buffers);
        buffers[num_buffers++] = m;
    }
    return m;
}

static cl_int CL_API_CALL
set_arg(cl_kernel handle, cl_uint i, size_t size, const void *value)
{
    cl_mem m = NULL;
    if (value && size == sizeof m)
        memcpy(&m, value, sizeof m);
    if (i < MOST_ARGS)
        kernel_of(handle)->arg[i] = m && is_buffer(m) ? m : NULL;
    return target->clSetKernelArg(handle, i, size, value);
}

static cl_int CL_API_CALL
set_arg_svm(cl_kernel handle, cl_uint i, const void *value)
{
    kernel_of(handle)->has_svm = true;
    return target->clSetKernelArgSVMPointer(handle, i, value);
}

/* ---- launches ---- */

struct launch {
    cl_command_queue queue;
    cl_uint dims;
    const size_t *offset, *global, *local;
};

static cl_int
run(const struct kernel *k, const struct launch *l, cl_event *event)
{
    cl_int error =
        target->clEnqueueNDRangeKernel(l->queue, k->handle, l->dims, l->offset,
                                       l->global, l->local, 0, NULL, event);
    cl_int end = target->clFinish(l->queue);
    return error ? error : end;
}

static void
warm_up(const struct kernel *k, const struct launch *l, double ms)
{
    void *saved[MOST_ARGS] = { NULL };
    size_t size[MOST_ARGS] = { 0 };
    for (unsigned i = 0; i < MOST_ARGS; i++) {
        if (!k->arg[i])
            continue;
        target->clGetMemObjectInfo(k->arg[i], CL_MEM_SIZE, sizeof size[i],
                                   &size[i], NULL);
        saved[i] = allocate(NULL, size[i]);
        target->clEnqueueReadBuffer(l->queue, k->arg[i], CL_TRUE, 0, size[i],
                                    saved[i], 0, NULL, NULL);
    }
    double start = clock_ms(CLOCK_MONOTONIC);
    do {
        run(k, l, NULL);
        for (unsigned i = 0; i < MOST_ARGS; i++)
            if (saved[i])
                target->clEnqueueWriteBuffer(l->queue, k->arg[i], CL_TRUE, 0,
                                             size[i], saved[i], 0, NULL, NULL);
    } while (clock_ms(CLOCK_MONOTONIC) - start < ms);
    for (unsigned i = 0; i < MOST_ARGS; i++)
        free(saved[i]);
}

static cl_int CL_API_CALL
launch(cl_command_queue queue, cl_kernel handle, cl_uint dims,
       const size_t *offset, const size_t *global, const size_t *local,
       cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const struct launch l = { queue, dims, offset, global, local };
    struct kernel *k = kernel_of(handle);
    const char *warm = getenv("KERNEL_WARM");
    size_t groups[3] = { 0 };
    for (cl_uint d = 0; local && d < dims && d < 3; d++)
        groups[d] = local[d];
    if (num_wait > 0)
        target->clWaitForEvents(num_wait, wait);
    target->clFinish(queue);
    bool is_warm = k->is_warm && !memcmp(groups, k->local, sizeof groups);
    if (warm && !is_warm && !k->has_svm)
        warm_up(k, &l, strtod(warm, NULL));
    k->is_warm = true;
    memcpy(k->local, groups, sizeof groups);

    double wall = clock_ms(CLOCK_MONOTONIC);
    double cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    cl_int error = run(k, &l, event);
    k->cpu_ms += clock_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    wall = clock_ms(CLOCK_MONOTONIC) - wall;
    k->wall_ms += wall;
    if (k->launches++ == 0) {
        k->first_ms = wall;
        code_B = made_code_B();
    }
    return error;
}

__attribute__((destructor)) static void
write_times(void)
{
    const char *path = getenv("KERNEL_TIMES");
    FILE *f = path && kernels ? fopen(path, "a") : NULL;
    if (!f)
        return;
    for (const struct kernel *k = kernels; k; k = k->next)
        if (k->launches)
            fprintf(f, "%s %u %.6f %.6f %.6f\n", k->name, k->launches,
                    k->cpu_ms, k->wall_ms, k->first_ms);
    fprintf(f, "code %lu\n", code_B);
    fclose(f);
}

/* ---- what the loader calls ---- */

#pragma GCC visibility push(default)

CL_API_ENTRY cl_int CL_API_CALL
clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *size_ret)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (what != CL_LAYER_API_VERSION || (value && size < sizeof version))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, &version, sizeof version);
    if (size_ret)
        *size_ret = sizeof version;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint num_entries, const cl_icd_dispatch *implementation,
            cl_uint *num_entries_ret, const cl_icd_dispatch **layer_ret)
{
    const cl_uint entries = sizeof layer / sizeof(void *);
    if (num_entries < entries)
        return CL_INVALID_VALUE;
    target = implementation;
    layer.clCreateKernel = create_kernel;
    layer.clCreateBuffer = create_buffer;
    layer.clSetKernelArg = set_arg;
    layer.clSetKernelArgSVMPointer = set_arg_svm;
    layer.clEnqueueNDRangeKernel = launch;
    *num_entries_ret = entries;
    *layer_ret = &layer;
    return CL_SUCCESS;
}
#pragma GCC visibility pop
