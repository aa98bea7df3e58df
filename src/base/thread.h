/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Threads of the host; all threads of this project begin here.  They receive no
 * signals: the application's signals are for its own threads. */
struct thread_handle {
    pthread_t id;
};

/* Calls run(ctx) on a new thread; false: the host has none. */
bool
thread_start(struct thread_handle *t, void (*run)(void *ctx), void *ctx);

/* Waits for the end of the thread. */
void
thread_join(struct thread_handle *t);

/* Calls run(ctx) on a new thread that is never joined. */
bool
thread_start_detached(void (*run)(void *ctx), void *ctx);
