/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels: arguments, what they say of themselves, ranges, faults. */
#include "cl.h"

static const char source[] =
    "struct pair { int a; float b; };\n"
    "kernel void values(global int *out, char c, short4 v, struct pair p,\n"
    "                   constant int *k, local int *scratch)\n"
    "{\n"
    "    local int fixed[4];\n"
    "    int i = get_local_id(0);\n"
    "    if (i < 4)\n"
    "        fixed[i] = i;\n"
    "    scratch[i] = 10 * i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = c + v.s2 + p.a + k[1] + fixed[i % 4]\n"
    "        + scratch[get_local_size(0) - 1 - i];\n"
    "}\n"
    "kernel void where(global uint *out)\n"
    "{\n"
    "    uint x = get_global_id(0) - get_global_offset(0);\n"
    "    uint y = get_global_id(1) - get_global_offset(1);\n"
    "    uint z = get_global_id(2) - get_global_offset(2);\n"
    "    uint w = get_global_size(0), h = get_global_size(1);\n"
    "    out[(z * h + y) * w + x] = get_global_id(0)\n"
    "        + 100 * get_global_id(1) + 10000 * get_global_id(2)\n"
    "        + 1000000 * get_local_id(0);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
    "void fixed_size(const global float *restrict a, global int *out)\n"
    "{\n"
    "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =\n"
    "        get_local_size(0) * 10 + get_local_size(1);\n"
    "}\n"
    "kernel void wild(global int *p, int n)\n"
    "{\n"
    "    p[get_global_id(0) * n] = 1;\n"
    "}\n"
    "kernel void for_ever(global int *p)\n"
    "{\n"
    "    while (*(volatile global int *)p == 0)\n"
    "        ;\n"
    "}\n";

struct fixture {
    struct cl cl;
    cl_program p;
    cl_kernel k;
};

static struct fixture
open_kernel(const char *name)
{
    struct fixture f = { .cl = cl_open(CL_QUEUE_PROFILING_ENABLE) };
    f.p = cl_build(&f.cl, source, "-cl-kernel-arg-info");
    f.k = cl_kernel_of(f.p, name);
    return f;
}

static void
close_kernel(struct fixture *f)
{
    OK(clReleaseKernel(f->k));
    OK(clReleaseProgram(f->p));
    cl_close(&f->cl);
}

static cl_int
run(struct fixture *f, cl_uint dims, const size_t *offset, const size_t *global,
    const size_t *local)
{
    return clEnqueueNDRangeKernel(f->cl.queue, f->k, dims, offset, global,
                                  local, 0, NULL, NULL);
}

static void
read_all(struct fixture *f, cl_mem m, size_t size, void *to)
{
    OK(clEnqueueReadBuffer(f->cl.queue, m, CL_TRUE, 0, size, to, 0, NULL,
                           NULL));
}

TEST(all_kinds_of_arguments)
{
    struct fixture f = open_kernel("values");
    enum { N = 96, LOCAL = 24 };
    int out[N], table[2] = { 1000, 2000 };
    cl_mem m = cl_buffer(&f.cl, 0, sizeof out, NULL);
    cl_mem k = cl_buffer(&f.cl, CL_MEM_COPY_HOST_PTR, sizeof table, table);
    cl_char c = 5;
    cl_short4 v = { { 1, 2, 300, 4 } };
    struct {
        cl_int a;
        cl_float b;
    } pair = { 40000, 1 };
    const size_t global = N, local = LOCAL;
    FAILS(CL_INVALID_KERNEL_ARGS, run(&f, 1, NULL, &global, &local));
    OK(clSetKernelArg(f.k, 0, sizeof m, &m));
    OK(clSetKernelArg(f.k, 1, sizeof c, &c));
    OK(clSetKernelArg(f.k, 2, sizeof v, &v));
    OK(clSetKernelArg(f.k, 3, sizeof pair, &pair));
    OK(clSetKernelArg(f.k, 4, sizeof k, &k));
    FAILS(CL_INVALID_KERNEL_ARGS, run(&f, 1, NULL, &global, &local));
    OK(clSetKernelArg(f.k, 5, LOCAL * sizeof(cl_int), NULL));
    OK(run(&f, 1, NULL, &global, &local));
    c = 100; /* a copy was taken */
    read_all(&f, m, sizeof out, out);
    for (int i = 0; i < N; i++)
        CHECK_EQ(out[i], 5 + 300 + 40000 + 2000 + i % LOCAL % 4 +
                             10 * (LOCAL - 1 - i % LOCAL));
    cl_kernel twin;
    cl_int code;
    CREATES(twin, clCloneKernel(f.k, &code));
    OK(clEnqueueNDRangeKernel(f.cl.queue, twin, 1, NULL, &global, &local, 0,
                              NULL, NULL));
    OK(clReleaseKernel(twin));
    OK(clFinish(f.cl.queue));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(k));
    close_kernel(&f);
}

