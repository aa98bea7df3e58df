/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and sub-buffers: flags, sizes, reading, writing, copying, filling. */
#include "cl.h"

static void
read_back(struct cl *t, cl_mem m, size_t offset, size_t size, void *to)
{
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, offset, size, to, 0, NULL,
                           NULL));
}

TEST(create)
{
    struct cl t = cl_open(0);
    int numbers[16], back[16] = { 0 };
    for (int i = 0; i < 16; i++)
        numbers[i] = i * i;
    cl_mem copied =
        cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    cl_mem used = cl_buffer(&t, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY,
                            sizeof numbers, numbers);
    cl_mem ours = cl_buffer(&t, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
                            sizeof numbers, numbers);
    cl_mem all[] = { copied, used, ours };
    for (int i = 0; i < 3; i++) {
        memset(back, 0, sizeof back);
        read_back(&t, all[i], 0, sizeof back, back);
        CHECK(memcmp(numbers, back, sizeof back) == 0);
    }
    void *host = NULL;
    size_t size = 0;
    OK(clGetMemObjectInfo(used, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
    CHECK(host == numbers);
    OK(clGetMemObjectInfo(copied, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
    CHECK(host == NULL);
    OK(clGetMemObjectInfo(ours, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, sizeof numbers);
    cl_mem_object_type type = 0;
    OK(clGetMemObjectInfo(ours, CL_MEM_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_MEM_OBJECT_BUFFER);
    FAILS(CL_INVALID_VALUE, clGetMemObjectInfo(ours, 1, 0, NULL, NULL));
    for (int i = 0; i < 3; i++)
        OK(clReleaseMemObject(all[i]));
    cl_close(&t);
}

TEST(create_refusals)
{
    struct cl t = cl_open(0);
    cl_int code;
    char bytes[16];
    cl_context c = t.context;
    static const cl_mem_flags bad[] = {
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY,
        CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
        1 << 30,
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSES(CL_INVALID_VALUE, clCreateBuffer(c, bad[i], 16, bytes, &code));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, 0, 0, NULL, &code));
    REFUSES(CL_INVALID_BUFFER_SIZE,
            clCreateBuffer(c, 0, (size_t)1 << 40, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(c, 0, 16, bytes, &code));
    REFUSES(CL_INVALID_HOST_PTR,
            clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 16, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR,
            clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, 16, NULL, &code));
    REFUSES(CL_INVALID_CONTEXT,
            clCreateBuffer((cl_context)t.queue, 0, 16, NULL, &code));
    cl_mem_properties none[] = { 0 }, some[] = { 1, 2, 0 };
    cl_mem m;
    CREATES(m, clCreateBufferWithProperties(c, none, 0, 16, NULL, &code));
    OK(clReleaseMemObject(m));
    REFUSES(CL_INVALID_PROPERTY,
            clCreateBufferWithProperties(c, some, 0, 16, NULL, &code));
    cl_close(&t);
}

/* As much as there is, and then the error that says so; and it can go on. */
TEST(device_memory_ends)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_mem m[64];
    unsigned n = 0;
    while (n < 64 &&
           (m[n] = clCreateBuffer(t.context, 0, 64 << 20, NULL, &code)))
        n++;
    CHECK(n >= 16 && n < 64);
    CHECK_EQ(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    OK(clReleaseMemObject(m[--n]));
    CREATES(m[n], clCreateBuffer(t.context, 0, 64 << 20, NULL, &code));
    for (unsigned i = 0; i <= n; i++)
        OK(clReleaseMemObject(m[i]));
    cl_close(&t);
}

TEST(read_and_write)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    char out[64], in[64];
    for (int i = 0; i < 64; i++)
        out[i] = (char)(i + 1);
    OK(clEnqueueWriteBuffer(t.queue, m, CL_TRUE, 8, 40, out, 0, NULL, NULL));
    read_back(&t, m, 0, 64, in);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(in[i], i < 8 || i >= 48 ? 0 : i - 7);
    cl_command_queue q = t.queue;
    FAILS(CL_INVALID_VALUE,
          clEnqueueReadBuffer(q, m, CL_TRUE, 60, 5, in, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueReadBuffer(q, m, CL_TRUE, SIZE_MAX, 2, in, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueReadBuffer(q, m, CL_TRUE, 0, 8, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueWriteBuffer(q, m, CL_TRUE, 65, 0, out, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 8, NULL, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(q, m, CL_TRUE, 64, 0, out, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(host_access)
{
    struct cl t = cl_open(0);
    char b[16] = { 0 };
    cl_command_queue q = t.queue;
    cl_mem none = cl_buffer(&t, CL_MEM_HOST_NO_ACCESS, 16, NULL);
    cl_mem reads = cl_buffer(&t, CL_MEM_HOST_READ_ONLY, 16, NULL);
    cl_mem writes = cl_buffer(&t, CL_MEM_HOST_WRITE_ONLY, 16, NULL);
    FAILS(CL_INVALID_OPERATION,
          clEnqueueReadBuffer(q, none, CL_TRUE, 0, 16, b, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueWriteBuffer(q, none, CL_TRUE, 0, 16, b, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueReadBuffer(q, writes, CL_TRUE, 0, 16, b, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueWriteBuffer(q, reads, CL_TRUE, 0, 16, b, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(q, reads, CL_TRUE, 0, 16, b, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(q, writes, CL_TRUE, 0, 16, b, 0, NULL, NULL));
    OK(clReleaseMemObject(none));
    OK(clReleaseMemObject(reads));
    OK(clReleaseMemObject(writes));
    cl_close(&t);
}

TEST(copy)
{
    struct cl t = cl_open(0);
    char bytes[64], back[64];
    for (int i = 0; i < 64; i++)
        bytes[i] = (char)i;
    cl_command_queue q = t.queue;
    cl_mem a = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, 64, bytes);
    cl_mem b = cl_buffer(&t, 0, 64, NULL);
    OK(clEnqueueCopyBuffer(q, a, b, 10, 20, 30, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(q, a, a, 0, 32, 32, 0, NULL, NULL));
    read_back(&t, b, 0, 64, back);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(back[i], i < 20 || i >= 50 ? 0 : i - 10);
    read_back(&t, a, 0, 64, back);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(back[i], i % 32);
    FAILS(CL_MEM_COPY_OVERLAP,
          clEnqueueCopyBuffer(q, a, a, 0, 31, 32, 0, NULL, NULL));
    FAILS(CL_MEM_COPY_OVERLAP,
          clEnqueueCopyBuffer(q, a, a, 31, 0, 32, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueCopyBuffer(q, a, b, 0, 33, 32, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueCopyBuffer(q, a, b, 33, 0, 32, 0, NULL, NULL));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    cl_close(&t);
}

TEST(fill)
{
    struct cl t = cl_open(0);
    cl_command_queue q = t.queue;
    cl_mem m = cl_buffer(&t, 0, 512, NULL);
    unsigned char pattern[128], back[512];
    for (int i = 0; i < 128; i++)
        pattern[i] = (unsigned char)(i + 1);
    for (size_t n = 1; n <= 128; n *= 2) {
        OK(clEnqueueFillBuffer(q, m, pattern, n, 128, 256, 0, NULL, NULL));
        read_back(&t, m, 0, 512, back);
        for (size_t i = 0; i < 512; i++)
            CHECK_EQ(back[i], i < 128 || i >= 384 ? 0 : pattern[i % n]);
    }
    static const size_t bad_sizes[] = { 0, 3, 256 };
    for (int i = 0; i < 3; i++)
        FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, m, pattern, bad_sizes[i],
                                                    0, 256, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueFillBuffer(q, m, NULL, 4, 0, 16, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueFillBuffer(q, m, pattern, 4, 2, 16, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueFillBuffer(q, m, pattern, 4, 0, 18, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueFillBuffer(q, m, pattern, 4, 512, 4, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(sub_buffers)
{
    struct cl t = cl_open(0);
    cl_int code;
    char bytes[512], back[512];
    for (int i = 0; i < 512; i++)
        bytes[i] = (char)(i / 4);
    cl_mem m = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, 512, bytes), part;
    cl_buffer_region r = { 128, 256 };
    CREATES(part, clCreateSubBuffer(m, CL_MEM_READ_ONLY,
                                    CL_BUFFER_CREATE_TYPE_REGION, &r, &code));
    read_back(&t, part, 0, 256, back);
    CHECK(memcmp(back, bytes + 128, 256) == 0);
    char seven = 7;
    OK(clEnqueueFillBuffer(t.queue, part, &seven, 1, 8, 8, 0, NULL, NULL));
    read_back(&t, m, 136, 8, back);
    CHECK(back[0] == 7 && back[7] == 7);
    size_t offset = 0;
    cl_mem parent = NULL;
    OK(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    CHECK_EQ(offset, 128);
    OK(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent,
                          &parent, NULL));
    CHECK(parent == m);
    FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(t.queue, part, CL_TRUE, 200, 57,
                                                back, 0, NULL, NULL));
    /* Parts of one buffer overlap as the buffer does. */
    FAILS(CL_MEM_COPY_OVERLAP,
          clEnqueueCopyBuffer(t.queue, m, part, 128, 0, 16, 0, NULL, NULL));
    OK(clReleaseMemObject(m)); /* it lives on in its part */
    read_back(&t, part, 8, 8, back);
    CHECK_EQ(back[0], 7);
    OK(clReleaseMemObject(part));
    cl_close(&t);
}

/* OpenCL 3.0, 5.2.1: what the flags do not say is inherited, what they say
 * replaces it, and what concerns the host pointer always is. */
TEST(sub_buffers_inherit_flags)
{
    static const struct {
        cl_mem_flags parent, said, got;
    } cases[] = {
        { CL_MEM_READ_WRITE, 0, CL_MEM_READ_WRITE },
        { CL_MEM_WRITE_ONLY, 0, CL_MEM_WRITE_ONLY },
        { CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY },
        { CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 0,
          CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY },
        { CL_MEM_READ_WRITE | CL_MEM_HOST_WRITE_ONLY, CL_MEM_READ_ONLY,
          CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY },
        { CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS,
          CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS },
        { CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_NO_ACCESS,
          CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS },
        { CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, CL_MEM_HOST_READ_ONLY,
          CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR | CL_MEM_HOST_READ_ONLY },
    };
    struct cl t = cl_open(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_int code;
        cl_mem m = cl_buffer(&t, cases[i].parent, 512, NULL), part;
        cl_buffer_region r = { 128, 256 };
        cl_mem_flags flags = 0;
        CREATES(part,
                clCreateSubBuffer(m, cases[i].said,
                                  CL_BUFFER_CREATE_TYPE_REGION, &r, &code));
        OK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
        CHECK_EQ(flags, cases[i].got);
        OK(clReleaseMemObject(part));
        OK(clReleaseMemObject(m));
    }
    cl_close(&t);
}

/* The host pointer of a part, its place, and what lies around it. */
TEST(sub_buffers_lie_at_their_offset)
{
    static char host[1024];
    struct cl t = cl_open(0);
    cl_int code;
    for (int i = 0; i < 1024; i++)
        host[i] = (char)i;
    cl_mem m = cl_buffer(&t, CL_MEM_USE_HOST_PTR, sizeof host, host), part;
    for (size_t origin = 0; origin < 1024; origin += 128) {
        cl_buffer_region r = { origin, 1024 - origin };
        void *pointer = NULL;
        size_t size = 0;
        cl_mem_flags flags = 0;
        char back[4];
        CREATES(part, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r,
                                        &code));
        OK(clGetMemObjectInfo(part, CL_MEM_HOST_PTR, sizeof pointer, &pointer,
                              NULL));
        CHECK(pointer == host + origin);
        OK(clGetMemObjectInfo(part, CL_MEM_SIZE, sizeof size, &size, NULL));
        CHECK_EQ(size, 1024 - origin);
        OK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
        CHECK_EQ(flags, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
        read_back(&t, part, 4, 4, back);
        CHECK(back[0] == (char)(origin + 4) && back[3] == (char)(origin + 7));
        OK(clReleaseMemObject(part));
    }
    const cl_buffer_create_type kind = CL_BUFFER_CREATE_TYPE_REGION;
    for (size_t odd = 1; odd < 128; odd *= 2) {
        cl_buffer_region r = { 128 + odd, 64 };
        REFUSES(CL_MISALIGNED_SUB_BUFFER_OFFSET,
                clCreateSubBuffer(m, 0, kind, &r, &code));
    }
    cl_buffer_region end = { 1024, 0 }, behind = { 1152, 0 };
    cl_buffer_region huge = { 128, (size_t)-64 };
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(m, 0, kind, &end, &code));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, kind, &behind, &code));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, kind, &huge, &code));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* OpenCL 3.0, 5.2.1: flags that the parent's do not allow. */
TEST(sub_buffers_of_other_access)
{
    static const struct {
        cl_mem_flags parent, said;
        bool fine;
    } cases[] = {
        { CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, false },
        { CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, false },
        { CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY, true },
        { CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, false },
        { CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, false },
        { CL_MEM_READ_ONLY, CL_MEM_READ_ONLY, true },
        { CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, false },
        { CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS, true },
        { CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, false },
        { CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_READ_ONLY, true },
        { CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, false },
        { CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY, false },
        { CL_MEM_READ_WRITE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, false },
        { CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR, false },
        { CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR, false },
    };
    struct cl t = cl_open(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_int code = CL_SUCCESS;
        cl_mem m = cl_buffer(&t, cases[i].parent, 512, NULL);
        cl_buffer_region r = { 128, 256 };
        cl_mem part = clCreateSubBuffer(
            m, cases[i].said, CL_BUFFER_CREATE_TYPE_REGION, &r, &code);
        CHECK_EQ(code, cases[i].fine ? CL_SUCCESS : CL_INVALID_VALUE);
        CHECK((part != NULL) == cases[i].fine);
        if (part)
            OK(clReleaseMemObject(part));
        OK(clReleaseMemObject(m));
    }
    cl_close(&t);
}

TEST(sub_buffer_refusals)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_mem m = cl_buffer(&t, CL_MEM_READ_ONLY, 512, NULL), part;
    cl_buffer_region r = { 128, 256 }, odd = { 64, 64 }, far = { 384, 129 };
    cl_buffer_region empty = { 0, 0 };
    const cl_buffer_create_type kind = CL_BUFFER_CREATE_TYPE_REGION;
    REFUSES(CL_MISALIGNED_SUB_BUFFER_OFFSET,
            clCreateSubBuffer(m, 0, kind, &odd, &code));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, kind, &far, &code));
    REFUSES(CL_INVALID_BUFFER_SIZE,
            clCreateSubBuffer(m, 0, kind, &empty, &code));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, kind, NULL, &code));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, 1, &r, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateSubBuffer(m, CL_MEM_READ_WRITE, kind, &r, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateSubBuffer(m, CL_MEM_ALLOC_HOST_PTR, kind, &r, &code));
    CREATES(part, clCreateSubBuffer(m, 0, kind, &r, &code));
    REFUSES(CL_INVALID_MEM_OBJECT,
            clCreateSubBuffer(part, 0, kind, &empty, &code));
    cl_mem_flags flags = 0;
    OK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK_EQ(flags, CL_MEM_READ_ONLY);
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(migrate)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, 0, 64, NULL);
    cl_command_queue q = t.queue;
    OK(clEnqueueMigrateMemObjects(q, 1, &m, 0, 0, NULL, NULL));
    OK(clEnqueueMigrateMemObjects(q, 1, &m, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                  NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueMigrateMemObjects(q, 0, &m, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueMigrateMemObjects(q, 1, NULL, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueMigrateMemObjects(q, 1, &m, 1 << 9, 0, NULL, NULL));
    OK(clFinish(q));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* A program may give one buffer to two arguments: a lock that was taken by one and given
 * back by the other stopped the work-items that waited for it. */
TEST(a_lock_given_twice)
{
    static const char source[] = "kernel void take(volatile global int *lock, "
                                 "volatile global int *same,\n"
                                 "                 volatile global int *sum)\n"
                                 "{\n"
                                 "    while (atomic_cmpxchg(lock, 0, 1) != 0)\n"
                                 "        ;\n"
                                 "    sum[0]++;\n"
                                 "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
                                 "    atomic_xchg(same, 0);\n"
                                 "}\n"
                                 "kernel void pass(volatile global int *flag, "
                                 "volatile global int *same,\n"
                                 "                 volatile global int *sum)\n"
                                 "{\n"
                                 "    int i = get_global_id(0);\n"
                                 "    if (i & 1)\n"
                                 "        while (flag[i / 2] == 0)\n"
                                 "            ;\n"
                                 "    else\n"
                                 "        same[i / 2] = 1;\n"
                                 "    atomic_inc(sum);\n"
                                 "}\n";
    static const char *const names[] = { "take", "pass" };
    enum { N = 64 };
    struct cl cl = cl_open(0);
    cl_program p = cl_build(&cl, source, "");
    for (size_t i = 0; i < 2; i++) {
        cl_kernel k = cl_kernel_of(p, names[i]);
        int zeros[N] = { 0 }, sum = 0;
        cl_mem lock = cl_buffer(&cl, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
        cl_mem to = cl_buffer(&cl, CL_MEM_COPY_HOST_PTR, sizeof sum, &sum);
        const size_t n = N;
        OK(clSetKernelArg(k, 0, sizeof lock, &lock));
        OK(clSetKernelArg(k, 1, sizeof lock, &lock));
        OK(clSetKernelArg(k, 2, sizeof to, &to));
        OK(clEnqueueNDRangeKernel(cl.queue, k, 1, NULL, &n, &n, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, to, CL_TRUE, 0, sizeof sum, &sum, 0,
                               NULL, NULL));
        CHECK_EQ(sum, N);
        OK(clReleaseMemObject(lock));
        OK(clReleaseMemObject(to));
        OK(clReleaseKernel(k));
    }
    OK(clReleaseProgram(p));
    cl_close(&cl);
}

TEST_MAIN
