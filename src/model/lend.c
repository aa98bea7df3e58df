/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host threads.  Between two requests to the L2 an SM needs nobody and nobody
 * needs it.  An SM belongs to one thread for the whole launch, so that what it
 * holds stays in that processor's caches; what they share is with the thread of
 * the launch, which gives the other ones leave to take their SMs on
 *
 *   ahead, until a cycle in which the SM could have an answer of the L2, says
 *   something to it, executes what others may see (an atomic, a print), ends a
 *   warp, or fails; and takes its own SMs ahead, too, meanwhile;
 *
 *   by one cycle, at the same time as the others, if what is said in it is for
 *   the shared parts, which come behind all SMs in a cycle;
 *
 *   by one cycle in order, behind the lower SMs: an atomic, a walk of a TLB.
 *
 * So each cycle of each part is what it is on one thread.  Loads and stores of
 * an SM that is ahead come before those of the others: race.c finds out whether
 * a program can tell, and bet.c what to do then.
 */
#include "model/machine.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 4096,  /* cycles; all meet at multiples of it */
    COMPARE = 256, /* between two comparisons of notes, at least */
    TELL = 16,     /* of an SM that is ahead, between two words from it */
    WORTH = 64,    /* waking a thread that sleeps */
    BUSY_HOST = 512,
    /* Turns of waiting: */
    COMES = 32,
    SPINS = 1024,
    PATIENCE = 8 * SPINS
};

static void
wait_a_bit(unsigned *spins)
{
    if (++*spins % SPINS)
        __builtin_ia32_pause();
    else
        sched_yield();
}

/* ---- what an SM needs of others ---- */

static bool
has_request(const struct sm *s)
{
    const struct icache *c = &s->icache;
    bool asked = s->dcache.misses || s->dcache.writes || s->dcache.flush;
    for (unsigned i = 0; i < s->m->config.icache.mshrs && !asked; i++)
        asked = c->miss[i].valid;
    return asked;
}

void
lend_look(struct sm *s)
{
    bool shows = s->state != SM_RUNS || s->endings;
    s->ordered = s->failed || s->notes_full || tlb_is_busy(s);
    s->shows_at = shows ? 0 : dcache_leaves(s);
    s->awaits = has_request(s);
}

/* Can others see what it does in its next cycle? */
static bool
shows(const struct sm *s)
{
    return s->calls || s->ordered || s->shows_at <= s->now;
}

/* Before this cycle nobody changes the SM, nor sees what it does. */
static uint64_t
horizon(const struct sm *s)
{
    const struct model *m = s->m;
    if (shows(s) || cta_wants(s))
        return m->now + 1;
    uint64_t until = m->now - m->now % AHEAD + AHEAD;
    uint64_t dead = m->last_issue + m->config.deadlock;
    until = until < dead ? until : dead;
    if (!s->awaits)
        return until;
    uint64_t answer = l2_answers(m, s->id);
    return answer < until ? answer + 1 : until;
}

/* One more cycle, if it needs nobody in it. */
static bool
go_on(struct sm *s, uint64_t until)
{
    if (s->wake > s->now)
        advance_to(s, s->wake < until ? s->wake : until);
    return s->now < until && advance_alone(s);
}

/* Is it the turn of an SM whose last cycle was not ahead? */
static bool
is_due(const struct model *m, unsigned sm)
{
    const struct sm *s = &m->sm[sm];
    return !m->lend.sm[sm].away && s->now <= m->now && s->wake <= m->now;
}

/* ---- notes ---- */

static void
note_all(struct model *m)
{
    for (unsigned i = 0; i < m->sms && !m->lend.notes; i++)
        m->sm[i].notes = RACE_HERE;
    if (!m->lend.notes)
        m->lend.compare_at = m->now + COMPARE;
    m->lend.notes = true;
}

static bool
in_step(const struct model *m)
{
    for (unsigned i = 0; i < m->sms; i++)
        if (m->lend.sm[i].away || m->sm[i].now > m->now)
            return false;
    return true;
}

