// SPDX-License-Identifier: Apache-2.0
/*
 * c = a + b: the shortest whole OpenCL program.  One work-item for each
 * element; the implementation chooses the size of the work-groups.
 */
#include "example.h"

static const char source[] =
    "kernel void vector_add(global const float *a, global const float *b,\n"
    "                       global float *c)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    c[i] = a[i] + b[i];\n"
    "}\n";

int
main(int argc, char **argv)
{
    int n = 100000;
    const struct example_option options[] = {
        { "n", "elements", &n, 1, 1 << 26, NULL },
        { 0 },
    };
    struct example ex = example_open("Adds two vectors.", argc, argv, options);
    cl_kernel kernel = example_kernel(&ex, source, "vector_add", "");

    size_t size = (size_t)n * sizeof(float);
    float *a = example_alloc((size_t)n, sizeof(float));
    float *b = example_alloc((size_t)n, sizeof(float));
    float *c = example_alloc((size_t)n, sizeof(float));
    uint32_t seed = 1;
    for (int i = 0; i < n; i++) {
        a[i] = example_random_float(&seed);
        b[i] = example_random_float(&seed);
    }

    cl_mem in_a = example_buffer(&ex, CL_MEM_READ_ONLY, size, a);
    cl_mem in_b = example_buffer(&ex, CL_MEM_READ_ONLY, size, b);
    cl_mem out = example_buffer(&ex, CL_MEM_WRITE_ONLY, size, NULL);
    CHECK(clSetKernelArg(kernel, 0, sizeof in_a, &in_a));
    CHECK(clSetKernelArg(kernel, 1, sizeof in_b, &in_b));
    CHECK(clSetKernelArg(kernel, 2, sizeof out, &out));
    for (int i = 0; i < ex.repeat; i++) {
        example_start(&ex);
        CHECK(clEnqueueNDRangeKernel(ex.queue, kernel, 1, NULL,
                                     &(size_t){ (size_t)n }, NULL, 0, NULL,
                                     NULL));
        example_stop(&ex);
    }
    CHECK(
        clEnqueueReadBuffer(ex.queue, out, CL_TRUE, 0, size, c, 0, NULL, NULL));

    /* One addition has one right result. */
    size_t wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += c[i] != a[i] + b[i];
    free(a);
    free(b);
    free(c);
    return example_close(&ex, wrong, (size_t)n, "sums");
}
