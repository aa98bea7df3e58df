/* SPDX-License-Identifier: Apache-2.0 */
/* The list of launches that wait, and the clock that they are timed with. */
#include "dev/queue.h"

#include <assert.h>

bool
queue_open(struct ventus_dev *d)
{
    struct queue *q = &d->queue;
    q->last = &q->first;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    return true;
}

void
queue_wait_all(struct ventus_dev *d)
{
    struct queue *q = &d->queue;
    pthread_mutex_lock(&q->lock);
    uint64_t last = q->submitted;
    assert(q->finished <= last);
    while (q->finished < last)
        pthread_cond_wait(&q->changed, &q->lock);
    pthread_mutex_unlock(&q->lock);
}

void
queue_close(struct ventus_dev *d)
{
    struct queue *q = &d->queue;
    pthread_mutex_lock(&q->lock);
    assert(!q->first && q->finished == q->submitted && !q->stop);
    q->stop = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    if (q->started)
        thread_join(&q->thread);
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->changed);
}
