/* SPDX-License-Identifier: Apache-2.0 */
/* What the device says of itself holds: each limit is reached, and what is
 * beyond it is refused. */
#include <math.h>

#include "image_ref.h"

static cl_int
run(struct cl *t, cl_kernel k, size_t x, size_t y, size_t z)
{
    const size_t size[] = { x, y, z };
    cl_int code =
        clEnqueueNDRangeKernel(t->queue, k, 3, NULL, size, size, 0, NULL, NULL);
    return code == CL_SUCCESS ? clFinish(t->queue) : code;
}

/* ---- shape ---- */

TEST(work_groups)
{
    static const char text[] =
        "kernel void k(global uint *x) { atomic_inc(x);\n"
        "  if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) {\n"
        "    x[1] = get_num_sub_groups(); x[2] = get_max_sub_group_size();\n"
        "    x[3] = 8 * sizeof(void *); x[4] = as_uint((uchar4)(1, 2, 3, 4));\n"
        "    x[5] = sizeof(size_t); } }\n";
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "-cl-std=CL3.0");
    cl_kernel k = cl_kernel_of(p, "k");
    size_t most = ASK_DEVICE(size_t, CL_DEVICE_MAX_WORK_GROUP_SIZE), side[3];
    cl_uint x[6] = { 0 };
    cl_mem m = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof x, x);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clGetDeviceInfo(t.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof side,
                       side, NULL));
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3);
    OK(run(&t, k, side[0], 1, 1));
    OK(run(&t, k, 1, side[1], 1));
    OK(run(&t, k, 1, 1, side[2]));
    OK(run(&t, k, most / 4, 2, 2));
    FAILS(CL_INVALID_WORK_ITEM_SIZE, run(&t, k, side[0] + 1, 1, 1));
    FAILS(CL_INVALID_WORK_ITEM_SIZE, run(&t, k, 1, 1, side[2] + 1));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, run(&t, k, most / 4, 2, 3));
    get(&t, m, sizeof x, x);
    CHECK_EQ(x[0], side[0] + side[1] + side[2] + most / 4 * 4);
    CHECK_EQ(x[1], ASK_DEVICE(cl_uint, CL_DEVICE_MAX_NUM_SUB_GROUPS));
    CHECK_EQ(x[2],
             ASK_DEVICE(size_t, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
    CHECK_EQ(x[3], ASK_DEVICE(cl_uint, CL_DEVICE_ADDRESS_BITS));
    CHECK_EQ(x[4], 0x04030201);
    CHECK_EQ(x[5], x[3] / 8);
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_ENDIAN_LITTLE), CL_TRUE);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Sub-groups make progress while others of their work-group wait for them: each waits for
 * the next one, then for the one before. */
