/* SPDX-License-Identifier: Apache-2.0 */
/* Image formats: the supported ones, and pixels of one color. */
#include <math.h>
#include <string.h>

#include "base/arith.h"
#include "cl/context/context.h"
#include "cl/memory/image.h"

/* ---- valid formats ---- */

static const struct {
    cl_channel_order cl;
    unsigned channels;
} orders[] = {
#define X(name, channels) { CL_##name, channels },
    IMAGE_ORDERS(X)
#undef X
};

static const struct {
    cl_channel_type cl;
    enum image_layout layout;
    enum image_class class_;
    unsigned bits;
    uint32_t max;
} types[] = {
#define X(name, layout, class_, bits, max) \
    { CL_##name, IMAGE_##layout, IMAGE_##class_, bits, max },
    IMAGE_TYPES(X)
#undef X
};

enum { ORDERS = ARRAY_SIZE(orders), TYPES = ARRAY_SIZE(types) };

static struct {
    pthread_once_t once;
    struct image_format at[ORDERS * TYPES];
    size_t n;
} formats = { .once = PTHREAD_ONCE_INIT };

static bool
is_packed(cl_channel_type type)
{
    return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 ||
           type == CL_UNORM_INT_101010 || type == CL_UNORM_INT_101010_2;
}

static bool
is_integer(cl_channel_type type)
{
    return type >= CL_SIGNED_INT8 && type <= CL_UNSIGNED_INT32;
}

/* Whether the channel order allows the type: "only if" in the table of channel orders. */
static bool
order_takes(cl_channel_order order, cl_channel_type type)
{
    switch (order) {
    case CL_RGB:
    case CL_RGBx:
        return is_packed(type) && type != CL_UNORM_INT_101010_2;
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
        return type == CL_UNORM_INT8 || type == CL_SNORM_INT8 ||
               type == CL_SIGNED_INT8 || type == CL_UNSIGNED_INT8;
    case CL_INTENSITY:
    case CL_LUMINANCE:
        return !is_packed(type) && !is_integer(type) && type != CL_UNORM_INT24;
    case CL_DEPTH:
        return type == CL_UNORM_INT16 || type == CL_FLOAT;
    case CL_DEPTH_STENCIL:
        return type == CL_UNORM_INT24 || type == CL_FLOAT;
    case CL_sRGB:
    case CL_sRGBx:
    case CL_sRGBA:
    case CL_sBGRA:
        return type == CL_UNORM_INT8;
    case CL_RGBA:
        return type == CL_UNORM_INT_101010_2 || !is_packed(type);
    }
    return !is_packed(type) && type != CL_UNORM_INT24;
}

bool
image_format_is_valid(const cl_image_format *f)
{
    return f && f->image_channel_order >= CL_R &&
           f->image_channel_order <= CL_ABGR &&
           f->image_channel_data_type >= CL_SNORM_INT8 &&
           f->image_channel_data_type <= CL_UNORM_INT_101010_2 &&
           order_takes(f->image_channel_order, f->image_channel_data_type);
}

/* ---- supported formats ---- */

static bool
is_srgb(cl_channel_order order)
{
    return order == CL_sRGBA || order == CL_sBGRA;
}

static void
list_formats(void)
{
    for (unsigned o = 0; o < ORDERS; o++) {
        for (unsigned t = 0; t < TYPES; t++) {
            if (!order_takes(orders[o].cl, types[t].cl))
                continue;
            size_t packed = types[t].layout == IMAGE_101010 ? 4 : 2;
            formats.at[formats.n++] = (struct image_format){
                .cl = { orders[o].cl, types[t].cl },
                .layout = types[t].layout,
                .class_ = is_srgb(orders[o].cl) ? IMAGE_SRGB : types[t].class_,
                .order = o,
                .bits = types[t].bits,
                .max = types[t].max,
                .pixel_B = is_packed(types[t].cl)
                               ? packed
                               : orders[o].channels * types[t].bits / 8,
            };
        }
    }
}

const struct image_format *
image_find_format(const cl_image_format *format)
{
    pthread_once(&formats.once, list_formats);
    for (size_t i = 0; i < formats.n; i++)
        if (memcmp(&formats.at[i].cl, format, sizeof *format) == 0)
            return &formats.at[i];
    return NULL;
}

/* Lists formats, which are the same for all kinds of images and all access. */
CL_API_ENTRY cl_int CL_API_CALL
clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                           cl_mem_object_type image_type, cl_uint num_entries,
                           cl_image_format *image_formats,
                           cl_uint *num_image_formats)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(mem_flags_are_valid(flags & ~CL_MEM_KERNEL_READ_AND_WRITE),
              CL_INVALID_VALUE,
              "flags 0x%" PRIx64 " exclude each other, or are unknown",
              (uint64_t)flags);
    CL_EXPECT(image_type >= CL_MEM_OBJECT_IMAGE2D &&
                  image_type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
              CL_INVALID_VALUE,
              "image_type is 0x%x; it must be one of CL_MEM_OBJECT_IMAGE*",
              image_type);
    CL_EXPECT(num_entries || !image_formats, CL_INVALID_VALUE,
              "num_entries is 0; with image_formats it must be at least 1");
    pthread_once(&formats.once, list_formats);
    for (size_t i = 0; image_formats && i < num_entries && i < formats.n; i++)
        image_formats[i] = formats.at[i].cl;
    if (num_image_formats)
        *num_image_formats = (cl_uint)formats.n;
    return CL_SUCCESS;
}

