/* SPDX-License-Identifier: Apache-2.0 */
/* Images in kernels, against the reference of image_ref.h. */
#include "image_ref.h"

/* ---- every format: what is read, what is written ---- */

enum { W = 13, H = 5, PIXELS = W * H };

static const char format_source[] =
    "#define R(S, T) kernel void read_##S(read_only image2d_t i, "
    "    global T *to) { int p = get_global_id(0); "
    "    to[p] = read_image##S(i, (int2)(p % 13, p / 13)); }\n"
    "R(f, float4) R(i, int4) R(ui, uint4)\n"
    "#define X(S, T) kernel void write_##S(write_only image2d_t i, "
    "    global T *from) { int p = get_global_id(0); "
    "    write_image##S(i, (int2)(p % 13, p / 13), from[p]); }\n"
    "X(f, float4) X(i, int4) X(ui, uint4)\n";

static const char *
suffix(const struct ref_format *f)
{
    return f->kind == 'i' ? "i" : f->kind == 'U' ? "ui" : "f";
}

static double
number(const struct ref_format *f, const uint32_t *word)
{
    float x;
    memcpy(&x, word, 4);
    return f->kind == 'i'   ? (double)(int32_t)*word
           : f->kind == 'U' ? (double)*word
                            : (double)x;
}

/* Equal, or a rounding apart; NaN equals NaN. */
static bool
close_to(const struct ref_format *f, double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (f->kind != 'u' && f->kind != 's')
        return a == b;
    return fabs(a - b) <= 0x1p-24 * fabs(b);
}

static void
check_reads(struct cl *t, const struct ref_format *f, cl_program p)
{
    static unsigned char bytes[PIXELS * 16];
    static uint32_t back[PIXELS * 4];
    char name[16];
    randomise(bytes, sizeof bytes);
    memset(bytes, 0xff, 16);
    cl_mem m = image_of(t, &f->cl, CL_MEM_OBJECT_IMAGE2D, W, H, 0, bytes);
    cl_mem to = cl_buffer(t, 0, sizeof back, NULL);
    snprintf(name, sizeof name, "read_%s", suffix(f));
    cl_kernel k = cl_kernel_of(p, name);
    launch(t, k, 2, m, to, PIXELS);
    get(t, to, sizeof back, back);
    unsigned wrong = 0;
    for (unsigned i = 0; i < PIXELS; i++) {
        double want[4];
        ref_read(f, bytes + i * ref_pixel_B(f), want);
        for (unsigned c = 0; c < 4; c++)
            wrong += !close_to(f, number(f, &back[4 * i + c]), want[c]);
    }
    if (!CHECK_EQ(wrong, 0))
        printf("  reading order %#x type %#x\n", f->cl.image_channel_order,
               f->cl.image_channel_data_type);
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(to));
}

/* A number to write: in range, at its ends, outside, halfway, no number. */
static uint32_t
to_write(const struct ref_format *f)
{
    static const float odd[] = { 0,        -0.0f, 1,          -1,    0.5f,
                                 -0.5f,    1.5f,  -7,         1e30f, -1e30f,
                                 INFINITY, NAN,   1e-7f,      6e-8f, 65519,
                                 65520,    2e-5f, 0.00390625f };
    uint32_t word = next() << 16 ^ next();
    if (f->kind == 'i' || f->kind == 'U')
        return (uint32_t)((int32_t)word >> next() % 32);
    float x = (float)(int32_t)word * 0x1p-31f;
    if (next() % 4 == 0)
        x = odd[next() % (sizeof odd / sizeof *odd)];
    memcpy(&word, &x, 4);
    return word;
}

