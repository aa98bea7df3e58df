/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SMs ahead of others.  On several host threads each SM has a clock of its own,
 * and what they share (CTA scheduler, bus, L2, memory) has the machine's.  An
 * SM needs nobody, and nobody needs it, until a cycle in which it could have an
 * answer of the L2, says something, executes what others may see (an atomic, a
 * print), ends a workgroup, or fails.  So it is given cycles
 *
 *      shared   now
 *         |------|
 *      SM 0      |--------------->|  until its next answer may come
 *      SM 1      |------->|          until it says something
 *
 *   ahead of the others, up to such a cycle;
 *
 *   that cycle itself when the shared parts have come to it, at the same time
 *   as other SMs: what is said goes to the shared parts, which are behind all
 *   SMs in a cycle;
 *
 *   in order, behind that cycle of the lower SMs: an atomic, a walk of a TLB.
 *
 * The shared parts do a cycle when all SMs have it behind them; whichever
 * thread needs that does it (crew.c).  So each cycle of each part is what it is
 * on one thread.  Loads and stores of an SM that is ahead come before those of
 * the others: race.c finds out whether a program can tell, and bet.c what to do
 * then.
 */
#include "model/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "model/machine.h"

enum {
    MEET = 4096,   /* all SMs meet at multiples of it */
    COMPARE = 256, /* cycles between two comparisons of notes, at least */
    TELL = 16      /* of an SM, between two words from it */
};

static const uint64_t NEVER_AGAIN = UINT64_MAX / AHEAD_PLACES;

/* ---- what an SM needs of others ---- */

static bool
has_request(const struct sm *s)
{
    return dcache_awaits_l2(&s->dcache) || icache_awaits_l2(&s->icache);
}

/* Will others see that warps end: a workgroup that is done, room for one? */
static bool
ending_shows(const struct sm *s)
{
    unsigned room = s->warps - s->resident + s->endings;
    bool done = room >= s->m->launch->warps;
    for (unsigned i = 0; i < s->m->slots && !done; i++)
        done = s->group[i].valid && s->group[i].live <= s->endings;
    return done;
}

void
ahead_look(struct sm *s)
{
    bool shows = s->state == SM_EMPTY || (s->endings && ending_shows(s));
    s->ordered = s->failed || s->notes_full || sm_translates(s);
    s->shows_at = shows ? 0 : dcache_lookahead(&s->dcache);
    s->awaits = has_request(s);
}

/* Must it execute its next cycle behind the lower SMs? */
static bool
is_ordered(const struct sm *s)
{
    return s->ordered || s->checked;
}

/* Can others see what it does in its next cycle, or change it before? */
static bool
shows(const struct sm *s)
{
    return s->calls || is_ordered(s) || s->shows_at <= s->now || cta_wants(s);
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
    return atomic_load(&m->ahead.sm[sm].place);
}

static void
set(struct ahead_sm *a, enum ahead_place place, uint64_t clock)
{
    atomic_store_explicit(&a->place, clock * AHEAD_PLACES + place,
                          memory_order_release);
}

static bool
stands(const struct model *m, unsigned sm)
{
    return load(m, sm) % AHEAD_PLACES == AHEAD_STANDS;
}

static uint64_t
clock_at(const struct model *m, unsigned sm)
{
    return load(m, sm) / AHEAD_PLACES;
}

/* One that has noted much waits for the others. */
static bool
notes_are_full(const struct model *m)
{
    bool full = false;
    for (unsigned i = 0; i < m->sms && !full; i++)
        full = stands(m, i) && m->sm[i].notes_full;
    return full;
}

/* Before this cycle nobody changes the SM, nor sees what it does. */
static uint64_t
horizon(const struct sm *s)
{
    const struct model *m = s->m;
    uint64_t now = m->now, answer = UINT64_MAX - 1;
    if (shows(s) || notes_are_full(m))
        return earlier(now + 1, m->ahead.pause);
    if (s->awaits)
        answer = earlier(bus_lookahead(&m->bus, s->id, m->now), answer);
    uint64_t until = earlier(now - now % MEET + MEET,
                             m->last_issue + m->config.deadlock + 1);
    return earlier(earlier(until, m->ahead.pause), answer + 1);
}

/* ---- who has it ---- */

bool
ahead_is_away(const struct model *m, unsigned sm)
{
    return !stands(m, sm) || m->sm[sm].now > m->now + 1;
}

