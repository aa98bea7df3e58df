/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose one call fails, which --check=api shall report:
 *
 *     calls argument|range|size|name|twice
 *     calls questions    calls that fail since programs ask by them
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <string.h>

static struct {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
} p;

static cl_program
make_program(const char *source)
{
    cl_program made =
        clCreateProgramWithSource(p.context, 1, &source, NULL, NULL);
    clBuildProgram(made, 1, &p.device, "", NULL, NULL);
    return made;
}

static void
make_all(void)
{
    static const char one[] = "kernel void one(global int *out, int n)"
                              "{ out[get_global_id(0)] = n; }";
    clGetPlatformIDs(1, &p.platform, NULL);
    clGetDeviceIDs(p.platform, CL_DEVICE_TYPE_ALL, 1, &p.device, NULL);
    p.context = clCreateContext(NULL, 1, &p.device, NULL, NULL, NULL);
    p.queue =
        clCreateCommandQueueWithProperties(p.context, p.device, NULL, NULL);
    p.program = make_program(one);
    p.kernel = clCreateKernel(p.program, "one", NULL);
    p.buffer = clCreateBuffer(p.context, CL_MEM_READ_WRITE, 64, NULL, NULL);
}

static void
release_all(void)
{
    clFinish(p.queue);
    clReleaseMemObject(p.buffer);
    clReleaseKernel(p.kernel);
    clReleaseProgram(p.program);
    clReleaseCommandQueue(p.queue);
    clReleaseContext(p.context);
}

/* A type of device that is not there, a query of another vendor's, a function and a
 * program that may not be there. */
static void
ask(void)
{
    enum { OF_ANOTHER_VENDOR = 0x4000 };
    char text[64];
    clGetDeviceIDs(p.platform, CL_DEVICE_TYPE_CUSTOM, 1, &p.device, NULL);
    clGetDeviceInfo(p.device, OF_ANOTHER_VENDOR, sizeof text, text, NULL);
    clGetExtensionFunctionAddressForPlatform(p.platform, "clNothingVENDOR");
    clReleaseProgram(make_program("kernel void wrong() { no }"));
}

static void
make_mistake(const char *what)
{
    size_t n = 16;
    int to[32];
    if (strcmp(what, "argument") == 0)
        clEnqueueNDRangeKernel(p.queue, p.kernel, 1, NULL, &n, NULL, 0, NULL,
                               NULL);
    if (strcmp(what, "range") == 0)
        clEnqueueReadBuffer(p.queue, p.buffer, CL_TRUE, 32, 64, to, 0, NULL,
                            NULL);
    if (strcmp(what, "size") == 0)
        clSetKernelArg(p.kernel, 1, 2, to);
    if (strcmp(what, "name") == 0)
        clCreateKernel(p.program, "two", NULL);
    if (strcmp(what, "twice") == 0) {
        cl_mem other =
            clCreateBuffer(p.context, CL_MEM_READ_WRITE, 64, NULL, NULL);
        clReleaseMemObject(other);
        clReleaseMemObject(other);
    }
    if (strcmp(what, "questions") == 0)
        ask();
}

int
main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    make_all();
    make_mistake(argv[1]);
    release_all();
    return 0;
}
