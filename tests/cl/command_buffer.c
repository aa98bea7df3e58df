/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_command_buffer: commands that are recorded once and run many times, and the
 * error codes of its entries. */
#include "codes.h"

#include "cl/queue/command_buffer_entries.h"

/* The entries of the extension, by name. */
#define ENTRIES(X)                                                  \
    X(clCreateCommandBufferKHR, command_buffer_create)              \
    X(clFinalizeCommandBufferKHR, command_buffer_finalize)          \
    X(clRetainCommandBufferKHR, command_buffer_retain)              \
    X(clReleaseCommandBufferKHR, command_buffer_release)            \
    X(clEnqueueCommandBufferKHR, command_buffer_enqueue)            \
    X(clGetCommandBufferInfoKHR, command_buffer_get_info)           \
    X(clCommandBarrierWithWaitListKHR, barrier_record)              \
    X(clCommandCopyBufferKHR, transfer_record_copy)                 \
    X(clCommandCopyBufferRectKHR, rect_record_copy)                 \
    X(clCommandCopyBufferToImageKHR, image_record_copy_from_buffer) \
    X(clCommandCopyImageKHR, image_record_copy)                     \
    X(clCommandCopyImageToBufferKHR, image_record_copy_to_buffer)   \
    X(clCommandFillBufferKHR, fill_record)                          \
    X(clCommandFillImageKHR, image_record_fill)                     \
    X(clCommandNDRangeKernelKHR, kernel_record)                     \
    X(clCommandSVMMemcpyKHR, svm_record_copy)                       \
    X(clCommandSVMMemFillKHR, svm_record_fill)

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

/* A program, buffers and an open command buffer of the queue. */
struct buffers {
    struct cl t;
    const struct entries *d;
    cl_program p;
    cl_kernel add;
    cl_mem a, b; /* N words */
    cl_command_buffer_khr buffer;
};

enum { N = 64 };

static const char source[] =
    "kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }\n"
    "kernel void fails(global int *x) { x[1 << 28] = 1; }\n"
    "kernel void tells(int n) { printf(\"told %d\\n\", n); }\n";

static cl_command_buffer_khr
new_buffer(struct buffers *s, cl_command_queue q)
{
    cl_int code;
    cl_command_buffer_khr buffer;
    CREATES(buffer, s->d->clCreateCommandBufferKHR(1, &q, NULL, &code));
    return buffer;
}

