/* SPDX-License-Identifier: Apache-2.0 */
/* Images read and written as halves, against the reference of image_ref.h. */
#include "image_ref.h"

enum { W = 13, H = 5, PIXELS = W * H };

/* Equal, or to the nearest half, whose last bit is 2^-10 or 2^-24. */
static bool
is_half_of(uint16_t half, double want)
{
    double got = ref_from_half(half);
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want);
    double last = fmax(0x1p-10 * fabs(want), 0x1p-24);
    return got == want || fabs(got - want) <= 0.501 * last;
}

/* ---- every format that is read as floats, but for floats ---- */

static const char format_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void read(read_only image2d_t i, global half4 *to) {\n"
    "    int p = get_global_id(0);\n"
    "    to[p] = read_imageh(i, (int2)(p % 13, p / 13)); }\n"
    "kernel void write(write_only image2d_t i, global half4 *from) {\n"
    "    int p = get_global_id(0);\n"
    "    write_imageh(i, (int2)(p % 13, p / 13), from[p]); }\n";

static void
check_reads(struct cl *t, const struct ref_format *f, cl_kernel k)
{
    static unsigned char bytes[PIXELS * 8];
    static uint16_t back[PIXELS][4];
    randomise(bytes, sizeof bytes);
    memset(bytes, 0xff, 8);
    cl_mem m = image_of(t, &f->cl, CL_MEM_OBJECT_IMAGE2D, W, H, 0, bytes);
    cl_mem to = cl_buffer(t, 0, sizeof back, NULL);
    launch(t, k, 2, m, to, PIXELS);
    get(t, to, sizeof back, back);
    unsigned wrong = 0;
    for (unsigned i = 0; i < PIXELS; i++) {
        double want[4];
        ref_read(f, bytes + i * ref_pixel_B(f), want);
        for (unsigned c = 0; c < 4; c++)
            wrong += !is_half_of(back[i][c], want[c]);
    }
    if (!CHECK_EQ(wrong, 0))
        printf("  reading order %#x type %#x\n", f->cl.image_channel_order,
               f->cl.image_channel_data_type);
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(to));
}

/* Any half, or one between -2 and 2 for what is normalised. */
static uint16_t
to_write(const struct ref_format *f)
{
    uint32_t word = next();
    if (f->kind == 'h' || word % 4 == 0)
        return (uint16_t)(word >> 4);
    return (uint16_t)(word >> 4 & 0xbfff);
}

static void
check_writes(struct cl *t, const struct ref_format *f, cl_kernel k)
{
    static unsigned char back[PIXELS * 8];
    static uint16_t colors[PIXELS][4];
    static double rgba[PIXELS][4];
    const size_t zero[3] = { 0 }, all[3] = { W, H, 1 };
    for (unsigned i = 0; i < PIXELS * 4; i++) {
        uint16_t color = to_write(f);
        colors[i / 4][i % 4] = color;
        rgba[i / 4][i % 4] = ref_from_half(color);
    }
    cl_mem m = image_of(t, &f->cl, CL_MEM_OBJECT_IMAGE2D, W, H, 0, NULL);
    cl_mem from = cl_buffer(t, CL_MEM_COPY_HOST_PTR, sizeof colors, colors);
    launch(t, k, 2, m, from, PIXELS);
    OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, all, 0, 0, back, 0, NULL,
                          NULL));
    if (!CHECK_EQ(ref_count_wrong(f, back, rgba, PIXELS), 0))
        printf("  writing order %#x type %#x\n", f->cl.image_channel_order,
               f->cl.image_channel_data_type);
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(from));
}

