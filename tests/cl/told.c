/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls say that an earlier launch of their queue failed. */
#include "cl.h"

static const char source[] =
    "kernel void wild(global int *p, int n) { p[get_global_id(0) * n] = 1; }";

/* A kernel that faults, enqueued on the queue; the program looks at no event. */
static void
enqueue_wild(cl_command_queue q, cl_kernel k, cl_mem m)
{
    const size_t global = 64;
    cl_int stride = 1 << 20;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, sizeof stride, &stride));
    OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL));
}

/* The first call that waits says that an earlier command failed, and no later one. */
TEST(blocking_calls_tell_of_earlier_faults)
{
    int words[16], code;
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, source, "");
    cl_kernel k = cl_kernel_of(p, "wild");
    cl_mem m = cl_buffer(&t, 0, 64, NULL);
    cl_command_queue q = t.queue;
    cl_event e = NULL;
    enqueue_wild(q, k, m);
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueReadBuffer(q, m, CL_TRUE, 0, 64, words, 0, NULL, &e));
    CHECK(!e);
    OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, 64, words, 0, NULL, NULL));
    OK(clFinish(q));

    enqueue_wild(q, k, m);
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 64, words, 0, NULL, NULL));
    enqueue_wild(q, k, m);
    CHECK(!clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL,
                              &code));
    CHECK_EQ(code, CL_OUT_OF_RESOURCES);
    enqueue_wild(q, k, m);
    OK(clEnqueueReadBuffer(q, m, CL_FALSE, 0, 64, words, 0, NULL, &e));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &e));
    CHECK_EQ(cl_status(e), CL_COMPLETE); /* the read itself ran */
    OK(clWaitForEvents(1, &e));
    OK(clFinish(q));
    OK(clReleaseEvent(e));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Commands of such a queue depend on their wait lists alone. */
TEST(out_of_order_reads_tell_of_no_other_fault)
{
    int words[16];
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, source, "");
    cl_kernel k = cl_kernel_of(p, "wild");
    cl_mem m = cl_buffer(&t, 0, 64, NULL);
    cl_command_queue q = cl_queue(&t, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    enqueue_wild(q, k, m);
    OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, 64, words, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES, clFinish(q));
    OK(clReleaseCommandQueue(q));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
