// SPDX-License-Identifier: Apache-2.0
/*
 * How often each byte occurs.  Each work-group counts in local memory, where
 * atomic additions are cheap, and adds its counts to the whole at the end.
 * The bytes are the sum of two random ones, so that some bins are in demand.
 */
#include "example.h"

enum { BINS = 256, MOST = 128, GROUPS = 8 }; /* MOST: work-items in a group */

static const char source[] =
    "kernel void histogram(global const uchar *bytes, uint n,\n"
    "                      global uint *counts)\n"
    "{\n"
    "    local uint mine[256];\n"
    "    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))\n"
    "        mine[i] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        atomic_inc(&mine[bytes[i]]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) {\n"
    "        if (mine[i])\n"
    "            atomic_add(&counts[i], mine[i]);\n"
    "    }\n"
    "}\n";

int
main(int argc, char **argv)
{
    int n = 100000;
    const struct example_option options[] = {
        { "n", "bytes", &n, 1, 1 << 28, NULL },
        { 0 },
    };
    struct example ex =
        example_open("Counts how often each byte occurs.", argc, argv, options);
    cl_kernel kernel = example_kernel(&ex, source, "histogram", "");

    size_t local = example_kernel_group(&ex, kernel, MOST);

    uint8_t *bytes = example_alloc((size_t)n, 1);
    uint32_t expected[BINS] = { 0 }, counts[BINS] = { 0 }, seed = 5;
    for (int i = 0; i < n; i++) {
        uint32_t random = example_random(&seed);
        bytes[i] = (uint8_t)((random % 128) + (random >> 8) % 128);
        expected[bytes[i]]++;
    }

    cl_mem in = example_buffer(&ex, CL_MEM_READ_ONLY, (size_t)n, bytes);
    cl_mem out = example_buffer(&ex, CL_MEM_READ_WRITE, sizeof counts, counts);
    CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_uint), &(cl_uint){ (cl_uint)n }));
    CHECK(clSetKernelArg(kernel, 2, sizeof out, &out));
    for (int i = 0; i < ex.repeat; i++) {
        CHECK(clEnqueueFillBuffer(ex.queue, out, &(cl_uint){ 0 },
                                  sizeof(cl_uint), 0, sizeof counts, 0, NULL,
                                  NULL));
        example_start(&ex);
        CHECK(clEnqueueNDRangeKernel(ex.queue, kernel, 1, NULL,
                                     &(size_t){ GROUPS * local }, &local, 0,
                                     NULL, NULL));
        example_stop(&ex);
    }
    CHECK(clEnqueueReadBuffer(ex.queue, out, CL_TRUE, 0, sizeof counts, counts,
                              0, NULL, NULL));

    size_t wrong = 0;
    for (int i = 0; i < BINS; i++)
        wrong += counts[i] != expected[i];
    free(bytes);
    return example_close(&ex, wrong, BINS, "counts");
}
