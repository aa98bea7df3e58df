/* SPDX-License-Identifier: Apache-2.0 */
/* Images: there are none yet; the rest of their entries is in absent.txt. */
#include "cl/context.h"

static bool
is_image_type(cl_mem_object_type type)
{
    return type >= CL_MEM_OBJECT_IMAGE2D &&
           type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                           cl_mem_object_type image_type, cl_uint num_entries,
                           cl_image_format *image_formats,
                           cl_uint *num_image_formats)
{
    const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY |
                                CL_MEM_WRITE_ONLY |
                                CL_MEM_KERNEL_READ_AND_WRITE;
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_REQUIRE(
        !(flags & ~(access | CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR |
                    CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
                    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)),
        CL_INVALID_VALUE);
    CL_REQUIRE(is_image_type(image_type), CL_INVALID_VALUE);
    CL_REQUIRE(num_entries || !image_formats, CL_INVALID_VALUE);
    if (num_image_formats)
        *num_image_formats = 0;
    return CL_SUCCESS;
}
