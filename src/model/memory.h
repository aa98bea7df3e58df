/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct model;

struct memory_request {
    uint64_t due; /* DRAM: UINT64_MAX until it was started */
    bool write;
    unsigned mshr;
    uint32_t line;
};

struct memory {
    unsigned n;
    uint64_t popped;
    struct memory_request at[64];
};

bool
memory_ready(const struct model *m);

void
memory_ask(struct model *m, bool write, unsigned mshr, uint32_t line);

void
memory_cycle(struct model *m);

/* A request takes so many cycles, at least. */
uint64_t
memory_takes(const struct model *m);

/* The answer for an MSHR of the L2 does not come before. */
uint64_t
memory_gives(const struct model *m, unsigned mshr);

/* When it has an answer; no later, if it is not known. */
uint64_t
memory_next(const struct model *m);
