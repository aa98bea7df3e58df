/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/queue/event.h"
#include "base/clock.h"

#include <assert.h>
#include <stdlib.h>

#include "base/held.h"
#include "cl/checks/call_site.h"
#include "cl/checks/checks.h"

static void
event_end(cl_event e, cl_int status);

/* Destroys an event.  A user event that was never set fails: commands that wait for it
 * must not wait for ever. */
static void
destroy_event(void *object)
{
    cl_event e = object;
    assert(!e->command && !e->previous && !e->next &&
           "a dead event has left its queue");
    while (e->callbacks) {
        struct event_callback *next = e->callbacks->next;
        free(e->callbacks);
        e->callbacks = next;
    }
    if (e->followers)
        event_end(e, CL_INVALID_EVENT);
    free(e->edges);
    free(e->stamp);
    object_unref(e->queue);
    object_unref(e->context);
}

/* ---- the order of commands, for checks ---- */

static void
add_stamp(cl_event e)
{
    if (!checks_api())
        return;
    e->stamp = calloc(1, sizeof *e->stamp);
    if (!e->stamp)
        return;
    e->stamp->caller = call_site_address();
    pthread_mutex_lock(&e->context->lock);
    e->stamp->clock = e->context->order.program;
    pthread_mutex_unlock(&e->context->lock);
}

/* Orders all commands in the clock before this one; the lock is held. */
static void
join_clock(cl_event e, const struct order_clock *before)
{
    assert_held(&e->context->lock);
    if (e->stamp)
        order_join(&e->stamp->clock, before);
}

static void
join_event(cl_event e, cl_event before)
{
    if (before->stamp)
        join_clock(e, &before->stamp->clock);
}

void
event_learn(cl_event e)
{
    assert_held(&e->context->lock);
    if (e->stamp)
        order_join(&e->context->order.program, &e->stamp->clock);
}

/* Orders later commands of an in-order queue after an event that has ended; the lock
 * is held. */
static void
join_queue(cl_event e)
{
    assert_held(&e->context->lock);
    if (!e->stamp)
        return;
    if (e->stamp->read && !e->stamp->number)
        e->stamp->read->ignored = true;
    order_join(&e->queue->ended, &e->stamp->clock);
    if (e->type == CL_COMMAND_BARRIER)
        order_join(&e->queue->passed, &e->stamp->clock);
}

cl_event
event_new(cl_context context, cl_command_queue queue, cl_command_type type)
{
    cl_event e = object_new(OBJECT_EVENT, sizeof *e, destroy_event);
    if (!e)
        return NULL;
    e->context = object_ref(context);
    e->queue = queue ? object_ref(queue) : NULL;
    e->type = type;
    e->status = queue ? CL_QUEUED : CL_SUBMITTED;
    e->time[EVENT_QUEUED] = clock_now_ns();
    add_stamp(e);
    return e;
}

void
event_follow(cl_event e, cl_event before, struct edge *edge, bool listed)
{
    assert_held(&e->context->lock);
    assert(e != before && e->context == before->context && edge &&
           "an edge leads to another event of the context");
    if (before->status <= CL_COMPLETE) {
        e->wait_failed |= listed && before->status < 0;
        join_event(e, before);
        return;
    }
    *edge = (struct edge){ before->followers, e, listed };
    before->followers = edge;
    e->waits++;
}

/* ---- callbacks ---- */

/* Calls the callbacks that are due; no lock is held. */
static void
run_callbacks(cl_event e)
{
    struct event_callback *due = NULL, **end = &due;
    pthread_mutex_lock(&e->context->lock);
    cl_int status = e->status;
    for (struct event_callback **c = &e->callbacks; *c;) {
        if ((*c)->type < status) {
            c = &(*c)->next;
            continue;
        }
        *end = *c;
        *c = (*c)->next;
        end = &(*end)->next;
        *end = NULL;
    }
    if (due && status <= CL_COMPLETE)
        event_learn(e);
    pthread_mutex_unlock(&e->context->lock);
    while (due) {
        struct event_callback *c = due;
        due = c->next;
        c->call(e, status < 0 ? status : c->type, c->user_data);
        free(c);
    }
}

