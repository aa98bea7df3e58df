/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/memory/sampler.h"

#include <assert.h>
#include <string.h>

#include "abi/image.h"

static void
destroy_sampler(void *object)
{
    cl_sampler s = object;
    object_unref(s->context);
}

cl_uint
sampler_word(cl_sampler s)
{
    static const cl_uint modes[] = {
        [CL_ADDRESS_NONE - CL_ADDRESS_NONE] = IMAGE_ADDRESS_NONE,
        [CL_ADDRESS_CLAMP_TO_EDGE - CL_ADDRESS_NONE] =
            IMAGE_ADDRESS_CLAMP_TO_EDGE,
        [CL_ADDRESS_CLAMP - CL_ADDRESS_NONE] = IMAGE_ADDRESS_CLAMP,
        [CL_ADDRESS_REPEAT - CL_ADDRESS_NONE] = IMAGE_ADDRESS_REPEAT,
        [CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE] =
            IMAGE_ADDRESS_MIRRORED_REPEAT,
    };
    assert(s->addressing >= CL_ADDRESS_NONE &&
           s->addressing <= CL_ADDRESS_MIRRORED_REPEAT);
    return modes[s->addressing - CL_ADDRESS_NONE] |
           (s->normalized ? IMAGE_NORMALISED : IMAGE_UNNORMALISED) |
           (s->filter == CL_FILTER_LINEAR ? IMAGE_LINEAR : IMAGE_NEAREST);
}

static bool
set_property(cl_sampler s, cl_sampler_properties name,
             cl_sampler_properties value)
{
    switch (name) {
    case CL_SAMPLER_NORMALIZED_COORDS:
        s->normalized = (cl_bool)value;
        return value == CL_TRUE || value == CL_FALSE;
    case CL_SAMPLER_ADDRESSING_MODE:
        s->addressing = (cl_addressing_mode)value;
        return value >= CL_ADDRESS_NONE && value <= CL_ADDRESS_MIRRORED_REPEAT;
    case CL_SAMPLER_FILTER_MODE:
        s->filter = (cl_filter_mode)value;
        return value == CL_FILTER_NEAREST || value == CL_FILTER_LINEAR;
    }
    return false;
}

/* Sets pairs up to a 0, each name at most once. */
static cl_int
set_all(cl_sampler s, const cl_sampler_properties *p)
{
    size_t n = 0;
    s->normalized = CL_TRUE;
    s->addressing = CL_ADDRESS_CLAMP;
    s->filter = CL_FILTER_NEAREST;
    for (; p && p[n]; n += 2) {
        for (size_t i = 0; i < n; i += 2)
            CL_EXPECT(p[i] != p[n], CL_INVALID_VALUE,
                      "the property 0x%" PRIx64 " is given twice",
                      (uint64_t)p[n]);
        CL_EXPECT(set_property(s, p[n], p[n + 1]), CL_INVALID_VALUE,
                  "the property 0x%" PRIx64
                  " is unknown, or its value 0x%" PRIx64 " is",
                  (uint64_t)p[n], (uint64_t)p[n + 1]);
    }
    if (!p)
        return CL_SUCCESS;
    s->n_properties = n + 1;
    assert(s->n_properties <= sizeof s->properties / sizeof *s->properties);
    memcpy(s->properties, p, s->n_properties * sizeof *p);
    return CL_SUCCESS;
}

static cl_int
create_sampler(cl_context context, const cl_sampler_properties *properties,
               bool keep, cl_sampler *sampler)
{
    struct _cl_sampler wanted = { .normalized = CL_TRUE };
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_CHECK(set_all(&wanted, properties));
    cl_sampler s = object_new(OBJECT_SAMPLER, sizeof *s, destroy_sampler);
    CL_REQUIRE(s, CL_OUT_OF_HOST_MEMORY);
    wanted.base = s->base;
    *s = wanted;
    s->context = object_ref(context);
    if (!keep)
        s->n_properties = 0;
    *sampler = s;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_sampler CL_API_CALL
clCreateSamplerWithProperties(cl_context context,
                              const cl_sampler_properties *sampler_properties,
                              cl_int *errcode_ret)
{
    cl_sampler sampler = NULL;
    CL_RETURN(create_sampler(context, sampler_properties, true, &sampler),
              sampler);
}

CL_API_ENTRY cl_sampler CL_API_CALL
clCreateSampler(cl_context context, cl_bool normalized_coords,
                cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                cl_int *errcode_ret)
{
    const cl_sampler_properties properties[] = { CL_SAMPLER_NORMALIZED_COORDS,
                                                 normalized_coords,
                                                 CL_SAMPLER_ADDRESSING_MODE,
                                                 addressing_mode,
                                                 CL_SAMPLER_FILTER_MODE,
                                                 filter_mode,
                                                 0 };
    cl_sampler sampler = NULL;
    CL_RETURN(create_sampler(context, properties, false, &sampler), sampler);
}

CL_API_ENTRY cl_int CL_API_CALL
clRetainSampler(cl_sampler sampler)
{
    return object_retain(sampler, OBJECT_SAMPLER, CL_INVALID_SAMPLER);
}

CL_API_ENTRY cl_int CL_API_CALL
clReleaseSampler(cl_sampler sampler)
{
    return object_release(sampler, OBJECT_SAMPLER, CL_INVALID_SAMPLER);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetSamplerInfo(cl_sampler s, cl_sampler_info param_name,
                 size_t param_value_size, void *param_value,
                 size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(sampler_is(s), CL_INVALID_SAMPLER);
    switch (param_name) {
    case CL_SAMPLER_REFERENCE_COUNT:
        return INFO(&info, cl_uint, object_handles(s));
    case CL_SAMPLER_CONTEXT:
        return INFO(&info, cl_context, s->context);
    case CL_SAMPLER_NORMALIZED_COORDS:
        return INFO(&info, cl_bool, s->normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
        return INFO(&info, cl_addressing_mode, s->addressing);
    case CL_SAMPLER_FILTER_MODE:
        return INFO(&info, cl_filter_mode, s->filter);
    case CL_SAMPLER_PROPERTIES:
        return info_put(&info, s->properties,
                        s->n_properties * sizeof *s->properties);
    }
    return info_unknown(param_name);
}