/* A float3 has 16 bytes; 12 are taken as well, of nothing but vectors of 3. */
TEST(vectors_of_three)
{
    static const char text[] =
        "kernel void k(global float *x, float3 v, uchar3 b, float4 w)\n"
        "{ x[0] = v.x; x[1] = v.y; x[2] = v.z + b.s2; x[3] = w.w; }\n";
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = cl_buffer(&t, 0, 16, NULL);
    const cl_float v[3] = { 1, 2, 3 }, w[4] = { 4, 5, 6, 7 };
    const cl_uchar b[3] = { 10, 20, 30 };
    cl_float out[4];
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, sizeof v, v));
    OK(clSetKernelArg(k, 2, sizeof b, b));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 3, 12, w));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 1, 8, v));
    OK(clSetKernelArg(k, 3, sizeof w, w));
    OK(clEnqueueTask(t.queue, k, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL,
                           NULL));
    CHECK(out[0] == 1 && out[1] == 2 && out[2] == 33 && out[3] == 7);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(argument_refusals)
{
    struct fixture f = open_kernel("values");
    cl_mem m = cl_buffer(&f.cl, 0, 64, NULL);
    int x = 0;
    FAILS(CL_INVALID_ARG_INDEX, clSetKernelArg(f.k, 6, 4, &x));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(f.k, 1, 4, &x));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(f.k, 1, 1, NULL));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(f.k, 0, 4, &m));
    FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(f.k, 0, sizeof m, &f.k));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(f.k, 5, 4, &x));
    OK(clSetKernelArg(f.k, 0, sizeof m, NULL));
    cl_mem null = NULL;
    OK(clSetKernelArg(f.k, 0, sizeof null, &null));
    cl_int code;
    REFUSES(CL_INVALID_KERNEL_NAME, clCreateKernel(f.p, "nobody", &code));
    REFUSES(CL_INVALID_VALUE, clCreateKernel(f.p, NULL, &code));
    REFUSES(CL_INVALID_KERNEL, clCloneKernel((cl_kernel)m, &code));
    OK(clReleaseMemObject(m));
    close_kernel(&f);
}

/* Local memory may have no bytes; nothing is in it. */
TEST(local_memory_of_no_bytes)
{
    static const char text[] =
        "kernel void k(global int *x, local int *y, local int *z) {\n"
        "  if (x[0] > 64) y[0] = 1; z[get_local_id(0)] = x[get_local_id(0)];\n"
        "  barrier(CLK_LOCAL_MEM_FENCE); x[get_local_id(0)] = z[3 - \n"
        "      get_local_id(0)]; }\n";
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_int x[4] = { 1, 2, 3, 4 };
    const size_t items = 4;
    cl_mem m = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof x, x);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, 0, NULL));
    OK(clSetKernelArg(k, 2, sizeof x, NULL));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &items, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
    for (int i = 0; i < 4; i++)
        CHECK_EQ(x[i], 4 - i);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* clSetKernelArg does not retain: a buffer that went is an error, no crash. */
TEST(buffer_released_before_launch)
{
    struct fixture f = open_kernel("where");
    cl_mem m = cl_buffer(&f.cl, 0, 64, NULL);
    const size_t four = 4;
    OK(clSetKernelArg(f.k, 0, sizeof m, &m));
    OK(clReleaseMemObject(m));
    FAILS(CL_INVALID_MEM_OBJECT, run(&f, 1, NULL, &four, NULL));
    close_kernel(&f);
}

