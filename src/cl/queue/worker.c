/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdlib.h>

#include "base/thread.h"
#include "cl/queue/event.h"
#include "cl/queue/fork.h"

/* The thread of a queue.  It may briefly outlive the queue, as the event that it ends
 * may hold the queue's last reference.  So the two share only this struct, which
 * belongs to the queue until worker_stop. */
struct worker {
    pthread_mutex_t lock; /* inner lock: taken after the context's */
    pthread_cond_t changed;
    cl_event first, *last; /* events that are ready */
    bool started, stop;
};

struct worker *
worker_new(void)
{
    struct worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->last = &w->first;
    return w;
}

static void
worker_free(struct worker *w)
{
    assert(!w->first);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
    free(w);
}

static void
run_worker(void *ctx)
{
    struct worker *w = ctx;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        cl_event e = w->first;
        assert(e || w->last == &w->first);
        if (!e && w->stop)
            break;
        if (!e) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        w->first = e->next_ready;
        if (!w->first)
            w->last = &w->first;
        pthread_mutex_unlock(&w->lock);
        event_execute(e);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    worker_free(w);
}

bool
worker_start(struct worker *w)
{
    if (w->started)
        return true;
    fork_watch();
    w->started = thread_start_detached(run_worker, w);
    return w->started;
}

void
worker_push(struct worker *w, cl_event ready)
{
    pthread_mutex_lock(&w->lock);
    assert(w->started && !w->stop && !*w->last);
    ready->next_ready = NULL;
    *w->last = ready;
    w->last = &ready->next_ready;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void
worker_stop(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    assert(!w->stop && !w->first && "commands own their queue");
    bool started = w->started;
    w->stop = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (!started)
        worker_free(w);
}
