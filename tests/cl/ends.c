/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads, stores and copies that end where their buffer ends, for all types and
 * widths: what is accessed is all there is, to the byte, so that one byte too
 * many is a fault.  What must come back is what C copies; halves are converted
 * by the C compiler.
 */
#include "cl.h"

enum { ITEMS = 21, GROUP = 7, MAX_B = 16384 };

static uint32_t seed = 1;

static void
randomise(void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        ((unsigned char *)bytes)[i] = (unsigned char)(seed >> 24);
    }
}

/* Two buffers of as many bytes as are given, the second filled with marks. */
struct ends {
    struct cl *t;
    unsigned char in[MAX_B], out[MAX_B], want[MAX_B];
    cl_mem from, to;
    size_t in_B, out_B;
};

static void
ends_open(struct ends *e, struct cl *t, size_t in_B, size_t out_B)
{
    *e = (struct ends){ .t = t, .in_B = in_B, .out_B = out_B };
    randomise(e->in, in_B);
    memset(e->want, 0xa5, out_B);
    e->from = cl_buffer(t, CL_MEM_COPY_HOST_PTR, in_B, e->in);
    e->to = cl_buffer(t, CL_MEM_COPY_HOST_PTR, out_B, e->want);
}

static void
ends_run(struct ends *e, cl_program p, const char *name, size_t local_B)
{
    const size_t items = ITEMS, group = GROUP;
    cl_kernel k = cl_kernel_of(p, name);
    OK(clSetKernelArg(k, 0, sizeof e->from, &e->from));
    OK(clSetKernelArg(k, 1, sizeof e->to, &e->to));
    if (local_B)
        OK(clSetKernelArg(k, 2, local_B, NULL));
    OK(clEnqueueNDRangeKernel(e->t->queue, k, 1, NULL, &items, &group, 0, NULL,
                              NULL));
    cl_int code = clEnqueueReadBuffer(e->t->queue, e->to, CL_TRUE, 0, e->out_B,
                                      e->out, 0, NULL, NULL);
    size_t i = 0;
    while (i < e->out_B && e->out[i] == e->want[i])
        i++;
    if (!CHECK(code == CL_SUCCESS && i == e->out_B))
        printf("  %s: status %d; byte %zu of %zu is %#x, expected %#x\n", name,
               code, i, e->out_B, e->out[i], e->want[i]);
    OK(clReleaseKernel(k));
}

static void
ends_close(struct ends *e)
{
    OK(clReleaseMemObject(e->from));
    OK(clReleaseMemObject(e->to));
}

static const struct type {
    const char *name;
    size_t size_B;
} types[] = {
    { "char", 1 }, { "ushort", 2 }, { "int", 4 },    { "ulong", 8 },
    { "half", 2 }, { "float", 4 },  { "double", 8 },
};
static const unsigned widths[] = { 2, 3, 4, 8, 16 };
enum { TYPES = 7, WIDTHS = 5 };

static cl_program
build_for(struct cl *t, const struct type *type, const char *text)
{
    char options[64];
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s", type->name);
    return cl_build(t, text, options);
}

/* ---- vload and vstore, packed, in all address spaces ---- */

static const char vector_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define KERNELS(N)                                                  \\\n"
    "kernel void global##N(global const T *x, global T *y) {            \\\n"
    "    size_t i = get_global_id(0);                                   \\\n"
    "    vstore##N(vload##N(i, x + 1), i, y + 1); }                     \\\n"
    "kernel void generic##N(global const T *x, global T *y) {           \\\n"
    "    size_t i = get_global_id(0);                                   \\\n"
    "    T *to = y + 1;                                                 \\\n"
    "    const T *from = x + 1;                                         \\\n"
    "    vstore##N(vload##N(i, from), i, to); }                         \\\n"
    "kernel void local##N(global const T *x, global T *y, local T *l) { \\\n"
    "    size_t i = get_global_id(0), j = get_local_id(0);              \\\n"
    "    vstore##N(vload##N(i, x + 1), j, l);                           \\\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);                                  \\\n"
    "    vstore##N(vload##N(6 - j, l), i / 7 * 7 + 6 - j, y + 1); }     \\\n"
    "kernel void private##N(global const T *x, global T *y) {           \\\n"
    "    size_t i = get_global_id(0);                                   \\\n"
    "    T p[3 * N];                                                    \\\n"
    "    for (int k = 0; k < 3; k++)                                    \\\n"
    "        vstore##N(vload##N((i + k) % 21, x + 1), 2 - k, p);        \\\n"
    "    vstore##N(vload##N(2 * get_local_size(1), p), i, y + 1); }\n"
    "KERNELS(2) KERNELS(3) KERNELS(4) KERNELS(8) KERNELS(16)\n";

