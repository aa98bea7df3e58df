/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/bits.h"
#include "model/decode.h"

struct warp;

/*
 * How young the values are that registers and local memory hold, on the clock
 * of the SM's rcc; depend.c.
 */
struct depend {
    uint64_t *age; /* BUSY_COUNT for each warp slot */
    uint64_t local, address, read;
};

bool
depend_create(struct sm *s);

void
depend_destroy(struct sm *s);

/* A warp begins in the slot. */
void
depend_start(struct sm *s, unsigned warp);

/* Before rcc_before: how young the address is of what the warp does next. */
void
depend_before(struct sm *s, unsigned warp, const struct model_op *op);

/* Behind rcc_after: what it wrote is as young as what it was made of.  exec:
 * the lanes that took part. */
void
depend_after(struct sm *s, unsigned warp, const struct model_op *op,
             uint64_t exec);
