/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host threads.  Each has SMs, which stay with it, so that what they hold stays
 * in its processor's caches.  A thread does what its SMs were given (ahead.c);
 * one whose SMs can do nothing waits until all others have come to where they
 * stand, and then does the shared parts up to there.  If a thread does not come
 * for an SM, because the host is busy or it has another one to do, the next that
 * waits takes it over.  Whether that is faster than one thread depends on the
 * program and on the host, and is tried now and then (pace.c).
 */
#include "model/crew.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>

#include "model/machine.h"

enum {
    WORTH = 64, /* cycles, to wake a thread, which needs some 50 us to come */
    /* Turns of waiting: */
    WAKES = 1024, /* as long */
    YIELDS = 1024,
    PATIENCE = 8 * YIELDS
};

static void
wait_a_bit(unsigned *turns)
{
    if (++*turns % YIELDS)
        __builtin_ia32_pause();
    else
        sched_yield();
}

/* ---- what there is to do ---- */

static unsigned
owner_of(const struct model *m, unsigned sm)
{
    return atomic_load_explicit(&m->crew.owner[sm], memory_order_relaxed);
}

static void
set_owner(struct model *m, unsigned sm, unsigned owner)
{
    if (owner_of(m, sm) != owner)
        atomic_store_explicit(&m->crew.owner[sm], owner, memory_order_relaxed);
}

/* Who sleeps is woken for much; its first thread has an SM again. */
static void
call(struct model *m, unsigned sm)
{
    unsigned owner = sm % m->crew.threads;
    struct crew_worker *w = &m->crew.worker[owner];
    if (!ahead_may_go(m, sm, WORTH) || !atomic_load(&w->sleeps))
        return;
    set_owner(m, sm, owner);
    pthread_mutex_lock(&w->lock);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
}

static bool
share(struct model *m)
{
    if (atomic_load_explicit(&m->crew.shares, memory_order_relaxed) ||
        atomic_exchange_explicit(&m->crew.shares, true, memory_order_acquire))
        return false;
    bool did = ahead_share(m);
    for (unsigned i = 0; i < m->sms; i++)
        call(m, i);
    atomic_store_explicit(&m->crew.shares, false, memory_order_release);
    return did;
}

/* Does it come back for its SMs, or was the thread kept from it? */
static bool
is_absent(const struct crew_worker *w, unsigned sm, unsigned turns)
{
    const struct crew_worker *o = &w->m->crew.worker[owner_of(w->m, sm)];
    bool sleeps = atomic_load_explicit(&o->sleeps, memory_order_relaxed);
    return turns >= WAKES || (sleeps && !ahead_may_go(w->m, sm, WORTH));
}

/* An SM that was given cycles, and turns go by until somebody takes it. */
static bool
go_for(struct crew_worker *w, unsigned sm)
{
    struct model *m = w->m;
    uint64_t until =
        atomic_load_explicit(&m->ahead.sm[sm].until, memory_order_relaxed);
    if (!ahead_may_go(m, sm, 1))
        return false;
    if (w->late_sm != sm || w->late_until != until)
        w->late = 0;
    w->late_sm = sm;
    w->late_until = until;
    if (!is_absent(w, sm, w->late++) || !ahead_go(&m->sm[sm]))
        return false;
    set_owner(m, sm, w->id);
    return true;
}

/* Does what there is to do. */
static bool
turn(struct crew_worker *w, unsigned turns)
{
    struct model *m = w->m;
    bool did = false, due = false;
    for (unsigned i = 0; i < m->sms; i++)
        if (owner_of(m, i) == w->id)
            did |= ahead_go(&m->sm[i]);
    for (unsigned i = 0; i < m->sms && !did; i++)
        if (owner_of(m, i) != w->id)
            did = go_for(w, i);
    for (unsigned i = 0; i < m->sms && !due; i++)
        due = (owner_of(m, i) == w->id || is_absent(w, i, turns)) &&
              ahead_is_due(m, i);
    return (due && share(m)) || did;
}

/* ---- threads ---- */

