/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker pool.  Each host thread owns SMs, which stay with it, so that their
 * state stays in its processor's caches.  A thread runs the windows that its SMs were
 * granted (lookahead.c); one whose SMs are all parked waits until the clocks of the
 * others have come to theirs, and then runs the uncore up to there.  An SM whose
 * owner does not come, because the host is busy or it has another SM to run, is
 * taken over by the next thread that waits.  Whether that is faster than one thread
 * depends on the program and on the host, and is measured now and then (tuning.c).
 */
#include "model/worker_pool.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>

#include "model/machine.h"

enum {
    WORTH =
        64, /* cycles of a window, to wake a thread, which takes some 50 us */
    /* Polls: */
    WAKES = 1024, /* as long as that */
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

/* ---- work ---- */

static unsigned
owner_of(const struct model *m, unsigned sm)
{
    return atomic_load_explicit(&m->pool.owner[sm], memory_order_relaxed);
}

static void
set_owner(struct model *m, unsigned sm, unsigned owner)
{
    if (owner_of(m, sm) != owner)
        atomic_store_explicit(&m->pool.owner[sm], owner, memory_order_relaxed);
}

/* A sleeping thread is woken for a long window of an SM that was its own first. */
static void
call(struct model *m, unsigned sm)
{
    unsigned owner = sm % m->pool.threads;
    struct pool_worker *w = &m->pool.worker[owner];
    if (!lookahead_is_granted(m, sm, WORTH) || !atomic_load(&w->sleeps))
        return;
    set_owner(m, sm, owner);
    pthread_mutex_lock(&w->lock);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
}

static bool
share(struct model *m)
{
    if (atomic_load_explicit(&m->pool.uncore_taken, memory_order_relaxed) ||
        atomic_exchange_explicit(&m->pool.uncore_taken, true,
                                 memory_order_acquire))
        return false;
    bool did = lookahead_run_uncore(m);
    for (unsigned i = 0; i < m->sms; i++)
        call(m, i);
    atomic_store_explicit(&m->pool.uncore_taken, false, memory_order_release);
    return did;
}

/* Has the owner of an SM not come for too long? */
static bool
is_absent(const struct pool_worker *w, unsigned sm, unsigned turns)
{
    const struct pool_worker *o = &w->m->pool.worker[owner_of(w->m, sm)];
    bool sleeps = atomic_load_explicit(&o->sleeps, memory_order_relaxed);
    return turns >= WAKES || (sleeps && !lookahead_is_granted(w->m, sm, WORTH));
}

/* Takes over an SM whose window its owner has not begun for many polls. */
static bool
go_for(struct pool_worker *w, unsigned sm)
{
    struct model *m = w->m;
    uint64_t until =
        atomic_load_explicit(&m->lookahead.sm[sm].until, memory_order_relaxed);
    if (!lookahead_is_granted(m, sm, 1))
        return false;
    if (w->late_sm != sm || w->late_until != until)
        w->late = 0;
    w->late_sm = sm;
    w->late_until = until;
    if (!is_absent(w, sm, w->late++) || !lookahead_run(&m->sm[sm]))
        return false;
    set_owner(m, sm, w->id);
    return true;
}

/* One poll: runs what can be run. */
static bool
turn(struct pool_worker *w, unsigned turns)
{
    struct model *m = w->m;
    bool did = false, due = false;
    for (unsigned i = 0; i < m->sms; i++)
        if (owner_of(m, i) == w->id)
            did |= lookahead_run(&m->sm[i]);
    for (unsigned i = 0; i < m->sms && !did; i++)
        if (owner_of(m, i) != w->id)
            did = go_for(w, i);
    for (unsigned i = 0; i < m->sms && !due; i++)
        due = (owner_of(m, i) == w->id || is_absent(w, i, turns)) &&
              lookahead_is_due(m, i);
    return (due && share(m)) || did;
}

/* ---- threads ---- */

static bool
is_given(const struct pool_worker *w)
{
    const struct model *m = w->m;
    bool given = false;
    for (unsigned i = 0; i < m->sms && !given; i++)
        given = owner_of(m, i) == w->id && lookahead_is_granted(m, i, 1);
    return given && !atomic_load(&m->lookahead.over);
}

static void
sleep_until_given(struct pool_worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->sleeps, true);
    while (!atomic_load(&w->ends) && !is_given(w))
        pthread_cond_wait(&w->wakes, &w->lock);
    atomic_store(&w->sleeps, false);
    pthread_mutex_unlock(&w->lock);
}

