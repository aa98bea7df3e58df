/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose lines in the log logged.py reads. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>

#include "cl/queue/command_buffer_entries.h"

/* An entry of an extension, and one that is refused. */
static void
record_commands(cl_platform_id platform, cl_context c, cl_device_id device)
{
    __typeof__(command_buffer_create) *create =
        (__typeof__(command_buffer_create) *)(uintptr_t)
            clGetExtensionFunctionAddressForPlatform(
                platform, "clCreateCommandBufferKHR");
    __typeof__(barrier_record) *barrier =
        (__typeof__(barrier_record) *)(uintptr_t)
            clGetExtensionFunctionAddressForPlatform(
                platform, "clCommandBarrierWithWaitListKHR");
    __typeof__(command_buffer_get_info) *ask =
        (__typeof__(command_buffer_get_info) *)(uintptr_t)
            clGetExtensionFunctionAddressForPlatform(
                platform, "clGetCommandBufferInfoKHR");
    cl_uint n;
    cl_command_queue q =
        clCreateCommandQueueWithProperties(c, device, NULL, NULL);
    cl_command_buffer_khr b = create(1, &q, NULL, NULL);
    ask(b, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof n, &n, NULL);
    barrier(b, q, NULL, 0, NULL, NULL, NULL);
}

int
main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_ulong value;
    cl_int code;
    clGetPlatformIDs(1, &platform, NULL);
    code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    if (code != CL_SUCCESS) {
        printf("no device: %d\n", code);
        return 1;
    }
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof value, &value,
                    NULL);
    clGetDeviceInfo(device, 0x1058, sizeof value, &value, NULL);
    clGetDeviceInfo(device, 0x4242, sizeof value, &value, NULL);
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    clSVMAlloc(c, CL_MEM_SVM_FINE_GRAIN_BUFFER, 16, 0);
    clSVMAlloc(c, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, 0);
    clSVMAlloc(c, CL_MEM_SVM_ATOMICS, 16, 0);
    clSVMAlloc(c, 0, 0, 0);
    clSVMAlloc(c, 0, 16, 3);
    void *at = clSVMAlloc(c, 0, 16, 0);
    clSVMFree(c, at);
    record_commands(platform, c, device);
    clReleaseContext(c);
    return 0;
}
