/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "test.h"

/*
 * What the tests of the OpenCL runtime share.  They are ordinary OpenCL
 * programs: they reach the runtime through the system's loader.  A test opens
 * its own context and closes it:
 *
 *     struct cl t = cl_open(0);
 *     OK(clEnqueue...(t.queue, ...));
 *     FAILS(CL_INVALID_VALUE, clEnqueue...);
 *     cl_close(&t);
 */
#define OK(call)          CHECK_EQ((call), CL_SUCCESS)
#define FAILS(code, call) CHECK_EQ((call), (code))

/* An entry with errcode_ret as its last argument, written as `&code`. */
#define CREATES(handle, call) \
    (CHECK(((handle) = (call)) != NULL), CHECK_EQ(code, CL_SUCCESS))
#define REFUSES(expected, call) \
    (CHECK((call) == NULL), CHECK_EQ(code, (expected)))

/* What the device of `t` says. */
#define ASK_DEVICE(type, name)                                             \
    ({                                                                     \
        type value_;                                                       \
        OK(clGetDeviceInfo(t.device, name, sizeof value_, &value_, NULL)); \
        value_;                                                            \
    })

struct cl {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

static inline cl_command_queue
cl_queue(struct cl *t, cl_command_queue_properties properties)
{
    cl_int code;
    cl_command_queue q;
    CREATES(q, clCreateCommandQueue(t->context, t->device, properties, &code));
    return q;
}

static inline struct cl
cl_open(cl_command_queue_properties properties)
{
    struct cl t = { 0 };
    cl_int code;
    OK(clGetPlatformIDs(1, &t.platform, NULL));
    OK(clGetDeviceIDs(t.platform, CL_DEVICE_TYPE_GPU, 1, &t.device, NULL));
    CREATES(t.context, clCreateContext(NULL, 1, &t.device, NULL, NULL, &code));
    t.queue = cl_queue(&t, properties);
    return t;
}

static inline void
cl_close(struct cl *t)
{
    OK(clReleaseCommandQueue(t->queue));
    OK(clReleaseContext(t->context));
}

static inline cl_mem
cl_buffer(struct cl *t, cl_mem_flags flags, size_t size, const void *bytes)
{
    cl_int code;
    cl_mem m;
    CREATES(m, clCreateBuffer(t->context, flags, size, (void *)(uintptr_t)bytes,
                              &code));
    return m;
}

static inline cl_program
cl_source(struct cl *t, const char *text)
{
    cl_int code;
    cl_program p;
    CREATES(p, clCreateProgramWithSource(t->context, 1, &text, NULL, &code));
    return p;
}

static inline cl_program
cl_build(struct cl *t, const char *text, const char *options)
{
    cl_program p = cl_source(t, text);
    cl_int code = clBuildProgram(p, 1, &t->device, options, NULL, NULL);
    if (!test_check_eq(code, CL_SUCCESS, __FILE__, __LINE__, "build",
                       "CL_SUCCESS")) {
        char log[4096] = "";
        clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log,
                              log, NULL);
        puts(log);
    }
    return p;
}

/* The log of the last build; of this thread, until the next call. */
static inline const char *
cl_log(cl_program p, cl_device_id device)
{
    static _Thread_local char text[16384];
    text[0] = 0;
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof text, text,
                             NULL));
    return text;
}

static inline cl_program_binary_type
cl_type(cl_program p, cl_device_id device)
{
    cl_program_binary_type type = 99;
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BINARY_TYPE, sizeof type,
                             &type, NULL));
    return type;
}

/* The binary for the program's only device; free it. */
static inline unsigned char *
cl_binary(cl_program p, size_t *size)
{
    *size = 0;
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
    unsigned char *bytes = malloc(*size + 1);
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    return bytes;
}

static inline cl_kernel
cl_kernel_of(cl_program p, const char *name)
{
    cl_int code;
    cl_kernel k;
    CREATES(k, clCreateKernel(p, name, &code));
    return k;
}

/* What kernel "k" of one argument, global int *, leaves in x[0]. */
static inline int
cl_result(struct cl *t, cl_program p)
{
    const size_t one = 1;
    int x = -1;
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = cl_buffer(t, 0, sizeof x, NULL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof x, &x, 0, NULL,
                           NULL));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    return x;
}

static inline cl_int
cl_status(cl_event e)
{
    cl_int status = 1000;
    OK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                      &status, NULL));
    return status;
}
