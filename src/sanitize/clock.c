/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of races. */
#include "sanitize/clock.h"

#include <assert.h>
#include <string.h>

#include "sanitize/state.h"

/* Nothing before is ordered by a barrier. */
void
sanitize_clear_order(struct sanitize_group *g)
{
    g->barrier[0] = g->barrier[1] = g->met = 0;
    memset(g->acquired, 0, sizeof g->acquired);
    memset(g->acquired_in_group, 0, sizeof g->acquired_in_group);
}

/* All records are invalidated: races with what was before go unseen. */
static void
restart_time(struct sanitize *c)
{
    shadow_next_launch(&c->shadow);
    memset(c->release, 0, sizeof c->release);
    for (struct sanitize_group *g = c->groups; g; g = g->next) {
        memset(g->local_race, 0, g->touched_B / 4 * sizeof *g->local_race);
        sanitize_clear_order(g);
        for (unsigned i = 0; i < g->warps_capacity; i++) {
            struct sanitize_warp *w = &g->warp[i];
            w->sub[0] = w->sub[1] = w->fenced = 0;
            w->fence = 0;
            w->acquired = 0;
            for (unsigned lane = 0; lane < SIM_LANES_MAX; lane++)
                w->item[lane] =
                    (struct sanitize_item){ .loads_acquire =
                                                w->item[lane].loads_acquire };
        }
    }
    c->time = 1;
}

uint32_t
sanitize_tick(struct sanitize *c)
{
    assert(c->time <= RACE_TIME_MAX);
    if (c->time == RACE_TIME_MAX)
        restart_time(c);
    return ++c->time;
}
