/* SPDX-License-Identifier: Apache-2.0 */
/* Children of a process whose queues have threads. */
#include <sys/wait.h>
#include <unistd.h>

#include "cl.h"

static void
fill(cl_command_queue q, cl_mem m, int value)
{
    int seen = 0;
    OK(clEnqueueFillBuffer(q, m, &value, sizeof value, 0, sizeof value, 0, NULL,
                           NULL));
    OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof seen, &seen, 0, NULL,
                           NULL));
    CHECK_EQ(seen, value);
}

/* Runs `body` in a child. */
static void
in_child(void (*body)(struct cl *t, cl_mem m, cl_event e), struct cl *t,
         cl_mem m, cl_event e)
{
    int status = -1;
    fflush(stdout); /* the child has a copy of what is buffered */
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        body(t, m, e);
        fflush(stdout);
        _exit(test_failures != 0);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

static void
use_inherited(struct cl *t, cl_mem m, cl_event e)
{
    int value = 1;
    cl_int code;
    FAILS(CL_INVALID_COMMAND_QUEUE, clFinish(t->queue));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof value, &value, 0,
                              NULL, NULL));
    FAILS(CL_INVALID_EVENT, clWaitForEvents(1, &e));
    REFUSES(CL_INVALID_CONTEXT,
            clCreateBuffer(t->context, CL_MEM_READ_WRITE, 4, NULL, &code));
    REFUSES(CL_INVALID_DEVICE,
            clCreateContext(NULL, 1, &t->device, NULL, NULL, &code));
    FAILS(CL_INVALID_EVENT, clReleaseEvent(e));
    FAILS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(m));
    FAILS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(t->queue));
    FAILS(CL_INVALID_CONTEXT, clReleaseContext(t->context));
}

static void
open_anew(struct cl *t, cl_mem m, cl_event e)
{
    (void)t, (void)m, (void)e;
    struct cl own = cl_open(0);
    cl_mem mine = cl_buffer(&own, CL_MEM_READ_WRITE, 64, NULL);
    fill(own.queue, mine, 42);
    OK(clReleaseMemObject(mine));
    cl_close(&own);
}

static void
open_in_grandchild(struct cl *t, cl_mem m, cl_event e)
{
    open_anew(t, m, e);
    in_child(open_anew, t, m, e);
}

/* The thread of the queue runs, waits, or has a command that is held back. */
static void
with_children(void (*body)(struct cl *t, cl_mem m, cl_event e))
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_event go, held;
    const int value = 7;
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    fill(t.queue, m, 1);
    CREATES(go, clCreateUserEvent(t.context, &code));
    OK(clEnqueueFillBuffer(t.queue, m, &value, sizeof value, 0, sizeof value, 1,
                           &go, &held));
    in_child(body, &t, m, held);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clFinish(t.queue));
    fill(t.queue, m, 2); /* the parent goes on */
    OK(clReleaseEvent(go));
    OK(clReleaseEvent(held));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(handles_of_the_parent_are_invalid)
{
    with_children(use_inherited);
}

TEST(child_opens_devices_anew)
{
    with_children(open_anew);
}

TEST(grandchild_opens_devices_anew)
{
    with_children(open_in_grandchild);
}

/* While another queue's thread makes and drops objects all the time. */
TEST(fork_while_busy)
{
    struct cl t = cl_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem m = cl_buffer(&t, CL_MEM_READ_WRITE, 64, NULL);
    for (int i = 0; i < 20; i++) {
        const int value = i;
        for (int j = 0; j < 500; j++)
            OK(clEnqueueFillBuffer(t.queue, m, &value, sizeof value, 0,
                                   sizeof value, 0, NULL, NULL));
        in_child(open_anew, &t, m, NULL);
    }
    OK(clFinish(t.queue));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST_MAIN_THAT_FORKS
