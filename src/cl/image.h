/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "abi/image.h"
#include "cl/mem.h"
#include "cl/queue.h"

/*
 * Images: memory objects whose bytes are pixels, row by row with pitches, on
 * the device as on the host.  Kernels see them through a descriptor
 * (abi/image.h) that each device has of each image it uses.
 *
 * Regions come as the API has them: the layer of an array is the coordinate
 * behind those of space.  Whatever moves bytes takes them as boxes.
 */
struct image_format {
    cl_image_format cl;
    unsigned layout, class_, order; /* of abi/image.h */
    unsigned bits;
    uint32_t max;
    size_t pixel_B;
};

struct image {
    const struct image_format *format;
    cl_image_desc desc;            /* as given; what it does not use is 0 */
    size_t count[3];               /* pixels, rows, slices or layers */
    size_t row_pitch, slice_pitch; /* slice: 0 of images without */
    cl_mem buffer;                 /* it was made from; or NULL */
    uint64_t *descriptor;          /* by device of the context; 0: none */
};

/* ---- image_format.c ---- */

enum { IMAGE_MAX_PIXEL_B = 16 };

/* NULL: it is not one of the supported ones. */
const struct image_format *
image_find_format(const cl_image_format *format);

/* Are these numbers an image format, supported or not? */
bool
image_format_is_valid(const cl_image_format *format);

/* The bytes of a pixel from four floats, ints or unsigned ints. */
void
image_pack(const struct image_format *format, const void *color,
           unsigned char pixel[IMAGE_MAX_PIXEL_B]);

/* ---- image.c ---- */

/* Does it have a slice pitch: 3D images and arrays? */
bool
image_has_slices(cl_mem m);

/* The address of its descriptor on a device, valid as storage_use says. */
cl_int
image_use(cl_mem m, cl_uint device, bool write, uint64_t *descriptor);

/* ---- image_transfer.c ---- */

/* Queue, image, contexts: what every entry begins with. */
cl_int
image_check(cl_command_queue q, cl_mem m);

/* Is it inside? */
cl_int
image_check_region(cl_mem m, const size_t *origin, const size_t *region);

struct box
image_box(cl_mem m, const size_t *origin);

/* As bytes, rows, slices of the box. */
void
image_region(cl_mem m, const size_t *region, size_t bytes[3]);
