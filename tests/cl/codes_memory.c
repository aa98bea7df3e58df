/* SPDX-License-Identifier: Apache-2.0 */
/* Error codes: buffers and the commands on them. */
#include "codes.h"

TEST(creation)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_int code;
    char bytes[64];
    const cl_mem_properties some[] = { 1, 1, 0 };
    const cl_mem_flags clash = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    REFUSES(CL_INVALID_CONTEXT, d->clCreateBuffer(NULL, 0, 64, NULL, &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateBuffer(x, clash, 64, NULL, &code));
    REFUSES(CL_INVALID_BUFFER_SIZE, d->clCreateBuffer(x, 0, 0, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR,
            d->clCreateBuffer(x, CL_MEM_USE_HOST_PTR, 64, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR, d->clCreateBuffer(x, 0, 64, bytes, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateBufferWithProperties(NULL, NULL, 0, 64, NULL, &code));
    REFUSES(CL_INVALID_PROPERTY,
            d->clCreateBufferWithProperties(x, some, 0, 64, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateBufferWithProperties(x, NULL, clash, 64, NULL, &code));
    REFUSES(CL_INVALID_BUFFER_SIZE,
            d->clCreateBufferWithProperties(x, NULL, 0, 0, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR,
            d->clCreateBufferWithProperties(x, NULL, 0, 64, bytes, &code));
    cl_buffer_region r = { 0, 64 }, odd = { 4, 64 }, out = { 4096, 1 },
                     none = { 0, 0 };
    const cl_buffer_create_type region = CL_BUFFER_CREATE_TYPE_REGION;
    REFUSES(CL_INVALID_MEM_OBJECT,
            d->clCreateSubBuffer(NULL, 0, region, &r, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateSubBuffer(c.m, clash, region, &r, &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateSubBuffer(c.m, 0, 1, &r, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateSubBuffer(c.m, 0, region, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateSubBuffer(c.m, 0, region, &out, &code));
    REFUSES(CL_INVALID_BUFFER_SIZE,
            d->clCreateSubBuffer(c.m, 0, region, &none, &code));
    REFUSES(CL_MISALIGNED_SUB_BUFFER_OFFSET,
            d->clCreateSubBuffer(c.m, 0, region, &odd, &code));
    codes_close(&c);
}

/* More than the device has, in pieces that it would take. */
TEST(memory_ends)
{
    struct codes c = codes_open();
    cl_ulong most = 0;
    cl_int code = CL_SUCCESS;
    cl_mem taken[16];
    int n = 0;
    OK(clGetDeviceInfo(c.t.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most,
                       &most, NULL));
    while (n < 15) {
        taken[n] = clCreateBuffer(c.t.context, 0, most / 2, NULL, &code);
        if (!taken[n])
            break;
        n++;
    }
    CHECK(n >= 2);
    REFUSES(CL_MEM_OBJECT_ALLOCATION_FAILURE,
            clCreateBuffer(c.t.context, 0, most / 2, NULL, &code));
    while (n--)
        OK(clReleaseMemObject(taken[n]));
    codes_close(&c);
}

TEST(objects)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_mem wrong = (cl_mem)c.t.queue;
    FAILS(CL_INVALID_MEM_OBJECT, d->clRetainMemObject(wrong));
    FAILS(CL_INVALID_MEM_OBJECT, d->clReleaseMemObject(NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          d->clGetMemObjectInfo(wrong, CL_MEM_SIZE, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetMemObjectInfo(c.m, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          d->clSetMemObjectDestructorCallback(wrong, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clSetMemObjectDestructorCallback(c.m, NULL, NULL));
    codes_close(&c);
}

/*
 * The four codes that all commands on buffers have in common, which
 * entries.py knows by the name COMMON: another queue, buffer or wait list
 * each time.  The dots are the arguments between these.
 */
#define COMMON(entry, c, ...)                                                  \
    do {                                                                       \
        cl_event none_ = WRONG(cl_event, c);                                   \
        cl_command_queue q_ = (c)->t.queue;                                    \
        cl_command_queue not_q_ = WRONG(cl_command_queue, c);                  \
        cl_mem not_m_ = (cl_mem)(void *)q_, m_ = (c)->m;                       \
        FAILS(CL_INVALID_COMMAND_QUEUE,                                        \
              (c)->d->entry(not_q_, m_, __VA_ARGS__, 0, NULL, NULL));          \
        FAILS(CL_INVALID_MEM_OBJECT,                                           \
              (c)->d->entry(q_, not_m_, __VA_ARGS__, 0, NULL, NULL));          \
        FAILS(CL_INVALID_CONTEXT,                                              \
              (c)->d->entry(q_, (c)->other_mem, __VA_ARGS__, 0, NULL, NULL));  \
        FAILS(CL_INVALID_CONTEXT,                                              \
              (c)->d->entry(q_, m_, __VA_ARGS__, 1, &(c)->other_event, NULL)); \
        FAILS(CL_INVALID_EVENT_WAIT_LIST,                                      \
              (c)->d->entry(q_, m_, __VA_ARGS__, 1, NULL, NULL));              \
        FAILS(CL_INVALID_EVENT_WAIT_LIST,                                      \
              (c)->d->entry(q_, m_, __VA_ARGS__, 0, &(c)->user, NULL));        \
        FAILS(CL_INVALID_EVENT_WAIT_LIST,                                      \
              (c)->d->entry(q_, m_, __VA_ARGS__, 1, &none_, NULL));            \
    } while (0)

static const size_t zero[3] = { 0 }, far[3] = { 4095, 0, 0 };
static const size_t region[3] = { 8, 2, 1 };
static char bytes[4096];

TEST(lines)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_command_queue q = c.t.queue;
    COMMON(clEnqueueReadBuffer, &c, CL_TRUE, 0, 8, bytes);
    FAILS(CL_INVALID_VALUE, d->clEnqueueReadBuffer(q, c.m, CL_TRUE, 4090, 8,
                                                   bytes, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueReadBuffer(q, c.m, CL_TRUE, 0, 8, NULL, 0, NULL, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          d->clEnqueueReadBuffer(q, c.m, CL_TRUE, 0, 8, bytes, 1, &c.failed,
                                 NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueReadBuffer(q, c.hidden, CL_TRUE, 0, 8, bytes, 0, NULL,
                                 NULL));
    COMMON(clEnqueueWriteBuffer, &c, CL_TRUE, 0, 8, bytes);
    FAILS(CL_INVALID_VALUE, d->clEnqueueWriteBuffer(q, c.m, CL_TRUE, 4090, 8,
                                                    bytes, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueWriteBuffer(q, c.m, CL_TRUE, 0, 8, NULL, 0, NULL, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          d->clEnqueueWriteBuffer(q, c.m, CL_TRUE, 0, 8, bytes, 1, &c.failed,
                                  NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueWriteBuffer(q, c.hidden, CL_TRUE, 0, 8, bytes, 0, NULL,
                                  NULL));
    COMMON(clEnqueueFillBuffer, &c, bytes, 4, 0, 64);
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueFillBuffer(q, c.m, bytes, 3, 0, 63, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueFillBuffer(q, c.m, bytes, 4, 2, 64, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueFillBuffer(q, c.m, NULL, 4, 0, 64, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueFillBuffer(q, c.m, bytes, 4, 4096, 64, 0, NULL, NULL));
    COMMON(clEnqueueCopyBuffer, &c, c.m, 0, 64, 8);
    FAILS(CL_INVALID_MEM_OBJECT,
          d->clEnqueueCopyBuffer(q, c.m, NULL, 0, 64, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueCopyBuffer(q, c.m, c.m, 4090, 0, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueCopyBuffer(q, c.m, c.m, 0, 4090, 8, 0, NULL, NULL));
    FAILS(CL_MEM_COPY_OVERLAP,
          d->clEnqueueCopyBuffer(q, c.m, c.m, 0, 7, 8, 0, NULL, NULL));
    codes_close(&c);
}

TEST(boxes)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_command_queue q = c.t.queue;
    COMMON(clEnqueueReadBufferRect, &c, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
           bytes);
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueReadBufferRect(q, c.m, CL_TRUE, far, zero, region, 0, 0,
                                     0, 0, bytes, 0, NULL, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          d->clEnqueueReadBufferRect(q, c.m, CL_TRUE, zero, zero, region, 0, 0,
                                     0, 0, bytes, 1, &c.failed, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueReadBufferRect(q, c.hidden, CL_TRUE, zero, zero, region,
                                     0, 0, 0, 0, bytes, 0, NULL, NULL));
    COMMON(clEnqueueWriteBufferRect, &c, CL_TRUE, zero, zero, region, 0, 0, 0,
           0, bytes);
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueWriteBufferRect(q, c.m, CL_TRUE, far, zero, region, 0, 0,
                                      0, 0, bytes, 0, NULL, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          d->clEnqueueWriteBufferRect(q, c.m, CL_TRUE, zero, zero, region, 0, 0,
                                      0, 0, bytes, 1, &c.failed, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueWriteBufferRect(q, c.hidden, CL_TRUE, zero, zero, region,
                                      0, 0, 0, 0, bytes, 0, NULL, NULL));
    const size_t apart[3] = { 64, 0, 0 }, close[3] = { 4, 0, 0 };
    COMMON(clEnqueueCopyBufferRect, &c, c.m, zero, apart, region, 0, 0, 0, 0);
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueCopyBufferRect(q, c.m, c.m, far, zero, region, 0, 0, 0, 0,
                                     0, NULL, NULL));
    FAILS(CL_MEM_COPY_OVERLAP,
          d->clEnqueueCopyBufferRect(q, c.m, c.m, zero, close, region, 0, 0, 0,
                                     0, 0, NULL, NULL));
    codes_close(&c);
}

TEST(maps)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_command_queue q = c.t.queue, not_q = WRONG(cl_command_queue, &c);
    cl_event none = WRONG(cl_event, &c);
    cl_int code;
    REFUSES(CL_INVALID_COMMAND_QUEUE,
            d->clEnqueueMapBuffer(not_q, c.m, CL_TRUE, CL_MAP_READ, 0, 8, 0,
                                  NULL, NULL, &code));
    REFUSES(CL_INVALID_MEM_OBJECT,
            d->clEnqueueMapBuffer(q, NULL, CL_TRUE, CL_MAP_READ, 0, 8, 0, NULL,
                                  NULL, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clEnqueueMapBuffer(q, c.other_mem, CL_TRUE, CL_MAP_READ, 0, 8, 0,
                                  NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clEnqueueMapBuffer(q, c.m, CL_TRUE, CL_MAP_READ, 4090, 8, 0,
                                  NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE, d->clEnqueueMapBuffer(q, c.m, CL_TRUE, 1 << 9, 0,
                                                    8, 0, NULL, NULL, &code));
    REFUSES(CL_INVALID_EVENT_WAIT_LIST,
            d->clEnqueueMapBuffer(q, c.m, CL_TRUE, CL_MAP_READ, 0, 8, 1, &none,
                                  NULL, &code));
    REFUSES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            d->clEnqueueMapBuffer(q, c.m, CL_TRUE, CL_MAP_READ, 0, 8, 1,
                                  &c.failed, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clEnqueueMapBuffer(q, c.hidden, CL_TRUE, CL_MAP_READ, 0, 8, 0,
                                  NULL, NULL, &code));
    cl_uint count = 9;
    OK(clGetMemObjectInfo(c.m, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 0);
    COMMON(clEnqueueUnmapMemObject, &c, bytes);
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueUnmapMemObject(q, c.m, bytes, 0, NULL, NULL));
    codes_close(&c);
}

TEST(migration)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_command_queue q = c.t.queue, not_q = WRONG(cl_command_queue, &c);
    cl_event none = WRONG(cl_event, &c);
    cl_mem list[] = { c.m, (cl_mem)c.t.queue }, *m = &c.m;
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueMigrateMemObjects(not_q, 1, m, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clEnqueueMigrateMemObjects(q, 1, &c.other_mem, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          d->clEnqueueMigrateMemObjects(q, 2, list, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueMigrateMemObjects(q, 0, m, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueMigrateMemObjects(q, 1, NULL, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueMigrateMemObjects(q, 1, m, 1 << 9, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueMigrateMemObjects(q, 1, m, 0, 1, &none, NULL));
    codes_close(&c);
}

TEST_MAIN
