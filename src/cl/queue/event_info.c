/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/queue/event.h"

cl_int
event_check_list(cl_context context, cl_uint n, const cl_event *list)
{
    CL_EXPECT(!n == !list, CL_INVALID_EVENT_WAIT_LIST,
              "the wait list has %u events, and event_wait_list is %s", n,
              list ? "given" : "NULL");
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(event_is(list[i]), CL_INVALID_EVENT_WAIT_LIST,
                  "event %u of the wait list is not an event that exists", i);
    for (cl_uint i = 0; i < n; i++)
        CL_EXPECT(list[i]->context == context, CL_INVALID_CONTEXT,
                  "event %u of the wait list is of another context", i);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    bool ok = true;
    CL_EXPECT(num_events && event_list, CL_INVALID_VALUE,
              "num_events is %u and event_list is %s; there must be at least "
              "one event",
              num_events, event_list ? "given" : "NULL");
    for (cl_uint i = 0; i < num_events; i++)
        CL_EXPECT(event_is(event_list[i]), CL_INVALID_EVENT,
                  "event %u of the list is not an event that exists", i);
    for (cl_uint i = 0; i < num_events; i++)
        CL_EXPECT(event_list[i]->context == event_list[0]->context,
                  CL_INVALID_CONTEXT,
                  "event %u is of another context than event 0", i);
    for (cl_uint i = 0; i < num_events; i++)
        object_ref(event_list[i]);
    for (cl_uint i = 0; i < num_events; i++) {
        cl_int before;
        ok &= event_wait(event_list[i], &before) == CL_COMPLETE;
        ok &= before == CL_SUCCESS;
        object_unref(event_list[i]);
    }
    CL_EXPECT(
        ok, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        "the command of an event has failed, or an earlier command of its "
        "in-order queue");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clRetainEvent(cl_event event)
{
    return object_retain(event, OBJECT_EVENT, CL_INVALID_EVENT);
}

CL_API_ENTRY cl_int CL_API_CALL
clReleaseEvent(cl_event event)
{
    return object_release(event, OBJECT_EVENT, CL_INVALID_EVENT);
}

cl_int
event_status(cl_event e)
{
    pthread_mutex_lock(&e->context->lock);
    cl_int status = e->status;
    if (status <= CL_COMPLETE)
        event_learn(e);
    pthread_mutex_unlock(&e->context->lock);
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetEventInfo(cl_event e, cl_event_info param_name, size_t param_value_size,
               void *param_value, size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(event_is(e), CL_INVALID_EVENT);
    switch (param_name) {
    case CL_EVENT_COMMAND_QUEUE:
        return INFO(&info, cl_command_queue, e->queue);
    case CL_EVENT_CONTEXT:
        return INFO(&info, cl_context, e->context);
    case CL_EVENT_COMMAND_TYPE:
        return INFO(&info, cl_command_type, e->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return INFO(&info, cl_int, event_status(e));
    case CL_EVENT_REFERENCE_COUNT:
        return INFO(&info, cl_uint, object_handles(e));
    }
    return info_unknown(param_name);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetEventProfilingInfo(cl_event e, cl_profiling_info param_name,
                        size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(event_is(e), CL_INVALID_EVENT);
    CL_EXPECT(e->queue, CL_PROFILING_INFO_NOT_AVAILABLE,
              "the event is of clCreateUserEvent, which has no times");
    CL_EXPECT(e->queue->properties & CL_QUEUE_PROFILING_ENABLE,
              CL_PROFILING_INFO_NOT_AVAILABLE,
              "the queue was created without CL_QUEUE_PROFILING_ENABLE");
    CL_EXPECT(
        event_status(e) == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE,
        "the status of the event is %d; times are known when it is CL_COMPLETE",
        event_status(e));
    switch (param_name) {
    case CL_PROFILING_COMMAND_QUEUED:
        return INFO(&info, cl_ulong, e->time[EVENT_QUEUED]);
    case CL_PROFILING_COMMAND_SUBMIT:
        return INFO(&info, cl_ulong, e->time[EVENT_SUBMIT]);
    case CL_PROFILING_COMMAND_START:
        return INFO(&info, cl_ulong, e->time[EVENT_START]);
    case CL_PROFILING_COMMAND_END:
    /* Equal to the end, as kernels enqueue no others. */
    case CL_PROFILING_COMMAND_COMPLETE:
        return INFO(&info, cl_ulong, e->time[EVENT_END]);
    }
    return info_unknown(param_name);
}
