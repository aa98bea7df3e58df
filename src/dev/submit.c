/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches run one at a time.  Submitted launches wait in a list for the thread of
 * the device, which starts with the first submission.  A launch that a thread waits
 * for runs on that thread, if no other launch is before it.
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/held.h"
#include "base/oom.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/launch.h"
#include "dev/preview.h"
#include "dev/queue.h"
#include "dev/validate.h"

/* Runs a launch; the queue's lock is held, and let go meanwhile. */
static void
run_ticket(struct ventus_dev *d, struct ventus_dev_ticket *t)
{
    struct queue *q = &d->queue;
    assert_held(&q->lock);
    assert(t->state == VENTUS_DEV_QUEUED && q->finished < q->submitted);
    t->state = VENTUS_DEV_RUNNING;
    pthread_mutex_unlock(&q->lock);
    ticket_lock_acquire(&d->lock);
    t->result.start_ns = clock_now_ns();
    launch_run(t);
    t->result.end_ns = clock_now_ns();
    ticket_lock_release(&d->lock);
    pthread_mutex_lock(&q->lock);
    t->state = t->result.ok ? VENTUS_DEV_DONE : VENTUS_DEV_FAILED;
    q->finished++;
    pthread_cond_broadcast(&q->changed);
}

static void
run_queue(void *ctx)
{
    struct ventus_dev *d = ctx;
    struct queue *q = &d->queue;
    pthread_mutex_lock(&q->lock);
    while (!q->stop) {
        struct ventus_dev_ticket *t = q->first;
        assert(t || q->last == &q->first);
        if (!t) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        q->first = t->next;
        if (!q->first)
            q->last = &q->first;
        run_ticket(d, t);
    }
    pthread_mutex_unlock(&q->lock);
}

static void
free_ticket(struct ventus_dev_ticket *t)
{
    arena_free(&t->arena);
    free(t);
}

struct checking {
    struct ventus_dev_ticket *ticket;
    const struct ventus_dev_launch *launch;
    bool ok;
};

static void
make_ticket_checked(void *ctx)
{
    struct checking *c = ctx;
    c->ok = validate_launch(c->ticket, c->launch);
}

/* A launch that can run; NULL: ventus_dev_message says why not. */
static struct ventus_dev_ticket *
make_ticket(struct ventus_dev *d, const struct ventus_dev_launch *launch)
{
    struct ventus_dev_ticket *t = calloc(1, sizeof *t);
    if (!t) {
        dev_fail_memory("a launch");
        return NULL;
    }
    t->dev = d;
    struct checking c = { .ticket = t, .launch = launch };
    bool had_memory = oom_call(make_ticket_checked, &c);
    if (!had_memory)
        dev_fail_memory("a launch");
    if (!had_memory || !c.ok) {
        free_ticket(t);
        return NULL;
    }
    t->result.queued_ns = clock_now_ns();
    return t;
}

bool
launch_may_run(struct ventus_dev *d, const struct ventus_dev_launch *l)
{
    struct ventus_dev_ticket *t = make_ticket(d, l);
    if (t)
        free_ticket(t);
    return t != NULL;
}

/* Lock held. */
static bool
enqueue(struct ventus_dev *d, struct ventus_dev_ticket *t)
{
    struct queue *q = &d->queue;
    assert_held(&q->lock);
    assert(t->state == VENTUS_DEV_QUEUED && !t->next && !*q->last);
    if (!q->started && !thread_start(&q->thread, run_queue, d))
        return dev_fail("the host has no thread for the device");
    q->started = true;
    *q->last = t;
    q->last = &t->next;
    q->submitted++;
    pthread_cond_broadcast(&q->changed);
    return true;
}

struct ventus_dev_ticket *
ventus_dev_submit(struct ventus_dev *d, const struct ventus_dev_launch *launch)
{
    struct queue *q = &d->queue;
    struct ventus_dev_ticket *t = make_ticket(d, launch);
    if (!t)
        return NULL;
    pthread_mutex_lock(&q->lock);
    bool ok = enqueue(d, t);
    pthread_mutex_unlock(&q->lock);
    if (!ok) {
        free_ticket(t);
        return NULL;
    }
    return t;
}

enum ventus_dev_state
ventus_dev_query(const struct ventus_dev_ticket *t)
{
    struct queue *q = &t->dev->queue;
    pthread_mutex_lock(&q->lock);
    enum ventus_dev_state state = t->state;
    pthread_mutex_unlock(&q->lock);
    return state;
}

uint64_t
ventus_dev_executed(const struct ventus_dev_ticket *t)
{
    return __atomic_load_n(&t->executed, __ATOMIC_RELAXED);
}

void
ventus_dev_stop(struct ventus_dev_ticket *t)
{
    __atomic_store_n(&t->stop, 1, __ATOMIC_RELAXED);
}

uint64_t
ventus_dev_progress(const struct ventus_dev_ticket *t, uint64_t *all)
{
    *all = t->all_groups;
    return atomic_load_explicit(&t->done_groups, memory_order_relaxed);
}

bool
ventus_dev_wait(struct ventus_dev_ticket *t, struct ventus_dev_result *result)
{
    struct queue *q = &t->dev->queue;
    pthread_mutex_lock(&q->lock);
    while (t->state != VENTUS_DEV_DONE && t->state != VENTUS_DEV_FAILED)
        pthread_cond_wait(&q->changed, &q->lock);
    pthread_mutex_unlock(&q->lock);
    if (result)
        *result = t->result;
    return t->result.ok || dev_fail_as(t->result.message, t->lacks_memory);
}

void
ventus_dev_ticket_free(struct ventus_dev_ticket *t)
{
    if (!t)
        return;
    ventus_dev_wait(t, NULL);
    free_ticket(t);
}

/* Spares the two wake-ups, most of the time of a short launch, if it can. */
static bool
run_or_enqueue(struct ventus_dev *d, struct ventus_dev_ticket *t)
{
    struct queue *q = &d->queue;
    bool ok = true;
    pthread_mutex_lock(&q->lock);
    if (q->finished == q->submitted) {
        q->submitted++;
        run_ticket(d, t);
    } else {
        ok = enqueue(d, t);
    }
    pthread_mutex_unlock(&q->lock);
    return ok;
}

bool
ventus_dev_run(struct ventus_dev *d, const struct ventus_dev_launch *launch,
               struct ventus_dev_result *result)
{
    struct ventus_dev_ticket *t = make_ticket(d, launch);
    if (!t || !run_or_enqueue(d, t)) {
        if (t)
            free_ticket(t);
        if (result) {
            memset(result, 0, sizeof *result);
            strncpy(result->message, ventus_dev_message(),
                    sizeof result->message - 1);
        }
        return false;
    }
    bool ok = ventus_dev_wait(t, result);
    free_ticket(t);
    return ok;
}