static void
compare_notes(struct model *m)
{
    for (unsigned i = 0; i < m->sms; i++)
        m->sm[i].notes = RACE_NONE;
    m->lend.notes = false;
    if (race_found(m))
        m->bet.lost = m->failed = true;
}

/* One that has noted much waits for the others. */
static bool
notes_are_full(const struct model *m)
{
    bool full = false;
    for (unsigned i = 0; i < m->sms && !full; i++)
        full = !m->lend.sm[i].away && m->sm[i].notes_full;
    return full;
}

/* ---- there and back ---- */

static struct lend_worker *
worker_of(const struct model *m, unsigned sm)
{
    return &m->lend.worker[sm % m->lend.threads];
}

/* A thread that sleeps needs some 50 us to come. */
static bool
is_worth(const struct model *m, unsigned sm, uint64_t until)
{
    return m->lend.sm[sm].give_at <= m->now &&
           (until >= m->now + WORTH || !atomic_load(&worker_of(m, sm)->sleeps));
}

static void
give(struct model *m, unsigned sm, uint64_t until, bool ordered)
{
    struct sm *s = &m->sm[sm];
    struct lend_sm *l = &m->lend.sm[sm];
    struct lend_worker *w = worker_of(m, sm);
    if (!ordered)
        note_all(m);
    if (m->lend.notes)
        s->notes = ordered ? RACE_HERE : RACE_AHEAD;
    s->lent_at = m->now;
    l->ordered = ordered;
    l->until = until;
    l->away = true;
    l->given = l->seen = m->now;
    atomic_store_explicit(&l->done, m->now * 2, memory_order_relaxed);
    atomic_store_explicit(&l->returns, false, memory_order_relaxed);
    atomic_store(&l->place, LEND_GIVEN);
    if (!atomic_load(&w->sleeps))
        return;
    pthread_mutex_lock(&w->lock);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
}

static void
take_back(struct model *m, unsigned sm)
{
    m->lend.sm[sm].away = false;
    if (m->lend.notes)
        m->sm[sm].notes = RACE_HERE;
}

/* Up to which cycle one that was given away is. */
static uint64_t
look(struct model *m, unsigned sm)
{
    struct lend_sm *l = &m->lend.sm[sm];
    uint64_t done = atomic_load_explicit(&l->done, memory_order_acquire);
    l->seen = done / 2;
    if (done % 2)
        take_back(m, sm);
    return l->seen;
}

/*
 * If nobody has come for it in time, it is here again: a cycle of an SM takes
 * about half a us, and a turn of waiting a tenth of that; a quarter of the loan
 * may go for it.  A busy host has no time for the next ones.
 */
static void
give_up(struct model *m, unsigned sm, unsigned spins)
{
    struct lend_sm *l = &m->lend.sm[sm];
    enum lend_place place = LEND_GIVEN;
    if (spins < COMES + 2 * (l->until - l->given) ||
        !atomic_compare_exchange_strong(&l->place, &place, LEND_HOME))
        return;
    take_back(m, sm);
    l->give_at = m->now + BUSY_HOST;
}

bool
lend_wait(struct model *m, unsigned sm, uint64_t cycle)
{
    struct lend_sm *l = &m->lend.sm[sm];
    unsigned spins = 0;
    if (l->seen <= cycle && look(m, sm) <= cycle && l->away)
        atomic_store_explicit(&l->wanted, cycle, memory_order_relaxed);
    while (l->away && l->seen <= cycle)
        if (look(m, sm) <= cycle && l->away) {
            give_up(m, sm, spins);
            wait_a_bit(&spins);
        }
    return l->away;
}

bool
lend_cycle(struct model *m, unsigned sm)
{
    struct sm *s = &m->sm[sm];
    if (!m->lend.on || sm % m->lend.threads == 0 ||
        !is_worth(m, sm, m->now + 1))
        return false;
    give(m, sm, m->now + 1, true);
    lend_wait(m, sm, m->now);
    return s->now > m->now;
}

