/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookahead: conservative parallel simulation of SMs.  On several host threads
 * each SM has a clock of its own; the uncore, which all share (CTA scheduler, bus,
 * L2, memory), has the machine's.  No event passes between an SM and the uncore
 * until a cycle in which the L2 could answer, a request leaves the L1D, an
 * instruction with visible effects (an atomic, a print) is executed, a workgroup
 * ends, or the SM fails.  The lookahead is the time to the first of them, and the SM
 * is granted the window up to it:
 *
 *      uncore   now
 *         |------|
 *      SM 0      |--------------->|  until its next answer may come
 *      SM 1      |------->|          until a request leaves it
 *
 *   a window of cycles ahead of the uncore;
 *
 *   the cycle of the event, when the uncore has come to it, at the same time as
 *   other SMs: the uncore is behind all SMs in a cycle;
 *
 *   in order, when lower SMs have that cycle behind them: an atomic, a walk of a
 *   TLB.
 *
 * The uncore does a cycle when all SMs have it behind them, on whichever thread
 * needs that first (worker_pool.c).  So each event has the cycle that it has on one
 * thread.  Values are not conservative: loads and stores of an SM that is ahead are
 * done before those of the others.  access_log.c detects where a program depends on
 * that, and speculation.c rolls the launch back.
 */
#include "model/lookahead.h"

#include <stdlib.h>
#include <string.h>

#include "model/machine.h"

enum {
    MEET = 4096,   /* a barrier: all SMs come to multiples of it */
    COMPARE = 256, /* cycles between two comparisons of logs, at least */
    PUBLISH = 16   /* cycles of an SM, between two updates of its clock */
};

static const uint64_t NEVER_AGAIN = UINT64_MAX / LOOKAHEAD_STATES;

/* ---- lookahead ---- */

static bool
has_request(const struct sm *s)
{
    return dcache_awaits_l2(&s->dcache) || icache_awaits_l2(&s->icache);
}

/* Is it an event that warps end: a workgroup that is done, room for one? */
static bool
ending_is_visible(const struct sm *s)
{
    unsigned room = s->warps - s->resident + s->endings;
    bool done = room >= s->m->launch->warps;
    for (unsigned i = 0; i < s->m->slots && !done; i++)
        done = s->group[i].valid && s->group[i].live <= s->endings;
    return done;
}

void
lookahead_update(struct sm *s)
{
    bool visible = s->state == SM_EMPTY || (s->endings && ending_is_visible(s));
    s->ordered = s->failed || s->log_full || sm_translates(s);
    s->visible_at = visible ? 0 : dcache_lookahead(&s->dcache);
    s->awaits = has_request(s);
}

/* Must it execute its next cycle behind the lower SMs? */
static bool
is_ordered(const struct sm *s)
{
    return s->ordered || s->checked;
}

/* Is its next cycle an event, or may the uncore change it before? */
static bool
is_visible(const struct sm *s)
{
    return s->calls || is_ordered(s) || s->visible_at <= s->now || cta_wants(s);
}

static uint64_t
earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The cycle in which there is something to do in it again. */
static uint64_t
clock_of(const struct sm *s)
{
    return s->wake > s->now ? earlier(s->wake, NEVER_AGAIN) : s->now;
}

static uint64_t
load(const struct model *m, unsigned sm)
{
    return atomic_load(&m->lookahead.sm[sm].state);
}

static void
set(struct lookahead_sm *a, enum lookahead_state state, uint64_t clock)
{
    atomic_store_explicit(&a->state, clock * LOOKAHEAD_STATES + state,
                          memory_order_release);
}

static bool
is_parked(const struct model *m, unsigned sm)
{
    return load(m, sm) % LOOKAHEAD_STATES == LOOKAHEAD_PARKED;
}

static uint64_t
clock_at(const struct model *m, unsigned sm)
{
    return load(m, sm) / LOOKAHEAD_STATES;
}

/* Windows end when a log has to be compared. */
static bool
logs_are_full(const struct model *m)
{
    bool full = false;
    for (unsigned i = 0; i < m->sms && !full; i++)
        full = is_parked(m, i) && m->sm[i].log_full;
    return full;
}

/* The end of its window: before it no event passes to or from the SM. */
static uint64_t
horizon(const struct sm *s)
{
    const struct model *m = s->m;
    uint64_t now = m->now, answer = UINT64_MAX - 1;
    if (is_visible(s) || logs_are_full(m))
        return earlier(now + 1, m->lookahead.pause);
    if (s->awaits)
        answer = earlier(bus_lookahead(&m->bus, s->id, m->now), answer);
    uint64_t until = earlier(now - now % MEET + MEET,
                             m->last_issue + m->config.deadlock + 1);
    return earlier(earlier(until, m->lookahead.pause), answer + 1);
}

/* ---- states ---- */

bool
lookahead_is_away(const struct model *m, unsigned sm)
{
    return !is_parked(m, sm) || m->sm[sm].now > m->now + 1;
}

