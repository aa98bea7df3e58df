/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program when the host has no memory left: each call succeeds or
 * says so, and what it leaves can be released.  The library is linked in, so
 * that its allocations are the ones that fail.
 */
#include "failing.h"

#include <stdint.h>

#include "cl/object.h"
#include "cl/queue/command_buffer_entries.h"
#include "cl/queue/semaphore_entries.h"

enum { ITEMS = 64 };

static const char source[] =
    "__kernel void scale(__global int *x, int k, __local int *t) {\n"
    "    size_t i = get_global_id(0);\n"
    "    t[get_local_id(0)] = k;\n"
    "    x[i] = x[i] * t[get_local_id(0)];\n"
    "    if (i == 0) printf(\"scaled by %d\\n\", k);\n"
    "}\n";

static cl_device_id device;

static void CL_CALLBACK
notify(const char *text, const void *bytes, size_t size, void *ctx)
{
    (void)text, (void)bytes, (void)size, (void)ctx;
}

static bool
open_platform(void)
{
    cl_platform_id platform;
    return clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
           clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) ==
               CL_SUCCESS;
}

/* Everything of a run; what was not made is NULL. */
struct run {
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer;
    cl_program program, again;
    cl_kernel kernel;
    cl_event event;
    cl_command_buffer_khr commands;
    cl_semaphore_khr semaphore;
    unsigned char *binary;
    size_t binary_B;
};

static bool
open_context(struct run *r)
{
    cl_int code;
    r->context = clCreateContext(NULL, 1, &device, notify, NULL, &code);
    if (!r->context)
        return CHECK(code == CL_OUT_OF_HOST_MEMORY) && false;
    r->queue =
        clCreateCommandQueueWithProperties(r->context, device, NULL, &code);
    return r->queue || (CHECK_EQ(code, CL_OUT_OF_HOST_MEMORY) && false);
}

