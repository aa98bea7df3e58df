/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/context/context.h"

struct _cl_sampler {
    struct object base;
    cl_context context;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler_properties properties[7]; /* as given, including the 0 */
    size_t n_properties;
};

static inline bool
sampler_is(cl_sampler s)
{
    return object_is(s, OBJECT_SAMPLER);
}

/* The word that kernels receive: abi/image.h. */
cl_uint
sampler_word(cl_sampler s);
