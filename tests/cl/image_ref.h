/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <math.h>

#include "cl.h"

/*
 * What the specification says of images, written apart from the device
 * library and slowly: pixels as lists of channels, conversions (section 8.3
 * of the OpenCL C specification), addresses and filters (8.2).
 */
struct ref_format {
    cl_image_format cl;
    const char *channels; /* in memory, of rgba; L and I for all three, four */
    unsigned bits[4];     /* of each; packed ones from the high bits down */
    char kind;            /* u unorm, s snorm, i signed, U unsigned, h, f */
    bool packed;
    bool srgb; /* all but alpha */
};

static inline unsigned
ref_pixel_B(const struct ref_format *f)
{
    unsigned bits = 0;
    for (unsigned i = 0; f->channels[i]; i++)
        bits += f->bits[i];
    return f->packed && bits == 15 ? 2 : (bits + 7) / 8;
}

/* ---- which formats there shall be ---- */

static const struct {
    cl_channel_type type;
    unsigned bits;
    char kind;
} ref_types[] = {
    { CL_SNORM_INT8, 8, 's' },      { CL_SNORM_INT16, 16, 's' },
    { CL_UNORM_INT8, 8, 'u' },      { CL_UNORM_INT16, 16, 'u' },
    { CL_SIGNED_INT8, 8, 'i' },     { CL_SIGNED_INT16, 16, 'i' },
    { CL_SIGNED_INT32, 32, 'i' },   { CL_UNSIGNED_INT8, 8, 'U' },
    { CL_UNSIGNED_INT16, 16, 'U' }, { CL_UNSIGNED_INT32, 32, 'U' },
    { CL_HALF_FLOAT, 16, 'h' },     { CL_FLOAT, 32, 'f' },
};
static const struct {
    cl_channel_order order;
    const char *channels, *kinds; /* of more than 8 bits, if not all */
} ref_orders[] = {
    { CL_R, "r", "usiUhf" },       { CL_A, "a", "usiUhf" },
    { CL_RG, "rg", "usiUhf" },     { CL_RA, "ra", "usiUhf" },
    { CL_RGBA, "rgba", "usiUhf" }, { CL_BGRA, "bgra", "8usiU" },
    { CL_ARGB, "argb", "8usiU" },  { CL_ABGR, "abgr", "8usiU" },
    { CL_INTENSITY, "I", "ushf" }, { CL_LUMINANCE, "L", "ushf" },
};

enum { REF_FORMATS = 5 * 12 + 3 * 4 + 2 * 6 + 3 + 2 };
static struct ref_format ref_formats[REF_FORMATS];

static inline void
ref_list_formats(void)
{
    unsigned n = 0;
    for (unsigned o = 0; o < 10; o++) {
        for (unsigned t = 0; t < 12; t++) {
            const char *kinds = ref_orders[o].kinds;
            if (!strchr(kinds, ref_types[t].kind) ||
                (kinds[0] == '8' && ref_types[t].bits != 8))
                continue;
            unsigned b = ref_types[t].bits;
            ref_formats[n++] =
                (struct ref_format){ { ref_orders[o].order, ref_types[t].type },
                                     ref_orders[o].channels,
                                     { b, b, b, b },
                                     ref_types[t].kind,
                                     false,
                                     false };
        }
    }
    ref_formats[n++] = (struct ref_format){
        { CL_RGB, CL_UNORM_SHORT_565 }, "rgb", { 5, 6, 5 }, 'u', true, false
    };
    ref_formats[n++] = (struct ref_format){
        { CL_RGB, CL_UNORM_SHORT_555 }, "rgb", { 5, 5, 5 }, 'u', true, false
    };
    ref_formats[n++] = (struct ref_format){
        { CL_RGB, CL_UNORM_INT_101010 }, "rgb", { 10, 10, 10 }, 'u', true, false
    };
    ref_formats[n++] = (struct ref_format){
        { CL_sRGBA, CL_UNORM_INT8 }, "rgba", { 8, 8, 8, 8 }, 'u', false, true
    };
    ref_formats[n++] = (struct ref_format){
        { CL_sBGRA, CL_UNORM_INT8 }, "bgra", { 8, 8, 8, 8 }, 'u', false, true
    };
    CHECK_EQ(n, REF_FORMATS);
}

