/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-group sizes for applications that give none: divisors of the global size, so
 * that all work-groups are equal.  The criteria, in this order: few idle lanes in the
 * last warp of a group; about eight warps of 32 in a group, so that an SM has several
 * groups and runs others while one waits at a barrier; long rows, because neighbours
 * in x usually access neighbouring addresses.
 */
#include <assert.h>

#include "cl/kernel/kernel.h"

enum { BEST_SIZE = 256, MAX_DIVISORS = 64 };

/* Lists the divisors of n that are at most `limit`, in descending order; returns their
 * number. */
static unsigned
find_divisors(size_t n, size_t limit, size_t list[MAX_DIVISORS])
{
    unsigned count = 0;
    for (size_t d = n < limit ? n : limit; d && count < MAX_DIVISORS; d--)
        if (n % d == 0)
            list[count++] = d;
    assert(count <= MAX_DIVISORS &&
           "no number below the limit has more divisors");
    return count;
}

/* Rates a size: 1024ths of the lanes that are active, then closeness to the best size. */
static size_t
rate_size(size_t size, size_t lanes)
{
    assert(size > 0 && lanes > 0);
    size_t slots = (size + lanes - 1) / lanes * lanes;
    size_t busy = size * 1024 / slots;
    size_t near = size <= BEST_SIZE ? size * 1024 / BEST_SIZE
                                    : (size_t)BEST_SIZE * 1024 / size;
    return busy * 2048 + near;
}

struct choice {
    size_t rating, local[3];
};

static void
offer_size(struct choice *best, size_t x, size_t y, size_t z, size_t lanes)
{
    size_t rating = rate_size(x * y * z, lanes);
    /* Earlier candidates have longer rows. */
    if (rating > best->rating)
        *best = (struct choice){ rating, { x, y, z } };
}

void
group_choose(size_t limit, size_t lanes, unsigned dims, const size_t *global,
             size_t local[3])
{
    size_t x[MAX_DIVISORS], y[MAX_DIVISORS], z[MAX_DIVISORS];
    struct choice best = { 0, { 1, 1, 1 } };
    unsigned nx = find_divisors(global[0], limit, x);
    for (unsigned i = 0; i < nx; i++) {
        size_t left = limit / x[i];
        unsigned ny = find_divisors(dims > 1 ? global[1] : 1, left, y);
        for (unsigned j = 0; j < ny; j++) {
            size_t rest = left / y[j];
            unsigned nz = find_divisors(dims > 2 ? global[2] : 1, rest, z);
            for (unsigned k = 0; k < nz; k++)
                offer_size(&best, x[i], y[j], z[k], lanes);
        }
    }
    for (int i = 0; i < 3; i++)
        local[i] = best.local[i];
}
