#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An OpenCL program, compiled as for any platform, on two machines.
command -v gcc >/dev/null || {
    echo "no gcc"
    exit 77
}
cat >ask.c <<'END'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
int main(void)
{
    static const char *text =
        "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }";
    int x[64];
    size_t n = 64;
    cl_platform_id p;
    cl_device_id d;
    for (int i = 0; i < 64; i++)
        x[i] = i;
    if (clGetPlatformIDs(1, &p, NULL) ||
        clGetDeviceIDs(p, CL_DEVICE_TYPE_GPU, 1, &d, NULL))
        return 1;
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);
    cl_program g = clCreateProgramWithSource(c, 1, &text, NULL, NULL);
    if (clBuildProgram(g, 0, NULL, NULL, NULL, NULL))
        return 2;
    cl_kernel k = clCreateKernel(g, "twice", NULL);
    cl_mem m = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof x, x, NULL);
    clSetKernelArg(k, 0, sizeof m, &m);
    if (clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL) ||
        clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL))
        return 3;
    printf("%d\n", x[21]);
    return x[21] != 42;
}
END
gcc ask.c -o ask -lOpenCL 2>err || {
    grep -q 'CL/cl.h\|lOpenCL' err && echo "no OpenCL headers or loader" && exit 77
    cat err
    exit 1
}
ventus run -- ./ask
ventus run --model chisel --report report.html --json stats.json -- ./ask
grep -q twice report.html
grep -q twice stats.json
ventus run --check=memory,init,race,sync -- ./ask