/* From the second element on, so that nothing is aligned. */
TEST(vectors_to_the_last_byte)
{
    static const char *const spaces[] = { "global", "generic", "local",
                                          "private" };
    struct cl t = cl_open(0);
    for (int i = 0; i < TYPES; i++) {
        const size_t size_B = types[i].size_B;
        cl_program p = build_for(&t, &types[i], vector_source);
        for (int w = 0; w < WIDTHS; w++)
            for (int s = 0; s < 4; s++) {
                struct ends e;
                const size_t bytes = widths[w] * size_B;
                char name[32];
                snprintf(name, sizeof name, "%s%u", spaces[s], widths[w]);
                ends_open(&e, &t, size_B + ITEMS * bytes,
                          size_B + ITEMS * bytes);
                memcpy(e.want + size_B, e.in + size_B, ITEMS * bytes);
                ends_run(&e, p, name, s == 2 ? GROUP * bytes : 0);
                ends_close(&e);
            }
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

/* ---- halves in memory, floats in registers ---- */

static const char half_source[] =
    "#define KERNELS(N)                                                   \\\n"
    "kernel void packed##N(global const half *x, global half *y) {        \\\n"
    "    size_t i = get_global_id(0);                                     \\\n"
    "    vstore_half##N(vload_half##N(i, x + 1) * 0.75f, i, y + 1); }     \\\n"
    "kernel void aligned##N(global const half *x, global half *y) {       \\\n"
    "    size_t i = get_global_id(0);                                     \\\n"
    "    vstorea_half##N(vloada_half##N(i, x) * 0.75f, i, y); }           \\\n"
    "kernel void rounded##N(global const half *x, global half *y) {       \\\n"
    "    size_t i = get_global_id(0);                                     \\\n"
    "    vstore_half##N##_rte(vload_half##N(i, x + 1) * 0.75f, i, y + 1); }\n"
    "KERNELS(2) KERNELS(3) KERNELS(4) KERNELS(8) KERNELS(16)\n";

/* 3 elements of every 4 where they are aligned, the last ones alone. */
TEST(halves_to_the_last_byte)
{
    static const char *const kinds[] = { "packed", "aligned", "rounded" };
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, half_source, "");
    for (int w = 0; w < WIDTHS; w++)
        for (int kind = 0; kind < 3; kind++) {
            const unsigned n = widths[w], first = kind != 1;
            const unsigned step = kind == 1 && n == 3 ? 4 : n;
            const size_t all = first + step * (ITEMS - 1) + n;
            char name[32];
            struct ends e;
            ends_open(&e, &t, 2 * all, 2 * all);
            for (size_t i = 0; i < all; i++)
                e.in[2 * i + 1] &= 0xbf; /* below 2: no infinity, no NaN */
            OK(clEnqueueWriteBuffer(t.queue, e.from, CL_TRUE, 0, 2 * all, e.in,
                                    0, NULL, NULL));
            for (unsigned i = 0; i < ITEMS * n; i++) {
                size_t at = first + i / n * step + i % n;
                _Float16 half;
                memcpy(&half, e.in + 2 * at, 2);
                half = (_Float16)((float)half * 0.75f);
                memcpy(e.want + 2 * at, &half, 2);
            }
            snprintf(name, sizeof name, "%s%u", kinds[kind], n);
            ends_run(&e, p, name, 0);
            ends_close(&e);
        }
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- copies of a workgroup ---- */

static const char copy_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define KERNELS(V, N)                                               \\\n"
    "kernel void copy##N(global const T *x, global T *y, local V *l) {   \\\n"
    "    size_t g = get_group_id(0);                                     \\\n"
    "    const global V *from = (const global V *)x + 11 * g;            \\\n"
    "    event_t e = async_work_group_copy(l, from, 11, 0);              \\\n"
    "    wait_group_events(1, &e);                                       \\\n"
    "    e = async_work_group_copy((global V *)y + 11 * g, l, 11, 0);    \\\n"
    "    wait_group_events(1, &e); }                                     \\\n"
    "kernel void strided##N(global const T *x, global T *y, local V *l) { \\\n"
    "    size_t g = get_group_id(0);                                     \\\n"
    "    const global V *from = (const global V *)x + g;                 \\\n"
    "    event_t e = async_work_group_strided_copy(l, from, 11, 3, 0);   \\\n"
    "    wait_group_events(1, &e);                                       \\\n"
    "    e = async_work_group_strided_copy((global V *)y + g, l, 11, 3, 0); "
    "\\\n"
    "    wait_group_events(1, &e); }\n"
    "#define JOIN(A, B) A##B\n#define VECTOR(A, B) JOIN(A, B)\n"
    "KERNELS(T, 1) KERNELS(VECTOR(T, 2), 2) KERNELS(VECTOR(T, 3), 3)\n"
    "KERNELS(VECTOR(T, 4), 4) KERNELS(VECTOR(T, 8), 8)\n"
    "KERNELS(VECTOR(T, 16), 16)\n";

static void
check_copies(struct cl *t, cl_program p, unsigned n, size_t size_B)
{
    const size_t one_B = (n == 3 ? 4 : n) * size_B, all = 33 * one_B;
    /* The padding of a vector of 3 may be copied or not. */
    for (int strided = 0; strided < 2; strided++) {
        struct ends e;
        char name[32];
        snprintf(name, sizeof name, "%s%u", strided ? "strided" : "copy", n);
        ends_open(&e, t, all, all);
        for (size_t i = 0; n == 3 && i < all; i++)
            if (i % one_B >= 3 * size_B)
                e.in[i] = 0xa5;
        OK(clEnqueueWriteBuffer(t->queue, e.from, CL_TRUE, 0, all, e.in, 0,
                                NULL, NULL));
        memcpy(e.want, e.in, all);
        ends_run(&e, p, name, 11 * one_B);
        ends_close(&e);
    }
}

/* Three groups, each a third of the buffer, or every third element. */
TEST(group_copies_to_the_last_byte)
{
    struct cl t = cl_open(0);
    for (int i = 0; i < TYPES; i++) {
        cl_program p = build_for(&t, &types[i], copy_source);
        check_copies(&t, p, 1, types[i].size_B);
        for (int w = 0; w < WIDTHS; w++)
            check_copies(&t, p, widths[w], types[i].size_B);
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

/* ---- halves that functions are given and give ---- */

static const char call_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define FUNCTION(N)                                                \\\n"
    "__attribute__((noinline)) half##N                                  \\\n"
    "swap##N(char c, half##N a, half s, half##N b, short d, half##N w)  \\\n"
    "{ return (c ? a : b) * s + (half)d * w; }                          \\\n"
    "kernel void call##N(global const half *x, global half *y) {        \\\n"
    "    size_t i = get_global_id(0);                                   \\\n"
    "    half##N a = vload##N(i, x), b = vload##N((i + 1) % 21, x);     \\\n"
    "    vstore##N(swap##N(i & 1, a, (half)2, b, i, a - b), i, y); }\n"
    "FUNCTION(2) FUNCTION(3) FUNCTION(4) FUNCTION(8) FUNCTION(16)\n"
    "__attribute__((noinline)) half one(half a, float f, half b, half c)\n"
    "{ return a * b + (half)f * c; }\n"
    "kernel void call1(global const half *x, global half *y) {\n"
    "    size_t i = get_global_id(0);\n"
    "    y[i] = one(i & 1 ? x[i] : x[(i + 1) % 21], i, 2, "
    "x[i] - x[(i + 1) % 21]); }\n";

/* Small whole numbers: what is computed is exact. */
TEST(halves_as_arguments_of_functions)
{
    struct cl t = cl_open(0);
    static const char *const how[] = { "", "-cl-opt-disable" };
    for (unsigned o = 0; o < 2; o++) {
        cl_program p = cl_build(&t, call_source, how[o]);
        for (int w = -1; w < WIDTHS; w++) {
            const unsigned n = w < 0 ? 1 : widths[w], all = ITEMS * n;
            _Float16 in[ITEMS * 16], want[ITEMS * 16];
            struct ends e;
            char name[32];
            ends_open(&e, &t, 2 * all, 2 * all);
            for (unsigned i = 0; i < all; i++)
                in[i] = (_Float16)(e.in[i] % 16);
            OK(clEnqueueWriteBuffer(t.queue, e.from, CL_TRUE, 0, 2 * all, in, 0,
                                    NULL, NULL));
            for (unsigned i = 0; i < all; i++) {
                float a = in[i], b = in[(i + n) % all];
                float item = (float)(i / n);
                want[i] = (_Float16)((i / n & 1 ? a : b) * 2 + item * (a - b));
            }
            memcpy(e.want, want, 2 * all);
            snprintf(name, sizeof name, "call%u", n);
            ends_run(&e, p, name, 0);
            ends_close(&e);
        }
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

TEST_MAIN
