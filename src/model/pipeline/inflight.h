/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/debug_assert.h"
#include "model/bits.h"
#include "model/pipeline/decode.h"

enum { MAX_INFLIGHT = 80 };

/* An instruction between issue and its end. */
struct inflight {
    const struct model_op *op;
    uint64_t id; /* in order of issue */
    uint8_t warp;
    bool jump, scalar;
    uint8_t spaces; /* SPACE_*, of an access */
    bool kept;      /* by its unit, which gives it back */
    uint32_t target;
    uint64_t lanes; /* active */
    unsigned access_B;
    uint64_t word_step; /* from a lane's word to its next, of several */
    unsigned busy;      /* cycles in the SFU */
    uint64_t at[64];
};

/* The instructions in flight of an SM: none is allocated while cycles pass. */
struct inflight_pool {
    struct inflight at[MAX_INFLIGHT];
    uint8_t free[MAX_INFLIGHT];
    unsigned frees;
};

static inline void
inflight_reset(struct inflight_pool *f)
{
    for (unsigned i = 0; i < MAX_INFLIGHT; i++)
        f->free[i] = (uint8_t)i;
    f->frees = MAX_INFLIGHT;
}

static inline struct inflight *
inflight_new(struct inflight_pool *f)
{
    debug_assert(f->frees &&
                 "collectors and units hold no more than the pool has");
    return &f->at[f->free[--f->frees]];
}

static inline void
inflight_free(struct inflight_pool *f, const struct inflight *of)
{
    debug_assert(f->frees < MAX_INFLIGHT);
    debug_assert(of >= f->at && of < f->at + MAX_INFLIGHT);
    f->free[f->frees++] = (uint8_t)(of - f->at);
}