/* ---- pixels ---- */

/* Rounds to half, to nearest even. */
static uint32_t
half_bits(float x)
{
    uint32_t bits, a;
    memcpy(&bits, &x, sizeof bits);
    a = bits & 0x7fffffff;
    uint32_t sign = bits >> 16 & 0x8000;
    if (a > 0x7f800000)
        return sign | 0x7e00;
    if (a >= 0x47800000)
        return sign | 0x7c00;
    if (a >= 0x38800000)
        return sign | ((a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13);
    return sign | (uint32_t)lrintf(fabsf(x) * 0x1p24f);
}

/* Converts a float to the bits of one channel. */
static uint32_t
from_float(const struct image_format *f, uint32_t max, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (f->class_ == IMAGE_FLOAT)
        return bits;
    if (f->class_ == IMAGE_HALF)
        return half_bits(x);
    float low = f->class_ == IMAGE_SNORM ? -(float)max - 1 : 0;
    float scaled = rintf(x * (float)max);
    if (!(scaled == scaled))
        return 0;
    scaled = scaled < low ? low : scaled > (float)max ? (float)max : scaled;
    return (uint32_t)(int32_t)scaled;
}

/* The sRGB number of a linear one (IEC 61966-2-1). */
static float
srgb_of(float x)
{
    return x <= 0.0031308f ? 12.92f * x
                           : (float)(1.055 * pow((double)x, 1 / 2.4) - 0.055);
}

/* Converts the i-th number of a color to one channel. */
static uint32_t
channel(const struct image_format *f, uint32_t max, const void *color, int i)
{
    if (f->class_ == IMAGE_SIGNED) {
        int32_t x = ((const int32_t *)color)[i], high = (int32_t)f->max;
        return (uint32_t)(x > high ? high : x < -high - 1 ? -high - 1 : x);
    }
    if (f->class_ == IMAGE_UNSIGNED) {
        uint32_t x = ((const uint32_t *)color)[i];
        return x > f->max ? f->max : x;
    }
    const float x = ((const float *)color)[i];
    return from_float(f, max,
                      f->class_ == IMAGE_SRGB && i < 3 ? srgb_of(x) : x);
}

void
image_pack(const struct image_format *f, const void *color,
           unsigned char pixel[IMAGE_MAX_PIXEL_B])
{
    /* The number of the color, of four, that each channel in memory takes. */
    static const char *const sources[] = {
        [IMAGE_R] = "x",         [IMAGE_A] = "w",
        [IMAGE_RG] = "xy",       [IMAGE_RA] = "xw",
        [IMAGE_RGB] = "xyz",     [IMAGE_RGBA] = "xyzw",
        [IMAGE_BGRA] = "zyxw",   [IMAGE_ARGB] = "wxyz",
        [IMAGE_ABGR] = "wzyx",   [IMAGE_INTENSITY] = "x",
        [IMAGE_LUMINANCE] = "x", [IMAGE_sRGBA] = "xyzw",
        [IMAGE_sBGRA] = "zyxw",
    };
    uint32_t word = 0;
    unsigned at = 0;
    for (const char *s = sources[f->order]; *s; s++, at++) {
        int i = *s == 'w' ? 3 : *s - 'x';
        bool wide = f->layout == IMAGE_565 && i == 1;
        uint32_t c = channel(f, wide ? 63 : f->max, color, i);
        if (is_packed(f->cl.image_channel_data_type))
            word = word << (wide ? 6 : f->bits) | c;
        else /* assumes a little-endian host */
            memcpy(pixel + at * f->bits / 8, &c, f->bits / 8);
    }
    if (is_packed(f->cl.image_channel_data_type))
        memcpy(pixel, &word, f->pixel_B);
}
