/* SPDX-License-Identifier: Apache-2.0 */
/* What devices say of their machine, measured in its cycles: VENTUS_DEVICES
 * names three that count them.  They differ in the clock, or in their number
 * of SMs. */
#include "cl.h"

#include "cl/queue/command_buffer_entries.h"

enum { SLOW, FAST, LARGE, DEVICES };

struct machines {
    cl_device_id id[DEVICES];
    cl_context context;
    cl_command_queue queue[DEVICES];
};

static struct machines
open_machines(void)
{
    struct machines m;
    cl_uint n = 0;
    cl_int code;
    cl_platform_id platform;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, m.id, &n));
    CHECK_EQ(n, DEVICES);
    CREATES(m.context, clCreateContext(NULL, DEVICES, m.id, NULL, NULL, &code));
    for (int i = 0; i < DEVICES; i++)
        CREATES(m.queue[i],
                clCreateCommandQueue(m.context, m.id[i],
                                     CL_QUEUE_PROFILING_ENABLE, &code));
    return m;
}

static void
close_machines(struct machines *m)
{
    for (int i = 0; i < DEVICES; i++)
        OK(clReleaseCommandQueue(m->queue[i]));
    OK(clReleaseContext(m->context));
}

static cl_ulong
number(cl_device_id device, cl_device_info name)
{
    cl_ulong x = 0; /* little endian, like the host */
    OK(clGetDeviceInfo(device, name, sizeof x, &x, NULL));
    return x;
}

static cl_program
build(struct machines *m, const char *text, const char *options)
{
    cl_int code;
    cl_program p;
    CREATES(p, clCreateProgramWithSource(m->context, 1, &text, NULL, &code));
    OK(clBuildProgram(p, 0, NULL, options, NULL, NULL));
    return p;
}

/* The time of so many full work-groups of kernel `name` with n rounds of its
 * loop, the second time. */
static cl_ulong
time_of(struct machines *m, int device, cl_program p, const char *name,
        size_t groups, cl_int n)
{
    size_t local = (size_t)number(m->id[device], CL_DEVICE_MAX_WORK_GROUP_SIZE);
    size_t global = local * groups;
    cl_ulong start = 0, end = 0;
    cl_int code;
    cl_mem x;
    cl_kernel k = cl_kernel_of(p, name);
    CREATES(x, clCreateBuffer(m->context, 0, 16 * 8 * global, NULL, &code));
    OK(clSetKernelArg(k, 0, sizeof x, &x));
    OK(clSetKernelArg(k, 1, sizeof n, &n));
    for (int i = 0; i < 2; i++) {
        cl_event e;
        OK(clEnqueueNDRangeKernel(m->queue[device], k, 1, NULL, &global, &local,
                                  0, NULL, &e));
        OK(clFinish(m->queue[device]));
        OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof start,
                                   &start, NULL));
        OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof end,
                                   &end, NULL));
        OK(clReleaseEvent(e));
    }
    OK(clReleaseMemObject(x));
    OK(clReleaseKernel(k));
    return end - start;
}

static const char busy[] =
    "kernel void k(global uint *x, int n) {\n"
    "  uint i = get_global_id(0), s = i;\n"
    "  for (int j = 0; j < n; j++) s = s * 1664525 + 1013904223;\n"
    "  x[i] = s; }\n";

/* The same cycles at twice the frequency take half the time. */
TEST(clock)
{
    struct machines m = open_machines();
    cl_program p = build(&m, busy, "");
    cl_ulong MHz[2], ns[2];
    for (int i = 0; i < 2; i++) {
        MHz[i] = number(m.id[i], CL_DEVICE_MAX_CLOCK_FREQUENCY);
        ns[i] = time_of(&m, i, p, "k", 1, 60);
        cl_ulong step = number(m.id[i], CL_DEVICE_PROFILING_TIMER_RESOLUTION);
        CHECK_EQ(step, 1000 / MHz[i]);
        CHECK_EQ(ns[i] % step, 0);
    }
    CHECK(MHz[SLOW] == 100 && MHz[FAST] == 200);
    CHECK(ns[FAST] > 100);
    CHECK_EQ(ns[SLOW], 2 * ns[FAST]);
    OK(clReleaseProgram(p));
    close_machines(&m);
}

