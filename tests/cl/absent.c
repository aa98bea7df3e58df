/* SPDX-License-Identifier: Apache-2.0 */
/* What the devices do not have says so, and no entry is missing. */
#include "cl.h"

#include <CL/cl_icd.h>

TEST(no_entry_is_null)
{
    struct cl t = cl_open(0);
    void *const *table = *(void *const **)t.context;
    for (size_t i = 0; i < sizeof(cl_icd_dispatch) / sizeof *table; i++)
        CHECK(table[i] != NULL);
    cl_close(&t);
}

TEST(images)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
    cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                           .image_width = 4,
                           .image_height = 4 };
    const size_t zero[3] = { 0 }, one[3] = { 1, 1, 1 };
    cl_mem m = cl_buffer(&t, 0, 64, NULL);
    cl_uint n = 99;
    char bytes[64];
    REFUSES(CL_INVALID_OPERATION,
            clCreateImage(t.context, 0, &format, &desc, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            clCreateImage2D(t.context, 0, &format, 4, 4, 0, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            clCreateSampler(t.context, CL_TRUE, CL_ADDRESS_CLAMP,
                            CL_FILTER_NEAREST, &code));
    REFUSES(CL_INVALID_CONTEXT,
            clCreateImage((cl_context)t.queue, 0, &format, &desc, NULL, &code));
    OK(clGetSupportedImageFormats(t.context, CL_MEM_READ_ONLY,
                                  CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n));
    CHECK_EQ(n, 0);
    FAILS(CL_INVALID_VALUE,
          clGetSupportedImageFormats(t.context, CL_MEM_READ_ONLY,
                                     CL_MEM_OBJECT_BUFFER, 0, NULL, &n));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueReadImage(t.queue, m, CL_TRUE, zero, one, 0, 0, bytes, 0,
                             NULL, NULL));
    FAILS(
        CL_INVALID_OPERATION,
        clEnqueueCopyBufferToImage(t.queue, m, m, 0, zero, one, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          clGetImageInfo(m, CL_IMAGE_WIDTH, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(shared_virtual_memory_and_pipes)
{
    struct cl t = cl_open(0);
    cl_int code;
    char bytes[16];
    CHECK(clSVMAlloc(t.context, CL_MEM_READ_WRITE, 64, 0) == NULL);
    clSVMFree(t.context, NULL);
    FAILS(CL_INVALID_OPERATION,
          clEnqueueSVMMemcpy(t.queue, CL_TRUE, bytes, bytes + 8, 8, 0, NULL,
                             NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueSVMMap(t.queue, CL_TRUE, CL_MAP_READ,
                                                bytes, 8, 0, NULL, NULL));
    REFUSES(CL_INVALID_OPERATION,
            clCreatePipe(t.context, 0, 4, 4, NULL, &code));
    FAILS(CL_INVALID_OPERATION,
          clSetDefaultDeviceCommandQueue(t.context, t.device, t.queue));
    cl_close(&t);
}

TEST(extension_functions)
{
    struct cl t = cl_open(0);
    CHECK(clGetExtensionFunctionAddressForPlatform(
              t.platform, "clIcdGetPlatformIDsKHR") != NULL);
    CHECK(clGetExtensionFunctionAddressForPlatform(
              t.platform, "clCreateFromGLBuffer") == NULL);
    cl_close(&t);
}

TEST_MAIN
