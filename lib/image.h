/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the built-in functions of images share: image.cl does the work for
 * any image, image_names.cl has the overloads.  Those are
 * inlined first; then dims, layered and most samplers are constants.
 */
#pragma once

#include "abi/image.h"
#include "ventus.h"

typedef __constant struct image_descriptor *image;

/* X(type without _t, access) of all image types. */
/* clang-format off */
#define FOR_READ_IMAGES(X)                                  \
    X(image1d, read_only) X(image1d_buffer, read_only)      \
    X(image1d_array, read_only) X(image2d, read_only)       \
    X(image2d_array, read_only) X(image3d, read_only)
#define FOR_WRITE_IMAGES(X)                                 \
    X(image1d, write_only) X(image1d_buffer, write_only)    \
    X(image1d_array, write_only) X(image2d, write_only)     \
    X(image2d_array, write_only) X(image3d, write_only)
#define FOR_READ_WRITE_IMAGES(X)                            \
    X(image1d, read_write) X(image1d_buffer, read_write)    \
    X(image1d_array, read_write) X(image2d, read_write)     \
    X(image2d_array, read_write) X(image3d, read_write)
#define FOR_IMAGES(X) \
    FOR_READ_IMAGES(X) FOR_WRITE_IMAGES(X) FOR_READ_WRITE_IMAGES(X)
/* clang-format on */

/* The descriptor of an image, the word of a sampler. */
#define HANDLE(type, access)                                     \
    OVERLOAD INTRINSIC image handle_of(access type##_t i) __asm( \
        "__ventus_handle_" #type "_" #access);
FOR_IMAGES(HANDLE)
INTRINSIC uint
__ventus_sampler(sampler_t s);

/*
 * `at` is x, y, z and the layer, zero where an image has no such coordinate;
 * `dims` says how many of the first three it has, `layered` if the last.
 */
#define SHAPE image i, uint dims, bool layered

/* A pixel without a sampler. */
float4
__image_load_f(SHAPE, int4 at);
int4
__image_load_i(SHAPE, int4 at);
uint4
__image_load_ui(SHAPE, int4 at);

/* Through a sampler, with coordinates of both types. */
float4
__image_fetch_f(SHAPE, uint sampler, int4 at);
int4
__image_fetch_i(SHAPE, uint sampler, int4 at);
uint4
__image_fetch_ui(SHAPE, uint sampler, int4 at);
float4
__image_sample_f(SHAPE, uint sampler, float4 at);
int4
__image_sample_i(SHAPE, uint sampler, float4 at);
uint4
__image_sample_ui(SHAPE, uint sampler, float4 at);

/* Writes a pixel; coordinates outside of the image write nothing. */
void
__image_store_f(SHAPE, int4 at, float4 color);
void
__image_store_i(SHAPE, int4 at, int4 color);
void
__image_store_ui(SHAPE, int4 at, uint4 color);