TEST(half_formats)
{
    struct cl t = cl_open(0);
    ref_list_formats();
    cl_program p = cl_build(&t, format_source, "");
    cl_kernel read = cl_kernel_of(p, "read");
    cl_kernel write = cl_kernel_of(p, "write");
    for (unsigned i = 0; i < REF_FORMATS; i++) {
        if (!strchr("ush", ref_formats[i].kind))
            continue;
        check_reads(&t, &ref_formats[i], read);
        check_writes(&t, &ref_formats[i], write);
    }
    OK(clReleaseKernel(read));
    OK(clReleaseKernel(write));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- every shape, every name ---- */

static const char shape_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define K(T, INT, FLOAT, AT) \\\n"
    "kernel void write_##T(write_only T##_t i, global half4 *from) {\\\n"
    "    int p = get_global_id(0), x = p % 7, y = p / 7 % 3, z = p / 21;\\\n"
    "    write_imageh(i, (INT)AT, from[p]); }\\\n"
    "kernel void read_##T(read_only T##_t i, global half4 *to,\\\n"
    "    sampler_t s) {\\\n"
    "    int p = get_global_id(0), x = p % 7, y = p / 7 % 3, z = p / 21;\\\n"
    "    to[3 * p] = read_imageh(i, (INT)AT);\\\n"
    "    to[3 * p + 1] = read_imageh(i, s, (INT)AT);\\\n"
    "    to[3 * p + 2] = read_imageh(i, s, (FLOAT)AT + 0.25f); }\\\n"
    "kernel void both_##T(read_write T##_t i, global half4 *to) {\\\n"
    "    int p = get_global_id(0), x = p % 7, y = p / 7 % 3, z = p / 21;\\\n"
    "    half4 h = read_imageh(i, (INT)AT);\\\n"
    "    to[p] = h; write_imageh(i, (INT)AT, -h); }\n"
    "K(image1d, int, float, (x))\n"
    "K(image1d_array, int2, float2, (x, y))\n"
    "K(image2d, int2, float2, (x, y))\n"
    "K(image2d_array, int4, float4, (x, y, z, 0))\n"
    "K(image3d, int4, float4, (x, y, z, 0))\n";

enum { X = 7, Y = 3, Z = 2 };

static const struct shape {
    const char *name;
    cl_mem_object_type type;
    size_t size[3];
} shapes[] = {
    { "image1d", CL_MEM_OBJECT_IMAGE1D, { X, 1, 1 } },
    { "image1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, { X, Y, 1 } },
    { "image2d", CL_MEM_OBJECT_IMAGE2D, { X, Y, 1 } },
    { "image2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, { X, Y, Z } },
    { "image3d", CL_MEM_OBJECT_IMAGE3D, { X, Y, Z } },
};

static cl_kernel
kernel_for(cl_program p, const char *what, const struct shape *s)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%s", what, s->name);
    return cl_kernel_of(p, name);
}

/* Halves that are numbers, each another one. */
static void
fill(uint16_t (*colors)[4], unsigned pixels)
{
    for (unsigned i = 0; i < 4 * pixels; i++)
        colors[i / 4][i % 4] = (uint16_t)(0x1c00 + 61 * i % 0x5000);
}

static void
check_shape(struct cl *t, cl_program p, const struct shape *s, cl_sampler n)
{
    static uint16_t colors[X * Y * Z][4], back[X * Y * Z][3][4];
    const cl_image_format format = { CL_RGBA, CL_HALF_FLOAT };
    const size_t zero[3] = { 0 };
    unsigned pixels = (unsigned)(s->size[0] * s->size[1] * s->size[2]);
    size_t size = pixels * sizeof *colors;
    cl_kernel write = kernel_for(p, "write", s);
    cl_kernel read = kernel_for(p, "read", s);
    cl_kernel both = kernel_for(p, "both", s);
    fill(colors, pixels);
    cl_mem m = image_of(t, &format, s->type, s->size[0],
                        s->type == CL_MEM_OBJECT_IMAGE1D ? 0 : s->size[1],
                        s->size[2] > 1 ? s->size[2] : 0, NULL);
    cl_mem from = cl_buffer(t, CL_MEM_COPY_HOST_PTR, sizeof colors, colors);
    cl_mem to = cl_buffer(t, 0, sizeof back, NULL);
    launch(t, write, 2, m, from, pixels);
    OK(clSetKernelArg(read, 2, sizeof n, &n));
    launch(t, read, 2, m, to, pixels);
    get(t, to, 3 * size, back);
    for (unsigned i = 0; i < pixels; i++)
        for (unsigned k = 0; k < 3; k++)
            if (!CHECK(!memcmp(back[i][k], colors[i], sizeof *colors)))
                printf("  %s, pixel %u, name %u\n", s->name, i, k);
    launch(t, both, 2, m, to, pixels);
    get(t, to, size, back);
    CHECK(!memcmp(back, colors, size));
    OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, s->size, 0, 0, back, 0,
                          NULL, NULL));
    for (unsigned i = 0; i < 4 * pixels; i++)
        colors[i / 4][i % 4] ^= 0x8000;
    CHECK(!memcmp(back, colors, size));
    OK(clReleaseKernel(write));
    OK(clReleaseKernel(read));
    OK(clReleaseKernel(both));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
}

TEST(half_shapes)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_sampler nearest;
    cl_program p = cl_build(&t, shape_source, "-cl-std=CL3.0");
    CREATES(nearest, clCreateSampler(t.context, CL_FALSE, CL_ADDRESS_CLAMP,
                                     CL_FILTER_NEAREST, &code));
    for (unsigned i = 0; i < 5; i++)
        check_shape(&t, p, &shapes[i], nearest);
    OK(clReleaseSampler(nearest));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
