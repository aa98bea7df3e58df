/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/context.h"
#include "cl/queue.h"

/*
 * An event is a node of the graph of commands: either a command in a queue or
 * a user event.  All below the line is under the lock of its context.
 *
 *     QUEUED ── last predecessor ended ──> SUBMITTED ── worker ──> RUNNING
 *            ── worker ──> COMPLETE, or a negative code
 *
 * A queue owns its events until they have ended, so that a predecessor may
 * point to its followers.
 */
struct edge {
    struct edge *next;
    cl_event follower;
    bool listed; /* in a wait list: errors are passed on */
};

struct event_callback {
    struct event_callback *next;
    cl_int type;
    void(CL_CALLBACK *call)(cl_event event, cl_int status, void *user_data);
    void *user_data;
};

enum event_time {
    EVENT_QUEUED,
    EVENT_SUBMIT,
    EVENT_START,
    EVENT_END,
    EVENT_TIMES
};

struct _cl_event {
    struct object base;
    cl_context context;
    cl_command_queue queue; /* NULL: a user event */
    cl_command_type type;
    struct command *command; /* of the worker, until it has ended */
    struct edge *edges;      /* memory of the edges that lead here */
    struct order_stamp
        *stamp; /* NULL unless --check=api; under lock until it runs */

    /* ---- */
    cl_int status;
    unsigned waits;   /* predecessors that have not ended */
    bool wait_failed; /* one of the wait list ended with an error */
    bool waits_all;   /* counts in waits as one: all before it in its queue */
    struct edge *followers;
    struct event_callback *callbacks;
    uint64_t number;         /* in its queue */
    cl_event previous, next; /* in its queue, until it has ended */
    cl_event next_ready;     /* of its worker */
    cl_ulong time[EVENT_TIMES];
};

static inline bool
event_is(cl_event e)
{
    return object_is(e, OBJECT_EVENT);
}

/* A new event with one handle; the queue is NULL for user events. */
cl_event
event_new(cl_context context, cl_command_queue queue, cl_command_type type);

/*
 * Enqueues the command, which becomes the queue's whatever happens.  Waits
 * for its end if `blocking`.  The event, if wanted, is the application's.
 */
cl_int
queue_enqueue(cl_command_queue q, cl_command_type type, struct command *command,
              const struct wait *wait, bool blocking, cl_event *event);

/* Lock held: it waits for `before`, if that has not ended. */
void
event_follow(cl_event event, cl_event before, struct edge *edge, bool listed);

/* On the worker of its queue: runs the command, ends the event, unrefs it. */
void
event_execute(cl_event event);

/*
 * Waits; the status, CL_COMPLETE or a negative code.  Of a command that ended well
 * *before is the failure of an earlier one of its in-order queue, which the application
 * is told now, or CL_SUCCESS.
 */
cl_int
event_wait(cl_event event, cl_int *before);

/* Lock of the context held: the program knows that it has ended. */
void
event_learn(cl_event event);

/* Lock of the context held: the failure that clFinish and the like have to return now. */
cl_int
queue_take_failure(cl_command_queue q);

/* Waits until no command of the context is left. */
void
event_wait_all(cl_context context);

/* Checks a wait list, in the order of the specification. */
cl_int
event_check_list(cl_context context, cl_uint n, const cl_event *list);
