/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/*
 * Threads of the host; every thread of ours begins here.  No signal is delivered
 * to one: the application's signals are for its own threads.
 */
struct thread_handle {
    pthread_t id;
};

/* Calls run(ctx) on a new thread; false: the host has none. */
bool
thread_start(struct thread_handle *t, void (*run)(void *ctx), void *ctx);

/* Waits for its end. */
void
thread_join(struct thread_handle *t);

/* The same for a thread that is not waited for. */
bool
thread_start_detached(void (*run)(void *ctx), void *ctx);
