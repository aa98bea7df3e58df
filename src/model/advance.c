/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the parts in a cycle.  An SM in which nothing changed in a cycle
 * stays as it is until a time comes that is written down somewhere in it, or
 * until it is changed from outside: it sleeps, and the cycles are counted when
 * it wakes.  When all SMs sleep, the machine goes on at the next such time.
 */
#include <assert.h>

#include "model/machine.h"

static void
earliest(uint64_t *first, uint64_t at, uint64_t now)
{
    if (at > now && at < *first)
        *first = at;
}

/* The next time that is written down in an SM, behind this cycle. */
static uint64_t
next_time(const struct sm *s)
{
    uint64_t first = UINT64_MAX, now = s->now;
    bool waits = collect_has_complete(&s->collect);
    earliest(&first, units_next_event(&s->units, now, waits), now);
    earliest(&first, lsu_next_event(&s->lsu, now), now);
    earliest(&first, icache_next_event(&s->icache), now);
    earliest(&first, dcache_next_event(&s->dcache), now);
    for (uint64_t left = s->starting; left; left &= left - 1)
        earliest(&first, s->warp[lowest(left)].start_at, now);
    return first;
}

/* May its L1D give the bus a request in this cycle?  Its own L1I goes first. */
static bool
bus_is_ready(const struct sm *s)
{
    const struct bus *b = &s->m->bus;
    uint64_t line;
    bool open =
        s->m->lookahead.on ? s->bus_open : bus_is_open(b, s->id, s->m->now);
    return open && !icache_asks(&s->icache, s->m->now, &line);
}

/* Is the bus open for the request that its L1D waits with? */
static bool
bus_opens(const struct sm *s)
{
    return dcache_awaits_bus(&s->dcache) && bus_is_ready(s);
}

static void
run_dcache(struct sm *s)
{
    struct dcache *d = &s->dcache;
    if (!dcache_is_busy(d) && !bus_opens(s)) {
        dcache_skip(d, 1);
        return;
    }
    struct dcache_wires wires = {
        .bus_open = dcache_needs_bus(d, s->now) && bus_is_ready(s),
        .bus_polled = !s->m->lookahead.on,
        .lsu_empty = dcache_waits_for_lsu(d) && lsu_is_empty(&s->lsu),
    };
    dcache_tick(d, s->now, &wires);
    s->is_active = true;
}

static void
run_lsu(struct sm *s)
{
    const struct units *u = &s->units;
    s->is_active |= lsu_next_event(&s->lsu, s->now - 1) == s->now;
    lsu_tick(&s->lsu, s->now,
             &(struct lsu_wires){ .x_free = units_lsu_is_free(u, false),
                                  .v_free = units_lsu_is_free(u, true),
                                  .full = units_lsu_is_full(u) });
    if (!lsu_is_offering(&s->lsu) && units_lsu_is_full(u))
        units_lsu_withdraw(&s->units);
}

/* Memory, as an SM has it. */
static void
run_memory(struct sm *s)
{
    run_dcache(s);
    bool translates = sm_translates(s);
    bool fences = fence_next_event(&s->rcc.fence, s->now) <= s->now;
    s->is_active |= fences || translates;
    if (fences)
        rcc_cycle(s);
    for (unsigned i = 0; translates && i < TLBS; i++)
        tlb_tick(&s->tlb[i], &s->m->l2_tlb, s->now);
    if (lsu_is_due(&s->lsu, s->now))
        run_lsu(s);
}

/* The registers behind the buffers, of warps that were ready when the cycle
 * began.  What is fetched in this cycle comes behind: all pairs can be seen. */
static void
refill(struct sm *s)
{
    uint64_t warps = s->refills & ibuffer_queued(&s->ibuffer);
    s->is_active |= warps != 0;
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
    s->is_active |= fetch_is_busy(&s->fetch);
    struct fetch_request pair;
    if (fetch_tick(&s->fetch, s->now, &pair))
        push_pair(s, &pair);
    s->is_pending |= fetch_has_missed(&s->fetch);
}

static void
flush(struct sm *s, unsigned warp)
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
    s->is_active |= n != 0;
    for (unsigned i = 0; i < n; i++) {
        const struct result *r = written[i];
        scoreboard_clear(&s->scoreboard, r->warp, r->op);
        if (events_are_on(&s->events) && !r->told && !r->again)
            events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_DONE,
                               r->warp, r->op, r->id);
    }
}

