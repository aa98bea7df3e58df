/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the parts in a cycle.  An SM in which nothing changed in a cycle
 * stays as it is until a time comes that is written down somewhere in it, or
 * until it is changed from outside: it sleeps, and the cycles are counted when
 * it wakes.  When all SMs sleep, the machine goes on at the next such time.
 */
#include "model/machine.h"

static void
earliest(uint64_t *first, uint64_t at, uint64_t now)
{
    if (at > now && at < *first)
        *first = at;
}

static void
earliest_of(uint64_t *first, const struct fifo *f, uint64_t now)
{
    if (f->n)
        earliest(first, f->at[f->head], now);
}

/* The next time that is written down in an SM, behind this cycle. */
static uint64_t
next_time(const struct sm *s)
{
    const struct units *u = &s->units;
    uint64_t first = UINT64_MAX, now = s->now;
    for (unsigned full = u->full; full; full &= full - 1)
        earliest_of(&first, &u->out[lowest(full)], now);
    earliest_of(&first, &u->scalar_branch, now);
    earliest_of(&first, &u->vector_branch, now);
    earliest_of(&first, &u->simt, now);
    earliest_of(&first, &s->lsu.in, now);
    earliest_of(&first, &s->icache.response, now);
    earliest_of(&first, &s->dcache.out, now);
    for (uint64_t left = s->starting; left; left &= left - 1)
        earliest(&first, s->warp[lowest(left)].start_at, now);
    if (!s->collect.out)
        return first;
    for (unsigned q = 0; q < QUEUES; q++)
        earliest(&first, u->free[q], now);
    earliest(&first, u->sfu_free, now);
    return first;
}

/* Has the LSU, or what answers it, nothing to do? */
static bool
lsu_rests(const struct sm *s)
{
    return s->lsu.addr == ADDR_IDLE && !s->lsu.in.n && lsu_is_waiting(s);
}

/* Memory, as an SM has it. */
static void
run_memory(struct sm *s)
{
    if (s->dcache.busy)
        dcache_cycle(s);
    else
        s->stats.mshr_full += s->dcache.in.n != 0;
    bool translates = tlb_is_busy(s);
    s->acts |= s->rcc.arrived || translates;
    if (s->rcc.arrived)
        rcc_cycle(s);
    if (translates)
        tlb_cycle(s);
    if (!lsu_rests(s))
        lsu_cycle(s);
}

/* Parts that have nothing to do are left out. */
static void
run_parts(struct sm *s)
{
    fetch_begin(s);
    if (s->stirs && s->lsu.reply == REPLY_OUT)
        lsu_offer(s);
    s->units.x_free = s->units.v_free = true;
    if (s->units.due <= s->now)
        units_writeback(s);
    if (s->units.branches)
        units_branches(s);
    if (s->collect.used)
        collect_cycle(s);
    if (s->candidates)
        issue_cycle(s);
    if (s->refills & s->queued)
        ibuffer_cycle(s);
    if (s->stirs && s->icache.response.n)
        icache_cycle(s);
    fetch_cycle(s);
    if (s->stirs)
        run_memory(s);
    if (s->arriving)
        cta_arrivals(s);
}

/* The CTA scheduler has a part in it; not while dirty lines are written. */
static bool
drains_now(const struct sm *s)
{
    return s->state == SM_DRAINS &&
           (s->dcache.flush == FLUSH_NO || s->dcache.flush == FLUSH_DONE);
}

/* Is there something that only the shared parts can take on? */
static bool
find_calls(const struct sm *s)
{
    return s->icache.unsent || s->dcache.next_leaves || drains_now(s) ||
           tlb_is_busy(s) || s->freed;
}

/*
 * While warps only compute nothing of this has anything to do, and one test says
 * so: whatever begins here sets s->stirs.
 */
static bool
is_stirring(const struct sm *s)
{
    return s->calls || s->state != SM_RUNS || s->icache.response.n ||
           s->dcache.busy || s->dcache.in.n || s->dcache.out.n ||
           s->rcc.arrived || !lsu_rests(s);
}

static void
finish(struct sm *s)
{
    stats_count(s, 1);
    s->wake = s->failed              ? s->now
              : s->acts              ? s->now + 1
              : s->state == SM_EMPTY ? UINT64_MAX
                                     : next_time(s);
    s->calls = s->stirs && find_calls(s);
    s->stirs = s->stirs && is_stirring(s);
    s->now++;
    if (s->m->ahead.on)
        ahead_look(s);
}

void
advance_sm(struct sm *s)
{
    s->acts = s->checked;
    if (s->state != SM_EMPTY) {
        if (!s->checked)
            issue_check(s);
        run_parts(s);
    }
    s->checked = false;
    finish(s);
}

