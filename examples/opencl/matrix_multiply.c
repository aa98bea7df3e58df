// SPDX-License-Identifier: Apache-2.0
/*
 * C = A * B for square matrices.  A work-group computes a tile of C.  For each
 * tile of A and B on the way it first copies both to local memory, so that
 * global memory is read n / TILE times and not n times for each element:
 *
 *              B  . . X . .      X: in local memory now
 *                 . . x . .
 *        A . . . .  . . C . .
 *          X x x x  C stays in a register of each work-item
 */
#include "example.h"

enum { MOST = 16 }; /* rows and columns of a tile */

static const char source[] =
    "kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void\n"
    "matrix_multiply(global const float *a, global const float *b,\n"
    "                global float *c, int n)\n"
    "{\n"
    "    local float tile_a[TILE][TILE], tile_b[TILE][TILE];\n"
    "    int x = get_local_id(0), y = get_local_id(1);\n"
    "    int column = get_global_id(0), row = get_global_id(1);\n"
    "    float sum = 0;\n"
    "    for (int t = 0; t < n; t += TILE) {\n"
    "        /* The edges of a matrix that is no multiple of a tile: 0. */\n"
    "        tile_a[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0;\n"
    "        tile_b[y][x] =\n"
    "            column < n && t + y < n ? b[(t + y) * n + column] : 0;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int k = 0; k < TILE; k++)\n"
    "            sum += tile_a[y][k] * tile_b[k][x];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (row < n && column < n)\n"
    "        c[row * n + column] = sum;\n"
    "}\n";

/* How many elements are off by more than n roundings can be. */
static size_t
count_wrong(int n, const float *a, const float *b, const float *c)
{
    size_t wrong = 0;
    double *row = example_alloc((size_t)n, sizeof(double));
    for (int i = 0; i < n; i++) {
        memset(row, 0, (size_t)n * sizeof(double));
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < n; j++)
                row[j] += (double)a[i * n + k] * b[k * n + j];
        }
        for (int j = 0; j < n; j++)
            wrong += !(fabs(c[i * n + j] - row[j]) <= n * 0x1p-24 * row[j]);
    }
    free(row);
    return wrong;
}

int
main(int argc, char **argv)
{
    int n = 200;
    const struct example_option options[] = {
        { "n", "rows and columns", &n, 1, 4096, NULL },
        { 0 },
    };
    struct example ex =
        example_open("Multiplies two matrices of n * n.", argc, argv, options);
    size_t tile = example_group(&ex, MOST, true);
    char define[32];
    snprintf(define, sizeof define, "-DTILE=%zu", tile);
    cl_kernel kernel = example_kernel(&ex, source, "matrix_multiply", define);

    size_t elements = (size_t)n * (size_t)n, size = elements * sizeof(float);
    float *a = example_alloc(elements, sizeof(float));
    float *b = example_alloc(elements, sizeof(float));
    float *c = example_alloc(elements, sizeof(float));
    uint32_t seed = 2;
    for (size_t i = 0; i < elements; i++) {
        a[i] = example_random_float(&seed);
        b[i] = example_random_float(&seed);
    }

    cl_mem in_a = example_buffer(&ex, CL_MEM_READ_ONLY, size, a);
    cl_mem in_b = example_buffer(&ex, CL_MEM_READ_ONLY, size, b);
    cl_mem out = example_buffer(&ex, CL_MEM_WRITE_ONLY, size, NULL);
    CHECK(clSetKernelArg(kernel, 0, sizeof in_a, &in_a));
    CHECK(clSetKernelArg(kernel, 1, sizeof in_b, &in_b));
    CHECK(clSetKernelArg(kernel, 2, sizeof out, &out));
    CHECK(clSetKernelArg(kernel, 3, sizeof(cl_int), &(cl_int){ n }));
    size_t side = example_round_up((size_t)n, tile);
    for (int i = 0; i < ex.repeat; i++) {
        example_start(&ex);
        CHECK(clEnqueueNDRangeKernel(ex.queue, kernel, 2, NULL,
                                     (size_t[]){ side, side },
                                     (size_t[]){ tile, tile }, 0, NULL, NULL));
        example_stop(&ex);
    }
    CHECK(
        clEnqueueReadBuffer(ex.queue, out, CL_TRUE, 0, size, c, 0, NULL, NULL));

    size_t wrong = count_wrong(n, a, b, c);
    free(a);
    free(b);
    free(c);
    return example_close(&ex, wrong, elements, "elements");
}