static void
check_writes(struct cl *t, const struct ref_format *f, cl_program p)
{
    static unsigned char back[PIXELS * 16];
    static uint32_t colors[PIXELS * 4];
    static double rgba[PIXELS][4], filled[PIXELS][4];
    const size_t zero[3] = { 0 }, all[3] = { W, H, 1 };
    char name[16];
    for (unsigned i = 0; i < PIXELS * 4; i++) {
        colors[i] = to_write(f);
        rgba[i / 4][i % 4] = number(f, &colors[i]);
    }
    cl_mem m = image_of(t, &f->cl, CL_MEM_OBJECT_IMAGE2D, W, H, 0, NULL);
    cl_mem from = cl_buffer(t, CL_MEM_COPY_HOST_PTR, sizeof colors, colors);
    snprintf(name, sizeof name, "write_%s", suffix(f));
    cl_kernel k = cl_kernel_of(p, name);
    launch(t, k, 2, m, from, PIXELS);
    OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, all, 0, 0, back, 0, NULL,
                          NULL));
    if (!CHECK_EQ(ref_count_wrong(f, back, rgba, PIXELS), 0))
        printf("  writing order %#x type %#x\n", f->cl.image_channel_order,
               f->cl.image_channel_data_type);
    for (unsigned i = 0; i < PIXELS; i++) {
        const size_t at[3] = { i % W, i / W, 0 }, one[3] = { 1, 1, 1 };
        OK(clEnqueueFillImage(t->queue, m, &colors[4 * (PIXELS - 1 - i)], at,
                              one, 0, NULL, NULL));
        memcpy(filled[i], rgba[PIXELS - 1 - i], sizeof *filled);
    }
    OK(clEnqueueReadImage(t->queue, m, CL_TRUE, zero, all, 0, 0, back, 0, NULL,
                          NULL));
    if (!CHECK_EQ(ref_count_wrong(f, back, filled, PIXELS), 0))
        printf("  filling order %#x type %#x\n", f->cl.image_channel_order,
               f->cl.image_channel_data_type);
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(from));
}

TEST(formats)
{
    struct cl t = cl_open(0);
    ref_list_formats();
    cl_program p = cl_build(&t, format_source, "");
    for (unsigned i = 0; i < REF_FORMATS; i++) {
        check_reads(&t, &ref_formats[i], p);
        check_writes(&t, &ref_formats[i], p);
    }
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- samplers ---- */

static const char sample_source[] =
    "#define K(T, C) kernel void T(read_only T##_t i, global float4 *to, "
    "    sampler_t s, global float4 *at) { int p = get_global_id(0); "
    "    to[p] = read_imagef(i, s, at[p].C); }\n"
    "K(image1d, x) K(image1d_array, xy) K(image2d, xy)\n"
    "K(image2d_array, xyzw) K(image3d, xyzw)\n";

static const struct shape {
    const char *name;
    cl_mem_object_type type;
    unsigned dims;
    bool layered;
} shapes[] = {
    { "image1d", CL_MEM_OBJECT_IMAGE1D, 1, false },
    { "image1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, true },
    { "image2d", CL_MEM_OBJECT_IMAGE2D, 2, false },
    { "image2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, true },
    { "image3d", CL_MEM_OBJECT_IMAGE3D, 3, false },
};

enum { POINTS = 256 };
static float at[POINTS][4];

/* In, near and far outside of the image. */
static void
choose_points(bool normalised, const int size[3])
{
    for (unsigned i = 0; i < POINTS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            int n = c < 3 ? size[c] : 1;
            float u = 3 * ((float)(next() % 65536) / 65536) - 1;
            if (next() % 16 == 0)
                u *= 1000;
            /* Not so close to a border that a rounding decides. */
            u = (floorf(u * (float)n * 8) + 0.3f) / 8;
            at[i][c] = normalised ? u / (float)n : u;
        }
    }
}

struct mode {
    cl_addressing_mode addressing;
    bool normalised, linear;
};

static void
check_samples(const struct ref_image *m, const struct shape *s, struct mode o,
              float (*got)[4])
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < POINTS; i++) {
        double want[4];
        ref_sample(m, s->dims, at[i], s->layered ? at[i][s->dims] : 0,
                   o.addressing, o.normalised, o.linear, want);
        for (unsigned c = 0; c < 4; c++)
            wrong += !(fabs(got[i][c] - want[c]) <= (o.linear ? 2e-5 : 1e-7));
    }
    if (!CHECK_EQ(wrong, 0))
        printf("  %s, mode %#x, normalised %d, linear %d\n", s->name,
               o.addressing, o.normalised, o.linear);
}