static void
check_where(const size_t *global, const size_t *local, const size_t *offset)
{
    struct fixture f = open_kernel("where");
    size_t n = global[0] * global[1] * global[2];
    cl_uint *out = malloc(n * sizeof *out);
    cl_mem m = cl_buffer(&f.cl, 0, n * sizeof *out, NULL);
    OK(clSetKernelArg(f.k, 0, sizeof m, &m));
    OK(run(&f, 3, offset, global, local));
    read_all(&f, m, n * sizeof *out, out);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        size_t x = i % global[0], y = i / global[0] % global[1];
        size_t z = i / global[0] / global[1];
        size_t id =
            x + offset[0] + 100 * (y + offset[1]) + 10000 * (z + offset[2]);
        wrong += out[i] % 1000000 != id;
        if (local)
            wrong += out[i] / 1000000 != x % local[0];
    }
    CHECK_EQ(wrong, 0);
    free(out);
    OK(clReleaseMemObject(m));
    close_kernel(&f);
}

/* Sizes that are no multiple of a warp, prime ones, in three dimensions. */
TEST(ranges)
{
    static const size_t global[][3] = { { 96, 2, 3 }, { 18, 18, 1 },
                                        { 90, 7, 2 }, { 64, 8, 2 },
                                        { 1, 99, 1 }, { 97, 1, 1 },
                                        { 99, 99, 9 } };
    static const size_t local[][3] = { { 96, 1, 1 }, { 3, 3, 1 },  { 10, 7, 2 },
                                       { 64, 8, 2 }, { 1, 33, 1 }, { 97, 1, 1 },
                                       { 11, 9, 3 } };
    static const size_t offset[3] = { 3, 0, 5 }, none[3] = { 0 };
    for (unsigned i = 0; i < sizeof global / sizeof *global; i++) {
        check_where(global[i], local[i], none);
        check_where(global[i], NULL, i % 2 ? offset : none);
    }
}

/* cl_khr_suggested_local_work_size: what a kernel that is launched without a local size
 * finds as its own; of all versions, whose kernels have uniform groups or not. */
