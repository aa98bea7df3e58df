/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the components of an SM in a cycle.  After the cycle, next_event of each
 * component gives the next cycle in which it can change.  Until the first of these, or
 * until an event from outside, the SM sleeps; its cycles are counted when it wakes
 * (sleep.c).
 */
#include "model/advance_sm.h"

#include <assert.h>

#include "model/machine.h"
#include "model/parallel/visible.h"
#include "model/stats.h"

static uint64_t
earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Does a unit take an instruction that has its operands, in the next cycle? */
static bool
starts_next(const struct sm *s, const struct inflight *f)
{
    uint64_t next = s->now + 1;
    if (f->op->kind == UNIT_LSU)
        return !rcc_blocks(&s->rcc) &&
               (f->op->fence || lsu_can_send(&s->lsu, next, f->warp));
    return f->op->kind == UNIT_CONTROL || units_has_room(&s->units, next, f);
}

static bool
any_starts_next(const struct sm *s)
{
    bool starts = false;
    for (unsigned port = 0; port < s->ports; port++) {
        const struct inflight *f = collect_front(&s->collect, port);
        starts |= f && starts_next(s, f);
    }
    return starts;
}

/* The next cycle in which the memory path of an SM changes. */
static uint64_t
next_memory(const struct sm *s)
{
    uint64_t now = s->now;
    uint64_t first = dcache_next_event(&s->dcache);
    if (first <= now + 1 || sm_asks_tables(s))
        return now + 1;
    first = earlier(first, rcc_next_event(&s->rcc, now + 1));
    first = earlier(first, sm_next_translation(s, now + 1));
    if (s->m->runs_ahead && dcache_awaits_bus(&s->dcache))
        first = earlier(first, s->bus_opens);
    first = earlier(first, icache_next_event(&s->icache));
    first = earlier(first, lsu_next_event(&s->lsu, now));
    return first > now ? first : now + 1;
}

/*
 * The pipeline is what is not memory: fetch, issue, collectors, units.  It may sleep
 * while the memory works, which it learns of in few places.
 */
static inline bool
pipeline_is_due(const struct sm *s)
{
    return s->pipeline_wake <= s->now ||
           (s->is_pending && icache_next_event(&s->icache) <= s->now);
}

/* Does the pipeline change in the next cycle, whatever the memory path did? */
static inline bool
pipeline_goes_on(const struct sm *s)
{
    uint64_t now = s->now, next = now + 1;
    return collect_next_event(&s->collect, now) == next ||
           units_are_due(&s->units, next) ||
           fetch_next_event(&s->fetch, now, issue_active(&s->issue),
                            ibuffer_full(&s->ibuffer)) == next;
}

/* The next cycle in which something in it can change.  While it sleeps the memory
 * changes what warps wait for, but no unit. */
static uint64_t
next_pipeline(const struct sm *s)
{
    uint64_t now = s->now;
    uint64_t first = issue_next_event(&s->issue, now);
    bool waits = collect_has_complete(&s->collect);
    if (first == now + 1 || lsu_may_offer(&s->lsu) ||
        (waits && any_starts_next(s)))
        return now + 1;
    uint64_t units = s->pipeline_wake > now
                         ? s->pipeline_wake
                         : units_next_event(&s->units, now, waits);
    return earlier(first, units);
}

/* May its L1D give the bus a request in this cycle?  Its own L1I goes first. */
static bool
bus_is_ready(const struct sm *s)
{
    const struct bus *b = &s->m->bus;
    if (s->m->runs_ahead) /* the machine's cycle is not known */
        return s->bus_open && !icache_l2_peek(&s->icache, s->now);
    return bus_is_open(b, s->id, s->m->now) &&
           !icache_l2_peek(&s->icache, s->m->now);
}

bool
advance_bus_opens(const struct sm *s)
{
    assert(dcache_awaits_bus(&s->dcache) &&
           "only a queue that waits for the interconnect polls it");
    return bus_is_ready(s);
}

/* Is it known without a tick of the L1D that the interconnect takes nothing? */
static bool
bus_is_polled(const struct sm *s)
{
    return !s->m->runs_ahead || s->now < s->bus_opens;
}

