/* SPDX-License-Identifier: Apache-2.0 */
#include "base/guard.h"

#include <stdio.h>
#include <stdlib.h>

struct guard {
    struct guard *outer;
    struct oom_call *call; /* protected call that ends if an assertion fails */
    struct guard_failure *why;
    void (*work)(void *ctx);
    void *ctx;
};

static _Thread_local struct guard *innermost;

static void
guard_work(void *ctx)
{
    struct guard *g = ctx;
    g->call = oom_innermost();
    innermost = g;
    g->work(g->ctx);
}

bool
guard_call(void (*work)(void *ctx), void *ctx, struct guard_failure *why)
{
    struct guard g = {
        .outer = innermost, .why = why, .work = work, .ctx = ctx
    };
    why->text[0] = 0;
    bool ok = oom_call(guard_work, &g);
    innermost = g.outer;
    if (!ok && !why->text[0])
        snprintf(why->text, sizeof why->text, "out of host memory");
    return ok;
}

void
guard_assertion_failed(const char *expression, const char *file, unsigned line,
                       const char *function)
{
    struct guard *g = innermost;
    if (!g) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line,
                function, expression);
        abort();
    }
    snprintf(g->why->text, sizeof g->why->text, "%s:%u: %s: assertion '%s'",
             file, line, function, expression);
    oom_end(g->call);
}

static void
unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

void
guard_lock(struct guard_lock *l, pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    oom_defer(&l->cleanup, unlock, mutex);
}

void
guard_unlock(struct guard_lock *l)
{
    oom_release(&l->cleanup);
}