TEST(suggested_size_is_the_one_used)
{
#define SIZES                                                            \
    "if (!get_global_id(0) && !get_global_id(1) && !get_global_id(2))\n" \
    "  for (int i = 0; i < 3; i++) x[i] = get_local_size(i); }\n"
    static const char text[] =
        "kernel void sizes(global int *x) {" SIZES
        "kernel __attribute__((reqd_work_group_size(6, 2, 1)))\n"
        "void required(global int *x) {" SIZES
        "kernel void large(global int *x, local float8 *y) {\n"
        "  y[get_local_id(0)] = 1;" SIZES;
    static const size_t global[][3] = { { 96, 2, 3 },  { 18, 18, 1 },
                                        { 97, 1, 1 },  { 4099, 3, 1 },
                                        { 1, 99, 1 },  { 12, 12, 12 },
                                        { 1024, 1, 1 } };
    static const char *const names[] = { "sizes", "required", "large" };
    struct cl t = cl_open(0);
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest =
        (clGetKernelSuggestedLocalWorkSizeKHR_fn)(uintptr_t)
            clGetExtensionFunctionAddressForPlatform(
                t.platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    cl_mem m = cl_buffer(&t, 0, 12, NULL);
    for (unsigned at = 0; at < 6; at++) {
        cl_program p = cl_build(&t, text, at % 2 ? "-cl-std=CL3.0" : "");
        cl_kernel k = cl_kernel_of(p, names[at / 2]);
        size_t local[3] = { 77, 77, 77 };
        FAILS(CL_INVALID_KERNEL_ARGS,
              suggest(t.queue, k, 3, NULL, global[0], local));
        OK(clSetKernelArg(k, 0, sizeof m, &m));
        if (at / 2 == 2)
            OK(clSetKernelArg(k, 1, 40 << 10, NULL));
        FAILS(CL_INVALID_COMMAND_QUEUE,
              suggest(NULL, k, 3, NULL, global[0], local));
        FAILS(CL_INVALID_WORK_DIMENSION,
              suggest(t.queue, k, 4, NULL, global[0], local));
        FAILS(CL_INVALID_GLOBAL_WORK_SIZE,
              suggest(t.queue, k, 3, NULL, NULL, local));
        FAILS(CL_INVALID_GLOBAL_WORK_SIZE,
              suggest(t.queue, k, 1, NULL, (size_t[]){ 0 }, local));
        FAILS(CL_INVALID_VALUE, suggest(t.queue, k, 1, NULL, global[0], NULL));
        CHECK(local[0] == 77 && local[1] == 77 && local[2] == 77);
        for (unsigned i = 0; i < sizeof global / sizeof *global; i++) {
            cl_int used[3];
            cl_int code = suggest(t.queue, k, 3, NULL, global[i], local);
            CHECK_EQ(clEnqueueNDRangeKernel(t.queue, k, 3, NULL, global[i],
                                            NULL, 0, NULL, NULL),
                     code);
            if (code != CL_SUCCESS)
                continue;
            OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof used, used, 0,
                                   NULL, NULL));
            for (unsigned d = 0; d < 3;
                 d++) /* the first group is a whole one */
                CHECK_EQ((size_t)used[d],
                         local[d] < global[i][d] ? local[d] : global[i][d]);
        }
        OK(clReleaseKernel(k));
        OK(clReleaseProgram(p));
    }
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(range_refusals)
{
    struct fixture f = open_kernel("where");
    cl_mem m = cl_buffer(&f.cl, 0, 1 << 16, NULL);
    OK(clSetKernelArg(f.k, 0, sizeof m, &m));
    const size_t g[3] = { 64, 4, 2 }, zero[3] = { 64, 0, 1 };
    const size_t uneven[3] = { 48, 1, 1 }, much[3] = { 64, 4, 8 };
    const size_t wide[1] = { 2048 }, far[1] = { (size_t)1 << 32 };
    const size_t off[1] = { UINT32_MAX };
    FAILS(CL_INVALID_WORK_DIMENSION, run(&f, 0, NULL, g, NULL));
    FAILS(CL_INVALID_WORK_DIMENSION, run(&f, 4, NULL, g, NULL));
    FAILS(CL_INVALID_GLOBAL_WORK_SIZE, run(&f, 1, NULL, far, NULL));
    FAILS(CL_INVALID_GLOBAL_OFFSET, run(&f, 1, off, g, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, run(&f, 3, NULL, g, uneven));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, run(&f, 2, NULL, g, zero));
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          run(&f, 3, NULL, (size_t[]){ 64, 64, 64 }, much));
    FAILS(CL_INVALID_WORK_ITEM_SIZE, run(&f, 1, NULL, wide, wide));
    OK(run(&f, 2, NULL, zero, NULL)); /* nothing to do, since OpenCL 2.1 */
    OK(run(&f, 1, NULL, NULL, NULL));
    OK(clFinish(f.cl.queue));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          clEnqueueNDRangeKernel((cl_command_queue)f.k, f.k, 1, NULL, g, NULL,
                                 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL,
          clEnqueueNDRangeKernel(f.cl.queue, (cl_kernel)m, 1, NULL, g, NULL, 0,
                                 NULL, NULL));
    struct cl other = cl_open(0);
    FAILS(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(other.queue, f.k, 1, NULL,
                                                     g, NULL, 0, NULL, NULL));
    cl_close(&other);
    OK(clEnqueueTask(f.cl.queue, f.k, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueNativeKernel(f.cl.queue, (void(CL_CALLBACK *)(void *))free,
                                NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    OK(clFinish(f.cl.queue));
    OK(clReleaseMemObject(m));
    close_kernel(&f);
}

TEST(required_sizes)
{
    struct fixture f = open_kernel("fixed_size");
    int out[64];
    cl_mem m = cl_buffer(&f.cl, 0, sizeof out, NULL);
    OK(clSetKernelArg(f.k, 0, sizeof m, &m));
    OK(clSetKernelArg(f.k, 1, sizeof m, &m));
    const size_t g[2] = { 16, 4 }, good[2] = { 8, 2 }, bad[2] = { 4, 4 };
    FAILS(CL_INVALID_WORK_GROUP_SIZE, run(&f, 2, NULL, g, bad));
    OK(run(&f, 2, NULL, g, good));
    OK(run(&f, 2, NULL, g, NULL));
    read_all(&f, m, sizeof out, out);
    CHECK_EQ(out[63], 82);
    size_t sizes[3] = { 0 };
    OK(clGetKernelWorkGroupInfo(f.k, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                sizeof sizes, sizes, NULL));
    CHECK(sizes[0] == 8 && sizes[1] == 2 && sizes[2] == 1);
    char text[64];
    OK(clGetKernelInfo(f.k, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    CHECK_STR(text, "reqd_work_group_size(8,2,1)");
    OK(clReleaseMemObject(m));
    close_kernel(&f);
}

/* cl_intel_required_subgroup_size: sizes of the device, answers about a kernel, and what no
 * warp has room for. */
TEST(required_sub_groups)
{
    static const char text[] =
        "__attribute__((intel_reqd_sub_group_size(%u)))\n"
        "kernel void k(global uint *x) { x[get_global_id(0)] =\n"
        "  get_sub_group_id() + 10 * get_num_sub_groups() +\n"
        "  1000 * get_max_sub_group_size(); }\n"
        "kernel void any(global uint *x) { }\n";
    struct cl t = cl_open(0);
    char sized[512];
    size_t sizes[8], n, size, local = 40, items = 80;
    OK(clGetDeviceInfo(t.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes,
                       sizes, &n));
    CHECK(n == 3 * sizeof *sizes && sizes[0] == 8 && sizes[2] == 32);
    for (size_t i = 0; i < n / sizeof *sizes; i++) {
        cl_uint got[80], width = (cl_uint)sizes[i];
        snprintf(sized, sizeof sized, text, width);
        cl_program p = cl_build(&t, sized, "-cl-std=CL3.0");
        cl_kernel k = cl_kernel_of(p, "k"), any = cl_kernel_of(p, "any");
        cl_mem m = cl_buffer(&t, 0, sizeof got, NULL);
        OK(clSetKernelArg(k, 0, sizeof m, &m));
        OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &local, 0, NULL,
                                  NULL));
        OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL,
                               NULL));
        for (cl_uint j = 0; j < items; j++)
            CHECK_EQ(got[j], j % 40 / width + 10 * ((39 + width) / width) +
                                 1000 * width);
        const struct {
            cl_kernel_sub_group_info name;
            size_t input, want;
        } rows[] = {
            { CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, width },
            { CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 40, width },
            { CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 40, (39 + width) / width },
            { CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 2, 2 * width },
            { CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, 0 },
        };
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
            OK(clGetKernelSubGroupInfo(k, t.device, rows[j].name,
                                       rows[j].input ? sizeof(size_t) : 0,
                                       rows[j].input ? &rows[j].input : NULL,
                                       sizeof size, &size, NULL));
            CHECK_EQ(size, rows[j].want);
        }
        OK(clGetKernelSubGroupInfo(any, t.device,
                                   CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0,
                                   NULL, sizeof size, &size, NULL));
        CHECK_EQ(size, 0);
        cl_ulong spilled = 1;
        OK(clGetKernelWorkGroupInfo(k, t.device, CL_KERNEL_SPILL_MEM_SIZE_INTEL,
                                    sizeof spilled, &spilled, NULL));
        CHECK_EQ(spilled, 0);
        OK(clReleaseMemObject(m));
        OK(clReleaseKernel(k));
        OK(clReleaseKernel(any));
        OK(clReleaseProgram(p));
    }
    static const struct {
        unsigned size;
        const char *words;
    } wrong[] = {
        { 64, "kernel 'k' requires sub-groups of 64 work-items; this device "
              "has warps of 32" },
        { 12, "intel_reqd_sub_group_size is 12: expected a power of two" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *lines = sized;
        cl_int code;
        snprintf(sized, sizeof sized, text, wrong[i].size);
        cl_program p;
        CREATES(p,
                clCreateProgramWithSource(t.context, 1, &lines, NULL, &code));
        FAILS(CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(p, 1, &t.device, "-cl-std=CL3.0", NULL, NULL));
        CHECK(strstr(cl_log(p, t.device), wrong[i].words) != NULL);
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

/* 5.8.6: the application has no kernel of it any more, though one waits. */
TEST(built_again_while_a_kernel_waits)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(
        &t,
        "kernel void k(global int *x) { x[0] += N; printf(\"%d\\n\", N); }");
    cl_mem m = cl_buffer(&t, 0, 64, NULL);
    const size_t one = 1;
    int x = 0;
    cl_int code;
    cl_event go;
    CREATES(go, clCreateUserEvent(t.context, &code));
    for (int i = 1; i <= 2; i++) {
        char options[32];
        snprintf(options, sizeof options, "-D N=%d", i);
        OK(clBuildProgram(p, 0, NULL, options, NULL, NULL));
        cl_kernel k = cl_kernel_of(p, "k");
        OK(clSetKernelArg(k, 0, sizeof m, &m));
        OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &one, NULL, 1, &go,
                                  NULL));
        FAILS(CL_INVALID_OPERATION, clBuildProgram(p, 0, NULL, "", NULL, NULL));
        OK(clReleaseKernel(k));
    }
    OK(clReleaseProgram(p));
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof x, &x, 0, NULL,
                           NULL));
    CHECK_EQ(x, 3);
    OK(clReleaseEvent(go));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* Prints what tools.py compares with the table of `ventus run --model`. */
