/* SPDX-License-Identifier: Apache-2.0 */
/* Platform, devices, contexts and queues: what they are and what they say. */
#include "cl.h"

TEST(platform)
{
    cl_platform_id p;
    cl_uint n = 0;
    char text[4096];
    size_t size = 0;
    OK(clGetPlatformIDs(1, &p, &n));
    CHECK(n >= 1);
    OK(clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof text, text, &size));
    CHECK_STR(text, "Ventus");
    CHECK_EQ(size, strlen("Ventus") + 1);
    OK(clGetPlatformInfo(p, CL_PLATFORM_VERSION, sizeof text, text, NULL));
    CHECK(strncmp(text, "OpenCL 3.1 ", 11) == 0);
    OK(clGetPlatformInfo(p, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    CHECK(strstr(text, "cl_khr_icd") != NULL);
    FAILS(CL_INVALID_VALUE,
          clGetPlatformInfo(p, CL_PLATFORM_NAME, 3, text, NULL));
    FAILS(CL_INVALID_VALUE,
          clGetPlatformInfo(p, CL_DEVICE_NAME, sizeof text, text, NULL));
    OK(clUnloadPlatformCompiler(p));
    OK(clUnloadCompiler());
}

TEST(device_ids)
{
    cl_platform_id p;
    cl_device_id d[4];
    cl_uint n = 0;
    OK(clGetPlatformIDs(1, &p, NULL));
    const cl_device_type found[] = { CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL,
                                     CL_DEVICE_TYPE_DEFAULT,
                                     CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU };
    for (unsigned i = 0; i < 4; i++) {
        OK(clGetDeviceIDs(p, found[i], 4, d, &n));
        CHECK_EQ(n, 1);
    }
    FAILS(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(p, CL_DEVICE_TYPE_CPU, 4, d, &n));
    CHECK_EQ(n, 0);
    FAILS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(p, 0, 4, d, &n));
    FAILS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(p, 1 << 20, 4, d, &n));
    FAILS(CL_INVALID_VALUE, clGetDeviceIDs(p, CL_DEVICE_TYPE_GPU, 0, d, &n));
    FAILS(CL_INVALID_VALUE,
          clGetDeviceIDs(p, CL_DEVICE_TYPE_GPU, 0, NULL, NULL));
    OK(clRetainDevice(d[0]));
    OK(clReleaseDevice(d[0]));
    cl_device_partition_property parts[] = { CL_DEVICE_PARTITION_EQUALLY, 1,
                                             0 };
    FAILS(CL_INVALID_VALUE, clCreateSubDevices(d[0], parts, 4, d, &n));
}

/* What programs rely on; several compare the type with ==. */
TEST(device_says)
{
    struct cl t = cl_open(0);
    CHECK_EQ(ASK_DEVICE(cl_device_type, CL_DEVICE_TYPE), CL_DEVICE_TYPE_GPU);
    CHECK(ASK_DEVICE(cl_ulong, CL_DEVICE_GLOBAL_MEM_SIZE) >= 1u << 30);
    CHECK(ASK_DEVICE(cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= 1u << 28);
    CHECK(ASK_DEVICE(cl_ulong, CL_DEVICE_LOCAL_MEM_SIZE) >= 32 << 10);
    CHECK_EQ(ASK_DEVICE(size_t, CL_DEVICE_MAX_WORK_GROUP_SIZE), 1024);
    CHECK_EQ(ASK_DEVICE(size_t, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE),
             32);
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_ADDRESS_BITS), 32);
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024);
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_IMAGE_SUPPORT), CL_TRUE);
    CHECK(ASK_DEVICE(cl_platform_id, CL_DEVICE_PLATFORM) == t.platform);
    CHECK(ASK_DEVICE(size_t, CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
    size_t sizes[3];
    OK(clGetDeviceInfo(t.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes,
                       sizes, NULL));
    CHECK(sizes[0] == 1024 && sizes[1] == 1024 && sizes[2] == 1024);
    FAILS(CL_INVALID_VALUE,
          clGetDeviceInfo(t.device, CL_DEVICE_TYPE, 1, sizes, NULL));
    FAILS(CL_INVALID_VALUE, clGetDeviceInfo(t.device, 1, 8, sizes, NULL));
    cl_ulong device, host;
    OK(clGetDeviceAndHostTimer(t.device, &device, &host));
    cl_ulong later;
    OK(clGetHostTimer(t.device, &later));
    CHECK(later >= host);
    FAILS(CL_INVALID_VALUE, clGetHostTimer(t.device, NULL));
    cl_close(&t);
}

/* Every query of OpenCL 3.0 has an answer; the numbers of cl.h have gaps. */
TEST(device_answers_all)
{
    struct cl t = cl_open(0);
    unsigned answers = 0;
    for (cl_device_info i = 0x1000; i <= 0x1072; i++) {
        char value[8192];
        size_t size = 0;
        if (clGetDeviceInfo(t.device, i, 0, NULL, &size) != CL_SUCCESS)
            continue;
        answers++;
        if (!CHECK(size <= sizeof value))
            break;
        OK(clGetDeviceInfo(t.device, i, size, value, NULL));
    }
    /* The queries of cl.h in this range, CL_DEVICE_HALF_FP_CONFIG, five of
     * cl_khr_device_uuid and one of cl_khr_extended_versioning. */
    CHECK_EQ(answers, 115);
    cl_close(&t);
}

TEST(context)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_context c;
    cl_context_properties good[] = { CL_CONTEXT_PLATFORM,
                                     (cl_context_properties)t.platform, 0 };
    CREATES(c, clCreateContext(good, 1, &t.device, NULL, NULL, &code));
    cl_uint n;
    size_t size;
    cl_context_properties back[3];
    OK(clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
    CHECK_EQ(n, 1);
    OK(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof back, back, &size));
    CHECK(size == sizeof good && memcmp(good, back, size) == 0);
    cl_device_id d = NULL;
    OK(clGetContextInfo(c, CL_CONTEXT_DEVICES, sizeof d, &d, NULL));
    CHECK(d == t.device);
    FAILS(CL_INVALID_VALUE, clGetContextInfo(c, 1, 0, NULL, NULL));
    OK(clReleaseContext(c));
    CREATES(c, clCreateContextFromType(good, CL_DEVICE_TYPE_GPU, NULL, NULL,
                                       &code));
    OK(clReleaseContext(c));
    cl_close(&t);
}