/*
 * When a parked SM may be granted a window: when the uncore is in its cycle, and
 * lower SMs behind it, or where the uncore may have changed it.  One that has no
 * event of its own is looked at in the cycle `next`, if it waits for the CTA
 * scheduler.
 */
static void
set_need(const struct sm *s, uint64_t until, uint64_t next)
{
    uint64_t clock = clock_of(s), need = 2 * until;
    if (clock == NEVER_AGAIN && s->state == SM_EMPTY && !cta_wants(s))
        need = UINT64_MAX;
    else if (is_visible(s))
        need = 2 * (clock == NEVER_AGAIN ? next : clock) + is_ordered(s);
    atomic_store_explicit(&s->m->lookahead.sm[s->id].need, need,
                          memory_order_relaxed);
}

/* ---- on the thread that runs an SM ---- */

/* One more cycle, unless it has to be done in order. */
static bool
run_cycle(struct sm *s, uint64_t until)
{
    if (s->wake > s->now)
        advance_to(s, earlier(s->wake, until));
    return s->now < until && advance_alone(s);
}

static void
run_window(struct sm *s, struct lookahead_sm *a)
{
    const struct lookahead *all = &s->m->lookahead;
    uint64_t told = s->now, until = a->until;
    while (run_cycle(s, until) && !is_visible(s) && s->now < until) {
        uint64_t wanted =
            atomic_load_explicit(&a->wanted, memory_order_relaxed);
        bool waits = told < wanted && wanted <= s->now;
        if (!waits && s->now < told + PUBLISH)
            continue;
        told = s->now;
        set(a, LOOKAHEAD_RUNNING, told);
        if (atomic_load_explicit(&all->over, memory_order_relaxed))
            return;
    }
}

bool
lookahead_is_granted(const struct model *m, unsigned sm, uint64_t cycles)
{
    uint64_t now = load(m, sm);
    return now % LOOKAHEAD_STATES == LOOKAHEAD_GRANTED &&
           now / LOOKAHEAD_STATES + cycles <=
               atomic_load_explicit(&m->lookahead.sm[sm].until,
                                    memory_order_relaxed);
}

bool
lookahead_run(struct sm *s)
{
    struct lookahead_sm *a = &s->m->lookahead.sm[s->id];
    uint64_t may = load(s->m, s->id);
    if (may % LOOKAHEAD_STATES != LOOKAHEAD_GRANTED ||
        !atomic_compare_exchange_strong(
            &a->state, &may, may - LOOKAHEAD_GRANTED + LOOKAHEAD_RUNNING))
        return false;
    s->access_mode = a->ordered ? ACCESS_IN_ORDER : ACCESS_AHEAD;
    if (a->ordered) {
        advance_to(s, a->until - 1);
        advance_sm(s);
    } else {
        run_window(s, a);
    }
    s->access_mode = ACCESS_IN_ORDER;
    set_need(s, atomic_load_explicit(&a->until, memory_order_relaxed), 0);
    set(a, LOOKAHEAD_PARKED, clock_of(s));
    return true;
}

/* ---- on the thread that runs the uncore ---- */

static bool
all_are_parked(const struct model *m)
{
    bool all = true;
    for (unsigned i = 0; i < m->sms && all; i++)
        all = is_parked(m, i);
    return all;
}

/* Is no SM ahead of the uncore? */
static bool
in_step(const struct model *m)
{
    bool all = all_are_parked(m);
    for (unsigned i = 0; i < m->sms && all; i++)
        all = m->sm[i].now <= m->now;
    return all;
}

/* Misspeculation, a failure and the last workgroup end the simulation. */
static void
check_speculation(struct model *m)
{
    if (in_step(m)) {
        if (m->now >= m->lookahead.compare_at || logs_are_full(m)) {
            m->lookahead.compare_at = m->now + COMPARE;
            if (access_log_has_race(m))
                m->speculation.failed = true;
        }
        advance_check(m);
    }
    for (unsigned i = 0; i < m->sms; i++)
        m->failed |= is_parked(m, i) && m->sm[i].failed;
    m->failed |= m->speculation.failed;
    bool pauses = m->now == m->lookahead.pause && in_step(m);
    if (m->failed || pauses || m->done_groups == m->lookahead.end)
        atomic_store(&m->lookahead.over, true);
}

/* Which SMs ask for the bus in this cycle: none that is ahead. */
static void
note_asks(struct model *m)
{
    if (m->lookahead.asked_at == m->now)
        return;
    m->lookahead.asked_at = m->now;
    for (unsigned i = 0; i < m->sms; i++)
        m->lookahead.sm[i].asks = bus_is_asked(&m->bus, i, m->now);
}

/* Lower SMs go first. */
static bool
bus_is_left(const struct model *m, unsigned sm)
{
    bool left = m->bus.room;
    for (unsigned i = 0; i < sm && left; i++)
        left = !m->lookahead.sm[i].asks;
    return left;
}

static bool
lower_are_behind(const struct model *m, unsigned sm)
{
    bool all = true;
    for (unsigned i = 0; i < sm && all; i++)
        all = clock_at(m, i) > m->now;
    return all;
}

