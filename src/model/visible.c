/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lookahead of an SM: until which of its cycles nothing of it can be seen by the
 * others.  What can is a request that leaves the L1D, an instruction with visible
 * effects, the end of a fence, which looks at the bus, the end of a workgroup, and a
 * failure.
 */
#include "model/visible.h"

#include "model/machine.h"

bool
visible_awaits_l2(const struct sm *s)
{
    return dcache_awaits_l2(&s->dcache) || icache_awaits_l2(&s->icache);
}

/* Is it an event that warps end: a workgroup that is done, room for one, or a
 * scheduler that counts each? */
static bool
ending_is_visible(const struct sm *s)
{
    unsigned room = s->warps - s->resident + s->endings;
    bool done = s->m->config.wg_buffer || room >= s->m->launch->warps;
    for (unsigned i = 0; i < s->m->slots && !done; i++)
        done = s->group[i].valid && s->group[i].live <= s->endings;
    return done;
}

void
visible_update(struct sm *s)
{
    /* Without warps it is not ahead: the launch may end before. */
    bool visible = s->state == SM_EMPTY || !s->resident ||
                   (s->endings && ending_is_visible(s)) ||
                   rcc_asks_bus(&s->rcc);
    s->ordered = s->failed || s->log_full || sm_translates(s);
    s->visible_at = visible ? 0 : dcache_lookahead(&s->dcache);
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
