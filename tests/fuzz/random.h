/* SPDX-License-Identifier: Apache-2.0 */
/* What the mutators share: numbers of a seed, and libFuzzer's own names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed);

size_t
LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);

/* What must hold of any input; `what` is the finding's name. */
static inline void
require(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* Marsaglia's xorshift, 64 bits. */
struct rng {
    uint64_t state;
};

static inline struct rng
rng_of(unsigned seed)
{
    return (struct rng){ seed * UINT64_C(0x9e3779b97f4a7c15) | 1 };
}

static inline uint32_t
rng_word(struct rng *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (uint32_t)(r->state >> 16);
}

/* 0 to n - 1. */
static inline uint32_t
rng_below(struct rng *r, uint32_t n)
{
    return rng_word(r) % n;
}

/* One of n times. */
static inline bool
rng_one_of(struct rng *r, uint32_t n)
{
    return rng_below(r, n) == 0;
}

/* Inserts, removes, replaces, moves or repeats units of `unit` bytes behind
 * the first `head`; make() writes a new unit.  Returns the new size. */
static inline size_t
mutate_units(struct rng *r, uint8_t *bytes, size_t size, size_t max_size,
             size_t head, size_t unit, void (*make)(struct rng *r, uint8_t *at))
{
    size_t n = size > head ? (size - head) / unit : 0;
    bool room = head + (n + 1) * unit <= max_size;
    uint8_t *at = bytes + head + unit * (n ? rng_below(r, (uint32_t)n) : 0);
    size_t rest = n ? (size_t)(bytes + head + n * unit - at) : 0;
    switch (rng_below(r, 8)) {
    case 0:
    case 1:
    case 2: /* insert */
        if (!room)
            break;
        memmove(at + unit, at, rest);
        make(r, at);
        return head + (n + 1) * unit;
    case 3: /* remove */
        if (n < 2)
            break;
        memmove(at, at + unit, rest - unit);
        return head + (n - 1) * unit;
    case 4: /* repeat another one here */
        if (!n || !room)
            break;
        memmove(at + unit, at, rest);
        memmove(at, bytes + head + unit * rng_below(r, (uint32_t)n), unit);
        return head + (n + 1) * unit;
    case 5: /* flip a bit */
        if (!n)
            break;
        at[rng_below(r, (uint32_t)unit)] ^= (uint8_t)(1 << rng_below(r, 8));
        return head + n * unit;
    default:
        break;
    }
    if (n) /* replace */
        make(r, at);
    return head + n * unit;
}
