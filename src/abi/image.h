/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Images as the device sees them: what the runtime writes (src/cl/image*.c)
 * and the device library reads (lib/image*.cl).  Both compile this file, so
 * it keeps to what C11 and OpenCL C have in common.
 *
 * A kernel's image argument is the address of a descriptor, its sampler
 * argument a word.  docs/abi.md shows both.
 */
#ifdef __OPENCL_C_VERSION__
typedef uint image_word;
#else
#include <stdint.h>
typedef uint32_t image_word;
#endif

/* How the channels of a pixel lie in its bytes. */
enum image_layout {
    IMAGE_BYTES,  /* one after the other, as for the next two */
    IMAGE_HALVES, /* 16 bits each */
    IMAGE_WORDS,
    IMAGE_565, /* the first channel in the high bits, as for the next two */
    IMAGE_555,
    IMAGE_101010
};

/* What the bits of a channel mean. */
enum image_class {
    IMAGE_UNORM,
    IMAGE_SNORM,
    IMAGE_SIGNED,
    IMAGE_UNSIGNED,
    IMAGE_HALF,
    IMAGE_FLOAT
};

/*
 * Channel types: X(name without CL_, layout, class, bits of a channel, its
 * largest value).  The second channel of 565 has a bit more.
 */
/* clang-format off */
#define IMAGE_TYPES(X)                                      \
    X(SNORM_INT8, BYTES, SNORM, 8, 0x7f)                    \
    X(SNORM_INT16, HALVES, SNORM, 16, 0x7fff)               \
    X(UNORM_INT8, BYTES, UNORM, 8, 0xff)                    \
    X(UNORM_INT16, HALVES, UNORM, 16, 0xffff)               \
    X(UNORM_SHORT_565, 565, UNORM, 5, 0x1f)                 \
    X(UNORM_SHORT_555, 555, UNORM, 5, 0x1f)                 \
    X(UNORM_INT_101010, 101010, UNORM, 10, 0x3ff)           \
    X(SIGNED_INT8, BYTES, SIGNED, 8, 0x7f)                  \
    X(SIGNED_INT16, HALVES, SIGNED, 16, 0x7fff)             \
    X(SIGNED_INT32, WORDS, SIGNED, 32, 0x7fffffff)          \
    X(UNSIGNED_INT8, BYTES, UNSIGNED, 8, 0xff)              \
    X(UNSIGNED_INT16, HALVES, UNSIGNED, 16, 0xffff)         \
    X(UNSIGNED_INT32, WORDS, UNSIGNED, 32, 0xffffffff)      \
    X(HALF_FLOAT, HALVES, HALF, 16, 0)                      \
    X(FLOAT, WORDS, FLOAT, 32, 0)

/*
 * Channel orders: X(name without CL_, channels in memory).  What they mean
 * is in read_order and write_order of lib/image.h, and in image_pack of
 * src/cl/image_format.c.
 */
#define IMAGE_ORDERS(X) \
    X(R, 1)             \
    X(A, 1)             \
    X(RG, 2)            \
    X(RA, 2)            \
    X(RGB, 3)           \
    X(RGBA, 4)          \
    X(BGRA, 4)          \
    X(ARGB, 4)          \
    X(ABGR, 4)          \
    X(INTENSITY, 1)     \
    X(LUMINANCE, 1)
/* clang-format on */

enum image_order {
#define X(name, channels) IMAGE_##name,
    IMAGE_ORDERS(X)
#undef X
};

/* Sizes are 1 in dimensions that the image does not have. */
struct image_descriptor {
    image_word data; /* address of the first pixel, its low word */
    image_word width, height, depth;
    image_word layers;      /* of an array */
    image_word row_pitch;   /* bytes from row to row */
    image_word slice_pitch; /* from slice to slice, or layer to layer */
    image_word pixel_shift; /* a pixel has 1 << pixel_shift bytes */
    image_word layout, class_, order; /* of the enums above */
    image_word bits, max;             /* of IMAGE_TYPES */
    image_word cl_order, cl_type;     /* CL_RGBA and the like, for queries */
    image_word data_high;             /* of the address, version 2; else 0 */
};

/* A sampler: a sum of one of each, the numbers of opencl-c-base.h. */
enum image_sampler {
    IMAGE_UNNORMALISED = 0,
    IMAGE_NORMALISED = 1,
    IMAGE_ADDRESS_NONE = 0,
    IMAGE_ADDRESS_CLAMP_TO_EDGE = 2,
    IMAGE_ADDRESS_CLAMP = 4,
    IMAGE_ADDRESS_REPEAT = 6,
    IMAGE_ADDRESS_MIRRORED_REPEAT = 8,
    IMAGE_ADDRESS_MASK = 14,
    IMAGE_NEAREST = 16,
    IMAGE_LINEAR = 32
};
