/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine as pdes sees it.  SMs are its logical processes, and the hub is the
 * uncore, which all share (CTA scheduler, bus, L2, memory).  No
 * event passes between an SM and the uncore until a cycle in which the L2 could
 * answer, a request leaves the L1D, an instruction with visible effects (an atomic, a
 * print) is executed, a workgroup ends, or the SM fails.  Atomics and walks of a TLB
 * execute in the order of SMs.
 *
 * Values are not conservative: loads and stores of an SM that is ahead execute
 * before those of the others.  access_log.c detects where a program depends on that,
 * and speculation.c rolls the launch back.
 */
#include "model/parallel/lookahead.h"

#include <assert.h>
#include <stdlib.h>

#include "model/advance.h"
#include "model/advance_sm.h"
#include "model/machine.h"
#include "model/parallel/access_log.h"
#include "model/parallel/visible.h"
#include "model/sleep.h"
#include "pdes/pdes.h"

/* Which SMs ask for the bus in cycle asked_at; when logs are compared next. */
struct lookahead {
    bool *asks;
    uint64_t asked_at, compare_at;
};

enum {
    MEET = 4096,  /* a barrier: all SMs come to multiples of it */
    COMPARE = 256 /* cycles between two comparisons of logs, at least */
};

static uint64_t
earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- the next cycle of an SM ---- */

static struct sm *
sm_of(void *ctx, unsigned sm)
{
    return &((struct ventus_model *)ctx)->sm[sm];
}

static uint64_t
local_time(void *ctx, unsigned sm)
{
    return sm_of(ctx, sm)->now;
}

static uint64_t
next_event(void *ctx, unsigned sm)
{
    const struct sm *s = sm_of(ctx, sm);
    return s->wake > s->now ? earlier(s->wake, PDES_NEVER) : s->now;
}

static unsigned
next_kind(void *ctx, unsigned sm)
{
    const struct sm *s = sm_of(ctx, sm);
    unsigned kind = visible_is_next(s) ? PDES_EVENT : 0;
    if (visible_is_ordered(s))
        kind |= PDES_ORDER;
    if (workgroup_is_none(&s->workgroup) && !cta_wants(&s->m->cta, sm))
        kind |= PDES_ASLEEP;
    return kind;
}

/* Windows end when a log has to be compared. */
static bool
logs_are_full(const struct ventus_model *m)
{
    bool full = false;
    for (unsigned i = 0; i < m->sms && !full; i++)
        full = pdes_is_parked(&m->pdes, i) && m->sm[i].log_full;
    return full;
}

static uint64_t
hub_bound(void *ctx)
{
    const struct ventus_model *m = ctx;
    return m->last_issue + m->config.deadlock + 1;
}

/* Meanwhile the L2 may have begun to walk its lines: the bus is closed for long. */
static uint64_t
window_end(void *ctx, unsigned sm)
{
    struct ventus_model *m = ctx;
    struct sm *s = &m->sm[sm];
    uint64_t now = m->now, answer = UINT64_MAX - 1;
    s->bus_opens = bus_opens(&m->bus, now);
    visible_update(s);
    if (visible_is_next(s) || logs_are_full(m))
        return now + 1;
    if (s->awaits)
        answer = earlier(bus_lookahead(&m->bus, sm, now), answer);
    uint64_t until = earlier(now - now % MEET + MEET, hub_bound(ctx));
    return earlier(until, answer + 1);
}

static uint64_t
next_input(void *ctx, unsigned sm)
{
    const struct ventus_model *m = ctx;
    uint64_t next =
        earlier(advance_next_group(m), bus_lookahead(&m->bus, sm, m->now));
    return next > m->now ? earlier(next, PDES_NEVER) : m->now + 1;
}

/* ---- windows ---- */

/* Notes which SMs ask for the interconnect in this cycle: none that is ahead. */
static void
note_asks(struct ventus_model *m)
{
    struct lookahead *l = m->lookahead;
    if (l->asked_at == m->now)
        return;
    l->asked_at = m->now;
    for (unsigned i = 0; i < m->sms; i++)
        l->asks[i] = bus_is_asked(&m->bus, i, m->now);
}

/* Lower SMs go first. */
static bool
bus_is_left(const struct ventus_model *m, unsigned sm)
{
    bool left = bus_has_room(&m->bus);
    for (unsigned i = 0; i < sm && left; i++)
        left = !m->lookahead->asks[i];
    return left;
}

static void
on_grant(void *ctx, unsigned sm, uint64_t clock)
{
    struct ventus_model *m = ctx;
    struct sm *s = &m->sm[sm];
    assert(m->lookahead->asked_at == m->now &&
           "the uncore's part of a cycle comes after note_asks");
    s->bus_open = clock <= m->now && bus_is_left(m, sm);
    s->granted_at = m->now;
}

static void
begin_window(void *ctx, unsigned sm, bool in_order)
{
    sm_of(ctx, sm)->access_mode = in_order ? ACCESS_IN_ORDER : ACCESS_AHEAD;
}

static void
end_window(void *ctx, unsigned sm)
{
    sm_of(ctx, sm)->access_mode = ACCESS_IN_ORDER;
}

/* Skips cycles in which nothing changes.  Is the next one an exchange for which no
 * window was granted? */
