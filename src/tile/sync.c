/* SPDX-License-Identifier: Apache-2.0 */
/* t_wait inside a thread, t_sync between threads (docs/tile.md, Order and
 * waiting). */
#include <assert.h>

#include "tile/check.h"
#include "tile/thread.h"

/* ---- t_wait -------------------------------------------------------------- */

/* `loads`, `stores`: at most so many may be left, or -1 for any number. */
static enum thread_result
wait_memory(struct tile_thread *t, bool share, int loads, int stores)
{
    assert(!t->waiting.on); /* a thread in t_sync repeats that */
    enum ventus_tile_unit unit =
        share ? VENTUS_TILE_UNIT_SLSU : VENTUS_TILE_UNIT_GLSU;
    enum check_kind load = share ? CHECK_SLD : CHECK_GLD;
    enum check_kind store = share ? CHECK_SST : CHECK_GST;
    enum thread_result r = tile_queue_drain_memory(t, unit, loads, stores);
    if (loads >= 0) {
        check_retire(t, load, (unsigned)loads);
        timing_wait(t, load, (unsigned)loads);
    }
    if (stores >= 0) {
        check_retire(t, store, (unsigned)stores);
        timing_wait(t, store, (unsigned)stores);
    }
    return r;
}

static enum thread_result
wait_unit(struct tile_thread *t, enum ventus_tile_unit unit,
          enum check_kind kind)
{
    assert(!t->waiting.on);
    enum thread_result r = tile_queue_drain(t, unit, 0);
    check_retire(t, kind, 0);
    timing_wait(t, kind, 0);
    return r;
}

/* units: 1 TMA, 2 MMA, 4 ALU; all three: the memory counters too. */
static enum thread_result
wait_units(struct tile_thread *t, unsigned units)
{
    enum thread_result r = THREAD_DONE;
    if (units & 1)
        r = wait_unit(t, VENTUS_TILE_UNIT_TMA, CHECK_TMA);
    if (r == THREAD_DONE && units & 2)
        r = wait_unit(t, VENTUS_TILE_UNIT_MMA, CHECK_MMA);
    if (r == THREAD_DONE && units & 4)
        r = wait_unit(t, VENTUS_TILE_UNIT_ALU, CHECK_ALU);
    if (r == THREAD_DONE && units == 7)
        r = wait_memory(t, false, 0, 0);
    if (r == THREAD_DONE && units == 7)
        r = wait_memory(t, true, 0, 0);
    return r;
}

/* Bulk copies since the last commit become group g, or join it. */
static void
commit(struct tile_thread *t, unsigned group)
{
    assert(!t->waiting.on && group < ~1u); /* ~0 open, ~1 in no group */
    struct thread_queue *q = &t->queue[VENTUS_TILE_UNIT_TMA];
    for (unsigned i = 0; i < q->count; i++) {
        struct thread_op *op = &q->op[(q->first + i) % THREAD_RING];
        if (op->group == ~0u)
            op->group = group;
    }
    check_tma_commit(t, group);
}

static enum thread_result
wait_group(struct tile_thread *t, unsigned group)
{
    struct thread_queue *q = &t->queue[VENTUS_TILE_UNIT_TMA];
    unsigned left = q->count; /* after the last one of the group */
    for (unsigned i = 0; i < q->count; i++)
        if (q->op[(q->first + i) % THREAD_RING].group == group)
            left = q->count - i - 1;
    enum thread_result r = tile_queue_drain(t, VENTUS_TILE_UNIT_TMA, left);
    check_tma_retire_group(t, group);
    timing_wait(t, CHECK_TMA, 0);
    return r;
}

/* ---- t_sync -------------------------------------------------------------- */

static struct tile_sync *
sync_of(struct tile_thread *t, unsigned scope, unsigned id)
{
    assert(id < THREAD_SYNCS);
    struct ventus_tile_machine *m = t->machine;
    return scope ? &m->cluster[id] : &m->pe[t->pe].sync[id];
}