static void
resolve(struct sm *s, const struct branch *b)
{
    if (b->jump && !b->none) {
        flush(s, b->warp);
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
        resolve(s, &r.branch);
    if (r.none)
        resolve(s, &r.no_branch);
    s->branched = r.resolved;
    s->is_active |= r.moved;
}

/* Barrier and end go to the warp scheduler, behind branches. */
static bool
take_warp_control(struct sm *s, const struct inflight *f)
{
    if (s->branched || fetch_is_blocked(&s->fetch))
        return false;
    scoreboard_resolved(&s->scoreboard, f->warp);
    if (f->op->ends) {
        flush(s, f->warp);
        workgroup_warp_ended(s, f->warp);
    } else {
        workgroup_barrier(s, f->warp, f->op);
    }
    return true;
}

/* The lock of a fence goes when its warp has no access under way. */
static bool
take_access(struct sm *s, struct inflight *f)
{
    if (rcc_blocks(s))
        return false;
    s->is_pending = true;
    if (!f->op->fence) {
        if (!lsu_has_room(&s->lsu, s->now, f->warp))
            return false;
        lsu_take(&s->lsu, s->now, f);
    }
    rcc_arrived(s, f->warp);
    return true;
}

/* What the SIMT stack knows at once comes behind the branches of the cycle. */
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
take(struct sm *s, struct inflight *f)
{
    return f->op->kind == UNIT_LSU       ? take_access(s, f)
           : f->op->kind == UNIT_CONTROL ? take_warp_control(s, f)
           : f->op->kind == UNIT_SIMT    ? take_simt(s, f)
                                         : units_take(&s->units, s->now, f);
}

/* An instruction that has its operands goes to its unit, if that takes it. */
static void
start(struct sm *s, unsigned port)
{
    struct inflight *f = collect_front(&s->collect, port);
    if (!f || !take(s, f))
        return;
    s->is_active = true;
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
    s->is_active = true;
    collect_tick(&s->collect, s->now);
}

static void
run_collect(struct sm *s)
{
    for (unsigned port = 0;
         collect_has_complete(&s->collect) && port < s->ports; port++)
        start(s, port);
    if (!collect_is_direct(&s->collect))
        tick_collect(s);
}

/* Parts that have nothing to do are left out. */
static void
run_parts(struct sm *s)
{
    fetch_begin(&s->fetch, s->active, ibuffer_full(&s->ibuffer));
    s->branched = false;
    units_begin(&s->units);
    if (s->is_pending)
        offer_access(s);
    if (units_are_due(&s->units, s->now))
        run_writeback(s);
    if (units_have_branches(&s->units))
        run_branches(s);
    if (collect_is_busy(&s->collect))
        run_collect(s);
    if (s->candidates)
        issue_cycle(s);
    if (collect_is_direct(&s->collect))
        tick_collect(s);
    refill(s);
    if (s->is_pending && icache_next_event(&s->icache) <= s->now)
        s->is_active |= icache_tick(&s->icache, s->now);
    run_fetch(s);
    if (s->is_pending)
        run_memory(s);
    if (s->arriving)
        workgroup_arrivals(s);
}

/* Is there something that only the uncore can take on? */
static bool
find_calls(const struct sm *s)
{
    return icache_has_unsent(&s->icache) || dcache_leaves(&s->dcache) ||
           workgroup_next_drain(s) != UINT64_MAX || sm_translates(s) ||
           cta_awaits(&s->m->cta, s->id);
}

/*
 * While warps only compute nothing of this has anything to do, and one test says
 * so: whatever begins here sets s->is_pending.
 */
static bool
has_pending(const struct sm *s)
{
    return s->calls || s->state != SM_RUNS ||
           icache_next_event(&s->icache) != UINT64_MAX ||
           !dcache_is_idle(&s->dcache) ||
           fence_next_event(&s->rcc.fence, s->now) != UINT64_MAX ||
           !lsu_is_idle(&s->lsu, s->now);
}

/* Behind its last workgroup: flushes, stores, what its warps left under way. */
static bool
is_drained(const struct sm *s)
{
    return s->state == SM_DRAINS && s->m->config.flush_behind &&
           !s->is_active && next_time(s) == UINT64_MAX &&
           !lookahead_awaits_l2(s) && !dcache_awaits_bus(&s->dcache) &&
           !sm_translates(s);
}

static void
end_cycle(struct sm *s)
{
    if (is_drained(s))
        s->state = SM_EMPTY;
    stats_count(s, 1);
    s->wake = s->failed              ? s->now
              : s->is_active         ? s->now + 1
              : s->state == SM_EMPTY ? UINT64_MAX
                                     : next_time(s);
    s->calls = s->is_pending && find_calls(s);
    s->is_pending = s->is_pending && has_pending(s);
    s->now++;
    if (s->m->lookahead.on)
        lookahead_update(s);
}

void
advance_sm(struct sm *s)
{
    debug_assert(s->now == s->m->now || s->m->lookahead.on);
    s->is_active = s->checked;
    if (s->state != SM_EMPTY) {
        if (!s->checked)
            issue_check(s);
        run_parts(s);
    }
    s->checked = false;
    end_cycle(s);
}

bool
advance_alone(struct sm *s)
{
    s->is_active = false;
    issue_check(s);
    s->checked = s->candidates & s->shared_heads;
    if (s->checked)
        return false;
    run_parts(s);
    end_cycle(s);
    return true;
}

void
advance_to(struct sm *s, uint64_t cycle)
{
    if (s->now >= cycle)
        return;
    dcache_skip(&s->dcache, cycle - s->now);
    stats_count(s, cycle - s->now);
    s->now = cycle;
}

void
advance_wake(struct sm *s)
{
    advance_to(s, s->m->now + 1);
    s->wake = s->now;
    assert(s->now == s->m->now + 1);
}

void
advance_call(struct sm *s, uint64_t at)
{
    if (s->wake > at)
        s->wake = at;
    s->is_pending = true;
}

uint64_t
advance_next_group(const struct ventus_model *m)
{
    uint64_t first = cta_next_event(&m->cta);
    for (unsigned i = 0; i < m->sms; i++) {
        bool known = !is_away(m, i) && m->sm[i].calls;
        uint64_t at = known ? workgroup_next_drain(&m->sm[i]) : UINT64_MAX;
        first = at < first ? at : first;
    }
    return first;
}

/* When a shared part can do something again, if no SM asks. */
static uint64_t
next_uncore(const struct ventus_model *m)
{
    const uint64_t next[] = { bus_next_event(&m->bus), l2_next_event(&m->l2),
                              memory_next_event(&m->memory, m->now),
                              advance_next_group(m) };
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < sizeof next / sizeof *next; i++)
        first = next[i] < first ? next[i] : first;
    return first < m->now ? m->now : first;
}

