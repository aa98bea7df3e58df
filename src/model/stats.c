/* SPDX-License-Identifier: Apache-2.0 */
/* Attribution of issue slots to causes. */
#include "model/stats.h"

#include "model/machine.h"

#define COUNTER(name)                                    \
    {                                                    \
#name, offsetof(struct ventus_model_stats, name) \
    }
#define STALL(i, name)                                      \
    {                                                       \
        name, offsetof(struct ventus_model_stats, stall[i]) \
    }
#define UNIT(i, name)                                         \
    {                                                         \
        name, offsetof(struct ventus_model_stats, by_unit[i]) \
    }
const struct ventus_model_counter ventus_model_counters[] = {
    COUNTER(slots),
    STALL(VENTUS_MODEL_ISSUED, "issued"),
    STALL(VENTUS_MODEL_NO_WARP, "no_warp"),
    STALL(VENTUS_MODEL_FETCH, "fetch"),
    STALL(VENTUS_MODEL_BRANCH, "branch"),
    STALL(VENTUS_MODEL_COLLECT, "operand_collector"),
    STALL(VENTUS_MODEL_DEPEND_LSU, "memory"),
    STALL(VENTUS_MODEL_DEPEND, "result"),
    STALL(VENTUS_MODEL_BARRIER, "barrier"),
    STALL(VENTUS_MODEL_PASSED, "not_chosen"),
    COUNTER(warp_cycles),
    COUNTER(workgroups),
    COUNTER(vector_issued),
    COUNTER(vector_lanes),
    COUNTER(lane_operations),
    UNIT(VENTUS_ISA_UNIT_SALU, "unit_salu"),
    UNIT(VENTUS_ISA_UNIT_VALU, "unit_valu"),
    UNIT(VENTUS_ISA_UNIT_MUL, "unit_mul"),
    UNIT(VENTUS_ISA_UNIT_FPU, "unit_fpu"),
    UNIT(VENTUS_ISA_UNIT_SFU, "unit_sfu"),
    UNIT(VENTUS_ISA_UNIT_TENSOR, "unit_tensor"),
    UNIT(VENTUS_ISA_UNIT_LSU, "unit_lsu"),
    UNIT(VENTUS_ISA_UNIT_CSR, "unit_csr"),
    UNIT(VENTUS_ISA_UNIT_SIMT, "unit_simt"),
    UNIT(VENTUS_ISA_UNIT_WARP, "unit_warp"),
    COUNTER(icache_hits),
    COUNTER(icache_misses),
    COUNTER(read_hits),
    COUNTER(read_misses),
    COUNTER(write_hits),
    COUNTER(write_misses),
    COUNTER(mshr_full),
    COUNTER(cache_flushes),
    COUNTER(refetches),
    COUNTER(lsu_instructions),
    COUNTER(lsu_requests),
    COUNTER(bank_conflicts),
    COUNTER(crossbar_waits),
    COUNTER(local_accesses),
    COUNTER(local_passes),
    COUNTER(local_requests),
    COUNTER(local_conflicts),
    COUNTER(l2_gets),
    COUNTER(l2_puts),
    COUNTER(l2_hits),
    COUNTER(l2_walks),
    COUNTER(memory_reads),
    COUNTER(memory_writes),
    COUNTER(memory_B),
    COUNTER(memory_busy),
    COUNTER(tlb_hits),
    COUNTER(tlb_misses),
    COUNTER(fetch_tlb_hits),
    COUNTER(fetch_tlb_misses),
    COUNTER(l2_tlb_hits),
    COUNTER(l2_tlb_misses),
    COUNTER(page_walks),
    COUNTER(row_hits),
    COUNTER(row_misses),
    COUNTER(dram_bus_busy),
    { NULL, 0 },
};
#undef COUNTER
#undef STALL
#undef UNIT

static bool
has_issued(const struct sm *s, unsigned port)
{
    return scheduler_has_issued(&s->scheduler, port, s->now);
}

enum ventus_model_stall
stats_cause(const struct sm *s, unsigned port)
{
    return has_issued(s, port) ? VENTUS_MODEL_ISSUED : stats_cause_of_none(s);
}

/* Tells what a warp waits for, if the reason is new. */
static void
emit_warp(struct sm *s, struct warp *w, unsigned slot,
          enum ventus_model_stall why)
{
    if (w->emitted == (unsigned)why + 1)
        return;
    w->emitted = (uint8_t)(why + 1);
    events_emit(&s->events, s->now,
                (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_WAIT,
                                             .warp = slot,
                                             .why = why,
                                             .pc = w->next_pc });
}

static void
emit_slot(struct sm *s, enum ventus_model_stall why, unsigned port)
{
    /* A warp that could have issued and did not has the cause
     * VENTUS_MODEL_ISSUED. */
    uint64_t blocked = issue_blocked(&s->issue, s->now);
    bool ready =
        why == VENTUS_MODEL_PASSED || (why == VENTUS_MODEL_COLLECT && blocked);
    enum ventus_model_stall own = ready ? VENTUS_MODEL_ISSUED : why;
    struct ventus_model_event e = { .kind = VENTUS_MODEL_EVENT_SLOT,
                                    .why = why,
                                    .number = port };
    bool found = false;
    for (uint64_t left = issue_active(&s->issue); left; left &= left - 1) {
        unsigned i = lowest(left);
        struct warp *w = &s->warp[i];
        enum ventus_model_stall its = issue_why(&s->issue, i);
        bool issued = w->issued_at == s->now;
        bool passed = !issued && its == VENTUS_MODEL_ISSUED;
        if (!port)
            emit_warp(s, w, i,
                      passed ? blocked >> i & 1 ? VENTUS_MODEL_COLLECT
                                                : VENTUS_MODEL_PASSED
                             : its);
        if (found ||
            (why == VENTUS_MODEL_ISSUED ? !issued || w->issued_port != port
                                        : its != own))
            continue;
        found = true;
        e.warp = i;
        e.pc = issued ? w->issued_pc : w->next_pc;
    }
    events_emit(&s->events, s->now, e);
}

void
stats_emit_slots(struct sm *s)
{
    for (unsigned port = 0; port < s->ports; port++)
        emit_slot(s, stats_cause(s, port), port);
}

/* All slots have a cause. */
void
stats_end(struct sm *s)
{
    s->stats.slots = 0;
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        s->stats.slots += s->stats.stall[i];
}

void
stats_count_issue(struct sm *s, const struct inflight *f)
{
    struct ventus_model_stats *t = &s->stats;
    enum ventus_isa_unit unit = (enum ventus_isa_unit)f->op->unit;
    t->issued++;
    t->by_unit[unit]++;
    if (!f->op->vector || f->scalar)
        return;
    /* Most often all are active, and counting bits is no instruction. */
    unsigned lanes = f->lanes == s->all_lanes
                         ? s->m->machine.num_thread
                         : (unsigned)__builtin_popcountll(f->lanes);
    t->vector_issued++;
    t->vector_lanes += lanes;
    if (unit == VENTUS_ISA_UNIT_VALU || unit == VENTUS_ISA_UNIT_MUL ||
        unit == VENTUS_ISA_UNIT_FPU || unit == VENTUS_ISA_UNIT_SFU)
        t->lane_operations += lanes;
}

void
stats_add_model(struct ventus_model_stats *to,
                const struct ventus_model_stats *from)
{
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)from;
    for (unsigned i = 0; i < sizeof *to / sizeof *a; i++)
        a[i] += b[i];
}
