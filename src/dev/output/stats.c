/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics in the terms of <ventus/dev.h>. */
#include <assert.h>

#include "dev/device.h"
#include "dev/output/stats.h"

void
stats_add_executed(struct ventus_dev_stats *to,
                   const struct ventus_sim_stats *s)
{
    static_assert(VENTUS_ISA_UNIT_COUNT <= 16, "ventus_dev_stats.classes");
    to->warp_instructions += s->warp_instructions;
    to->thread_instructions += s->thread_instructions;
    to->vector_instructions += s->vector_instructions;
    to->vector_lanes += s->vector_lanes;
    to->branches += s->branches;
    to->branches_divergent += s->branches_divergent;
    to->joins += s->joins;
    to->barriers += s->barriers;
    to->workgroups += s->workgroups;
    if (s->max_stack > to->max_stack)
        to->max_stack = s->max_stack;
    to->loads_uniform += s->loads_uniform;
    to->loads_unit += s->loads_unit;
    to->loads_gather += s->loads_gather;
    to->stores_uniform += s->stores_uniform;
    to->stores_unit += s->stores_unit;
    to->stores_scatter += s->stores_scatter;
    to->n_classes = VENTUS_ISA_UNIT_COUNT;
    for (unsigned i = 0; i < VENTUS_ISA_UNIT_COUNT; i++) {
        to->classes[i].name = ventus_isa_unit_names[i];
        to->classes[i].warp += s->by_unit[i];
        to->classes[i].thread += s->threads_by_unit[i];
    }
}

void
ventus_dev_stats_add(struct ventus_dev_stats *to,
                     const struct ventus_dev_stats *from)
{
    to->warp_instructions += from->warp_instructions;
    to->thread_instructions += from->thread_instructions;
    to->vector_instructions += from->vector_instructions;
    to->vector_lanes += from->vector_lanes;
    to->branches += from->branches;
    to->branches_divergent += from->branches_divergent;
    to->joins += from->joins;
    to->barriers += from->barriers;
    to->workgroups += from->workgroups;
    if (from->max_stack > to->max_stack)
        to->max_stack = from->max_stack;
    to->loads_uniform += from->loads_uniform;
    to->loads_unit += from->loads_unit;
    to->loads_gather += from->loads_gather;
    to->stores_uniform += from->stores_uniform;
    to->stores_unit += from->stores_unit;
    to->stores_scatter += from->stores_scatter;
    if (from->n_classes > to->n_classes)
        to->n_classes = from->n_classes;
    for (unsigned i = 0; i < from->n_classes; i++) {
        to->classes[i].name = from->classes[i].name;
        to->classes[i].warp += from->classes[i].warp;
        to->classes[i].thread += from->classes[i].thread;
    }
}
