/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host threads.  Between two requests to the L2 an SM needs nobody and nobody
 * needs it.  So the thread that runs the machine may give it to another one,
 * which takes it on alone until a cycle in which it
 *
 *   sends something to the L2, or could have an answer from there,
 *   executes what others may see: an atomic, a print,
 *   ends a warp, which the CTA scheduler sees, or fails.
 *
 * Before that cycle of the machine it comes back.  Meanwhile the machine goes
 * on with the others and the shared parts, up to where the SM is.  So each
 * cycle of each part is what it is on one thread.  Loads and stores of an SM
 * that is ahead come before those of the others: race.c finds out whether a
 * program can tell, and bet.c what to do then.
 */
#include "model/machine.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 4096,
    WORTH = 12,
    TELL = 16,
    BUSY_HOST = 512,
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

/* ---- the machine's side ---- */

static bool
has_request(const struct sm *s)
{
    const struct icache *c = &s->icache;
    bool asked = s->dcache.misses || s->dcache.writes || s->dcache.flush;
    for (unsigned i = 0; i < s->m->config.icache.mshrs && !asked; i++)
        asked = c->miss[i].valid;
    return asked;
}

/* The cycle before which nobody else changes the SM. */
static uint64_t
horizon(const struct sm *s)
{
    const struct model *m = s->m;
    uint64_t until = m->now + AHEAD, dead = m->last_issue + m->config.deadlock;
    until = until < dead ? until : dead;
    if (!has_request(s))
        return until;
    uint64_t l2 = l2_next(m), memory = memory_next(m);
    uint64_t answer = l2 < memory ? l2 : memory;
    return answer < until ? answer : until;
}

/* Does it need others in its next cycle, or they it? */
static bool
is_bound(const struct sm *s)
{
    const struct dcache *d = &s->dcache;
    return s->state != SM_RUNS || s->failed || s->endings || s->icache.unsent ||
           tlb_is_busy(s) || d->leaving || d->next_leaves ||
           fifo_ready(&d->queue, s->now) || s->notes_full;
}

/* ---- notes ---- */

static void
note_all(struct model *m)
{
    for (unsigned i = 0; i < m->sms && !m->lend.notes; i++)
        m->sm[i].notes = RACE_HERE;
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

static void
give(struct model *m, unsigned sm)
{
    struct sm *s = &m->sm[sm];
    struct lend_sm *l = &m->lend.sm[sm];
    struct lend_worker *w = &m->lend.worker[sm % m->lend.threads];
    if (s->now > m->now || s->wake > m->now || is_bound(s) || cta_wants(s))
        return;
    l->until = horizon(s);
    if (l->until < m->now + WORTH || notes_are_full(m))
        return;
    advance_to(s, m->now);
    note_all(m);
    s->notes = RACE_AHEAD;
    s->lent_at = m->now;
    l->away = true;
    l->given = l->seen = m->now;
    atomic_store_explicit(&l->done, m->now, memory_order_relaxed);
    atomic_store(&l->place, LEND_GIVEN);
    if (!atomic_load(&w->sleeps))
        return;
    pthread_mutex_lock(&w->lock);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
}

/*
 * Those of worker 0 stay with the thread of the launch.  Who has an SM works on
 * its lines: they are not looked at.
 */
void
lend_give(struct model *m)
{
    if (m->lend.notes && in_step(m))
        compare_notes(m);
    if (m->failed)
        return;
    for (unsigned i = 0; i < m->sms; i++) {
        const struct lend_sm *l = &m->lend.sm[i];
        if (i % m->lend.threads && !l->away && l->give_at <= m->now)
            give(m, i);
    }
}

/*
 * Is it here again?  If nobody has come for it in time, it is.  A thread that
 * sleeps needs some 50 us to come; a cycle of an SM takes about half a one, and
 * a turn of waiting a tenth of that: a quarter of the loan may go for it.
 */
static bool
is_back(struct model *m, unsigned sm, unsigned spins)
{
    struct lend_sm *l = &m->lend.sm[sm];
    const struct sm *s = &m->sm[sm];
    enum lend_place place = atomic_load(&l->place);
    bool came = place != LEND_GIVEN;
    if (place == LEND_AWAY || (!came && spins < 2 * (l->until - l->given)))
        return false;
    if (!came && !atomic_compare_exchange_strong(&l->place, &place, LEND_HOME))
        return false;
    atomic_store(&l->place, LEND_HOME);
    l->away = false;
    m->sm[sm].notes = RACE_HERE;
    /* A loan that was too short was not worth the way; a busy host has no
     * time for any. */
    if (!came || s->now < l->given + WORTH)
        l->give_at = m->now + (came ? WORTH : BUSY_HOST);
    return true;
}

bool
lend_wait(struct model *m, unsigned sm)
{
    struct lend_sm *l = &m->lend.sm[sm];
    for (unsigned spins = 0; l->seen <= m->now; wait_a_bit(&spins)) {
        l->seen = atomic_load_explicit(&l->done, memory_order_acquire);
        if (l->seen <= m->now && is_back(m, sm, spins))
            return false;
    }
    return true;
}

void
lend_recall(struct model *m)
{
    for (unsigned i = 0; i < m->sms && m->lend.on; i++)
        for (unsigned spins = 0; m->lend.sm[i].away; wait_a_bit(&spins))
            is_back(m, i, UINT_MAX);
}

/* ---- the other side ---- */

static void
run(struct sm *s, struct lend_sm *l)
{
    uint64_t told = s->now + TELL;
    while (!is_bound(s)) {
        if (s->wake > s->now)
            advance_to(s, s->wake < l->until ? s->wake : l->until);
        if (s->now >= l->until || !advance_alone(s))
            break;
        if (s->now < told)
            continue;
        told = s->now + TELL;
        atomic_store_explicit(&l->done, s->now, memory_order_release);
    }
    /* The machine must see a fault in its cycle. */
    atomic_store_explicit(&l->done, s->now - s->failed, memory_order_release);
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
        atomic_store(&l->place, LEND_BACK);
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