TEST(sub_group_progress)
{
    static const char text[] =
        "kernel void k(global uint *x) { local atomic_uint turn;\n"
        "  uint me = get_sub_group_id(), n = get_num_sub_groups();\n"
        "  if (get_local_id(0) == 0) atomic_init(&turn, n);\n"
        "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  for (uint down = 1; down < 2; down--) {\n"
        "    uint before = down ? me + 1 : me;\n"
        "    while (atomic_load(&turn) != before) ;\n"
        "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (sub_group_elect()) {\n"
        "      atomic_inc(x); atomic_store(&turn, down ? me : me + 1); }\n"
        "    work_group_barrier(CLK_LOCAL_MEM_FENCE); } }\n";
    struct cl t = cl_open(0);
    cl_uint x = 0;
    CHECK_EQ(
        ASK_DEVICE(cl_bool, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS),
        CL_TRUE);
    cl_program p = cl_build(&t, text, "-cl-std=CL3.0");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof x, &x);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    size_t most;
    OK(clGetKernelWorkGroupInfo(k, t.device, CL_KERNEL_WORK_GROUP_SIZE,
                                sizeof most, &most, NULL));
    OK(run(&t, k, most, 1, 1));
    get(&t, m, sizeof x, &x);
    size_t lanes =
        ASK_DEVICE(size_t, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    CHECK_EQ(x, 2 * (most / lanes));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Rows of words of an image: read from any byte on, its edge outside of it; written from a
 * word on, nothing outside of it. */
TEST(image_blocks)
{
    enum { WIDTH = 40, HEIGHT = 4, LANES = 32 };
    static const char text[] =
        "kernel void k(read_only image2d_t in, write_only image2d_t to,\n"
        "    global uint *x, int2 at) {\n"
        "  uint i = get_sub_group_local_id(), n = get_max_sub_group_size();\n"
        "  uint2 y = intel_sub_group_block_read2(in, at);\n"
        "  x[i] = y.x; x[n + i] = y.y;\n"
        "  intel_sub_group_block_write2(to, (int2)(12 * 4, 3), y); }\n";
    struct cl t = cl_open(0);
    cl_int code;
    const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
    const cl_image_desc shape = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                  .image_width = WIDTH,
                                  .image_height = HEIGHT };
    const size_t origin[3] = { 0 }, all[3] = { WIDTH, HEIGHT, 1 };
    unsigned char bytes[HEIGHT][4 * WIDTH];
    cl_uint x[2][LANES], back[HEIGHT][WIDTH];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i / (4 * WIDTH)][i % (4 * WIDTH)] =
            (unsigned char)(i * 7 + i / 31);
    cl_mem in, to, m = cl_buffer(&t, 0, sizeof x, NULL);
    CREATES(in, clCreateImage(t.context, CL_MEM_COPY_HOST_PTR, &format, &shape,
                              bytes, &code));
    CREATES(to, clCreateImage(t.context, CL_MEM_COPY_HOST_PTR, &format, &shape,
                              bytes, &code));
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    OK(clSetKernelArg(k, 0, sizeof in, &in));
    OK(clSetKernelArg(k, 1, sizeof to, &to));
    OK(clSetKernelArg(k, 2, sizeof m, &m));
    static const int starts[][2] = {
        { 0, 0 }, { 13, 1 }, { 60, 2 }, { -8, 3 }
    };
    for (unsigned s = 0; s < sizeof starts / sizeof *starts; s++) {
        OK(clSetKernelArg(k, 3, sizeof starts[s], starts[s]));
        OK(run(&t, k, LANES, 1, 1));
        get(&t, m, sizeof x, x);
        for (int row = 0; row < 2; row++)
            for (int i = 0; i < LANES; i++) {
                int at = starts[s][0] + 4 * i, y = starts[s][1] + row;
                at = at < 0 ? 0 : at > 4 * WIDTH - 4 ? 4 * WIDTH - 4 : at;
                cl_uint want;
                memcpy(&want, &bytes[y < HEIGHT ? y : HEIGHT - 1][at], 4);
                CHECK_EQ(x[row][i], want);
            }
        OK(clEnqueueReadImage(t.queue, to, CL_TRUE, origin, all, 0, 0, back, 0,
                              NULL, NULL));
        for (int i = 0; i < WIDTH; i++) {
            cl_uint old;
            memcpy(&old, &bytes[HEIGHT - 1][4 * i], 4);
            CHECK_EQ(back[HEIGHT - 1][i], i < 12 ? old : x[0][i - 12]);
        }
    }
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Where the language has them and the options do not deny them; a row of
 * warps, not of single work-items, if no size is given. */
TEST(work_groups_that_are_not_uniform)
{
    static const char text[] =
        "kernel void k(global uint *x) {\n"
        "  atomic_inc(&x[0]); atomic_max(&x[1], get_local_size(0));\n"
        "  if (get_global_id(0) + 1 == get_global_size(0))\n"
        "    x[2] = get_local_size(0); }\n";
    static const struct {
        const char *options;
        bool may;
    } rows[] = { { "", false },
                 { "-cl-std=CL1.2", false },
                 { "-cl-std=CL2.0", true },
                 { "-cl-std=CL3.0", true },
                 { "-cl-std=CL3.0 -cl-uniform-work-group-size", false } };
    const size_t global = 1009, local = 60;
    struct cl t = cl_open(0);
    size_t lanes =
        ASK_DEVICE(size_t, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT),
             CL_TRUE);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_uint x[3] = { 0 };
        cl_program p = cl_build(&t, text, rows[i].options);
        cl_kernel k = cl_kernel_of(p, "k");
        cl_mem m = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof x, x);
        OK(clSetKernelArg(k, 0, sizeof m, &m));
        CHECK_EQ(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &global, &local, 0,
                                        NULL, NULL),
                 rows[i].may ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE);
        get(&t, m, sizeof x, x);
        CHECK_EQ(x[0], rows[i].may ? global : 0);
        CHECK_EQ(x[1], rows[i].may ? local : 0);
        CHECK_EQ(x[2], rows[i].may ? global % local : 0);
        OK(clEnqueueFillBuffer(t.queue, m, &(cl_uint){ 0 }, 4, 0, sizeof x, 0,
                               NULL, NULL));
        OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &global, NULL, 0, NULL,
                                  NULL));
        get(&t, m, sizeof x, x);
        CHECK_EQ(x[0], global);
        CHECK(rows[i].may ? x[1] >= lanes : global % x[1] == 0);
        OK(clReleaseMemObject(m));
        OK(clReleaseKernel(k));
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