#define FIND(platform, function, name)   \
    ((__typeof__(function) *)(uintptr_t) \
         clGetExtensionFunctionAddressForPlatform(platform, #name))

/* The time of a command buffer of n launches, the second time. */
static cl_ulong
time_of_buffer(struct machines *m, int device, cl_kernel k, int n)
{
    cl_platform_id on;
    const size_t items = 64;
    cl_ulong time[2] = { 0 };
    cl_int code;
    OK(clGetPlatformIDs(1, &on, NULL));
    cl_command_buffer_khr b;
    CREATES(b, FIND(on, command_buffer_create, clCreateCommandBufferKHR)(
                   1, &m->queue[device], NULL, &code));
    for (int i = 0; i < n; i++)
        OK(FIND(on, kernel_record, clCommandNDRangeKernelKHR)(
            b, NULL, NULL, k, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
    OK(FIND(on, command_buffer_finalize, clFinalizeCommandBufferKHR)(b));
    for (int i = 0; i < 2; i++) {
        cl_event e;
        OK(FIND(on, command_buffer_enqueue,
                clEnqueueCommandBufferKHR)(0, NULL, b, 0, NULL, &e));
        OK(clFinish(m->queue[device]));
        OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof *time,
                                   &time[0], NULL));
        OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof *time,
                                   &time[1], NULL));
        OK(clReleaseEvent(e));
    }
    OK(FIND(on, command_buffer_release, clReleaseCommandBufferKHR)(b));
    return time[1] - time[0];
}

/* A command buffer takes the cycles of its kernels, one after the other. */
TEST(clock_of_recorded_kernels)
{
    struct machines m = open_machines();
    cl_program p = build(&m, busy, "");
    cl_kernel k = cl_kernel_of(p, "k");
    const cl_int rounds = 60;
    cl_ulong ns[2], one;
    cl_int code;
    cl_mem x;
    CREATES(x, clCreateBuffer(m.context, 0, 4096, NULL, &code));
    OK(clSetKernelArg(k, 0, sizeof x, &x));
    OK(clSetKernelArg(k, 1, sizeof rounds, &rounds));
    for (int i = 0; i < 2; i++)
        ns[i] = time_of_buffer(&m, i, k, 3);
    one = time_of_buffer(&m, SLOW, k, 1);
    CHECK_EQ(ns[SLOW], 2 * ns[FAST]);
    CHECK(ns[SLOW] > 2 * one && ns[SLOW] < 4 * one);
    OK(clReleaseMemObject(x));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    close_machines(&m);
}

/* As many full work-groups as there are units take the time of one; one more
 * has to wait. */
TEST(compute_units)
{
    struct machines m = open_machines();
    cl_program p = build(&m, busy, "");
    for (int i = SLOW; i <= LARGE; i += LARGE) {
        size_t units = (size_t)number(m.id[i], CL_DEVICE_MAX_COMPUTE_UNITS);
        cl_ulong one = time_of(&m, i, p, "k", 1, 60);
        cl_ulong all = time_of(&m, i, p, "k", units, 60);
        cl_ulong more = time_of(&m, i, p, "k", units + 1, 60);
        printf("%zu units: %llu, %llu, %llu ns\n", units,
               (unsigned long long)one, (unsigned long long)all,
               (unsigned long long)more);
        CHECK_EQ(units, i == LARGE ? 3 : 1);
        CHECK(2 * all < 3 * one);
        CHECK(2 * more > 3 * one);
    }
    OK(clReleaseProgram(p));
    close_machines(&m);
}

