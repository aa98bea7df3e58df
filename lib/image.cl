/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images: section 6.15.15 of the OpenCL C specification, and 8 for addresses,
 * filters and conversions.
 *
 * A descriptor is the same for a whole launch, so branches on its fields are
 * uniform and take scalar instructions.  The steps of a read are: coordinates
 * to a place, the words of its pixel, its channels, the values they mean, the
 * order of the result.
 */
#include "abi/hints.h"
#include "image.h"
#include "image_srgb.h"

/* ---- pixels ---- */

/* The address of the first pixel, whose high word only version 2 has. */
#if __SIZEOF_POINTER__ == 8
#define DATA(i) ((size_t)(i)->data_high << 32 | (i)->data)
#else
#define DATA(i) ((i)->data)
#endif

static size_t
address_of(SHAPE, int4 at)
{
    size_t address = DATA(i) + ((uint)at.x << i->pixel_shift);
    if (dims > 1)
        address += (size_t)(uint)at.y * i->row_pitch;
    if (dims > 2)
        address += (size_t)(uint)at.z * i->slice_pitch;
    if (layered)
        address += (size_t)(uint)at.w * i->slice_pitch;
    return address;
}

static uint4
load_words(image i, size_t address)
{
    switch (i->pixel_shift) {
    case 0:
        return (uint4)(*(__global const uchar *)address, 0, 0, 0);
    case 1:
        return (uint4)(*(__global const ushort *)address, 0, 0, 0);
    case 2:
        return (uint4)(*(__global const uint *)address, 0, 0, 0);
    case 3:
        return (uint4)(*(__global const uint2 *)address, 0, 0);
    }
    return *(__global const uint4 *)address;
}

static void
store_words(image i, size_t address, uint4 w)
{
    switch (i->pixel_shift) {
    case 0:
        *(__global uchar *)address = (uchar)w.x;
        break;
    case 1:
        *(__global ushort *)address = (ushort)w.x;
        break;
    case 2:
        *(__global uint *)address = w.x;
        break;
    case 3:
        *(__global uint2 *)address = w.xy;
        break;
    default:
        *(__global uint4 *)address = w;
    }
}

static uint4
unpack(image i, uint4 w)
{
    switch (i->layout) {
    case IMAGE_BYTES:
        return (uint4)(w.x, w.x >> 8, w.x >> 16, w.x >> 24) & 0xff;
    case IMAGE_HALVES:
        return (uint4)(w.x & 0xffff, w.x >> 16, w.y & 0xffff, w.y >> 16);
    case IMAGE_565:
        return (uint4)(w.x >> 11, w.x >> 5 & 63, w.x & 31, 0);
    case IMAGE_555:
        return (uint4)(w.x >> 10 & 31, w.x >> 5 & 31, w.x & 31, 0);
    case IMAGE_101010:
        return (uint4)(w.x >> 20, w.x >> 10, w.x, 0) & 0x3ff;
    }
    return w;
}

/* The channels have no bits but their own. */
static uint4
pack(image i, uint4 c)
{
    switch (i->layout) {
    case IMAGE_BYTES:
        return (uint4)(c.x | c.y << 8 | c.z << 16 | c.w << 24, 0, 0, 0);
    case IMAGE_HALVES:
        return (uint4)(c.x | c.y << 16, c.z | c.w << 16, 0, 0);
    case IMAGE_565:
        return (uint4)(c.x << 11 | c.y << 5 | c.z, 0, 0, 0);
    case IMAGE_555:
        return (uint4)(c.x << 10 | c.y << 5 | c.z, 0, 0, 0);
    case IMAGE_101010:
        return (uint4)(c.x << 20 | c.y << 10 | c.z, 0, 0, 0);
    }
    return c;
}

/* ---- the order of channels ---- */

