// SPDX-License-Identifier: Apache-2.0
// Kernels for ffmpeg's filters that are given one: program_opencl, openclsrc.

kernel void
ripple(write_only image2d_t to, unsigned index, read_only image2d_t from)
{
    const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE |
                             CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 shift = (float2)(0.25f, 0.125f * (at.x % 16) + index);
    write_imagef(to, at, read_imagef(from, linear, convert_float2(at) + shift));
}

kernel void
rings(write_only image2d_t to, unsigned index)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 from_middle = convert_float2(at - get_image_dim(to) / 2);
    write_imagef(to, at, 0.5f + 0.5f * cos(length(from_middle) * 0.3f + index));
}