static struct buffers
open_buffers(cl_command_queue_properties properties)
{
    static const cl_int zeros[N];
    struct buffers s = { .t = cl_open(properties) };
    s.d = entries_of(&s.t);
    s.p = cl_build(&s.t, source, "");
    s.add = cl_kernel_of(s.p, "add");
    s.a = cl_buffer(&s.t, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
    s.b = cl_buffer(&s.t, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
    s.buffer = new_buffer(&s, s.t.queue);
    return s;
}

static void
close_buffers(struct buffers *s)
{
    OK(s->d->clReleaseCommandBufferKHR(s->buffer));
    OK(clReleaseMemObject(s->a));
    OK(clReleaseMemObject(s->b));
    OK(clReleaseKernel(s->add));
    OK(clReleaseProgram(s->p));
    cl_close(&s->t);
}

static void
set_add(struct buffers *s, cl_mem m, cl_int n)
{
    OK(clSetKernelArg(s->add, 0, sizeof m, &m));
    OK(clSetKernelArg(s->add, 1, sizeof n, &n));
}

static cl_int
record_add(struct buffers *s, cl_mem m, cl_int n, cl_uint n_waits,
           const cl_sync_point_khr *waits, cl_sync_point_khr *point)
{
    static const size_t items = N;
    set_add(s, m, n);
    return s->d->clCommandNDRangeKernelKHR(s->buffer, NULL, NULL, s->add, 1,
                                           NULL, &items, NULL, n_waits, waits,
                                           point, NULL);
}

static void
run(struct buffers *s, cl_command_queue q)
{
    OK(s->d->clEnqueueCommandBufferKHR(q != NULL, q ? &q : NULL, s->buffer, 0,
                                       NULL, NULL));
}

static cl_int
word(struct buffers *s, cl_mem m, size_t i)
{
    cl_int x = -1;
    OK(clEnqueueReadBuffer(s->t.queue, m, CL_TRUE, 4 * i, 4, &x, 0, NULL,
                           NULL));
    return x;
}

/* ---- what it does ---- */

TEST(device_says)
{
    struct cl t = cl_open(0);
    CHECK_EQ(ASK_DEVICE(cl_device_command_buffer_capabilities_khr,
                        CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR),
             CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                 CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR);
    CHECK_EQ(ASK_DEVICE(cl_command_queue_properties,
                        CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR),
             0);
    CHECK_EQ(
        ASK_DEVICE(cl_command_queue_properties,
                   CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR),
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    cl_close(&t);
}

#define ASK_BUFFER(type, buffer, name)                                        \
    ({                                                                        \
        type value_;                                                          \
        size_t size_ = 0;                                                     \
        OK(d->clGetCommandBufferInfoKHR(buffer, name, sizeof value_, &value_, \
                                        &size_));                             \
        CHECK_EQ(size_, sizeof value_);                                       \
        value_;                                                               \
    })

TEST(information)
{
    struct buffers s = open_buffers(0);
    const struct entries *d = s.d;
    cl_command_buffer_properties_khr list[4];
    const cl_command_buffer_properties_khr given[] = {
        CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0
    };
    size_t size = 9;
    cl_int code;
    CHECK_EQ(ASK_BUFFER(cl_uint, s.buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR),
             1);
    CHECK(ASK_BUFFER(cl_command_queue, s.buffer,
                     CL_COMMAND_BUFFER_QUEUES_KHR) == s.t.queue);
    CHECK(ASK_BUFFER(cl_context, s.buffer, CL_COMMAND_BUFFER_CONTEXT_KHR) ==
          s.t.context);
    CHECK_EQ(ASK_BUFFER(cl_command_buffer_state_khr, s.buffer,
                        CL_COMMAND_BUFFER_STATE_KHR),
             CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    OK(d->clRetainCommandBufferKHR(s.buffer));
    CHECK_EQ(
        ASK_BUFFER(cl_uint, s.buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR),
        2);
    OK(d->clReleaseCommandBufferKHR(s.buffer));
    OK(d->clFinalizeCommandBufferKHR(s.buffer));
    CHECK_EQ(ASK_BUFFER(cl_command_buffer_state_khr, s.buffer,
                        CL_COMMAND_BUFFER_STATE_KHR),
             CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    OK(d->clGetCommandBufferInfoKHR(s.buffer,
                                    CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR,
                                    sizeof list, list, &size));
    CHECK_EQ(size, 0);
    cl_command_buffer_khr other;
    CREATES(other, d->clCreateCommandBufferKHR(1, &s.t.queue, given, &code));
    OK(d->clGetCommandBufferInfoKHR(other,
                                    CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR,
                                    sizeof list, list, &size));
    CHECK_EQ(size, sizeof given);
    CHECK(memcmp(list, given, sizeof given) == 0);
    OK(d->clReleaseCommandBufferKHR(other));
    close_buffers(&s);
}

/* A kernel has the arguments of the time of its recording; buffer, kernel and program
 * live on in the command buffer. */
TEST(replays)
{
    struct buffers s = open_buffers(0);
    OK(record_add(&s, s.a, 3, 0, NULL, NULL));
    OK(record_add(&s, s.a, 40, 0, NULL, NULL));
    set_add(&s, s.b, 1000);
    OK(s.d->clFinalizeCommandBufferKHR(s.buffer));
    for (int i = 1; i <= 3; i++) {
        run(&s, NULL);
        CHECK_EQ(word(&s, s.a, N - 1), 43 * i);
    }
    CHECK_EQ(word(&s, s.b, 0), 0);
    close_buffers(&s);
}

TEST(objects_live_on)
{
    struct buffers s = open_buffers(0);
    static const cl_int five = 5;
    cl_mem from = cl_buffer(&s.t, CL_MEM_COPY_HOST_PTR, 4, &five);
    cl_kernel k = s.add;
    OK(s.d->clCommandCopyBufferKHR(s.buffer, NULL, NULL, from, s.b, 0, 0, 4, 0,
                                   NULL, NULL, NULL));
    OK(record_add(&s, s.b, 2, 0, NULL, NULL));
    OK(s.d->clFinalizeCommandBufferKHR(s.buffer));
    OK(clReleaseMemObject(from));
    OK(clReleaseKernel(k));
    run(&s, NULL);
    OK(s.d->clRetainCommandBufferKHR(s.buffer));
    OK(s.d->clReleaseCommandBufferKHR(s.buffer));
    CHECK_EQ(word(&s, s.b, 0), 7);
    s.add = cl_kernel_of(s.p, "add");
    close_buffers(&s);
}

/* All commands on buffers and images, each reading what the one before wrote. */
TEST(every_command)
{
    struct buffers s = open_buffers(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const struct entries *d = s.d;
    const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 4,
                                 .image_height = 4 };
    const size_t zero[3] = { 0 }, second[3] = { 0, 1, 0 };
    const size_t row[3] = { 4, 1, 1 }, box[3] = { 8, 2, 1 };
    const cl_uint color[4] = { 1, 2, 3, 4 };
    const cl_int one = 1;
    cl_int code;
    cl_mem image, copy;
    CREATES(image, clCreateImage(s.t.context, 0, &format, &desc, NULL, &code));
    CREATES(copy, clCreateImage(s.t.context, 0, &format, &desc, NULL, &code));
    cl_sync_point_khr p[10] = { 0 };
    OK(d->clCommandFillBufferKHR(s.buffer, NULL, NULL, s.a, &one, 4, 0, 4 * N,
                                 0, NULL, &p[0], NULL));
    OK(record_add(&s, s.a, 6, 1, &p[0], &p[1]));
    OK(d->clCommandCopyBufferRectKHR(s.buffer, NULL, NULL, s.a, s.b, zero, zero,
                                     box, 16, 0, 8, 0, 1, &p[1], &p[2], NULL));
    OK(d->clCommandCopyBufferKHR(s.buffer, NULL, NULL, s.b, s.a, 0, 128, 16, 1,
                                 &p[2], &p[3], NULL));
    OK(d->clCommandFillImageKHR(s.buffer, NULL, NULL, image, color, zero, row,
                                0, NULL, &p[4], NULL));
    OK(d->clCommandCopyBufferToImageKHR(s.buffer, NULL, NULL, s.a, image, 128,
                                        second, row, 2, &p[3], &p[5], NULL));
    OK(d->clCommandBarrierWithWaitListKHR(s.buffer, NULL, NULL, 0, NULL, &p[6],
                                          NULL));
    const size_t rows[3] = { 4, 2, 1 };
    OK(d->clCommandCopyImageKHR(s.buffer, NULL, NULL, image, copy, zero, zero,
                                rows, 0, NULL, &p[7], NULL));
    OK(d->clCommandCopyImageToBufferKHR(s.buffer, NULL, NULL, copy, s.b, zero,
                                        rows, 64, 1, &p[7], &p[8], NULL));
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < i; k++)
            CHECK(p[i] != p[k] && p[i]);
    OK(d->clFinalizeCommandBufferKHR(s.buffer));
    for (int i = 0; i < 2; i++) {
        cl_event e;
        OK(d->clEnqueueCommandBufferKHR(0, NULL, s.buffer, 0, NULL, &e));
        OK(clWaitForEvents(1, &e));
        OK(clReleaseEvent(e));
        for (size_t w = 0; w < 4; w++) {
            CHECK_EQ(word(&s, s.b, w), 7);
            CHECK_EQ(word(&s, s.a, 32 + w), 7);
            CHECK_EQ(word(&s, s.b, 16 + w), 0x04030201);
            CHECK_EQ(word(&s, s.b, 20 + w), 7);
        }
        CHECK_EQ(word(&s, s.b, 24), 0);
    }
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(copy));
    close_buffers(&s);
}

/* The event is one of a command as others: lists, types, times. */
TEST(event)
{
    struct buffers s = open_buffers(CL_QUEUE_PROFILING_ENABLE);
    OK(record_add(&s, s.a, 1, 0, NULL, NULL));
    OK(s.d->clFinalizeCommandBufferKHR(s.buffer));
    cl_int code;
    cl_event before, e;
    CREATES(before, clCreateUserEvent(s.t.context, &code));
    OK(s.d->clEnqueueCommandBufferKHR(1, &s.t.queue, s.buffer, 1, &before, &e));
    cl_command_type type = 0;
    OK(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_COMMAND_BUFFER_KHR);
    CHECK(cl_status(e) == CL_QUEUED);
    OK(clSetUserEventStatus(before, CL_COMPLETE));
    OK(clWaitForEvents(1, &e));
    cl_ulong time[4];
    static const cl_profiling_info names[] = { CL_PROFILING_COMMAND_QUEUED,
                                               CL_PROFILING_COMMAND_SUBMIT,
                                               CL_PROFILING_COMMAND_START,
                                               CL_PROFILING_COMMAND_END };
    for (int i = 0; i < 4; i++) {
        OK(clGetEventProfilingInfo(e, names[i], sizeof *time, &time[i], NULL));
        CHECK(!i || time[i] >= time[i - 1]);
    }
    CHECK(time[3] > time[2]);
    CHECK_EQ(word(&s, s.a, 0), 1);
    OK(clReleaseEvent(e));
    OK(clReleaseEvent(before));
    CREATES(before, clCreateUserEvent(s.t.context, &code));
    OK(s.d->clEnqueueCommandBufferKHR(0, NULL, s.buffer, 1, &before, &e));
    OK(clSetUserEventStatus(before, -77));
    CHECK_EQ(clWaitForEvents(1, &e),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(word(&s, s.a, 0), 1);
    OK(clReleaseEvent(e));
    OK(clReleaseEvent(before));
    close_buffers(&s);
}

/* Nothing after a failed command runs; its status is that of the event. */
TEST(failure)
{
    struct buffers s = open_buffers(0);
    static const size_t one = 1;
    cl_kernel fails = cl_kernel_of(s.p, "fails");
    OK(clSetKernelArg(fails, 0, sizeof s.b, &s.b));
    OK(record_add(&s, s.a, 1, 0, NULL, NULL));
    OK(s.d->clCommandNDRangeKernelKHR(s.buffer, NULL, NULL, fails, 1, NULL,
                                      &one, NULL, 0, NULL, NULL, NULL));
    OK(record_add(&s, s.a, 1, 0, NULL, NULL));
    OK(s.d->clFinalizeCommandBufferKHR(s.buffer));
    cl_event e;
    OK(s.d->clEnqueueCommandBufferKHR(0, NULL, s.buffer, 0, NULL, &e));
    CHECK_EQ(clWaitForEvents(1, &e),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(cl_status(e), CL_OUT_OF_RESOURCES);
    CHECK_EQ(clFinish(s.t.queue), CL_SUCCESS); /* the event told it */
    CHECK_EQ(word(&s, s.a, 0), 1);
    OK(clReleaseEvent(e));
    OK(clReleaseKernel(fails));
    close_buffers(&s);
}

/* Runs on another queue than that of the recording, and on two at once; the buffer lives
 * until the last run has ended. */
TEST(queues)
{
    struct buffers s = open_buffers(0);
    cl_command_queue other = cl_queue(&s.t, CL_QUEUE_PROFILING_ENABLE);
    const cl_int seven = 7;
    cl_int code;
    OK(s.d->clCommandFillBufferKHR(s.buffer, NULL, NULL, s.a, &seven, 4, 0, 64,
                                   0, NULL, NULL, NULL));
    OK(s.d->clFinalizeCommandBufferKHR(s.buffer));
    run(&s, other);
    OK(clFinish(other));
    CHECK_EQ(word(&s, s.a, 3), 7);
    cl_event go;
    CREATES(go, clCreateUserEvent(s.t.context, &code));
    cl_command_queue both[] = { s.t.queue, other };
    for (int i = 0; i < 2; i++)
        OK(s.d->clEnqueueCommandBufferKHR(1, &both[i], s.buffer, 1, &go, NULL));
    OK(s.d->clReleaseCommandBufferKHR(s.buffer));
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    for (int i = 0; i < 2; i++)
        OK(clFinish(both[i]));
    CHECK_EQ(word(&s, s.a, 15), 7);
    s.buffer = new_buffer(&s, other);
    OK(clReleaseEvent(go));
    OK(clReleaseCommandQueue(other));
    close_buffers(&s);
}

/* A buffer without commands, and one of ranges that are empty. */
TEST(empty)
{
    struct buffers s = open_buffers(0);
    static const size_t none = 0;
    OK(s.d->clFinalizeCommandBufferKHR(s.buffer));
    run(&s, NULL);
    OK(clFinish(s.t.queue));
    OK(s.d->clReleaseCommandBufferKHR(s.buffer));
    s.buffer = new_buffer(&s, s.t.queue);
    set_add(&s, s.a, 1);
    OK(s.d->clCommandNDRangeKernelKHR(s.buffer, NULL, NULL, s.add, 1, NULL,
                                      &none, NULL, 0, NULL, NULL, NULL));
    OK(s.d->clFinalizeCommandBufferKHR(s.buffer));
    run(&s, NULL);
    OK(clFinish(s.t.queue));
    CHECK_EQ(word(&s, s.a, 0), 0);
    close_buffers(&s);
}

/* Shared memory, where the device has it. */
TEST(shared_memory)
{
    struct buffers s = open_buffers(0);
    const struct entries *d = s.d;
    cl_int *at = clSVMAlloc(s.t.context, 0, 64, 0), nine = 9;
    if (at) {
        OK(d->clCommandSVMMemFillKHR(s.buffer, NULL, NULL, at, &nine, 4, 32, 0,
                                     NULL, NULL, NULL));
        OK(d->clCommandSVMMemcpyKHR(s.buffer, NULL, NULL, at + 8, at, 32, 0,
                                    NULL, NULL, NULL));
        OK(d->clFinalizeCommandBufferKHR(s.buffer));
        run(&s, NULL);
        OK(clFinish(s.t.queue));
        CHECK_EQ(at[0], 9);
        CHECK_EQ(at[15], 9);
        clSVMFree(s.t.context, at);
    }
    close_buffers(&s);
}

/* ---- error codes ---- */

/* The errors that all entries of recording have; the dots are the arguments of the
 * command.  entries.py knows them by the name RECORDING. */
#define RECORDING(entry, s, ...)                                               \
    do {                                                                       \
        static const cl_command_properties_khr odd_[] = { 1, 1, 0 };           \
        const struct entries *d_ = (s)->d;                                     \
        cl_command_buffer_khr b_ = (s)->buffer, no_ = (void *)(s)->a;          \
        cl_sync_point_khr point_ = 1000;                                       \
        cl_mutable_command_khr handle_ = NULL;                                 \
        FAILS(CL_INVALID_COMMAND_BUFFER_KHR,                                   \
              d_->entry(no_, NULL, NULL, __VA_ARGS__ 0, NULL, NULL, NULL));    \
        FAILS(CL_INVALID_COMMAND_QUEUE,                                        \
              d_->entry(b_, (s)->t.queue, NULL, __VA_ARGS__ 0, NULL, NULL,     \
                        NULL));                                                \
        FAILS(CL_INVALID_OPERATION,                                            \
              d_->entry((s)->closed, NULL, NULL, __VA_ARGS__ 0, NULL, NULL,    \
                        NULL));                                                \
        FAILS(CL_INVALID_VALUE,                                                \
              d_->entry(b_, NULL, odd_, __VA_ARGS__ 0, NULL, NULL, NULL));     \
        FAILS(CL_INVALID_VALUE,                                                \
              d_->entry(b_, NULL, NULL, __VA_ARGS__ 0, NULL, NULL, &handle_)); \
        FAILS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,                             \
              d_->entry(b_, NULL, NULL, __VA_ARGS__ 1, NULL, NULL, NULL));     \
        FAILS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,                             \
              d_->entry(b_, NULL, NULL, __VA_ARGS__ 0, &point_, NULL, NULL));  \
        FAILS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,                             \
              d_->entry(b_, NULL, NULL, __VA_ARGS__ 1, &point_, NULL, NULL));  \
        point_ = 0;                                                            \
        FAILS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,                             \
              d_->entry(b_, NULL, NULL, __VA_ARGS__ 1, &point_, NULL, NULL));  \
    } while (0)
#define FAILS_ON(code, entry, ...) \
    FAILS(code,                    \
          d->entry(s.buffer, NULL, NULL, __VA_ARGS__, 0, NULL, NULL, NULL))

struct refused {
    struct cl t;
    const struct entries *d;
    cl_command_buffer_khr buffer, closed;
    cl_mem a, other, image;
    cl_context elsewhere;
};

static struct refused
open_refused(void)
{
    struct refused s = { .t = cl_open(0) };
    const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 4,
                                 .image_height = 4 };
    cl_int code;
    s.d = entries_of(&s.t);
    CREATES(s.buffer,
            s.d->clCreateCommandBufferKHR(1, &s.t.queue, NULL, &code));
    CREATES(s.closed,
            s.d->clCreateCommandBufferKHR(1, &s.t.queue, NULL, &code));
    OK(s.d->clFinalizeCommandBufferKHR(s.closed));
    s.a = cl_buffer(&s.t, 0, 256, NULL);
    CREATES(s.elsewhere,
            clCreateContext(NULL, 1, &s.t.device, NULL, NULL, &code));
    CREATES(s.other, clCreateBuffer(s.elsewhere, 0, 256, NULL, &code));
    CREATES(s.image,
            clCreateImage(s.t.context, 0, &format, &desc, NULL, &code));
    return s;
}

