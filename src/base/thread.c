/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>

struct start {
    void (*run)(void *ctx);
    void *ctx;
};

static void *
enter_thread(void *arg)
{
    struct start s = *(struct start *)arg;
    free(arg);
    s.run(s.ctx);
    return NULL;
}

static bool
create_thread(pthread_t *id, const pthread_attr_t *attr, void (*run)(void *ctx),
              void *ctx)
{
    sigset_t all, before;
    struct start *s = malloc(sizeof *s);
    if (!s)
        return false;
    *s = (struct start){ run, ctx };
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = pthread_create(id, attr, enter_thread, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!ok)
        free(s);
    return ok;
}

bool
thread_start(struct thread_handle *t, void (*run)(void *ctx), void *ctx)
{
    return create_thread(&t->id, NULL, run, ctx);
}

void
thread_join(struct thread_handle *t)
{
    int failed = pthread_join(t->id, NULL);
    assert(!failed && "a thread that was started can be joined once");
    (void)failed;
}

bool
thread_start_detached(void (*run)(void *ctx), void *ctx)
{
    pthread_t id;
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0)
        return false;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    bool ok = create_thread(&id, &attr, run, ctx);
    pthread_attr_destroy(&attr);
    return ok;
}
