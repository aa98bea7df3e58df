/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/inflight.h"

struct sm;

enum { MAX_BANKS = 32 };

enum {
    MAX_COLLECTORS = 64,
    REQUESTS = 4 * MAX_COLLECTORS, /* collector * 4 + operand */
    REQUEST_WORDS = REQUESTS / 64,
    ON_THE_WAY = 2 /* cycles until a collector knows what it has */
};

/*
 * Bits are collectors; or, in words, requests.  A bank here is a scalar or a
 * vector half of a register bank: 2 * bank + (is for vectors).
 */
struct collect {
    uint64_t all, used, reading, out;
    uint64_t scalar;  /* those of the scalar port */
    uint64_t entered; /* in the last cycle, with nothing to read */
    uint64_t asked;   /* bits of banks that have a request */
    unsigned words;   /* of each set of requests that are in use: 1, 2, 4 */
    unsigned waiting; /* operands that no bank gave */
    unsigned crossbar;
    uint64_t missing[REQUEST_WORDS];            /* they have not come */
    uint64_t given[REQUEST_WORDS];              /* they were served */
    uint64_t coming[ON_THE_WAY][REQUEST_WORDS]; /* and that in a cycle */
    uint64_t asks[REQUEST_WORDS][2 * MAX_BANKS];
    /* Round robin: the word of the one that was served, and those behind it. */
    uint64_t behind[2 * MAX_BANKS];
    uint8_t word[2 * MAX_BANKS];
    uint8_t bank[REQUESTS];
    uint8_t bank_of[MAX_WARPS + 256]; /* without half; by warp + register */
    uint8_t last_scalar, last_vector; /* that left, by issue port */
    struct inflight *inflight[MAX_COLLECTORS];
};

void
collect_cycle(struct sm *s);

void
collect_reset(struct sm *s);

void
collect_enter(struct sm *s, struct inflight *f);

static inline bool
collect_has_room(const struct collect *c)
{
    return c->used != c->all;
}
