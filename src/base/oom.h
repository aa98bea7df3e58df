/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Exhausted memory.  arena, vec, map and buf return no NULL: they end the innermost
 * protected call of their thread, which then returns false.
 *
 *     static void
 *     read(void *ctx)
 *     {
 *         struct job *j = ctx;
 *         struct buf text = { 0 };
 *         struct oom_cleanup c;
 *         oom_defer_buf(&c, &text);           defer.h
 *         ... arenas and buffers grow ...
 *         oom_release(&c);                  frees text
 *     }
 *
 *     if (!oom_call(read, &job))
 *         return CL_OUT_OF_HOST_MEMORY;
 *
 * Deferred releases of the call are made when memory runs out, the newest first;
 * objects of the caller stay as they are and are freed by the caller.  A protected
 * call takes no lock: a lock that its caller holds stays held and is unlocked by the
 * caller.  Outside of any protected call, in a tool, the program ends with a message.
 */
struct oom_cleanup {
    struct oom_cleanup *older;
    void (*release)(void *what);
    void *what;
};

/* Calls work(ctx); false: memory ran out in it. */
bool
oom_call(void (*work)(void *ctx), void *ctx);

/* Puts release(what) on this thread's list of deferred releases; `c` must live until
 * it is taken off by oom_release or oom_keep. */
void
oom_defer(struct oom_cleanup *c, void (*release)(void *what), void *what);

/* Takes the newest deferred release off the list and makes it. */
void
oom_release(struct oom_cleanup *c);

/* Takes the newest deferred release off the list; the caller owns the object now. */
void
oom_keep(struct oom_cleanup *c);

/* A protected call of this thread: the innermost, or NULL; and ending one together
 * with the calls inside it, as if memory had run out. */
struct oom_call;

struct oom_call *
oom_innermost(void);

_Noreturn void
oom_end(struct oom_call *call);

/* Ends the protected call, because there is no memory for `count` objects of `size`
 * bytes. */
_Noreturn void
base_out_of_memory(size_t count, size_t size);