/* IEC 61966-2-1, both ways. */
static inline double
ref_from_srgb(double s)
{
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static inline double
ref_to_srgb(double x)
{
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

/* ---- channels ---- */

static inline double
ref_from_half(uint32_t h)
{
    double sign = h & 0x8000 ? -1 : 1;
    int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023);
    if (exponent == 31)
        return fraction ? NAN : sign * INFINITY;
    if (!exponent)
        return sign * ldexp(fraction, -24);
    return sign * ldexp(1024 + fraction, exponent - 25);
}

/* To nearest even: of the two around it that is found by halving. */
static inline uint32_t
ref_to_half(float x)
{
    uint32_t sign = signbit(x) ? 0x8000 : 0, low = 0, high = 0x7c00;
    double a = fabs((double)x);
    if (isnan(x))
        return 0x7e00;
    if (a >= 65520)
        return sign | 0x7c00;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (ref_from_half(middle) <= a)
            low = middle;
        else
            high = middle;
    }
    double below = a - ref_from_half(low);
    double above = high == 0x7c00 ? INFINITY : ref_from_half(high) - a;
    return sign |
           (below < above || (below == above && !(low & 1)) ? low : high);
}

static inline double
ref_channel_value(const struct ref_format *f, unsigned i, uint32_t bits)
{
    unsigned n = f->bits[i];
    int64_t is_signed = (int64_t)((uint64_t)bits << (64 - n)) >> (64 - n);
    float x;
    switch (f->kind) {
    case 'u':
        if (f->srgb && f->channels[i] != 'a')
            return ref_from_srgb(bits / 255.0);
        return bits / (pow(2, n) - 1);
    case 's':
        return fmax((double)is_signed / (pow(2, n - 1) - 1), -1);
    case 'i':
        return (double)is_signed;
    case 'U':
        return bits;
    case 'h':
        return ref_from_half(bits);
    }
    memcpy(&x, &bits, 4);
    return x;
}

/* `x` is a float, or holds an int or unsigned int. */
static inline uint32_t
ref_channel_bits(const struct ref_format *f, unsigned i, double x)
{
    unsigned n = f->bits[i];
    bool is_signed = f->kind == 's' || f->kind == 'i';
    double high = pow(2, n - is_signed) - 1, low = is_signed ? -high - 1 : 0;
    float narrow = (float)x;
    uint32_t bits;
    if (f->kind == 'h')
        return ref_to_half(narrow);
    if (f->kind == 'f') {
        memcpy(&bits, &narrow, 4);
        return bits;
    }
    if (isnan(x))
        x = 0;
    else if (f->srgb && f->channels[i] != 'a')
        x = rint(255 * ref_to_srgb((double)narrow));
    else if (f->kind == 'u' || f->kind == 's')
        x = rintf(narrow * (float)high);
    x = x < low ? low : x > high ? high : x;
    return (uint32_t)((uint64_t)(int64_t)x & ((1ull << n) - 1));
}

/* ---- pixels ---- */

static inline uint32_t
ref_bits_at(const struct ref_format *f, const unsigned char *p, unsigned i)
{
    uint32_t word = 0;
    if (!f->packed) {
        memcpy(&word, p + i * f->bits[i] / 8, f->bits[i] / 8);
        return word;
    }
    memcpy(&word, p, ref_pixel_B(f));
    unsigned below = 0;
    for (unsigned k = i + 1; f->channels[k]; k++)
        below += f->bits[k];
    return word >> below & ((1u << f->bits[i]) - 1);
}

/* What a read gives for the bytes at p; NULL: the border. */
static inline void
ref_read(const struct ref_format *f, const unsigned char *p, double rgba[4])
{
    bool alpha = strpbrk(f->channels, "aI") != NULL;
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = alpha ? 0 : 1;
    for (unsigned i = 0; p && f->channels[i]; i++) {
        double x = ref_channel_value(f, i, ref_bits_at(f, p, i));
        char c = f->channels[i];
        for (unsigned k = 0; k < 4; k++)
            if (c == "rgba"[k] || c == 'I' || (c == 'L' && k < 3))
                rgba[k] = x;
    }
}

static inline void
ref_write(const struct ref_format *f, unsigned char *p, const double rgba[4])
{
    uint32_t word = 0;
    for (unsigned i = 0; f->channels[i]; i++) {
        const char *at = strchr("rgba", f->channels[i]);
        uint32_t bits =
            ref_channel_bits(f, i, rgba[at ? at - "rgba" : 0]); /* L, I: red */
        if (f->packed)
            word = word << f->bits[i] | bits;
        else
            memcpy(p + i * f->bits[i] / 8, &bits, f->bits[i] / 8);
    }
    if (f->packed)
        memcpy(p, &word, ref_pixel_B(f));
}

/* How many channels of what was written are not those of the colors.  As
 * numbers: a NaN has many names. */