/* Until the launch is over, or there was nothing to do for so many polls. */
static void
work(struct pool_worker *w, unsigned patience)
{
    unsigned turns = 0;
    while (!atomic_load(&w->m->lookahead.over) && turns < patience)
        if (turn(w, turns))
            turns = 0;
        else
            wait_a_bit(&turns);
}

static void *
live(void *arg)
{
    struct pool_worker *w = arg;
    while (!atomic_load(&w->ends)) {
        sleep_until_given(w);
        work(w, PATIENCE);
    }
    return NULL;
}

static bool
start(struct pool_worker *w)
{
    if (w->started)
        return true;
    atomic_store(&w->sleeps, true);
    w->started = pthread_create(&w->thread, NULL, live, w) == 0;
    return w->started;
}

static void
stop(struct pool_worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->ends, true);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
}

static void
wait_for(const struct pool_worker *w)
{
    unsigned turns = 0;
    while (!atomic_load(&w->sleeps))
        wait_a_bit(&turns);
}

/* ---- life ---- */

bool
worker_pool_create(struct model *m, unsigned threads)
{
    struct worker_pool *c = &m->pool;
    c->threads = threads > m->sms ? m->sms : threads;
    if (c->threads < 2)
        return true;
    c->worker = calloc(c->threads, sizeof *c->worker);
    c->owner = calloc(m->sms, sizeof *c->owner);
    for (unsigned i = 0; c->worker && i < c->threads; i++) {
        struct pool_worker *w = &c->worker[i];
        w->m = m;
        w->id = i;
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->wakes, NULL);
    }
    return c->worker && c->owner && lookahead_create(m);
}

void
worker_pool_destroy(struct model *m)
{
    struct worker_pool *c = &m->pool;
    for (unsigned i = 0; c->worker && i < c->threads; i++) {
        if (c->worker[i].started)
            stop(&c->worker[i]);
        pthread_mutex_destroy(&c->worker[i].lock);
        pthread_cond_destroy(&c->worker[i].wakes);
    }
    free(c->worker);
    free(c->owner);
    lookahead_destroy(m);
}

/* Traces have all SMs in order, and RCC needs their values. */
bool
worker_pool_is_usable(const struct model *m)
{
    return m->pool.threads > 1 && !m->config.rcc && !traces_steps(m);
}

/* All threads, up to a cycle, or the launch's last. */
static void
run_all(struct model *m, uint64_t groups, uint64_t pause)
{
    struct worker_pool *c = &m->pool;
    for (unsigned i = 0; i < m->sms; i++)
        atomic_store(&c->owner[i], i % c->threads);
    lookahead_begin(m, groups, pause);
    work(&c->worker[0], UINT_MAX);
    for (unsigned i = 1; i < c->threads; i++)
        wait_for(&c->worker[i]);
    lookahead_end(m);
}

static void
run_one(struct model *m, uint64_t groups, uint64_t pause)
{
    while (!m->failed && m->done_groups < groups && m->now < pause)
        advance(m);
}

void
worker_pool_run(struct model *m, uint64_t groups)
{
    struct worker_pool *c = &m->pool;
    struct tuning *p = &c->tuning;
    for (unsigned i = 1; i < c->threads; i++)
        if (!start(&c->worker[i]))
            return;
    tuning_begin(p);
    while (!m->failed && m->done_groups < groups) {
        uint64_t first = m->now;
        (p->all ? run_all : run_one)(m, groups, first + tuning_cycles(p));
        tuning_end(p, m->now - first);
    }
}
