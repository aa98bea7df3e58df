/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What the tests of images share. */
#include "cl.h"

static uint32_t seed = 1;

static inline size_t
below(size_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

static const cl_image_format rgba8 = { CL_RGBA, CL_UNORM_INT8 };
static const size_t zero[3] = { 0 }, one[3] = { 1, 1, 1 };

static inline cl_image_desc
desc_of(cl_mem_object_type type, size_t w, size_t h, size_t d)
{
    bool layered = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
                   type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    return (cl_image_desc){ .image_type = type,
                            .image_width = w,
                            .image_height = h,
                            .image_depth = layered ? 0 : d,
                            .image_array_size =
                                type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? h
                                : layered                           ? d
                                                                    : 0 };
}

static inline cl_mem
create(struct cl *t, cl_mem_flags flags, const cl_image_format *f,
       const cl_image_desc *d, const void *bytes)
{
    cl_int code;
    cl_mem m;
    CREATES(m, clCreateImage(t->context, flags, f, d, (void *)(uintptr_t)bytes,
                             &code));
    return m;
}

static inline cl_mem
image_2d(struct cl *t, size_t w, size_t h)
{
    cl_image_desc d = desc_of(CL_MEM_OBJECT_IMAGE2D, w, h, 0);
    return create(t, 0, &rgba8, &d, NULL);
}

#define SAYS(m, name, type, value)                                 \
    do {                                                           \
        type value_ = 0;                                           \
        OK(clGetImageInfo(m, name, sizeof value_, &value_, NULL)); \
        CHECK_EQ((uintptr_t)value_, (uintptr_t)(value));           \
    } while (0)
