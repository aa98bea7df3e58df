/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/event.h"

cl_int
event_check_list(cl_context context, cl_uint n, const cl_event *list)
{
    CL_REQUIRE(!n == !list, CL_INVALID_EVENT_WAIT_LIST);
    for (cl_uint i = 0; i < n; i++)
        CL_REQUIRE(event_is(list[i]), CL_INVALID_EVENT_WAIT_LIST);
    for (cl_uint i = 0; i < n; i++)
        CL_REQUIRE(list[i]->context == context, CL_INVALID_CONTEXT);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    bool ok = true;
    CL_REQUIRE(num_events && event_list, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_events; i++)
        CL_REQUIRE(event_is(event_list[i]), CL_INVALID_EVENT);
    for (cl_uint i = 0; i < num_events; i++)
        CL_REQUIRE(event_list[i]->context == event_list[0]->context,
                   CL_INVALID_CONTEXT);
    for (cl_uint i = 0; i < num_events; i++)
        object_ref(event_list[i]);
    for (cl_uint i = 0; i < num_events; i++) {
        ok &= event_wait(event_list[i]) == CL_COMPLETE;
        object_unref(event_list[i]);
    }
    CL_REQUIRE(ok, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
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

static cl_int
get_status(cl_event e)
{
    pthread_mutex_lock(&e->context->lock);
    cl_int status = e->status;
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
        return INFO(&info, cl_int, get_status(e));
    case CL_EVENT_REFERENCE_COUNT:
        return INFO(&info, cl_uint, object_handles(e));
    }
    return cl_refuse(CL_INVALID_VALUE, "param_name is known");
}

CL_API_ENTRY cl_int CL_API_CALL
clGetEventProfilingInfo(cl_event e, cl_profiling_info param_name,
                        size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(event_is(e), CL_INVALID_EVENT);
    CL_REQUIRE(e->queue, CL_PROFILING_INFO_NOT_AVAILABLE);
    CL_REQUIRE(e->queue->properties & CL_QUEUE_PROFILING_ENABLE,
               CL_PROFILING_INFO_NOT_AVAILABLE);
    CL_REQUIRE(get_status(e) == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE);
    switch (param_name) {
    case CL_PROFILING_COMMAND_QUEUED:
        return INFO(&info, cl_ulong, e->time[EVENT_QUEUED]);
    case CL_PROFILING_COMMAND_SUBMIT:
        return INFO(&info, cl_ulong, e->time[EVENT_SUBMIT]);
    case CL_PROFILING_COMMAND_START:
        return INFO(&info, cl_ulong, e->time[EVENT_START]);
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE: /* no kernel enqueues others */
        return INFO(&info, cl_ulong, e->time[EVENT_END]);
    }
    return cl_refuse(CL_INVALID_VALUE, "param_name is known");
}