static bool
make_buffer(struct run *r)
{
    cl_int code, numbers[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        numbers[i] = i;
    r->buffer = clCreateBuffer(r->context, CL_MEM_COPY_HOST_PTR, sizeof numbers,
                               numbers, &code);
    if (!r->buffer)
        CHECK(code == CL_OUT_OF_HOST_MEMORY ||
              code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
              code == CL_OUT_OF_RESOURCES);
    return r->buffer != NULL;
}

/* The compiler is a process of its own: what it says is no lack of ours. */
static bool
build(struct run *r)
{
    cl_int code;
    const char *text = source;
    r->program = clCreateProgramWithSource(r->context, 1, &text, NULL, &code);
    if (!r->program)
        return CHECK(code == CL_OUT_OF_HOST_MEMORY) && false;
    code = clBuildProgram(r->program, 1, &device, "-DX=1", NULL, NULL);
    CHECK(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY ||
          code == CL_BUILD_PROGRAM_FAILURE ||
          code == CL_COMPILER_NOT_AVAILABLE);
    char options[16];
    CHECK_EQ(clGetProgramBuildInfo(r->program, device, CL_PROGRAM_BUILD_OPTIONS,
                                   sizeof options, options, NULL),
             CL_SUCCESS);
    if (code == CL_SUCCESS)
        CHECK_STR(options, "-DX=1");
    return code == CL_SUCCESS;
}

static bool
load_binary(struct run *r)
{
    cl_int code, status;
    if (clGetProgramInfo(r->program, CL_PROGRAM_BINARY_SIZES,
                         sizeof r->binary_B, &r->binary_B, NULL))
        return false;
    failing_pause();
    r->binary = malloc(r->binary_B);
    failing_resume();
    CHECK_EQ(clGetProgramInfo(r->program, CL_PROGRAM_BINARIES, sizeof r->binary,
                              &r->binary, NULL),
             CL_SUCCESS);
    r->again = clCreateProgramWithBinary(r->context, 1, &device, &r->binary_B,
                                         (const unsigned char **)&r->binary,
                                         &status, &code);
    if (!r->again)
        return CHECK_EQ(code, CL_OUT_OF_HOST_MEMORY) && false;
    code = clBuildProgram(r->again, 1, &device, NULL, NULL, NULL);
    CHECK(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY);
    return code == CL_SUCCESS;
}

static bool
launch(struct run *r)
{
    cl_int code, three = 3, numbers[ITEMS];
    size_t global = ITEMS, local = 16;
    r->kernel = clCreateKernel(r->again, "scale", &code);
    if (!r->kernel)
        return CHECK_EQ(code, CL_OUT_OF_HOST_MEMORY) && false;
    if (clSetKernelArg(r->kernel, 0, sizeof r->buffer, &r->buffer) ||
        clSetKernelArg(r->kernel, 1, sizeof three, &three) ||
        clSetKernelArg(r->kernel, 2, 16 * sizeof(cl_int), NULL) ||
        clEnqueueNDRangeKernel(r->queue, r->kernel, 1, NULL, &global, &local, 0,
                               NULL, &r->event) ||
        clWaitForEvents(1, &r->event) ||
        clEnqueueReadBuffer(r->queue, r->buffer, CL_TRUE, 0, sizeof numbers,
                            numbers, 0, NULL, NULL))
        return false;
    for (int i = 0; i < ITEMS; i++)
        if (!CHECK_EQ(numbers[i], 3 * i))
            break;
    return true;
}

/* The same kernel from a command buffer, after a semaphore. */
static bool
replay(struct run *r)
{
    const cl_semaphore_properties_khr binary[] = { CL_SEMAPHORE_TYPE_KHR,
                                                   CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                   0 };
    cl_int code, numbers[ITEMS];
    const size_t global = ITEMS, local = 16;
    cl_sync_point_khr point;
    r->commands = command_buffer_create(1, &r->queue, NULL, &code);
    if (!r->commands)
        return CHECK_EQ(code, CL_OUT_OF_HOST_MEMORY) && false;
    r->semaphore = semaphore_create(r->context, binary, &code);
    if (!r->semaphore)
        return CHECK_EQ(code, CL_OUT_OF_HOST_MEMORY) && false;
    if (barrier_record(r->commands, NULL, NULL, 0, NULL, &point, NULL) ||
        kernel_record(r->commands, NULL, NULL, r->kernel, 1, NULL, &global,
                      &local, 1, &point, NULL, NULL) ||
        command_buffer_finalize(r->commands) ||
        semaphore_enqueue_signal(r->queue, 1, &r->semaphore, NULL, 0, NULL,
                                 NULL) ||
        semaphore_enqueue_wait(r->queue, 1, &r->semaphore, NULL, 0, NULL,
                               NULL) ||
        command_buffer_enqueue(0, NULL, r->commands, 0, NULL, NULL) ||
        clFinish(r->queue) ||
        clEnqueueReadBuffer(r->queue, r->buffer, CL_TRUE, 0, sizeof numbers,
                            numbers, 0, NULL, NULL))
        return false;
    return CHECK_EQ(numbers[ITEMS - 1], 9 * (ITEMS - 1));
}

static void
release(struct run *r)
{
    if (r->semaphore)
        semaphore_release(r->semaphore);
    if (r->commands)
        command_buffer_release(r->commands);
    if (r->queue)
        clFinish(r->queue);
    if (r->event)
        clReleaseEvent(r->event);
    if (r->kernel)
        clReleaseKernel(r->kernel);
    if (r->again)
        clReleaseProgram(r->again);
    if (r->program)
        clReleaseProgram(r->program);
    if (r->buffer)
        clReleaseMemObject(r->buffer);
    if (r->queue)
        clReleaseCommandQueue(r->queue);
    if (r->context)
        clReleaseContext(r->context);
    free(r->binary);
}

static enum failing_end
use(void *ctx)
{
    struct run r = { 0 };
    (void)ctx;
    bool ok = open_context(&r) && make_buffer(&r) && build(&r) &&
              load_binary(&r) && launch(&r) && replay(&r);
    release(&r);
    /* What could not be made, or only in part, is not there either. */
    for (int type = OBJECT_CONTEXT; type < OBJECT_TYPES; type++) {
        uint64_t first;
        CHECK_EQ(object_count((enum object_type)type, &first), 0);
    }
    return ok ? FAILING_DONE : FAILING_ERROR;
}

TEST(each_allocation_of_a_program)
{
    if (!CHECK(open_platform()))
        return;
    CHECK_EQ(use(NULL), FAILING_DONE); /* and now it is in the cache */
    failing_each("cl", use, NULL);
}

TEST_MAIN
