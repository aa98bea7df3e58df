/* SPDX-License-Identifier: Apache-2.0 */
/* Markers and barriers, which are commands that do nothing; clFinish. */
#include "cl/queue/command_buffer.h"

static cl_int
run_nothing(struct command *command, cl_event event)
{
    (void)command, (void)event;
    return CL_SUCCESS;
}

static cl_int
enqueue_nothing(cl_command_queue q, cl_command_type type,
                const struct wait *wait, cl_event *event)
{
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    CL_CHECK(event_check_list(q->context, wait->n, wait->list));
    return queue_enqueue(q, type,
                         command_new(sizeof(struct command), run_nothing), wait,
                         false, event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueMarkerWithWaitList(cl_command_queue queue,
                            cl_uint num_events_in_wait_list,
                            const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    return enqueue_nothing(queue, CL_COMMAND_MARKER, &wait, event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueBarrierWithWaitList(cl_command_queue queue,
                             cl_uint num_events_in_wait_list,
                             const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    return enqueue_nothing(queue, CL_COMMAND_BARRIER, &wait, event);
}

CL_API_ENTRY cl_int CL_API_CALL
barrier_record(cl_command_buffer_khr command_buffer,
               cl_command_queue command_queue,
               const cl_command_properties_khr *properties,
               cl_uint num_sync_points_in_wait_list,
               const cl_sync_point_khr *sync_point_wait_list,
               cl_sync_point_khr *sync_point,
               cl_mutable_command_khr *mutable_handle)
{
    struct submission s;
    CL_CHECK(submission_record(&s, command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list,
                               sync_point_wait_list, sync_point,
                               mutable_handle));
    CL_CHECK(submission_check_list(&s));
    return submission_end(&s, CL_COMMAND_BARRIER,
                          command_new(sizeof(struct command), run_nothing));
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    const struct wait none = { 0, NULL };
    CL_REQUIRE(queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    CL_EXPECT(event, CL_INVALID_VALUE, "event is NULL");
    return enqueue_nothing(queue, CL_COMMAND_MARKER, &none, event);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueBarrier(cl_command_queue queue)
{
    const struct wait none = { 0, NULL };
    return enqueue_nothing(queue, CL_COMMAND_BARRIER, &none, NULL);
}

/* Waits as a barrier with a list: later commands wait for the events. */
CL_API_ENTRY cl_int CL_API_CALL
clEnqueueWaitForEvents(cl_command_queue q, cl_uint num_events,
                       const cl_event *event_list)
{
    const struct wait wait = { num_events, event_list };
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    CL_EXPECT(num_events && event_list, CL_INVALID_VALUE,
              "num_events is %u and event_list is %s; there must be at least "
              "one event",
              num_events, event_list ? "given" : "NULL");
    for (cl_uint i = 0; i < num_events; i++)
        CL_EXPECT(event_is(event_list[i]), CL_INVALID_EVENT,
                  "event %u of the list is not an event that exists", i);
    return enqueue_nothing(q, CL_COMMAND_BARRIER, &wait, NULL);
}

/* Flushes nothing: commands are submitted when they are enqueued. */
CL_API_ENTRY cl_int CL_API_CALL
clFlush(cl_command_queue q)
{
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    return CL_SUCCESS;
}

/* Waits for all commands now in the queue.  A program that checks no events learns
 * here that a kernel faulted. */
CL_API_ENTRY cl_int CL_API_CALL
clFinish(cl_command_queue q)
{
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    object_ref(q);
    pthread_mutex_lock(&q->context->lock);
    uint64_t last = q->enqueued;
    while (q->first && q->first->number <= last)
        pthread_cond_wait(&q->context->changed, &q->context->lock);
    order_join(&q->context->order.program, &q->ended);
    cl_int failure = queue_take_failure(q);
    pthread_mutex_unlock(&q->context->lock);
    object_unref(q);
    if (failure != CL_SUCCESS)
        return cl_answer(failure, "a command of the queue has failed with this "
                                  "status, and no call has returned it");
    return CL_SUCCESS;
}
