/* SPDX-License-Identifier: Apache-2.0 */
/* Images as arguments of kernels: all kinds, as many as there may be. */
#include "image_ref.h"

/* ---- all kinds of images: places, queries, what lies outside ---- */

static const char places_source[] =
    "#define K(T, C, N) kernel void T(write_only T##_t o, global int *q, "
    "    uint n) { int p = get_global_id(0); "
    "    int4 at = (int4)(p % 4 - 1, p / 4 % 4 - 1, p / 16 - 1, 0); "
    "    write_imageui(o, at.C, (uint4)(p + 1, 0, 0, 0)); "
    "    if (p == 0) { q[0] = get_image_width(o); N "
    "      q[5] = get_image_channel_order(o) - CLK_R; "
    "      q[6] = get_image_channel_data_type(o) - CLK_UNSIGNED_INT16; } }\n"
    "K(image1d, x, ) K(image1d_buffer, x, )\n"
    "K(image1d_array, xy, q[3] = get_image_array_size(o);)\n"
    "#define D2 q[1] = get_image_height(o); q[4] = get_image_dim(o).y;\n"
    "K(image2d, xy, D2)\n"
    "K(image2d_array, xyzw, D2 q[3] = get_image_array_size(o);)\n"
    "K(image3d, xyzw, D2 q[2] = get_image_depth(o);)\n"
    "#define L(T, C) kernel void load_##T(read_only T##_t i, "
    "    global uint *to, uint n) { int p = get_global_id(0); "
    "    int4 at = (int4)(p % 2, p / 2 % 2, p / 4, 0); "
    "    to[p] = read_imageui(i, at.C).x; }\n"
    "L(image1d, x) L(image1d_buffer, x) L(image1d_array, xy)\n"
    "L(image2d, xy) L(image2d_array, xyzw) L(image3d, xyzw)\n";

