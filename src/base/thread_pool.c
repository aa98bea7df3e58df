/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

void
thread_pool_init(struct thread_pool *p)
{
    *p = (struct thread_pool){ .workers = 1, .process = getpid() };
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begins, NULL);
    pthread_cond_init(&p->ended, NULL);
}

/* Waits for a round that needs this worker; false: the pool ends.  The lock is held. */
static bool
wait_for_round(struct thread_pool_worker *w)
{
    struct thread_pool *p = w->pool;
    while (!p->stop && (w->round == p->round || w->number >= p->wanted)) {
        w->round = p->round;
        pthread_cond_wait(&p->begins, &p->lock);
    }
    w->round = p->round;
    return !p->stop;
}

static void
run_worker(void *ctx)
{
    struct thread_pool_worker *w = ctx;
    struct thread_pool *p = w->pool;
    pthread_mutex_lock(&p->lock);
    while (wait_for_round(w)) {
        thread_pool_work *work = p->work;
        void *what = p->ctx;
        pthread_mutex_unlock(&p->lock);
        work(what, w->number);
        pthread_mutex_lock(&p->lock);
        assert(p->busy > 0 && "each worker of the round ends it once");
        if (--p->busy == 0)
            pthread_cond_signal(&p->ended);
    }
    pthread_mutex_unlock(&p->lock);
}

static bool
add_worker(struct thread_pool *p)
{
    if (p->workers >= p->capacity) {
        unsigned capacity = p->capacity ? 2 * p->capacity : 8;
        void *more =
            realloc(p->worker, capacity * sizeof(struct thread_pool_worker *));
        if (!more)
            return false;
        p->worker = more;
        p->capacity = capacity;
    }
    struct thread_pool_worker *w = calloc(1, sizeof *w);
    if (!w)
        return false;
    *w = (struct thread_pool_worker){ .pool = p,
                                      .number = p->workers,
                                      .round = p->round };
    if (!thread_start(&w->thread, run_worker, w)) {
        free(w);
        return false;
    }
    p->worker[p->workers++] = w;
    return true;
}

static void
free_workers(struct thread_pool *p)
{
    for (unsigned i = 1; i < p->workers; i++)
        free(p->worker[i]);
    free(p->worker);
}

/* Drops the threads in the child of a fork(), which has none of them; no round was
 * under way. */
static void
check_process(struct thread_pool *p)
{
    if (p->process == getpid())
        return;
    free_workers(p);
    thread_pool_init(p);
}

unsigned
thread_pool_prepare(struct thread_pool *p, unsigned n)
{
    assert(n > 0);
    check_process(p);
    while (p->workers < n && add_worker(p))
        continue;
    return p->workers < n ? p->workers : n;
}

void
thread_pool_run(struct thread_pool *p, unsigned n, thread_pool_work *work,
                void *ctx)
{
    assert(n > 0 && n <= p->workers && p->process == getpid() &&
           "thread_pool_prepare made the workers");
    if (n > 1) {
        pthread_mutex_lock(&p->lock);
        assert(!p->busy && "one thread at a time may run a round");
        p->work = work;
        p->ctx = ctx;
        p->wanted = n;
        p->busy = n - 1;
        p->round++;
        pthread_cond_broadcast(&p->begins);
        pthread_mutex_unlock(&p->lock);
    }
    work(ctx, 0);
    if (n == 1)
        return;
    pthread_mutex_lock(&p->lock);
    while (p->busy)
        pthread_cond_wait(&p->ended, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void
thread_pool_free(struct thread_pool *p)
{
    check_process(p);
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->begins);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 1; i < p->workers; i++)
        thread_join(&p->worker[i]->thread);
    free_workers(p);
    pthread_cond_destroy(&p->begins);
    pthread_cond_destroy(&p->ended);
    pthread_mutex_destroy(&p->lock);
}
