/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/thread.h"

/*
 * A worker pool: threads that stay between pieces of work.
 *
 *     struct thread_pool pool;
 *     thread_pool_init(&pool);
 *     n = thread_pool_prepare(&pool, 8);       at most 8, as many as there are
 *     thread_pool_run(&pool, n, work, &job);   work(&job, 0) ... work(&job, n - 1)
 *     thread_pool_free(&pool);
 *
 * Worker 0 is the thread that calls; one thread at a time may.  In the child of a
 * fork() the pool has no threads and makes new ones.
 */
typedef void
thread_pool_work(void *ctx, unsigned worker);

struct thread_pool_worker {
    struct thread_pool *pool;
    struct thread_handle thread;
    unsigned number;
    uint64_t round; /* number of the last round that it saw */
};

struct thread_pool {
    pthread_mutex_t lock;
    pthread_cond_t begins, ended;
    struct thread_pool_worker **worker; /* [1, workers) have a thread */
    unsigned workers, capacity;
    pid_t process; /* process that owns the threads */
    /* Protected by the lock: */
    thread_pool_work *work;
    void *ctx;
    /* Workers of this round; workers that have not ended it. */
    unsigned wanted, busy;
    uint64_t round;
    bool stop;
};

/* Initialises a pool without threads. */
void
thread_pool_init(struct thread_pool *p);

/* Creates missing threads for `n` workers and returns how many workers a run may have,
 * at least 1 and at most n: the host may have no more. */
unsigned
thread_pool_prepare(struct thread_pool *p, unsigned n);

/* Calls work(ctx, i) for each i < n, all at the same time, and returns when all have
 * returned; n is at most what thread_pool_prepare returned. */
void
thread_pool_run(struct thread_pool *p, unsigned n, thread_pool_work *work,
                void *ctx);

void
thread_pool_free(struct thread_pool *p);