static void
run_dcache(struct sm *s)
{
    struct dcache *d = &s->dcache;
    bool opens = dcache_awaits_bus(d) &&
                 (s->m->runs_ahead ? !bus_is_polled(s) : advance_bus_opens(s));
    if (!dcache_is_due(d, s->now) && !opens) {
        dcache_skip(d, 1);
        return;
    }
    struct dcache_wires wires = {
        .bus_open = dcache_needs_bus(d, s->now) && bus_is_ready(s),
        .bus_polled = bus_is_polled(s),
        .lsu_empty = dcache_waits_for_lsu(d) && lsu_is_empty(&s->lsu),
    };
    dcache_tick(d, s->now, &wires);
}

static void
run_lsu(struct sm *s)
{
    const struct units *u = &s->units;
    lsu_tick(&s->lsu, s->now,
             &(struct lsu_wires){ .x_free = units_lsu_is_free(u, false),
                                  .v_free = units_lsu_is_free(u, true),
                                  .full = units_lsu_is_full(u) });
    if (!lsu_is_offering(&s->lsu) && units_lsu_is_full(u))
        units_lsu_withdraw(&s->units);
}

static void
run_fences(struct sm *s)
{
    bool full = rcc_asks_bus(&s->rcc) && !bus_can_send(&s->m->bus, s->id);
    int warp = rcc_tick(&s->rcc, s->now, full);
    if (warp != NEVER)
        issue_changed(&s->issue, (unsigned)warp);
}

/* Memory, as an SM has it. */
static void
run_memory(struct sm *s)
{
    run_dcache(s);
    bool translates = sm_translates(s);
    bool fences = rcc_next_event(&s->rcc, s->now) <= s->now;
    if (fences)
        run_fences(s);
    for (unsigned i = 0; translates && i < TLBS; i++)
        tlb_tick(&s->tlb[i], &s->m->l2_tlb, s->now);
    if (lsu_is_due(&s->lsu, s->now))
        run_lsu(s);
}

/* Refills the issue registers of warps that were ready when the cycle began.  Pairs
 * that are fetched in this cycle come later, so all pairs in the buffers can be seen. */
static void
refill_ibuffer(struct sm *s)
{
    uint64_t warps = issue_refills(&s->issue) & ibuffer_queued(&s->ibuffer);
    if (warps)
        ibuffer_refill(&s->ibuffer, warps);
}

/* Code that cannot be fetched is issued as any other: it faults then. */
static void
push_pair(struct sm *s, const struct fetch_request *r)
{
    static const struct model_op none[2];
    const struct model_op *op = decoder_at(&s->decoder, r->pc);
    unsigned left = ibuffer_push(&s->ibuffer, r->warp, op ? op : none, r->mask);
    if (events_are_on(&s->events))
        events_emit(
            &s->events, s->now,
            (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_FETCHED,
                                         .warp = r->warp,
                                         .pc = r->pc,
                                         .number = left });
}

static void
run_fetch(struct sm *s)
{
    if (!fetch_is_busy(&s->fetch) && !icache_was_filled(&s->icache, s->now))
        return;
    struct fetch_request pair;
    if (fetch_tick(&s->fetch, s->now, &pair))
        push_pair(s, &pair);
    s->is_pending |= fetch_has_missed(&s->fetch);
}

static void
flush_warp(struct sm *s, unsigned warp)
{
    fetch_flush(&s->fetch, warp);
    ibuffer_flush(&s->ibuffer, warp);
    if (events_are_on(&s->events))
        events_emit(&s->events, s->now,
                    (struct ventus_model_event){
                        .kind = VENTUS_MODEL_EVENT_FLUSHED, .warp = warp });
}

/* The LSU's result that is due comes to write-back, if its place is free. */
static void
offer_access(struct sm *s)
{
    struct result r;
    if (!units_lsu_is_full(&s->units) && lsu_offers(&s->lsu, &r))
        units_lsu_result(&s->units, s->now, &r);
}

/* Results that are written in this cycle. */
static void
run_writeback(struct sm *s)
{
    const struct result *written[UNITS_WRITE];
    unsigned n = units_writeback(&s->units, s->now, written);
    for (unsigned i = 0; i < n; i++) {
        const struct result *r = written[i];
        scoreboard_clear(&s->scoreboard, r->warp, r->op);
        if (events_are_on(&s->events) && !r->told && !r->again)
            events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_DONE,
                               r->warp, r->op, r->id);
    }
}

