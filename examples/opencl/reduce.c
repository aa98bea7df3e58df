// SPDX-License-Identifier: Apache-2.0
/*
 * The sum of a vector.  Each work-item adds up every so-many-th element, then
 * each work-group halves its sums in local memory until one is left, log2 of
 * its size times.  A second launch with one work-group adds what the groups
 * found.
 */
#include "example.h"

enum { MOST = 128, GROUPS = 16 }; /* work-items in a group at most */

static const char source[] =
    "kernel void reduce(global const uint *in, uint n, local uint *sums,\n"
    "                   global uint *out)\n"
    "{\n"
    "    uint me = get_local_id(0), sum = 0;\n"
    "    for (uint i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        sum += in[i];\n"
    "    sums[me] = sum;\n"
    "    for (uint rest = get_local_size(0) / 2; rest; rest /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (me < rest)\n"
    "            sums[me] += sums[me + rest];\n"
    "    }\n"
    "    if (me == 0)\n"
    "        out[get_group_id(0)] = sums[0];\n"
    "}\n";

static void
launch(struct example *ex, cl_kernel kernel, cl_mem in, cl_uint n, cl_mem out,
       size_t groups)
{
    size_t local = example_kernel_group(ex, kernel, MOST);
    CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
    CHECK(clSetKernelArg(kernel, 1, sizeof n, &n));
    CHECK(clSetKernelArg(kernel, 2, local * sizeof(cl_uint), NULL));
    CHECK(clSetKernelArg(kernel, 3, sizeof out, &out));
    CHECK(clEnqueueNDRangeKernel(ex->queue, kernel, 1, NULL,
                                 &(size_t){ groups * local }, &local, 0, NULL,
                                 NULL));
}

int
main(int argc, char **argv)
{
    int n = 300000;
    const struct example_option options[] = {
        { "n", "elements", &n, 1, 1 << 26, NULL },
        { 0 },
    };
    struct example ex =
        example_open("Adds up a vector, modulo 2^32.", argc, argv, options);
    cl_kernel kernel = example_kernel(&ex, source, "reduce", "");

    uint32_t *numbers = example_alloc((size_t)n, sizeof(uint32_t));
    uint32_t seed = 3, expected = 0, sum = 0;
    for (int i = 0; i < n; i++)
        expected += numbers[i] = example_random(&seed);

    cl_mem in = example_buffer(&ex, CL_MEM_READ_ONLY,
                               (size_t)n * sizeof(uint32_t), numbers);
    cl_mem partial =
        example_buffer(&ex, CL_MEM_READ_WRITE, GROUPS * sizeof(uint32_t), NULL);
    cl_mem out = example_buffer(&ex, CL_MEM_WRITE_ONLY, sizeof(uint32_t), NULL);
    for (int i = 0; i < ex.repeat; i++) {
        example_start(&ex);
        launch(&ex, kernel, in, (cl_uint)n, partial, GROUPS);
        launch(&ex, kernel, partial, GROUPS, out, 1);
        example_stop(&ex);
    }
    CHECK(clEnqueueReadBuffer(ex.queue, out, CL_TRUE, 0, sizeof sum, &sum, 0,
                              NULL, NULL));
    free(numbers);
    return example_close(&ex, sum != expected, 1, "sum");
}
