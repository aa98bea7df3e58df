/* SPDX-License-Identifier: Apache-2.0 */
/* Error codes: images, samplers, and the commands on images. */
#include "codes.h"

static const cl_image_format rgba8 = { CL_RGBA, CL_UNORM_INT8 };
static const cl_image_format no_format = { CL_RGB, CL_FLOAT };
static const cl_image_format srgb = { CL_sRGBx, CL_UNORM_INT8 };
static const cl_image_format float4s = { CL_RGBA, CL_FLOAT };
static const cl_image_desc small = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                     .image_width = 4,
                                     .image_height = 4 };
static const cl_image_desc large = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                     .image_width = 16384,
                                     .image_height = 16384 }; /* 4 GiB */
static const cl_image_desc wide = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                    .image_width = 1 << 20,
                                    .image_height = 4 };
static const cl_image_desc no_image = { .image_type = CL_MEM_OBJECT_BUFFER,
                                        .image_width = 4,
                                        .image_height = 4 };
static const cl_mem_flags clash = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
static char bytes[4096];

TEST(creation)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateImage(NULL, 0, &rgba8, &small, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateImage(x, clash, &rgba8, &small, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            d->clCreateImage(x, 0, &no_format, &small, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR,
            d->clCreateImage(x, 0, &rgba8, &no_image, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_SIZE,
            d->clCreateImage(x, 0, &rgba8, &wide, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR,
            d->clCreateImage(x, 0, &rgba8, &small, bytes, &code));
    REFUSES(CL_IMAGE_FORMAT_NOT_SUPPORTED,
            d->clCreateImage(x, 0, &srgb, &small, NULL, &code));
    REFUSES(CL_MEM_OBJECT_ALLOCATION_FAILURE,
            d->clCreateImage(x, 0, &float4s, &large, NULL, &code));
    codes_close(&c);
}

/* Rows, slices and layers times their pitches wrapped around, and the image
 * had room for what was left: any access was outside of it. */
TEST(pitches_that_no_memory_has)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    const size_t half = (size_t)1 << 62;
    const cl_image_desc of[] = {
        { .image_type = CL_MEM_OBJECT_IMAGE2D,
          .image_width = 4,
          .image_height = 4,
          .image_row_pitch = half },
        { .image_type = CL_MEM_OBJECT_IMAGE3D,
          .image_width = 4,
          .image_height = 1,
          .image_depth = 4,
          .image_slice_pitch = half },
        { .image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
          .image_width = 4,
          .image_array_size = 4,
          .image_slice_pitch = half },
    };
    cl_int code;
    for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
        REFUSES(CL_INVALID_IMAGE_DESCRIPTOR,
                d->clCreateImage(x, CL_MEM_COPY_HOST_PTR, &rgba8, &of[i], bytes,
                                 &code));
    codes_close(&c);
}

TEST(creation_with_properties)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_int code;
    const cl_mem_properties some[] = { 1, 1, 0 };
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateImageWithProperties(NULL, NULL, 0, &rgba8, &small, NULL,
                                           &code));
    REFUSES(CL_INVALID_PROPERTY, d->clCreateImageWithProperties(
                                     x, some, 0, &rgba8, &small, NULL, &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateImageWithProperties(
                                  x, NULL, clash, &rgba8, &small, NULL, &code));
    REFUSES(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        d->clCreateImageWithProperties(x, NULL, 0, NULL, &small, NULL, &code));
    REFUSES(
        CL_INVALID_IMAGE_DESCRIPTOR,
        d->clCreateImageWithProperties(x, NULL, 0, &rgba8, NULL, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_SIZE, d->clCreateImageWithProperties(
                                       x, NULL, 0, &rgba8, &wide, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR,
            d->clCreateImageWithProperties(x, NULL, CL_MEM_COPY_HOST_PTR,
                                           &rgba8, &small, NULL, &code));
    REFUSES(
        CL_IMAGE_FORMAT_NOT_SUPPORTED,
        d->clCreateImageWithProperties(x, NULL, 0, &srgb, &small, NULL, &code));
    codes_close(&c);
}

TEST(old_creation)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateImage2D(NULL, 0, &rgba8, 4, 4, 0, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateImage2D(x, clash, &rgba8, 4, 4, 0, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            d->clCreateImage2D(x, 0, NULL, 4, 4, 0, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_SIZE,
            d->clCreateImage2D(x, 0, &rgba8, 0, 4, 0, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_SIZE,
            d->clCreateImage2D(x, 0, &rgba8, 4, 4, 8, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR,
            d->clCreateImage2D(x, 0, &rgba8, 4, 4, 0, bytes, &code));
    REFUSES(CL_IMAGE_FORMAT_NOT_SUPPORTED,
            d->clCreateImage2D(x, 0, &srgb, 4, 4, 0, NULL, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateImage3D(NULL, 0, &rgba8, 4, 4, 4, 0, 0, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateImage3D(x, clash, &rgba8, 4, 4, 4, 0, 0, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            d->clCreateImage3D(x, 0, NULL, 4, 4, 4, 0, 0, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_SIZE,
            d->clCreateImage3D(x, 0, &rgba8, 4, 4, 0, 0, 0, NULL, &code));
    REFUSES(CL_INVALID_HOST_PTR,
            d->clCreateImage3D(x, 0, &rgba8, 4, 4, 4, 0, 0, bytes, &code));
    REFUSES(CL_IMAGE_FORMAT_NOT_SUPPORTED,
            d->clCreateImage3D(x, 0, &srgb, 4, 4, 4, 0, 0, NULL, &code));
    codes_close(&c);
}

TEST(queries)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_int code;
    cl_mem m;
    CREATES(m, clCreateImage(c.t.context, 0, &rgba8, &small, NULL, &code));
    FAILS(CL_INVALID_MEM_OBJECT,
          d->clGetImageInfo(c.m, CL_IMAGE_WIDTH, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetImageInfo(m, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL,
                                        NULL));
    FAILS(CL_INVALID_VALUE,
          d->clGetSupportedImageFormats(c.t.context, 0, CL_MEM_OBJECT_BUFFER, 0,
                                        NULL, NULL));
    OK(clReleaseMemObject(m));
    codes_close(&c);
}

TEST(samplers)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    const cl_sampler_properties strange[] = { CL_IMAGE_WIDTH, 1, 0 };
    cl_sampler not_s = WRONG(cl_sampler, &c), s;
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_CLAMP,
                               CL_FILTER_NEAREST, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateSampler(x, CL_TRUE, 0, CL_FILTER_NEAREST, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateSamplerWithProperties(NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateSamplerWithProperties(x, strange, &code));
    FAILS(CL_INVALID_SAMPLER, d->clRetainSampler(not_s));
    FAILS(CL_INVALID_SAMPLER, d->clReleaseSampler(not_s));
    FAILS(CL_INVALID_SAMPLER,
          d->clGetSamplerInfo(not_s, CL_SAMPLER_CONTEXT, 0, NULL, NULL));
    CREATES(s, d->clCreateSamplerWithProperties(x, NULL, &code));
    FAILS(CL_INVALID_VALUE, d->clGetSamplerInfo(s, 1, 0, NULL, NULL));
    OK(clReleaseSampler(s));
    codes_close(&c);
}

/* ---- commands ---- */

/* Two images, one that the host must not touch, and one of another context. */
struct images {
    struct codes c;
    cl_mem a, b, hidden, other;
};

static struct images
open_images(void)
{
    struct images i = { .c = codes_open() };
    cl_context x = i.c.t.context;
    cl_int code;
    CREATES(i.a, clCreateImage(x, 0, &rgba8, &small, NULL, &code));
    CREATES(i.b, clCreateImage(x, 0, &float4s, &small, NULL, &code));
    CREATES(i.hidden, clCreateImage(x, CL_MEM_HOST_NO_ACCESS, &rgba8, &small,
                                    NULL, &code));
    CREATES(i.other, clCreateImage(i.c.other, 0, &rgba8, &small, NULL, &code));
    return i;
}

static void
close_images(struct images *i)
{
    OK(clReleaseMemObject(i->a));
    OK(clReleaseMemObject(i->b));
    OK(clReleaseMemObject(i->hidden));
    OK(clReleaseMemObject(i->other));
    codes_close(&i->c);
}

/* As in codes_memory.c; what follows the image in the dots. */
#define COMMON(entry, i, ...)                                            \
    do {                                                                 \
        const struct codes *c_ = &(i)->c;                                \
        cl_command_queue q_ = c_->t.queue;                               \
        cl_command_queue not_q_ = WRONG(cl_command_queue, c_);           \
        FAILS(CL_INVALID_COMMAND_QUEUE,                                  \
              c_->d->entry(not_q_, (i)->a, __VA_ARGS__, 0, NULL, NULL)); \
        FAILS(CL_INVALID_MEM_OBJECT,                                     \
              c_->d->entry(q_, c_->m, __VA_ARGS__, 0, NULL, NULL));      \
        FAILS(CL_INVALID_CONTEXT,                                        \
              c_->d->entry(q_, (i)->other, __VA_ARGS__, 0, NULL, NULL)); \
        FAILS(CL_INVALID_EVENT_WAIT_LIST,                                \
              c_->d->entry(q_, (i)->a, __VA_ARGS__, 1, NULL, NULL));     \
    } while (0)

static const size_t zero[3] = { 0 }, one[3] = { 1, 1, 1 }, all[3] = { 4, 4, 1 };
static const size_t out[3] = { 5, 1, 1 };

TEST(host)
{
    struct images i = open_images();
    const cl_icd_dispatch *d = i.c.d;
    cl_command_queue q = i.c.t.queue;
    COMMON(clEnqueueReadImage, &i, CL_TRUE, zero, one, 0, 0, bytes);
    COMMON(clEnqueueWriteImage, &i, CL_TRUE, zero, one, 0, 0, bytes);
    COMMON(clEnqueueFillImage, &i, bytes, zero, one);
    FAILS(CL_INVALID_VALUE, d->clEnqueueReadImage(q, i.a, CL_TRUE, zero, out, 0,
                                                  0, bytes, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clEnqueueWriteImage(q, i.a, CL_TRUE, zero, out,
                                                   0, 0, bytes, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueFillImage(q, i.a, bytes, zero, out, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueReadImage(q, i.hidden, CL_TRUE, zero, one, 0, 0, bytes, 0,
                                NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clEnqueueWriteImage(q, i.hidden, CL_TRUE, zero, one, 0, 0, bytes,
                                 0, NULL, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          d->clEnqueueReadImage(q, i.a, CL_TRUE, zero, one, 0, 0, bytes, 1,
                                &i.c.failed, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          d->clEnqueueWriteImage(q, i.a, CL_TRUE, zero, one, 0, 0, bytes, 1,
                                 &i.c.failed, NULL));
    close_images(&i);
}

TEST(maps)
{
    struct images i = open_images();
    const cl_icd_dispatch *d = i.c.d;
    cl_command_queue q = i.c.t.queue;
    cl_int code;
    size_t row;
    REFUSES(CL_INVALID_COMMAND_QUEUE,
            d->clEnqueueMapImage(WRONG(cl_command_queue, &i.c), i.a, CL_TRUE,
                                 CL_MAP_READ, zero, one, &row, NULL, 0, NULL,
                                 NULL, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clEnqueueMapImage(q, i.other, CL_TRUE, CL_MAP_READ, zero, one,
                                 &row, NULL, 0, NULL, NULL, &code));
    REFUSES(CL_INVALID_MEM_OBJECT,
            d->clEnqueueMapImage(q, i.c.m, CL_TRUE, CL_MAP_READ, zero, one,
                                 &row, NULL, 0, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clEnqueueMapImage(q, i.a, CL_TRUE, CL_MAP_READ, zero, one, NULL,
                                 NULL, 0, NULL, NULL, &code));
    REFUSES(CL_INVALID_EVENT_WAIT_LIST,
            d->clEnqueueMapImage(q, i.a, CL_TRUE, CL_MAP_READ, zero, one, &row,
                                 NULL, 1, NULL, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clEnqueueMapImage(q, i.hidden, CL_TRUE, CL_MAP_READ, zero, one,
                                 &row, NULL, 0, NULL, NULL, &code));
    REFUSES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            d->clEnqueueMapImage(q, i.a, CL_TRUE, CL_MAP_READ, zero, one, &row,
                                 NULL, 1, &i.c.failed, NULL, &code));
    close_images(&i);
}

TEST(copies)
{
    struct images i = open_images();
    const cl_icd_dispatch *d = i.c.d;
    cl_command_queue q = i.c.t.queue;
    COMMON(clEnqueueCopyImage, &i, i.a, zero, zero, one);
    COMMON(clEnqueueCopyImageToBuffer, &i, i.c.m, zero, one, 0);
    FAILS(CL_IMAGE_FORMAT_MISMATCH,
          d->clEnqueueCopyImage(q, i.a, i.b, zero, zero, one, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueCopyImage(q, i.a, i.a, zero, one, all, 0, NULL, NULL));
    FAILS(CL_MEM_COPY_OVERLAP,
          d->clEnqueueCopyImage(q, i.a, i.a, zero, zero, one, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clEnqueueCopyImageToBuffer(
                                q, i.a, i.c.m, zero, all, 4093, 0, NULL, NULL));
    cl_command_queue not_q = WRONG(cl_command_queue, &i.c);
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueCopyBufferToImage(not_q, i.c.m, i.a, 0, zero, one, 0,
                                        NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clEnqueueCopyBufferToImage(q, i.c.m, i.other, 0, zero, one, 0,
                                        NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, d->clEnqueueCopyBufferToImage(
                                     q, i.a, i.a, 0, zero, one, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clEnqueueCopyBufferToImage(
                                q, i.c.m, i.a, 0, zero, out, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueCopyBufferToImage(q, i.c.m, i.a, 0, zero, one, 1, NULL,
                                        NULL));
    close_images(&i);
}

TEST_MAIN
