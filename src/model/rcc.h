/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/bits.h"
#include "model/decode.h"
#include "model/set_assoc.h"
#include "model/warp.h"

/* What the L1D of an SM holds, of its own. */

enum { RCC_SWAPS = STEP_WORDS_MAX, RCC_RELEASE = 1, RCC_ACQUIRE = 2 };

enum rcc_effect { RCC_NOTHING, RCC_DRAIN, RCC_FLUSH, RCC_INVALIDATE };

/* Of a way, whose tag is physical address / line_B. */
struct rcc_line {
    bool swapped;
    uint64_t filled, depends; /* depend.c: of the line, of what was stored */
    uint8_t *data, *written;  /* written: of each byte */
};

struct rcc {
    /* Of the cache that keeps time: one effect after the other. */
    enum { RCC_IDLE, RCC_DRAINS, RCC_WAITS, RCC_WRITES, RCC_SETTLES } state;
    uint8_t now;               /* effect of what is being issued */
    uint8_t issued[MAX_WARPS]; /* effect of what a warp issued last, */
    uint8_t
        effect[MAX_WARPS]; /* and of what came to the LSU, until it is done */
    uint8_t doing;         /* of `warp` */
    uint64_t arrived;      /* warps */
    unsigned warp, next;
    struct set_assoc lines;
    struct rcc_line *line; /* by index of the way */
    uint8_t *bytes, *saved;
    uint64_t clock;
    struct step_access access; /* physical addresses, or UINT64_MAX */
    struct way *swap[RCC_SWAPS];
    unsigned swaps;
};

bool
rcc_create(struct sm *s);

void
rcc_destroy(struct sm *s);

void
rcc_reset(struct sm *s);

/* What is printed is read by the host: the caches are emptied before. */
void
rcc_wrap(struct ventus_model *m, struct ventus_sim_launch *launch,
         struct ventus_sim_hooks *hooks);

/* The host sees what all SMs wrote. */
void
rcc_end(struct ventus_model *m);

/* Around a step; what is no memory access nor fence passes.  op may be NULL. */
void
rcc_before(struct sm *s, const struct warp *w, const struct model_op *op);

void
rcc_after(struct sm *s, const struct model_op *op);

/* Writes dirty lines back; and invalidates the others, too. */
void
rcc_flush(struct sm *s);

void
rcc_invalidate(struct sm *s);

/* What was stepped last has been issued; its warp waits for its effect. */
void
rcc_issued(struct sm *s, unsigned warp);

/* Does a warp wait for an effect? */
static inline bool
rcc_is_pending(const struct rcc *r, unsigned warp)
{
    return r->issued[warp] || r->effect[warp];
}

/* It came to the LSU, where it begins. */
void
rcc_arrived(struct sm *s, unsigned warp);

void
rcc_cycle(struct sm *s);
