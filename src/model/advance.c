/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in a cycle of the machine: memory, SMs, uncore.  When all SMs sleep
 * (advance_sm.c), the machine continues in the cycle of the next event.
 */
#include "model/advance.h"

#include <assert.h>

#include "model/advance_sm.h"
#include "model/check.h"
#include "model/livelock.h"
#include "model/machine.h"
#include "model/sleep.h"
#include "model/stats.h"

uint64_t
advance_next_group(const struct ventus_model *m)
{
    uint64_t first = cta_next_event(&m->cta);
    for (unsigned i = 0; i < m->sms; i++) {
        bool known = !is_away(m, i) && m->sm[i].calls;
        uint64_t at =
            known ? workgroup_next_drain(&m->sm[i].workgroup) : UINT64_MAX;
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

/* Does a fetch or a walk of an SM wait for the bus, which has room for it now? */
static bool
bus_is_wanted(const struct ventus_model *m)
{
    bool wanted = false;
    for (unsigned i = 0; i < m->sms && !wanted; i++)
        wanted = m->sm[i].calls && (icache_has_unsent(&m->sm[i].icache) ||
                                    sm_asks_tables(&m->sm[i]));
    return wanted && !l2_is_full(&m->l2);
}

/* When anything can change again. */
static uint64_t
next_cycle(const struct ventus_model *m)
{
    uint64_t first = bus_is_wanted(m) ? m->now : UINT64_MAX;
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
cycle_sm(struct ventus_model *m, struct sm *s)
{
    bool awaits_bus = dcache_awaits_bus(&s->dcache);
    if (s->wake > m->now && !(awaits_bus && advance_bus_opens(s)))
        return;
    if (s->now < m->now)
        sleep_skip_to(s, m->now);
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
    if (!memory_busy(&m->memory))
        return;
    memory_tick(&m->memory, m->now);
    if (!memory_peek(&m->memory))
        return;
    const struct memory_request r = memory_take(&m->memory);
    if (!r.write)
        l2_memory_send(&m->l2, m->now, &r);
}

/* Ends of SMs that are not ahead, and the scheduler, if it has something to do. */
static void
tick_cta(struct ventus_model *m)
{
    bool ends = false;
    for (unsigned i = 0; i < m->sms; i++) {
        if (is_away(m, i) || !m->sm[i].calls)
            continue;
        workgroup_drain(&m->sm[i].workgroup, m->now);
        ends |= cta_awaits(&m->cta, i);
    }
    if (ends || cta_next_event(&m->cta) <= m->now)
        cta_tick(&m->cta, m->now);
}

/* When a register before the bus, or a parked SM, asks for the uncore: an SM that is
 * ahead asks in the last cycle that it did. */
static uint64_t
next_call(const struct ventus_model *m)
{
    uint64_t first = bus_is_due(&m->bus) ? m->now : UINT64_MAX;
    for (unsigned i = 0; i < m->sms; i++) {
        const struct sm *s = &m->sm[i];
        bool runs = m->runs_ahead && !pdes_is_parked(&m->pdes, i);
        if (!runs && s->calls && s->now - 1 < first)
            first = s->now - 1;
    }
    return first < m->now ? m->now : first;
}

/* The uncore's cycle: interconnect, L2 and CTA scheduler serve what SMs ask for, and
 * do what they have to do unasked. */
static void
cycle_uncore(struct ventus_model *m)
{
    bus_begin(&m->bus, m->now);
    l2_tick(&m->l2, m->now);
    if (next_call(m) <= m->now)
        bus_tick(&m->bus, m->now);
    /* The interconnect has taken what was in the registers before it. */
    for (unsigned i = 0; i < m->sms; i++)
        if (calls_now(m, i) && dcache_l2_peek(&m->sm[i].dcache)) {
            struct mem_request r = dcache_l2_take(&m->sm[i].dcache);
            bus_send(&m->bus, i, &r, m->now);
        }
    tick_cta(m);
    for (unsigned i = 0; i < m->sms; i++)
        if (calls_now(m, i))
            m->sm[i].calls = advance_calls(&m->sm[i]);
    m->rests_until = next_uncore(m);
}

/* Notes, too, whether an SM goes on.  False: the uncore rested. */
static inline bool
cycle_machine(struct ventus_model *m)
{
    bool calls = bus_is_due(&m->bus), goes = false;
    tick_memory(m);
    for (struct sm *s = m->sm, *last = s + m->sms - 1; s <= last && !m->failed;
         s++) {
        m->acting = s->id;
        cycle_sm(m, s);
        calls |= s->calls;
        goes |= s->wake <= m->now + 1 || dcache_awaits_bus(&s->dcache);
    }
    m->acting = m->sms;
    calls |= m->rests_until <= m->now;
    if (calls)
        cycle_uncore(m);
    m->runs = goes;
    m->now++;
    return calls;
}

static void
go_to(struct ventus_model *m, uint64_t cycle)
{
    assert(cycle > m->now && "time does not go back");
    memory_skip(&m->memory, cycle - m->now);
    m->now = cycle;
}

/* ---- the machine ---- */

void
advance_uncore(struct ventus_model *m, uint64_t limit)
{
    assert(m->now < limit && "the uncore is called with cycles to simulate");
    uint64_t call = next_call(m), next = next_uncore(m);
    next = call < next ? call : next;
    if (next > m->now) {
        go_to(m, next < limit ? next : limit);
    } else {
        tick_memory(m);
        cycle_uncore(m);
        m->now++;
    }
    bus_begin(&m->bus, m->now);
}

/* Cycles that are simulated between two looks at what ends a launch from outside; the first
 * is at its begin, as a launch may be one of many short parts. */
enum { UNCHECKED = 4096 };

void
advance_check_host(struct ventus_model *m)
{
    enum ventus_sim_fault_kind kind = step_ended_by_host(m->sm[0].stepper);
    if (kind && !m->failed)
        report_ended(m, kind);
}

void
advance_check(struct ventus_model *m)
{
    if (m->checks++ % UNCHECKED == 0)
        advance_check_host(m);
    if (m->failed)
        return;
    if (m->now <= m->last_issue + m->config.deadlock)
        return;
    for (unsigned i = 0; i < m->sms; i++)
        if (issue_last(&m->sm[i].issue) > m->last_issue)
            m->last_issue = issue_last(&m->sm[i].issue);
    /* A walk of the L2 ends, and each workgroup asks for few. */
    uint64_t walked = l2_walked(&m->l2, m->now);
    if (walked > m->last_issue)
        m->last_issue = walked;
    if (m->now > m->last_issue + m->config.deadlock)
        report_deadlock(m);
    else if (!l2_is_flushing(&m->l2))
        livelock_check(m);
}

void
advance(struct ventus_model *m, uint64_t limit)
{
    uint64_t next = m->runs ? m->now : next_cycle(m);
    bool called = false;
    if (next > m->now)
        go_to(m, next);
    do {
        bus_begin(&m->bus, m->now);
        called = cycle_machine(m);
        advance_check(m);
    } while (!called && m->runs && !m->failed && m->now < limit);
}

void
advance_end(struct ventus_model *m)
{
    for (unsigned i = 0; i < m->sms; i++) {
        sleep_skip_to(&m->sm[i], m->now);
        stats_end(&m->sm[i]);
        stats_add_model(&m->sm[i].stats, &m->l2_stats[i]);
    }
}
