/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/queue/command_buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/held.h"
#include "cl/checks/call_site.h"
#include "cl/checks/checks.h"

static bool
command_buffer_is(cl_command_buffer_khr b)
{
    return object_is(b, OBJECT_COMMAND_BUFFER);
}

/* ---- creation ---- */

static void
destroy_command_buffer(void *object)
{
    cl_command_buffer_khr b = object;
    for (size_t i = 0; i < b->n; i++) {
        command_free(b->commands[i].command);
        free(b->commands[i].waits);
    }
    free(b->commands);
    free(b->properties);
    pthread_mutex_destroy(&b->lock);
    object_unref(b->queue);
}

/* Checks the list of pairs; `n`: its words including the 0. */
static cl_int
check_properties(const cl_command_buffer_properties_khr *list, size_t *n)
{
    for (; list && list[*n]; *n += 2) {
        const uint64_t flags = list[*n + 1];
        CL_EXPECT(list[*n] == CL_COMMAND_BUFFER_FLAGS_KHR, CL_INVALID_VALUE,
                  "the property 0x%" PRIx64
                  " is unknown; expected CL_COMMAND_BUFFER_FLAGS_KHR",
                  (uint64_t)list[*n]);
        CL_EXPECT(!*n, CL_INVALID_VALUE,
                  "CL_COMMAND_BUFFER_FLAGS_KHR is given twice");
        CL_EXPECT(!(flags & ~(uint64_t)CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR),
                  CL_INVALID_VALUE,
                  "the flags are 0x%" PRIx64
                  "; expected 0 or CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR",
                  flags);
    }
    *n += list != NULL;
    return CL_SUCCESS;
}

