/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of commands: order, user events, callbacks, errors, times. */
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include "cl.h"

static cl_event
user_event(struct cl *t)
{
    cl_int code;
    cl_event e;
    CREATES(e, clCreateUserEvent(t->context, &code));
    return e;
}

/* A command that sets one int, after `after` if that is not NULL. */
static cl_event
set_int(struct cl *t, cl_mem m, unsigned at, int value, cl_event after)
{
    cl_event e = NULL;
    OK(clEnqueueFillBuffer(t->queue, m, &value, sizeof value, at * sizeof(int),
                           sizeof value, after != NULL, after ? &after : NULL,
                           &e));
    return e;
}

static int
get_int(struct cl *t, cl_mem m, unsigned at)
{
    int value = -1;
    cl_command_queue q = cl_queue(t, 0);
    OK(clEnqueueReadBuffer(q, m, CL_TRUE, at * sizeof(int), sizeof value,
                           &value, 0, NULL, NULL));
    OK(clReleaseCommandQueue(q));
    return value;
}

TEST(user_events_hold_back)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&t);
    CHECK_EQ(cl_status(go), CL_SUBMITTED);
    cl_event first = set_int(&t, m, 0, 7, go);
    cl_event second = set_int(&t, m, 1, 8, NULL); /* in order: after it */
    CHECK_EQ(get_int(&t, m, 0), 0);
    CHECK_EQ(cl_status(first), CL_QUEUED);
    CHECK_EQ(cl_status(second), CL_QUEUED);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    FAILS(CL_INVALID_OPERATION, clSetUserEventStatus(go, CL_COMPLETE));
    OK(clWaitForEvents(1, &second));
    CHECK_EQ(cl_status(first), CL_COMPLETE);
    CHECK_EQ(get_int(&t, m, 0), 7);
    CHECK_EQ(get_int(&t, m, 1), 8);
    FAILS(CL_INVALID_EVENT, clSetUserEventStatus(first, CL_COMPLETE));
    OK(clReleaseEvent(first));
    OK(clReleaseEvent(second));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(errors_follow_wait_lists)
{
    struct cl t = cl_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&t);
    cl_event a = set_int(&t, m, 0, 1, go);
    cl_event b = set_int(&t, m, 1, 2, a);
    cl_event other = set_int(&t, m, 2, 3, NULL);
    FAILS(CL_INVALID_VALUE, clSetUserEventStatus(go, CL_RUNNING));
    OK(clSetUserEventStatus(go, -4711));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &b));
    CHECK_EQ(cl_status(go), -4711);
    CHECK_EQ(cl_status(a), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(cl_status(b), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    OK(clWaitForEvents(1, &other));
    CHECK_EQ(get_int(&t, m, 0), 0);
    CHECK_EQ(get_int(&t, m, 2), 3);
    int value;
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, 4, &value, 1, &a, NULL));
    cl_event events[] = { go, a, b, other };
    for (int i = 0; i < 4; i++)
        OK(clReleaseEvent(events[i]));
    OK(clFinish(t.queue));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* In the in-order queue what follows a failed command runs. */
TEST(errors_end_at_the_queue)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&t);
    cl_event a = set_int(&t, m, 0, 1, go);
    cl_event b = set_int(&t, m, 1, 2, NULL);
    OK(clSetUserEventStatus(go, -1));
    OK(clWaitForEvents(1, &b));
    CHECK_EQ(get_int(&t, m, 1), 2);
    OK(clReleaseEvent(a));
    OK(clReleaseEvent(b));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* Bytes of the process's own memory at its highest. */
static size_t
peak_B(void)
{
    struct rusage r;
    CHECK_EQ(getrusage(RUSAGE_SELF, &r), 0);
    return (size_t)r.ru_maxrss * 1024;
}

/* A command held back by a user event took an edge to each one before it:
 * 100,000 of them took 4.25 GB.  One of these three in turns. */