/* When the uncore may change an SM that has no event of its own. */
static uint64_t
next_input(const struct sm *s)
{
    const struct model *m = s->m;
    uint64_t next = earlier(cta_next(m), bus_lookahead(&m->bus, s->id, m->now));
    return next > m->now ? earlier(next, NEVER_AGAIN) : m->now + 1;
}

/* Grants a parked SM its window, if that is not empty. */
static bool
grant(struct model *m, unsigned sm)
{
    struct sm *s = &m->sm[sm];
    struct lookahead_sm *a = &m->lookahead.sm[sm];
    uint64_t clock = clock_of(s), until = horizon(s);
    bool ordered = is_ordered(s);
    if (clock >= until || (ordered && !lower_are_behind(m, sm))) {
        set_need(s, until, next_input(s));
        set(a, LOOKAHEAD_PARKED, clock);
        return false;
    }
    s->bus_open = clock <= m->now && bus_is_left(m, sm);
    s->granted_at = m->now;
    atomic_store_explicit(&a->until, until, memory_order_relaxed);
    a->ordered = ordered;
    atomic_store(&a->state, clock * LOOKAHEAD_STATES + LOOKAHEAD_GRANTED);
    return true;
}

/* May its window have grown? */
static bool
needs_grant(const struct model *m, unsigned sm)
{
    const struct lookahead_sm *a = &m->lookahead.sm[sm];
    return is_parked(m, sm) &&
           (atomic_load_explicit(&a->need, memory_order_relaxed) / 2 <=
                m->now ||
            clock_of(&m->sm[sm]) < clock_at(m, sm));
}

static bool
grant_all(struct model *m)
{
    bool granted = false;
    note_asks(m);
    for (unsigned i = 0; i < m->sms; i++)
        granted |= needs_grant(m, i) && grant(m, i);
    return granted;
}

/* The lower bound of all clocks: the uncore may do the cycles before it. */
static uint64_t
first_clock(const struct model *m)
{
    uint64_t first =
        earlier(m->last_issue + m->config.deadlock + 1, m->lookahead.pause);
    for (unsigned i = 0; i < m->sms; i++)
        first = earlier(first,
                        is_parked(m, i) ? clock_of(&m->sm[i]) : clock_at(m, i));
    return first;
}

bool
lookahead_run_uncore(struct model *m)
{
    bool did = false, runs = true, granted = false;
    while (runs && !granted && !atomic_load(&m->lookahead.over)) {
        uint64_t limit = first_clock(m);
        runs = m->now < limit;
        if (runs)
            advance_uncore(m, limit);
        check_speculation(m);
        if (!atomic_load(&m->lookahead.over))
            granted = grant_all(m);
        did |= runs || granted;
    }
    return did;
}

bool
lookahead_is_due(struct model *m, unsigned sm)
{
    if (!is_parked(m, sm))
        return false;
    uint64_t need =
        atomic_load_explicit(&m->lookahead.sm[sm].need, memory_order_relaxed);
    for (unsigned i = 0; i < m->sms; i++) {
        struct lookahead_sm *a = &m->lookahead.sm[i];
        uint64_t first = need / 2 + (need % 2 && i < sm);
        if (clock_at(m, i) >= first)
            continue;
        if (atomic_load_explicit(&a->wanted, memory_order_relaxed) != first)
            atomic_store_explicit(&a->wanted, first, memory_order_relaxed);
        return false;
    }
    return need != UINT64_MAX;
}

/* ---- life ---- */

bool
lookahead_create(struct model *m)
{
    m->lookahead.sm = aligned_alloc(64, m->sms * sizeof *m->lookahead.sm);
    if (m->lookahead.sm)
        memset(m->lookahead.sm, 0, m->sms * sizeof *m->lookahead.sm);
    return m->lookahead.sm && access_log_create(m);
}

void
lookahead_destroy(struct model *m)
{
    access_log_destroy(m);
    free(m->lookahead.sm);
}

void
lookahead_begin(struct model *m, uint64_t groups, uint64_t pause)
{
    m->lookahead.on = true;
    m->lookahead.asked_at = UINT64_MAX;
    m->lookahead.compare_at = m->now + COMPARE;
    m->lookahead.end = groups;
    m->lookahead.pause = pause;
    for (unsigned i = 0; i < m->sms; i++) {
        struct lookahead_sm *a = &m->lookahead.sm[i];
        atomic_store(&a->need, 0);
        atomic_store(&a->wanted, 0);
        lookahead_update(&m->sm[i]);
        m->sm[i].access_mode = ACCESS_IN_ORDER;
        set(a, LOOKAHEAD_PARKED, clock_of(&m->sm[i]));
    }
    bus_begin(&m->bus, m->now);
    atomic_store(&m->lookahead.over, false);
}

void
lookahead_end(struct model *m)
{
    m->lookahead.on = false;
    for (unsigned i = 0; i < m->sms; i++)
        m->sm[i].access_mode = ACCESS_UNLOGGED;
    if (access_log_has_race(m))
        m->speculation.failed = m->failed = true;
}
