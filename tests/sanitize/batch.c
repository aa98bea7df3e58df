/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches all kernels of a file, one after the other:
 *
 *     batch FILE.cl SIZES
 *
 * SIZES is a text file with a line for each kernel: its name, global and local size.
 * Each has three buffers of ints: `global` of 4096, `out` of 1024, `cells` of 64, all 0
 * before each launch.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUFFERS = 3 };
static const size_t ints[BUFFERS] = { 4096, 1024, 64 };

static void
check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "batch: error %d from %s\n", code, what);
    exit(2);
}

static char *
read_text(const char *path)
{
    enum { MOST = 1 << 24 };
    FILE *f = fopen(path, "rb");
    char *text = malloc(MOST);
    size_t n = f && text ? fread(text, 1, MOST - 1, f) : 0;
    if (!n) {
        fprintf(stderr, "batch: %s: cannot be read\n", path);
        exit(2);
    }
    fclose(f);
    text[n] = 0;
    return text;
}

static cl_program
build(cl_context context, cl_device_id device, const char *text)
{
    cl_int code;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    if (clBuildProgram(p, 1, &device, "-cl-std=CL3.0 -g", NULL, NULL) ==
        CL_SUCCESS)
        return p;
    static char log[1 << 16];
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                          NULL);
    fprintf(stderr, "batch: the program does not build\n%s\n", log);
    exit(2);
}

static void
launch(cl_command_queue q, cl_program p, const cl_mem *buffer, const char *name,
       size_t global, size_t local)
{
    cl_int code;
    const cl_int zero = 0;
    cl_kernel k = clCreateKernel(p, name, &code);
    check(code, "clCreateKernel");
    for (cl_uint i = 0; i < BUFFERS; i++) {
        check(clEnqueueFillBuffer(q, buffer[i], &zero, sizeof zero, 0,
                                  ints[i] * sizeof(cl_int), 0, NULL, NULL),
              "clEnqueueFillBuffer");
        check(clSetKernelArg(k, i, sizeof buffer[i], &buffer[i]),
              "clSetKernelArg");
    }
    check(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(q), name);
    check(clReleaseKernel(k), "clReleaseKernel");
}

int
main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    cl_mem buffer[BUFFERS];
    char name[64];
    size_t global, local;
    if (argc != 3)
        return 2;
    char *text = read_text(argv[1]);
    FILE *sizes = fopen(argv[2], "r");
    check(sizes ? CL_SUCCESS : -1, argv[2]);
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
          "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue q =
        clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code, "clCreateCommandQueue");
    cl_program p = build(context, device, text);
    for (unsigned i = 0; i < BUFFERS; i++) {
        buffer[i] = clCreateBuffer(context, CL_MEM_READ_WRITE,
                                   ints[i] * sizeof(cl_int), NULL, &code);
        check(code, "clCreateBuffer");
    }
    while (fscanf(sizes, "%63s %zu %zu", name, &global, &local) == 3)
        launch(q, p, buffer, name, global, local);
    fclose(sizes);
    for (unsigned i = 0; i < BUFFERS; i++)
        check(clReleaseMemObject(buffer[i]), "clReleaseMemObject");
    check(clReleaseProgram(p), "clReleaseProgram");
    check(clReleaseCommandQueue(q), "clReleaseCommandQueue");
    check(clReleaseContext(context), "clReleaseContext");
    free(text);
    return 0;
}
