/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Memory that has run out.  arena, vec, map and buf return no NULL: they end
 * the innermost protected call of their thread, which then returns false.
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
 * What is on the list of deferred releases when memory runs out is released,
 * the newest first; what belongs to the caller stays as it is and is freed by
 * the caller.  A protected call takes no lock: one that its caller holds
 * stays held and is unlocked by the caller.  Outside of any protected call,
 * in a tool, the program ends with a message.
 */
struct oom_cleanup {
    struct oom_cleanup *older;
    void (*release)(void *what);
    void *what;
};

/* Calls work(ctx); false: memory ran out in it. */
bool
oom_call(void (*work)(void *ctx), void *ctx);

/* Puts release(what) on the list of this thread; `c` lives until it is off. */
void
oom_defer(struct oom_cleanup *c, void (*release)(void *what), void *what);

/* Takes the newest off the list and releases it. */
void
oom_release(struct oom_cleanup *c);

/* Takes the newest off the list: it is the caller's now. */
void
oom_keep(struct oom_cleanup *c);

/* The innermost protected call of this thread, or NULL; and its end, with those in it, as
 * if memory had run out. */
struct oom_call;

struct oom_call *
oom_innermost(void);

_Noreturn void
oom_end(struct oom_call *call);

/* No memory for `count` objects of `size` bytes. */
_Noreturn void
base_out_of_memory(size_t count, size_t size);
