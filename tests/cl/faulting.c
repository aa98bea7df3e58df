/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: faulting AT STATUS: a kernel stores to element AT of a buffer of 16 words, the
 * program reads the buffer and ends with the status, whatever the read returns.
 */
#include <stdio.h>
#include <stdlib.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

int
main(int argc, char **argv)
{
    const char *source =
        "kernel void put(global int *p, int at) { p[at] = 1; }";
    int words[16], at = argc > 1 ? atoi(argv[1]) : 0;
    const size_t one = 1;
    cl_platform_id platform;
    cl_device_id d;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &d, NULL))
        return 100;
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);
    cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
    clBuildProgram(p, 1, &d, NULL, NULL, NULL);
    cl_kernel k = clCreateKernel(p, "put", NULL);
    cl_mem m = clCreateBuffer(c, 0, sizeof words, NULL, NULL);
    clSetKernelArg(k, 0, sizeof m, &m);
    clSetKernelArg(k, 1, sizeof at, &at);
    if (clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL, NULL))
        return 101;
    printf("read: %d\n", clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof words,
                                             words, 0, NULL, NULL));
    clReleaseMemObject(m);
    clReleaseKernel(k);
    clReleaseProgram(p);
    clReleaseCommandQueue(q);
    clReleaseContext(c);
    return argc > 2 ? atoi(argv[2]) : 0;
}
