/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/context/context.h"
#include "cl/queue/command.h"

struct worker;

/* A queue has a worker, a thread that executes commands in the order in which they
 * become ready.  In an in-order queue each command waits for the one before; in an
 * out-of-order queue for the last barrier. */
struct _cl_command_queue {
    struct object base;
    cl_context context;
    cl_device_id device;
    cl_uint device_index; /* index in the context */
    cl_command_queue_properties properties;
    cl_queue_properties *list; /* as given, including the 0; or NULL */
    size_t n_list;
    struct worker *worker;

    /* Protected by the lock of the context: */
    cl_event first, last; /* commands that have not ended, owned */
    cl_event barrier;     /* the last barrier among these */
    uint64_t enqueued;    /* number of commands so far */
    cl_int failure;  /* of a command; kept until the application learns it */
    uint64_t failed; /* number of that command */
    /* With --check=api: clocks that later commands join: of commands that have ended,
     * of barriers. */
    struct order_clock ended, passed;
};

static inline bool
queue_is(cl_command_queue q)
{
    return object_is(q, OBJECT_QUEUE);
}

/* The entry of cl_khr_create_command_queue. */
CL_API_ENTRY cl_command_queue CL_API_CALL
queue_create_khr(cl_context context, cl_device_id device,
                 const cl_queue_properties_khr *properties,
                 cl_int *errcode_ret);

/* ---- worker.c ---- */

struct worker *
worker_new(void);

/* Starts the thread; false: the host cannot.  The lock of the context is held. */
bool
worker_start(struct worker *w);

void
worker_push(struct worker *w, cl_event ready);

/* Ends the thread when no command is ready any more; the worker then frees itself. */
void
worker_stop(struct worker *w);
