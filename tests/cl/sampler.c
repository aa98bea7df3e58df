/* SPDX-License-Identifier: Apache-2.0 */
/* Samplers: what they say, what they refuse. */
#include "cl.h"

TEST(samplers)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_sampler s;
    cl_uint value;
    cl_context c;
    const cl_sampler_properties list[] = { CL_SAMPLER_NORMALIZED_COORDS,
                                           CL_FALSE, CL_SAMPLER_FILTER_MODE,
                                           CL_FILTER_LINEAR, 0 };
    const cl_sampler_properties twice[] = { CL_SAMPLER_FILTER_MODE,
                                            CL_FILTER_LINEAR,
                                            CL_SAMPLER_FILTER_MODE,
                                            CL_FILTER_LINEAR, 0 };
    const cl_sampler_properties strange[] = { CL_IMAGE_WIDTH, 1, 0 };
    cl_sampler_properties back[8];
    size_t size;
#define ASK(name, to) OK(clGetSamplerInfo(s, name, sizeof to, &to, NULL))
    CREATES(s, clCreateSampler(t.context, CL_TRUE, CL_ADDRESS_REPEAT,
                               CL_FILTER_NEAREST, &code));
    ASK(CL_SAMPLER_ADDRESSING_MODE, value);
    CHECK_EQ(value, CL_ADDRESS_REPEAT);
    ASK(CL_SAMPLER_FILTER_MODE, value);
    CHECK_EQ(value, CL_FILTER_NEAREST);
    ASK(CL_SAMPLER_NORMALIZED_COORDS, value);
    CHECK_EQ(value, CL_TRUE);
    OK(clRetainSampler(s));
    ASK(CL_SAMPLER_REFERENCE_COUNT, value);
    CHECK_EQ(value, 2);
    ASK(CL_SAMPLER_CONTEXT, c);
    CHECK(c == t.context);
    OK(clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES, sizeof back, back, &size));
    CHECK_EQ(size, 0);
    FAILS(CL_INVALID_VALUE,
          clGetSamplerInfo(s, CL_SAMPLER_CONTEXT, 1, &c, NULL));
    FAILS(CL_INVALID_VALUE, clGetSamplerInfo(s, CL_IMAGE_WIDTH, 8, back, NULL));
    OK(clReleaseSampler(s));
    OK(clReleaseSampler(s));
    FAILS(CL_INVALID_SAMPLER, clReleaseSampler(s));
    FAILS(CL_INVALID_SAMPLER, clRetainSampler((cl_sampler)t.queue));
    CREATES(s, clCreateSamplerWithProperties(t.context, list, &code));
    ASK(CL_SAMPLER_ADDRESSING_MODE, value);
    CHECK_EQ(value, CL_ADDRESS_CLAMP);
    ASK(CL_SAMPLER_NORMALIZED_COORDS, value);
    CHECK_EQ(value, CL_FALSE);
    OK(clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES, sizeof back, back, &size));
    CHECK(size == sizeof list && memcmp(back, list, size) == 0);
    OK(clReleaseSampler(s));
    REFUSES(CL_INVALID_VALUE,
            clCreateSamplerWithProperties(t.context, twice, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateSamplerWithProperties(t.context, strange, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateSampler(t.context, CL_TRUE, 0, CL_FILTER_NEAREST, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateSampler(t.context, CL_TRUE, CL_ADDRESS_CLAMP, 0, &code));
    REFUSES(CL_INVALID_VALUE, clCreateSampler(t.context, 2, CL_ADDRESS_CLAMP,
                                              CL_FILTER_NEAREST, &code));
    REFUSES(CL_INVALID_CONTEXT,
            clCreateSampler((cl_context)t.queue, CL_TRUE, CL_ADDRESS_CLAMP,
                            CL_FILTER_NEAREST, &code));
    cl_close(&t);
}

TEST_MAIN
