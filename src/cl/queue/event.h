/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/context/context.h"
#include "cl/queue/queue.h"

/*
 * An event is a node of the graph of commands: either a command in a queue or a user
 * event.  The members below the line are protected by the lock of its context.
 *
 *     QUEUED ── last predecessor ended ──> SUBMITTED ── worker ──> RUNNING
 *            ── worker ──> COMPLETE, or a negative code
 *
 * A queue owns its events until they have ended, so that a predecessor may point to
 * its followers.
 */
struct edge {
    struct edge *next;
    cl_event follower;
    bool listed; /* from a wait list: errors are passed on */
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
    struct command *command; /* used by the worker, until it has ended */
    struct edge *edges;      /* memory of the incoming edges */
    bool recorded; /* that of a command in a command buffer that runs */
    struct order_stamp
        *stamp; /* NULL unless --check=api; protected by lock until it runs */

    /* ---- */
    cl_int status;
    unsigned waits;   /* number of predecessors that have not ended */
    bool wait_failed; /* an event of the wait list ended with an error */
    /* All earlier commands of its queue count as one in waits. */
    bool waits_all;
    struct edge *followers;
    struct event_callback *callbacks;
    uint64_t number;         /* number in its queue */
    cl_event previous, next; /* list of its queue, until it has ended */
    cl_event next_ready;     /* list of its worker */
    cl_ulong time[EVENT_TIMES];
};

static inline bool
event_is(cl_event e)
{
    return object_is(e, OBJECT_EVENT);
}

/* Makes an event with one handle; the queue is NULL for user events. */
cl_event
event_new(cl_context context, cl_command_queue queue, cl_command_type type);

/* Enqueues the command, which the queue owns in any case.  Waits for its end if
 * `blocking`.  The event, if requested, belongs to the application. */
cl_int
queue_enqueue(cl_command_queue q, cl_command_type type, struct command *command,
              const struct wait *wait, bool blocking, cl_event *event);

/* Makes the event wait for `before`, unless that has ended; the lock is held. */
void
event_follow(cl_event event, cl_event before, struct edge *edge, bool listed);

/* Runs the command on the worker of its queue, ends the event and releases it. */
void
event_execute(cl_event event);

/* Waits for the end and returns the status, CL_COMPLETE or a negative code.  If that
 * is CL_COMPLETE, *before is the failure of an earlier command of the in-order queue,
 * which the application learns now, or CL_SUCCESS. */
cl_int
event_wait(cl_event event, cl_int *before);

/* Records that the program knows of the event's end; the lock of the context is held. */
void
event_learn(cl_event event);

/* Takes the failure that clFinish and the like return now; the lock of the context is
 * held. */
cl_int
queue_take_failure(cl_command_queue q);

/* Ends a user event, after command `by`, or NULL: after what the program has waited for.
 * False: it has ended before. */
bool
event_set(cl_event event, cl_int status, cl_event by);

/* The status now; the program learns of the end. */
cl_int
event_status(cl_event event);

/* Waits until all commands of the context have ended. */
void
event_wait_all(cl_context context);

/* Checks a wait list, in the order of the specification. */
cl_int
event_check_list(cl_context context, cl_uint n, const cl_event *list);
