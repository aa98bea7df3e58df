/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host programs with a mistake each that no call refuses, and right ones beside them:
 *
 *     uses NAME
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, BYTES = N * sizeof(cl_int) };

static struct {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue a, b, any; /* two in order, one out of order */
    cl_program program;
    cl_kernel adds, copies, counts, pads;
    cl_mem m, other;
    cl_int data[N];
} p;

static const char *source =
    "kernel void adds(global int *a, int k) { a[get_global_id(0)] += k; }\n"
    "kernel void copies(global const int *a, global int *b)"
    "{ b[get_global_id(0)] = a[get_global_id(0)]; }\n"
    "kernel void counts(global int *a) { atomic_inc(a); }\n"
    "kernel void pads(global struct { int n; double d; } *a)"
    "{ a[get_global_id(0)].n = 1; a[get_global_id(0)].d = 2; }\n";

static cl_command_queue
make_queue(cl_command_queue_properties properties)
{
    cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, properties, 0 };
    return clCreateCommandQueueWithProperties(p.context, p.device, list, NULL);
}

static cl_mem
make(cl_mem_flags flags, void *host)
{
    return clCreateBuffer(p.context, CL_MEM_READ_WRITE | flags, BYTES, host,
                          NULL);
}

static void
make_all(void)
{
    clGetPlatformIDs(1, &p.platform, NULL);
    clGetDeviceIDs(p.platform, CL_DEVICE_TYPE_ALL, 1, &p.device, NULL);
    p.context = clCreateContext(NULL, 1, &p.device, NULL, NULL, NULL);
    p.a = make_queue(0);
    p.b = make_queue(0);
    p.any = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    p.program = clCreateProgramWithSource(p.context, 1, &source, NULL, NULL);
    clBuildProgram(p.program, 1, &p.device, "-g", NULL, NULL);
    p.adds = clCreateKernel(p.program, "adds", NULL);
    p.copies = clCreateKernel(p.program, "copies", NULL);
    p.counts = clCreateKernel(p.program, "counts", NULL);
    p.pads = clCreateKernel(p.program, "pads", NULL);
    p.m = make(CL_MEM_COPY_HOST_PTR, p.data);
    p.other = make(CL_MEM_COPY_HOST_PTR, p.data);
}

static void
release_all(void)
{
    clReleaseMemObject(p.m);
    clReleaseMemObject(p.other);
    clReleaseKernel(p.adds);
    clReleaseKernel(p.copies);
    clReleaseKernel(p.counts);
    clReleaseKernel(p.pads);
    clReleaseProgram(p.program);
    clReleaseCommandQueue(p.a);
    clReleaseCommandQueue(p.b);
    clReleaseCommandQueue(p.any);
    clReleaseContext(p.context);
}

static void
finish(void)
{
    clFinish(p.a);
    clFinish(p.b);
    clFinish(p.any);
}

/* Items [from, from + n) of a buffer are added to. */
static cl_event
add(cl_command_queue q, cl_mem m, size_t from, size_t n, cl_event after)
{
    cl_event e;
    cl_int one = 1;
    clSetKernelArg(p.adds, 0, sizeof m, &m);
    clSetKernelArg(p.adds, 1, sizeof one, &one);
    clEnqueueNDRangeKernel(q, p.adds, 1, &from, &n, NULL, after ? 1 : 0,
                           after ? &after : NULL, &e);
    return e;
}

static cl_event
copy(cl_command_queue q, cl_mem from, cl_mem to, size_t at, size_t n)
{
    cl_event e;
    clSetKernelArg(p.copies, 0, sizeof from, &from);
    clSetKernelArg(p.copies, 1, sizeof to, &to);
    clEnqueueNDRangeKernel(q, p.copies, 1, &at, &n, NULL, 0, NULL, &e);
    return e;
}

static void
drop(cl_event e)
{
    clReleaseEvent(e);
}

/* ---- commands without an order ---- */

static void
two_queues(void)
{
    drop(add(p.a, p.m, 0, N, NULL));
    drop(add(p.b, p.m, 0, N, NULL));
    finish();
}

static void
out_of_order(void)
{
    drop(add(p.any, p.m, 0, N, NULL));
    drop(add(p.any, p.m, 0, N, NULL));
    finish();
}

