/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "cl/object.h"

/* The one platform, and its devices: those of VENTUS_DEVICES, a comma-separated list
 * of presets or ini files, each "NAME" or "NAME:key=value:...".  They are opened when
 * the application first asks for them and stay open. */
struct _cl_platform_id {
    struct object base;
};

struct _cl_device_id {
    struct object base;
    struct ventus_dev *dev;
    unsigned index; /* index in the platform's list */
    char *name;     /* "Ventus default": what VENTUS_DEVICES says of it */
    cl_uchar uuid[CL_UUID_SIZE_KHR];
    cl_uint lanes, warps, sms;
    size_t max_group; /* work-items per work-group */
    cl_ulong global_B, max_alloc_B, local_B;
    cl_uint address_bits;
    cl_device_svm_capabilities svm;
    cl_uint timer_ns; /* resolution of the times of its events */
    cl_device_mem_cache_type cache;
    cl_uint cache_line_B;
    cl_ulong cache_B;
};

enum {
    /* Alignment of buffers: the size of the largest type, long16. */
    DEVICE_BASE_ALIGN_B = 128,
    DEVICE_PRINTF_B = 1 << 20 /* print buffer of a kernel */
};

/* Limits of images: sides, layers of an array, pixels of an image from a buffer. */
enum {
    DEVICE_IMAGE_2D = 16384,
    DEVICE_IMAGE_3D = 2048,
    DEVICE_IMAGE_LAYERS = 2048,
    DEVICE_IMAGE_BUFFER = 1 << 27
};

cl_platform_id
platform_get(void);

/* Makes a UUID of version 8, RFC 9562, of a text and a number. */
void
device_make_uuid(const char *text, cl_uint number,
                 cl_uchar uuid[CL_UUID_SIZE_KHR]);

/* Lists all devices, which the first call opens. */
cl_device_id *
platform_devices(cl_uint *count);

/* Makes a forked child open the devices anew. */
void
device_reset(void);

static inline bool
device_is(cl_device_id d)
{
    return object_is(d, OBJECT_DEVICE);
}

/* Whether a list from the application has only valid device handles. */
bool
devices_are(cl_uint n, const cl_device_id *devices);
