/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of bytes against plain loops on the host. */
#include "cl.h"

enum { SIZE = 4096 };

static uint32_t seed = 1;

static size_t
below(size_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

struct box {
    size_t origin[3], row, slice;
};

static size_t
place(const struct box *b, size_t x, size_t y, size_t z)
{
    return (b->origin[2] + z) * b->slice + (b->origin[1] + y) * b->row +
           b->origin[0] + x;
}

/* What the entries shall do; pitches are given in full here. */
static void
copy(char *to, const struct box *t, const char *from, const struct box *f,
     const size_t region[3])
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                to[place(t, x, y, z)] = from[place(f, x, y, z)];
}

/* A box of this region that ends inside of SIZE bytes. */
static struct box
random_box(const size_t region[3])
{
    struct box b;
    do {
        b.row = region[0] + below(8);
        b.slice = b.row * (region[1] + below(3));
        for (int i = 0; i < 3; i++)
            b.origin[i] = below(4);
    } while (place(&b, region[0] - 1, region[1] - 1, region[2] - 1) >= SIZE);
    return b;
}

static void
randomise(char *bytes)
{
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)below(256);
}

static void
write_all(struct cl *t, cl_mem m, const char *bytes)
{
    OK(clEnqueueWriteBuffer(t->queue, m, CL_TRUE, 0, SIZE, bytes, 0, NULL,
                            NULL));
}

static void
check_all(struct cl *t, cl_mem m, const char *bytes)
{
    static char back[SIZE];
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, SIZE, back, 0, NULL, NULL));
    CHECK(memcmp(back, bytes, SIZE) == 0);
}

static char device[SIZE], host[SIZE], expected[SIZE];

TEST(random_boxes)
{
    struct cl t = cl_open(0);
    cl_mem a = cl_buffer(&t, 0, SIZE, NULL), b = cl_buffer(&t, 0, SIZE, NULL);
    for (int i = 0; i < 200; i++) {
        size_t region[3] = { 1 + below(12), 1 + below(9), 1 + below(5) };
        struct box d = random_box(region), h = random_box(region);
        randomise(device);
        randomise(host);
        write_all(&t, a, device);
        memcpy(expected, host, SIZE);
        copy(expected, &h, device, &d, region);
        OK(clEnqueueReadBufferRect(t.queue, a, CL_TRUE, d.origin, h.origin,
                                   region, d.row, d.slice, h.row, h.slice, host,
                                   0, NULL, NULL));
        CHECK(memcmp(host, expected, SIZE) == 0);
        memcpy(expected, device, SIZE);
        copy(expected, &d, host, &h, region);
        OK(clEnqueueWriteBufferRect(t.queue, a, CL_TRUE, d.origin, h.origin,
                                    region, d.row, d.slice, h.row, h.slice,
                                    host, 0, NULL, NULL));
        check_all(&t, a, expected);
        write_all(&t, b, host);
        copy(host, &h, expected, &d, region);
        OK(clEnqueueCopyBufferRect(t.queue, a, b, d.origin, h.origin, region,
                                   d.row, d.slice, h.row, h.slice, 0, NULL,
                                   NULL));
        check_all(&t, b, host);
    }
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    cl_close(&t);
}

/* Pitches of 0 are those of a dense box. */
TEST(dense)
{
    struct cl t = cl_open(0);
    cl_mem a = cl_buffer(&t, 0, SIZE, NULL);
    const size_t zero[3] = { 0, 0, 0 }, region[3] = { 16, 16, 16 };
    randomise(host);
    OK(clEnqueueWriteBufferRect(t.queue, a, CL_TRUE, zero, zero, region, 0, 0,
                                0, 0, host, 0, NULL, NULL));
    check_all(&t, a, host);
    OK(clReleaseMemObject(a));
    cl_close(&t);
}

/* Do two boxes with the same pitches have a byte in common? */
static bool
meet(const struct box *a, const struct box *b, const size_t region[3])
{
    static char taken[4 * SIZE];
    bool both = false;
    memset(taken, 0, sizeof taken);
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                taken[place(a, x, y, z)] = 1;
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                both |= taken[place(b, x, y, z)];
    return both;
}

TEST(overlap)
{
    struct cl t = cl_open(0);
    cl_mem a = cl_buffer(&t, 0, SIZE, NULL);
    int met = 0;
    for (int i = 0; i < 400; i++) {
        size_t region[3] = { 1 + below(6), 1 + below(4), 1 + below(3) };
        struct box s = random_box(region), d = s;
        for (int k = 0; k < 3; k++)
            d.origin[k] = below(8);
        if (place(&d, region[0] - 1, region[1] - 1, region[2] - 1) >= SIZE)
            continue;
        bool overlap = meet(&s, &d, region);
        met += overlap;
        CHECK_EQ(clEnqueueCopyBufferRect(t.queue, a, a, s.origin, d.origin,
                                         region, s.row, s.slice, d.row, d.slice,
                                         0, NULL, NULL),
                 overlap ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
    }
    CHECK(met > 20 && met < 380);
    OK(clFinish(t.queue));
    OK(clReleaseMemObject(a));
    cl_close(&t);
}

TEST(refusals)
{
    struct cl t = cl_open(0);
    cl_mem a = cl_buffer(&t, 0, SIZE, NULL), b = cl_buffer(&t, 0, SIZE, NULL);
    const size_t zero[3] = { 0 }, far[3] = { SIZE - 7, 0, 0 };
    const size_t region[3] = { 8, 2, 1 }, empty[3] = { 8, 0, 1 };
    const size_t huge[3] = { 8, SIZE_MAX / 4, 1 };
    cl_command_queue q = t.queue;
#define READ(origin, region, row, slice, hrow, hslice, ptr)                  \
    clEnqueueReadBufferRect(q, a, CL_TRUE, origin, zero, region, row, slice, \
                            hrow, hslice, ptr, 0, NULL, NULL)
    OK(READ(zero, region, 8, 16, 8, 16, host));
    FAILS(CL_INVALID_VALUE, READ(far, region, 0, 0, 0, 0, host));
    FAILS(CL_INVALID_VALUE, READ(zero, empty, 0, 0, 0, 0, host));
    FAILS(CL_INVALID_VALUE, READ(zero, huge, 0, 0, 0, 0, host));
    FAILS(CL_INVALID_VALUE, READ(zero, NULL, 0, 0, 0, 0, host));
    FAILS(CL_INVALID_VALUE, READ(NULL, region, 0, 0, 0, 0, host));
    FAILS(CL_INVALID_VALUE, READ(zero, region, 7, 0, 0, 0, host));
    FAILS(CL_INVALID_VALUE, READ(zero, region, 8, 15, 0, 0, host));
    FAILS(CL_INVALID_VALUE, READ(zero, region, 8, 20, 0, 0, host));
    FAILS(CL_INVALID_VALUE, READ(zero, region, 0, 0, 7, 0, host));
    FAILS(CL_INVALID_VALUE, READ(zero, region, 0, 0, 8, 15, host));
    FAILS(CL_INVALID_VALUE, READ(zero, region, 0, 0, 0, 0, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueWriteBufferRect(q, a, CL_TRUE, far, zero, region, 0, 0, 0, 0,
                                   host, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueCopyBufferRect(q, a, b, zero, far, region,
                                                    0, 0, 0, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, /* one buffer, two pitches */
          clEnqueueCopyBufferRect(q, a, a, zero, zero, region, 8, 16, 9, 18, 0,
                                  NULL, NULL));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    cl_close(&t);
}

TEST_MAIN