/* What a round of a kernel's loop takes. */
static cl_ulong
round_of(struct machines *m, cl_program p, const char *name)
{
    return (time_of(m, SLOW, p, name, 1, 6) - time_of(m, SLOW, p, name, 1, 2)) /
           4;
}

/* A lane computes one element at a time: four take four times as long, but for
 * the latency that is hidden.  A width of two would take twice as long. */
static void
check_width(struct machines *m, const char *type, cl_device_info preferred,
            cl_device_info native)
{
    static const char text[] =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "#define R(x, y) x = x * y + y; y = y * x + x;\n"
        "#define S(x, y) R(x, y) R(x, y) R(x, y) R(x, y)\n"
        "#define K(N, V) kernel void N(global V *p, int n) {"
        "  int i = get_global_id(0); V x = p[i], y = x + (V)1;"
        "  for (int j = 0; j < n; j++) { S(x, y) S(x, y) }"
        "  p[i] = x + y; }\n"
        "K(one, T)\nK(four, T4)\n";
    char options[64];
    snprintf(options, sizeof options, "-D T=%s -D T4=%s4", type, type);
    cl_program p = build(m, text, options);
    cl_ulong one = round_of(m, p, "one"), four = round_of(m, p, "four");
    cl_ulong width = number(m->id[SLOW], native);
    printf("%s: %llu, %llu ns\n", type, (unsigned long long)one,
           (unsigned long long)four);
    CHECK_EQ(width, 1);
    CHECK_EQ(number(m->id[SLOW], preferred), width);
    CHECK(2 * four > 5 * one);
    OK(clReleaseProgram(p));
}

TEST(vector_widths)
{
    struct machines m = open_machines();
#define WIDTH(type, name)                                          \
    check_width(&m, type, CL_DEVICE_PREFERRED_VECTOR_WIDTH_##name, \
                CL_DEVICE_NATIVE_VECTOR_WIDTH_##name)
    WIDTH("char", CHAR);
    WIDTH("short", SHORT);
    WIDTH("int", INT);
    WIDTH("long", LONG);
    WIDTH("half", HALF);
    WIDTH("float", FLOAT);
    WIDTH("double", DOUBLE);
    close_machines(&m);
}

static char notice[1024];

static void CL_CALLBACK
notify(const char *text, const void *info, size_t size, void *user_data)
{
    (void)info, (void)size, (void)user_data;
    snprintf(notice, sizeof notice, "%s", text);
}

/* Programs for other GPUs have work-groups of 256: what is said of it. */
TEST(a_work_group_that_is_too_large)
{
    struct machines m = open_machines();
    static const char text[] = "kernel void k(void) {}\n";
    cl_int code;
    OK(clReleaseContext(m.context));
    OK(clReleaseCommandQueue(m.queue[0]));
    CREATES(m.context,
            clCreateContext(NULL, DEVICES, m.id, notify, NULL, &code));
    CREATES(m.queue[0], clCreateCommandQueue(m.context, m.id[0], 0, &code));
    cl_program p = build(&m, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    size_t most = (size_t)number(m.id[0], CL_DEVICE_MAX_WORK_GROUP_SIZE);
    const size_t line = 4 * most, square[2] = { most / 2, 4 };
    char wanted[64];
    snprintf(wanted, sizeof wanted, "takes at most %zu", most);
    FAILS(CL_INVALID_WORK_ITEM_SIZE,
          clEnqueueNDRangeKernel(m.queue[0], k, 1, NULL, &line, &line, 0, NULL,
                                 NULL));
    CHECK(strstr(notice, wanted) && strstr(notice, "'default' takes 1024"));
    notice[0] = 0;
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          clEnqueueNDRangeKernel(m.queue[0], k, 2, NULL, square, square, 0,
                                 NULL, NULL));
    CHECK(strstr(notice, wanted) && strstr(notice, "32 x 4 x 1"));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    close_machines(&m);
}

TEST_MAIN
