/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/queue/queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Destroys a queue, which is empty: commands own references to it. */
static void
destroy_queue(void *object)
{
    cl_command_queue q = object;
    assert(!q->first && !q->last && !q->barrier && "commands own their queue");
    if (q->worker)
        worker_stop(q->worker);
    free(q->list);
    object_unref(q->context);
}

static cl_int
make_queue(cl_context context, cl_device_id device,
           cl_command_queue_properties properties, cl_command_queue *queue)
{
    const cl_command_queue_properties both =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl_command_queue_properties known =
        both | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_REQUIRE(device_is(device), CL_INVALID_DEVICE);
    CL_EXPECT(context_has_device(context, device), CL_INVALID_DEVICE,
              "device is not one of the context");
    CL_EXPECT(!(properties & ~known), CL_INVALID_VALUE,
              "properties are 0x%" PRIx64 "; the bits 0x%" PRIx64
              " are unknown",
              (uint64_t)properties, (uint64_t)(properties & ~known));
    CL_EXPECT(!(properties & ~both), CL_INVALID_QUEUE_PROPERTIES,
              "queues on the device are not supported");
    cl_command_queue q = object_new(OBJECT_QUEUE, sizeof *q, destroy_queue);
    CL_REQUIRE(q, CL_OUT_OF_HOST_MEMORY);
    q->context = object_ref(context);
    q->device = device;
    q->device_index = context_device_index(context, device);
    assert(q->device_index < context->n_devices);
    q->properties = properties;
    q->worker = worker_new();
    *queue = q;
    CL_REQUIRE(q->worker, CL_OUT_OF_HOST_MEMORY);
    return CL_SUCCESS;
}

/* Returns the queue if `code` is CL_SUCCESS, else releases it. */
static cl_int
keep_if(cl_int code, cl_command_queue *queue)
{
    if (code != CL_SUCCESS) {
        object_unref(*queue);
        *queue = NULL;
    }
    return code;
}

CL_API_ENTRY cl_command_queue CL_API_CALL
clCreateCommandQueue(cl_context context, cl_device_id device,
                     cl_command_queue_properties properties,
                     cl_int *errcode_ret)
{
    cl_command_queue queue = NULL;
    cl_int code = make_queue(context, device, properties, &queue);
    CL_RETURN(keep_if(code, &queue), queue);
}

/* Checks a hint, which has no effect: each queue has a worker of its own, and the
 * device takes the launches of all in turn.  Both kinds have the same three values. */
static cl_int
check_hint(const char *name, cl_queue_properties value)
{
    CL_EXPECT(value == CL_QUEUE_PRIORITY_HIGH_KHR ||
                  value == CL_QUEUE_PRIORITY_MED_KHR ||
                  value == CL_QUEUE_PRIORITY_LOW_KHR,
              CL_INVALID_VALUE,
              "%s is 0x%" PRIx64 "; expected the value of HIGH, MED or LOW, 1, "
              "2 or 4",
              name, (uint64_t)value);
    return CL_SUCCESS;
}

/* Reads the list of pairs; `n`: its words including the 0. */
static cl_int
read_list(const cl_queue_properties *list, size_t *n,
          cl_command_queue_properties *properties)
{
    for (; list && list[*n]; *n += 2)
        switch (list[*n]) {
        case CL_QUEUE_PROPERTIES:
            *properties = list[*n + 1];
            break;
        case CL_QUEUE_SIZE:
            break;
        case CL_QUEUE_PRIORITY_KHR:
            CL_CHECK(check_hint("CL_QUEUE_PRIORITY_KHR", list[*n + 1]));
            break;
        case CL_QUEUE_THROTTLE_KHR:
            CL_CHECK(check_hint("CL_QUEUE_THROTTLE_KHR", list[*n + 1]));
            break;
        default:
            return cl_refuse(CL_INVALID_VALUE,
                             "the property 0x%" PRIx64
                             " is unknown; expected CL_QUEUE_PROPERTIES, "
                             "CL_QUEUE_SIZE, CL_QUEUE_PRIORITY_KHR or "
                             "CL_QUEUE_THROTTLE_KHR",
                             (uint64_t)list[*n]);
        }
    *n += list != NULL;
    return CL_SUCCESS;
}

static cl_int
create_with_list(cl_context context, cl_device_id device,
                 const cl_queue_properties *list, cl_command_queue *queue)
{
    cl_command_queue_properties properties = 0;
    size_t n = 0;
    CL_CHECK(read_list(list, &n, &properties));
    for (size_t i = 0; i + 1 < n; i += 2)
        CL_EXPECT(list[i] != CL_QUEUE_SIZE || properties & CL_QUEUE_ON_DEVICE,
                  CL_INVALID_VALUE,
                  "CL_QUEUE_SIZE is given; only queues on the device have it");
    CL_CHECK(make_queue(context, device, properties, queue));
    if (!n)
        return CL_SUCCESS;
    cl_command_queue q = *queue;
    q->list = malloc(n * sizeof *list);
    CL_REQUIRE(q->list, CL_OUT_OF_HOST_MEMORY);
    memcpy(q->list, list, n * sizeof *list);
    q->n_list = n;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties *properties,
                                   cl_int *errcode_ret)
{
    cl_command_queue queue = NULL;
    cl_int code = create_with_list(context, device, properties, &queue);
    CL_RETURN(keep_if(code, &queue), queue);
}

CL_API_ENTRY cl_command_queue CL_API_CALL
queue_create_khr(cl_context context, cl_device_id device,
                 const cl_queue_properties_khr *properties, cl_int *errcode_ret)
{
    return clCreateCommandQueueWithProperties(context, device, properties,
                                              errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL
clRetainCommandQueue(cl_command_queue queue)
{
    return object_retain(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

CL_API_ENTRY cl_int CL_API_CALL
clReleaseCommandQueue(cl_command_queue queue)
{
    return object_release(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info param_name,
                      size_t param_value_size, void *param_value,
                      size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    switch (param_name) {
    case CL_QUEUE_CONTEXT:
        return INFO(&info, cl_context, q->context);
    case CL_QUEUE_DEVICE:
        return INFO(&info, cl_device_id, q->device);
    case CL_QUEUE_REFERENCE_COUNT:
        return INFO(&info, cl_uint, object_handles(q));
    case CL_QUEUE_PROPERTIES:
        return INFO(&info, cl_command_queue_properties, q->properties);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return info_put(&info, q->list, q->n_list * sizeof *q->list);
    case CL_QUEUE_DEVICE_DEFAULT:
        return INFO(&info, cl_command_queue, NULL);
    case CL_QUEUE_SIZE:
        return cl_refuse(CL_INVALID_COMMAND_QUEUE,
                         "the queue is not one on the device");
    }
    return info_unknown(param_name);
}

/* Refuses, as this entry of OpenCL 1.0 must "if no devices in context are OpenCL 1.0
 * devices". */
CL_API_ENTRY cl_int CL_API_CALL
clSetCommandQueueProperty(cl_command_queue q,
                          cl_command_queue_properties properties,
                          cl_bool enable,
                          cl_command_queue_properties *old_properties)
{
    (void)properties, (void)enable, (void)old_properties;
    CL_REQUIRE(queue_is(q), CL_INVALID_COMMAND_QUEUE);
    return cl_refuse(CL_INVALID_OPERATION,
                     "the device is not one of OpenCL 1.0");
}