static bool
is_given(const struct crew_worker *w)
{
    const struct model *m = w->m;
    bool given = false;
    for (unsigned i = 0; i < m->sms && !given; i++)
        given = owner_of(m, i) == w->id && ahead_may_go(m, i, 1);
    return given && !atomic_load(&m->ahead.over);
}

static void
sleep_until_given(struct crew_worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->sleeps, true);
    while (!atomic_load(&w->ends) && !is_given(w))
        pthread_cond_wait(&w->wakes, &w->lock);
    atomic_store(&w->sleeps, false);
    pthread_mutex_unlock(&w->lock);
}

/* Until the launch is over, or there was nothing to do for long. */
static void
work(struct crew_worker *w, unsigned patience)
{
    unsigned turns = 0;
    while (!atomic_load(&w->m->ahead.over) && turns < patience)
        if (turn(w, turns))
            turns = 0;
        else
            wait_a_bit(&turns);
}

static void *
live(void *arg)
{
    struct crew_worker *w = arg;
    while (!atomic_load(&w->ends)) {
        sleep_until_given(w);
        work(w, PATIENCE);
    }
    return NULL;
}

static bool
start(struct crew_worker *w)
{
    if (w->started)
        return true;
    atomic_store(&w->sleeps, true);
    w->started = pthread_create(&w->thread, NULL, live, w) == 0;
    return w->started;
}

static void
stop(struct crew_worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->ends, true);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
}

static void
wait_for(const struct crew_worker *w)
{
    unsigned turns = 0;
    while (!atomic_load(&w->sleeps))
        wait_a_bit(&turns);
}

/* ---- life ---- */

bool
crew_create(struct model *m, unsigned threads)
{
    struct crew *c = &m->crew;
    c->threads = threads > m->sms ? m->sms : threads;
    if (c->threads < 2)
        return true;
    c->worker = calloc(c->threads, sizeof *c->worker);
    c->owner = calloc(m->sms, sizeof *c->owner);
    for (unsigned i = 0; c->worker && i < c->threads; i++) {
        struct crew_worker *w = &c->worker[i];
        w->m = m;
        w->id = i;
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->wakes, NULL);
    }
    return c->worker && c->owner && ahead_create(m);
}

void
crew_destroy(struct model *m)
{
    struct crew *c = &m->crew;
    for (unsigned i = 0; c->worker && i < c->threads; i++) {
        if (c->worker[i].started)
            stop(&c->worker[i]);
        pthread_mutex_destroy(&c->worker[i].lock);
        pthread_cond_destroy(&c->worker[i].wakes);
    }
    free(c->worker);
    free(c->owner);
    ahead_destroy(m);
}

/* Who watches sees all SMs in order, and RCC looks at their values. */
bool
crew_may(const struct model *m)
{
    return m->crew.threads > 1 && !m->config.rcc && !shows_steps(m);
}

/* All cycles on all threads, up to one, or the launch's last. */
static void
run_all(struct model *m, uint64_t groups, uint64_t pause)
{
    struct crew *c = &m->crew;
    for (unsigned i = 0; i < m->sms; i++)
        atomic_store(&c->owner[i], i % c->threads);
    ahead_begin(m, groups, pause);
    work(&c->worker[0], UINT_MAX);
    for (unsigned i = 1; i < c->threads; i++)
        wait_for(&c->worker[i]);
    ahead_end(m);
}

static void
run_one(struct model *m, uint64_t groups, uint64_t pause)
{
    while (!m->failed && m->done_groups < groups && m->now < pause)
        advance(m);
}

void
crew_run(struct model *m, uint64_t groups)
{
    struct crew *c = &m->crew;
    struct pace *p = &c->pace;
    for (unsigned i = 1; i < c->threads; i++)
        if (!start(&c->worker[i]))
            return;
    pace_begin(p);
    while (!m->failed && m->done_groups < groups) {
        uint64_t first = m->now;
        (p->all ? run_all : run_one)(m, groups, first + pace_cycles(p));
        pace_end(p, m->now - first);
    }
}