/* When anything can change again. */
static uint64_t
next_cycle(const struct ventus_model *m)
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < m->sms; i++)
        first = m->sm[i].wake < first ? m->sm[i].wake : first;
    if (first <= m->now)
        return m->now;
    const uint64_t others[] = { next_uncore(m),
                                m->last_issue + m->config.deadlock };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        first = others[i] < first ? others[i] : first;
    return first < m->now ? m->now : first;
}

static void
cycle_sm(struct ventus_model *m, unsigned i)
{
    struct sm *s = &m->sm[i];
    if (s->wake > m->now && !bus_opens(s))
        return;
    advance_to(s, m->now);
    advance_sm(s);
    if (!s->failed)
        return;
    *m->fault = *step_fault(s->stepper);
    m->failed = true;
}

/* Not what one will say that is ahead. */
static bool
calls_now(const struct ventus_model *m, unsigned i)
{
    return !is_away(m, i) && m->sm[i].calls && m->sm[i].now <= m->now + 1;
}

/* An answer of memory: the L2 knows of it two cycles later. */
static void
tick_memory(struct ventus_model *m)
{
    struct memory_request answer;
    if (memory_busy(&m->memory) && memory_tick(&m->memory, m->now, &answer) &&
        !answer.write)
        l2_fill(&m->l2, answer.mshr, m->now);
}