bool
advance_alone(struct sm *s)
{
    s->acts = false;
    issue_check(s);
    s->checked = s->candidates & s->shared_heads;
    if (s->checked)
        return false;
    run_parts(s);
    finish(s);
    return true;
}

void
advance_to(struct sm *s, uint64_t cycle)
{
    if (s->now >= cycle)
        return;
    s->stats.mshr_full += s->dcache.in.n ? cycle - s->now : 0;
    stats_count(s, cycle - s->now);
    s->now = cycle;
}

void
advance_wake(struct sm *s)
{
    advance_to(s, s->m->now + 1);
    s->wake = s->now;
}

/* When a shared part can do something again, if no SM asks. */
static uint64_t
next_shared(const struct model *m)
{
    const uint64_t next[] = { bus_next(m), l2_next(m), memory_next(m),
                              cta_next(m) };
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < sizeof next / sizeof *next; i++)
        first = next[i] < first ? next[i] : first;
    return first < m->now ? m->now : first;
}

/* When anything can change again. */
static uint64_t
next_cycle(const struct model *m)
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < m->sms; i++)
        first = m->sm[i].wake < first ? m->sm[i].wake : first;
    if (first <= m->now)
        return m->now;
    const uint64_t others[] = { next_shared(m),
                                m->last_issue + m->config.deadlock };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        first = others[i] < first ? others[i] : first;
    return first < m->now ? m->now : first;
}

static void
cycle_sm(struct model *m, unsigned i)
{
    struct sm *s = &m->sm[i];
    if (s->wake > m->now)
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
calls_now(const struct model *m, unsigned i)
{
    return !is_away(m, i) && m->sm[i].calls && m->sm[i].now <= m->now + 1;
}

/* What SMs ask of the others, and what those do without being asked. */
static void
cycle_shared(struct model *m)
{
    l2_cycle(m);
    bus_cycle(m);
    for (unsigned i = 0; i < m->sms; i++)
        if (calls_now(m, i) && m->sm[i].dcache.next_leaves)
            dcache_advance(&m->sm[i]);
    cta_cycle(m);
    for (unsigned i = 0; i < m->sms; i++)
        if (calls_now(m, i))
            m->sm[i].calls = find_calls(&m->sm[i]);
    bool busy = m->memory.n || !(l2_is_idle(&m->l2) || m->l2.flushing);
    uint64_t cta = cta_next(m), l2 = busy ? 0 : l2_next(m);
    m->rests_until = cta < l2 ? cta : l2;
}

static bool
is_called(const struct model *m)
{
    bool calls = m->leaving;
    for (unsigned i = 0; i < m->sms; i++)
        calls |= calls_now(m, i);
    return calls;
}

/* Notes, too, whether an SM has something for the shared parts, or goes on. */
static void
cycle(struct model *m)
{
    bool calls = m->leaving, goes = false;
    if (m->memory.n)
        memory_cycle(m);
    for (unsigned i = 0; i < m->sms && !m->failed; i++) {
        cycle_sm(m, i);
        calls |= m->sm[i].calls;
        goes |= m->sm[i].wake <= m->now + 1;
    }
    if (m->rests_until <= m->now || calls)
        cycle_shared(m);
    m->goes = goes;
    m->now++;
}

static void
go_to(struct model *m, uint64_t cycle)
{
    m->stats.memory_busy += m->memory.n ? cycle - m->now : 0;
    m->now = cycle;
}

void
advance_shared(struct model *m, uint64_t limit)
{
    uint64_t next = is_called(m) ? m->now : next_shared(m);
    if (next > m->now) {
        go_to(m, next < limit ? next : limit);
    } else {
        if (m->memory.n)
            memory_cycle(m);
        cycle_shared(m);
        m->now++;
    }
    m->bus_room = fifo_has_room(&m->l2.in, m->now);
}

void
advance_check(struct model *m)
{
    if (m->now <= m->last_issue + m->config.deadlock)
        return;
    for (unsigned i = 0; i < m->sms; i++)
        if (m->sm[i].last_issue > m->last_issue)
            m->last_issue = m->sm[i].last_issue;
    if (m->now > m->last_issue + m->config.deadlock)
        report_deadlock(m);
    else
        spin_check(m);
}

void
advance(struct model *m)
{
    uint64_t next = m->goes ? m->now : next_cycle(m);
    if (next > m->now)
        go_to(m, next);
    m->bus_room = fifo_has_room(&m->l2.in, m->now);
    cycle(m);
    advance_check(m);
}

void
advance_end(struct model *m)
{
    for (unsigned i = 0; i < m->sms; i++) {
        advance_to(&m->sm[i], m->now);
        stats_end(&m->sm[i]);
        stats_add_model(&m->sm[i].stats, &m->l2_stats[i]);
    }
}
