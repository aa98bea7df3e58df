/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Images in device memory: written by the runtime (src/cl/image*.c) and read by the
 * device library (lib/image*.cl).  Both compile this file, which therefore uses only
 * the common part of C11 and OpenCL C.
 *
 * A kernel's image argument is the address of a descriptor, its sampler argument a
 * word.  docs/abi.md shows both.
 */
#ifdef __OPENCL_C_VERSION__
typedef uint image_word;
#else
#include <stdint.h>
typedef uint32_t image_word;
#endif

/* The layout of the channels in the bytes of a pixel. */
enum image_layout {
    IMAGE_BYTES,  /* channels of 8 bits in order; the next two with more bits */
    IMAGE_HALVES, /* 16 bits each */
    IMAGE_WORDS,
    /* Packed, the first channel in the high bits; likewise the next two. */
    IMAGE_565,
    IMAGE_555,
    IMAGE_101010
};

/* The interpretation of a channel's bits. */
enum image_class {
    IMAGE_UNORM,
    IMAGE_SNORM,
    IMAGE_SIGNED,
    IMAGE_UNSIGNED,
    IMAGE_HALF,
    IMAGE_FLOAT,
    IMAGE_SRGB /* IMAGE_UNORM; all but alpha are not linear */
};

/* Channel types: X(name without CL_, layout, class, bits of a channel, its largest
 * value).  The second channel of 565 has one bit more. */
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

/* Channel orders: X(name without CL_, channels in memory).  read_order and write_order
 * of lib/image.h, and image_pack of src/cl/memory/image_format.c, map them to colors. */
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
    X(LUMINANCE, 1)     \
    X(sRGBA, 4)         \
    X(sBGRA, 4)
/* clang-format on */

enum image_order {
#define X(name, channels) IMAGE_##name,
    IMAGE_ORDERS(X)
#undef X
};

/* A descriptor.  Sizes are 1 in dimensions that the image does not have. */
struct image_descriptor {
    image_word data; /* low word of the address of the first pixel */
    image_word width, height, depth;
    image_word layers;      /* layers of an array */
    image_word row_pitch;   /* bytes from one row to the next */
    image_word slice_pitch; /* bytes from one slice, or layer, to the next */
    image_word pixel_shift; /* a pixel has 1 << pixel_shift bytes */
    image_word layout, class_, order; /* numbers of the enums above */
    image_word bits, max;             /* numbers of IMAGE_TYPES */
    image_word cl_order, cl_type;     /* CL_RGBA and the like, for queries */
    image_word data_high; /* high word of the address in version 2; else 0 */
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