static void
enqueue_pending(struct cl *t, cl_mem m, unsigned i)
{
    const int value = (int)i;
    if (i % 3 == 0)
        OK(clEnqueueFillBuffer(t->queue, m, &value, sizeof value, 0,
                               sizeof value, 0, NULL, NULL));
    else if (i % 3 == 1)
        OK(clEnqueueMarkerWithWaitList(t->queue, 0, NULL, NULL));
    else
        OK(clEnqueueBarrierWithWaitList(t->queue, 0, NULL, NULL));
}

static void
check_pending(cl_command_queue_properties properties, unsigned n)
{
    const size_t room_B = 2048; /* a command, with a sanitizer's red zones */
    struct cl t = cl_open(properties);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&t);
    OK(clEnqueueBarrierWithWaitList(t.queue, 1, &go, NULL));
    size_t before = peak_B();
    for (unsigned i = 0; i < n; i++)
        enqueue_pending(&t, m, i);
    cl_event last = set_int(&t, m, 1, 5, NULL);
    CHECK(peak_B() - before < n * room_B + ((size_t)64 << 20));
    CHECK_EQ(cl_status(last), CL_QUEUED);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clFinish(t.queue));
    CHECK_EQ(get_int(&t, m, 0), (int)((n - 1) / 3 * 3));
    CHECK_EQ(get_int(&t, m, 1), 5);
    OK(clReleaseEvent(last));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(million_pending_in_order)
{
    check_pending(0, 1000000);
}

TEST(million_pending_out_of_order)
{
    check_pending(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 1000000);
}

/* A marker waits for all before it, not only for those still held back. */
TEST(marker_waits_for_all)
{
    struct cl t = cl_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go[3], set[3], marker, later;
    for (unsigned i = 0; i < 3; i++) {
        go[i] = user_event(&t);
        set[i] = set_int(&t, m, i, (int)i + 1, go[i]);
    }
    OK(clEnqueueMarkerWithWaitList(t.queue, 0, NULL, &marker));
    later = set_int(&t, m, 3, 9, NULL); /* a marker holds nothing back */
    OK(clWaitForEvents(1, &later));
    static const unsigned order[3] = { 1, 2, 0 };
    for (unsigned i = 0; i < 3; i++) {
        CHECK_EQ(cl_status(marker), CL_QUEUED);
        OK(clSetUserEventStatus(go[order[i]], CL_COMPLETE));
        OK(clWaitForEvents(1, &set[order[i]]));
    }
    OK(clWaitForEvents(1, &marker));
    for (unsigned i = 0; i < 3; i++) {
        OK(clReleaseEvent(go[i]));
        OK(clReleaseEvent(set[i]));
    }
    OK(clReleaseEvent(marker));
    OK(clReleaseEvent(later));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* It can no longer be set: what waits for it must not wait for ever. */
TEST(user_event_dropped)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&t);
    cl_event a = set_int(&t, m, 0, 1, go);
    OK(clReleaseEvent(go));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &a));
    OK(clReleaseEvent(a));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* ---- callbacks ---- */

struct seen {
    pthread_mutex_t lock;
    int n;
    cl_int status[8];
};

static void CL_CALLBACK
see(cl_event e, cl_int status, void *user_data)
{
    struct seen *s = user_data;
    (void)e;
    pthread_mutex_lock(&s->lock);
    if (s->n < 8)
        s->status[s->n++] = status;
    pthread_mutex_unlock(&s->lock);
}

static void
wait_for(struct seen *s, int n)
{
    int there;
    do {
        sched_yield();
        pthread_mutex_lock(&s->lock);
        there = s->n;
        pthread_mutex_unlock(&s->lock);
    } while (there < n);
}

