/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_semaphore: waits and signals, and the error codes of its entries. */
#include "codes.h"

#include "cl/queue/semaphore_entries.h"

#define ENTRIES(X)                                            \
    X(clCreateSemaphoreWithPropertiesKHR, semaphore_create)   \
    X(clRetainSemaphoreKHR, semaphore_retain)                 \
    X(clReleaseSemaphoreKHR, semaphore_release)               \
    X(clGetSemaphoreInfoKHR, semaphore_get_info)              \
    X(clEnqueueWaitSemaphoresKHR, semaphore_enqueue_wait)     \
    X(clEnqueueSignalSemaphoresKHR, semaphore_enqueue_signal) \
    X(clGetSemaphoreHandleForTypeKHR, semaphore_get_handle)

struct entries {
#define MEMBER(name, function) __typeof__(function) *name;
    ENTRIES(MEMBER)
};

static const struct entries *
entries_of(const struct cl *t)
{
    static struct entries all;
#define FIND(entry, function)                                          \
    all.entry = (__typeof__(function) *)(uintptr_t)                    \
        clGetExtensionFunctionAddressForPlatform(t->platform, #entry); \
    CHECK(all.entry != NULL);
    ENTRIES(FIND)
    return &all;
}

static const cl_semaphore_properties_khr binary[] = {
    CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0
};

static cl_semaphore_khr
new_semaphore(const struct entries *d, cl_context c)
{
    cl_int code;
    cl_semaphore_khr s;
    CREATES(s, d->clCreateSemaphoreWithPropertiesKHR(c, binary, &code));
    return s;
}

static cl_int
wait_for(const struct entries *d, cl_command_queue q, cl_semaphore_khr s,
         cl_event *e)
{
    return d->clEnqueueWaitSemaphoresKHR(q, 1, &s, NULL, 0, NULL, e);
}

static cl_int
signal_after(const struct entries *d, cl_command_queue q, cl_semaphore_khr s,
             const cl_event *after)
{
    return d->clEnqueueSignalSemaphoresKHR(q, 1, &s, NULL, after != NULL, after,
                                           NULL);
}

#define ASK(type, s, name)                                                     \
    ({                                                                         \
        type value_ = 0;                                                       \
        size_t size_ = 0;                                                      \
        OK(d->clGetSemaphoreInfoKHR(s, name, sizeof value_, &value_, &size_)); \
        CHECK_EQ(size_, sizeof value_);                                        \
        value_;                                                                \
    })
#define PAYLOAD(s) ASK(cl_semaphore_payload_khr, s, CL_SEMAPHORE_PAYLOAD_KHR)

TEST(information)
{
    struct cl t = cl_open(0);
    const struct entries *d = entries_of(&t);
    cl_semaphore_khr s = new_semaphore(d, t.context);
    cl_semaphore_properties_khr list[8];
    size_t size = 0;
    CHECK_EQ(ASK_DEVICE(cl_semaphore_type_khr, CL_DEVICE_SEMAPHORE_TYPES_KHR),
             CL_SEMAPHORE_TYPE_BINARY_KHR);
    cl_semaphore_type_khr type = 0;
    OK(clGetPlatformInfo(t.platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR,
                         sizeof type, &type, &size));
    CHECK_EQ(size, sizeof type);
    CHECK_EQ(type, CL_SEMAPHORE_TYPE_BINARY_KHR);
    CHECK(ASK(cl_context, s, CL_SEMAPHORE_CONTEXT_KHR) == t.context);
    CHECK(ASK(cl_device_id, s, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) ==
          t.device);
    CHECK_EQ(ASK(cl_semaphore_type_khr, s, CL_SEMAPHORE_TYPE_KHR),
             CL_SEMAPHORE_TYPE_BINARY_KHR);
    OK(d->clRetainSemaphoreKHR(s));
    CHECK_EQ(ASK(cl_uint, s, CL_SEMAPHORE_REFERENCE_COUNT_KHR), 2);
    OK(d->clReleaseSemaphoreKHR(s));
    CHECK_EQ(PAYLOAD(s), 0);
    OK(d->clGetSemaphoreInfoKHR(s, CL_SEMAPHORE_PROPERTIES_KHR, sizeof list,
                                list, &size));
    CHECK_EQ(size, sizeof binary);
    CHECK(memcmp(list, binary, sizeof binary) == 0);
    OK(d->clReleaseSemaphoreKHR(s));
    cl_close(&t);
}

/* A wait follows the signal of another queue, again and again, also if it is enqueued
 * first. */
TEST(reused)
{
    struct cl t = cl_open(0);
    const struct entries *d = entries_of(&t);
    cl_command_queue other = cl_queue(&t, 0);
    cl_semaphore_khr s = new_semaphore(d, t.context);
    cl_int code;
    for (int i = 0; i < 6; i++) {
        cl_event go, waited;
        CREATES(go, clCreateUserEvent(t.context, &code));
        if (i % 2)
            OK(wait_for(d, other, s, &waited));
        OK(signal_after(d, t.queue, s, &go));
        if (i % 2 == 0)
            OK(wait_for(d, other, s, &waited));
        cl_command_type type = 0;
        OK(clGetEventInfo(waited, CL_EVENT_COMMAND_TYPE, sizeof type, &type,
                          NULL));
        CHECK_EQ(type, CL_COMMAND_SEMAPHORE_WAIT_KHR);
        CHECK_EQ(cl_status(waited), CL_QUEUED);
        CHECK_EQ(PAYLOAD(s), 0);
        OK(clSetUserEventStatus(go, CL_COMPLETE));
        OK(clWaitForEvents(1, &waited));
        CHECK_EQ(PAYLOAD(s), 0);
        OK(clReleaseEvent(waited));
        OK(clReleaseEvent(go));
    }
    OK(signal_after(d, t.queue, s, NULL));
    OK(clFinish(t.queue));
    CHECK_EQ(PAYLOAD(s), 1);
    OK(d->clReleaseSemaphoreKHR(s));
    OK(clReleaseCommandQueue(other));
    cl_close(&t);
}

/* A queue that waits has no later command run before the signal; one that is out of order
 * may wait for itself. */
TEST(orders_commands)
{
    struct cl t = cl_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const struct entries *d = entries_of(&t);
    cl_command_queue in_order = cl_queue(&t, 0);
    cl_semaphore_khr s[2] = { new_semaphore(d, t.context),
                              new_semaphore(d, t.context) };
    cl_int word = 0, five = 5, code;
    cl_mem m = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, 4, &word);
    cl_event go, filled;
    CREATES(go, clCreateUserEvent(t.context, &code));
    OK(d->clEnqueueWaitSemaphoresKHR(in_order, 2, s, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(in_order, m, CL_FALSE, 0, 4, &word, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(t.queue, m, &five, 4, 0, 4, 1, &go, &filled));
    OK(signal_after(d, t.queue, s[0], &filled));
    OK(signal_after(d, t.queue, s[1], NULL));
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clFinish(in_order));
    CHECK_EQ(word, 5);
    OK(wait_for(d, t.queue, s[0], NULL));
    OK(signal_after(d, t.queue, s[0], NULL));
    OK(clFinish(t.queue));
    for (int i = 0; i < 2; i++)
        OK(d->clReleaseSemaphoreKHR(s[i]));
    OK(clReleaseEvent(filled));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    OK(clReleaseCommandQueue(in_order));
    cl_close(&t);
}

/* A wait fails with its signal, whose list has an event that fails later, and with the
 * release of a semaphore that was never signaled; none waits for ever. */
TEST(failures)
{
    struct cl t = cl_open(0);
    const struct entries *d = entries_of(&t);
    cl_command_queue other = cl_queue(&t, 0);
    cl_semaphore_khr s = new_semaphore(d, t.context);
    cl_int code;
    cl_event go, waited;
    CREATES(go, clCreateUserEvent(t.context, &code));
    OK(signal_after(d, t.queue, s, &go));
    OK(wait_for(d, other, s, &waited));
    OK(clSetUserEventStatus(go, -9));
    CHECK_EQ(clWaitForEvents(1, &waited),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(PAYLOAD(s), 0);
    OK(clReleaseEvent(waited));
    OK(clReleaseEvent(go));
    OK(wait_for(d, other, s, &waited));
    OK(d->clReleaseSemaphoreKHR(s));
    CHECK_EQ(clWaitForEvents(1, &waited),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    OK(clReleaseEvent(waited));
    OK(clReleaseCommandQueue(other));
    cl_close(&t);
}

/* A semaphore that is released while both halves are pending has still ordered them. */
TEST(released_early)
{
    struct cl t = cl_open(0);
    const struct entries *d = entries_of(&t);
    cl_command_queue other = cl_queue(&t, 0);
    cl_semaphore_khr s = new_semaphore(d, t.context);
    cl_int code;
    cl_event go, waited;
    CREATES(go, clCreateUserEvent(t.context, &code));
    OK(signal_after(d, t.queue, s, &go));
    OK(wait_for(d, other, s, &waited));
    OK(d->clReleaseSemaphoreKHR(s));
    CHECK_EQ(cl_status(waited), CL_QUEUED);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clWaitForEvents(1, &waited));
    OK(clReleaseEvent(waited));
    OK(clReleaseEvent(go));
    OK(clReleaseCommandQueue(other));
    cl_close(&t);
}

TEST(codes)
{
    struct codes c = codes_open();
    const struct entries *d = entries_of(&c.t);
    cl_context x = c.t.context;
    cl_semaphore_khr s = new_semaphore(d, x), no = (void *)c.m, both[2];
    cl_device_id all[8];
    cl_uint n = 0;
    cl_int code;
    char answer[64];
    const cl_semaphore_properties_khr empty[] = { 0 };
    const cl_semaphore_properties_khr unknown[] = { 1, 1, 0 };
    const cl_semaphore_properties_khr odd[] = { CL_SEMAPHORE_TYPE_KHR, 2, 0 };
    const cl_semaphore_properties_khr twice[] = { CL_SEMAPHORE_TYPE_KHR,
                                                  CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                  CL_SEMAPHORE_TYPE_KHR, 0 };
    cl_semaphore_properties_khr device[] = {
        CL_SEMAPHORE_TYPE_KHR,
        CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
        0,
        0,
        0,
        0
    };
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateSemaphoreWithPropertiesKHR(NULL, binary, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateSemaphoreWithPropertiesKHR(x, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateSemaphoreWithPropertiesKHR(x, empty, &code));
    REFUSES(CL_INVALID_PROPERTY,
            d->clCreateSemaphoreWithPropertiesKHR(x, unknown, &code));
    REFUSES(CL_INVALID_PROPERTY,
            d->clCreateSemaphoreWithPropertiesKHR(x, odd, &code));
    REFUSES(CL_INVALID_PROPERTY,
            d->clCreateSemaphoreWithPropertiesKHR(x, twice, &code));
    REFUSES(CL_INVALID_DEVICE,
            d->clCreateSemaphoreWithPropertiesKHR(x, device, &code));
    OK(clGetDeviceIDs(c.t.platform, CL_DEVICE_TYPE_ALL, 8, all, &n));
    if (!CHECK(n >= 2))
        return;
    device[3] = (cl_semaphore_properties_khr)(uintptr_t)all[1];
    REFUSES(CL_INVALID_DEVICE,
            d->clCreateSemaphoreWithPropertiesKHR(x, device, &code));
    cl_context wide;
    cl_command_queue first;
    CREATES(wide, clCreateContext(NULL, 2, all, NULL, NULL, &code));
    CREATES(first, clCreateCommandQueue(wide, all[0], 0, &code));
    REFUSES(CL_INVALID_PROPERTY,
            d->clCreateSemaphoreWithPropertiesKHR(wide, binary, &code));
    CREATES(both[0],
            d->clCreateSemaphoreWithPropertiesKHR(wide, device, &code));
    CHECK(ASK(cl_device_id, both[0], CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) ==
          all[1]);
    device[4] = device[3];
    REFUSES(CL_INVALID_DEVICE,
            d->clCreateSemaphoreWithPropertiesKHR(wide, device, &code));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueSignalSemaphoresKHR(first, 1, both, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueWaitSemaphoresKHR(first, 1, both, NULL, 0, NULL, NULL));
    OK(d->clReleaseSemaphoreKHR(both[0]));
    OK(clReleaseCommandQueue(first));
    OK(clReleaseContext(wide));

    FAILS(CL_INVALID_SEMAPHORE_KHR, d->clRetainSemaphoreKHR(no));
    FAILS(CL_INVALID_SEMAPHORE_KHR, d->clReleaseSemaphoreKHR(NULL));
    FAILS(CL_INVALID_SEMAPHORE_KHR,
          d->clGetSemaphoreInfoKHR(no, CL_SEMAPHORE_TYPE_KHR, 8, answer, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetSemaphoreInfoKHR(s, 1, 8, answer, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetSemaphoreInfoKHR(
                                s, CL_SEMAPHORE_CONTEXT_KHR, 1, answer, NULL));
    FAILS(CL_INVALID_SEMAPHORE_KHR, d->clGetSemaphoreHandleForTypeKHR(
                                        no, all[0], 0x2055, 8, answer, NULL));
    FAILS(CL_INVALID_DEVICE, d->clGetSemaphoreHandleForTypeKHR(
                                 s, all[1], 0x2055, 8, answer, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetSemaphoreHandleForTypeKHR(s, all[0], 0x2055,
                                                              8, answer, NULL));
    OK(d->clReleaseSemaphoreKHR(s));
    codes_close(&c);
}

/* The errors that waits and signals have. */
#define COMMAND_CODES(entry)                                                \
    do {                                                                    \
        FAILS(CL_INVALID_COMMAND_QUEUE,                                     \
              d->entry(not_q, 1, &s, NULL, 0, NULL, NULL));                 \
        FAILS(CL_INVALID_VALUE, d->entry(q, 0, &s, NULL, 0, NULL, NULL));   \
        FAILS(CL_INVALID_VALUE, d->entry(q, 1, NULL, NULL, 0, NULL, NULL)); \
        FAILS(CL_INVALID_SEMAPHORE_KHR,                                     \
              d->entry(q, 1, &no, NULL, 0, NULL, NULL));                    \
        FAILS(CL_INVALID_CONTEXT,                                           \
              d->entry(c.other_queue, 1, &s, NULL, 0, NULL, NULL));         \
        FAILS(CL_INVALID_CONTEXT,                                           \
              d->entry(q, 1, &s, NULL, 1, &c.other_event, NULL));           \
        FAILS(CL_INVALID_EVENT_WAIT_LIST,                                   \
              d->entry(q, 1, &s, NULL, 1, NULL, NULL));                     \
        FAILS(CL_INVALID_EVENT_WAIT_LIST,                                   \
              d->entry(q, 1, &s, NULL, 0, &c.user, NULL));                  \
        FAILS(CL_INVALID_EVENT_WAIT_LIST,                                   \
              d->entry(q, 1, &s, NULL, 1, &no_event, NULL));                \
        FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,                 \
              d->entry(q, 1, &s, NULL, 1, &c.failed, NULL));                \
    } while (0)

TEST(codes_of_commands)
{
    struct codes c = codes_open();
    const struct entries *d = entries_of(&c.t);
    cl_command_queue q = c.t.queue, not_q = WRONG(cl_command_queue, &c);
    cl_semaphore_khr s = new_semaphore(d, c.t.context), no = (void *)c.m;
    cl_event no_event = WRONG(cl_event, &c);
    COMMAND_CODES(clEnqueueWaitSemaphoresKHR);
    COMMAND_CODES(clEnqueueSignalSemaphoresKHR);
    CHECK_EQ(PAYLOAD(s), 0);
    OK(d->clReleaseSemaphoreKHR(s));
    codes_close(&c);
}

TEST_MAIN
