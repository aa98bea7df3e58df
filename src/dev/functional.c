/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What both engines of `sim` share: memory, which is the functional machine's, and
 * the way from the driver's terms to <ventus/sim.h>'s and back.
 */
#include "dev/functional.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct ventus_sim_config
functional_config(const struct config *config)
{
    const uint64_t *v = config->value;
    bool one =
        v[CONFIG_deterministic] && !engine_can(config, VENTUS_DEV_ORDERED);
    return (struct ventus_sim_config){
        .isa = (enum ventus_isa_version)v[CONFIG_isa],
        .num_thread = (unsigned)v[CONFIG_num_thread],
        .num_sm = (unsigned)v[CONFIG_num_sm],
        .num_warp = (unsigned)v[CONFIG_num_warp],
        .num_sgpr = (unsigned)v[CONFIG_num_sgpr],
        .num_vgpr = (unsigned)v[CONFIG_num_vgpr],
        .local_size_B = (uint32_t)v[CONFIG_local_size],
        .stack_depth = (unsigned)v[CONFIG_stack_depth],
        .host_threads = one ? 1 : (unsigned)v[CONFIG_host_threads],
        .max_instructions = v[CONFIG_max_instructions],
        .max_ms = v[CONFIG_max_ms],
        .all_lanes = v[CONFIG_all_lanes],
        .ignore_vm = v[CONFIG_ignore_vm],
        .scalar_amo = v[CONFIG_scalar_amo],
        .vadd12_signed = v[CONFIG_vadd12_signed],
        .round_robin = v[CONFIG_round_robin],
        .barrier_all = v[CONFIG_barrier_all],
        .common_pds = v[CONFIG_common_pds],
        .join_check = v[CONFIG_join_check],
        .portable = v[CONFIG_portable],
    };
}

/* ---- memory ---- */

static struct ventus_sim *
sim_of(void *machine)
{
    const struct functional *f = machine;
    return f->sim;
}

bool
functional_map(void *machine, uint64_t address, uint64_t size, unsigned perm)
{
    assert(perm && perm <= (ENGINE_READ | ENGINE_WRITE | ENGINE_EXEC));
    unsigned p = (perm & ENGINE_READ ? VENTUS_SIM_READ : 0) |
                 (perm & ENGINE_WRITE ? VENTUS_SIM_WRITE : 0) |
                 (perm & ENGINE_EXEC ? VENTUS_SIM_EXEC : 0);
    return ventus_sim_map(sim_of(machine), address, size, p);
}

void
functional_bound(void *machine, uint64_t address, uint64_t size)
{
    bool ok = ventus_sim_bound(sim_of(machine), address, size);
    assert(ok);
    (void)ok;
}

bool
functional_unmap(void *machine, uint64_t address)
{
    return ventus_sim_unmap(sim_of(machine), address);
}

bool
functional_read(void *machine, uint64_t address, void *to, uint64_t size)
{
    return ventus_sim_read(sim_of(machine), address, to, size);
}

bool
functional_write(void *machine, uint64_t address, const void *from,
                 uint64_t size)
{
    return ventus_sim_write(sim_of(machine), address, from, size);
}

void *
functional_pointer(void *machine, uint64_t address, uint64_t *size)
{
    return ventus_sim_pointer(sim_of(machine), address, size);
}

/* ---- launches ---- */

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    const struct engine_launch *l = ctx;
    assert(l->print);
    (void)group;
    (void)warp;
    (void)value;
    l->print(l->ctx);
}

static void
on_step(void *ctx, const struct ventus_sim_step *step)
{
    const struct engine_launch *l = ctx;
    l->step(l->ctx, step);
}

void
functional_stats(struct ventus_dev_stats *to, const struct ventus_sim_stats *s)
{
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

static bool
has_address(enum ventus_sim_fault_kind kind)
{
    return kind == VENTUS_SIM_FAULT_MISALIGNED ||
           kind == VENTUS_SIM_FAULT_UNMAPPED ||
           kind == VENTUS_SIM_FAULT_PERMISSION ||
           kind == VENTUS_SIM_FAULT_LOCAL;
}

void
functional_fault(struct engine_fault *to, const struct ventus_sim_fault *f)
{
    assert(f->kind > VENTUS_SIM_FAULT_NONE && f->kind < VENTUS_SIM_FAULT_COUNT);
    *to = (struct engine_fault){
        .kind = ventus_sim_fault_name(f->kind),
        .has_place = f->kind != VENTUS_SIM_FAULT_LAUNCH &&
                     f->kind != VENTUS_SIM_FAULT_NO_FIT,
        .pc = f->pc,
        .address = f->address,
        .has_address = has_address(f->kind),
        .warp = f->warp,
        .lane = f->lane,
        .in = f->in,
    };
    memcpy(to->group, f->group_at, sizeof to->group);
    snprintf(to->text, sizeof to->text, "%s", f->text);
}

struct ventus_sim_launch
functional_launch(const struct engine_launch *l)
{
    struct ventus_sim_launch s = {
        .pc = l->pc,
        .kernel = l->kernel,
        .warps = l->warps,
        .knl = l->knl,
        .local_size_B = l->local_B,
        .local_bounded = l->local_bounded,
        .pds_base = l->private_base,
        .pds_size_B = l->private_B,
        .pds_zeroed = l->private_zeroed,
        .sgpr = l->sgprs,
        .vgpr = l->vgprs,
        .ptbr = l->ptbr,
        .first = l->first,
        .count = l->count,
    };
    for (int i = 0; i < 3; i++) {
        s.grid[i] = l->groups[i];
        s.global[i] = (uint32_t)l->global[i];
        s.local[i] = l->local[i];
    }
    return s;
}

static void
on_ended(void *ctx, uint64_t group)
{
    const struct engine_launch *l = ctx;
    (void)group;
    l->ended(l->ctx);
}

struct ventus_sim_hooks
functional_hooks(const struct engine_launch *l)
{
    struct ventus_sim_hooks hooks = { .ctx = (void *)(uintptr_t)l };
    hooks.print = l->print ? on_print : NULL;
    hooks.step = l->step ? on_step : NULL;
    hooks.ended = l->ended ? on_ended : NULL;
    return hooks;
}