static void
read_without_event(void)
{
    drop(add(p.a, p.m, 0, N, NULL));
    clEnqueueReadBuffer(p.b, p.m, CL_TRUE, 0, BYTES, p.data, 0, NULL, NULL);
    finish();
}

static void
fill_without_event(void)
{
    cl_int zero = 0;
    drop(copy(p.any, p.m, p.other, 0, N));
    clEnqueueFillBuffer(p.any, p.m, &zero, 4, BYTES - 4, 4, 0, NULL, NULL);
    finish();
}

static void
map_without_event(void)
{
    drop(add(p.a, p.m, 0, N, NULL));
    void *at = clEnqueueMapBuffer(p.b, p.m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0,
                                  NULL, NULL, NULL);
    clEnqueueUnmapMemObject(p.b, p.m, at, 0, NULL, NULL);
    finish();
}

static void
one_target_of_two_reads(void)
{
    clEnqueueReadBuffer(p.a, p.m, CL_FALSE, 0, BYTES, p.data, 0, NULL, NULL);
    clEnqueueReadBuffer(p.b, p.other, CL_FALSE, 0, 16, p.data + 8, 0, NULL,
                        NULL);
    finish();
}

static void
read_not_waited(void)
{
    clEnqueueReadBuffer(p.a, p.m, CL_FALSE, 0, BYTES, p.data, 0, NULL, NULL);
}

static void
wait_for_another(void)
{
    cl_event e = add(p.a, p.m, 0, 64, NULL);
    drop(add(p.b, p.other, 0, 64, NULL));
    drop(add(p.b, p.m, 64, 64, e)); /* and not what the other queue did */
    drop(add(p.any, p.other, 0, 64, e));
    drop(e);
    finish();
}

static void
ordered_by_event(void)
{
    cl_event e = add(p.a, p.m, 0, N, NULL);
    cl_event f = add(p.b, p.m, 0, N, e);
    cl_event g = add(p.any, p.m, 0, N, f);
    clEnqueueReadBuffer(p.a, p.m, CL_TRUE, 0, BYTES, p.data, 1, &g, NULL);
    drop(e), drop(f), drop(g);
    finish();
}

static void
ordered_by_barrier(void)
{
    drop(add(p.any, p.m, 0, N, NULL));
    clEnqueueBarrierWithWaitList(p.any, 0, NULL, NULL);
    drop(add(p.any, p.m, 0, N, NULL));
    drop(add(p.any, p.other, 0, N, NULL));
    cl_event marker;
    clEnqueueMarkerWithWaitList(p.any, 0, NULL, &marker);
    drop(add(p.a, p.m, 0, N, marker));
    drop(add(p.a, p.other, 0, N, NULL));
    drop(marker);
    finish();
}

static void
ordered_by_program(void)
{
    cl_int status;
    cl_event e = add(p.a, p.m, 0, N, NULL);
    clWaitForEvents(1, &e);
    drop(e);
    e = add(p.b, p.m, 0, N, NULL);
    do
        clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                       &status, NULL);
    while (status != CL_COMPLETE);
    drop(e);
    drop(add(p.any, p.m, 0, N, NULL));
    clFinish(p.any);
    drop(add(p.a, p.m, 0, N, NULL));
    finish();
}

static void
ordered_by_user_event(void)
{
    cl_event user = clCreateUserEvent(p.context, NULL);
    cl_event second = add(p.b, p.m, 0, N, user);
    cl_event first = add(p.a, p.m, 0, N, NULL);
    clWaitForEvents(1, &first);
    clSetUserEventStatus(user, CL_COMPLETE);
    drop(user), drop(first), drop(second);
    finish();
}

/* ---- command buffers ---- */

#include "cl/queue/command_buffer_entries.h"

