/* SPDX-License-Identifier: Apache-2.0 */
/* clEnqueueMapBuffer and clEnqueueUnmapMemObject. */
#include "cl.h"

static int *
map(struct cl *t, cl_mem m, cl_map_flags flags, size_t at, size_t n)
{
    cl_int code;
    int *p;
    CREATES(p, clEnqueueMapBuffer(t->queue, m, CL_TRUE, flags, at * sizeof(int),
                                  n * sizeof(int), 0, NULL, NULL, &code));
    return p;
}

static void
unmap(struct cl *t, cl_mem m, void *p)
{
    OK(clEnqueueUnmapMemObject(t->queue, m, p, 0, NULL, NULL));
}

static int
get_int(struct cl *t, cl_mem m, size_t at)
{
    int value = -1;
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, at * sizeof(int), sizeof value,
                           &value, 0, NULL, NULL));
    return value;
}

static cl_uint
count_maps(cl_mem m)
{
    cl_uint n = 99;
    OK(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof n, &n, NULL));
    return n;
}

TEST(read_write_invalidate)
{
    struct cl t = cl_open(0);
    int numbers[16];
    for (int i = 0; i < 16; i++)
        numbers[i] = 100 + i;
    cl_mem m = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    int *p = map(&t, m, CL_MAP_READ, 4, 4);
    CHECK_EQ(p[0], 104);
    p[0] = 1; /* only read: this goes nowhere */
    unmap(&t, m, p);
    CHECK_EQ(get_int(&t, m, 4), 104);
    p = map(&t, m, CL_MAP_WRITE, 4, 4);
    CHECK_EQ(p[1], 105);
    p[0] = 2;
    unmap(&t, m, p);
    CHECK_EQ(get_int(&t, m, 4), 2);
    CHECK_EQ(get_int(&t, m, 5), 105);
    p = map(&t, m, CL_MAP_WRITE_INVALIDATE_REGION, 8, 2);
    p[0] = 3;
    p[1] = 4;
    unmap(&t, m, p);
    CHECK_EQ(get_int(&t, m, 8), 3);
    CHECK_EQ(get_int(&t, m, 10), 110);
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(several_at_once)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, 0, 64 * sizeof(int), NULL);
    int *a = map(&t, m, CL_MAP_WRITE, 0, 32);
    int *b = map(&t, m, CL_MAP_WRITE, 32, 32);
    CHECK(b == a + 32); /* one place for the whole buffer */
    int *c = map(&t, m, CL_MAP_READ, 0, 32);
    CHECK_EQ(count_maps(m), 3);
    unmap(&t, m, c);
    a[1] = 11;
    b[1] = 22;
    unmap(&t, m, a);
    unmap(&t, m, b);
    CHECK_EQ(count_maps(m), 0);
    CHECK_EQ(get_int(&t, m, 1), 11);
    CHECK_EQ(get_int(&t, m, 33), 22);
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(host_pointers)
{
    struct cl t = cl_open(0);
    static int mine[64];
    cl_mem m = cl_buffer(&t, CL_MEM_USE_HOST_PTR, sizeof mine, mine);
    int seven = 7;
    OK(clEnqueueFillBuffer(t.queue, m, &seven, sizeof seven, 0, sizeof mine, 0,
                           NULL, NULL));
    int *p = map(&t, m, CL_MAP_READ | CL_MAP_WRITE, 8, 8);
    CHECK(p == mine + 8);
    CHECK_EQ(mine[8], 7);
    mine[9] = 9;
    unmap(&t, m, p);
    CHECK_EQ(get_int(&t, m, 9), 9);
    cl_int code;
    cl_buffer_region r = { 128, 128 };
    cl_mem part;
    CREATES(part,
            clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &code));
    p = map(&t, part, CL_MAP_WRITE, 1, 1);
    CHECK(p == mine + 33);
    *p = 33;
    unmap(&t, part, p);
    CHECK_EQ(get_int(&t, m, 33), 33);
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(not_blocking)
{
    struct cl t = cl_open(0);
    cl_int code;
    int one = 1;
    cl_mem m = cl_buffer(&t, 0, 64, NULL);
    cl_event go = clCreateUserEvent(t.context, &code), mapped;
    OK(clEnqueueFillBuffer(t.queue, m, &one, sizeof one, 0, 64, 1, &go, NULL));
    int *p;
    CREATES(p, clEnqueueMapBuffer(t.queue, m, CL_FALSE, CL_MAP_READ, 0, 64, 0,
                                  NULL, &mapped, &code));
    CHECK(cl_status(mapped) > CL_COMPLETE);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clWaitForEvents(1, &mapped));
    CHECK_EQ(p[15], 1);
    unmap(&t, m, p);
    OK(clFinish(t.queue));
    OK(clReleaseEvent(go));
    OK(clReleaseEvent(mapped));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(refusals)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_command_queue q = t.queue;
    cl_mem m = cl_buffer(&t, CL_MEM_HOST_READ_ONLY, 64, NULL);
    cl_mem w = cl_buffer(&t, CL_MEM_HOST_WRITE_ONLY, 64, NULL);
#define MAP(m, flags, at, n) \
    clEnqueueMapBuffer(q, m, CL_TRUE, flags, at, n, 0, NULL, NULL, &code)
    REFUSES(CL_INVALID_VALUE, MAP(m, CL_MAP_READ, 60, 5));
    REFUSES(CL_INVALID_VALUE, MAP(m, CL_MAP_READ, 0, 0));
    REFUSES(CL_INVALID_VALUE, MAP(m, 1 << 9, 0, 64));
    REFUSES(CL_INVALID_VALUE,
            MAP(m, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 64));
    REFUSES(CL_INVALID_OPERATION, MAP(m, CL_MAP_WRITE, 0, 64));
    REFUSES(CL_INVALID_OPERATION, MAP(w, CL_MAP_READ, 0, 64));
    REFUSES(CL_INVALID_MEM_OBJECT, MAP(NULL, CL_MAP_READ, 0, 64));
    char *p = (char *)map(&t, m, CL_MAP_READ, 0, 16);
    FAILS(CL_INVALID_VALUE,
          clEnqueueUnmapMemObject(q, m, p + 1, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, w, p, 0, NULL, NULL));
    unmap(&t, m, p);
    FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, m, p, 0, NULL, NULL));
    OK(clFinish(q));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(w));
    cl_close(&t);
}

TEST_MAIN