TEST(timed)
{
    struct fixture f = open_kernel("where");
    cl_command_queue q = cl_queue(&f.cl, CL_QUEUE_PROFILING_ENABLE);
    cl_mem m = cl_buffer(&f.cl, 0, 64 * 4, NULL);
    cl_ulong start = 0, end = 0;
    cl_uint MHz = 0;
    cl_event e;
    const size_t global = 64, local = 16;
    OK(clSetKernelArg(f.k, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(q, f.k, 1, NULL, &global, &local, 0, NULL, &e));
    OK(clWaitForEvents(1, &e));
    OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof start,
                               &start, NULL));
    OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof end, &end,
                               NULL));
    OK(clGetDeviceInfo(f.cl.device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof MHz,
                       &MHz, NULL));
    CHECK(end > start);
    printf("%llu ns, %u MHz\n", (unsigned long long)(end - start), MHz);
    OK(clReleaseEvent(e));
    OK(clReleaseMemObject(m));
    OK(clReleaseCommandQueue(q));
    close_kernel(&f);
}

TEST(attributes)
{
    static const struct {
        const char *written, *answer;
    } rows[] = {
        { "", "" },
        { "vec_type_hint(float4)", "vec_type_hint(float4)" },
        { "vec_type_hint(uchar16)", "vec_type_hint(uchar16)" },
        { "vec_type_hint(long)", "vec_type_hint(long)" },
        { "vec_type_hint(double3)", "vec_type_hint(double3)" },
        { "work_group_size_hint(4, 2, 1)", "work_group_size_hint(4,2,1)" },
        { "vec_type_hint(short2), work_group_size_hint(4, 1, 1), "
          "reqd_work_group_size(4, 1, 1)",
          "vec_type_hint(short2) work_group_size_hint(4,1,1) "
          "reqd_work_group_size(4,1,1)" },
        { "intel_reqd_sub_group_size(16)", "intel_reqd_sub_group_size(16)" },
        { "reqd_work_group_size(4, 1, 1), intel_reqd_sub_group_size(8)",
          "reqd_work_group_size(4,1,1) intel_reqd_sub_group_size(8)" },
    };
    struct cl t = cl_open(0);
    char all[1600];
    size_t n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        n += (size_t)snprintf(all + n, sizeof all - n,
                              "kernel __attribute__((%s)) void k%zu(void) {}\n",
                              rows[i].written, i);
    cl_program p = cl_build(&t, all, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[8], text[128];
        snprintf(name, sizeof name, "k%zu", i);
        cl_kernel k = cl_kernel_of(p, name);
        OK(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
        CHECK_STR(text, rows[i].answer);
        OK(clReleaseKernel(k));
    }
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(info)
{
    struct fixture f = open_kernel("fixed_size");
    char text[64];
    cl_uint n = 0;
    cl_kernel_arg_address_qualifier space = 0;
    cl_kernel_arg_type_qualifier type = 0;
    OK(clGetKernelInfo(f.k, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
    CHECK_STR(text, "fixed_size");
    OK(clGetKernelInfo(f.k, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
    CHECK_EQ(n, 2);
    OK(clGetKernelArgInfo(f.k, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    CHECK_STR(text, "a");
    OK(clGetKernelArgInfo(f.k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text,
                          NULL));
    CHECK_STR(text, "float*");
    OK(clGetKernelArgInfo(f.k, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space,
                          &space, NULL));
    CHECK_EQ(space, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    OK(clGetKernelArgInfo(f.k, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type,
                          &type, NULL));
    CHECK_EQ(type, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT);
    FAILS(CL_INVALID_ARG_INDEX,
          clGetKernelArgInfo(f.k, 2, CL_KERNEL_ARG_NAME, 64, text, NULL));
    FAILS(CL_INVALID_VALUE, clGetKernelArgInfo(f.k, 0, 1, 64, text, NULL));
    size_t size = 0;
    OK(clGetKernelWorkGroupInfo(f.k, f.cl.device, CL_KERNEL_WORK_GROUP_SIZE,
                                sizeof size, &size, NULL));
    CHECK(size >= 32 && size <= 1024);
    OK(clGetKernelWorkGroupInfo(f.k, f.cl.device,
                                CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                sizeof size, &size, NULL));
    CHECK_EQ(size, 32);
    FAILS(CL_INVALID_VALUE,
          clGetKernelWorkGroupInfo(f.k, NULL, CL_KERNEL_GLOBAL_WORK_SIZE,
                                   sizeof size, &size, NULL));
    FAILS(CL_INVALID_DEVICE,
          clGetKernelWorkGroupInfo(f.k, (cl_device_id)f.k, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clGetKernelInfo(f.k, 1, 0, NULL, NULL));
    const size_t local[3] = { 10, 5, 1 }, two = 2;
    size_t sizes[3];
    OK(clGetKernelSubGroupInfo(f.k, f.cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS,
                               0, NULL, sizeof size, &size, NULL));
    CHECK(size >= 1 && size <= 32);
    OK(clGetKernelSubGroupInfo(f.k, f.cl.device,
                               CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                               sizeof local, local, sizeof size, &size, NULL));
    CHECK_EQ(size, 2);
    OK(clGetKernelSubGroupInfo(f.k, f.cl.device,
                               CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                               sizeof local, local, sizeof size, &size, NULL));
    CHECK_EQ(size, 32);
    OK(clGetKernelSubGroupInfo(f.k, NULL,
                               CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                               sizeof two, &two, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] == 64 && sizes[1] == 1 && sizes[2] == 1);
    clGetKernelSubGroupInfoKHR_fn khr =
        (clGetKernelSubGroupInfoKHR_fn)(intptr_t)
            clGetExtensionFunctionAddressForPlatform(
                f.cl.platform, "clGetKernelSubGroupInfoKHR");
    if (CHECK(khr != NULL))
        OK(khr(f.k, f.cl.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR,
               sizeof local, local, sizeof size, &size, NULL));
    CHECK_EQ(size, 2);
    FAILS(CL_INVALID_VALUE,
          clGetKernelSubGroupInfo(f.k, f.cl.device,
                                  CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3,
                                  local, sizeof size, &size, NULL));
    cl_kernel all[5];
    FAILS(CL_INVALID_VALUE, clCreateKernelsInProgram(f.p, 4, all, &n));
    OK(clCreateKernelsInProgram(f.p, 5, all, &n));
    CHECK_EQ(n, 5);
    for (int i = 0; i < 5; i++)
        OK(clReleaseKernel(all[i]));
    close_kernel(&f);
}

TEST(too_much_local_memory)
{
    struct fixture f = open_kernel("values");
    cl_mem m = cl_buffer(&f.cl, 0, 64, NULL);
    cl_char c = 0;
    cl_short4 v = { { 0 } };
    char pair[8] = { 0 };
    const size_t one = 1;
    OK(clSetKernelArg(f.k, 0, sizeof m, &m));
    OK(clSetKernelArg(f.k, 1, sizeof c, &c));
    OK(clSetKernelArg(f.k, 2, sizeof v, &v));
    OK(clSetKernelArg(f.k, 3, sizeof pair, pair));
    OK(clSetKernelArg(f.k, 4, sizeof m, &m));
    OK(clSetKernelArg(f.k, 5, 1 << 20, NULL));
    FAILS(CL_OUT_OF_RESOURCES, run(&f, 1, NULL, &one, &one));
    FAILS(CL_OUT_OF_RESOURCES, run(&f, 1, NULL, &one, NULL));
    OK(clReleaseMemObject(m));
    close_kernel(&f);
}

/* ---- faults ---- */

static char notice[4096];

static void CL_CALLBACK
notify(const char *text, const void *info, size_t size, void *user_data)
{
    (void)info, (void)size;
    snprintf(notice, sizeof notice, "%s", text);
    ++*(int *)user_data;
}

/* A context whose callback fills `notice` and counts. */
static struct cl
open_noticed(int *notices)
{
    struct cl t = cl_open(0);
    cl_int code;
    OK(clReleaseContext(t.context));
    OK(clReleaseCommandQueue(t.queue));
    CREATES(t.context,
            clCreateContext(NULL, 1, &t.device, notify, notices, &code));
    t.queue = cl_queue(&t, 0);
    return t;
}

TEST(faults)
{
    cl_int stride = 1 << 20;
    int notices = 0;
    struct cl t = open_noticed(&notices);
    cl_program p = cl_build(&t, source, "");
    cl_kernel k = cl_kernel_of(p, "wild");
    cl_mem m = cl_buffer(&t, 0, 64, NULL);
    const size_t global = 64;
    cl_event e, after;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, sizeof stride, &stride));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &global, NULL, 0, NULL, &e));
    OK(clEnqueueMarkerWithWaitList(t.queue, 1, &e, &after));
    FAILS(CL_OUT_OF_RESOURCES, clFinish(t.queue)); /* told once */
    OK(clFinish(t.queue));
    CHECK_EQ(cl_status(e), CL_OUT_OF_RESOURCES);
    CHECK_EQ(cl_status(after), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(notices, 1);
    CHECK(strstr(notice, "kernel 'wild'") != NULL);
    CHECK(strstr(notice, "input.cl:32") != NULL);
    CHECK(strstr(notice, "work-item (") != NULL);
    CHECK(strstr(notice, "0x") != NULL);
    /* The context goes on. */
    stride = 0;
    OK(clSetKernelArg(k, 1, sizeof stride, &stride));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &global, NULL, 0, NULL,
                              NULL));
    OK(clFinish(t.queue));
    OK(clReleaseEvent(e));
    OK(clReleaseEvent(after));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* The tests cl_time_limit set VENTUS_TIME_LIMIT_MS; launches of the others end on hosts of
 * any load. */
TEST(time_limit)
{
    if (!getenv("VENTUS_TIME_LIMIT_MS"))
        return;
    int notices = 0;
    struct fixture f = { .cl = open_noticed(&notices) };
    f.p = cl_build(&f.cl, source, "");
    f.k = cl_kernel_of(f.p, "for_ever");
    cl_mem m = cl_buffer(&f.cl, 0, 64, NULL);
    const size_t one = 1;
    OK(clSetKernelArg(f.k, 0, sizeof m, &m));
    OK(run(&f, 1, NULL, &one, &one));
    FAILS(CL_OUT_OF_RESOURCES, clFinish(f.cl.queue));
    CHECK_EQ(notices, 1);
    CHECK(strstr(notice, "kernel 'for_ever'") != NULL);
    CHECK(strstr(notice, "input.cl:3") != NULL); /* 36 or 37 */
    CHECK(strstr(notice, "max_ms") != NULL);
    int set = 1;
    OK(clEnqueueWriteBuffer(f.cl.queue, m, CL_TRUE, 0, sizeof set, &set, 0,
                            NULL, NULL));
    OK(run(&f, 1, NULL, &one, &one));
    OK(clFinish(f.cl.queue));
    OK(clReleaseMemObject(m));
    close_kernel(&f);
}

TEST_MAIN