void
lend_recall(struct model *m)
{
    for (unsigned i = 0; i < m->sms && m->lend.on; i++)
        for (unsigned spins = 0; m->lend.sm[i].away; wait_a_bit(&spins)) {
            look(m, i);
            if (m->lend.sm[i].away)
                give_up(m, i, UINT_MAX);
        }
}

/* ---- the machine's side ---- */

/* Until when SMs of this thread may keep the others waiting. */
static uint64_t
others_need(const struct model *m)
{
    uint64_t first = cta_next(m);
    for (unsigned i = 0; i < m->sms; i++) {
        const struct sm *s = &m->sm[i];
        if (i % m->lend.threads == 0 || m->lend.sm[i].away)
            continue;
        uint64_t answer = s->awaits ? l2_answers(m, i) : UINT64_MAX;
        uint64_t at = s->wake < answer ? s->wake : answer;
        first = at < first ? at : first;
    }
    return first;
}

/* Has one come back, at a cycle before this one? */
static bool
is_awaited(struct model *m, uint64_t now)
{
    for (unsigned i = 0; i < m->sms; i++) {
        const struct lend_sm *l = &m->lend.sm[i];
        if (!l->away)
            continue;
        if (atomic_load_explicit(&l->returns, memory_order_relaxed) &&
            atomic_load_explicit(&l->done, memory_order_relaxed) / 2 < now)
            return true;
    }
    return false;
}

/* An SM of this thread goes ahead of the machine, too. */
static void
go_ahead(struct model *m, unsigned sm, uint64_t until)
{
    struct sm *s = &m->sm[sm];
    uint64_t first = horizon(s);
    until = first < until ? first : until;
    if (until <= m->now + 1)
        return;
    advance_to(s, m->now);
    note_all(m);
    s->notes = RACE_AHEAD;
    s->lent_at = m->now;
    while (go_on(s, until) && !shows(s) && !is_awaited(m, s->now)) {
    }
    s->notes = RACE_HERE;
}

/* Who has an SM works on its lines: they are not looked at. */
void
lend_give(struct model *m)
{
    struct lend *l = &m->lend;
    for (unsigned i = 0; i < m->sms; i++)
        if (l->sm[i].away)
            look(m, i);
    bool due = l->compare_at <= m->now || notes_are_full(m);
    if (l->notes && due && in_step(m))
        compare_notes(m);
    if (m->failed || notes_are_full(m))
        return;
    for (unsigned i = 0; i < m->sms; i++)
        if (is_due(m, i))
            m->sm[i].bus_open = bus_is_open(&m->sm[i]);
    for (unsigned i = 0; i < m->sms; i++) {
        struct sm *s = &m->sm[i];
        if (i % l->threads == 0 || !is_due(m, i) || s->ordered)
            continue;
        uint64_t until = horizon(s);
        if (!is_worth(m, i, until))
            continue;
        advance_to(s, m->now);
        give(m, i, until, false);
    }
    uint64_t until = others_need(m);
    for (unsigned i = 0; i < m->sms && until > m->now + 1; i += l->threads)
        if (is_due(m, i))
            go_ahead(m, i, until);
}

/* ---- the other side ---- */

static void
run(struct sm *s, struct lend_sm *l)
{
    if (l->ordered) {
        advance_to(s, s->m->now);
        advance_sm(s);
    }
    uint64_t told = s->now;
    while (!l->ordered && go_on(s, l->until) && !shows(s) &&
           s->now < l->until) {
        uint64_t wanted =
            atomic_load_explicit(&l->wanted, memory_order_relaxed);
        bool waits = told <= wanted && wanted < s->now;
        if (!waits && s->now < told + TELL)
            continue;
        told = s->now;
        atomic_store_explicit(&l->done, told * 2, memory_order_release);
    }
    /* The machine must see a fault in its cycle. */
    atomic_store_explicit(&l->place, LEND_HOME, memory_order_relaxed);
    uint64_t done = s->now - s->failed;
    atomic_store_explicit(&l->returns, true, memory_order_relaxed);
    atomic_store_explicit(&l->done, done * 2 + 1, memory_order_release);
}

