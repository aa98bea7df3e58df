/* SPDX-License-Identifier: Apache-2.0 */
/* What the devices do not have says so, and no entry is missing. */
#include "codes.h"

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

TEST(no_entry_is_null)
{
    struct cl t = cl_open(0);
    void *const *table = *(void *const **)t.context;
    for (size_t i = 0; i < sizeof(cl_icd_dispatch) / sizeof *table; i++)
        CHECK(table[i] != NULL);
    cl_close(&t);
}

typedef cl_int(CL_API_CALL *suggest_fn)(cl_command_queue, cl_kernel, cl_uint,
                                        const size_t *, const size_t *,
                                        size_t *);

/* Loaders of OpenCL 3.1 read the entry that follows those of 3.0, which headers may end
 * with. */
TEST(table_of_3_1)
{
    struct codes c = codes_open();
    cl_program p = cl_build(&c.t, "kernel void k(void) {}", "");
    cl_kernel k = cl_kernel_of(p, "k");
    void *const *table = *(void *const **)c.t.context;
    const size_t last =
        offsetof(cl_icd_dispatch, clSetContextDestructorCallback);
    suggest_fn suggest = (suggest_fn)(uintptr_t)table[last / sizeof *table + 1];
    const size_t items = 64;
    size_t size = 0;
    CHECK(suggest);
    OK(suggest(c.t.queue, k, 1, NULL, &items, &size));
    CHECK(size && items % size == 0);
    CHECK_EQ(suggest(c.t.queue, NULL, 1, NULL, &items, &size),
             CL_INVALID_KERNEL);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    codes_close(&c);
}

TEST(shared_virtual_memory)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_command_queue q = c.t.queue, not_q = WRONG(cl_command_queue, &c);
    char bytes[16];
    void *at[] = { bytes };
    const void *const_at[] = { bytes };
    CHECK(d->clSVMAlloc(c.t.context, CL_MEM_READ_WRITE, 64, 0) == NULL);
    d->clSVMFree(c.t.context, NULL);
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueSVMFree(not_q, 1, at, NULL, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueSVMFree(q, 1, at, NULL, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueSVMMemcpy(not_q, CL_TRUE, bytes, bytes + 8, 8, 0, NULL,
                                NULL));
    FAILS(
        CL_INVALID_OPERATION,
        d->clEnqueueSVMMemcpy(q, CL_TRUE, bytes, bytes + 8, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueSVMMemFill(not_q, bytes, bytes, 1, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueSVMMemFill(q, bytes, bytes, 1, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueSVMMap(not_q, CL_TRUE, CL_MAP_READ, bytes, 8, 0, NULL,
                             NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, bytes, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueSVMUnmap(not_q, bytes, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, d->clEnqueueSVMUnmap(q, bytes, 0, NULL, NULL));
    FAILS(
        CL_INVALID_COMMAND_QUEUE,
        d->clEnqueueSVMMigrateMem(not_q, 1, const_at, NULL, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueSVMMigrateMem(q, 1, const_at, NULL, 0, 0, NULL, NULL));
    codes_close(&c);
}

TEST(pipes)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT, d->clCreatePipe(NULL, 0, 4, 4, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clCreatePipe(c.t.context, 0, 4, 4, NULL, &code));
    FAILS(CL_INVALID_MEM_OBJECT,
          d->clGetPipeInfo(c.m, CL_PIPE_PACKET_SIZE, 0, NULL, NULL));
    codes_close(&c);
}

TEST(sharing_with_opengl)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_command_queue q = c.t.queue, not_q = WRONG(cl_command_queue, &c);
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT, d->clCreateFromGLBuffer(NULL, 0, 1, &code));
    REFUSES(CL_INVALID_OPERATION, d->clCreateFromGLBuffer(x, 0, 1, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateFromGLTexture(NULL, 0, 0, 0, 1, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clCreateFromGLTexture(x, 0, 0, 0, 1, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateFromGLTexture2D(NULL, 0, 0, 0, 1, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clCreateFromGLTexture2D(x, 0, 0, 0, 1, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateFromGLTexture3D(NULL, 0, 0, 0, 1, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clCreateFromGLTexture3D(x, 0, 0, 0, 1, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateFromGLRenderbuffer(NULL, 0, 1, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clCreateFromGLRenderbuffer(x, 0, 1, &code));
    FAILS(CL_INVALID_MEM_OBJECT, d->clGetGLObjectInfo(NULL, NULL, NULL));
    FAILS(CL_INVALID_GL_OBJECT, d->clGetGLObjectInfo(c.m, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          d->clGetGLTextureInfo(NULL, CL_GL_TEXTURE_TARGET, 0, NULL, NULL));
    FAILS(CL_INVALID_GL_OBJECT,
          d->clGetGLTextureInfo(c.m, CL_GL_TEXTURE_TARGET, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueAcquireGLObjects(not_q, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueAcquireGLObjects(q, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueReleaseGLObjects(not_q, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueReleaseGLObjects(q, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clGetGLContextInfoKHR(NULL, CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR,
                                   0, NULL, NULL));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateEventFromGLsyncKHR(NULL, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clCreateEventFromGLsyncKHR(x, NULL, &code));
    codes_close(&c);
}

TEST(sharing_with_egl)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_command_queue q = c.t.queue, not_q = WRONG(cl_command_queue, &c);
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateFromEGLImageKHR(NULL, NULL, NULL, 0, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clCreateFromEGLImageKHR(x, NULL, NULL, 0, NULL, &code));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueAcquireEGLObjectsKHR(not_q, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueAcquireEGLObjectsKHR(q, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueReleaseEGLObjectsKHR(not_q, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueReleaseEGLObjectsKHR(q, 0, NULL, 0, NULL, NULL));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateEventFromEGLSyncKHR(NULL, NULL, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clCreateEventFromEGLSyncKHR(x, NULL, NULL, &code));
    codes_close(&c);
}

/* 3.0, 4.2: what the queries of absent features return. */
TEST(queries_of_what_is_absent)
{
    struct cl t = cl_open(0);
    static const cl_device_info zeros[] = {
        CL_DEVICE_SVM_CAPABILITIES,
        CL_DEVICE_MAX_PIPE_ARGS,
        CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
        CL_DEVICE_PIPE_MAX_PACKET_SIZE,
        CL_DEVICE_PIPE_SUPPORT,
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
        CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
        CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
        CL_DEVICE_MAX_ON_DEVICE_QUEUES,
        CL_DEVICE_MAX_ON_DEVICE_EVENTS,
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
    };
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
        cl_ulong value = 0;
        OK(clGetDeviceInfo(t.device, zeros[i], sizeof value, &value, NULL));
        CHECK_EQ(value, 0);
    }
    char names[8] = "x";
    size_t size = 9;
    OK(clGetDeviceInfo(t.device, CL_DEVICE_BUILT_IN_KERNELS, sizeof names,
                       names, &size));
    CHECK(size == 1);
    cl_close(&t);
}

TEST(extension_functions)
{
    struct cl t = cl_open(0);
    CHECK(clGetExtensionFunctionAddressForPlatform(
              t.platform, "clIcdGetPlatformIDsKHR") != NULL);
    CHECK(clGetExtensionFunctionAddressForPlatform(
              t.platform, "clCreateFromGLBuffer") == NULL);
    cl_close(&t);
}

TEST_MAIN
