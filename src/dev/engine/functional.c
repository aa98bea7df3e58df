/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of the engines that use `sim`: memory, which belongs to the
 * functional machine, its configuration, and its faults.
 */
#include "dev/engine/functional.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/fault.h"

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

static unsigned
sim_perm(unsigned perm)
{
    assert(perm && perm < 2 * ENGINE_YIELDS);
    return (perm & ENGINE_READ ? VENTUS_SIM_READ : 0) |
           (perm & ENGINE_WRITE ? VENTUS_SIM_WRITE : 0) |
           (perm & ENGINE_EXEC ? VENTUS_SIM_EXEC : 0) |
           (perm & ENGINE_YIELDS ? VENTUS_SIM_YIELDS : 0);
}

bool
functional_map(void *machine, uint64_t address, uint64_t size, unsigned perm)
{
    return ventus_sim_map(sim_of(machine), address, size, sim_perm(perm));
}

bool
functional_map_host(void *machine, uint64_t address, uint64_t size,
                    unsigned perm, void *host)
{
    return ventus_sim_map_host(sim_of(machine), address, size, sim_perm(perm),
                               host);
}

void
functional_bound(void *machine, uint64_t address, uint64_t size,
                 uint64_t padding)
{
    bool ok = ventus_sim_bound(sim_of(machine), address, size) &&
              ventus_sim_pad(sim_of(machine), address, padding);
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

/* ---- faults ---- */

void
functional_fault(struct engine_fault *to, const struct ventus_sim_fault *f)
{
    assert(f->kind > VENTUS_SIM_FAULT_NONE && f->kind < VENTUS_SIM_FAULT_COUNT);
    /* Faults of these kinds may come before the first instruction, or after the last
     * warp. */
    bool nowhere = !f->pc && (f->kind == VENTUS_SIM_FAULT_STOPPED ||
                              f->kind == VENTUS_SIM_FAULT_LIMIT ||
                              f->kind == VENTUS_SIM_FAULT_MEMORY ||
                              f->kind == VENTUS_SIM_FAULT_STUCK ||
                              f->kind == VENTUS_SIM_FAULT_INTERNAL);
    *to = (struct engine_fault){
        .kind = ventus_sim_fault_name(f->kind),
        .has_place = f->kind != VENTUS_SIM_FAULT_LAUNCH &&
                     f->kind != VENTUS_SIM_FAULT_NO_FIT && !nowhere,
        .lacks_memory = f->kind == VENTUS_SIM_FAULT_MEMORY,
        .pc = f->pc,
        .address = f->address,
        .has_address = sim_fault_has_address(f->kind),
        .warp = f->warp,
        .lane = f->lane,
        .in = f->in,
    };
    memcpy(to->group, f->group_at, sizeof to->group);
    snprintf(to->text, sizeof to->text, "%s", f->text);
}