static bool
look_around(struct lend_worker *w)
{
    struct model *m = w->m;
    bool found = false;
    for (unsigned i = w->id; i < m->sms; i += m->lend.threads) {
        struct lend_sm *l = &m->lend.sm[i];
        enum lend_place given = LEND_GIVEN;
        if (atomic_load_explicit(&l->place, memory_order_relaxed) != given ||
            !atomic_compare_exchange_strong(&l->place, &given, LEND_AWAY))
            continue;
        run(&m->sm[i], l);
        found = true;
    }
    return found;
}

static bool
is_given(const struct lend_worker *w)
{
    const struct model *m = w->m;
    for (unsigned i = w->id; i < m->sms; i += m->lend.threads)
        if (atomic_load(&m->lend.sm[i].place) == LEND_GIVEN)
            return true;
    return false;
}

static void
sleep_until_given(struct lend_worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->sleeps, true);
    while (!atomic_load(&w->ends) && !is_given(w))
        pthread_cond_wait(&w->wakes, &w->lock);
    atomic_store(&w->sleeps, false);
    pthread_mutex_unlock(&w->lock);
}

static void *
work(void *arg)
{
    struct lend_worker *w = arg;
    unsigned spins = 0;
    while (!atomic_load(&w->ends)) {
        if (look_around(w))
            spins = 0;
        else
            wait_a_bit(&spins);
        if (spins < PATIENCE)
            continue;
        sleep_until_given(w);
        spins = 0;
    }
    return NULL;
}

/* ---- life ---- */

bool
lend_create(struct model *m, unsigned threads)
{
    struct lend *l = &m->lend;
    l->threads = threads > m->sms ? m->sms : threads;
    if (!l->threads)
        l->threads = 1;
    l->worker = calloc(l->threads, sizeof *l->worker);
    l->sm = aligned_alloc(64, m->sms * sizeof *l->sm);
    if (l->sm)
        memset(l->sm, 0, m->sms * sizeof *l->sm);
    for (unsigned i = 0; l->worker && i < l->threads; i++) {
        struct lend_worker *w = &l->worker[i];
        w->m = m;
        w->id = i;
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->wakes, NULL);
    }
    return l->worker && l->sm && (l->threads < 2 || race_create(m));
}

void
lend_destroy(struct model *m)
{
    struct lend *l = &m->lend;
    for (unsigned i = 0; l->worker && i < l->threads; i++) {
        pthread_mutex_destroy(&l->worker[i].lock);
        pthread_cond_destroy(&l->worker[i].wakes);
    }
    free(l->worker);
    free(l->sm);
    race_destroy(m);
}

static void
stop(struct lend_worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->ends, true);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
}

/* Who watches sees all SMs in order, and RCC looks at their values. */
bool
lend_may(const struct model *m)
{
    return m->lend.threads > 1 && !m->config.rcc && !shows_steps(m);
}

/* If the host has no more threads, it stays on one. */
void
lend_begin(struct model *m)
{
    struct lend *l = &m->lend;
    l->on = m->bet.on;
    l->notes = false;
    memset(l->sm, 0, m->sms * sizeof *l->sm);
    for (unsigned i = 1; l->on && i < l->threads; i++) {
        struct lend_worker *w = &l->worker[i];
        atomic_store(&w->ends, false);
        if (pthread_create(&w->thread, NULL, work, w) == 0)
            continue;
        while (--i)
            stop(&l->worker[i]);
        l->on = false;
    }
}

void
lend_end(struct model *m)
{
    lend_recall(m);
    if (m->lend.notes)
        compare_notes(m);
    for (unsigned i = 1; m->lend.on && i < m->lend.threads; i++)
        stop(&m->lend.worker[i]);
    m->lend.on = false;
}
