// SPDX-License-Identifier: Apache-2.0
/*
 * Conway's game of life on a torus.  A cell lives on with two or three living
 * neighbours, and comes to life with three.  Each launch is a generation, from
 * one buffer to the other.
 */
#include "example.h"

static const char source[] =
    "kernel void life(global const uchar *from, global uchar *to)\n"
    "{\n"
    "    int width = get_global_size(0), height = get_global_size(1);\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    int left = x ? x - 1 : width - 1;\n"
    "    int right = x < width - 1 ? x + 1 : 0;\n"
    "    int above = (y ? y - 1 : height - 1) * width;\n"
    "    int below = (y < height - 1 ? y + 1 : 0) * width;\n"
    "    int here = y * width;\n"
    "    int alive = from[above + left] + from[above + x] +\n"
    "                from[above + right] + from[here + left] +\n"
    "                from[here + right] + from[below + left] +\n"
    "                from[below + x] + from[below + right];\n"
    "    to[here + x] = alive == 3 || (alive == 2 && from[here + x]);\n"
    "}\n";

static void
host_life(int width, int height, const uint8_t *from, uint8_t *to)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int alive = -from[y * width + x];
            for (int dy = height - 1; dy <= height + 1; dy++) {
                for (int dx = width - 1; dx <= width + 1; dx++)
                    alive += from[(y + dy) % height * width + (x + dx) % width];
            }
            to[y * width + x] =
                alive == 3 || (alive == 2 && from[y * width + x]);
        }
    }
}

static void
print_cells(int width, int height, const uint8_t *cells)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            putchar(cells[y * width + x] ? '#' : '.');
        putchar('\n');
    }
}

int
main(int argc, char **argv)
{
    int width = 100, height = 75, generations = 10, print = 0;
    const struct example_option options[] = {
        { "width", "columns", &width, 1, 8192, NULL },
        { "height", "rows", &height, 1, 8192, NULL },
        { "generations", "how often", &generations, 1, 100000, NULL },
        { "print", "1: print the last", &print, 0, 1, NULL },
        { 0 },
    };
    struct example ex =
        example_open("Conway's game of life.", argc, argv, options);
    cl_kernel kernel = example_kernel(&ex, source, "life", "");

    size_t n = (size_t)width * (size_t)height;
    uint8_t *cells[2] = { example_alloc(n, 1), example_alloc(n, 1) };
    uint8_t *found = example_alloc(n, 1);
    uint32_t seed = 9;
    for (size_t i = 0; i < n; i++)
        cells[0][i] = example_random(&seed) >> 30 == 0;

    cl_mem at[2] = { example_buffer(&ex, CL_MEM_READ_WRITE, n, NULL),
                     example_buffer(&ex, CL_MEM_READ_WRITE, n, NULL) };
    for (int i = 0; i < ex.repeat; i++) {
        CHECK(clEnqueueWriteBuffer(ex.queue, at[0], CL_TRUE, 0, n, cells[0], 0,
                                   NULL, NULL));
        example_start(&ex);
        for (int g = 0; g < generations; g++) {
            CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &at[g % 2]));
            CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &at[1 - g % 2]));
            CHECK(clEnqueueNDRangeKernel(
                ex.queue, kernel, 2, NULL,
                (size_t[]){ (size_t)width, (size_t)height }, NULL, 0, NULL,
                NULL));
        }
        example_stop(&ex);
    }
    CHECK(clEnqueueReadBuffer(ex.queue, at[generations % 2], CL_TRUE, 0, n,
                              found, 0, NULL, NULL));

    for (int g = 0; g < generations; g++)
        host_life(width, height, cells[g % 2], cells[1 - g % 2]);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += found[i] != cells[generations % 2][i];
    if (print)
        print_cells(width, height, found);
    free(cells[0]);
    free(cells[1]);
    free(found);
    return example_close(&ex, wrong, n, "cells");
}
