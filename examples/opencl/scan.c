// SPDX-License-Identifier: Apache-2.0
/*
 * Prefix sums: out[i] = in[0] + ... + in[i].  Work-groups scan blocks in local
 * memory, where element i adds the one 1, then 2, then 4 ... before it
 * (Hillis and Steele 1986).  The last sum of each block goes into a vector
 * that is scanned the same way, however often it takes, and then added:
 *
 *     in        1 2 3 4 | 5 6 7 8 | 9
 *     blocks    1 3 6 10| 5 11 18 26| 9        totals 10 26 9
 *     totals                                   scanned 10 36 45
 *     out       1 3 6 10|15 21 28 36|45
 */
#include "example.h"

enum { MOST = 256, LEVELS = 28 }; /* MOST: work-items in a group */

static const char source[] =
    "kernel void scan_blocks(global const uint *in, global uint *out,\n"
    "                        global uint *totals, uint n)\n"
    "{\n"
    "    local uint sums[LOCAL];\n"
    "    uint i = get_global_id(0), me = get_local_id(0);\n"
    "    uint sum = i < n ? in[i] : 0;\n"
    "    for (uint before = 1; before < LOCAL; before *= 2) {\n"
    "        sums[me] = sum;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (me >= before)\n"
    "            sum += sums[me - before];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (i < n)\n"
    "        out[i] = sum;\n"
    "    if (me == LOCAL - 1)\n"
    "        totals[get_group_id(0)] = sum;\n"
    "}\n"
    "\n"
    "kernel void add_totals(global uint *out, global const uint *totals,\n"
    "                       uint n)\n"
    "{\n"
    "    uint i = get_global_id(0), group = get_group_id(0);\n"
    "    if (group > 0 && i < n)\n"
    "        out[i] += totals[group - 1];\n"
    "}\n";

struct scan {
    struct example ex;
    cl_kernel blocks, add;
    size_t local;
};

static void
enqueue(struct scan *s, cl_kernel kernel, size_t n)
{
    CHECK(clEnqueueNDRangeKernel(s->ex.queue, kernel, 1, NULL,
                                 &(size_t){ example_round_up(n, s->local) },
                                 &s->local, 0, NULL, NULL));
}

/* levels[0] is scanned in place, the one behind it holds its totals. */
static void
scan(struct scan *s, cl_mem in, const cl_mem *levels, cl_uint n)
{
    cl_uint blocks = (cl_uint)((n + s->local - 1) / s->local);
    CHECK(clSetKernelArg(s->blocks, 0, sizeof in, &in));
    CHECK(clSetKernelArg(s->blocks, 1, sizeof levels[0], &levels[0]));
    CHECK(clSetKernelArg(s->blocks, 2, sizeof levels[1], &levels[1]));
    CHECK(clSetKernelArg(s->blocks, 3, sizeof n, &n));
    enqueue(s, s->blocks, n);
    if (blocks == 1)
        return;
    scan(s, levels[1], levels + 1, blocks);
    CHECK(clSetKernelArg(s->add, 0, sizeof levels[0], &levels[0]));
    CHECK(clSetKernelArg(s->add, 1, sizeof levels[1], &levels[1]));
    CHECK(clSetKernelArg(s->add, 2, sizeof n, &n));
    enqueue(s, s->add, n);
}

int
main(int argc, char **argv)
{
    int n = 100000;
    const struct example_option options[] = {
        { "n", "elements", &n, 1, 1 << 26, NULL },
        { 0 },
    };
    struct scan s = { .ex = example_open("Prefix sums of a vector.", argc, argv,
                                         options) };
    s.local = example_group(&s.ex, MOST, false);
    char define[32];
    snprintf(define, sizeof define, "-DLOCAL=%zu", s.local);
    s.blocks = example_kernel(&s.ex, source, "scan_blocks", define);
    s.add = example_kernel(&s.ex, source, "add_totals", define);

    uint32_t *numbers = example_alloc((size_t)n, sizeof(uint32_t));
    uint32_t *sums = example_alloc((size_t)n, sizeof(uint32_t));
    uint32_t seed = 4;
    for (int i = 0; i < n; i++)
        numbers[i] = example_random(&seed) % 100;

    size_t size = (size_t)n * sizeof(uint32_t);
    cl_mem in = example_buffer(&s.ex, CL_MEM_READ_ONLY, size, numbers);
    cl_mem levels[LEVELS]; /* enough for groups of two */
    size_t length = (size_t)n;
    for (int i = 0, last = 0; !last; i++) {
        last = i && length == 1; /* the total of all */
        levels[i] = example_buffer(&s.ex, CL_MEM_READ_WRITE,
                                   length * sizeof(uint32_t), NULL);
        length = (length + s.local - 1) / s.local;
    }
    for (int i = 0; i < s.ex.repeat; i++) {
        example_start(&s.ex);
        scan(&s, in, levels, (cl_uint)n);
        example_stop(&s.ex);
    }
    CHECK(clEnqueueReadBuffer(s.ex.queue, levels[0], CL_TRUE, 0, size, sums, 0,
                              NULL, NULL));

    size_t wrong = 0;
    uint32_t expected = 0;
    for (int i = 0; i < n; i++) {
        expected += numbers[i];
        wrong += sums[i] != expected;
    }
    free(numbers);
    free(sums);
    return example_close(&s.ex, wrong, (size_t)n, "prefix sums");
}
