/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses after the end of memory that padding allows.  Where memory has padding the
 * caller says (ventus_sim_pad, launch.local_padding_B, launch.pds_padding_B).
 *
 * Padding of private memory is beside memory, so that the places of words in private
 * memory do not depend on it.  To caches and traces an access to it is one to the last
 * word of the thread.
 */
#include <assert.h>
#include <string.h>

#include "sim/lanes.h"
#include "sim/state.h"

void
padding_reset(struct sim_group *g, uint32_t bytes)
{
    struct sim_padding *p = &g->padding;
    if (p->dirty)
        memset(p->host, 0, p->capacity);
    p->dirty = false;
    p->bytes = bytes;
}

void
padding_free(struct sim_group *g)
{
    mem_release(g->padding.host, g->padding.capacity);
    g->padding = (struct sim_padding){ .host = NULL };
}

/* Another launch may have had less of it, or fewer threads. */
static bool
padding_ensure(struct sim_warp *w)
{
    struct sim_padding *p = &w->group->padding;
    size_t size = (size_t)mem_group_threads(w) * p->bytes;
    if (p->host && size <= p->capacity)
        return true;
    mem_release(p->host, p->capacity);
    p->host = mem_reserve(size);
    p->capacity = p->host ? size : 0;
    return p->host != NULL;
}

/* The host learns of the first access of each instruction. */
static void
tell(struct sim_warp *w, const struct sim_op *op,
     enum ventus_sim_fault_kind kind, int lane, uint64_t at, unsigned bytes,
     bool write)
{
    struct sim_worker *k = w->worker;
    const struct ventus_sim_hooks *hooks = k->run->launch.hooks;
    uint32_t *told = &k->padded[op->pc / 4 % PADDED];
    if (!hooks || !hooks->padding || *told == op->pc)
        return;
    *told = op->pc;
    struct ventus_sim_fault f = { .kind = kind,
                                  .pc = op->pc,
                                  .group = w->group->number,
                                  .warp = w->id,
                                  .lane = lane,
                                  .address = at };
    memcpy(f.group_at, w->group->at, sizeof f.group_at);
    hooks->padding(hooks->ctx, &f, bytes, write);
}

uint8_t *
padding_at(struct sim_warp *w, const struct sim_op *op, uint64_t at, int lane,
           unsigned bytes, unsigned access)
{
    enum ventus_sim_fault_kind why = w->mmu->why;
    uint8_t *host = mmu_padding(w->mmu, at, bytes, access);
    if (host)
        tell(w, op, why, lane, at, bytes, access == MMU_WRITE);
    else
        warp_fault(w, op, why, lane, at);
    return host;
}

uint8_t *
padding_private(struct sim_warp *w, const struct sim_op *op, uint64_t offset,
                int lane, unsigned bytes, unsigned access)
{
    struct sim_padding *p = &w->group->padding;
    uint64_t past = offset - w->pds_size_B;
    assert(past + bytes <= p->bytes && "mem_check_space has seen it");
    if (!padding_ensure(w)) {
        warp_fault(w, op, VENTUS_SIM_FAULT_MEMORY, lane, offset);
        return NULL;
    }
    unsigned thread = w->id * w->num_thread + (lane < 0 ? 0 : (unsigned)lane);
    p->dirty |= access == MMU_WRITE;
    tell(w, op, VENTUS_SIM_FAULT_PRIVATE, lane, offset, bytes,
         access == MMU_WRITE);
    return p->host + (size_t)thread * p->bytes + past;
}