static const struct {
    const char *name;
    cl_mem_object_type type;
    unsigned axes; /* of the coordinate */
    int answers[7];
} places[] = {
    { "image1d", CL_MEM_OBJECT_IMAGE1D, 1, { 2 } },
    { "image1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, { 2 } },
    { "image1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, { 2, 0, 0, 2 } },
    { "image2d", CL_MEM_OBJECT_IMAGE2D, 2, { 2, 2, 0, 0, 2 } },
    { "image2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, { 2, 2, 0, 2, 2 } },
    { "image3d", CL_MEM_OBJECT_IMAGE3D, 3, { 2, 2, 2, 0, 2 } },
};

/* Work-items of 4 x 4 x 4 write around an image of 2 x 2 x 2: what is outside
 * is not written, and nothing else is touched. */
static void
check_places(struct cl *t, cl_program p, unsigned s)
{
    const cl_image_format f = { CL_R, CL_UNSIGNED_INT16 };
    const size_t items = places[s].axes == 1   ? 4
                         : places[s].axes == 2 ? 16
                                               : 64;
    const size_t inside = (size_t)1 << places[s].axes;
    uint32_t got[8];
    int answers[7] = { 0 };
    char name[32];
    cl_mem to = cl_buffer(t, 0, sizeof got, NULL), buffer = NULL, m;
    cl_mem q = cl_buffer(t, CL_MEM_COPY_HOST_PTR, sizeof answers, answers);
    if (places[s].type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        cl_int code;
        buffer = cl_buffer(t, 0, 4, NULL);
        cl_image_desc d = { .image_type = places[s].type, .image_width = 2 };
        d.buffer = buffer;
        CREATES(m, clCreateImage(t->context, 0, &f, &d, NULL, &code));
    } else {
        m = image_of(t, &f, places[s].type, 2, 2, 2, NULL);
    }
    cl_kernel k = cl_kernel_of(p, places[s].name);
    launch(t, k, 3, m, q, items);
    OK(clReleaseKernel(k));
    snprintf(name, sizeof name, "load_%s", places[s].name);
    k = cl_kernel_of(p, name);
    launch(t, k, 3, m, to, inside);
    get(t, to, inside * 4, got);
    get(t, q, sizeof answers, answers);
    for (unsigned i = 0; i < inside; i++) {
        unsigned x = i % 2 + 1, y = i / 2 % 2 + 1, z = i / 4 + 1;
        unsigned number = x + (places[s].axes > 1 ? 4 * y : 0) +
                          (places[s].axes > 2 ? 16 * z : 0) + 1;
        CHECK_EQ(got[i], number);
    }
    for (unsigned i = 0; i < 7; i++)
        CHECK_EQ(answers[i], places[s].answers[i]);
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    if (buffer)
        OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(q));
}

TEST(kinds)
{
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, places_source, "");
    for (unsigned s = 0; s < sizeof places / sizeof *places; s++)
        check_places(&t, p, s);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* OpenCL C 3.0: one image to read and write. */
TEST(read_write)
{
    const cl_image_format f = { CL_RGBA, CL_UNSIGNED_INT8 };
    static const char text[] =
        "kernel void k(read_write image2d_t i, global uint *unused) {\n"
        "  int2 at = (int2)(get_global_id(0) % 4, get_global_id(0) / 4);\n"
        "  write_imageui(i, at, read_imageui(i, at).wzyx + 1); }\n";
    unsigned char pixels[4 * 4 * 4], back[4 * 4 * 4];
    const size_t zero[3] = { 0 }, all[3] = { 4, 4, 1 };
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "-cl-std=CL3.0");
    cl_kernel k = cl_kernel_of(p, "k");
    randomise(pixels, sizeof pixels);
    cl_mem m = image_of(&t, &f, CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, pixels);
    cl_mem unused = cl_buffer(&t, 0, 4, NULL);
    launch(&t, k, 2, m, unused, 16);
    OK(clEnqueueReadImage(t.queue, m, CL_TRUE, zero, all, 0, 0, back, 0, NULL,
                          NULL));
    for (unsigned i = 0; i < sizeof back; i++) {
        unsigned want = pixels[i / 4 * 4 + 3 - i % 4] + 1u;
        CHECK_EQ(back[i], want > 255 ? 255 : want);
    }
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(unused));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* As many images as the device says; branches that do not reach while sizes
 * of code are sought were counted too short. */
TEST(many_images)
{
    static char text[16384];
    const cl_image_format f = { CL_R, CL_FLOAT };
    struct cl t = cl_open(0);
    cl_uint n = 0;
    float sum = 0, want = 0;
    cl_int code;
    OK(clGetDeviceInfo(t.device, CL_DEVICE_MAX_READ_IMAGE_ARGS, sizeof n, &n,
                       NULL));
    size_t end = (size_t)sprintf(text, "kernel void k(global float *to, "
                                       "sampler_t s");
    for (cl_uint i = 0; i < n; i++)
        end += (size_t)sprintf(text + end, ", read_only image2d_t i%u", i);
    end += (size_t)sprintf(text + end, ") {\n  *to = 0;\n");
    for (cl_uint i = 0; i < n; i++)
        end += (size_t)sprintf(text + end,
                               "  *to += read_imagef(i%u, s, (int2)0).x;\n", i);
    sprintf(text + end, "}\n");
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem to = cl_buffer(&t, 0, 4, NULL), images[256];
    cl_sampler s;
    CREATES(s, clCreateSampler(t.context, CL_FALSE, CL_ADDRESS_CLAMP,
                               CL_FILTER_NEAREST, &code));
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    OK(clSetKernelArg(k, 1, sizeof s, &s));
    for (cl_uint i = 0; i < n && i < 256; i++) {
        float pixel = (float)(3 * i + 1);
        want += pixel;
        images[i] = image_of(&t, &f, CL_MEM_OBJECT_IMAGE2D, 1, 1, 0, &pixel);
        OK(clSetKernelArg(k, i + 2, sizeof images[i], &images[i]));
    }
    OK(clEnqueueTask(t.queue, k, 0, NULL, NULL));
    get(&t, to, sizeof sum, &sum);
    CHECK_EQ(sum, want);
    for (cl_uint i = 0; i < n && i < 256; i++)
        OK(clReleaseMemObject(images[i]));
    OK(clReleaseMemObject(to));
    OK(clReleaseSampler(s));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* What clSetKernelArg takes for images and samplers, and what is known. */
TEST(arguments)
{
    static const char text[] =
        "kernel void k(read_only image2d_t a, write_only image3d_t b,\n"
        "    sampler_t s, global int *p) {\n"
        "  write_imagef(b, (int4)0, read_imagef(a, s, (float2)*p)); }\n";
    const cl_image_format f = { CL_RGBA, CL_FLOAT };
    const cl_image_desc flat = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 4,
                                 .image_height = 4 };
    struct cl t = cl_open(0);
    cl_int code;
    cl_program p = cl_build(&t, text, "-cl-kernel-arg-info");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem image, sink, buffer = cl_buffer(&t, 0, 64, NULL);
    CREATES(image, clCreateImage(t.context, 0, &f, &flat, NULL, &code));
    CREATES(sink, clCreateImage(t.context, CL_MEM_WRITE_ONLY, &f, &flat, NULL,
                                &code));
    cl_sampler s;
    CREATES(s, clCreateSampler(t.context, CL_TRUE, CL_ADDRESS_CLAMP,
                               CL_FILTER_LINEAR, &code));
    OK(clSetKernelArg(k, 0, sizeof image, &image));
    FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof buffer, &buffer));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 0, sizeof image, NULL));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, &image));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 0, sizeof sink, &sink));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 1, sizeof image, &image));
    FAILS(CL_INVALID_SAMPLER, clSetKernelArg(k, 2, sizeof buffer, &buffer));
    FAILS(CL_INVALID_SAMPLER, clSetKernelArg(k, 2, sizeof s, NULL));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 2, 4, &s));
    FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 3, sizeof image, &image));
    OK(clSetKernelArg(k, 2, sizeof s, &s));
    OK(clReleaseSampler(s)); /* the kernel has its word */
    const cl_kernel_arg_access_qualifier access[] = {
        CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
        CL_KERNEL_ARG_ACCESS_NONE
    };
    static const char *const types[] = { "image2d_t", "image3d_t",
                                         "sampler_t" };
    for (cl_uint i = 0; i < 3; i++) {
        cl_kernel_arg_access_qualifier a = 0;
        char name[32] = "";
        OK(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof a,
                              &a, NULL));
        CHECK_EQ(a, access[i]);
        OK(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name,
                              NULL));
        CHECK_STR(name, types[i]);
    }
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(sink));
    OK(clReleaseMemObject(buffer));
    cl_close(&t);
}

TEST_MAIN
