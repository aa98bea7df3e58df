/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/memory/image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

bool
image_has_slices(cl_mem m)
{
    return m->type == CL_MEM_OBJECT_IMAGE3D ||
           m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
           m->type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static void
close_image(cl_mem m)
{
    struct image *i = m->image;
    assert((!i->buffer || m->parent == mem_root(i->buffer)) &&
           "the image shares the bytes of the buffer");
    cl_context c = m->context;
    for (cl_uint k = 0; i->descriptor && k < c->n_devices; k++)
        if (i->descriptor[k])
            ventus_dev_free(c->devices[k]->dev, i->descriptor[k]);
    free(i->descriptor);
    object_unref(i->buffer);
    free(i);
}

/* ---- descriptors ---- */

static image_word
at_least_1(size_t n)
{
    return n ? (image_word)n : 1;
}

static struct image_descriptor
write_descriptor(const struct image *i, uint64_t data)
{
    const struct image_format *f = i->format;
    assert(f->pixel_B && !(f->pixel_B & (f->pixel_B - 1)));
    assert(data && i->row_pitch >= i->count[0] * f->pixel_B);
    return (struct image_descriptor){
        .data = (image_word)data,
        .data_high = (image_word)(data >> 32),
        .width = (image_word)i->desc.image_width,
        .height = at_least_1(i->desc.image_height),
        .depth = at_least_1(i->desc.image_depth),
        .layers = at_least_1(i->desc.image_array_size),
        .row_pitch = (image_word)i->row_pitch,
        .slice_pitch = (image_word)i->slice_pitch,
        .pixel_shift = (image_word)__builtin_ctzl(f->pixel_B),
        .layout = f->layout,
        .class_ = f->class_,
        .order = f->order,
        .bits = f->bits,
        .max = f->max,
        .cl_order = f->cl.image_channel_order,
        .cl_type = f->cl.image_channel_data_type,
    };
}

cl_int
image_use(cl_mem m, cl_uint device, bool write, uint64_t *descriptor)
{
    assert(device < m->context->n_devices);
    struct ventus_dev *dev = m->context->devices[device]->dev;
    uint64_t data, *at = &m->image->descriptor[device];
    CL_CHECK(storage_use(m, device, write, &data));
    pthread_mutex_lock(&m->lock);
    if (!*at) {
        struct image_descriptor d = write_descriptor(m->image, data);
        *at = ventus_dev_alloc_in(m->context->memory[device], sizeof d,
                                  VENTUS_DEV_READ_ONLY);
        if (*at && !ventus_dev_write(dev, *at, &d, sizeof d)) {
            ventus_dev_free(dev, *at);
            *at = 0;
        }
    }
    *descriptor = *at;
    pthread_mutex_unlock(&m->lock);
    CL_EXPECT(*descriptor, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%s",
              ventus_dev_message());
    return CL_SUCCESS;
}

/* ---- valid descriptors ---- */

/* The dimensions of an image type and their limits. */
static const struct kind {
    size_t width, height, depth, layers; /* 0: the dimension does not exist */
} kinds[] = {
    [CL_MEM_OBJECT_IMAGE2D - CL_MEM_OBJECT_IMAGE2D] = { DEVICE_IMAGE_2D,
                                                        DEVICE_IMAGE_2D, 0, 0 },
    [CL_MEM_OBJECT_IMAGE3D - CL_MEM_OBJECT_IMAGE2D] = { DEVICE_IMAGE_3D,
                                                        DEVICE_IMAGE_3D,
                                                        DEVICE_IMAGE_3D, 0 },
    [CL_MEM_OBJECT_IMAGE2D_ARRAY -
        CL_MEM_OBJECT_IMAGE2D] = { DEVICE_IMAGE_2D, DEVICE_IMAGE_2D, 0,
                                   DEVICE_IMAGE_LAYERS },
    [CL_MEM_OBJECT_IMAGE1D -
        CL_MEM_OBJECT_IMAGE2D] = { DEVICE_IMAGE_2D, 0, 0, 0 },
    [CL_MEM_OBJECT_IMAGE1D_ARRAY -
        CL_MEM_OBJECT_IMAGE2D] = { DEVICE_IMAGE_2D, 0, 0, DEVICE_IMAGE_LAYERS },
    [CL_MEM_OBJECT_IMAGE1D_BUFFER -
        CL_MEM_OBJECT_IMAGE2D] = { DEVICE_IMAGE_BUFFER, 0, 0, 0 },
};

static const struct kind *
kind_of(const cl_image_desc *d)
{
    if (d->image_type < CL_MEM_OBJECT_IMAGE2D ||
        d->image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return NULL;
    return &kinds[d->image_type - CL_MEM_OBJECT_IMAGE2D];
}

static bool
may_have_buffer(const cl_image_desc *d)
{
    return d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
           d->image_type == CL_MEM_OBJECT_IMAGE2D;
}

/* Whether a pitch is 0 or at least `least`, and a multiple of `unit`. */
static bool
pitch_is_valid(size_t pitch, size_t least, size_t unit)
{
    assert(unit > 0 && "pixels have bytes");
    return !pitch || (pitch >= least && pitch % unit == 0);
}

static cl_int
check_pitches(const cl_image_desc *d, size_t pixel_B, const void *host_ptr)
{
    size_t row = d->image_width * pixel_B;
    if (!d->buffer)
        CL_EXPECT(host_ptr || !d->image_row_pitch, CL_INVALID_IMAGE_DESCRIPTOR,
                  "image_row_pitch is %zu; without host_ptr it must be 0",
                  d->image_row_pitch);
    CL_EXPECT(host_ptr || !d->image_slice_pitch, CL_INVALID_IMAGE_DESCRIPTOR,
              "image_slice_pitch is %zu; without host_ptr it must be 0",
              d->image_slice_pitch);
    CL_EXPECT(pitch_is_valid(d->image_row_pitch, row, pixel_B),
              d->buffer ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
                        : CL_INVALID_IMAGE_DESCRIPTOR,
              "image_row_pitch is %zu; it must be 0, or at least %zu and a "
              "multiple of %zu",
              d->image_row_pitch, row, pixel_B);
    if (d->image_row_pitch)
        row = d->image_row_pitch;
    const struct kind *k = kind_of(d);
    size_t all; /* impossible pitches would overflow it */
    CL_EXPECT(
        !__builtin_mul_overflow(row, k->height ? d->image_height : 1, &all),
        CL_INVALID_IMAGE_DESCRIPTOR,
        "%zu rows of %zu bytes are larger than any memory",
        k->height ? d->image_height : 1, row);
    if (!k->depth && !k->layers)
        return CL_SUCCESS;
    CL_EXPECT(pitch_is_valid(d->image_slice_pitch, all, row),
              CL_INVALID_IMAGE_DESCRIPTOR,
              "image_slice_pitch is %zu; it must be 0, or at least %zu and a "
              "multiple of %zu",
              d->image_slice_pitch, all, row);
    if (d->image_slice_pitch)
        all = d->image_slice_pitch;
    CL_EXPECT(!__builtin_mul_overflow(
                  all, k->depth ? d->image_depth : d->image_array_size, &all),
              CL_INVALID_IMAGE_DESCRIPTOR,
              "%zu slices of %zu bytes are larger than any memory",
              k->depth ? d->image_depth : d->image_array_size, all);
    return CL_SUCCESS;
}

static cl_int
check_sizes(const cl_image_desc *d)
{
    const struct kind *k = kind_of(d);
    CL_EXPECT(d->image_width, CL_INVALID_IMAGE_DESCRIPTOR,
              "image_width is 0; it must be at least 1");
    CL_EXPECT(!k->height || d->image_height, CL_INVALID_IMAGE_DESCRIPTOR,
              "image_height is 0; it must be at least 1");
    CL_EXPECT(!k->depth || d->image_depth, CL_INVALID_IMAGE_DESCRIPTOR,
              "image_depth is 0; it must be at least 1");
    CL_EXPECT(!k->layers || d->image_array_size, CL_INVALID_IMAGE_DESCRIPTOR,
              "image_array_size is 0; it must be at least 1");
    CL_EXPECT(d->image_width <= k->width, CL_INVALID_IMAGE_SIZE,
              "image_width is %zu; it must be at most %zu", d->image_width,
              k->width);
    CL_EXPECT(!k->height || d->image_height <= k->height, CL_INVALID_IMAGE_SIZE,
              "image_height is %zu; it must be at most %zu", d->image_height,
              k->height);
    CL_EXPECT(!k->depth || d->image_depth <= k->depth, CL_INVALID_IMAGE_SIZE,
              "image_depth is %zu; it must be at most %zu", d->image_depth,
              k->depth);
    CL_EXPECT(!k->layers || d->image_array_size <= k->layers,
              CL_INVALID_IMAGE_SIZE,
              "image_array_size is %zu; it must be at most %zu",
              d->image_array_size, k->layers);
    return CL_SUCCESS;
}

static cl_int
check_desc(cl_context context, const cl_image_desc *d)
{
    CL_EXPECT(d, CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
    CL_EXPECT(kind_of(d), CL_INVALID_IMAGE_DESCRIPTOR,
              "image_type is 0x%x; it must be one of CL_MEM_OBJECT_IMAGE*",
              d->image_type);
    CL_EXPECT(!d->num_mip_levels && !d->num_samples,
              CL_INVALID_IMAGE_DESCRIPTOR,
              "num_mip_levels is %u and num_samples is %u; both must be 0",
              d->num_mip_levels, d->num_samples);
    CL_EXPECT(d->image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER || d->buffer,
              CL_INVALID_IMAGE_DESCRIPTOR,
              "buffer is NULL; an image of a buffer needs one");
    CL_EXPECT(!d->buffer || may_have_buffer(d), CL_INVALID_IMAGE_DESCRIPTOR,
              "buffer is given; only images of type IMAGE1D_BUFFER and IMAGE2D "
              "have one");
    CL_EXPECT(!d->buffer || mem_is_buffer(d->buffer),
              CL_INVALID_IMAGE_DESCRIPTOR,
              "buffer of the descriptor is not a buffer");
    CL_EXPECT(!d->buffer || d->buffer->context == context,
              CL_INVALID_IMAGE_DESCRIPTOR,
              "buffer of the descriptor is of another context");
    return check_sizes(d);
}

/* ---- creation ---- */

/* A copy of `d` in which members that the type does not use are 0. */
static cl_image_desc
used_part(const cl_image_desc *d)
{
    const struct kind *k = kind_of(d);
    cl_image_desc used = *d;
    used.image_height = k->height ? d->image_height : 0;
    used.image_depth = k->depth ? d->image_depth : 0;
    used.image_array_size = k->layers ? d->image_array_size : 0;
    return used;
}

static struct image *
new_image(cl_context c, const struct image_format *f, const cl_image_desc *d)
{
    struct image *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->format = f;
    i->desc = used_part(d);
    size_t rows = at_least_1(i->desc.image_height);
    bool one_row = !i->desc.image_height;
    i->row_pitch =
        d->image_row_pitch ? d->image_row_pitch : d->image_width * f->pixel_B;
    if (i->desc.image_depth || i->desc.image_array_size)
        i->slice_pitch =
            d->image_slice_pitch ? d->image_slice_pitch : rows * i->row_pitch;
    size_t slices =
        at_least_1(i->desc.image_depth) * at_least_1(i->desc.image_array_size);
    i->count[0] = i->desc.image_width;
    i->count[1] = one_row ? slices : rows;
    i->count[2] = one_row ? 1 : slices;
    assert(i->count[0] && i->count[1] && i->count[2]);
    i->descriptor = calloc(c->n_devices, sizeof *i->descriptor);
    if (i->descriptor)
        return i;
    free(i);
    return NULL;
}

static size_t
size_of(const struct image *i)
{
    assert(i->row_pitch >= i->count[0] * i->format->pixel_B &&
           "the row pitch covers a row");
    size_t slices = at_least_1(i->desc.image_depth) *
                    (size_t)at_least_1(i->desc.image_array_size);
    return i->slice_pitch ? i->slice_pitch * slices
                          : i->row_pitch * at_least_1(i->desc.image_height);
}

static cl_int
make_image(cl_context context, const cl_mem_properties *properties,
           cl_mem_flags flags, const struct image_format *f,
           const cl_image_desc *d, void *host_ptr, cl_mem *mem)
{
    struct image *i = new_image(context, f, d);
    CL_REQUIRE(i, CL_OUT_OF_HOST_MEMORY);
    cl_mem buffer = d->buffer;
    cl_mem m = mem_new(context, buffer ? mem_root(buffer) : NULL, size_of(i));
    if (!m) {
        free(i->descriptor);
        free(i);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for an image");
    }
    m->type = d->image_type;
    m->image = i;
    m->close_image = close_image;
    cl_int code = CL_SUCCESS;
    if (buffer) {
        i->buffer = object_ref(buffer);
        m->origin = buffer->origin;
        m->flags = flags;
        m->host_ptr = buffer->host_ptr;
    } else {
        code = mem_fill_in(m, flags, host_ptr, properties);
    }
    if (code == CL_SUCCESS)
        *mem = m;
    else
        object_unref(m);
    return code;
}

/* Checks that the image fits into the buffer, and that the buffer's flags allow it. */
static cl_int
check_buffer(const struct image_format *f, const cl_image_desc *d,
             cl_mem_flags *flags)
{
    size_t row =
        d->image_row_pitch ? d->image_row_pitch : d->image_width * f->pixel_B;
    size_t rows = d->image_type == CL_MEM_OBJECT_IMAGE2D ? d->image_height : 1;
    CL_EXPECT(row <= d->buffer->size && rows <= d->buffer->size / row,
              CL_INVALID_IMAGE_DESCRIPTOR,
              "%zu rows of %zu bytes do not fit into the buffer, which has %zu",
              rows, row, d->buffer->size);
    return mem_inherit_flags(d->buffer->flags, flags);
}

static cl_int
create_image(cl_context context, const cl_mem_properties *properties,
             cl_mem_flags flags, const cl_image_format *format,
             const cl_image_desc *desc, void *host_ptr, cl_mem *mem)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(!properties || !*properties, CL_INVALID_PROPERTY,
              "the property 0x%" PRIx64 " is unknown; images have none",
              (uint64_t)*properties);
    cl_mem_flags known = flags & ~CL_MEM_KERNEL_READ_AND_WRITE;
    CL_EXPECT(mem_flags_are_valid(known), CL_INVALID_VALUE,
              "flags 0x%" PRIx64 " exclude each other, or are unknown",
              (uint64_t)flags);
    CL_EXPECT(image_format_is_valid(format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              "image_format is %s",
              format ? "an order and a type that do not go together" : "NULL");
    CL_CHECK(check_desc(context, desc));
    const struct image_format *f = image_find_format(format);
    if (f)
        CL_CHECK(check_pitches(desc, f->pixel_B, host_ptr));
    CL_EXPECT(mem_host_ptr_fits(flags, host_ptr), CL_INVALID_HOST_PTR,
              "host_ptr is %s; it must be given with CL_MEM_USE_HOST_PTR and "
              "CL_MEM_COPY_HOST_PTR, and only then",
              host_ptr ? "given" : "NULL");
    if (f && desc->buffer)
        CL_CHECK(check_buffer(f, desc, &known));
    CL_EXPECT(f, CL_IMAGE_FORMAT_NOT_SUPPORTED,
              "image_format has the order 0x%x and the type 0x%x; "
              "clGetSupportedImageFormats lists those that are supported",
              format->image_channel_order, format->image_channel_data_type);
    flags = known | (flags & CL_MEM_KERNEL_READ_AND_WRITE);
    return make_image(context, properties, flags, f, desc, host_ptr, mem);
}

CL_API_ENTRY cl_mem CL_API_CALL
clCreateImage(cl_context context, cl_mem_flags flags,
              const cl_image_format *image_format,
              const cl_image_desc *image_desc, void *host_ptr,
              cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    CL_RETURN(create_image(context, NULL, flags, image_format, image_desc,
                           host_ptr, &mem),
              mem);
}

CL_API_ENTRY cl_mem CL_API_CALL
clCreateImageWithProperties(cl_context context,
                            const cl_mem_properties *properties,
                            cl_mem_flags flags,
                            const cl_image_format *image_format,
                            const cl_image_desc *image_desc, void *host_ptr,
                            cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    CL_RETURN(create_image(context, properties, flags, image_format, image_desc,
                           host_ptr, &mem),
              mem);
}

/* ---- OpenCL 1.1: bad sizes and pitches are CL_INVALID_IMAGE_SIZE ---- */

static cl_int
old_code(cl_int code)
{
    return code == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : code;
}

CL_API_ENTRY cl_mem CL_API_CALL
clCreateImage2D(cl_context context, cl_mem_flags flags,
                const cl_image_format *image_format, size_t image_width,
                size_t image_height, size_t image_row_pitch, void *host_ptr,
                cl_int *errcode_ret)
{
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = image_width,
                                 .image_height = image_height,
                                 .image_row_pitch = image_row_pitch };
    cl_mem mem = NULL;
    CL_RETURN(old_code(create_image(context, NULL, flags, image_format, &desc,
                                    host_ptr, &mem)),
              mem);
}

CL_API_ENTRY cl_mem CL_API_CALL
clCreateImage3D(cl_context context, cl_mem_flags flags,
                const cl_image_format *image_format, size_t image_width,
                size_t image_height, size_t image_depth, size_t image_row_pitch,
                size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret)
{
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE3D,
                                 .image_width = image_width,
                                 .image_height = image_height,
                                 .image_depth = image_depth,
                                 .image_row_pitch = image_row_pitch,
                                 .image_slice_pitch = image_slice_pitch };
    cl_mem mem = NULL;
    CL_RETURN(old_code(create_image(context, NULL, flags, image_format, &desc,
                                    host_ptr, &mem)),
              mem);
}

/* ---- clGetImageInfo ---- */

CL_API_ENTRY cl_int CL_API_CALL
clGetImageInfo(cl_mem m, cl_image_info param_name, size_t param_value_size,
               void *param_value, size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_EXPECT(mem_is_image(m), CL_INVALID_MEM_OBJECT,
              "image is not an image that exists");
    const struct image *i = m->image;
    switch (param_name) {
    case CL_IMAGE_FORMAT:
        return info_put(&info, &i->format->cl, sizeof i->format->cl);
    case CL_IMAGE_ELEMENT_SIZE:
        return INFO(&info, size_t, i->format->pixel_B);
    case CL_IMAGE_ROW_PITCH:
        return INFO(&info, size_t, i->row_pitch);
    case CL_IMAGE_SLICE_PITCH:
        return INFO(&info, size_t, i->slice_pitch);
    case CL_IMAGE_WIDTH:
        return INFO(&info, size_t, i->desc.image_width);
    case CL_IMAGE_HEIGHT:
        return INFO(&info, size_t, i->desc.image_height);
    case CL_IMAGE_DEPTH:
        return INFO(&info, size_t, i->desc.image_depth);
    case CL_IMAGE_ARRAY_SIZE:
        return INFO(&info, size_t, i->desc.image_array_size);
    case CL_IMAGE_BUFFER:
        return INFO(&info, cl_mem, i->buffer);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
        return INFO(&info, cl_uint, 0);
    }
    return info_unknown(param_name);
}
