/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's program: OpenCL headers and the loader, nothing of ours. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *source =
    "kernel void add(global const float *a, global float *b)\n"
    "{\n    b[get_global_id(0)] += sqrt(a[get_global_id(0)]);\n}\n";

int
main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    char name[100] = "";
    float a[64], b[64];
    size_t n = 64;
    int wrong = 0;
    for (int i = 0; i < 64; i++) {
        a[i] = (float)(i * i);
        b[i] = 1;
    }
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL))
        return puts("no device"), 1;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
    cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, &e);
    if (clBuildProgram(p, 0, NULL, "", NULL, NULL) != CL_SUCCESS) {
        char log[4096] = "";
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                              NULL);
        return puts(log), 1;
    }
    cl_kernel k = clCreateKernel(p, "add", &e);
    cl_mem ma = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof a, a, &e);
    cl_mem mb = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof b, b, &e);
    clSetKernelArg(k, 0, sizeof ma, &ma);
    clSetKernelArg(k, 1, sizeof mb, &mb);
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
    e = clEnqueueReadBuffer(q, mb, CL_TRUE, 0, sizeof b, b, 0, NULL, NULL);
    for (int i = 0; i < 64; i++)
        wrong += b[i] != (float)(i + 1);
    printf("%s: %s\n", name, e || wrong ? "wrong" : "right");
    return e || wrong; /* released at exit */
}
