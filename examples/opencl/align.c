// SPDX-License-Identifier: Apache-2.0
/*
 * The best global alignment of two sequences (Needleman and Wunsch 1970): score[i][j] is that
 * of their first i and j letters,
 *
 *     score[i][j] = max(score[i - 1][j - 1] + match[i][j],
 *                       score[i - 1][j] - GAP, score[i][j - 1] - GAP)
 *
 * A work-group computes a block of 16 x 16 in local memory, by anti-diagonals.  Blocks of one
 * anti-diagonal need those of the two before it, so each is a launch:
 *
 *     launch 0 1 2
 *            1 2 3
 *            2 3 4
 */
#include "example.h"

enum { GAP = 10, BLOCK = 16, LETTERS = 20 };

static const char source[] =
    "kernel void align(global int *score, global const int *match, int n,\n"
    "                  int diagonal, int first)\n"
    "{\n"
    "    local int near[BLOCK + 1][BLOCK + 1], here[BLOCK][BLOCK];\n"
    "    int me = get_local_id(0), columns = n + 1;\n"
    "    int x = (first + (int)get_group_id(0)) * BLOCK;\n"
    "    int y = diagonal * BLOCK - x;\n"
    "    global int *corner = score + y * columns + x;\n"
    "    for (int i = 0; i < BLOCK; i++)\n"
    "        here[i][me] = match[(y + i + 1) * columns + x + me + 1];\n"
    "    near[0][me + 1] = corner[me + 1];\n"
    "    near[me + 1][0] = corner[(me + 1) * columns];\n"
    "    if (me == 0)\n"
    "        near[0][0] = corner[0];\n"
    "    for (int step = 0; step < 2 * BLOCK - 1; step++) {\n"
    "        int i = step - me;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (i >= 0 && i < BLOCK)\n"
    "            near[i + 1][me + 1] =\n"
    "                max(near[i][me] + here[i][me],\n"
    "                    max(near[i][me + 1], near[i + 1][me]) - GAP);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = 0; i < BLOCK; i++)\n"
    "        corner[(i + 1) * columns + me + 1] = near[i + 1][me + 1];\n"
    "}\n";

/* All blocks, a launch for each anti-diagonal. */
static void
align(struct example *ex, cl_kernel kernel, int n)
{
    const int blocks = n / BLOCK;
    const size_t local = BLOCK;
    for (int diagonal = 0; diagonal < 2 * blocks - 1; diagonal++) {
        int first = diagonal < blocks ? 0 : diagonal - blocks + 1;
        size_t groups = (size_t)(diagonal - 2 * first + 1);
        size_t global = groups * local;
        CHECK(clSetKernelArg(kernel, 3, sizeof diagonal, &diagonal));
        CHECK(clSetKernelArg(kernel, 4, sizeof first, &first));
        CHECK(clEnqueueNDRangeKernel(ex->queue, kernel, 1, NULL, &global,
                                     &local, 0, NULL, NULL));
    }
}

static int
larger(int a, int b)
{
    return a > b ? a : b;
}

/* On the host; how many of the device's scores are others. */
static size_t
check(const int *score, const int *match, int n)
{
    const size_t columns = (size_t)n + 1;
    size_t wrong = 0;
    for (size_t i = 1; i < columns; i++)
        for (size_t j = 1; j < columns; j++) {
            const int *at = score + i * columns + j;
            int gap = larger(at[-1], *(at - columns)) - GAP;
            int both = *(at - columns - 1) + match[i * columns + j];
            wrong += *at != larger(both, gap);
        }
    return wrong;
}

/* Two sequences of random letters, and how well two letters match; no letter is only gaps. */
static void
fill(int *score, int *match, size_t columns)
{
    uint32_t seed = 9;
    int table[LETTERS][LETTERS];
    uint8_t *a = example_alloc(columns, 1), *b = example_alloc(columns, 1);
    for (int i = 0; i < LETTERS; i++)
        for (int j = 0; j <= i; j++)
            table[i][j] = table[j][i] =
                i == j ? 4 + (int)(example_random(&seed) % 8)
                       : (int)(example_random(&seed) % 8) - 4;
    for (size_t i = 0; i < columns; i++) {
        a[i] = (uint8_t)(example_random(&seed) % LETTERS);
        b[i] = (uint8_t)(example_random(&seed) % LETTERS);
        score[i] = score[i * columns] = -(int)i * GAP;
    }
    for (size_t i = 1; i < columns; i++)
        for (size_t j = 1; j < columns; j++)
            match[i * columns + j] = table[a[i]][b[j]];
    free(a);
    free(b);
}

int
main(int argc, char **argv)
{
    int n = 512;
    const struct example_option options[] = {
        { "n", "letters of a sequence, rounded up to 16", &n, 1, 16384, NULL },
        { 0 },
    };
    struct example ex =
        example_open("Aligns two sequences.", argc, argv, options);
    char define[48];
    snprintf(define, sizeof define, "-DBLOCK=%d -DGAP=%d", BLOCK, GAP);
    cl_kernel kernel = example_kernel(&ex, source, "align", define);

    n = (int)example_round_up((size_t)n, BLOCK);
    const size_t columns = (size_t)n + 1, size = columns * columns;
    int *match = example_alloc(size, sizeof *match);
    int *score = example_alloc(size, sizeof *score);
    fill(score, match, columns);

    cl_mem scores =
        example_buffer(&ex, CL_MEM_READ_WRITE, size * sizeof *score, score);
    cl_mem matches =
        example_buffer(&ex, CL_MEM_READ_ONLY, size * sizeof *match, match);
    CHECK(clSetKernelArg(kernel, 0, sizeof scores, &scores));
    CHECK(clSetKernelArg(kernel, 1, sizeof matches, &matches));
    CHECK(clSetKernelArg(kernel, 2, sizeof n, &n));
    for (int i = 0; i < ex.repeat; i++) {
        example_start(&ex);
        align(&ex, kernel, n);
        example_stop(&ex);
    }
    CHECK(clEnqueueReadBuffer(ex.queue, scores, CL_TRUE, 0,
                              size * sizeof *score, score, 0, NULL, NULL));
    size_t wrong = check(score, match, n);
    free(match);
    free(score);
    return example_close(&ex, wrong, (size_t)n * (size_t)n, "scores");
}
