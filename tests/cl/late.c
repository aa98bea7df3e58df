/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that move bytes end at the limit of time, as launches do; they did not look at
 * it.  max_ms of the device is 1, and each of these takes far longer on any host.  What
 * is moved in one piece takes no look at the clock, so it is done.
 */
#include "cl.h"

enum { SIZE_B = 256 << 20, ROWS = 1 << 22, SMALL_B = 64 };

static char notice[4096];
static int notices;

static void CL_CALLBACK
notify(const char *message, const void *info, size_t size, void *user_data)
{
    (void)info, (void)size, (void)user_data;
    snprintf(notice, sizeof notice, "%s", message);
    notices++;
}

static struct cl
open_noticed(void)
{
    struct cl t = cl_open(0);
    cl_int code;
    OK(clReleaseCommandQueue(t.queue));
    OK(clReleaseContext(t.context));
    CREATES(t.context,
            clCreateContext(NULL, 1, &t.device, notify, NULL, &code));
    t.queue = cl_queue(&t, 0);
    notices = 0;
    return t;
}

/* The command has ended with the error of its kind, and the context goes on. */
static void
is_late(struct cl *t, cl_event e, const char *what)
{
    cl_int status, small = 7, read = 0;
    FAILS(CL_OUT_OF_RESOURCES, clFinish(t->queue));
    OK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                      &status, NULL));
    CHECK_EQ(status, CL_OUT_OF_RESOURCES);
    CHECK_EQ(notices, 1);
    CHECK(strstr(notice, what) != NULL);
    CHECK(strstr(notice, "limit exceeded: max_ms") != NULL);
    notices = 0;
    OK(clReleaseEvent(e));
    cl_mem m = cl_buffer(t, 0, SMALL_B, NULL);
    OK(clEnqueueFillBuffer(t->queue, m, &small, sizeof small, 0, SMALL_B, 0,
                           NULL, NULL));
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, SMALL_B - sizeof read,
                           sizeof read, &read, 0, NULL, NULL));
    CHECK_EQ(read, small);
    OK(clReleaseMemObject(m));
}

TEST(a_fill)
{
    struct cl t = open_noticed();
    cl_mem m = cl_buffer(&t, 0, SIZE_B, NULL);
    cl_event e;
    OK(clEnqueueFillBuffer(t.queue, m, "x", 1, 0, SIZE_B, 0, NULL, &e));
    is_late(&t, e, "a fill");
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(a_copy)
{
    struct cl t = open_noticed();
    cl_mem from = cl_buffer(&t, 0, SIZE_B, NULL);
    cl_mem to = cl_buffer(&t, 0, SIZE_B, NULL);
    cl_event e;
    OK(clEnqueueCopyBuffer(t.queue, from, to, 0, 0, SIZE_B, 0, NULL, &e));
    is_late(&t, e, "a copy");
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
    cl_close(&t);
}

TEST(a_copy_of_many_rows)
{
    struct cl t = open_noticed();
    const size_t origin[3] = { 0 }, region[3] = { 1, ROWS, 1 };
    cl_mem from = cl_buffer(&t, 0, 2 * ROWS, NULL);
    cl_mem to = cl_buffer(&t, 0, 2 * ROWS, NULL);
    cl_event e;
    OK(clEnqueueCopyBufferRect(t.queue, from, to, origin, origin, region, 2, 0,
                               2, 0, 0, NULL, &e));
    is_late(&t, e, "a copy");
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
    cl_close(&t);
}

/* A blocking one returns the error. */
TEST(a_read_of_many_rows)
{
    struct cl t = open_noticed();
    const size_t origin[3] = { 0 }, region[3] = { 1, ROWS, 1 };
    cl_mem from = cl_buffer(&t, 0, 2 * ROWS, NULL);
    char *to = malloc(2 * ROWS);
    CHECK(to != NULL);
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueReadBufferRect(t.queue, from, CL_TRUE, origin, origin,
                                  region, 2, 0, 2, 0, to, 0, NULL, NULL));
    CHECK_EQ(notices, 1);
    CHECK(strstr(notice, "a transfer: limit exceeded: max_ms") != NULL);
    free(to);
    OK(clReleaseMemObject(from));
    cl_close(&t);
}

TEST(a_fill_of_an_image)
{
    struct cl t = open_noticed();
    enum { SIDE = 8192 };
    const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = SIDE,
                                 .image_height = SIDE };
    const size_t origin[3] = { 0 }, region[3] = { SIDE, SIDE, 1 };
    const cl_uint colour[4] = { 1, 2, 3, 4 };
    cl_mem m;
    cl_int code;
    cl_event e;
    CREATES(m, clCreateImage(t.context, 0, &format, &desc, NULL, &code));
    OK(clEnqueueFillImage(t.queue, m, colour, origin, region, 0, NULL, &e));
    is_late(&t, e, "a fill");
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(shared_memory)
{
    struct cl t = open_noticed();
    char *from = clSVMAlloc(t.context, 0, SIZE_B, 0);
    char *to = clSVMAlloc(t.context, 0, SIZE_B, 0);
    cl_event e;
    CHECK(from && to);
    OK(clEnqueueSVMMemFill(t.queue, to, "x", 1, SIZE_B, 0, NULL, &e));
    is_late(&t, e, "a fill");
    OK(clEnqueueSVMMemcpy(t.queue, CL_FALSE, to, from, SIZE_B, 0, NULL, &e));
    is_late(&t, e, "a copy");
    clSVMFree(t.context, from);
    clSVMFree(t.context, to);
    cl_close(&t);
}

TEST_MAIN
