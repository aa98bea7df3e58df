/* SPDX-License-Identifier: Apache-2.0 */
/* References, destructors, and handles that are none. */
#include "cl.h"
#include "heap.h"

static cl_uint
count_of(cl_context c)
{
    cl_uint n = 0;
    OK(clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL));
    return n;
}

TEST(counts_are_the_applications)
{
    struct cl t = cl_open(0);
    CHECK_EQ(count_of(t.context), 1); /* though the queue holds one, too */
    OK(clRetainContext(t.context));
    CHECK_EQ(count_of(t.context), 2);
    OK(clReleaseContext(t.context));
    CHECK_EQ(count_of(t.context), 1);
    cl_close(&t);
}

/* What was released is used no more, but what it made goes on. */
TEST(parents_outlive_their_handles)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    OK(clReleaseContext(t.context));
    cl_context c = NULL;
    OK(clGetMemObjectInfo(m, CL_MEM_CONTEXT, sizeof c, &c, NULL));
    CHECK(c == t.context);
    OK(clRetainContext(c));
    char bytes[64];
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, 64, bytes, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(released_twice)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    OK(clReleaseMemObject(m));
    FAILS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(m));
    FAILS(CL_INVALID_MEM_OBJECT, clRetainMemObject(m));
    char bytes[64];
    FAILS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, 64,
                                                     bytes, 0, NULL, NULL));
    cl_event e;
    CREATES(e, clCreateUserEvent(t.context, &code));
    OK(clReleaseEvent(e));
    FAILS(CL_INVALID_EVENT, clReleaseEvent(e));
    FAILS(CL_INVALID_EVENT, clWaitForEvents(1, &e));
    cl_context c = t.context;
    OK(clRetainContext(c));
    cl_close(&t);
    OK(clReleaseContext(c));
    FAILS(CL_INVALID_CONTEXT, clReleaseContext(c));
}

TEST(other_kinds)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    FAILS(CL_INVALID_EVENT, clReleaseEvent((cl_event)m));
    FAILS(CL_INVALID_KERNEL, clReleaseKernel((cl_kernel)m));
    FAILS(CL_INVALID_PROGRAM, clReleaseProgram((cl_program)m));
    FAILS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue((cl_command_queue)m));
    FAILS(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue((cl_command_queue)m));
    FAILS(CL_INVALID_KERNEL, clRetainKernel((cl_kernel)m));
    FAILS(CL_INVALID_PROGRAM, clRetainProgram((cl_program)m));
    FAILS(CL_INVALID_EVENT, clRetainEvent((cl_event)m));
    FAILS(CL_INVALID_MEM_OBJECT, clRetainMemObject((cl_mem)t.queue));
    FAILS(CL_INVALID_DEVICE, clRetainDevice((cl_device_id)m));
    FAILS(CL_INVALID_DEVICE, clReleaseDevice((cl_device_id)m));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* Arguments that the loader does not look at may be any number. */
TEST(wild_handles)
{
    struct cl t = cl_open(0);
    cl_event wild = (cl_event)(uintptr_t)0x1234;
    char byte;
    FAILS(CL_INVALID_MEM_OBJECT,
          clEnqueueReadBuffer(t.queue, (cl_mem)(uintptr_t)8, CL_TRUE, 0, 1,
                              &byte, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueMarkerWithWaitList(t.queue, 1, &wild, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueBarrierWithWaitList(t.queue, 1, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueMarkerWithWaitList(t.queue, 0, &wild, NULL));
    cl_close(&t);
}

static char order[8];

static void CL_CALLBACK
note_mem(cl_mem m, void *user_data)
{
    (void)m;
    strncat(order, user_data, 1);
}

static void CL_CALLBACK
note_context(cl_context c, void *user_data)
{
    (void)c;
    strncat(order, user_data, 1);
}

TEST(destructors_in_reverse)
{
    struct cl t = cl_open(0);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    static char name[] = "abc";
    order[0] = 0;
    OK(clSetMemObjectDestructorCallback(m, note_mem, &name[0]));
    OK(clSetMemObjectDestructorCallback(m, note_mem, &name[1]));
    FAILS(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(m, NULL, NULL));
    OK(clSetContextDestructorCallback(t.context, note_context, &name[2]));
    FAILS(CL_INVALID_VALUE,
          clSetContextDestructorCallback(t.context, NULL, NULL));
    OK(clReleaseMemObject(m));
    CHECK_STR(order, "ba");
    cl_close(&t);
    CHECK_STR(order, "bac");
}

/* A queue that goes with work in it still does the work. */
TEST(queues_finish_what_they_have)
{
    struct cl t = cl_open(0);
    int one = 1, back = 0;
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, sizeof one, NULL);
    cl_command_queue q = cl_queue(&t, 0);
    cl_event done;
    for (int i = 0; i < 100; i++)
        OK(clEnqueueFillBuffer(q, m, &one, sizeof one, 0, sizeof one, 0, NULL,
                               i == 99 ? &done : NULL));
    OK(clReleaseCommandQueue(q));
    OK(clWaitForEvents(1, &done));
    OK(clReleaseEvent(done));
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof back, &back, 0, NULL,
                           NULL));
    CHECK_EQ(back, 1);
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* Handles that were released long ago are refused: the loader reads their memory. */
TEST(handles_released_long_ago)
{
    enum { MANY = 4000 };
    struct cl t = cl_open(0);
    cl_int code;
    cl_event event = NULL;
    cl_mem mem = NULL;
    cl_command_queue queue = NULL;
    cl_context context = NULL;
    for (unsigned i = 0; i < MANY; i++) {
        cl_event e = clCreateUserEvent(t.context, &code);
        cl_mem m = clCreateBuffer(t.context, 0, 64, NULL, &code);
        cl_command_queue q = cl_queue(&t, 0);
        cl_context c = clCreateContext(NULL, 1, &t.device, NULL, NULL, &code);
        event = event ? event : e;
        mem = mem ? mem : m;
        queue = queue ? queue : q;
        context = context ? context : c;
        OK(clReleaseEvent(e));
        OK(clReleaseMemObject(m));
        OK(clReleaseCommandQueue(q));
        OK(clReleaseContext(c));
    }
    FAILS(CL_INVALID_EVENT, clRetainEvent(event));
    FAILS(CL_INVALID_EVENT, clWaitForEvents(1, &event));
    FAILS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(mem));
    FAILS(CL_INVALID_COMMAND_QUEUE, clFinish(queue));
    FAILS(CL_INVALID_CONTEXT, clRetainContext(context));
    cl_close(&t);
}

/* Their memory becomes other objects: there is an end to what they take. */
TEST(dead_objects_give_their_memory_back)
{
    enum { MANY = 20000 };
    struct cl t = cl_open(0);
    size_t before = 0;
    cl_int code;
    for (unsigned i = 0; i < 2 * MANY; i++) {
        cl_event e;
        CREATES(e, clCreateUserEvent(t.context, &code));
        OK(clSetUserEventStatus(e, CL_COMPLETE));
        OK(clReleaseEvent(e));
        if (i == MANY)
            before = heap_B();
    }
    CHECK(heap_B() < before + MANY);
    cl_close(&t);
}

TEST_MAIN