#define ENTRY(function, name)                                        \
    __typeof__(function) *name = (__typeof__(function) *)(uintptr_t) \
        clGetExtensionFunctionAddressForPlatform(p.platform, #name)

static cl_sync_point_khr
record_add(cl_command_buffer_khr to, cl_mem m, cl_sync_point_khr after)
{
    ENTRY(kernel_record, clCommandNDRangeKernelKHR);
    const size_t n = N;
    const cl_int one = 1;
    cl_sync_point_khr point = 0;
    clSetKernelArg(p.adds, 0, sizeof m, &m);
    clSetKernelArg(p.adds, 1, sizeof one, &one);
    clCommandNDRangeKernelKHR(to, NULL, NULL, p.adds, 1, NULL, &n, NULL,
                              after ? 1 : 0, after ? &after : NULL, &point,
                              NULL);
    return point;
}

/* Three additions, to two objects, recorded with or without an order; run twice, by a
 * queue in order. */
static void
recorded(cl_command_queue q, int points, int barrier)
{
    ENTRY(command_buffer_create, clCreateCommandBufferKHR);
    ENTRY(command_buffer_finalize, clFinalizeCommandBufferKHR);
    ENTRY(command_buffer_release, clReleaseCommandBufferKHR);
    ENTRY(command_buffer_enqueue, clEnqueueCommandBufferKHR);
    ENTRY(barrier_record, clCommandBarrierWithWaitListKHR);
    cl_command_buffer_khr b = clCreateCommandBufferKHR(1, &q, NULL, NULL);
    cl_sync_point_khr point = record_add(b, p.m, 0);
    if (barrier)
        clCommandBarrierWithWaitListKHR(b, NULL, NULL, 0, NULL, NULL, NULL);
    record_add(b, p.other, 0);
    record_add(b, p.m, points ? point : 0);
    clFinalizeCommandBufferKHR(b);
    for (int i = 0; i < 2; i++)
        clEnqueueCommandBufferKHR(1, &p.a, b, 0, NULL, NULL);
    drop(add(p.a, p.m, 0, N, NULL));
    drop(add(p.a, p.other, 0, N, NULL));
    finish();
    clReleaseCommandBufferKHR(b);
}

#include "cl/queue/semaphore_entries.h"

/* Two queues, of which the second waits for a semaphore, and a third that does not. */
static void
semaphore(cl_command_queue later)
{
    const cl_semaphore_properties_khr binary[] = { CL_SEMAPHORE_TYPE_KHR,
                                                   CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                   0 };
    ENTRY(semaphore_create, clCreateSemaphoreWithPropertiesKHR);
    ENTRY(semaphore_enqueue_wait, clEnqueueWaitSemaphoresKHR);
    ENTRY(semaphore_enqueue_signal, clEnqueueSignalSemaphoresKHR);
    ENTRY(semaphore_release, clReleaseSemaphoreKHR);
    cl_semaphore_khr s =
        clCreateSemaphoreWithPropertiesKHR(p.context, binary, NULL);
    drop(add(p.a, p.m, 0, N, NULL));
    clEnqueueSignalSemaphoresKHR(p.a, 1, &s, NULL, 0, NULL, NULL);
    clEnqueueWaitSemaphoresKHR(p.b, 1, &s, NULL, 0, NULL, NULL);
    drop(add(later, p.m, 0, N, NULL));
    finish();
    clReleaseSemaphoreKHR(s);
}

static void
ordered_by_semaphore(void)
{
    semaphore(p.b);
}

static void
semaphore_of_another(void)
{
    semaphore(p.any);
}

static void
recorded_without_order(void)
{
    recorded(p.any, 0, 0);
}

static void
recorded_in_order(void)
{
    recorded(p.a, 0, 0);
}

static void
recorded_with_points(void)
{
    recorded(p.any, 1, 0);
}

static void
recorded_with_barrier(void)
{
    recorded(p.any, 0, 1);
}

/* Each queue has its part of a buffer. */
static void
parts(void)
{
    for (size_t i = 0; i < 4; i++)
        drop(add(i % 2 ? p.a : p.b, p.m, i % 2 * 100, 100, NULL));
    finish();
}

/* A part is written while a kernel reads the one before. */
static void
pipeline(void)
{
    cl_event written = NULL;
    for (size_t i = 0; i < 4; i++) {
        clEnqueueWriteBuffer(p.a, p.m, CL_FALSE, i * 256, 256, p.data + i * 64,
                             0, NULL, &written);
        size_t at = i * 64, n = 64;
        clSetKernelArg(p.copies, 0, sizeof p.m, &p.m);
        clSetKernelArg(p.copies, 1, sizeof p.other, &p.other);
        clEnqueueNDRangeKernel(p.b, p.copies, 1, &at, &n, NULL, 1, &written,
                               NULL);
        drop(written);
    }
    finish();
}

static void
readers(void)
{
    cl_mem third = make(0, NULL);
    drop(copy(p.a, p.m, p.other, 0, N));
    drop(copy(p.b, p.m, third, 0, N));
    clEnqueueReadBuffer(p.any, p.m, CL_TRUE, 0, BYTES, p.data, 0, NULL, NULL);
    finish();
    clReleaseMemObject(third);
}

static void
counters(void)
{
    size_t n = N;
    clSetKernelArg(p.counts, 0, sizeof p.m, &p.m);
    for (int i = 0; i < 3; i++)
        clEnqueueNDRangeKernel(i == 1 ? p.a : p.any, p.counts, 1, NULL, &n,
                               NULL, 0, NULL, NULL);
    finish();
}

/* ---- bytes that nothing has written ---- */

static void
read_unwritten(void)
{
    cl_mem m = make(0, NULL);
    drop(add(p.a, p.m, 0, N, NULL));
    clEnqueueReadBuffer(p.a, m, CL_TRUE, 0, 4, p.data, 0, NULL, NULL);
    clReleaseMemObject(m);
}

static void
read_half_unwritten(void)
{
    cl_mem m = make(0, NULL);
    drop(copy(p.a, p.m, m, 0, N / 2));
    clEnqueueReadBuffer(p.a, m, CL_TRUE, 0, BYTES, p.data, 0, NULL, NULL);
    clReleaseMemObject(m);
}

static void
map_unwritten(void)
{
    cl_mem m = make(0, NULL);
    void *at = clEnqueueMapBuffer(p.a, m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0,
                                  NULL, NULL, NULL);
    clEnqueueUnmapMemObject(p.a, m, at, 0, NULL, NULL);
    clFinish(p.a);
    clReleaseMemObject(m);
}

static void
map_to_fill(void)
{
    cl_mem m = make(0, NULL);
    void *at = clEnqueueMapBuffer(p.a, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                  0, BYTES, 0, NULL, NULL, NULL);
    memset(at, 1, BYTES);
    clEnqueueUnmapMemObject(p.a, m, at, 0, NULL, NULL);
    clEnqueueReadBuffer(p.a, m, CL_TRUE, 0, BYTES, p.data, 0, NULL, NULL);
    clReleaseMemObject(m);
}

static void
read_padding(void)
{
    cl_mem m = make(0, NULL);
    size_t n = BYTES / 16;
    clSetKernelArg(p.pads, 0, sizeof m, &m);
    clEnqueueNDRangeKernel(p.a, p.pads, 1, NULL, &n, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(p.a, m, CL_TRUE, 0, BYTES, p.data, 0, NULL, NULL);
    clReleaseMemObject(m);
}

/* ---- maps, and memory of the program ---- */

static void
write_in_map_for_reading(void)
{
    cl_int *at = clEnqueueMapBuffer(p.a, p.m, CL_TRUE, CL_MAP_READ, 16, 64, 0,
                                    NULL, NULL, NULL);
    at[1] = 5;
    clEnqueueUnmapMemObject(p.a, p.m, at, 0, NULL, NULL);
    finish();
}

static void
write_in_map_of_image(void)
{
    cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
    cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                           .image_width = 16,
                           .image_height = 16 };
    size_t zero[3] = { 0 }, size[3] = { 8, 8, 1 }, pitch;
    cl_mem m = clCreateImage(p.context, CL_MEM_COPY_HOST_PTR, &format, &desc,
                             p.data, NULL);
    char *at = clEnqueueMapImage(p.a, m, CL_TRUE, CL_MAP_READ, zero, size,
                                 &pitch, NULL, 0, NULL, NULL, NULL);
    at[3 * pitch + 2] = 5;
    clEnqueueUnmapMemObject(p.a, m, at, 0, NULL, NULL);
    finish();
    clReleaseMemObject(m);
}

static void
write_in_map_for_writing(void)
{
    cl_int *at =
        clEnqueueMapBuffer(p.a, p.m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 16,
                           64, 0, NULL, NULL, NULL);
    at[1] = 5;
    clEnqueueUnmapMemObject(p.a, p.m, at, 0, NULL, NULL);
    at = clEnqueueMapBuffer(p.a, p.m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
                            NULL, NULL);
    clEnqueueUnmapMemObject(p.a, p.m, at, 0, NULL, NULL);
    finish();
}

static void
never_unmapped(void)
{
    clEnqueueMapBuffer(p.a, p.m, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL,
                       NULL);
    finish();
}

static void
end_mapped(void)
{
    clEnqueueMapBuffer(p.a, p.m, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL,
                       NULL);
    exit(0);
}

static void
host_memory_stale(void)
{
    static cl_int mine[N];
    cl_mem m = make(CL_MEM_USE_HOST_PTR, mine);
    drop(add(p.a, m, 0, N, NULL));
    clFinish(p.a);
    clReleaseMemObject(m);
}

static void
host_memory_changed(void)
{
    static cl_int mine[N];
    cl_mem m = make(CL_MEM_USE_HOST_PTR, mine);
    mine[7] = 3;
    drop(copy(p.a, m, p.other, 0, N));
    clFinish(p.a);
    clReleaseMemObject(m);
}

static void
host_memory_mapped(void)
{
    static cl_int mine[N];
    cl_mem m = make(CL_MEM_USE_HOST_PTR, mine);
    cl_int *at = clEnqueueMapBuffer(p.a, m, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0,
                                    NULL, NULL, NULL);
    at[7] = 3;
    clEnqueueUnmapMemObject(p.a, m, at, 0, NULL, NULL);
    drop(add(p.a, m, 0, N, NULL));
    drop(copy(p.a, m, p.other, 0, N));
    drop(add(p.a, m, 0, N, NULL));
    at = clEnqueueMapBuffer(p.a, m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
                            NULL, NULL);
    clEnqueueUnmapMemObject(p.a, m, at, 0, NULL, NULL);
    drop(add(p.a, m, 0, N, NULL));
    clEnqueueReadBuffer(p.a, m, CL_TRUE, 0, BYTES, p.data, 0, NULL, NULL);
    mine[9] = 1; /* the object is used no more */
    clReleaseMemObject(m);
}

static const struct {
    const char *name;
    void (*run)(void);
} uses[] = {
    { "two_queues", two_queues },
    { "out_of_order", out_of_order },
    { "read_without_event", read_without_event },
    { "fill_without_event", fill_without_event },
    { "map_without_event", map_without_event },
    { "one_target_of_two_reads", one_target_of_two_reads },
    { "read_not_waited", read_not_waited },
    { "wait_for_another", wait_for_another },
    { "ordered_by_event", ordered_by_event },
    { "ordered_by_barrier", ordered_by_barrier },
    { "ordered_by_program", ordered_by_program },
    { "ordered_by_user_event", ordered_by_user_event },
    { "recorded_without_order", recorded_without_order },
    { "recorded_in_order", recorded_in_order },
    { "recorded_with_points", recorded_with_points },
    { "recorded_with_barrier", recorded_with_barrier },
    { "ordered_by_semaphore", ordered_by_semaphore },
    { "semaphore_of_another", semaphore_of_another },
    { "parts", parts },
    { "pipeline", pipeline },
    { "readers", readers },
    { "counters", counters },
    { "read_unwritten", read_unwritten },
    { "read_half_unwritten", read_half_unwritten },
    { "map_unwritten", map_unwritten },
    { "map_to_fill", map_to_fill },
    { "read_padding", read_padding },
    { "write_in_map_for_reading", write_in_map_for_reading },
    { "write_in_map_of_image", write_in_map_of_image },
    { "write_in_map_for_writing", write_in_map_for_writing },
    { "never_unmapped", never_unmapped },
    { "end_mapped", end_mapped },
    { "host_memory_stale", host_memory_stale },
    { "host_memory_changed", host_memory_changed },
    { "host_memory_mapped", host_memory_mapped },
};

int
main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (strcmp(argv[1], uses[i].name) != 0)
            continue;
        make_all();
        uses[i].run();
        release_all();
        return 0;
    }
    return 2;
}
