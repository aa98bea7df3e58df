/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of programs in global memory: what they hold at first, and how long
 * they keep what is written (OpenCL C 3.0, 6.7.1). */
#include "cl.h"

enum { ITEMS = 200, WORDS = 16 };

static const char text[] =
    "struct node { int v; global struct node *next; constant char *name; };\n"
    "constant char hello[] = \"hello\";\n"
    "extern global struct node first;\n"
    "global struct node second = { 20, 0, hello + 1 };\n"
    "global struct node first = { 10, &second, hello };\n"
    "global int x = 5, zeros[1000];\n"
    "global int *global at = &zeros[10];\n"
    "int *at_some = &zeros[11];\n"
    "global ulong wide = 0x123456789abcdefUL;\n"
    "const global short fixed[3] = { 100, 200, 300 };\n"
    "global float4 f = (float4)(1, 2, 3, 4);\n"
    "global double d = 0.5;\n"
    "global atomic_int counter = ATOMIC_VAR_INIT(7);\n"
    "static int next_call(void) { static int calls; return ++calls; }\n"
    "kernel void k(global int *o, int add) {\n"
    "  if (get_global_id(0) == 0) {\n"
    "    x += add; zeros[10] += add; zeros[11]++; at++;\n"
    "    o[0] = x; o[1] = next_call(); o[2] = *at; o[3] = *at_some;\n"
    "    o[4] = first.v + first.next->v++;\n"
    "    o[5] = first.name[0] * 1000 + first.next->name[0];\n"
    "    o[6] = wide; o[7] = wide++ >> 32; o[8] = fixed[add];\n"
    "    o[9] = f.z; f.z += 1; o[10] = d * 4; d += 0.25;\n"
    "  }\n"
    "  atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed,\n"
    "                            memory_scope_device);\n"
    "}\n"
    "kernel void seen(global int *o) {\n"
    "  o[11] = atomic_load_explicit(&counter, memory_order_relaxed,\n"
    "                               memory_scope_device);\n"
    "  o[12] = x; o[13] = at - zeros; }\n";

/* What the variables hold, done here. */
struct variables {
    int x, zeros[1000], at, calls, second, counter;
    uint64_t wide;
    float z;
    double d;
};

static const struct variables first = { .x = 5,
                                        .at = 10,
                                        .second = 20,
                                        .counter = 7,
                                        .wide = 0x123456789abcdef,
                                        .z = 3,
                                        .d = 0.5 };

static void
step(struct variables *v, int add, int *o)
{
    static const char hello[] = "hello";
    static const short fixed[] = { 100, 200, 300 };
    v->x += add;
    v->zeros[10] += add;
    v->zeros[11]++;
    v->at++;
    v->counter += ITEMS;
    o[0] = v->x;
    o[1] = ++v->calls;
    o[2] = v->zeros[v->at];
    o[3] = v->zeros[11];
    o[4] = 10 + v->second++;
    o[5] = hello[0] * 1000 + hello[1];
    o[6] = (int)(uint32_t)v->wide;
    o[7] = (int)(v->wide++ >> 32);
    o[8] = fixed[add];
    o[9] = (int)v->z++;
    o[10] = (int)(v->d * 4);
    v->d += 0.25;
    o[11] = v->counter;
    o[12] = v->x;
    o[13] = v->at;
}

static void
launch(struct cl *t, cl_program p, const char *name, cl_mem m, cl_int add)
{
    const size_t items = ITEMS, one = 1;
    cl_kernel k = cl_kernel_of(p, name);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    if (strcmp(name, "k") == 0)
        OK(clSetKernelArg(k, 1, sizeof add, &add));
    OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL,
                              strcmp(name, "k") == 0 ? &items : &one, NULL, 0,
                              NULL, NULL));
    OK(clReleaseKernel(k));
}

/* Runs both kernels, which see the same variables. */
static void
check_step(struct cl *t, cl_program p, struct variables *v, int add)
{
    int found[WORDS] = { 0 }, expected[WORDS] = { 0 };
    cl_mem m = cl_buffer(t, CL_MEM_COPY_HOST_PTR, sizeof found, found);
    launch(t, p, "k", m, add);
    launch(t, p, "seen", m, 0);
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof found, found, 0,
                           NULL, NULL));
    step(v, add, expected);
    for (int i = 0; i < WORDS; i++)
        if (!CHECK_EQ(found[i], expected[i]))
            printf("  word %d, add %d\n", i, add);
    OK(clReleaseMemObject(m));
}