TEST(context_refusals)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_context_properties platform = (cl_context_properties)t.platform;
    cl_context_properties unknown[] = { 4711, 1, 0 };
    cl_context_properties twice[] = { CL_CONTEXT_PLATFORM, platform,
                                      CL_CONTEXT_PLATFORM, platform, 0 };
    cl_device_id none = NULL;
    REFUSES(CL_INVALID_PROPERTY,
            clCreateContext(unknown, 1, &t.device, NULL, NULL, &code));
    REFUSES(CL_INVALID_PROPERTY,
            clCreateContext(twice, 1, &t.device, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateContext(NULL, 1, &t.device, NULL, &t, &code));
    REFUSES(CL_DEVICE_NOT_FOUND,
            clCreateContextFromType(
                (cl_context_properties[]){ CL_CONTEXT_PLATFORM, platform, 0 },
                CL_DEVICE_TYPE_CPU, NULL, NULL, &code));
    (void)none;
    FAILS(CL_INVALID_CONTEXT, clRetainContext((cl_context)t.queue));
    FAILS(CL_INVALID_CONTEXT, clReleaseContext((cl_context)t.queue));
    cl_close(&t);
}

TEST(queue)
{
    struct cl t = cl_open(CL_QUEUE_PROFILING_ENABLE);
    cl_int code;
    cl_command_queue q;
    cl_command_queue_properties properties;
    cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
                                   CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
    size_t size;
    OK(clGetCommandQueueInfo(t.queue, CL_QUEUE_PROPERTIES, sizeof properties,
                             &properties, NULL));
    CHECK_EQ(properties, CL_QUEUE_PROFILING_ENABLE);
    OK(clGetCommandQueueInfo(t.queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL,
                             &size));
    CHECK_EQ(size, 0);
    CREATES(q, clCreateCommandQueueWithProperties(t.context, t.device, list,
                                                  &code));
    OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
    CHECK_EQ(size, sizeof list);
    OK(clFlush(q));
    OK(clFinish(q));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          clGetCommandQueueInfo(q, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    FAILS(CL_INVALID_VALUE, clGetCommandQueueInfo(q, 1, 0, NULL, NULL));
    FAILS(
        CL_INVALID_OPERATION,
        clSetCommandQueueProperty(q, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, NULL));
    OK(clReleaseCommandQueue(q));
    REFUSES(CL_INVALID_VALUE,
            clCreateCommandQueue(t.context, t.device, 1 << 10, &code));
    cl_queue_properties on_device[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE,
                                        0 };
    REFUSES(CL_INVALID_QUEUE_PROPERTIES,
            clCreateCommandQueueWithProperties(t.context, t.device, on_device,
                                               &code));
    cl_queue_properties strange[] = { 4711, 1, 0 };
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(
                                  t.context, t.device, strange, &code));
    FAILS(CL_INVALID_COMMAND_QUEUE, clFinish((cl_command_queue)t.context));
    cl_close(&t);
}

TEST_MAIN
