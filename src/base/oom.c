/* SPDX-License-Identifier: Apache-2.0 */
#include "base/oom.h"

#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct oom_call {
    struct oom_call *outer;
    /* Newest deferred release when the call began. */
    struct oom_cleanup *cleanup;
    jmp_buf end;
};

static _Thread_local struct oom_call *innermost;
static _Thread_local struct oom_cleanup *newest;

/* setjmp: only `call` is used after the jump, and it does not change. */
bool
oom_call(void (*work)(void *ctx), void *ctx)
{
    struct oom_call call = { .outer = innermost, .cleanup = newest };
    bool ok = setjmp(call.end) == 0;
    if (ok) {
        innermost = &call;
        work(ctx);
        assert(newest == call.cleanup && "a deferred release stays");
    }
    innermost = call.outer;
    return ok;
}

void
oom_defer(struct oom_cleanup *c, void (*release)(void *what), void *what)
{
    *c = (struct oom_cleanup){ newest, release, what };
    newest = c;
}

void
oom_keep(struct oom_cleanup *c)
{
    assert(newest == c && "released in another order than deferred");
    newest = c->older;
}

void
oom_release(struct oom_cleanup *c)
{
    oom_keep(c);
    c->release(c->what);
}

struct oom_call *
oom_innermost(void)
{
    return innermost;
}

void
oom_end(struct oom_call *call)
{
    while (newest != call->cleanup)
        oom_release(newest);
    longjmp(call->end, 1);
}

void
base_out_of_memory(size_t count, size_t size)
{
    struct oom_call *call = innermost;
    if (!call) {
        fprintf(stderr, "ventus: out of memory: %zu x %zu bytes\n", count,
                size);
        exit(EXIT_FAILURE);
    }
    oom_end(call);
}