static void
sample(struct cl *t, cl_program p, const struct shape *s,
       const struct ref_image *m, cl_mem image, struct mode o)
{
    static float got[POINTS][4];
    cl_int code;
    cl_sampler sampler;
    CREATES(sampler,
            clCreateSampler(t->context, o.normalised, o.addressing,
                            o.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
                            &code));
    choose_points(o.normalised, m->size);
    for (unsigned i = 0; i < POINTS && s->layered; i++)
        at[i][s->dims] = (float)(next() % 64) / 8 - 1.3f;
    cl_mem to = cl_buffer(t, 0, sizeof got, NULL);
    cl_mem from = cl_buffer(t, CL_MEM_COPY_HOST_PTR, sizeof at, at);
    cl_kernel k = cl_kernel_of(p, s->name);
    OK(clSetKernelArg(k, 2, sizeof sampler, &sampler));
    OK(clSetKernelArg(k, 3, sizeof from, &from));
    launch(t, k, 2, image, to, POINTS);
    get(t, to, sizeof got, got);
    check_samples(m, s, o, got);
    OK(clReleaseKernel(k));
    OK(clReleaseSampler(sampler));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(from));
}

static void
sample_all(struct cl *t, cl_program p, const struct shape *s,
           const struct ref_format *f)
{
    static unsigned char bytes[7 * 6 * 5 * 16];
    struct ref_image m = { f, { 7, 1, 1 }, 1, bytes };
    if (s->dims > 1)
        m.size[1] = 6;
    if (s->dims > 2)
        m.size[2] = 5;
    if (s->layered)
        m.layers = 5;
    for (unsigned i = 0; i < sizeof bytes / 4; i++) {
        float x = (float)(next() % 4096) / 4096;
        uint32_t word = next() << 16 ^ next();
        memcpy(bytes + 4 * i, f->kind == 'f' ? (void *)&x : (void *)&word, 4);
    }
    cl_mem image =
        image_of(t, &f->cl, s->type, 7, s->dims > 1 ? 6 : (size_t)m.layers,
                 s->dims > 2 ? 5 : (size_t)m.layers, bytes);
    for (cl_addressing_mode a = CL_ADDRESS_NONE;
         a <= CL_ADDRESS_MIRRORED_REPEAT; a++) {
        for (int bits = 0; bits < 4; bits++) {
            struct mode o = { a, bits & 1, bits & 2 };
            if (a >= CL_ADDRESS_REPEAT && !o.normalised)
                continue;
            sample(t, p, s, &m, image, o);
        }
    }
    OK(clReleaseMemObject(image));
}

TEST(samplers)
{
    static const struct ref_format formats[] = {
        { { CL_RGBA, CL_FLOAT },
          "rgba",
          { 32, 32, 32, 32 },
          'f',
          false,
          false },
        { { CL_R, CL_UNORM_INT8 }, "r", { 8 }, 'u', false, false },
        { { CL_A, CL_SNORM_INT16 }, "a", { 16 }, 's', false, false },
        { { CL_sBGRA, CL_UNORM_INT8 },
          "bgra",
          { 8, 8, 8, 8 },
          'u',
          false,
          true },
    };
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, sample_source, "");
    for (unsigned s = 0; s < 5; s++)
        for (unsigned f = 0; f < 4; f++)
            sample_all(&t, p, &shapes[s], &formats[f]);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* The same samplers as numbers in the program, where code is made for them. */
