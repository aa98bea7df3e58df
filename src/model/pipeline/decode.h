/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>

#include <ventus/model.h>

#include "base/hash.h"
#include "model/pipeline/op.h"
#include "sim/step.h"

/* Pages of code that an SM finds without asking the others. */
enum { CODE_B = 4096, SM_CODES = 16 };

struct code {
    uint32_t base;
    unsigned n;
    struct model_op op[CODE_B / 4 + 1];
};

/*
 * Pages that were decoded in a launch, of all SMs, and room for as many as in
 * launches before; an SM may ask on any host thread.
 */
struct code_store {
    const struct ventus_model_config *config;
    enum ventus_isa_version version;
    unsigned lanes;
    struct code **page;
    size_t pages, made, room;
    struct hash_index index; /* pages by their base */
    pthread_mutex_t lock;
};

/* The decoder of an SM. */
struct decoder {
    struct code_store *store;
    struct sim_stepper *stepper;
    const struct code *page[SM_CODES]; /* pages fetched from last */
};

bool
code_store_create(struct code_store *t,
                  const struct ventus_model_config *config,
                  const struct ventus_sim_config *machine);

void
code_store_destroy(struct code_store *t);

/* A launch begins: code may be another.  Then all decoders are reset. */
void
code_store_reset(struct code_store *t);

void
decoder_reset(struct decoder *d, struct code_store *store,
              struct sim_stepper *stepper);

/* Looks for its page, too. */
const struct model_op *
decoder_search(struct decoder *d, uint32_t pc);

/* The instruction that a page holds there; NULL: it is another page's. */
static inline const struct model_op *
code_at(const struct code *c, uint32_t pc)
{
    return c && pc - c->base < 4 * c->n ? &c->op[(pc - c->base) / 4] : NULL;
}

/* The instruction at pc, followed by the next ones of its page.  NULL: there is no
 * code, or no host memory for it; the functional machine, which then executes it, says
 * which. */
static inline const struct model_op *
decoder_at(struct decoder *d, uint32_t pc)
{
    const struct model_op *op = code_at(d->page[pc / CODE_B % SM_CODES], pc);
    return op ? op : decoder_search(d, pc);
}
