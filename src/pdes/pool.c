/* SPDX-License-Identifier: Apache-2.0 */
/* The worker pool.  Each host thread owns LPs, which stay with it, so that their state
 * stays in its processor's caches.  A thread runs the windows that its LPs were
 * granted (window.c); a thread whose LPs are all parked waits until the clocks of the
 * others have reached theirs, and then runs the hub up to there.  An LP whose owner
 * does not begin its window, because the host is busy or the owner runs another LP, is
 * taken over by the next thread that waits.  Whether that is faster than one thread
 * depends on the machine and on the host, and is measured periodically (tuning.c). */
#include "pdes/pool.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>

#include "base/guard.h"
#include "pdes/window.h"

enum {
    /* Cycles of a window that are worth waking a thread, which takes some 50 us. */
    WORTH = 64,
    /* Numbers of polls: */
    WAKES = 1024, /* about the time of waking */
    YIELDS = 1024,
    PATIENCE = 8 * YIELDS
};

/* Tells the processor that a loop polls. */
static void
pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void
wait_a_bit(unsigned *turns)
{
    if (++*turns % YIELDS)
        pause_processor();
    else
        sched_yield();
}

/* ---- work ---- */

static unsigned
owner_of(const struct pdes *p, unsigned lp)
{
    return atomic_load_explicit(&p->pool.owner[lp], memory_order_relaxed);
}

static void
set_owner(struct pdes *p, unsigned lp, unsigned owner)
{
    if (owner_of(p, lp) != owner)
        atomic_store_explicit(&p->pool.owner[lp], owner, memory_order_relaxed);
}

/* Wakes the first owner of an LP, if it sleeps and the LP has a long window. */
static void
wake_owner(struct pdes *p, unsigned lp)
{
    unsigned owner = lp % p->pool.threads;
    struct pool_worker *w = &p->pool.worker[owner];
    if (!window_is_granted(p, lp, WORTH) || !atomic_load(&w->sleeps) ||
        atomic_load(&p->late))
        return;
    set_owner(p, lp, owner);
    pthread_mutex_lock(&w->lock);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
}

static bool
run_hub(struct pdes *p)
{
    if (atomic_load_explicit(&p->pool.hub_taken, memory_order_relaxed) ||
        atomic_exchange_explicit(&p->pool.hub_taken, true,
                                 memory_order_acquire))
        return false;
    bool did = window_run_hub(p);
    for (unsigned i = 0; i < p->lps; i++)
        wake_owner(p, i);
    atomic_store_explicit(&p->pool.hub_taken, false, memory_order_release);
    return did;
}

/* Whether the owner of an LP has not begun its window for too long. */
static bool
is_absent(const struct pool_worker *w, unsigned lp, unsigned turns)
{
    const struct pool_worker *o = &w->p->pool.worker[owner_of(w->p, lp)];
    bool sleeps = atomic_load_explicit(&o->sleeps, memory_order_relaxed);
    return turns >= WAKES || atomic_load(&w->p->late) ||
           (sleeps && !window_is_granted(w->p, lp, WORTH));
}

/* Takes over an LP whose owner is absent, and runs its window. */
static bool
take_over(struct pool_worker *w, unsigned lp)
{
    struct pdes *p = w->p;
    struct pool_late *late = &w->late[lp];
    uint64_t until =
        atomic_load_explicit(&p->lp[lp].until, memory_order_relaxed);
    bool granted = window_is_granted(p, lp, 1);
    if (!granted || late->until != until)
        *late = (struct pool_late){ .until = until };
    if (!granted || !is_absent(w, lp, late->polls++) || !window_run(p, lp))
        return false;
    set_owner(p, lp, w->id);
    return true;
}

/* Polls once: runs every window, or the hub, that can be run. */
static bool
poll_once(struct pool_worker *w, unsigned turns)
{
    struct pdes *p = w->p;
    bool did = false, due = false;
    for (unsigned i = 0; i < p->lps; i++)
        if (owner_of(p, i) == w->id)
            did |= window_run(p, i);
    for (unsigned i = 0; i < p->lps && !did; i++)
        if (owner_of(p, i) != w->id)
            did = take_over(w, i);
    for (unsigned i = 0; i < p->lps && !due; i++)
        due = (owner_of(p, i) == w->id || is_absent(w, i, turns)) &&
              window_is_due(p, i);
    return (due && run_hub(p)) || did;
}