/*
 * When an SM that stands is to be looked at again: when the shared parts are in
 * its cycle, and lower SMs behind it, or where they may have told it something.
 * One that sleeps until it is told is looked at in the cycle `next`, if it
 * waits for the CTA scheduler.
 */
static void
set_need(const struct sm *s, uint64_t until, uint64_t next)
{
    uint64_t clock = clock_of(s), need = 2 * until;
    if (clock == NEVER_AGAIN && s->state == SM_EMPTY && !cta_wants(s))
        need = UINT64_MAX;
    else if (shows(s))
        need = 2 * (clock == NEVER_AGAIN ? next : clock) + is_ordered(s);
    atomic_store_explicit(&s->m->ahead.sm[s->id].need, need,
                          memory_order_relaxed);
}

/* ---- the thread that has an SM ---- */

/* One more cycle, if it needs nobody in it. */
static bool
go_on(struct sm *s, uint64_t until)
{
    if (s->wake > s->now)
        advance_to(s, earlier(s->wake, until));
    return s->now < until && advance_alone(s);
}

static void
go_ahead(struct sm *s, struct ahead_sm *a)
{
    const struct ahead *all = &s->m->ahead;
    uint64_t told = s->now, until = a->until;
    while (go_on(s, until) && !shows(s) && s->now < until) {
        uint64_t wanted =
            atomic_load_explicit(&a->wanted, memory_order_relaxed);
        bool waits = told < wanted && wanted <= s->now;
        if (!waits && s->now < told + TELL)
            continue;
        told = s->now;
        set(a, AHEAD_GOES, told);
        if (atomic_load_explicit(&all->over, memory_order_relaxed))
            return;
    }
}

bool
ahead_may_go(const struct model *m, unsigned sm, uint64_t cycles)
{
    uint64_t now = load(m, sm);
    return now % AHEAD_PLACES == AHEAD_MAY &&
           now / AHEAD_PLACES + cycles <=
               atomic_load_explicit(&m->ahead.sm[sm].until,
                                    memory_order_relaxed);
}

bool
ahead_go(struct sm *s)
{
    struct ahead_sm *a = &s->m->ahead.sm[s->id];
    uint64_t may = load(s->m, s->id);
    if (may % AHEAD_PLACES != AHEAD_MAY ||
        !atomic_compare_exchange_strong(&a->place, &may,
                                        may - AHEAD_MAY + AHEAD_GOES))
        return false;
    s->notes = a->ordered ? RACE_HERE : RACE_AHEAD;
    if (a->ordered) {
        advance_to(s, a->until - 1);
        advance_sm(s);
    } else {
        go_ahead(s, a);
    }
    s->notes = RACE_HERE;
    set_need(s, atomic_load_explicit(&a->until, memory_order_relaxed), 0);
    set(a, AHEAD_STANDS, clock_of(s));
    return true;
}

/* ---- the thread that has the shared parts ---- */

static bool
all_stand(const struct model *m)
{
    bool all = true;
    for (unsigned i = 0; i < m->sms && all; i++)
        all = stands(m, i);
    return all;
}

/* Has nobody done anything that comes later? */
static bool
in_step(const struct model *m)
{
    bool all = all_stand(m);
    for (unsigned i = 0; i < m->sms && all; i++)
        all = m->sm[i].now <= m->now;
    return all;
}

/* Whoever could tell, or what cannot be undone, ends it. */
static void
look_at_bet(struct model *m)
{
    if (in_step(m)) {
        if (m->now >= m->ahead.compare_at || notes_are_full(m)) {
            m->ahead.compare_at = m->now + COMPARE;
            if (race_found(m))
                m->bet.lost = true;
        }
        advance_check(m);
    }
    for (unsigned i = 0; i < m->sms; i++)
        m->failed |= stands(m, i) && m->sm[i].failed;
    m->failed |= m->bet.lost;
    bool pauses = m->now == m->ahead.pause && in_step(m);
    if (m->failed || pauses || m->done_groups == m->ahead.end)
        atomic_store(&m->ahead.over, true);
}

/* Who asks for the bus in this cycle: nobody who is ahead. */
static void
note_asks(struct model *m)
{
    if (m->ahead.asked_at == m->now)
        return;
    m->ahead.asked_at = m->now;
    for (unsigned i = 0; i < m->sms; i++)
        m->ahead.sm[i].asks = bus_is_asked(&m->bus, i, m->now);
}