TEST(callbacks_in_order)
{
    struct cl t = cl_open(0);
    struct seen s = { .lock = PTHREAD_MUTEX_INITIALIZER };
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&t);
    cl_event a = set_int(&t, m, 0, 1, go);
    OK(clSetEventCallback(a, CL_COMPLETE, see, &s));
    OK(clSetEventCallback(a, CL_RUNNING, see, &s));
    OK(clSetEventCallback(a, CL_SUBMITTED, see, &s));
    FAILS(CL_INVALID_VALUE, clSetEventCallback(a, CL_QUEUED, see, &s));
    FAILS(CL_INVALID_VALUE, clSetEventCallback(a, CL_COMPLETE, NULL, &s));
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    wait_for(&s, 3);
    CHECK_EQ(s.status[0], CL_SUBMITTED);
    CHECK_EQ(s.status[1], CL_RUNNING);
    CHECK_EQ(s.status[2], CL_COMPLETE);
    /* Too late is at once. */
    OK(clWaitForEvents(1, &a));
    OK(clSetEventCallback(a, CL_COMPLETE, see, &s));
    CHECK_EQ(s.n, 4);
    OK(clReleaseEvent(a));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(callbacks_get_errors)
{
    struct cl t = cl_open(0);
    struct seen s = { .lock = PTHREAD_MUTEX_INITIALIZER };
    cl_event go = user_event(&t), marker;
    OK(clEnqueueMarkerWithWaitList(t.queue, 1, &go, &marker));
    OK(clSetEventCallback(go, CL_COMPLETE, see, &s));
    OK(clSetEventCallback(marker, CL_COMPLETE, see, &s));
    OK(clSetUserEventStatus(go, -5));
    wait_for(&s, 2);
    int a = s.status[0], b = s.status[1];
    CHECK(a + b == -5 + CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    OK(clReleaseEvent(go));
    OK(clReleaseEvent(marker));
    cl_close(&t);
}

/* ---- order ---- */

/* Each of many commands adds itself to a chain through their wait lists. */
TEST(out_of_order_graph)
{
    struct cl t = cl_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    enum { N = 64 };
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, (N + 1) * sizeof(int), NULL);
    cl_event go = user_event(&t), done[N + 1];
    int one = 1;
    done[0] = set_int(&t, m, 0, one, go);
    /* Element i + 1 is a copy of element i, so all must run in order. */
    for (unsigned i = 0; i < N; i++)
        OK(clEnqueueCopyBuffer(t.queue, m, m, i * sizeof(int),
                               (i + 1) * sizeof(int), sizeof(int), 1, &done[i],
                               &done[i + 1]));
    CHECK_EQ(get_int(&t, m, N), 0);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clFinish(t.queue));
    CHECK_EQ(get_int(&t, m, N), 1);
    for (unsigned i = 0; i <= N; i++)
        OK(clReleaseEvent(done[i]));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(barriers_and_markers)
{
    struct cl t = cl_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&t), marker, barrier;
    cl_event held = set_int(&t, m, 0, 1, go);
    OK(clEnqueueMarkerWithWaitList(t.queue, 0, NULL, &marker));
    cl_event free_one = set_int(&t, m, 1, 2, NULL);
    OK(clWaitForEvents(1, &free_one)); /* no marker holds it back */
    OK(clEnqueueBarrierWithWaitList(t.queue, 0, NULL, &barrier));
    cl_event behind = set_int(&t, m, 2, 3, NULL);
    CHECK_EQ(get_int(&t, m, 2), 0);
    CHECK_EQ(cl_status(behind), CL_QUEUED);
    CHECK_EQ(cl_status(marker), CL_QUEUED);
    CHECK_EQ(cl_status(barrier), CL_QUEUED);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clFinish(t.queue));
    CHECK_EQ(cl_status(marker), CL_COMPLETE);
    CHECK_EQ(get_int(&t, m, 2), 3);
    cl_event events[] = { go, held, marker, free_one, barrier, behind };
    for (int i = 0; i < 6; i++)
        OK(clReleaseEvent(events[i]));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(deprecated_ones)
{
    struct cl t = cl_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&t), marker;
    OK(clEnqueueWaitForEvents(t.queue, 1, &go));
    cl_event a = set_int(&t, m, 0, 1, NULL);
    CHECK_EQ(get_int(&t, m, 0), 0);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clEnqueueMarker(t.queue, &marker));
    OK(clEnqueueBarrier(t.queue));
    OK(clWaitForEvents(1, &marker));
    CHECK_EQ(get_int(&t, m, 0), 1);
    FAILS(CL_INVALID_VALUE, clEnqueueMarker(t.queue, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueWaitForEvents(t.queue, 0, NULL));
    FAILS(CL_INVALID_VALUE, clWaitForEvents(0, NULL));
    OK(clReleaseEvent(marker));
    OK(clReleaseEvent(a));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* ---- times ---- */

TEST(profiling)
{
    struct cl t = cl_open(CL_QUEUE_PROFILING_ENABLE);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_ulong at[5], before = 0, host;
    OK(clGetDeviceAndHostTimer(t.device, &before, &host));
    CHECK(before > 0); /* no command was queued before */
    cl_event a = set_int(&t, m, 0, 1, NULL), go = user_event(&t);
    OK(clWaitForEvents(1, &a));
    for (unsigned i = 0; i < 5; i++) {
        OK(clGetEventProfilingInfo(a, CL_PROFILING_COMMAND_QUEUED + i,
                                   sizeof at[i], &at[i], NULL));
        CHECK(at[i] >= before);
        before = at[i];
    }
    FAILS(CL_INVALID_VALUE, clGetEventProfilingInfo(a, 1, 8, &before, NULL));
    FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(go, CL_PROFILING_COMMAND_END, 8, &before,
                                  NULL));
    cl_event held = set_int(&t, m, 0, 1, go);
    FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(held, CL_PROFILING_COMMAND_END, 8, &before,
                                  NULL));
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    cl_command_queue plain = cl_queue(&t, 0);
    cl_event b;
    OK(clEnqueueMarkerWithWaitList(plain, 0, NULL, &b));
    OK(clFinish(plain));
    FAILS(
        CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(b, CL_PROFILING_COMMAND_END, 8, &before, NULL));
    OK(clReleaseCommandQueue(plain));
    OK(clReleaseEvent(a));
    OK(clReleaseEvent(b));
    OK(clReleaseEvent(held));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(event_info)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_event a = set_int(&t, m, 0, 1, NULL), go = user_event(&t);
    cl_command_queue q = NULL;
    cl_command_type type = 0;
    cl_context c = NULL;
    cl_uint n = 0;
    OK(clGetEventInfo(a, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL));
    CHECK(q == t.queue);
    OK(clGetEventInfo(a, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_FILL_BUFFER);
    OK(clGetEventInfo(go, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_USER);
    OK(clGetEventInfo(go, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL));
    CHECK(q == NULL);
    OK(clGetEventInfo(go, CL_EVENT_CONTEXT, sizeof c, &c, NULL));
    CHECK(c == t.context);
    OK(clGetEventInfo(go, CL_EVENT_REFERENCE_COUNT, sizeof n, &n, NULL));
    CHECK_EQ(n, 1);
    FAILS(CL_INVALID_VALUE, clGetEventInfo(go, 1, 0, NULL, NULL));
    OK(clReleaseEvent(a));
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* Events of another context are refused. */
TEST(contexts_do_not_mix)
{
    struct cl t = cl_open(0), other = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    cl_mem theirs = cl_buffer(&other, CL_MEM_READ_WRITE, 64, NULL);
    cl_event go = user_event(&other);
    char bytes[64];
    FAILS(CL_INVALID_CONTEXT,
          clEnqueueMarkerWithWaitList(t.queue, 1, &go, NULL));
    FAILS(CL_INVALID_CONTEXT, clEnqueueReadBuffer(t.queue, theirs, CL_TRUE, 0,
                                                  64, bytes, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          clEnqueueCopyBuffer(t.queue, m, theirs, 0, 0, 64, 0, NULL, NULL));
    cl_event here = user_event(&t), both[] = { here, go };
    OK(clSetUserEventStatus(here, CL_COMPLETE));
    FAILS(CL_INVALID_CONTEXT, clWaitForEvents(2, both));
    OK(clReleaseEvent(go));
    OK(clReleaseEvent(here));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(theirs));
    cl_close(&t);
    cl_close(&other);
}

TEST_MAIN
