/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "base/oom.h"

/*
 * Assertions that fail inside of a machine.  The application that runs a kernel must not
 * end because the machine has a mistake: in release builds a failed assertion of a guarded
 * module ends the innermost guarded call of its thread.  Outside of any guarded call, and
 * in debug builds everywhere, it ends the process as assert() does.
 *
 *     struct guard_failure why;
 *     if (!guard_call(run, &machine, &why))
 *         ... why.text: "src/model/l2.c:31: l2_tick: assertion 'a < b'"
 *
 * Which modules are guarded: VENTUS_GUARDED of cmake/ventus.cmake, which gives the function
 * that assert() calls this name.
 */
struct guard_failure {
    char text[256];
};

/* Calls work(ctx); false: an assertion failed in it, and deferred releases of base/oom.h
 * have been made.  What work() was changing is as it was then. */
bool
guard_call(void (*work)(void *ctx), void *ctx, struct guard_failure *why);

/* A lock that is let go, too, if memory runs out or an assertion fails while it is held. */
struct guard_lock {
    struct oom_cleanup cleanup;
};

void
guard_lock(struct guard_lock *l, pthread_mutex_t *mutex);

void
guard_unlock(struct guard_lock *l);

/* The handler of a failed assert() in a guarded module: ends the innermost
 * guarded call of this thread; where there is none, the process. */
_Noreturn void
guard_assertion_failed(const char *expression, const char *file, unsigned line,
                       const char *function);
