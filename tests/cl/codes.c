/* SPDX-License-Identifier: Apache-2.0 */
/* Error codes: platform, devices, contexts, queues, events. */
#include "codes.h"

TEST(platform)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_platform_id p = c.t.platform, none = WRONG(cl_platform_id, &c);
    cl_uint n = 0;
    char small[2];
    OK(d->clGetPlatformIDs(1, &p, &n));
    FAILS(CL_INVALID_VALUE, d->clGetPlatformIDs(0, &p, &n));
    FAILS(CL_INVALID_VALUE, d->clGetPlatformIDs(1, NULL, NULL));
    FAILS(CL_INVALID_PLATFORM,
          d->clGetPlatformInfo(none, CL_PLATFORM_NAME, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clGetPlatformInfo(p, CL_PLATFORM_NAME, 2, small, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetPlatformInfo(p, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_PLATFORM, d->clUnloadPlatformCompiler(NULL));
    OK(d->clUnloadPlatformCompiler(p));
    OK(d->clUnloadCompiler());
    CHECK(d->clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR") != NULL);
    CHECK(d->clGetExtensionFunctionAddress("clNothing") == NULL);
    CHECK(d->clGetExtensionFunctionAddress(NULL) == NULL);
    CHECK(d->clGetExtensionFunctionAddressForPlatform(
              none, "clIcdGetPlatformIDsKHR") == NULL);
    codes_close(&c);
}

TEST(devices)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_platform_id p = c.t.platform;
    cl_device_id id = c.t.device, none = WRONG(cl_device_id, &c);
    cl_uint n;
    cl_ulong time;
    FAILS(CL_INVALID_PLATFORM,
          d->clGetDeviceIDs(WRONG(cl_platform_id, &c), 4, 0, NULL, &n));
    FAILS(CL_INVALID_DEVICE_TYPE, d->clGetDeviceIDs(p, 0, 0, NULL, &n));
    FAILS(CL_INVALID_VALUE, d->clGetDeviceIDs(p, 4, 0, &id, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetDeviceIDs(p, 4, 1, NULL, NULL));
    FAILS(CL_DEVICE_NOT_FOUND,
          d->clGetDeviceIDs(p, CL_DEVICE_TYPE_CPU, 0, NULL, &n));
    FAILS(CL_INVALID_DEVICE, d->clGetDeviceInfo(none, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_DEVICE, d->clGetDeviceInfo(NULL, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetDeviceInfo(id, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_DEVICE, d->clCreateSubDevices(none, NULL, 0, NULL, NULL));
    const cl_device_partition_property by[] = { CL_DEVICE_PARTITION_EQUALLY, 1,
                                                0 };
    FAILS(CL_INVALID_VALUE, d->clCreateSubDevices(id, by, 0, NULL, &n));
    FAILS(CL_INVALID_VALUE, d->clCreateSubDevicesEXT(id, NULL, 0, NULL, &n));
    FAILS(CL_INVALID_DEVICE, d->clCreateSubDevicesEXT(none, NULL, 0, NULL, &n));
    FAILS(CL_INVALID_DEVICE, d->clRetainDevice(none));
    FAILS(CL_INVALID_DEVICE, d->clReleaseDevice(NULL));
    FAILS(CL_INVALID_DEVICE, d->clRetainDeviceEXT(none));
    FAILS(CL_INVALID_DEVICE, d->clReleaseDeviceEXT(none));
    OK(d->clRetainDevice(id));
    OK(d->clReleaseDevice(id));
    OK(d->clRetainDeviceEXT(id));
    FAILS(CL_INVALID_DEVICE, d->clGetDeviceAndHostTimer(none, &time, &time));
    FAILS(CL_INVALID_VALUE, d->clGetDeviceAndHostTimer(id, NULL, &time));
    FAILS(CL_INVALID_VALUE, d->clGetDeviceAndHostTimer(id, &time, NULL));
    FAILS(CL_INVALID_DEVICE, d->clGetHostTimer(none, &time));
    FAILS(CL_INVALID_VALUE, d->clGetHostTimer(id, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clSetDefaultDeviceCommandQueue(NULL, id, c.t.queue));
    FAILS(CL_INVALID_DEVICE,
          d->clSetDefaultDeviceCommandQueue(c.t.context, none, c.t.queue));
    FAILS(CL_INVALID_OPERATION,
          d->clSetDefaultDeviceCommandQueue(c.t.context, id, c.t.queue));
    codes_close(&c);
}

TEST(contexts)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_device_id id = c.t.device, none = WRONG(cl_device_id, &c);
    cl_context wrong = WRONG(cl_context, &c);
    cl_int code;
    const cl_context_properties bad_platform[] = { CL_CONTEXT_PLATFORM, 0, 0 },
                                unknown[] = { 0x1234, 1, 0 },
                                twice[] = { CL_CONTEXT_INTEROP_USER_SYNC,
                                            CL_TRUE,
                                            CL_CONTEXT_INTEROP_USER_SYNC,
                                            CL_TRUE, 0 };
    REFUSES(CL_INVALID_PLATFORM,
            d->clCreateContext(bad_platform, 1, &id, NULL, NULL, &code));
    REFUSES(CL_INVALID_PROPERTY,
            d->clCreateContext(unknown, 1, &id, NULL, NULL, &code));
    REFUSES(CL_INVALID_PROPERTY,
            d->clCreateContext(twice, 1, &id, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateContext(NULL, 1, NULL, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateContext(NULL, 0, &id, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateContext(NULL, 1, &id, NULL, &c, &code));
    REFUSES(CL_INVALID_DEVICE,
            d->clCreateContext(NULL, 1, &none, NULL, NULL, &code));
    const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
    REFUSES(CL_INVALID_PLATFORM,
            d->clCreateContextFromType(bad_platform, gpu, NULL, NULL, &code));
    REFUSES(CL_INVALID_PROPERTY,
            d->clCreateContextFromType(unknown, gpu, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateContextFromType(NULL, gpu, NULL, &c, &code));
    REFUSES(CL_INVALID_DEVICE_TYPE,
            d->clCreateContextFromType(NULL, 0, NULL, NULL, &code));
    REFUSES(CL_DEVICE_NOT_FOUND,
            d->clCreateContextFromType(NULL, CL_DEVICE_TYPE_CPU, NULL, NULL,
                                       &code));
    FAILS(CL_INVALID_CONTEXT, d->clRetainContext(wrong));
    FAILS(CL_INVALID_CONTEXT, d->clReleaseContext(NULL));
    FAILS(CL_INVALID_CONTEXT, d->clGetContextInfo(wrong, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetContextInfo(c.t.context, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clSetContextDestructorCallback(wrong, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clSetContextDestructorCallback(c.t.context, NULL, NULL));
    codes_close(&c);
}

TEST(queues)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_device_id id = c.t.device;
    cl_command_queue q = c.t.queue, wrong = WRONG(cl_command_queue, &c);
    cl_int code;
    const cl_queue_properties unknown[] = { 0x1234, 0, 0 },
                              bits[] = { CL_QUEUE_PROPERTIES, 1 << 9, 0 },
                              on_device[] = { CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_ON_DEVICE, 0 };
    REFUSES(CL_INVALID_CONTEXT, d->clCreateCommandQueue(NULL, id, 0, &code));
    REFUSES(CL_INVALID_DEVICE, d->clCreateCommandQueue(x, NULL, 0, &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateCommandQueue(x, id, 1 << 9, &code));
    REFUSES(CL_INVALID_QUEUE_PROPERTIES,
            d->clCreateCommandQueue(x, id, CL_QUEUE_ON_DEVICE, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateCommandQueueWithProperties(NULL, id, NULL, &code));
    REFUSES(CL_INVALID_DEVICE,
            d->clCreateCommandQueueWithProperties(x, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateCommandQueueWithProperties(x, id, unknown, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateCommandQueueWithProperties(x, id, bits, &code));
    REFUSES(CL_INVALID_QUEUE_PROPERTIES,
            d->clCreateCommandQueueWithProperties(x, id, on_device, &code));
    FAILS(CL_INVALID_COMMAND_QUEUE, d->clRetainCommandQueue(wrong));
    FAILS(CL_INVALID_COMMAND_QUEUE, d->clReleaseCommandQueue(NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clGetCommandQueueInfo(wrong, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetCommandQueueInfo(q, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clGetCommandQueueInfo(q, CL_QUEUE_SIZE, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clSetCommandQueueProperty(wrong, 0, CL_TRUE, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clSetCommandQueueProperty(q, 0, CL_TRUE, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, d->clFlush(wrong));
    FAILS(CL_INVALID_COMMAND_QUEUE, d->clFinish(wrong));
    codes_close(&c);
}

static void CL_CALLBACK
ignore(cl_event e, cl_int status, void *user_data)
{
    (void)e, (void)status, (void)user_data;
}

TEST(events)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_event wrong = WRONG(cl_event, &c), e = NULL;
    cl_event mixed[] = { c.user, c.other_event }, bad[] = { c.user, wrong };
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT, d->clCreateUserEvent(NULL, &code));
    FAILS(CL_INVALID_VALUE, d->clWaitForEvents(0, NULL));
    FAILS(CL_INVALID_VALUE, d->clWaitForEvents(1, NULL));
    FAILS(CL_INVALID_EVENT, d->clWaitForEvents(2, bad));
    FAILS(CL_INVALID_CONTEXT, d->clWaitForEvents(2, mixed));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          d->clWaitForEvents(1, &c.failed));
    FAILS(CL_INVALID_EVENT, d->clGetEventInfo(wrong, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetEventInfo(c.user, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT, d->clRetainEvent(wrong));
    FAILS(CL_INVALID_EVENT, d->clReleaseEvent(NULL));
    FAILS(CL_INVALID_EVENT, d->clSetUserEventStatus(wrong, CL_COMPLETE));
    FAILS(CL_INVALID_VALUE, d->clSetUserEventStatus(c.user, CL_RUNNING));
    FAILS(CL_INVALID_OPERATION, d->clSetUserEventStatus(c.failed, CL_COMPLETE));
    FAILS(CL_INVALID_EVENT,
          d->clSetEventCallback(wrong, CL_COMPLETE, ignore, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clSetEventCallback(c.user, CL_COMPLETE, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clSetEventCallback(c.user, 77, ignore, NULL));
    FAILS(CL_INVALID_EVENT,
          d->clGetEventProfilingInfo(wrong, 0, 0, NULL, NULL));
    const cl_profiling_info start = CL_PROFILING_COMMAND_START;
    FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
          d->clGetEventProfilingInfo(c.user, start, 0, NULL, NULL));
    OK(clEnqueueMarkerWithWaitList(c.t.queue, 0, NULL, &e));
    OK(clWaitForEvents(1, &e));
    FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
          d->clGetEventProfilingInfo(e, start, 0, NULL, NULL));
    OK(clReleaseEvent(e));
    cl_command_queue q = cl_queue(&c.t, CL_QUEUE_PROFILING_ENABLE);
    OK(clEnqueueMarkerWithWaitList(q, 0, NULL, &e));
    OK(clWaitForEvents(1, &e));
    FAILS(CL_INVALID_VALUE, d->clGetEventProfilingInfo(e, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT, d->clSetUserEventStatus(e, CL_COMPLETE));
    OK(clReleaseEvent(e));
    OK(clReleaseCommandQueue(q));
    codes_close(&c);
}

TEST(markers_and_barriers)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_command_queue q = c.t.queue, wrong = WRONG(cl_command_queue, &c);
    cl_event none = WRONG(cl_event, &c), *o = &c.other_event;
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueMarkerWithWaitList(wrong, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT, d->clEnqueueMarkerWithWaitList(q, 1, o, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueMarkerWithWaitList(q, 1, &none, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueBarrierWithWaitList(wrong, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT, d->clEnqueueBarrierWithWaitList(q, 1, o, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueBarrierWithWaitList(q, 0, o, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, d->clEnqueueMarker(wrong, &none));
    FAILS(CL_INVALID_VALUE, d->clEnqueueMarker(q, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, d->clEnqueueBarrier(wrong));
    FAILS(CL_INVALID_COMMAND_QUEUE, d->clEnqueueWaitForEvents(wrong, 1, o));
    FAILS(CL_INVALID_CONTEXT, d->clEnqueueWaitForEvents(q, 1, o));
    FAILS(CL_INVALID_VALUE, d->clEnqueueWaitForEvents(q, 0, o));
    FAILS(CL_INVALID_VALUE, d->clEnqueueWaitForEvents(q, 1, NULL));
    FAILS(CL_INVALID_EVENT, d->clEnqueueWaitForEvents(q, 1, &none));
    codes_close(&c);
}

TEST_MAIN
