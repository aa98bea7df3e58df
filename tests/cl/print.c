/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels print: all of it, in order, before clFinish returns. */
#include <unistd.h>

#include "cl.h"

static char text[1 << 20];

/* Runs a kernel with standard output going to `text`. */
static void
capture(struct cl *t, const char *source, const char *name, size_t global,
        size_t local)
{
    cl_program p = cl_build(t, source, "");
    cl_kernel k = cl_kernel_of(p, name);
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

TEST_MAIN