static void
resolve_branch(struct sm *s, const struct branch *b)
{
    if (b->jump && !b->none) {
        flush_warp(s, b->warp);
        fetch_jump(&s->fetch, b->warp, b->target);
    }
    scoreboard_resolved(&s->scoreboard, b->warp);
    if (events_are_on(&s->events))
        events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_DONE, b->warp,
                           NULL, b->id);
}

static void
run_branches(struct sm *s)
{
    bool blocked = fetch_is_blocked(&s->fetch);
    struct units_resolved r = units_branches(&s->units, s->now, blocked);
    if (r.resolved)
        resolve_branch(s, &r.branch);
    if (r.none)
        resolve_branch(s, &r.no_branch);
    s->branched = r.resolved;
}

static void
end_warp(struct sm *s, unsigned warp)
{
    if (events_are_on(&s->events))
        events_emit(&s->events, s->now,
                    (struct ventus_model_event){
                        .kind = VENTUS_MODEL_EVENT_WARP_END, .warp = warp });
    s->failed |= !workgroup_warp_ended(&s->workgroup, warp, s->now);
}

/* Barriers and ends go to the warp scheduler, after the branches of the cycle. */
static bool
take_warp_control(struct sm *s, const struct inflight *f)
{
    if (s->branched || fetch_is_blocked(&s->fetch))
        return false;
    s->is_pending = true;
    scoreboard_resolved(&s->scoreboard, f->warp);
    if (f->op->ends) {
        flush_warp(s, f->warp);
        end_warp(s, f->warp);
    } else {
        s->failed |= !workgroup_barrier(&s->workgroup, f->warp, f->op);
    }
    return true;
}

/* The lock of a fence goes when its warp has no access under way. */
static bool
take_access(struct sm *s, struct inflight *f)
{
    if (rcc_blocks(&s->rcc))
        return false;
    s->is_pending = true;
    if (!f->op->fence) {
        if (!lsu_can_send(&s->lsu, s->now, f->warp))
            return false;
        lsu_send(&s->lsu, s->now, f);
    }
    rcc_arrived(&s->rcc, f->warp);
    return true;
}

/* Branches that the SIMT stack resolves in this cycle come after the others. */
static bool
take_simt(struct sm *s, const struct inflight *f)
{
    if (!units_take(&s->units, s->now, f))
        return false;
    if (units_branches_flow(&s->units) && !s->branched)
        run_branches(s);
    return true;
}

static bool
unit_take(struct sm *s, struct inflight *f)
{
    return f->op->kind == UNIT_LSU       ? take_access(s, f)
           : f->op->kind == UNIT_CONTROL ? take_warp_control(s, f)
           : f->op->kind == UNIT_SIMT    ? take_simt(s, f)
                                         : units_take(&s->units, s->now, f);
}

/* An instruction that has its operands goes to its unit, if that takes it. */
static void
start_instruction(struct sm *s, unsigned port)
{
    struct inflight *f = collect_front(&s->collect, port);
    if (!f || !unit_take(s, f))
        return;
    collect_pop(&s->collect, port);
    scoreboard_collected(&s->scoreboard, f->warp);
    if (events_are_on(&s->events))
        events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_STARTED,
                           f->warp, f->op, f->id);
    if (!f->kept)
        inflight_free(&s->inflight, f);
}

static void
tick_collect(struct sm *s)
{
    if (collect_next_event(&s->collect, s->now) > s->now + 1)
        return;
    collect_tick(&s->collect, s->now);
}

static void
run_collect(struct sm *s)
{
    for (unsigned port = 0;
         collect_has_complete(&s->collect) && port < s->ports; port++)
        start_instruction(s, port);
    if (!collect_is_direct(&s->collect))
        tick_collect(s);
}

