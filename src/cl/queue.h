/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/command.h"
#include "cl/context.h"

struct worker;

/*
 * A queue has a worker, a thread that executes what has become ready, in the
 * order in which it became so.  In an in-order queue each command waits for
 * the one before; in the other kind for the last barrier.
 */
struct _cl_command_queue {
    struct object base;
    cl_context context;
    cl_device_id device;
    cl_uint device_index; /* in the context */
    cl_command_queue_properties properties;
    cl_queue_properties *list; /* as given, up to the 0; or NULL */
    size_t n_list;
    struct worker *worker;

    /* Under the lock of the context. */
    cl_event first, last; /* commands that have not ended, owned */
    cl_event barrier;     /* the last one of these that is a barrier */
    uint64_t enqueued;    /* commands so far */
    cl_int failure;       /* of a command, until the application is told */
    uint64_t failed;      /* the number of that command */
    /* With --check=api: what is ordered before all that come: of commands that have ended,
     * of barriers. */
    struct order_clock ended, passed;
};

static inline bool
queue_is(cl_command_queue q)
{
    return object_is(q, OBJECT_QUEUE);
}

/* ---- worker.c ---- */

struct worker *
worker_new(void);

/* Lock of the context held.  False: there can be no thread. */
bool
worker_start(struct worker *w);

void
worker_push(struct worker *w, cl_event ready);

/* It ends when nothing is ready any more, and frees itself. */
void
worker_stop(struct worker *w);
