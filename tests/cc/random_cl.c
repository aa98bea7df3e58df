/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_cl PLATFORM FILE.cl JOB OUT [OPTIONS]: random kernels on the OpenCL
 * platform whose name contains PLATFORM.  Exit status 77 if there is none.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <string.h>

#include "random_job.h"

static void
must(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(1);
}

static cl_device_id
find_device(const char *name)
{
    cl_platform_id platforms[16];
    cl_uint n = 0;
    clGetPlatformIDs(16, platforms, &n);
    for (cl_uint i = 0; i < n && i < 16; i++) {
        char found[256];
        cl_device_id device;
        if (!clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof found,
                               found, NULL) &&
            strstr(found, name) &&
            !clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
            return device;
    }
    fprintf(stderr, "no OpenCL platform '%s'\n", name);
    exit(77);
}

static cl_program
build(cl_context context, cl_device_id device, const char *text,
      const char *options)
{
    cl_int error;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    must(error, "clCreateProgramWithSource");
    error = clBuildProgram(p, 1, &device, options, NULL, NULL);
    if (error) {
        static char log[65536];
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                              log, NULL);
        fputs(log, stderr);
    }
    must(error, "clBuildProgram");
    return p;
}

struct buffers {
    cl_mem a, o, g;
};

static bool
run(cl_command_queue queue, cl_program program, int number,
    const struct job *job, const struct buffers *b, char *out)
{
    char name[16];
    cl_int error;
    snprintf(name, sizeof name, "k%d", number);
    cl_kernel k = clCreateKernel(program, name, &error);
    must(error, name);
    cl_char c = (cl_char)job->c;
    const struct {
        size_t size;
        const void *at;
    } args[] = { { sizeof b->a, &b->a }, { 4, &job->n },         { 4, &job->m },
                 { sizeof b->o, &b->o }, { sizeof b->g, &b->g }, { 1, &c },
                 { 8, &job->w },         { 16, job->f } };
    for (cl_uint i = 0; i < sizeof args / sizeof *args; i++)
        must(clSetKernelArg(k, i, args[i].size, args[i].at), "clSetKernelArg");
    size_t size = job_output_B(job), cells = 4 * JOB_CELLS;
    size_t global[2] = { job->global[0], job->global[1] };
    size_t local[2] = { job->local[0], job->local[1] };
    const cl_int zero = 0;
    error = clEnqueueFillBuffer(queue, b->o, &zero, 4, 0, size, 0, NULL, NULL);
    error |=
        clEnqueueFillBuffer(queue, b->g, &zero, 4, 0, cells, 0, NULL, NULL);
    error |=
        clEnqueueNDRangeKernel(queue, k, 2, NULL, global, local, 0, NULL, NULL);
    error |=
        clEnqueueReadBuffer(queue, b->o, CL_TRUE, 0, size, out, 0, NULL, NULL);
    error |= clEnqueueReadBuffer(queue, b->g, CL_TRUE, 0, cells, out + size, 0,
                                 NULL, NULL);
    clReleaseKernel(k);
    return error == CL_SUCCESS;
}

int
main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    size_t n;
    char *text = job_file(argv[2], &n);
    struct job *job = (struct job *)(void *)job_file(argv[3], &n);
    cl_device_id device = find_device(argv[1]);
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    must(error, "clCreateCommandQueue");
    cl_program program = build(context, device, text, argc > 5 ? argv[5] : "");
    size_t size = job_output_B(job) + 4 * JOB_CELLS;
    struct buffers b = {
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                       sizeof job->a, job->a, NULL),
        clCreateBuffer(context, 0, job_output_B(job), NULL, NULL),
        clCreateBuffer(context, 0, sizeof job->a, NULL, NULL)
    };
    char *out = calloc(size, 1);
    FILE *to = fopen(argv[4], "wb");
    for (int k = 0; to && k < job->kernels; k++) {
        int32_t ran = run(queue, program, k, job, &b, out);
        fwrite(&ran, 4, 1, to);
        fwrite(out, size, 1, to);
    }
    return !to || fclose(to);
}
