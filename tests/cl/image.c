/* SPDX-License-Identifier: Apache-2.0 */
/* Images as objects: what they say, what cannot be created. */
#include "image.h"

/* ---- what images say ---- */

TEST(information)
{
    struct cl t = cl_open(0);
    cl_image_desc d = desc_of(CL_MEM_OBJECT_IMAGE3D, 5, 4, 3);
    cl_mem m = create(&t, CL_MEM_READ_ONLY, &rgba8, &d, NULL);
    cl_image_format f;
    OK(clGetImageInfo(m, CL_IMAGE_FORMAT, sizeof f, &f, NULL));
    CHECK(memcmp(&f, &rgba8, sizeof f) == 0);
    SAYS(m, CL_IMAGE_ELEMENT_SIZE, size_t, 4);
    SAYS(m, CL_IMAGE_ROW_PITCH, size_t, 20);
    SAYS(m, CL_IMAGE_SLICE_PITCH, size_t, 80);
    SAYS(m, CL_IMAGE_WIDTH, size_t, 5);
    SAYS(m, CL_IMAGE_HEIGHT, size_t, 4);
    SAYS(m, CL_IMAGE_DEPTH, size_t, 3);
    SAYS(m, CL_IMAGE_ARRAY_SIZE, size_t, 0);
    SAYS(m, CL_IMAGE_BUFFER, cl_mem, NULL);
    SAYS(m, CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 0);
    SAYS(m, CL_IMAGE_NUM_SAMPLES, cl_uint, 0);
    cl_mem_object_type type;
    size_t size;
    OK(clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_MEM_OBJECT_IMAGE3D);
    OK(clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, 240);
    FAILS(CL_INVALID_VALUE, clGetImageInfo(m, CL_IMAGE_WIDTH, 1, &f, NULL));
    FAILS(CL_INVALID_VALUE, clGetImageInfo(m, CL_MEM_TYPE, 8, &f, NULL));
    OK(clReleaseMemObject(m));
    d = desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 4, 0);
    m = create(&t, 0, &rgba8, &d, NULL);
    SAYS(m, CL_IMAGE_HEIGHT, size_t, 0);
    SAYS(m, CL_IMAGE_ARRAY_SIZE, size_t, 4);
    SAYS(m, CL_IMAGE_SLICE_PITCH, size_t, 20);
    OK(clReleaseMemObject(m));
    m = image_2d(&t, 6, 2);
    SAYS(m, CL_IMAGE_SLICE_PITCH, size_t, 0);
    SAYS(m, CL_IMAGE_DEPTH, size_t, 0);
    OK(clReleaseMemObject(m));
    FAILS(CL_INVALID_MEM_OBJECT,
          clGetImageInfo(m, CL_IMAGE_WIDTH, 0, NULL, NULL));
    m = cl_buffer(&t, 0, 64, NULL);
    FAILS(CL_INVALID_MEM_OBJECT,
          clGetImageInfo(m, CL_IMAGE_WIDTH, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

static bool
has(const cl_image_format *list, cl_uint n, cl_channel_order order,
    cl_channel_type type)
{
    for (cl_uint i = 0; i < n; i++)
        if (list[i].image_channel_order == order &&
            list[i].image_channel_data_type == type)
            return true;
    return false;
}

/* "The minimum list of supported image formats". */
TEST(supported_formats)
{
    static const cl_channel_type types[] = {
        CL_UNORM_INT8,   CL_UNORM_INT16,   CL_SIGNED_INT8,    CL_SIGNED_INT16,
        CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32,
        CL_HALF_FLOAT,   CL_FLOAT,
    };
    struct cl t = cl_open(0);
    cl_image_format list[200];
    for (cl_mem_object_type o = CL_MEM_OBJECT_IMAGE2D;
         o <= CL_MEM_OBJECT_IMAGE1D_BUFFER; o++) {
        cl_uint n = 0;
        OK(clGetSupportedImageFormats(t.context, CL_MEM_READ_WRITE, o, 200,
                                      list, &n));
        CHECK(n < 200);
        for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
            CHECK(has(list, n, CL_RGBA, types[i]));
            CHECK(has(list, n, CL_R, types[i]));
            CHECK(has(list, n, CL_RG, types[i]));
        }
        CHECK(has(list, n, CL_BGRA, CL_UNORM_INT8));
        CHECK(!has(list, n, CL_RGB, CL_FLOAT));
        cl_image_desc d = desc_of(o, 4, 4, 4);
        cl_mem b = cl_buffer(&t, 0, 4 * 16, NULL);
        if (o == CL_MEM_OBJECT_IMAGE1D_BUFFER)
            d.buffer = b;
        for (cl_uint i = 0; i < n; i++) /* none is listed in vain */
            OK(clReleaseMemObject(create(&t, 0, &list[i], &d, NULL)));
        OK(clReleaseMemObject(b));
    }
    cl_uint n;
#define FORMATS(c, flags, type, room, list) \
    clGetSupportedImageFormats(c, flags, type, room, list, &n)
    FAILS(CL_INVALID_CONTEXT,
          FORMATS((cl_context)t.queue, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL));
    FAILS(CL_INVALID_VALUE,
          FORMATS(t.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                  CL_MEM_OBJECT_IMAGE2D, 0, NULL));
    FAILS(CL_INVALID_VALUE,
          FORMATS(t.context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL));
    FAILS(CL_INVALID_VALUE,
          FORMATS(t.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, list));
    cl_close(&t);
}

/* ---- what cannot be created ---- */

TEST(refused_formats_and_sizes)
{
    struct cl t = cl_open(0);
    cl_int code;
    char bytes[256];
    cl_image_desc d = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0), e;
    cl_image_format bad = { CL_RGB, CL_FLOAT };
    cl_image_format strange = { CL_sRGBx, CL_UNORM_INT8 };
#define CREATE(flags, f, d, ptr) \
    clCreateImage(t.context, flags, f, d, ptr, &code)
    REFUSES(CL_INVALID_CONTEXT,
            clCreateImage((cl_context)t.queue, 0, &rgba8, &d, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            CREATE(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8, &d, NULL));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, NULL, &d, NULL));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, &bad, &d, NULL));
    REFUSES(CL_IMAGE_FORMAT_NOT_SUPPORTED, CREATE(0, &strange, &d, NULL));
    bad = (cl_image_format){ 1, 2 };
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, &bad, &d, NULL));
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &rgba8, NULL, NULL));
#define WITH(field, value, expected, ptr, flags)           \
    do {                                                   \
        e = d;                                             \
        e.field = value;                                   \
        REFUSES(expected, CREATE(flags, &rgba8, &e, ptr)); \
    } while (0)
    WITH(image_type, CL_MEM_OBJECT_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR, NULL,
         0);
    WITH(image_width, 0, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    WITH(image_height, 0, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    WITH(image_width, 1 << 20, CL_INVALID_IMAGE_SIZE, NULL, 0);
    WITH(image_height, SIZE_MAX, CL_INVALID_IMAGE_SIZE, NULL, 0);
    WITH(num_mip_levels, 1, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    WITH(num_samples, 1, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    WITH(image_row_pitch, 16, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    WITH(image_row_pitch, 12, CL_INVALID_IMAGE_DESCRIPTOR, bytes,
         CL_MEM_COPY_HOST_PTR);
    WITH(image_row_pitch, 18, CL_INVALID_IMAGE_DESCRIPTOR, bytes,
         CL_MEM_COPY_HOST_PTR);
    REFUSES(CL_INVALID_HOST_PTR, CREATE(0, &rgba8, &d, bytes));
    REFUSES(CL_INVALID_HOST_PTR,
            CREATE(CL_MEM_COPY_HOST_PTR, &rgba8, &d, NULL));
    d = desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 2);
    WITH(image_depth, 0, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    WITH(image_depth, 4096, CL_INVALID_IMAGE_SIZE, NULL, 0);
    WITH(image_slice_pitch, 48, CL_INVALID_IMAGE_DESCRIPTOR, bytes,
         CL_MEM_COPY_HOST_PTR);
    WITH(image_slice_pitch, 72, CL_INVALID_IMAGE_DESCRIPTOR, bytes,
         CL_MEM_COPY_HOST_PTR);
    d = desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 2);
    WITH(image_array_size, 0, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    WITH(image_array_size, 1 << 16, CL_INVALID_IMAGE_SIZE, NULL, 0);
    d = desc_of(CL_MEM_OBJECT_IMAGE2D, 16384, 16384, 0);
    bad = (cl_image_format){ CL_RGBA, CL_FLOAT }; /* 4 GiB */
    REFUSES(CL_MEM_OBJECT_ALLOCATION_FAILURE, CREATE(0, &bad, &d, NULL));
    REFUSES(CL_INVALID_IMAGE_SIZE,
            clCreateImage2D(t.context, 0, &rgba8, 0, 4, 0, NULL, &code));
    REFUSES(CL_INVALID_IMAGE_SIZE,
            clCreateImage3D(t.context, 0, &rgba8, 4, 4, 2, 8, 0, NULL, &code));
    cl_mem_properties property[] = { 1, 2, 0 };
    d = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0);
    REFUSES(CL_INVALID_PROPERTY,
            clCreateImageWithProperties(t.context, property, 0, &rgba8, &d,
                                        NULL, &code));
    cl_close(&t);
}

TEST(images_of_buffers)
{
    struct cl t = cl_open(0);
    cl_int code;
    char bytes[256], back[64];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    cl_mem b = cl_buffer(&t, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                         sizeof bytes, bytes);
    cl_image_desc d = desc_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64, 0, 0), e;
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, &rgba8, &d, NULL));
    d.buffer = b;
    WITH(image_width, 65, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    WITH(image_type, CL_MEM_OBJECT_IMAGE1D, CL_INVALID_IMAGE_DESCRIPTOR, NULL,
         0);
    WITH(image_width, 64, CL_INVALID_VALUE, NULL, CL_MEM_WRITE_ONLY);
    WITH(image_width, 64, CL_INVALID_VALUE, bytes, CL_MEM_COPY_HOST_PTR);
    cl_mem m = create(&t, 0, &rgba8, &d, NULL);
    SAYS(m, CL_IMAGE_BUFFER, cl_mem, b);
    cl_mem of;
    OK(clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of,
                          NULL));
    CHECK(of == b);
    OK(clReleaseMemObject(m));
    d = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0);
    d.buffer = b;
    WITH(image_row_pitch, 20 + 2, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, NULL, 0);
    WITH(image_row_pitch, 12, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, NULL, 0);
    WITH(image_row_pitch, 128, CL_INVALID_IMAGE_DESCRIPTOR, NULL, 0);
    d.image_row_pitch = 48;
    m = create(&t, 0, &rgba8, &d, NULL);
    const size_t origin[3] = { 1, 1, 0 }, region[3] = { 3, 2, 1 };
    OK(clEnqueueReadImage(t.queue, m, CL_TRUE, origin, region, 0, 0, back, 0,
                          NULL, NULL));
    CHECK(memcmp(back, bytes + 48 + 4, 12) == 0);
    CHECK(memcmp(back + 12, bytes + 96 + 4, 12) == 0);
    FAILS(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyImageToBuffer(t.queue, m, b, zero, one, 0, 0, NULL, NULL));
    OK(clReleaseMemObject(b)); /* the image keeps it */
    OK(clEnqueueReadImage(t.queue, m, CL_TRUE, origin, region, 0, 0, back, 0,
                          NULL, NULL));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST_MAIN