/* Parts that have nothing to do are left out. */
static void
run_pipeline(struct sm *s)
{
    fetch_begin(&s->fetch, issue_active(&s->issue), ibuffer_full(&s->ibuffer));
    s->branched = false;
    if (s->is_pending && lsu_may_offer(&s->lsu))
        offer_access(s);
    if (units_are_due(&s->units, s->now))
        run_writeback(s);
    if (units_have_branches(&s->units))
        run_branches(s);
    if (collect_is_busy(&s->collect))
        run_collect(s);
    if (issue_candidates(&s->issue))
        issue_tick(&s->issue, s->now);
    if (collect_is_direct(&s->collect))
        tick_collect(s);
    refill_ibuffer(s);
    if (s->is_pending && icache_next_event(&s->icache) <= s->now)
        icache_tick(&s->icache, s->now);
    run_fetch(s);
}

static void
run_parts(struct sm *s)
{
    units_begin(&s->units);
    if (s->checked || pipeline_is_due(s)) {
        if (!s->checked)
            issue_begin(&s->issue, s->now);
        s->pipeline_wake = s->now;
        run_pipeline(s);
    }
    if (s->is_pending)
        run_memory(s);
    if (workgroup_has_arriving(&s->workgroup))
        s->failed |= !workgroup_tick(&s->workgroup);
}

bool
advance_calls(const struct sm *s)
{
    return icache_has_unsent(&s->icache) || dcache_l2_peek(&s->dcache) ||
           sm_asks_tables(s) || cta_awaits(&s->m->cta, s->id) ||
           (workgroup_drains(&s->workgroup) &&
            workgroup_next_drain(&s->workgroup) != UINT64_MAX);
}

/*
 * While warps only compute nothing of this has anything to do, and one test says
 * so: whatever begins here sets s->is_pending.
 */
static bool
has_pending(const struct sm *s)
{
    return !lsu_is_idle(&s->lsu, s->now) || s->calls || sm_translates(s) ||
           !workgroup_runs(&s->workgroup) ||
           icache_next_event(&s->icache) != UINT64_MAX ||
           !dcache_is_idle(&s->dcache) ||
           rcc_next_event(&s->rcc, s->now) != UINT64_MAX;
}

/* Has the SM, after its last workgroup, finished the flushes, stores and accesses that
 * its warps left under way? */
SELDOM static bool
is_drained(const struct sm *s)
{
    return workgroup_drains(&s->workgroup) && s->m->config.flush_behind &&
           !visible_awaits_l2(s) && !dcache_awaits_bus(&s->dcache);
}

/* Decides which parts of the SM sleep: the pipeline, or all. */
static void
find_sleep(struct sm *s)
{
    bool none = workgroup_is_none(&s->workgroup);
    s->pipeline_wake = none ? UINT64_MAX : next_pipeline(s);
    s->wake = s->pipeline_wake;
    if (!none && s->is_pending && s->wake > s->now + 1)
        s->wake = earlier(s->wake, next_memory(s));
    if (issue_has_moved(&s->issue)) /* causes of stalls are others then */
        s->wake = s->pipeline_wake = s->now + 1;
    if (s->wake == UINT64_MAX && is_drained(s))
        workgroup_leave(&s->workgroup);
}

/* Finds the next cycle in which something changes, in the pipeline and in the SM. */
static inline void
find_wake(struct sm *s)
{
    uint64_t next = s->now + 1;
    s->wake = s->failed ? s->now : next;
    if (s->failed ||
        (!workgroup_is_none(&s->workgroup) && pipeline_goes_on(s))) {
        s->pipeline_wake = s->wake;
        return;
    }
    find_sleep(s);
    /* A trace has each cycle: none is skipped. */
    if (events_are_on(&s->events))
        s->wake = next;
}

static void
end_cycle(struct sm *s)
{
    find_wake(s);
    stats_count(s, 1);
    s->calls = false;
    if (s->is_pending) {
        s->calls = advance_calls(s);
        s->is_pending = has_pending(s);
    }
    s->now++;
    if (s->m->runs_ahead)
        visible_update(s);
}

void
advance_sm(struct sm *s)
{
    debug_assert((s->m->runs_ahead || s->now == s->m->now) &&
                 "on one thread SM and machine have one clock");
    if (!workgroup_is_none(&s->workgroup))
        run_parts(s);
    s->checked = false;
    end_cycle(s);
}

bool
advance_alone(struct sm *s)
{
    s->checked = pipeline_is_due(s);
    if (s->checked)
        issue_begin(&s->issue, s->now);
    if (s->checked && issue_has_shared(&s->issue))
        return false;
    advance_sm(s);
    return true;
}
