/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pipeline/ideal.h"

#include "model/memory/local.h"

/* Where transposed arrays lie, above all memory; a row of them, of which neighbours
 * begin in different sets of a cache. */
#define IDEAL_BASE  (UINT64_C(1) << 60)
#define IDEAL_PITCH ((UINT64_C(1) << 24) + 256)

/* Bytes of a lane that lie together. */
static unsigned
access_B(const struct inflight *f)
{
    return f->access_B ? f->access_B : 4;
}

/* Distinct lines of the lanes' first words. */
static unsigned
count_lines(const struct inflight *f, unsigned line_B)
{
    uint64_t seen[64];
    unsigned n = 0;
    for (uint64_t left = f->lanes; left; left &= left - 1) {
        uint64_t line = f->at[lowest(left)] / line_B;
        unsigned i = 0;
        while (i < n && seen[i] != line)
            i++;
        if (i == n)
            seen[n++] = line;
    }
    return n;
}

static unsigned
lanes_of(const struct inflight *f)
{
    return (unsigned)__builtin_popcountll(f->lanes);
}

static bool
is_scattered(const struct inflight *f, unsigned line_B)
{
    unsigned least = (lanes_of(f) * access_B(f) + line_B - 1) / line_B;
    return count_lines(f, line_B) >= 2 * least;
}

/* The distance of neighbouring lanes, if all have the same and rows of the array are
 * elements; 0: they have not. */
static uint64_t
stride_of(const struct inflight *f)
{
    unsigned first = lowest(f->lanes), last = first;
    uint64_t stride = 0;
    for (uint64_t left = f->lanes & (f->lanes - 1); left; left &= left - 1) {
        unsigned i = lowest(left);
        uint64_t step = (f->at[i] - f->at[last]) / (i - last);
        if (f->at[i] < f->at[last] || (stride && step != stride) ||
            step * (i - last) != f->at[i] - f->at[last])
            return 0;
        stride = step;
        last = i;
    }
    return stride % access_B(f) ? 0 : stride;
}

/* Rows of the array, of which lanes access one each, become columns.  That of lane 0
 * begins where a warp's does in an array without a gap. */
static void
transpose(struct inflight *f, unsigned num_thread, uint64_t stride)
{
    unsigned first = lowest(f->lanes), size = access_B(f);
    uint64_t row = f->at[first] / stride - first;
    uint64_t column = f->at[first] % stride / size;
    uint64_t base = IDEAL_BASE + column * IDEAL_PITCH +
                    row / num_thread * num_thread * size;
    for (uint64_t left = f->lanes; left; left &= left - 1)
        f->at[lowest(left)] = base + (uint64_t)lowest(left) * size;
}

/* Moves all lanes next to the first, from the begin of its line on. */
static void
gather(struct inflight *f, unsigned line_B)
{
    uint64_t next = f->at[lowest(f->lanes)] / line_B * line_B;
    for (uint64_t left = f->lanes; left; left &= left - 1) {
        f->at[lowest(left)] = next;
        next += access_B(f);
    }
}

unsigned
ideal_move(const struct ventus_model_config *c, unsigned num_thread,
           struct inflight *f)
{
    unsigned line_B = c->dcache.line_B;
    if (f->op->atomic && c->ideal_atomics)
        f->lanes = 0;
    if (!f->lanes || f->scalar || f->op->private || f->op->atomic)
        return 0;
    bool local = local_has(f->at[lowest(f->lanes)]);
    if (local && c->ideal_banks)
        gather(f, line_B);
    if (local || !c->ideal_access || !is_scattered(f, line_B))
        return 0;
    unsigned lines = count_lines(f, line_B);
    uint64_t stride = stride_of(f);
    if (stride)
        transpose(f, num_thread, stride);
    else
        gather(f, line_B);
    return c->ideal_access == VENTUS_MODEL_ACCESS_LOCAL ? lines + 1 : 0;
}