static cl_int
create_command_buffer(cl_uint num_queues, const cl_command_queue *queues,
                      const cl_command_buffer_properties_khr *properties,
                      cl_command_buffer_khr *buffer)
{
    size_t n = 0;
    CL_EXPECT(num_queues == 1, CL_INVALID_VALUE,
              "num_queues is %u; a command buffer has 1 queue", num_queues);
    CL_EXPECT(queues, CL_INVALID_VALUE, "queues is NULL");
    CL_REQUIRE(queue_is(queues[0]), CL_INVALID_COMMAND_QUEUE);
    CL_CHECK(check_properties(properties, &n));
    cl_command_buffer_khr b =
        object_new(OBJECT_COMMAND_BUFFER, sizeof *b, destroy_command_buffer);
    CL_REQUIRE(b, CL_OUT_OF_HOST_MEMORY);
    pthread_mutex_init(&b->lock, NULL);
    b->queue = object_ref(queues[0]);
    b->n_properties = n;
    b->properties = n ? malloc(n * sizeof *properties) : NULL;
    if (n && !b->properties) {
        object_unref(b);
        return cl_refuse_plain(CL_OUT_OF_HOST_MEMORY);
    }
    if (n)
        memcpy(b->properties, properties, n * sizeof *properties);
    *buffer = b;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_command_buffer_khr CL_API_CALL
command_buffer_create(cl_uint num_queues, const cl_command_queue *queues,
                      const cl_command_buffer_properties_khr *properties,
                      cl_int *errcode_ret)
{
    cl_command_buffer_khr buffer = NULL;
    CL_RETURN(create_command_buffer(num_queues, queues, properties, &buffer),
              buffer);
}

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_retain(cl_command_buffer_khr b)
{
    return object_retain(b, OBJECT_COMMAND_BUFFER,
                         CL_INVALID_COMMAND_BUFFER_KHR);
}

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_release(cl_command_buffer_khr b)
{
    return object_release(b, OBJECT_COMMAND_BUFFER,
                          CL_INVALID_COMMAND_BUFFER_KHR);
}

static bool
is_finalized(cl_command_buffer_khr b)
{
    pthread_mutex_lock(&b->lock);
    bool finalized = b->finalized;
    pthread_mutex_unlock(&b->lock);
    return finalized;
}

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_finalize(cl_command_buffer_khr b)
{
    CL_REQUIRE(command_buffer_is(b), CL_INVALID_COMMAND_BUFFER_KHR);
    pthread_mutex_lock(&b->lock);
    bool first = !b->finalized;
    b->finalized = true;
    pthread_mutex_unlock(&b->lock);
    CL_EXPECT(first, CL_INVALID_OPERATION,
              "the command buffer has been finalized before");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_get_info(cl_command_buffer_khr b,
                        cl_command_buffer_info_khr param_name,
                        size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(command_buffer_is(b), CL_INVALID_COMMAND_BUFFER_KHR);
    switch (param_name) {
    case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
        return INFO(&info, cl_uint, 1);
    case CL_COMMAND_BUFFER_QUEUES_KHR:
        return INFO(&info, cl_command_queue, b->queue);
    case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
        return INFO(&info, cl_uint, object_handles(b));
    case CL_COMMAND_BUFFER_STATE_KHR:
        return INFO(&info, cl_command_buffer_state_khr,
                    is_finalized(b) ? CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
                                    : CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
        return info_put(&info, b->properties,
                        b->n_properties * sizeof *b->properties);
    case CL_COMMAND_BUFFER_CONTEXT_KHR:
        return INFO(&info, cl_context, b->queue->context);
    }
    return info_unknown(param_name);
}

/* ---- recording ---- */

cl_int
submission_record(struct submission *s, cl_command_buffer_khr b,
                  cl_command_queue queue,
                  const cl_command_properties_khr *properties, cl_uint n_waits,
                  const cl_sync_point_khr *waits, cl_sync_point_khr *sync_point,
                  cl_mutable_command_khr *mutable_handle)
{
    CL_REQUIRE(command_buffer_is(b), CL_INVALID_COMMAND_BUFFER_KHR);
    CL_EXPECT(
        !queue, CL_INVALID_COMMAND_QUEUE,
        "command_queue is given; it must be NULL, as a command buffer has "
        "one queue");
    CL_EXPECT(!is_finalized(b), CL_INVALID_OPERATION,
              "the command buffer has been finalized");
    CL_EXPECT(!properties || !properties[0], CL_INVALID_VALUE,
              "the property 0x%" PRIx64 " is unknown; commands have none",
              (uint64_t)properties[0]);
    CL_EXPECT(!mutable_handle, CL_INVALID_VALUE,
              "mutable_handle is given; it must be NULL");
    *s = (struct submission){ .queue = b->queue,
                              .buffer = b,
                              .n_waits = n_waits,
                              .waits = waits,
                              .sync_point = sync_point };
    return CL_SUCCESS;
}

static cl_int
check_sync_points(const struct submission *s)
{
    cl_command_buffer_khr b = s->buffer;
    pthread_mutex_lock(&b->lock);
    size_t n = b->n;
    pthread_mutex_unlock(&b->lock);
    CL_EXPECT(
        !s->n_waits == !s->waits, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        "the wait list has %u sync points, and sync_point_wait_list is %s",
        s->n_waits, s->waits ? "given" : "NULL");
    for (cl_uint i = 0; i < s->n_waits; i++)
        CL_EXPECT(
            s->waits[i] >= 1 && s->waits[i] <= n,
            CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
            "sync point %u of the wait list is %u; the command buffer has "
            "%zu commands, from 1",
            i, s->waits[i], n);
    return CL_SUCCESS;
}

cl_int
submission_check_list(const struct submission *s)
{
    if (s->buffer)
        return check_sync_points(s);
    return event_check_list(s->queue->context, s->wait.n, s->wait.list);
}

/* Makes room for one more command; the lock is held. */
static bool
reserve(cl_command_buffer_khr b)
{
    assert_held(&b->lock);
    if (b->n < b->capacity)
        return true;
    size_t capacity = b->capacity ? 2 * b->capacity : 8;
    struct recorded *commands =
        realloc(b->commands, capacity * sizeof *commands);
    if (!commands)
        return false;
    b->commands = commands;
    b->capacity = capacity;
    return true;
}

/* Appends the command, unless the buffer was finalized meanwhile; the lock is held. */
static cl_int
append(cl_command_buffer_khr b, const struct recorded *r,
       cl_sync_point_khr *sync_point)
{
    assert_held(&b->lock);
    CL_EXPECT(!b->finalized, CL_INVALID_OPERATION,
              "the command buffer has been finalized");
    CL_EXPECT(b->n < CL_UINT_MAX, CL_OUT_OF_RESOURCES,
              "the command buffer has all %u sync points", CL_UINT_MAX);
    CL_REQUIRE(reserve(b), CL_OUT_OF_HOST_MEMORY);
    b->commands[b->n++] = *r;
    if (sync_point)
        *sync_point = (cl_sync_point_khr)b->n;
    return CL_SUCCESS;
}

static cl_int
record(const struct submission *s, cl_command_type type,
       struct command *command)
{
    struct recorded r = { .command = command,
                          .type = type,
                          .caller = checks_api() ? call_site_address() : NULL,
                          .n_waits = s->n_waits };
    r.waits = s->n_waits ? malloc(s->n_waits * sizeof *r.waits) : NULL;
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (r.waits)
        memcpy(r.waits, s->waits, s->n_waits * sizeof *r.waits);
    if (command && !r.waits == !s->n_waits) {
        pthread_mutex_lock(&s->buffer->lock);
        code = append(s->buffer, &r, s->sync_point);
        pthread_mutex_unlock(&s->buffer->lock);
    }
    if (code == CL_SUCCESS)
        return code;
    command_free(command);
    free(r.waits);
    return code == CL_OUT_OF_HOST_MEMORY ? cl_refuse_plain(code) : code;
}

cl_int
submission_end(const struct submission *s, cl_command_type type,
               struct command *command)
{
    if (s->buffer)
        return record(s, type, command);
    return queue_enqueue(s->queue, type, command, &s->wait, s->blocking,
                         s->event);
}

/* ---- execution ---- */

/* A run of the commands; `stamp`: the place of each in the order of commands, for
 * checks, or NULL. */
struct run {
    cl_event whole; /* event of the enqueued command buffer */
    cl_command_buffer_khr buffer;
    struct order_stamp *stamp;
    size_t barrier; /* sync point of the last barrier; 0: none yet */
    cl_ulong took_ns;
};

/* Orders command i after those of the run that it waits for, as sync points, barriers
 * and the recording queue say, and after all that the whole waited for. */
static void
order_command(struct run *run, size_t i)
{
    const struct recorded *r = &run->buffer->commands[i];
    struct order_stamp *own = &run->stamp[i];
    cl_context c = run->whole->context;
    const bool in_order = !(run->buffer->queue->properties &
                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const bool all = r->type == CL_COMMAND_BARRIER && !r->n_waits;
    own->caller = r->caller;
    pthread_mutex_lock(&c->lock);
    own->clock = run->whole->stamp->clock;
    for (cl_uint k = 0; k < r->n_waits; k++)
        order_join(&own->clock, &run->stamp[r->waits[k] - 1].clock);
    for (size_t k = all ? 0 : in_order && i ? i - 1 : i; k < i; k++)
        order_join(&own->clock, &run->stamp[k].clock);
    if (run->barrier)
        order_join(&own->clock, &run->stamp[run->barrier - 1].clock);
    order_begin(&c->order, own);
    pthread_mutex_unlock(&c->lock);
    if (r->type == CL_COMMAND_BARRIER)
        run->barrier = i + 1;
}

/* Runs command i with an event of its own, which only checks and clocks see. */
static cl_int
run_recorded(struct run *run, size_t i)
{
    const struct recorded *r = &run->buffer->commands[i];
    const cl_ulong start = clock_now_ns();
    struct _cl_event part = { .base.serial = run->whole->base.serial,
                              .context = run->whole->context,
                              .queue = run->whole->queue,
                              .type = r->type,
                              .recorded = true,
                              .stamp = run->stamp ? &run->stamp[i] : NULL,
                              .time = { start, start, start, start } };
    if (run->stamp)
        order_command(run, i);
    cl_int code = r->command->run(r->command, &part);
    if (part.time[EVENT_END] <= start)
        part.time[EVENT_END] = clock_now_ns();
    run->took_ns += part.time[EVENT_END] - start;
    return code;
}

/* Orders all that waits for the whole after each of the commands. */
static void
order_whole(const struct run *run)
{
    cl_context c = run->whole->context;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < run->buffer->n; i++)
        order_join(&run->whole->stamp->clock, &run->stamp[i].clock);
    pthread_mutex_unlock(&c->lock);
}

struct replay {
    struct command base;
    cl_command_buffer_khr buffer; /* owned reference */
};

static cl_int
run_replay(struct command *command, cl_event e)
{
    cl_command_buffer_khr b = ((struct replay *)command)->buffer;
    struct run run = { .whole = e, .buffer = b };
    assert(b->finalized && "commands are constant while they run");
    if (e->stamp)
        run.stamp = calloc(b->n + 1, sizeof *run.stamp);
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; code == CL_SUCCESS && i < b->n; i++)
        code = run_recorded(&run, i);
    if (run.stamp)
        order_whole(&run);
    e->time[EVENT_END] = e->time[EVENT_START] + run.took_ns;
    free(run.stamp);
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_enqueue(cl_uint num_queues, cl_command_queue *queues,
                       cl_command_buffer_khr b, cl_uint num_events_in_wait_list,
                       const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    CL_REQUIRE(command_buffer_is(b), CL_INVALID_COMMAND_BUFFER_KHR);
    CL_EXPECT(is_finalized(b), CL_INVALID_OPERATION,
              "the command buffer is not finalized; "
              "clFinalizeCommandBufferKHR does that");
    CL_EXPECT(!num_queues == !queues && num_queues <= 1, CL_INVALID_VALUE,
              "num_queues is %u and queues is %s; expected 1 queue, or 0 and "
              "NULL",
              num_queues, queues ? "given" : "NULL");
    cl_command_queue q = queues ? queues[0] : b->queue;
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    CL_EXPECT(q->device == b->queue->device, CL_INVALID_DEVICE,
              "the queue is of another device than that of the command buffer");
    CL_EXPECT(
        q->context == b->queue->context, CL_INVALID_CONTEXT,
        "the queue is of another context than that of the command buffer");
    CL_CHECK(event_check_list(q->context, wait.n, wait.list));
    struct replay *r = command_new(sizeof *r, run_replay);
    if (!r || !command_use(&r->base, b)) {
        command_free(r ? &r->base : NULL);
        return cl_refuse_plain(CL_OUT_OF_HOST_MEMORY);
    }
    r->buffer = b;
    return queue_enqueue(q, CL_COMMAND_COMMAND_BUFFER_KHR, &r->base, &wait,
                         false, event);
}
