/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "abi/image.h"
#include "cl/memory/mem.h"
#include "cl/queue/queue.h"

/*
 * Images: memory objects whose bytes are pixels, row by row with pitches, in the same
 * layout on device and host.  Kernels access them through a descriptor (abi/image.h),
 * which each device has for each image it uses.
 *
 * Regions are given as in the API: the layer of an array is the coordinate after those
 * of space.  Functions that move bytes take boxes.
 */
struct image_format {
    cl_image_format cl;
    unsigned layout, class_, order; /* numbers of abi/image.h */
    unsigned bits;
    uint32_t max;
    size_t pixel_B;
};

struct image {
    const struct image_format *format;
    cl_image_desc desc; /* as given; unused members are 0 */
    size_t count[3];    /* pixels, rows, slices or layers */
    /* Slice pitch: 0 for images without slices. */
    size_t row_pitch, slice_pitch;
    cl_mem buffer;        /* buffer that it was made from; or NULL */
    uint64_t *descriptor; /* by device of the context; 0: none */
};

/* ---- image_format.c ---- */

enum { IMAGE_MAX_PIXEL_B = 16 };

/* Finds a supported format; NULL: unsupported. */
const struct image_format *
image_find_format(const cl_image_format *format);

/* Whether the numbers are a format of the specification, supported or not. */
bool
image_format_is_valid(const cl_image_format *format);

/* Converts four floats, ints or unsigned ints to the bytes of a pixel. */
void
image_pack(const struct image_format *format, const void *color,
           unsigned char pixel[IMAGE_MAX_PIXEL_B]);

/* ---- image.c ---- */

/* Whether the image has a slice pitch: 3D images and arrays. */
bool
image_has_slices(cl_mem m);

/* The address of the descriptor on a device, valid as described at storage_use. */
cl_int
image_use(cl_mem m, cl_uint device, bool write, uint64_t *descriptor);

/* ---- image_transfer.c ---- */

/* Checks queue, image and contexts, as every entry begins. */
cl_int
image_check(cl_command_queue q, cl_mem m);

/* Checks that a region is inside the image. */
cl_int
image_check_region(cl_mem m, const size_t *origin, const size_t *region);

struct box
image_box(cl_mem m, const size_t *origin);

/* Converts a region to bytes, rows and slices of a box. */
void
image_region(cl_mem m, const size_t *region, size_t bytes[3]);
