/* SPDX-License-Identifier: Apache-2.0 */
/* What a cycle was used for. */
#include "model/machine.h"

/* The cause of the warp that is nearest to an issue. */
static enum model_stall
cause(const struct sm *s)
{
    static const uint8_t nearest[] = { MODEL_COLLECT,    MODEL_DEPEND,
                                       MODEL_DEPEND_LSU, MODEL_BRANCH,
                                       MODEL_FETCH,      MODEL_BARRIER };
    unsigned seen = 0;
    if (s->issued_at == s->m->now)
        return MODEL_ISSUED;
    for (unsigned i = 0; i < s->warps; i++)
        if (s->warp[i].active && s->warp[i].start_at <= s->m->now)
            seen |= 1u << s->warp[i].why;
    for (unsigned i = 0; i < sizeof nearest; i++)
        if (seen >> nearest[i] & 1)
            return (enum model_stall)nearest[i];
    return seen ? MODEL_FETCH : MODEL_NO_WARP;
}

void
stats_count(struct sm *s)
{
    struct model_stats *t = &s->m->stats;
    t->slots++;
    t->warp_cycles += s->resident;
    t->stall[s->state == SM_EMPTY ? MODEL_NO_WARP : cause(s)]++;
}

void
stats_add_model(struct model_stats *to, const struct model_stats *from)
{
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)from;
    for (unsigned i = 0; i < sizeof *to / sizeof *a; i++)
        a[i] += b[i];
}