static bool
skip(struct sm *s, uint64_t until)
{
    if (s->wake <= s->now)
        return false;
    bool granted = visible_is_next(s);
    sleep_skip_to(s, earlier(s->wake, until));
    return !granted && visible_is_next(s);
}

/* Skips idle cycles of an SM and simulates the next one, unless that has to be in the
 * order of SMs. */
static bool
tick(void *ctx, unsigned sm, uint64_t until, uint64_t *now)
{
    struct sm *s = sm_of(ctx, sm);
    bool ran = !skip(s, until) && s->now < until && advance_alone(s);
    *now = s->now;
    return ran && !visible_is_next(s) && s->now < until;
}

static void
tick_in_order(void *ctx, unsigned sm, uint64_t cycle)
{
    struct sm *s = sm_of(ctx, sm);
    sleep_skip_to(s, cycle);
    advance_sm(s);
}

/* ---- the uncore ---- */

static uint64_t
hub_time(void *ctx)
{
    return ((const struct ventus_model *)ctx)->now;
}

static void
hub_tick(void *ctx, uint64_t limit)
{
    advance_uncore(ctx, limit);
}

static uint64_t
work(void *ctx)
{
    const struct ventus_model *m = ctx;
    uint64_t issued = 0;
    for (unsigned i = 0; i < m->sms; i++)
        issued += m->sm[i].stats.issued;
    return issued;
}

static bool
is_over(void *ctx)
{
    const struct ventus_model *m = ctx;
    return m->failed || cta_is_over(&m->cta);
}

/* Misspeculation, a failure and the last workgroup end the simulation. */
static bool
commit(void *ctx, bool in_step)
{
    struct ventus_model *m = ctx;
    struct lookahead *l = m->lookahead;
    if (in_step) {
        if (m->now >= l->compare_at || logs_are_full(m)) {
            l->compare_at = m->now + COMPARE;
            if (access_log_has_race(m))
                m->misspeculated = true;
        }
        advance_check(m);
    }
    for (unsigned i = 0; i < m->sms; i++)
        m->failed |= pdes_is_parked(&m->pdes, i) && m->sm[i].failed;
    m->failed |= m->misspeculated;
    note_asks(m);
    return is_over(m);
}

/* ---- a launch ---- */

static void
begin(void *ctx)
{
    struct ventus_model *m = ctx;
    m->runs_ahead = true;
    m->lookahead->asked_at = UINT64_MAX;
    m->lookahead->compare_at = m->now + COMPARE;
    for (unsigned i = 0; i < m->sms; i++) {
        struct sm *s = &m->sm[i];
        if (dcache_awaits_bus(&s->dcache))
            sleep_wake_at(s, m->now);
        dcache_unpoll(&s->dcache);
        s->bus_opens = 0;
        visible_update(s);
        m->sm[i].access_mode = ACCESS_IN_ORDER;
    }
    bus_begin(&m->bus, m->now);
}

/* A race is a misspeculation.  The host is looked at after each piece, which ends early if
 * the cycles take long: they are no measure of its time then. */
static void
end(void *ctx)
{
    struct ventus_model *m = ctx;
    m->runs_ahead = false;
    for (unsigned i = 0; i < m->sms; i++)
        m->sm[i].access_mode = ACCESS_UNLOGGED;
    if (access_log_has_race(m))
        m->misspeculated = m->failed = true;
    if (!is_over(m))
        advance_check_host(m);
}

static void
run_serial(void *ctx, uint64_t pause)
{
    struct ventus_model *m = ctx;
    while (!is_over(m) && m->now < pause)
        advance(m, pause);
}

void
lookahead_run(struct ventus_model *m)
{
    if (!pdes_run(&m->pdes)) { /* the launch is started again, on one thread */
        m->runs_ahead = false;
        m->misspeculated = m->failed = true;
    }
}

bool
lookahead_is_usable(const struct ventus_model *m)
{
    return m->lookahead && !events_want_steps(m->hooks);
}

/* ---- life ---- */

static const struct pdes_ops ops = {
    .local_time = local_time,
    .next_event = next_event,
    .next_kind = next_kind,
    .lookahead = window_end,
    .next_input = next_input,
    .grant = on_grant,
    .begin_window = begin_window,
    .end_window = end_window,
    .tick = tick,
    .tick_in_order = tick_in_order,
    .work = work,
    .hub_time = hub_time,
    .hub_bound = hub_bound,
    .hub_tick = hub_tick,
    .commit = commit,
    .begin = begin,
    .end = end,
    .run_serial = run_serial,
    .is_over = is_over,
};

bool
lookahead_create(struct ventus_model *m, unsigned threads)
{
    if (m->sms < 2 || threads < 2)
        return true;
    m->lookahead = calloc(1, sizeof *m->lookahead);
    if (!m->lookahead)
        return false;
    m->lookahead->asks = calloc(m->sms, sizeof *m->lookahead->asks);
    return pdes_create(&m->pdes, &ops, m, m->sms, threads) &&
           m->lookahead->asks && access_log_create(m);
}

void
lookahead_destroy(struct ventus_model *m)
{
    if (!m->lookahead)
        return;
    pdes_destroy(&m->pdes);
    access_log_destroy(m);
    free(m->lookahead->asks);
    free(m->lookahead);
}
