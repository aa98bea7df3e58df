/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/machine.h"

/* Why a port that issued nothing did not: the same for each.  A warp that is ready
 * waits for a collector, as units that are busy fill them, or was not chosen. */
static inline enum ventus_model_stall
stats_cause_of_none(const struct sm *s)
{
    return issue_candidates(&s->issue)        ? issue_blocked(&s->issue, s->now)
                                                    ? VENTUS_MODEL_COLLECT
                                                    : VENTUS_MODEL_PASSED
           : workgroup_is_none(&s->workgroup) ? VENTUS_MODEL_NO_WARP
                                              : issue_why_none(&s->issue);
}

/* The use of a port's slot in this cycle. */
enum ventus_model_stall
stats_cause(const struct sm *s, unsigned port);

/* Tells observers of this cycle what its slots are used for. */
void
stats_emit_slots(struct sm *s);

/* Counts cycles that are all alike.  Every cycle counts, hence inline. */
static inline void
stats_count(struct sm *s, uint64_t cycles)
{
    struct ventus_model_stats *t = &s->stats;
    unsigned issued = issue_count(&s->issue, s->now);
    unsigned warps = workgroup_warps(&s->workgroup);
    debug_assert(cycles && warps <= s->warps && issued <= s->ports);
    t->warp_cycles += cycles * warps;
    t->stall[VENTUS_MODEL_ISSUED] += cycles * issued;
    if (issued < s->ports)
        t->stall[stats_cause_of_none(s)] += cycles * (s->ports - issued);
    if (events_are_on(&s->events))
        stats_emit_slots(s);
}

/* After the last cycle. */
void
stats_end(struct sm *s);

void
stats_count_issue(struct sm *s, const struct inflight *f);

void
stats_add_model(struct ventus_model_stats *to,
                const struct ventus_model_stats *from);