/* ---- memory ---- */

TEST(local_memory)
{
    static const char text[] =
        "kernel void k(global int *x, local int *l, uint n) {\n"
        "  for (uint i = get_local_id(0); i < n; i += get_local_size(0))\n"
        "    l[i] = i * 3;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (get_local_id(0) == 0) { x[0] = l[0]; x[1] = l[n - 1]; } }\n";
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    size_t size = (size_t)ASK_DEVICE(cl_ulong, CL_DEVICE_LOCAL_MEM_SIZE);
    size_t items = ASK_DEVICE(size_t, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    cl_uint n = (cl_uint)(size / 4);
    cl_int x[2] = { 0 };
    cl_mem m = cl_buffer(&t, 0, sizeof x, NULL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, size, NULL));
    OK(clSetKernelArg(k, 2, sizeof n, &n));
    OK(run(&t, k, items, 1, 1));
    get(&t, m, sizeof x, x);
    CHECK(x[0] == 0 && x[1] == (cl_int)(n - 1) * 3);
    OK(clSetKernelArg(k, 1, size + 4, NULL));
    FAILS(CL_OUT_OF_RESOURCES, run(&t, k, items, 1, 1));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* The largest buffer, as global and as constant memory, beside one that takes
 * the rest of memory. */
TEST(global_memory)
{
    static const char text[] =
        "kernel void k(global uint *a, global uint *b, uint na, uint nb) {\n"
        "  a[0] = 1; a[na - 1] = 2; b[0] = 3; b[nb - 1] = 4; }\n"
        "kernel void c(constant uint *a, global uint *b, uint na, uint nb) {\n"
        "  b[0] = a[0] + 10; b[1] = a[na - 1] + 10; }\n";
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    cl_ulong most = ASK_DEVICE(cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    cl_ulong all = ASK_DEVICE(cl_ulong, CL_DEVICE_GLOBAL_MEM_SIZE);
    cl_ulong rest = (all - most - (1 << 20)) / 4 * 4;
    cl_uint n[] = { (cl_uint)(most / 4), (cl_uint)(rest / 4) }, x[2];
    cl_int code;
    CHECK_EQ(ASK_DEVICE(cl_ulong, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), most);
    CHECK(most >= all / 4);
    REFUSES(CL_INVALID_BUFFER_SIZE,
            clCreateBuffer(t.context, 0, (size_t)most + 1, NULL, &code));
    cl_mem a = cl_buffer(&t, 0, (size_t)most, NULL);
    cl_mem b = cl_buffer(&t, 0, (size_t)rest, NULL);
    for (int i = 0; i < 2; i++) {
        cl_kernel k = cl_kernel_of(p, i ? "c" : "k");
        OK(clSetKernelArg(k, 0, sizeof a, &a));
        OK(clSetKernelArg(k, 1, sizeof b, &b));
        OK(clSetKernelArg(k, 2, sizeof n[0], &n[0]));
        OK(clSetKernelArg(k, 3, sizeof n[1], &n[1]));
        OK(run(&t, k, 1, 1, 1));
        OK(clReleaseKernel(k));
    }
    get(&t, b, sizeof x, x);
    CHECK(x[0] == 11 && x[1] == 12);
    OK(clEnqueueReadBuffer(t.queue, b, CL_TRUE, (size_t)rest - 4, 4, x, 0, NULL,
                           NULL));
    CHECK_EQ(x[0], 4);
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- arguments: as many as there may be, each read ---- */

/* A kernel k(global T *to, DECL a0, DECL a1, ...) { *to = 0 + EACH ... } of
 * `n` arguments; # in the texts is a number. */
static cl_program
many(struct cl *t, const char *to, const char *decl, const char *each, size_t n,
     const char *options)
{
    size_t room = 100 + n * (strlen(decl) + strlen(each) + 40);
    char *text = malloc(room), *end = text;
    end += sprintf(end, "kernel void k(global %s *to", to);
    for (size_t part = 0; part < 2; part++) {
        for (size_t i = 0; i < n; i++) {
            end += sprintf(end, part ? "; " : ", ");
            for (const char *c = part ? each : decl; *c; c++)
                end +=
                    *c == '#' ? sprintf(end, "%zu", i) : sprintf(end, "%c", *c);
        }
        end += sprintf(end, part ? "; }" : ") { *to = 0");
    }
    CHECK((size_t)(end - text) < room);
    cl_program p = cl_build(t, text, options);
    free(text);
    return p;
}

TEST(constant_arguments)
{
    struct cl t = cl_open(0);
    cl_uint n = ASK_DEVICE(cl_uint, CL_DEVICE_MAX_CONSTANT_ARGS);
    cl_int sum = 0, want = 0;
    cl_program p = many(&t, "int", "constant int *a#", "*to += a#[1]", n, "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem to = cl_buffer(&t, 0, 4, NULL), *in = calloc(n, sizeof *in);
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    for (cl_uint i = 0; i < n; i++) {
        cl_int x[2] = { 0, (cl_int)(i * i + 7) };
        want += x[1];
        in[i] = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof x, x);
        OK(clSetKernelArg(k, i + 1, sizeof in[i], &in[i]));
    }
    OK(run(&t, k, 1, 1, 1));
    get(&t, to, sizeof sum, &sum);
    CHECK_EQ(sum, want);
    for (cl_uint i = 0; i < n; i++)
        OK(clReleaseMemObject(in[i]));
    free(in);
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* A pointer and longs that fill the parameters to the last byte. */
TEST(parameter_size)
{
    struct cl t = cl_open(0);
    size_t size = ASK_DEVICE(size_t, CL_DEVICE_MAX_PARAMETER_SIZE),
           n = size / 8 - 1;
    cl_long sum = 0, want = 0;
    CHECK(size >= 1024);
    cl_program p = many(&t, "long", "long a#", "*to += a#", n, "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem to = cl_buffer(&t, 0, sizeof sum, NULL);
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    for (size_t i = 0; i < n; i++) {
        cl_long x = (cl_long)((i + 1) * 0x100000001);
        want += x;
        OK(clSetKernelArg(k, (cl_uint)i + 1, sizeof x, &x));
    }
    OK(run(&t, k, 1, 1, 1));
    get(&t, to, sizeof sum, &sum);
    CHECK(sum == want);
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* A struct by value that reaches as far, read and written. */
TEST(large_struct)
{
    static const char text[] =
        "struct big { int x[1000]; };\n"
        "kernel void k(struct big b, global int *r, int n) {\n"
        "  int i = get_global_id(0);\n"
        "  r[i] = b.x[i]; b.x[999 - i] = -i; b.x[i * 7 % 1000] += n;\n"
        "  r[i + 64] = b.x[999 - i] + b.x[i * 7 % 1000]; }\n";
    struct cl t = cl_open(0);
    cl_int b[1000], r[128], n = 5;
    for (cl_int i = 0; i < 1000; i++)
        b[i] = i * i;
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = cl_buffer(&t, 0, sizeof r, NULL);
    OK(clSetKernelArg(k, 0, sizeof b, b));
    OK(clSetKernelArg(k, 1, sizeof m, &m));
    OK(clSetKernelArg(k, 2, sizeof n, &n));
    OK(run(&t, k, 64, 1, 1));
    get(&t, m, sizeof r, r);
    for (cl_int i = 0; i < 64; i++) {
        CHECK_EQ(r[i], i * i);
        CHECK_EQ(r[i + 64], -i + i * 7 % 1000 * (i * 7 % 1000) + 5);
    }
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Images with one pixel each: what the kernel made is read back. */
static void
check_images(cl_device_info limit, const char *decl, const char *options)
{
    static const cl_image_format f = { CL_R, CL_UNSIGNED_INT32 };
    struct cl t = cl_open(0);
    cl_uint n = ASK_DEVICE(cl_uint, limit);
    cl_program p =
        many(&t, "int", decl, "write_imageui(a#, (int2)0, # + 5)", n, options);
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem to = cl_buffer(&t, 0, 4, NULL), *in = calloc(n, sizeof *in);
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    for (cl_uint i = 0; i < n; i++) {
        in[i] = image_of(&t, &f, CL_MEM_OBJECT_IMAGE2D, 1, 1, 0, NULL);
        OK(clSetKernelArg(k, i + 1, sizeof in[i], &in[i]));
    }
    OK(run(&t, k, 1, 1, 1));
    for (cl_uint i = 0; i < n; i++) {
        const size_t zero[3] = { 0 }, one[3] = { 1, 1, 1 };
        cl_uint x = 0;
        OK(clEnqueueReadImage(t.queue, in[i], CL_TRUE, zero, one, 0, 0, &x, 0,
                              NULL, NULL));
        CHECK_EQ(x, i + 5);
        OK(clReleaseMemObject(in[i]));
    }
    free(in);
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(written_images)
{
    check_images(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, "write_only image2d_t a#", "");
}

TEST(read_and_written_images)
{
    check_images(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, "read_write image2d_t a#",
                 "-cl-std=CL3.0");
}

TEST(sampler_arguments)
{
    struct cl t = cl_open(0);
    cl_uint n = ASK_DEVICE(cl_uint, CL_DEVICE_MAX_SAMPLERS);
    const float pixel[4] = { 1, 2, 3, 4 };
    const cl_image_format f = { CL_RGBA, CL_FLOAT };
    float sum = 0;
    char text[4096], *end = text;
    end += sprintf(end, "kernel void k(global float *to, "
                        "read_only image2d_t i");
    for (cl_uint i = 0; i < n; i++)
        end += sprintf(end, ", sampler_t s%u", i);
    end += sprintf(end, ") { *to = 0");
    for (cl_uint i = 0; i < n; i++)
        end += sprintf(end, "; *to += read_imagef(i, s%u, (float2)5).x", i);
    sprintf(end, "; }");
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem to = cl_buffer(&t, 0, 4, NULL);
    cl_mem image = image_of(&t, &f, CL_MEM_OBJECT_IMAGE2D, 1, 1, 0, pixel);
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    OK(clSetKernelArg(k, 1, sizeof image, &image));
    for (cl_uint i = 0; i < n; i++) {
        cl_int code;
        cl_sampler s;
        CREATES(s, clCreateSampler(t.context, CL_FALSE,
                                   i % 3 ? CL_ADDRESS_CLAMP_TO_EDGE
                                         : CL_ADDRESS_CLAMP,
                                   CL_FILTER_NEAREST, &code));
        OK(clSetKernelArg(k, i + 2, sizeof s, &s));
        OK(clReleaseSampler(s));
    }
    OK(run(&t, k, 1, 1, 1));
    get(&t, to, sizeof sum, &sum);
    CHECK_EQ((cl_uint)sum, n - (n + 2) / 3);
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(image));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- images ---- */

/* The last pixel of an image as large as may be, and that no larger one is. */
static void
check_largest(struct cl *t, cl_program p, const char *name,
              const cl_image_desc *desc, size_t *side)
{
    const cl_image_format f = { CL_R, CL_UNSIGNED_INT8 };
    cl_int code;
    cl_mem m, to = cl_buffer(t, 0, 4, NULL);
    cl_uint x = 0;
    CREATES(m, clCreateImage(t->context, 0, &f, desc, NULL, &code));
    cl_kernel k = cl_kernel_of(p, name);
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    OK(clSetKernelArg(k, 1, sizeof m, &m));
    OK(run(t, k, 1, 1, 1));
    get(t, to, sizeof x, &x);
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(to));
    if (!CHECK_EQ(x, 77))
        printf("  %s\n", name);
    ++*side;
    REFUSES(CL_INVALID_IMAGE_SIZE,
            clCreateImage(t->context, 0, &f, desc, NULL, &code));
    --*side;
}

static const char last_source[] =
    "#define K(N, T, C, ...) kernel void N(global uint *x, read_write T i) { "
    "  C at = (C)(__VA_ARGS__); write_imageui(i, at, (uint4)77); "
    "  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, "
    "      memory_scope_work_item); x[0] = read_imageui(i, at).x; }\n"
    "#define W get_image_width(i) - 1\n#define H get_image_height(i) - 1\n"
    "K(one, image1d_t, int, W) K(two, image2d_t, int2, W, H)\n"
    "K(three, image3d_t, int4, W, H, get_image_depth(i) - 1, 0)\n"
    "K(layers, image2d_array_t, int4, W, H, get_image_array_size(i) - 1, 0)\n"
    "K(lines, image1d_array_t, int2, W, get_image_array_size(i) - 1)\n"
    "K(buffer, image1d_buffer_t, int, W)\n";

TEST(image_sizes)
{
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, last_source, "-cl-std=CL3.0");
    cl_image_desc d = { .image_type = CL_MEM_OBJECT_IMAGE2D };
    d.image_width = ASK_DEVICE(size_t, CL_DEVICE_IMAGE2D_MAX_WIDTH);
    d.image_height = ASK_DEVICE(size_t, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
    check_largest(&t, p, "two", &d, &d.image_width);
    check_largest(&t, p, "two", &d, &d.image_height);
    d.image_height = 0;
    d.image_type = CL_MEM_OBJECT_IMAGE1D;
    check_largest(&t, p, "one", &d, &d.image_width);
    d.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
    d.image_array_size = ASK_DEVICE(size_t, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
    check_largest(&t, p, "lines", &d, &d.image_array_size);
    d.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    d.image_height = 2;
    check_largest(&t, p, "layers", &d, &d.image_array_size);
    d.image_type = CL_MEM_OBJECT_IMAGE3D;
    d.image_width = ASK_DEVICE(size_t, CL_DEVICE_IMAGE3D_MAX_WIDTH);
    d.image_height = d.image_depth = 1;
    check_largest(&t, p, "three", &d, &d.image_width);
    d.image_width = 1;
    d.image_height = ASK_DEVICE(size_t, CL_DEVICE_IMAGE3D_MAX_HEIGHT);
    check_largest(&t, p, "three", &d, &d.image_height);
    d.image_depth = ASK_DEVICE(size_t, CL_DEVICE_IMAGE3D_MAX_DEPTH);
    check_largest(&t, p, "three", &d, &d.image_depth);
    d = (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER };
    d.image_width = ASK_DEVICE(size_t, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
    d.buffer = cl_buffer(&t, 0, d.image_width + 1, NULL);
    check_largest(&t, p, "buffer", &d, &d.image_width);
    OK(clReleaseMemObject(d.buffer));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* cl_khr_image2d_from_buffer: at any multiple of both alignments. */
TEST(image_from_buffer)
{
    const cl_image_format f = { CL_R, CL_UNSIGNED_INT8 };
    struct cl t = cl_open(0);
    cl_uint pitch = ASK_DEVICE(cl_uint, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
    cl_uint base = ASK_DEVICE(cl_uint, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT);
    size_t align = ASK_DEVICE(cl_uint, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    CHECK(pitch && base && align % base == 0);
    unsigned char bytes[512];
    randomise(bytes, sizeof bytes);
    cl_mem b = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof bytes, bytes), s, m;
    const cl_buffer_region part = { align, 3 * 7 * pitch };
    cl_int code;
    CREATES(
        s, clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code));
    const cl_image_desc d = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = 5,
                              .image_height = 3,
                              .image_row_pitch = 7 * pitch,
                              .buffer = s };
    CREATES(m, clCreateImage(t.context, 0, &f, &d, NULL, &code));
    cl_program p = cl_build(&t,
                            "kernel void k(global uint *x, read_only image2d_t "
                            "i) { x[0] = read_imageui(i, (int2)(4, 2)).x; }\n",
                            "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem to = cl_buffer(&t, 0, 4, NULL);
    cl_uint x = 0;
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    OK(clSetKernelArg(k, 1, sizeof m, &m));
    OK(run(&t, k, 1, 1, 1));
    get(&t, to, sizeof x, &x);
    CHECK_EQ(x, bytes[align + 2 * 7 * pitch + 4]);
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(s));
    OK(clReleaseMemObject(b));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