static const char constant_source[] =
    "#define K(N, A) kernel void N(read_only image2d_t i, "
    "    global float4 *to, global float4 *at) { int p = get_global_id(0); "
    "    const sampler_t s = A; to[p] = read_imagef(i, s, at[p].xy); }\n"
    "constant sampler_t outer = CLK_NORMALIZED_COORDS_TRUE |\n"
    "    CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
    "K(k0, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP |\n"
    "    CLK_FILTER_NEAREST)\n"
    "K(k1, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR)\n"
    "K(k2, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT |\n"
    "    CLK_FILTER_LINEAR)\n"
    "kernel void k3(read_only image2d_t i, global float4 *to,\n"
    "    global float4 *at) { int p = get_global_id(0);\n"
    "    to[p] = read_imagef(i, outer, at[p].xy); }\n"
    "K(k4, CLK_NORMALIZED_COORDS_TRUE)\n";
static const struct mode constant_modes[] = {
    { CL_ADDRESS_CLAMP, true, false },
    { CL_ADDRESS_CLAMP_TO_EDGE, false, true },
    { CL_ADDRESS_MIRRORED_REPEAT, true, true },
    { CL_ADDRESS_REPEAT, true, true },
    { CL_ADDRESS_NONE, true, false },
};

TEST(constant_samplers)
{
    static const struct ref_format format = {
        { CL_RGBA, CL_FLOAT }, "rgba", { 32, 32, 32, 32 }, 'f', false, false
    };
    static float pixels[6][7][4], got[POINTS][4];
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, constant_source, "-cl-std=CL1.2");
    for (unsigned i = 0; i < 6 * 7 * 4; i++)
        ((float *)pixels)[i] = (float)(next() % 4096) / 4096;
    struct ref_image m = { &format, { 7, 6, 1 }, 1, (void *)pixels };
    cl_mem image = image_of(&t, &format.cl, shapes[2].type, 7, 6, 0, pixels);
    cl_mem to = cl_buffer(&t, 0, sizeof got, NULL);
    for (unsigned i = 0; i < 5; i++) {
        struct mode o = constant_modes[i];
        char name[8];
        snprintf(name, sizeof name, "k%u", i);
        choose_points(o.normalised, m.size);
        cl_mem from = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof at, at);
        cl_kernel k = cl_kernel_of(p, name);
        OK(clSetKernelArg(k, 2, sizeof from, &from));
        launch(&t, k, 2, image, to, POINTS);
        get(&t, to, sizeof got, got);
        check_samples(&m, &shapes[2], o, got);
        OK(clReleaseKernel(k));
        OK(clReleaseMemObject(from));
    }
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(to));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* No coordinate leaves the image, whatever the sampler. */
TEST(coordinates_that_are_no_numbers)
{
    const cl_image_format f = { CL_RGBA, CL_FLOAT };
    static const float bad[4][4] = { { NAN, NAN, 0, 0 },
                                     { INFINITY, -INFINITY, 0, 0 },
                                     { 3e38f, -3e38f, 0, 0 },
                                     { 1e9f, NAN, 0, 0 } };
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, sample_source, "");
    cl_kernel k = cl_kernel_of(p, "image2d");
    cl_mem image = image_of(&t, &f, CL_MEM_OBJECT_IMAGE2D, 3, 3, 0, NULL);
    cl_mem from = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof bad, bad);
    cl_mem to = cl_buffer(&t, 0, sizeof bad, NULL);
    OK(clSetKernelArg(k, 3, sizeof from, &from));
    for (int i = 0; i < 20; i++) {
        cl_int code;
        cl_sampler s;
        CREATES(s, clCreateSampler(
                       t.context, i & 1, CL_ADDRESS_NONE + (cl_uint)i / 4,
                       i & 2 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code));
        OK(clSetKernelArg(k, 2, sizeof s, &s));
        launch(&t, k, 2, image, to, 4);
        OK(clFinish(t.queue));
        OK(clReleaseSampler(s));
    }
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