typedef void(CL_CALLBACK *event_fn)(cl_event, cl_int, void *);

CL_API_ENTRY cl_int CL_API_CALL
clSetEventCallback(cl_event e, cl_int type, event_fn pfn_notify,
                   void *user_data)
{
    CL_REQUIRE(event_is(e), CL_INVALID_EVENT);
    CL_EXPECT(pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
    CL_EXPECT(type == CL_SUBMITTED || type == CL_RUNNING || type == CL_COMPLETE,
              CL_INVALID_VALUE,
              "command_exec_callback_type is %d; it must be CL_SUBMITTED, "
              "CL_RUNNING or CL_COMPLETE",
              type);
    struct event_callback *c = malloc(sizeof *c);
    CL_REQUIRE(c, CL_OUT_OF_HOST_MEMORY);
    *c = (struct event_callback){ NULL, type, pfn_notify, user_data };
    object_ref(e);
    pthread_mutex_lock(&e->context->lock);
    struct event_callback **end = &e->callbacks;
    while (*end)
        end = &(*end)->next;
    *end = c;
    bool due = e->status <= type;
    pthread_mutex_unlock(&e->context->lock);
    if (due)
        run_callbacks(e);
    object_unref(e);
    return CL_SUCCESS;
}

/* ---- life cycle of a command ---- */

/* Removes the event from the list of its queue; the lock is held. */
static void
leave_queue(cl_event e)
{
    cl_command_queue q = e->queue;
    assert_held(&e->context->lock);
    assert(e->previous ? e->previous->next == e : q->first == e);
    assert(e->next ? e->next->previous == e : q->last == e);
    *(e->previous ? &e->previous->next : &q->first) = e->next;
    *(e->next ? &e->next->previous : &q->last) = e->previous;
    e->previous = e->next = NULL;
    if (q->barrier == e)
        q->barrier = NULL;
    assert(e->context->pending && "the event was counted when it was appended");
    e->context->pending--;
    if (e->status < 0 && !e->wait_failed) {
        q->failure = e->status;
        q->failed = e->number;
    }
}

/* Submits the command, as its last predecessor has ended; the lock is held. */
static void
make_ready(cl_event e)
{
    assert_held(&e->context->lock);
    assert(e->status == CL_QUEUED && !e->waits && e->queue && e->command);
    e->status = CL_SUBMITTED;
    e->time[EVENT_SUBMIT] = clock_now_ns();
    worker_push(e->queue->worker, e);
}

/* Counts the end of one predecessor; the lock is held. */
static void
release_one(cl_event e)
{
    assert_held(&e->context->lock);
    assert(e->status == CL_QUEUED);
    assert(e->waits > 0 && "each predecessor ends once");
    if (--e->waits == 0)
        make_ready(e);
}

/* Releases a command that waits for all earlier ones, when it is the oldest one left;
 * the lock is held.  Edges from each of them would cost memory and time in proportion
 * to the pending commands, for every marker. */
static void
release_oldest(cl_command_queue q)
{
    assert_held(&q->context->lock);
    cl_event e = q->first;
    if (e && e->waits_all) {
        assert(!e->previous && e->waits > 0 &&
               "the oldest command has no predecessor left");
        e->waits_all = false;
        join_clock(e, &q->ended);
        release_one(e);
    }
}

/* Sets the final status, releases the followers, runs the callbacks. */
static void
event_end(cl_event e, cl_int status)
{
    cl_context c = e->context;
    pthread_mutex_lock(&c->lock);
    assert(status <= CL_COMPLETE && !e->waits && !e->command);
    assert((!e->queue || e->status > CL_COMPLETE) && "an event ends once");
    e->status = status;
    if (e->queue) {
        leave_queue(e);
        join_queue(e);
        release_oldest(e->queue);
    }
    struct edge *followers = e->followers;
    e->followers = NULL;
    while (followers) {
        cl_event f = followers->follower;
        f->wait_failed |= followers->listed && status < 0;
        join_event(f, e);
        followers = followers->next; /* the edge is memory of f */
        release_one(f);
    }
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    run_callbacks(e);
}

static void
set_running(cl_event e)
{
    pthread_mutex_lock(&e->context->lock);
    assert(e->status == CL_SUBMITTED && e->command);
    e->status = CL_RUNNING;
    if (e->stamp)
        order_begin(&e->context->order, e->stamp);
    pthread_mutex_unlock(&e->context->lock);
    e->time[EVENT_START] = e->time[EVENT_END] = clock_now_ns();
    run_callbacks(e);
}

void
event_execute(cl_event e)
{
    assert(e->queue && e->command && !e->waits &&
           "the last predecessor has ended");
    cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    run_callbacks(e);
    if (!e->wait_failed) {
        set_running(e);
        status = e->command->run(e->command, e);
        if (e->time[EVENT_END] <= e->time[EVENT_START])
            e->time[EVENT_END] = clock_now_ns();
    }
    /* The command is freed before its event ends: a waiting thread may then check the
     * objects. */
    command_free(e->command);
    e->command = NULL;
    event_end(e, status);
    object_unref(e);
}

/* Appends to the list of the queue; the lock is held. */
static void
append_event(cl_command_queue q, cl_event e)
{
    assert_held(&q->context->lock);
    assert(!e->previous && !e->next && !q->first == !q->last);
    assert(!q->last || !q->last->next);
    e->number = ++q->enqueued;
    e->previous = q->last;
    *(q->last ? &q->last->next : &q->first) = e;
    q->last = e;
    q->context->pending++;
}

/* Adds the edges from all predecessors; the lock is held. */
static void
link_up(cl_command_queue q, cl_event e, const struct wait *wait)
{
    struct edge *edge = e->edges;
    assert_held(&q->context->lock);
    assert(e->queue == q && e->status == CL_QUEUED && !e->waits);
    bool barrier = e->type == CL_COMMAND_BARRIER;
    bool all = !wait->n && (barrier || e->type == CL_COMMAND_MARKER);
    for (cl_uint i = 0; i < wait->n; i++)
        event_follow(e, wait->list[i], edge++, true);
    if (!(q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) {
        if (q->last)
            event_follow(e, q->last, edge++, false);
    } else if (all) {
        e->waits_all = q->first != NULL;
        e->waits += e->waits_all;
    } else if (q->barrier) {
        event_follow(e, q->barrier, edge++, false);
    }
    const bool in_order =
        !(q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    join_clock(e, in_order || all ? &q->ended : &q->passed);
    assert(edge <= e->edges + wait->n + 1 &&
           "enter_queue allocated n + 1 edges");
    append_event(q, e);
    if (barrier)
        q->barrier = e;
}

/* Records a read that the program has to wait for; the lock is held. */
static void
note_read(cl_event e)
{
    if (!e->stamp || (e->type != CL_COMMAND_READ_BUFFER &&
                      e->type != CL_COMMAND_READ_BUFFER_RECT &&
                      e->type != CL_COMMAND_READ_IMAGE))
        return;
    order_add_read(&e->context->order, e->stamp, e->type);
    checks_at_end(OBJECT_CONTEXT, conflict_tell_reads);
}

/* Enters the event into its queue; false: no memory, or no thread. */
static bool
enter_queue(cl_command_queue q, cl_event e, const struct wait *wait)
{
    pthread_mutex_lock(&q->context->lock);
    e->edges = calloc((size_t)wait->n + 1, sizeof *e->edges);
    bool ok = e->edges && worker_start(q->worker);
    if (ok) {
        link_up(q, e, wait);
        note_read(e);
        if (!e->waits)
            make_ready(e);
    }
    pthread_mutex_unlock(&q->context->lock);
    return ok;
}

cl_int
queue_enqueue(cl_command_queue q, cl_command_type type, struct command *command,
              const struct wait *wait, bool blocking, cl_event *event)
{
    cl_event e = command ? event_new(q->context, q, type) : NULL;
    if (!e) {
        command_free(command);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for a command");
    }
    e->command = command;
    object_ref(e); /* reference of the queue, until the event has ended */
    if (!enter_queue(q, e, wait)) {
        command_free(command);
        e->command = NULL;
        object_unref(e);
        object_release(e, OBJECT_EVENT, CL_INVALID_EVENT);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for a command");
    }
    cl_int before = CL_SUCCESS;
    cl_int status = blocking ? event_wait(e, &before) : CL_COMPLETE;
    if (event && status >= CL_COMPLETE && before == CL_SUCCESS)
        *event = e;
    else
        object_release(e, OBJECT_EVENT, CL_INVALID_EVENT);
    if (status < CL_COMPLETE)
        return cl_answer(status, "the command failed with this status");
    if (before != CL_SUCCESS)
        return cl_answer(before,
                         "an earlier command of the in-order queue failed "
                         "with this status; this command ran, on the memory "
                         "that the failure left");
    return CL_SUCCESS;
}

cl_int
queue_take_failure(cl_command_queue q)
{
    assert_held(&q->context->lock);
    cl_int failure = q->failure;
    q->failure = CL_SUCCESS;
    return failure;
}

/* Whether the failure of the queue is that of a command that e had to wait for; the
 * lock is held. */
static bool
follows_failure(cl_event e)
{
    assert_held(&e->context->lock);
    cl_command_queue q = e->queue;
    return q && q->failure != CL_SUCCESS && q->failed < e->number &&
           !(q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

cl_int
event_wait(cl_event e, cl_int *before)
{
    *before = CL_SUCCESS;
    pthread_mutex_lock(&e->context->lock);
    while (e->status > CL_COMPLETE)
        pthread_cond_wait(&e->context->changed, &e->context->lock);
    cl_int status = e->status;
    event_learn(e);
    if (status == CL_COMPLETE && follows_failure(e))
        *before = queue_take_failure(e->queue);
    else if (status < 0 && e->queue && e->queue->failed == e->number)
        queue_take_failure(e->queue); /* the caller reports it */
    pthread_mutex_unlock(&e->context->lock);
    return status;
}

void
event_wait_all(cl_context c)
{
    pthread_mutex_lock(&c->lock);
    while (c->pending)
        pthread_cond_wait(&c->changed, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

/* ---- user events ---- */

static cl_int
create_user_event(cl_context context, cl_event *event)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    *event = event_new(context, NULL, CL_COMMAND_USER);
    CL_REQUIRE(*event, CL_OUT_OF_HOST_MEMORY);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_event CL_API_CALL
clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    cl_event event = NULL;
    CL_RETURN(create_user_event(context, &event), event);
}

bool
event_set(cl_event e, cl_int status, cl_event by)
{
    assert(!e->queue && status <= CL_COMPLETE && "a user event ends");
    pthread_mutex_lock(&e->context->lock);
    bool first = e->status > CL_COMPLETE;
    if (first && by)
        join_event(e, by);
    else if (first)
        join_clock(e, &e->context->order.program);
    if (first)
        e->status = status;
    pthread_mutex_unlock(&e->context->lock);
    if (first)
        event_end(e, status);
    return first;
}

CL_API_ENTRY cl_int CL_API_CALL
clSetUserEventStatus(cl_event e, cl_int execution_status)
{
    CL_REQUIRE(event_is(e), CL_INVALID_EVENT);
    CL_EXPECT(!e->queue, CL_INVALID_EVENT,
              "the event is that of a command, not of clCreateUserEvent");
    CL_EXPECT(execution_status <= CL_COMPLETE, CL_INVALID_VALUE,
              "execution_status is %d; it must be CL_COMPLETE or negative",
              execution_status);
    object_ref(e);
    bool first = event_set(e, execution_status, NULL);
    object_unref(e);
    CL_EXPECT(first, CL_INVALID_OPERATION, "the status has been set before");
    return CL_SUCCESS;
}