#define READ_ORDER(T)                            \
    static OVERLOAD T##4 read_order(image i, T##4 c, T one) \
    {                                            \
        switch (i->order) {                      \
        case IMAGE_R:                            \
            return (T##4)(c.x, 0, 0, one);       \
        case IMAGE_A:                            \
            return (T##4)(0, 0, 0, c.x);         \
        case IMAGE_RG:                           \
            return (T##4)(c.xy, 0, one);         \
        case IMAGE_RA:                           \
            return (T##4)(c.x, 0, 0, c.y);       \
        case IMAGE_RGB:                          \
            return (T##4)(c.xyz, one);           \
        case IMAGE_BGRA:                         \
        case IMAGE_sBGRA:                        \
            return c.zyxw;                       \
        case IMAGE_ARGB:                         \
            return c.yzwx;                       \
        case IMAGE_ABGR:                         \
            return c.wzyx;                       \
        case IMAGE_INTENSITY:                    \
            return c.xxxx;                       \
        case IMAGE_LUMINANCE:                    \
            return (T##4)(c.xxx, one);           \
        }                                        \
        return c;                                \
    }
READ_ORDER(float)
READ_ORDER(int)
READ_ORDER(uint)

static uint4
write_order(image i, uint4 c)
{
    switch (i->order) {
    case IMAGE_A:
        return c.wwww;
    case IMAGE_RA:
        return c.xwww;
    case IMAGE_BGRA:
    case IMAGE_sBGRA:
        return c.zyxw;
    case IMAGE_ARGB:
        return c.wxyz;
    case IMAGE_ABGR:
        return c.wzyx;
    }
    return c;
}

/* ---- values ---- */

static float4
from_half(uint4 h)
{
    /* The exponent by a product, which is right for denormals too. */
    float4 x = as_float4((h & 0x7fff) << 13) * 0x1p112f;
    uint4 special = as_uint4(x) | 0x7f800000;
    uint4 bits = (h & 0x7c00) == 0x7c00 ? special : as_uint4(x);
    return as_float4(bits | (h & 0x8000) << 16);
}

/* To nearest even. */
static uint4
to_half(float4 x)
{
    uint4 a = as_uint4(x) & 0x7fffffff, sign = as_uint4(x) >> 16 & 0x8000;
    uint4 normal = (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;
    /* The last bit of 0.5 is that of a denormal half. */
    uint4 tiny = as_uint4(as_float4(a) + 0.5f) - 0x3f000000;
    uint4 special = a > 0x7f800000 ? (uint4)0x7e00 : (uint4)0x7c00;
    uint4 h = a < 0x38800000 ? tiny : normal;
    return (a >= 0x47800000 ? special : h) | sign;
}

static float4
norm_max(image i)
{
    float max = (float)i->max;
    return (float4)(max, i->layout == IMAGE_565 ? 63.0f : max, max, max);
}

static int4
extend(image i, uint4 c)
{
    uint shift = 32 - i->bits;
    return as_int4(c << shift) >> shift;
}

static float4
to_float(image i, uint4 c)
{
    if (i->class_ == IMAGE_FLOAT)
        return as_float4(c);
    if (i->class_ == IMAGE_HALF)
        return from_half(c);
    if (i->class_ == IMAGE_SNORM)
        return fmax(__builtin_convertvector(extend(i, c), float4) / norm_max(i),
                    -1.0f);
    if (i->class_ == IMAGE_SRGB)
        return (float4)(srgb_linear[c.x], srgb_linear[c.y], srgb_linear[c.z],
                        (float)c.w / 255.0f);
    return __builtin_convertvector(c, float4) / norm_max(i);
}

static uint4
from_float(image i, float4 x)
{
    if (i->class_ == IMAGE_FLOAT)
        return as_uint4(x);
    if (i->class_ == IMAGE_HALF)
        return to_half(x);
    float4 max = norm_max(i), n = rint(x * max);
    if (i->class_ == IMAGE_SNORM) {
        n = isnan(n) ? 0.0f : fmin(fmax(n, -max - 1.0f), max);
        uint mask = i->bits == 8 ? 0xff : 0xffff;
        return as_uint4(__builtin_convertvector(n, int4)) & mask;
    }
    uint4 c = __builtin_convertvector(fmin(fmax(n, 0.0f), max), uint4);
    if (i->class_ == IMAGE_SRGB)
        c.xyz = (uint3)(srgb_byte(x.x), srgb_byte(x.y), srgb_byte(x.z));
    return c;
}

static OVERLOAD void
read_as(image i, uint4 c, float4 *r)
{
    *r = read_order(i, to_float(i, c), 1.0f);
}

static OVERLOAD void
read_as(image i, uint4 c, int4 *r)
{
    *r = read_order(i, extend(i, c), 1);
}

static OVERLOAD void
read_as(image i, uint4 c, uint4 *r)
{
    *r = read_order(i, c, 1u);
}

/* ---- addresses ---- */

/* In pixels, before the filter; n: the size. */
static float
unnormalise(float s, uint n, uint sampler)
{
    uint mode = sampler & IMAGE_ADDRESS_MASK;
    if (mode == IMAGE_ADDRESS_REPEAT)
        return (s - floor(s)) * (float)n;
    if (mode == IMAGE_ADDRESS_MIRRORED_REPEAT)
        return fabs(s - 2.0f * rint(0.5f * s)) * (float)n;
    return sampler & IMAGE_NORMALISED ? s * (float)n : s;
}

/*
 * The pixel of an index that may lie outside: the border is read through a
 * clamped index and replaced.  No index leaves the image, whatever comes.
 * CLK_ADDRESS_NONE leaves open what is outside; programs that rely on it
 * expect the border, as with CLK_ADDRESS_CLAMP.
 */
static int
wrap(int k, uint n, uint sampler, bool *outside)
{
    uint mode = sampler & IMAGE_ADDRESS_MASK;
    if (mode == IMAGE_ADDRESS_REPEAT) {
        k = k < 0 ? k + (int)n : k;
        k = k >= (int)n ? k - (int)n : k;
    }
    if (mode == IMAGE_ADDRESS_CLAMP || mode == IMAGE_ADDRESS_NONE)
        *outside |= (uint)k >= n;
    else
        k = max(k, 0);
    return (int)min((uint)k, n - 1);
}

static int4
wrap_all(SHAPE, int4 at, uint sampler, bool *outside)
{
    at.x = wrap(at.x, i->width, sampler, outside);
    if (dims > 1)
        at.y = wrap(at.y, i->height, sampler, outside);
    if (dims > 2)
        at.z = wrap(at.z, i->depth, sampler, outside);
    return at;
}

static int
clamp_layer(image i, int layer)
{
    return clamp(layer, 0, (int)i->layers - 1);
}

/* Undefined: the program has to keep inside (6.15.15.1, CLK_ADDRESS_NONE, and writes).
 * Without -fcheck-bounds the compiler makes it empty (front/link.c). */
void
__image_outside(void);
void
__image_outside(void)
{
    __ventus_hint(HINT_IMAGE);
}

static uint4
texel(SHAPE, int4 at, uint sampler)
{
    bool outside = false;
    at = wrap_all(i, dims, layered, at, sampler, &outside);
    if (outside && (sampler & IMAGE_ADDRESS_MASK) == IMAGE_ADDRESS_NONE)
        __image_outside();
    uint4 w = load_words(i, address_of(i, dims, layered, at));
    return unpack(i, outside ? (uint4)0 : w);
}

/* ---- filters ---- */

/* A loop keeps the code short: the pixel's is many instructions. */
static float4
linear(SHAPE, uint sampler, float4 at, int layer)
{
    float4 low = floor(at - 0.5f), above = at - 0.5f - low;
    int4 base = __builtin_convertvector(low, int4);
    float4 sum = 0.0f;
#pragma clang loop unroll(disable)
    for (uint corner = 0; corner < 1u << dims; corner++) {
        int4 k = base + ((int4)(corner, corner >> 1, corner >> 2, 0) & 1);
        k.w = layer;
        float weight = corner & 1 ? above.x : 1.0f - above.x;
        if (dims > 1)
            weight *= corner & 2 ? above.y : 1.0f - above.y;
        if (dims > 2)
            weight *= corner & 4 ? above.z : 1.0f - above.z;
        float4 r;
        read_as(i, texel(i, dims, layered, k, sampler), &r);
        sum += weight * r;
    }
    return sum;
}

static float4
unnormalise_all(SHAPE, uint sampler, float4 at)
{
    at.x = unnormalise(at.x, i->width, sampler);
    at.y = dims > 1 ? unnormalise(at.y, i->height, sampler) : 0.0f;
    at.z = dims > 2 ? unnormalise(at.z, i->depth, sampler) : 0.0f;
    return at;
}

static int4
nearest(SHAPE, float4 at)
{
    int4 k = __builtin_convertvector(floor(at), int4);
    k.w = layered ? clamp_layer(i, (int)rint(at.w)) : 0;
    return k;
}

#define READS(T, S)                                                     \
    T __image_load_##S(SHAPE, int4 at)                                  \
    {                                                                   \
        return __image_fetch_##S(i, dims, layered, IMAGE_ADDRESS_NONE,  \
                                 at);                                   \
    }                                                                   \
    T __image_fetch_##S(SHAPE, uint sampler, int4 at)                   \
    {                                                                   \
        T r;                                                            \
        if (layered)                                                    \
            at.w = clamp_layer(i, at.w);                                \
        read_as(i, texel(i, dims, layered, at, sampler), &r);           \
        return r;                                                       \
    }
READS(float4, f)
READS(int4, i)
READS(uint4, ui)

float4
__image_sample_f(SHAPE, uint sampler, float4 at)
{
    at = unnormalise_all(i, dims, layered, sampler, at);
    int4 k = nearest(i, dims, layered, at);
    float4 r;
    if (sampler & IMAGE_LINEAR)
        return linear(i, dims, layered, sampler, at, k.w);
    read_as(i, texel(i, dims, layered, k, sampler), &r);
    return r;
}

/* Integers are not filtered. */
#define SAMPLES(T, S)                                                        \
    T __image_sample_##S(SHAPE, uint sampler, float4 at)                     \
    {                                                                        \
        at = unnormalise_all(i, dims, layered, sampler, at);                 \
        T r;                                                                 \
        int4 k = nearest(i, dims, layered, at);                              \
        read_as(i, texel(i, dims, layered, k, sampler), &r);                 \
        return r;                                                            \
    }
SAMPLES(int4, i)
SAMPLES(uint4, ui)

/* ---- writes ---- */

static void
store(SHAPE, int4 at, uint4 channels)
{
    bool inside = (uint)at.x < i->width;
    if (dims > 1)
        inside &= (uint)at.y < i->height;
    if (dims > 2)
        inside &= (uint)at.z < i->depth;
    if (layered)
        inside &= (uint)at.w < i->layers;
    if (inside)
        store_words(i, address_of(i, dims, layered, at),
                    pack(i, write_order(i, channels)));
    else
        __image_outside();
}

void
__image_store_f(SHAPE, int4 at, float4 color)
{
    store(i, dims, layered, at, from_float(i, color));
}

void
__image_store_i(SHAPE, int4 at, int4 color)
{
    int high = (int)i->max;
    uint mask = (i->max << 1) + 1; /* all ones for 32 bits */
    color = clamp(color, ~high, high);
    store(i, dims, layered, at, as_uint4(color) & mask);
}

void
__image_store_ui(SHAPE, int4 at, uint4 color)
{
    store(i, dims, layered, at, min(color, i->max));
}