static inline unsigned
ref_count_wrong(const struct ref_format *f, const unsigned char *back,
                double (*rgba)[4], unsigned pixels)
{
    unsigned wrong = 0;
    size_t size = ref_pixel_B(f);
    for (unsigned i = 0; i < pixels; i++) {
        unsigned char want[16];
        double a[4], b[4];
        ref_write(f, want, rgba[i]);
        ref_read(f, back + i * size, a);
        ref_read(f, want, b);
        for (unsigned c = 0; c < 4; c++)
            wrong += !(a[c] == b[c] || (isnan(a[c]) && isnan(b[c])));
    }
    return wrong;
}

/* ---- images ---- */

struct ref_image {
    const struct ref_format *format;
    int size[3]; /* 1 where it has none */
    int layers;
    const unsigned char *bytes; /* dense; layers are slices */
};

static inline void
ref_pixel(const struct ref_image *m, const int at[3], int layer, double rgba[4])
{
    for (int i = 0; i < 3; i++) {
        if (at[i] < 0 || at[i] >= m->size[i]) {
            ref_read(m->format, NULL, rgba);
            return;
        }
    }
    size_t z = (size_t)(at[2] + layer * m->size[2]);
    size_t n = (z * (size_t)m->size[1] + (size_t)at[1]) * (size_t)m->size[0] +
               (size_t)at[0];
    ref_read(m->format, m->bytes + n * ref_pixel_B(m->format), rgba);
}

/* The index of 8.2 in one dimension, `up` for the second of a pair; its
 * weight if the filter is linear. */
static inline int
ref_index(float s, int n, cl_addressing_mode mode, bool normalised, bool linear,
          bool up, double *weight)
{
    float u = normalised ? s * (float)n : s;
    if (mode == CL_ADDRESS_REPEAT)
        u = (s - floorf(s)) * (float)n;
    if (mode == CL_ADDRESS_MIRRORED_REPEAT)
        u = fabsf(s - 2 * rintf(0.5f * s)) * (float)n;
    int i = (int)floorf(linear ? u - 0.5f : u) + (linear && up);
    if (linear) {
        double a = (double)(u - 0.5f) - floor((double)(u - 0.5f));
        *weight *= up ? a : 1 - a;
    }
    switch (mode) {
    case CL_ADDRESS_REPEAT:
        return i < 0 ? i + n : i > n - 1 ? i - n : i;
    case CL_ADDRESS_NONE: /* undefined outside; ours is the border */
    case CL_ADDRESS_CLAMP:
        return i < -1 ? -1 : i > n ? n : i;
    }
    return i < 0 ? 0 : i > n - 1 ? n - 1 : i;
}

static inline void
ref_sample(const struct ref_image *m, unsigned dims, const float at[3],
           float layer, cl_addressing_mode mode, bool normalised, bool linear,
           double rgba[4])
{
    int l = (int)rintf(layer);
    l = l < 0 ? 0 : l > m->layers - 1 ? m->layers - 1 : l;
    rgba[0] = rgba[1] = rgba[2] = rgba[3] = 0;
    for (unsigned corner = 0; corner < (linear ? 1u << dims : 1); corner++) {
        double weight = 1, texel[4];
        int k[3] = { 0 };
        for (unsigned i = 0; i < dims; i++)
            k[i] = ref_index(at[i], m->size[i], mode, normalised, linear,
                             corner >> i & 1, &weight);
        ref_pixel(m, k, l, texel);
        for (int c = 0; c < 4; c++)
            rgba[c] += weight * texel[c];
    }
}

/* ---- what the tests of images in kernels share ---- */

static uint32_t seed = 1;

static inline uint32_t
next(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static inline void
randomise(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)next();
}

static inline cl_mem
image_of(struct cl *t, const cl_image_format *f, cl_mem_object_type type,
         size_t w, size_t h, size_t d, const void *bytes)
{
    const cl_image_desc desc = {
        .image_type = type,
        .image_width = w,
        .image_height = h,
        .image_depth = d,
        .image_array_size = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? h : d
    };
    cl_int code;
    cl_mem m;
    CREATES(
        m, clCreateImage(t->context,
                         CL_MEM_READ_WRITE | (bytes ? CL_MEM_COPY_HOST_PTR : 0),
                         f, &desc, (void *)(uintptr_t)bytes, &code));
    return m;
}

static inline void
launch(struct cl *t, cl_kernel k, cl_uint n, cl_mem a, cl_mem b, size_t items)
{
    OK(clSetKernelArg(k, 0, sizeof a, &a));
    OK(clSetKernelArg(k, 1, sizeof b, &b));
    if (n > 2)
        OK(clSetKernelArg(k, 2, sizeof(cl_uint), &(cl_uint){ (cl_uint)items }));
    OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &items, NULL, 0, NULL,
                              NULL));
}

static inline void
get(struct cl *t, cl_mem m, size_t size, void *to)
{
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, size, to, 0, NULL, NULL));
}
