/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "base/oom.h"

/*
 * Assertions that fail inside of a machine.  The application that runs a kernel must
 * survive a bug of the machine: in release builds a failed assertion of a guarded
 * module ends the innermost guarded call of its thread.  Outside of any guarded call,
 * and in debug builds everywhere, it ends the process as assert() does.
 *
 *     struct guard_failure why;
 *     if (!guard_call(run, &machine, &why))
 *         ... why.text: "src/model/memory/l2.c:31: l2_tick: assertion 'a < b'"
 *
 * VENTUS_GUARDED of cmake/ventus.cmake lists the guarded modules; it gives the
 * function that assert() calls this name.
 */
struct guard_failure {
    char text[256];
};

/* Calls work(ctx).  False: an assertion failed in it, and the deferred releases of
 * base/oom.h have been made.  Data that work() was changing stay half changed. */
bool
guard_call(void (*work)(void *ctx), void *ctx, struct guard_failure *why);

/* A lock that is released, too, if memory runs out or an assertion fails while it is
 * held. */
struct guard_lock {
    struct oom_cleanup cleanup;
};

void
guard_lock(struct guard_lock *l, pthread_mutex_t *mutex);

void
guard_unlock(struct guard_lock *l);

/* The handler of a failed assert() in a guarded module: ends the innermost guarded
 * call of this thread; without one, the process. */
_Noreturn void
guard_assertion_failed(const char *expression, const char *file, unsigned line,
                       const char *function);
