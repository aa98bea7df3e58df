/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three buffers are added, every word of them: c = a + b.  They have 3 GiB each,
 * or THREE_MIB in MiB; the kernel is in shared.s.  Nightly, since it takes 9 GiB
 * of the host and minutes.
 */
#include "shared.h"

enum { CHUNK = 16 << 20 }; /* words that the host moves at once */

/* Word i of buffer 0 and 1; both have runs in which the low 32 bits repeat. */
static cl_uint
number(unsigned buffer, size_t i)
{
    cl_uint x = (cl_uint)(i * 2654435761u) ^ (cl_uint)(i >> 29);
    return buffer ? x * 3 + 1 : x;
}

static void
fill(struct cl *t, cl_mem m, unsigned buffer, size_t words, cl_uint *chunk)
{
    for (size_t at = 0; at < words; at += CHUNK) {
        for (size_t i = 0; i < CHUNK; i++)
            chunk[i] = number(buffer, at + i);
        OK(clEnqueueWriteBuffer(t->queue, m, CL_TRUE, 4 * at, 4 * CHUNK, chunk,
                                0, NULL, NULL));
    }
}

static size_t
count_wrong(struct cl *t, cl_mem m, size_t words, cl_uint *chunk)
{
    size_t wrong = 0;
    for (size_t at = 0; at < words; at += CHUNK) {
        OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 4 * at, 4 * CHUNK, chunk,
                               0, NULL, NULL));
        for (size_t i = 0; i < CHUNK; i++)
            wrong += chunk[i] != number(0, at + i) + number(1, at + i);
    }
    return wrong;
}

TEST(three_buffers)
{
    const char *MiB = getenv("THREE_MIB");
    const size_t words = (MiB ? strtoul(MiB, NULL, 10) : 3072) << 18;
    struct cl t = cl_open(0);
    cl_program p = shared_program(&t);
    cl_kernel k = cl_kernel_of(p, "add");
    cl_uint *chunk = malloc(4 * (size_t)CHUNK);
    const cl_ulong stride = 4;
    cl_mem m[3];
    CHECK(words && words % CHUNK == 0 && chunk);
    for (unsigned i = 0; i < 3; i++) {
        m[i] = cl_buffer(&t, 0, 4 * words, NULL);
        OK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
        if (i < 2)
            fill(&t, m[i], i, words, chunk);
    }
    OK(clSetKernelArg(k, 3, sizeof stride, &stride));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &words, NULL, 0, NULL,
                              NULL));
    CHECK_EQ(count_wrong(&t, m[2], words, chunk), 0);
    for (unsigned i = 0; i < 3; i++)
        OK(clReleaseMemObject(m[i]));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
    free(chunk);
}

TEST_MAIN