/* The thread's bit: in its PE, or 8 * PE + thread in the cluster. */
static unsigned
self_of(const struct tile_thread *t, unsigned scope)
{
    assert(t->pe < VENTUS_TILE_PES && t->index < VENTUS_TILE_THREADS);
    return scope ? t->pe * VENTUS_TILE_THREADS + t->index : t->index;
}

/* An immediate cluster mask names PEs: there, threads of the same index. */
static uint32_t
mask_of(const struct tile_thread *t, const struct ventus_tile_insn *in)
{
    if (in->op == VENTUS_TILE_SYNC_IR || in->op == VENTUS_TILE_SYNC_RR)
        return (uint32_t)t->hart.x[in->rs2];
    if (!in->scope)
        return in->mask;
    uint32_t mask = 0;
    for (unsigned pe = 0; pe < VENTUS_TILE_PES; pe++)
        mask |= (uint32_t)(in->mask >> pe & 1)
                << (pe * VENTUS_TILE_THREADS + t->index);
    return mask;
}

/* The generation that all of the mask have reached. */
static bool
complete(const struct tile_sync *s, uint32_t mask, uint64_t generation)
{
    for (unsigned q = 0; q < VENTUS_TILE_PES * VENTUS_TILE_THREADS; q++)
        if (mask >> q & 1 && s->arrivals[q] < generation)
            return false;
    return true;
}

static enum thread_result
arrive(struct tile_thread *t, const struct ventus_tile_insn *in, uint64_t pc)
{
    assert(!t->waiting.on);
    bool by_register =
        in->op == VENTUS_TILE_SYNC_RI || in->op == VENTUS_TILE_SYNC_RR;
    uint64_t id = by_register ? t->hart.x[in->rs1] : (uint64_t)in->imm;
    uint32_t mask = mask_of(t, in);
    unsigned self = self_of(t, in->scope);
    if (id >= THREAD_SYNCS || !(mask >> self & 1))
        return thread_fault(t, pc, VENTUS_TILE_CAUSE_ILLEGAL, id);
    struct tile_sync *s = sync_of(t, in->scope, (unsigned)id);
    if (s->used && s->mask != mask)
        return thread_fault(t, pc, VENTUS_TILE_CAUSE_ILLEGAL, mask);
    s->used = true;
    s->mask = mask;
    uint64_t k = ++s->arrivals[self];
    if (in->func == VENTUS_TILE_NONBLK_ARRIVE || complete(s, mask, k))
        return THREAD_DONE;
    t->waiting =
        (struct thread_waiting){ true, in->scope, (unsigned)id, mask, k };
    return THREAD_AGAIN;
}

/* The arrival was counted when the thread first got here. */
static enum thread_result
synchronise(struct tile_thread *t, const struct ventus_tile_insn *in,
            uint64_t pc)
{
    if (!t->waiting.on)
        return arrive(t, in, pc);
    const struct tile_sync *s = sync_of(t, t->waiting.scope, t->waiting.id);
    assert(s->used && s->mask == t->waiting.mask);
    assert(s->arrivals[self_of(t, t->waiting.scope)] == t->waiting.generation);
    if (!complete(s, t->waiting.mask, t->waiting.generation))
        return THREAD_AGAIN;
    t->waiting.on = false;
    return THREAD_DONE;
}

enum thread_result
sync_execute(struct tile_thread *t, const struct ventus_tile_insn *in,
             uint64_t pc)
{
    if (!t->waiting.on)
        t->machine->stats.tile[in->op]++;
    switch (in->op) {
    case VENTUS_TILE_WAIT_0:
        return THREAD_DONE;
    case VENTUS_TILE_WAIT_L:
        return wait_memory(t, in->space, in->imm, -1);
    case VENTUS_TILE_WAIT_S:
        return wait_memory(t, in->space, -1, in->mask);
    case VENTUS_TILE_WAIT_LS:
        return wait_memory(t, in->space, in->imm, in->mask);
    case VENTUS_TILE_COMMIT:
        commit(t, (unsigned)in->imm);
        return THREAD_DONE;
    case VENTUS_TILE_WAIT_G:
        return wait_group(t, (unsigned)in->imm);
    case VENTUS_TILE_WAIT_U:
        return wait_units(t, in->func);
    }
    return synchronise(t, in, pc);
}