static void
close_refused(struct refused *s)
{
    OK(s->d->clReleaseCommandBufferKHR(s->buffer));
    OK(s->d->clReleaseCommandBufferKHR(s->closed));
    OK(clReleaseMemObject(s->a));
    OK(clReleaseMemObject(s->other));
    OK(clReleaseMemObject(s->image));
    OK(clReleaseContext(s->elsewhere));
    cl_close(&s->t);
}

TEST(codes_of_buffers)
{
    struct refused s = open_refused();
    const struct entries *d = s.d;
    cl_command_queue q = s.t.queue, not_q = (cl_command_queue)(void *)s.a;
    cl_command_queue two[] = { q, q };
    cl_command_buffer_khr no = (cl_command_buffer_khr)(void *)s.a;
    const cl_command_buffer_properties_khr unknown[] = { 1, 1, 0 };
    const cl_command_buffer_properties_khr flags[] = {
        CL_COMMAND_BUFFER_FLAGS_KHR, (cl_command_buffer_properties_khr)-1, 0
    };
    const cl_command_buffer_properties_khr twice[] = {
        CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0
    };
    cl_int code;
    char answer[64];
    REFUSES(CL_INVALID_VALUE, d->clCreateCommandBufferKHR(0, &q, NULL, &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateCommandBufferKHR(2, two, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateCommandBufferKHR(1, NULL, NULL, &code));
    REFUSES(CL_INVALID_COMMAND_QUEUE,
            d->clCreateCommandBufferKHR(1, &not_q, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateCommandBufferKHR(1, &q, unknown, &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateCommandBufferKHR(1, &q, flags, &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateCommandBufferKHR(1, &q, twice, &code));
    FAILS(CL_INVALID_COMMAND_BUFFER_KHR, d->clRetainCommandBufferKHR(no));
    FAILS(CL_INVALID_COMMAND_BUFFER_KHR, d->clReleaseCommandBufferKHR(NULL));
    FAILS(CL_INVALID_COMMAND_BUFFER_KHR, d->clFinalizeCommandBufferKHR(no));
    FAILS(CL_INVALID_OPERATION, d->clFinalizeCommandBufferKHR(s.closed));
    FAILS(CL_INVALID_COMMAND_BUFFER_KHR,
          d->clGetCommandBufferInfoKHR(no, CL_COMMAND_BUFFER_STATE_KHR,
                                       sizeof answer, answer, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetCommandBufferInfoKHR(
                                s.closed, 1, sizeof answer, answer, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clGetCommandBufferInfoKHR(s.closed, CL_COMMAND_BUFFER_QUEUES_KHR,
                                       1, answer, NULL));
    close_refused(&s);
}

TEST(codes_of_enqueue)
{
    struct codes c = codes_open();
    const struct entries *d = entries_of(&c.t);
    cl_command_queue q = c.t.queue, not_q = WRONG(cl_command_queue, &c);
    cl_command_queue two[] = { q, q };
    cl_event no_event = WRONG(cl_event, &c);
    cl_command_buffer_khr b, open;
    cl_device_id all[8];
    cl_uint n = 0;
    cl_int code;
    CREATES(b, d->clCreateCommandBufferKHR(1, &q, NULL, &code));
    CREATES(open, d->clCreateCommandBufferKHR(1, &q, NULL, &code));
    OK(d->clFinalizeCommandBufferKHR(b));
    FAILS(CL_INVALID_COMMAND_BUFFER_KHR,
          d->clEnqueueCommandBufferKHR(
              0, NULL, WRONG(cl_command_buffer_khr, &c), 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueCommandBufferKHR(0, NULL, open, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueCommandBufferKHR(1, NULL, b, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueCommandBufferKHR(0, &q, b, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueCommandBufferKHR(2, two, b, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueCommandBufferKHR(1, &not_q, b, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clEnqueueCommandBufferKHR(1, &c.other_queue, b, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clEnqueueCommandBufferKHR(0, NULL, b, 1, &c.other_event, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueCommandBufferKHR(0, NULL, b, 1, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueCommandBufferKHR(0, NULL, b, 0, &c.user, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueCommandBufferKHR(0, NULL, b, 1, &no_event, NULL));
    OK(clGetDeviceIDs(c.t.platform, CL_DEVICE_TYPE_ALL, 8, all, &n));
    if (CHECK(n >= 2)) {
        cl_context both;
        cl_command_queue second;
        CREATES(both, clCreateContext(NULL, 2, all, NULL, NULL, &code));
        CREATES(second, clCreateCommandQueue(both, all[1], 0, &code));
        FAILS(CL_INVALID_DEVICE,
              d->clEnqueueCommandBufferKHR(1, &second, b, 0, NULL, NULL));
        OK(clReleaseCommandQueue(second));
        OK(clReleaseContext(both));
    }
    OK(d->clReleaseCommandBufferKHR(b));
    OK(d->clReleaseCommandBufferKHR(open));
    codes_close(&c);
}

TEST(codes_of_commands)
{
    struct refused s = open_refused();
    const struct entries *d = s.d;
    const cl_int word = 1;
    const size_t zero[3] = { 0 }, box[3] = { 8, 2, 1 }, far[3] = { 250, 0, 0 };
    const size_t next[3] = { 4, 0, 0 };
    cl_mem no = (cl_mem)(void *)s.t.queue;
    cl_mem b = cl_buffer(&s.t, 0, 256, NULL);
    RECORDING(clCommandBarrierWithWaitListKHR, &s, );

    RECORDING(clCommandCopyBufferKHR, &s, s.a, b, 0, 0, 16, );
    FAILS_ON(CL_INVALID_MEM_OBJECT, clCommandCopyBufferKHR, no, b, 0, 0, 16);
    FAILS_ON(CL_INVALID_CONTEXT, clCommandCopyBufferKHR, s.a, s.other, 0, 0,
             16);
    FAILS_ON(CL_INVALID_VALUE, clCommandCopyBufferKHR, s.a, b, 0, 250, 16);
    FAILS_ON(CL_MEM_COPY_OVERLAP, clCommandCopyBufferKHR, s.a, s.a, 0, 8, 16);

    RECORDING(clCommandCopyBufferRectKHR, &s, s.a, b, zero, zero, box, 0, 0, 0,
              0, );
    FAILS_ON(CL_INVALID_MEM_OBJECT, clCommandCopyBufferRectKHR, s.a, no, zero,
             zero, box, 0, 0, 0, 0);
    FAILS_ON(CL_INVALID_CONTEXT, clCommandCopyBufferRectKHR, s.other, b, zero,
             zero, box, 0, 0, 0, 0);
    FAILS_ON(CL_INVALID_VALUE, clCommandCopyBufferRectKHR, s.a, b, far, zero,
             box, 0, 0, 0, 0);
    FAILS_ON(CL_MEM_COPY_OVERLAP, clCommandCopyBufferRectKHR, s.a, s.a, zero,
             next, box, 16, 0, 16, 0);

    RECORDING(clCommandFillBufferKHR, &s, s.a, &word, 4, 0, 16, );
    FAILS_ON(CL_INVALID_MEM_OBJECT, clCommandFillBufferKHR, no, &word, 4, 0,
             16);
    FAILS_ON(CL_INVALID_CONTEXT, clCommandFillBufferKHR, s.other, &word, 4, 0,
             16);
    FAILS_ON(CL_INVALID_VALUE, clCommandFillBufferKHR, s.a, &word, 3, 0, 15);
    OK(clReleaseMemObject(b));
    close_refused(&s);
}

TEST(codes_of_images)
{
    struct refused s = open_refused();
    const struct entries *d = s.d;
    const cl_image_format format = { CL_R, CL_UNSIGNED_INT8 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 4,
                                 .image_height = 4 };
    const cl_uint color[4] = { 0 };
    const size_t zero[3] = { 0 }, row[3] = { 4, 1, 1 }, far[3] = { 3, 3, 0 };
    const size_t next[3] = { 1, 0, 0 }, three[3] = { 3, 1, 1 };
    const size_t one[3] = { 1, 1, 1 };
    cl_int code;
    cl_mem thin, strange, image = s.image;
    CREATES(thin, clCreateImage(s.t.context, 0, &format, &desc, NULL, &code));
    CREATES(strange,
            clCreateImage(s.elsewhere, 0, &format, &desc, NULL, &code));
    RECORDING(clCommandCopyImageKHR, &s, image, image, zero, far, one, );
    FAILS_ON(CL_INVALID_MEM_OBJECT, clCommandCopyImageKHR, s.a, image, zero,
             zero, row);
    FAILS_ON(CL_INVALID_CONTEXT, clCommandCopyImageKHR, image, strange, zero,
             zero, row);
    FAILS_ON(CL_INVALID_VALUE, clCommandCopyImageKHR, image, image, zero, far,
             row);
    FAILS_ON(CL_IMAGE_FORMAT_MISMATCH, clCommandCopyImageKHR, image, thin, zero,
             zero, row);
    FAILS_ON(CL_MEM_COPY_OVERLAP, clCommandCopyImageKHR, image, image, zero,
             next, three);

    RECORDING(clCommandCopyImageToBufferKHR, &s, image, s.a, zero, row, 0, );
    FAILS_ON(CL_INVALID_MEM_OBJECT, clCommandCopyImageToBufferKHR, s.a, s.a,
             zero, row, 0);
    FAILS_ON(CL_INVALID_CONTEXT, clCommandCopyImageToBufferKHR, image, s.other,
             zero, row, 0);
    FAILS_ON(CL_INVALID_VALUE, clCommandCopyImageToBufferKHR, image, s.a, zero,
             row, 250);

    RECORDING(clCommandCopyBufferToImageKHR, &s, s.a, image, 0, zero, row, );
    FAILS_ON(CL_INVALID_MEM_OBJECT, clCommandCopyBufferToImageKHR, s.a, s.a, 0,
             zero, row);
    FAILS_ON(CL_INVALID_CONTEXT, clCommandCopyBufferToImageKHR, s.other, image,
             0, zero, row);
    FAILS_ON(CL_INVALID_VALUE, clCommandCopyBufferToImageKHR, s.a, image, 0,
             far, row);

    RECORDING(clCommandFillImageKHR, &s, image, color, zero, row, );
    FAILS_ON(CL_INVALID_MEM_OBJECT, clCommandFillImageKHR, s.a, color, zero,
             row);
    FAILS_ON(CL_INVALID_CONTEXT, clCommandFillImageKHR, strange, color, zero,
             row);
    FAILS_ON(CL_INVALID_VALUE, clCommandFillImageKHR, image, NULL, zero, row);
    OK(clReleaseMemObject(thin));
    OK(clReleaseMemObject(strange));
    close_refused(&s);
}

TEST(codes_of_kernels)
{
    struct refused s = open_refused();
    const struct entries *d = s.d;
    cl_program p = cl_build(&s.t, source, "");
    cl_kernel k = cl_kernel_of(p, "add"), no = (cl_kernel)(void *)s.a;
    const size_t items[3] = { 4, 1, 1 }, big[3] = { 1 << 20, 1, 1 };
    const size_t nothing[3] = { 0 }, far = (size_t)1 << 32, last = far - 1;
    cl_int one = 1;
    FAILS_ON(CL_INVALID_KERNEL_ARGS, clCommandNDRangeKernelKHR, k, 1, NULL,
             items, NULL);
    OK(clSetKernelArg(k, 0, sizeof s.a, &s.a));
    OK(clSetKernelArg(k, 1, sizeof one, &one));
    RECORDING(clCommandNDRangeKernelKHR, &s, k, 1, NULL, items, NULL, );
    FAILS_ON(CL_INVALID_KERNEL, clCommandNDRangeKernelKHR, no, 1, NULL, items,
             NULL);
    FAILS_ON(CL_INVALID_WORK_DIMENSION, clCommandNDRangeKernelKHR, k, 4, NULL,
             items, NULL);
    FAILS_ON(CL_INVALID_GLOBAL_WORK_SIZE, clCommandNDRangeKernelKHR, k, 1, NULL,
             &far, NULL);
    FAILS_ON(CL_INVALID_GLOBAL_OFFSET, clCommandNDRangeKernelKHR, k, 1, &last,
             items, NULL);
    FAILS_ON(CL_INVALID_WORK_GROUP_SIZE, clCommandNDRangeKernelKHR, k, 1, NULL,
             items, nothing);
    FAILS_ON(CL_INVALID_WORK_ITEM_SIZE, clCommandNDRangeKernelKHR, k, 1, NULL,
             big, big);
    cl_int code;
    const char *text = source;
    cl_program elsewhere;
    CREATES(elsewhere,
            clCreateProgramWithSource(s.elsewhere, 1, &text, NULL, &code));
    OK(clBuildProgram(elsewhere, 0, NULL, "", NULL, NULL));
    cl_kernel strange = cl_kernel_of(elsewhere, "add");
    FAILS_ON(CL_INVALID_CONTEXT, clCommandNDRangeKernelKHR, strange, 1, NULL,
             items, NULL);
    OK(clReleaseKernel(strange));
    OK(clReleaseProgram(elsewhere));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    close_refused(&s);
}

/* Shared memory: CL_INVALID_OPERATION where the device has none. */
TEST(codes_of_shared_memory)
{
    struct refused s = open_refused();
    const struct entries *d = s.d;
    char *at = clSVMAlloc(s.t.context, 0, 64, 0), four[4] = { 0 };
    if (at) {
        RECORDING(clCommandSVMMemcpyKHR, &s, at, at + 32, 32, );
        FAILS_ON(CL_INVALID_VALUE, clCommandSVMMemcpyKHR, NULL, at, 32);
        FAILS_ON(CL_MEM_COPY_OVERLAP, clCommandSVMMemcpyKHR, at, at + 1, 32);
        RECORDING(clCommandSVMMemFillKHR, &s, at, four, 4, 32, );
        FAILS_ON(CL_INVALID_VALUE, clCommandSVMMemFillKHR, at, four, 3, 33);
        clSVMFree(s.t.context, at);
    } else {
        FAILS_ON(CL_INVALID_OPERATION, clCommandSVMMemcpyKHR, four, four, 1);
        FAILS_ON(CL_INVALID_OPERATION, clCommandSVMMemFillKHR, four, four, 1,
                 1);
    }
    close_refused(&s);
}

TEST_MAIN