/* ---- threads ---- */

static bool
has_window(const struct pool_worker *w)
{
    const struct pdes *p = w->p;
    bool given = false;
    for (unsigned i = 0; i < p->lps && !given; i++)
        given = owner_of(p, i) == w->id && window_is_granted(p, i, 1);
    return given && !atomic_load(&p->over) && !atomic_load(&p->late);
}

static void
sleep_until_granted(struct pool_worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->sleeps, true);
    while (!atomic_load(&w->ends) && !has_window(w))
        pthread_cond_wait(&w->wakes, &w->lock);
    atomic_store(&w->sleeps, false);
    pthread_mutex_unlock(&w->lock);
}

struct turns {
    struct pool_worker *worker;
    unsigned patience;
};

static void
poll_on(void *ctx)
{
    const struct turns *t = ctx;
    const struct pdes *p = t->worker->p;
    unsigned turns = 0;
    while (!atomic_load(&p->over) && turns < t->patience &&
           (!t->worker->id || !atomic_load(&p->late)))
        if (poll_once(t->worker, turns))
            turns = 0;
        else
            wait_a_bit(&turns);
}

/* Works until the launch is over, or for `patience` polls without work.  An assertion
 * that fails ends it on all threads, including those that wait for this one. */
static void
work_until_over(struct pool_worker *w, unsigned patience)
{
    struct turns turns = { w, patience };
    struct guard_failure why;
    if (guard_call(poll_on, &turns, &why))
        return;
    atomic_store(&w->p->failed, true);
    atomic_store(&w->p->over, true);
    atomic_store(&w->p->pool.hub_taken, false);
}

static void
thread_main(void *arg)
{
    struct pool_worker *w = arg;
    while (!atomic_load(&w->ends)) {
        sleep_until_granted(w);
        work_until_over(w, PATIENCE);
    }
}

static bool
start_worker(struct pool_worker *w)
{
    if (w->started)
        return true;
    atomic_store(&w->sleeps, true);
    w->started = thread_start(&w->thread, thread_main, w);
    return w->started;
}

static void
stop_worker(struct pool_worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->ends, true);
    pthread_cond_signal(&w->wakes);
    pthread_mutex_unlock(&w->lock);
    thread_join(&w->thread);
}

static void
wait_for(const struct pool_worker *w)
{
    unsigned turns = 0;
    while (!atomic_load(&w->sleeps))
        wait_a_bit(&turns);
}

/* ---- life cycle ---- */

bool
pool_create(struct pdes *p, unsigned threads)
{
    struct pool *c = &p->pool;
    c->threads = threads > p->lps ? p->lps : threads;
    assert(c->threads >= 2);
    c->worker = calloc(c->threads, sizeof *c->worker);
    c->owner = calloc(p->lps, sizeof *c->owner);
    bool complete = true;
    for (unsigned i = 0; c->worker && i < c->threads; i++) {
        struct pool_worker *w = &c->worker[i];
        w->p = p;
        w->id = i;
        w->late = calloc(p->lps, sizeof *w->late);
        complete &= w->late != NULL;
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->wakes, NULL);
    }
    return complete && c->worker && c->owner;
}

void
pool_destroy(struct pdes *p)
{
    struct pool *c = &p->pool;
    for (unsigned i = 0; c->worker && i < c->threads; i++) {
        if (c->worker[i].started)
            stop_worker(&c->worker[i]);
        pthread_mutex_destroy(&c->worker[i].lock);
        pthread_cond_destroy(&c->worker[i].wakes);
        free(c->worker[i].late);
    }
    free(c->worker);
    free(c->owner);
}

bool
pool_start(struct pdes *p)
{
    for (unsigned i = 1; i < p->pool.threads; i++)
        if (!start_worker(&p->pool.worker[i]))
            return false;
    return true;
}

void
pool_begin(struct pdes *p)
{
    for (unsigned i = 0; i < p->lps; i++)
        atomic_store(&p->pool.owner[i], i % p->pool.threads);
}

void
pool_run(struct pdes *p)
{
    struct pool *c = &p->pool;
    while (!atomic_load(&p->over))
        work_until_over(&c->worker[0], PATIENCE);
    for (unsigned i = 1; i < c->threads; i++)
        wait_for(&c->worker[i]);
}
