/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lookahead of an SM: a cycle before which none of its events is visible to
 * others.  Visible are a request that leaves the L1D, an instruction with visible
 * effects, the end of a fence, which tests the bus, the end of a workgroup, and a
 * failure.
 */
#include "model/parallel/visible.h"

#include "model/machine.h"

bool
visible_awaits_l2(const struct sm *s)
{
    return dcache_awaits_l2(&s->dcache) || icache_awaits_l2(&s->icache) ||
           sm_translates(s);
}

void
visible_update(struct sm *s)
{
    /* Without warps it is not ahead: the launch may end before. */
    const struct workgroup *g = &s->workgroup;
    bool visible = workgroup_is_none(g) || !workgroup_warps(g) ||
                   workgroup_has_visible_end(g) || rcc_asks_bus(&s->rcc);
    uint64_t leaves = dcache_lookahead(&s->dcache);
    uint64_t walks = sm_next_translation(s, s->now);
    if (leaves < s->bus_opens)
        leaves = s->bus_opens;
    s->ordered = s->failed || s->log_full || walks <= s->now;
    s->visible_at = visible ? 0 : leaves < walks ? leaves : walks;
    s->awaits = visible_awaits_l2(s);
}

bool
visible_is_ordered(const struct sm *s)
{
    return s->ordered || s->checked;
}

bool
visible_is_next(const struct sm *s)
{
    return s->calls || visible_is_ordered(s) || s->visible_at <= s->now ||
           cta_wants(&s->m->cta, s->id);
}
