/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels print: all of it, in order, before clFinish returns. */
#include <unistd.h>

#include "cl.h"

static char text[1 << 20];

/* Runs a kernel, whose argument is a number if there is one, with standard
 * output going to `text`. */
static void
capture_with(struct cl *t, const char *source, const char *name, size_t global,
             size_t local, const cl_ulong *number)
{
    cl_program p = cl_build(t, source, "");
    cl_kernel k = cl_kernel_of(p, name);
    if (number)
        OK(clSetKernelArg(k, 0, sizeof *number, number));
    FILE *file = tmpfile();
    fflush(stdout);
    int saved = dup(1);
    dup2(fileno(file), 1);
    cl_int code = clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, &local,
                                         0, NULL, NULL);
    cl_int finished = clFinish(t->queue);
    dup2(saved, 1);
    close(saved);
    OK(code);
    OK(finished);
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    fclose(file);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
}

static void
capture(struct cl *t, const char *source, const char *name, size_t global,
        size_t local)
{
    capture_with(t, source, name, global, local, NULL);
}

TEST(formats)
{
    struct cl t = cl_open(0);
    capture(&t,
            "kernel void k(void) {\n"
            "    printf(\"%d|%5.2f|%s|%c|%x\\n\", -3, 1.5f, \"word\", 'c',\n"
            "           255);\n"
            "    printf(\"%v4hld %v2hlf %%\\n\", (int4)(1, 2, 3, 4),\n"
            "           (float2)(0.5f, 1));\n"
            "    printf(\"%ld %lu\\n\", -5000000000L, 10000000000UL);\n"
            "}",
            "k", 1, 1);
    CHECK_STR(text, "-3| 1.50|word|c|ff\n1,2,3,4 0.500000,1.000000 %\n"
                    "-5000000000 10000000000\n");
    cl_close(&t);
}

/* More than the buffer holds at once; each line exactly once. */
TEST(nothing_is_lost)
{
    struct cl t = cl_open(0);
    enum { N = 4096 };
    static char seen[N];
    capture(&t,
            "kernel void k(void) { printf(\"%d.\\n\",\n"
            "    (int)get_global_id(0)); }",
            "k", N, 64);
    int wrong = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int i = atoi(line);
        wrong += i < 0 || i >= N || seen[i]++;
    }
    CHECK_EQ(wrong, 0);
    CHECK(memchr(seen, 0, N) == NULL);
    cl_close(&t);
}

/* A string of another context was printed, and so read by the host. */
TEST(strings_of_other_contexts_are_not_read)
{
    struct cl t = cl_open(0), other = cl_open(0);
    static char secret[64] = "of another context", own[64] = "of its own";
    static const char source[] =
        "kernel void where(global char *x, global ulong *at)\n"
        "{ *at = (ulong)x; }\n"
        "kernel void show(ulong at)\n"
        "{ printf(\"[%s]\", (global const char *)(size_t)at); }\n";
    struct cl *each[] = { &other, &t };
    cl_ulong at[2];
    cl_mem buffers[2];
    for (int i = 0; i < 2; i++) {
        cl_program p = cl_build(each[i], source, "");
        cl_kernel where = cl_kernel_of(p, "where");
        cl_mem out = cl_buffer(each[i], 0, sizeof *at, NULL);
        buffers[i] = cl_buffer(each[i], CL_MEM_COPY_HOST_PTR, sizeof secret,
                               i ? own : secret);
        OK(clSetKernelArg(where, 0, sizeof(cl_mem), &buffers[i]));
        OK(clSetKernelArg(where, 1, sizeof(cl_mem), &out));
        OK(clEnqueueTask(each[i]->queue, where, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(each[i]->queue, out, CL_TRUE, 0, sizeof *at,
                               &at[i], 0, NULL, NULL));
        OK(clReleaseMemObject(out));
        OK(clReleaseKernel(where));
        OK(clReleaseProgram(p));
    }
    capture_with(&t, source, "show", 1, 1, &at[1]);
    CHECK_STR(text, "[of its own]");
    capture_with(&t, source, "show", 1, 1, &at[0]);
    CHECK_STR(text, "[]");
    for (int i = 0; i < 2; i++) {
        OK(clReleaseMemObject(buffers[i]));
        cl_close(each[i]);
    }
}

TEST_MAIN
