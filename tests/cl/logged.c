/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose lines in the log logged.py reads. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>

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
    clReleaseContext(c);
    return 0;
}