/* After the bus has taken what was in the register before it. */
static void
put_on_bus(struct ventus_model *m, unsigned sm)
{
    struct mem_request r = dcache_take_leaving(&m->sm[sm].dcache);
    bus_put(&m->bus, sm, &r, m->now);
}

/* Ends of SMs that are not ahead, and the scheduler, if it has something to do. */
static void
tick_cta(struct ventus_model *m)
{
    bool ends = false;
    for (unsigned i = 0; i < m->sms; i++) {
        if (is_away(m, i) || !m->sm[i].calls)
            continue;
        workgroup_drain(&m->sm[i]);
        ends |= cta_awaits(&m->cta, i);
    }
    if (ends || cta_next_event(&m->cta) <= m->now)
        cta_tick(&m->cta, m->now);
}

/* What SMs ask of the others, and what those do without being asked. */
static void
cycle_uncore(struct ventus_model *m)
{
    bus_begin(&m->bus, m->now);
    l2_tick(&m->l2, m->now);
    bus_tick(&m->bus, m->now);
    for (unsigned i = 0; i < m->sms; i++)
        if (calls_now(m, i) && dcache_leaves(&m->sm[i].dcache))
            put_on_bus(m, i);
    tick_cta(m);
    for (unsigned i = 0; i < m->sms; i++)
        if (calls_now(m, i))
            m->sm[i].calls = find_calls(&m->sm[i]);
    bool busy = memory_busy(&m->memory) ||
                !(l2_is_idle(&m->l2) || l2_is_flushing(&m->l2));
    uint64_t cta = advance_next_group(m), l2 = busy ? 0 : l2_next_event(&m->l2);
    m->rests_until = cta < l2 ? cta : l2;
}

static bool
is_called(const struct ventus_model *m)
{
    bool calls = bus_is_busy(&m->bus);
    for (unsigned i = 0; i < m->sms; i++)
        calls |= calls_now(m, i);
    return calls;
}

/* Notes, too, whether an SM has something for the uncore, or goes on. */
static void
cycle(struct ventus_model *m)
{
    bool calls = bus_is_busy(&m->bus), goes = false;
    tick_memory(m);
    for (unsigned i = 0; i < m->sms && !m->failed; i++) {
        cycle_sm(m, i);
        calls |= m->sm[i].calls;
        goes |=
            m->sm[i].wake <= m->now + 1 || dcache_awaits_bus(&m->sm[i].dcache);
    }
    if (m->rests_until <= m->now || calls)
        cycle_uncore(m);
    m->runs = goes;
    m->now++;
}

static void
go_to(struct ventus_model *m, uint64_t cycle)
{
    assert(cycle > m->now);
    memory_skip(&m->memory, cycle - m->now);
    m->now = cycle;
}

/* ---- the machine ---- */

void
advance_uncore(struct ventus_model *m, uint64_t limit)
{
    assert(m->now < limit);
    uint64_t next = is_called(m) ? m->now : next_uncore(m);
    if (next > m->now) {
        go_to(m, next < limit ? next : limit);
    } else {
        tick_memory(m);
        cycle_uncore(m);
        m->now++;
    }
    bus_begin(&m->bus, m->now);
}

void
advance_check(struct ventus_model *m)
{
    if (m->now <= m->last_issue + m->config.deadlock)
        return;
    for (unsigned i = 0; i < m->sms; i++)
        if (m->sm[i].last_issue > m->last_issue)
            m->last_issue = m->sm[i].last_issue;
    /* A walk of the L2 ends, and each workgroup asks for few. */
    if (l2_is_flushing(&m->l2) && m->config.flush_behind)
        m->last_issue = m->now;
    else if (m->now > m->last_issue + m->config.deadlock)
        report_deadlock(m);
    else
        livelock_check(m);
}

void
advance(struct ventus_model *m)
{
    uint64_t next = m->runs ? m->now : next_cycle(m);
    if (next > m->now)
        go_to(m, next);
    bus_begin(&m->bus, m->now);
    cycle(m);
    advance_check(m);
}

void
advance_end(struct ventus_model *m)
{
    for (unsigned i = 0; i < m->sms; i++) {
        advance_to(&m->sm[i], m->now);
        stats_end(&m->sm[i]);
        stats_add_model(&m->sm[i].stats, &m->l2_stats[i]);
    }
}
