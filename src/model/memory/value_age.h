/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct model_op;

/*
 * How young the values are that registers and local memory of an SM hold, on the
 * clock of its l1d_data.h; value_age.c.
 */
struct value_age {
    unsigned warps;
    uint64_t all; /* lanes */
    uint64_t
        *age; /* BUSY_COUNT for each warp slot; persist until a warp begins */
    uint64_t local; /* persists: of all local memory; the clock goes on, too */
};

/* The step of an instruction: what it did. */
struct value_age_step {
    uint64_t exec; /* lanes that took part */
    bool grouped;  /* LMUL is 2 */
    bool local;    /* some of its words are local memory */
    uint64_t read; /* age of what it read from lines */
};

/* False: no host memory. */
bool
value_age_create(struct value_age *d, unsigned warps, unsigned lanes);

void
value_age_destroy(struct value_age *d);

/* A warp begins in the slot. */
void
value_age_clear(struct value_age *d, unsigned warp);

/* How young the address is of what the warp does next; 0: it has none. */
uint64_t
value_age_address(const struct value_age *d, unsigned warp,
                  const struct model_op *op, bool grouped);

/* The results of an instruction are as young as the youngest of its sources. */
void
value_age_write(struct value_age *d, unsigned warp, const struct model_op *op,
                const struct value_age_step *step);

/* The age of a register (BUSY_*). */
uint64_t
value_age_of(const struct value_age *d, unsigned warp, unsigned reg);