/* Lower SMs go first. */
static bool
bus_is_left(const struct model *m, unsigned sm)
{
    bool left = m->bus.room;
    for (unsigned i = 0; i < sm && left; i++)
        left = !m->ahead.sm[i].asks;
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

/* When one that sleeps may be told something by the shared parts. */
static uint64_t
next_told(const struct sm *s)
{
    const struct model *m = s->m;
    uint64_t next = earlier(cta_next(m), bus_lookahead(&m->bus, s->id, m->now));
    return next > m->now ? earlier(next, NEVER_AGAIN) : m->now + 1;
}

/* Gives an SM that stands what it can do. */
static bool
give(struct model *m, unsigned sm)
{
    struct sm *s = &m->sm[sm];
    struct ahead_sm *a = &m->ahead.sm[sm];
    uint64_t clock = clock_of(s), until = horizon(s);
    bool ordered = is_ordered(s);
    if (clock >= until || (ordered && !lower_are_behind(m, sm))) {
        set_need(s, until, next_told(s));
        set(a, AHEAD_STANDS, clock);
        return false;
    }
    s->bus_open = clock <= m->now && bus_is_left(m, sm);
    s->given_at = m->now;
    atomic_store_explicit(&a->until, until, memory_order_relaxed);
    a->ordered = ordered;
    atomic_store(&a->place, clock * AHEAD_PLACES + AHEAD_MAY);
    return true;
}

/* Has something come that it needed? */
static bool
is_to_be_looked_at(const struct model *m, unsigned sm)
{
    const struct ahead_sm *a = &m->ahead.sm[sm];
    return stands(m, sm) &&
           (atomic_load_explicit(&a->need, memory_order_relaxed) / 2 <=
                m->now ||
            clock_of(&m->sm[sm]) < clock_at(m, sm));
}

static bool
give_all(struct model *m)
{
    bool given = false;
    note_asks(m);
    for (unsigned i = 0; i < m->sms; i++)
        given |= is_to_be_looked_at(m, i) && give(m, i);
    return given;
}

/* All SMs have the cycles before this one behind them. */
static uint64_t
first_clock(const struct model *m)
{
    uint64_t first =
        earlier(m->last_issue + m->config.deadlock + 1, m->ahead.pause);
    for (unsigned i = 0; i < m->sms; i++)
        first =
            earlier(first, stands(m, i) ? clock_of(&m->sm[i]) : clock_at(m, i));
    return first;
}

bool
ahead_share(struct model *m)
{
    bool did = false, goes = true, given = false;
    while (goes && !given && !atomic_load(&m->ahead.over)) {
        uint64_t limit = first_clock(m);
        goes = m->now < limit;
        if (goes)
            advance_shared(m, limit);
        look_at_bet(m);
        if (!atomic_load(&m->ahead.over))
            given = give_all(m);
        did |= goes || given;
    }
    return did;
}

bool
ahead_is_due(struct model *m, unsigned sm)
{
    if (!stands(m, sm))
        return false;
    uint64_t need =
        atomic_load_explicit(&m->ahead.sm[sm].need, memory_order_relaxed);
    for (unsigned i = 0; i < m->sms; i++) {
        struct ahead_sm *a = &m->ahead.sm[i];
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
ahead_create(struct model *m)
{
    m->ahead.sm = aligned_alloc(64, m->sms * sizeof *m->ahead.sm);
    if (m->ahead.sm)
        memset(m->ahead.sm, 0, m->sms * sizeof *m->ahead.sm);
    return m->ahead.sm && race_create(m);
}

void
ahead_destroy(struct model *m)
{
    race_destroy(m);
    free(m->ahead.sm);
}

void
ahead_begin(struct model *m, uint64_t groups, uint64_t pause)
{
    m->ahead.on = true;
    m->ahead.asked_at = UINT64_MAX;
    m->ahead.compare_at = m->now + COMPARE;
    m->ahead.end = groups;
    m->ahead.pause = pause;
    for (unsigned i = 0; i < m->sms; i++) {
        struct ahead_sm *a = &m->ahead.sm[i];
        atomic_store(&a->need, 0);
        atomic_store(&a->wanted, 0);
        ahead_look(&m->sm[i]);
        m->sm[i].notes = RACE_HERE;
        set(a, AHEAD_STANDS, clock_of(&m->sm[i]));
    }
    bus_begin(&m->bus, m->now);
    atomic_store(&m->ahead.over, false);
}

void
ahead_end(struct model *m)
{
    m->ahead.on = false;
    for (unsigned i = 0; i < m->sms; i++)
        m->sm[i].notes = RACE_NONE;
    if (race_found(m))
        m->bet.lost = m->failed = true;
}
