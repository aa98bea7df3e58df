/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads on one context; interesting under ThreadSanitizer. */
#include <pthread.h>

#include "cl.h"

enum { THREADS = 4, ROUNDS = 30, N = 256 };

struct worker {
    struct cl *cl;
    cl_mem shared;
    int number, failed;
};

static void CL_CALLBACK
count_up(cl_event e, cl_int status, void *user_data)
{
    (void)e, (void)status;
    __atomic_add_fetch((int *)user_data, 1, __ATOMIC_SEQ_CST);
}

/* Its own buffer through its own queue, and a part of the common one. */
static int
round_of(struct worker *w, cl_command_queue q, int i)
{
    int value = 1000 * w->number + i, back[N], calls = 0;
    cl_int code;
    size_t at = (size_t)w->number * N * sizeof(int);
    cl_event filled, copied;
    cl_mem m = clCreateBuffer(w->cl->context, 0, sizeof back, NULL, &code);
    clEnqueueFillBuffer(q, m, &value, sizeof value, 0, sizeof back, 0, NULL,
                        &filled);
    clSetEventCallback(filled, CL_COMPLETE, count_up, &calls);
    clEnqueueCopyBuffer(w->cl->queue, m, w->shared, 0, at, sizeof back, 1,
                        &filled, &copied);
    clReleaseMemObject(m);
    clEnqueueReadBuffer(q, w->shared, CL_TRUE, at, sizeof back, back, 1,
                        &copied, NULL);
    clReleaseEvent(filled);
    clReleaseEvent(copied);
    int bad = 0;
    for (int k = 0; k < N; k++)
        bad += back[k] != value;
    while (!__atomic_load_n(&calls, __ATOMIC_SEQ_CST))
        ;
    return bad;
}

static void *
work(void *ctx)
{
    struct worker *w = ctx;
    cl_int code;
    cl_command_queue q = clCreateCommandQueue(
        w->cl->context, w->cl->device,
        w->number % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
    for (int i = 0; i < ROUNDS; i++)
        w->failed += round_of(w, q, i);
    clReleaseCommandQueue(q);
    return NULL;
}

TEST(one_context_many_threads)
{
    struct cl t = cl_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem shared = cl_buffer(&t, 0, THREADS * N * sizeof(int), NULL);
    struct worker w[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct worker){ &t, shared, i, 0 };
        CHECK_EQ(pthread_create(&threads[i], NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_EQ(w[i].failed, 0);
    }
    OK(clReleaseMemObject(shared));
    cl_close(&t);
}

static void *
retain_and_release(void *ctx)
{
    cl_context c = ctx;
    for (int i = 0; i < 1000; i++) {
        clRetainContext(c);
        clReleaseContext(c);
    }
    return NULL;
}

TEST(counting)
{
    struct cl t = cl_open(0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(
            pthread_create(&threads[i], NULL, retain_and_release, t.context),
            0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cl_uint n = 0;
    OK(clGetContextInfo(t.context, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n,
                        NULL));
    CHECK_EQ(n, 1);
    cl_close(&t);
}

TEST_MAIN
