/* SPDX-License-Identifier: Apache-2.0 */
/* The functional machine as a back end; nothing else drives <ventus/sim.h>. */
#include <ventus/sim.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "dev/backend.h"
#include "dev/functional.h"

struct sim_config
functional_config(const struct config *config)
{
    const uint64_t *v = config->value;
    return (struct sim_config){
        .isa = (enum isa_version)v[CONFIG_isa],
        .num_thread = (unsigned)v[CONFIG_num_thread],
        .num_sm = (unsigned)v[CONFIG_num_sm],
        .num_warp = (unsigned)v[CONFIG_num_warp],
        .num_sgpr = (unsigned)v[CONFIG_num_sgpr],
        .num_vgpr = (unsigned)v[CONFIG_num_vgpr],
        .local_size_B = (uint32_t)v[CONFIG_local_size],
        .stack_depth = (unsigned)v[CONFIG_stack_depth],
        .host_threads = (unsigned)v[CONFIG_host_threads],
        .max_instructions = v[CONFIG_max_instructions],
        .max_ms = v[CONFIG_max_ms],
        .all_lanes = v[CONFIG_all_lanes],
        .ignore_vm = v[CONFIG_ignore_vm],
        .scalar_amo = v[CONFIG_scalar_amo],
        .vadd12_signed = v[CONFIG_vadd12_signed],
        .round_robin = v[CONFIG_round_robin],
        .barrier_all = v[CONFIG_barrier_all],
        .common_pds = v[CONFIG_common_pds],
        .portable = v[CONFIG_portable],
    };
}

static void *
create(const struct config *config, char *text, size_t size)
{
    struct sim_config c = functional_config(config);
    return sim_create(&c, text, size);
}

static void
destroy(void *machine)
{
    sim_destroy(machine);
}

static bool
map(void *machine, uint64_t address, uint64_t size, unsigned perm)
{
    unsigned p = (perm & BACKEND_READ ? SIM_READ : 0) |
                 (perm & BACKEND_WRITE ? SIM_WRITE : 0) |
                 (perm & BACKEND_EXEC ? SIM_EXEC : 0);
    return sim_map(machine, address, size, p);
}

static bool
unmap(void *machine, uint64_t address)
{
    return sim_unmap(machine, address);
}

static bool
read_memory(void *machine, uint64_t address, void *to, uint64_t size)
{
    return sim_read(machine, address, to, size);
}

static bool
write_memory(void *machine, uint64_t address, const void *from, uint64_t size)
{
    return sim_write(machine, address, from, size);
}

static void *
pointer(void *machine, uint64_t address, uint64_t *size)
{
    return sim_pointer(machine, address, size);
}

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    const struct backend_launch *l = ctx;
    (void)group;
    (void)warp;
    (void)value;
    l->print(l->ctx);
}

static void
on_step(void *ctx, const struct sim_step *step)
{
    const struct backend_launch *l = ctx;
    l->step(l->ctx, step);
}

void
functional_stats(struct dev_stats *to, const struct sim_stats *s)
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
    to->n_classes = ISA_UNIT_COUNT;
    for (unsigned i = 0; i < ISA_UNIT_COUNT; i++) {
        to->classes[i].name = isa_unit_names[i];
        to->classes[i].warp += s->by_unit[i];
        to->classes[i].thread += s->threads_by_unit[i];
    }
}

static bool
has_address(enum sim_fault_kind kind)
{
    return kind == SIM_FAULT_MISALIGNED || kind == SIM_FAULT_UNMAPPED ||
           kind == SIM_FAULT_PERMISSION;
}

void
functional_fault(struct backend_fault *to, const struct sim_fault *f)
{
    *to = (struct backend_fault){
        .kind = sim_fault_name(f->kind),
        .has_place = f->kind != SIM_FAULT_LAUNCH && f->kind != SIM_FAULT_NO_FIT,
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

struct sim_launch
functional_launch(const struct backend_launch *l)
{
    struct sim_launch s = {
        .pc = l->pc,
        .warps = l->warps,
        .knl = l->knl,
        .local_size_B = l->local_B,
        .pds_base = l->private_base,
        .pds_size_B = l->private_B,
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

struct sim_hooks
functional_hooks(const struct backend_launch *l)
{
    struct sim_hooks hooks = { .ctx = (void *)(uintptr_t)l };
    hooks.print = l->print ? on_print : NULL;
    hooks.step = l->step ? on_step : NULL;
    return hooks;
}

static bool
launch(void *machine, const struct backend_launch *l,
       struct backend_fault *fault)
{
    static_assert(ISA_UNIT_COUNT <= 16, "dev_stats.classes");
    struct sim_stats stats = { 0 };
    struct sim_hooks hooks = functional_hooks(l);
    struct sim_launch s = functional_launch(l);
    s.hooks = &hooks;
    s.stats = l->stats ? &stats : NULL;
    struct sim_fault f;
    bool ok = sim_launch(machine, &s, &f);
    if (!ok)
        functional_fault(fault, &f);
    if (l->stats)
        functional_stats(l->stats, &stats);
    return ok;
}

const struct backend_ops backend_sim = {
    .name = "sim",
    .create = create,
    .destroy = destroy,
    .map = map,
    .unmap = unmap,
    .read = read_memory,
    .write = write_memory,
    .pointer = pointer,
    .launch = launch,
};