TEST(they_keep_what_is_written_until_the_program_goes)
{
    struct cl t = cl_open(0);
    struct variables v[2] = { first, first };
    cl_program p[2];
    for (int i = 0; i < 2; i++)
        p[i] = cl_build(&t, text, "-cl-std=CL3.0");
    for (int round = 0; round < 3; round++)
        check_step(&t, p[0], &v[0], round);
    check_step(&t, p[1], &v[1], 2); /* another program has its own */
    check_step(&t, p[0], &v[0], 1);
    OK(clBuildProgram(p[1], 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    v[1] = first; /* a new executable */
    check_step(&t, p[1], &v[1], 1);
    for (int i = 0; i < 2; i++)
        OK(clReleaseProgram(p[i]));
    cl_close(&t);
}

TEST(a_binary_begins_with_what_the_source_says)
{
    struct cl t = cl_open(0);
    struct variables v = first;
    size_t size;
    cl_int code, status;
    cl_program p = cl_build(&t, text, "-cl-std=CL3.0"), q;
    check_step(&t, p, &v, 2);
    unsigned char *bytes = cl_binary(p, &size);
    const unsigned char *list[] = { bytes };
    CREATES(q, clCreateProgramWithBinary(t.context, 1, &t.device, &size, list,
                                         &status, &code));
    OK(clBuildProgram(q, 0, NULL, NULL, NULL, NULL));
    v = first;
    check_step(&t, q, &v, 1);
    free(bytes);
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(q));
    cl_close(&t);
}

TEST(of_other_sources)
{
    static const char *const texts[] = {
        "global int shared = 3; global int *global to = &shared;\n"
        "static global int own = 100;\n"
        "kernel void j(global int *x) { shared++; x[0] = own++; }\n",
        "extern global int shared; extern global int *global to;\n"
        "static global int own = 50;\n"
        "kernel void k(global int *x) { *to += 10; x[0] = shared + own++; }\n"
    };
    struct cl t = cl_open(0);
    cl_program in[2], p;
    cl_int code;
    for (int i = 0; i < 2; i++) {
        in[i] = cl_source(&t, texts[i]);
        OK(clCompileProgram(in[i], 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL,
                            NULL, NULL));
    }
    CREATES(p,
            clLinkProgram(t.context, 0, NULL, NULL, 2, in, NULL, NULL, &code));
    cl_mem m = cl_buffer(&t, 0, 4, NULL);
    launch(&t, p, "j", m, 0);
    CHECK_EQ(cl_result(&t, p), 3 + 1 + 10 + 50);
    CHECK_EQ(cl_result(&t, p), 3 + 1 + 20 + 51);
    OK(clReleaseMemObject(m));
    OK(clReleaseProgram(p));
    for (int i = 0; i < 2; i++)
        OK(clReleaseProgram(in[i]));
    cl_close(&t);
}

static size_t
total_size(struct cl *t, cl_program p)
{
    size_t size = 1;
    OK(clGetProgramBuildInfo(p, t->device,
                             CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                             sizeof size, &size, NULL));
    return size;
}

TEST(their_sizes)
{
    static const char format[] =
        "global uchar a[%zu]; global uchar b[%zu] = { 1 };\n"
        "kernel void k(global int *x) { size_t n = sizeof a;\n"
        "  a[0] += 2; a[n - 1] += 3; b[n - 1] += 4;\n"
        "  x[0] = a[0] + a[n / 2] + a[n - 1] + b[0] + b[n - 1]; }\n";
    struct cl t = cl_open(0);
    size_t most = ASK_DEVICE(size_t, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE);
    size_t all =
        ASK_DEVICE(size_t, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE);
    char source[1024];
    CHECK(most >= 64 << 10 && all >= most);
    snprintf(source, sizeof source, format, most, most);
    cl_program p = cl_build(&t, source, "-cl-std=CL3.0");
    CHECK_EQ(cl_result(&t, p), 2 + 3 + 1 + 4);
    CHECK_EQ(cl_result(&t, p), 4 + 6 + 1 + 8);
    CHECK_EQ(total_size(&t, p), 2 * most);
    OK(clReleaseProgram(p));
    snprintf(source, sizeof source, format, most + 1, (size_t)1);
    p = cl_source(&t, source);
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    char expected[64];
    snprintf(expected, sizeof expected,
             "'a' has %zu bytes: expected %zu at most", most + 1, most);
    CHECK(strstr(cl_log(p, t.device), expected));
    CHECK_EQ(total_size(&t, p), 0);
    OK(clReleaseProgram(p));
    p = cl_build(&t, "kernel void k(global int *x) { x[0] = 1; }", "");
    CHECK_EQ(total_size(&t, p), 0);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Arrays of constants were cut to 32 bits. */
TEST(constants_that_are_too_large)
{
    struct cl t = cl_open(0);
    cl_program p =
        cl_source(&t, "constant uchar a[1UL << 33] = { 1 };\n"
                      "kernel void k(global int *x) { x[0] = a[x[0]]; }\n");
    CHECK(clBuildProgram(p, 0, NULL, "-cl-std=CL3.0", NULL, NULL) ==
          CL_BUILD_PROGRAM_FAILURE);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
