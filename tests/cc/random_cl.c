/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_cl PLATFORM FILE.cl JOB OUT SHARE [OPTIONS]: random kernels on the
 * OpenCL platform whose name contains PLATFORM.  Exit status 77 if there is
 * none.  If SHARE is not 0, kernel K is share{K / SHARE} with K as ninth
 * argument.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "platform.h"
#include "random_job.h"

struct buffers {
    cl_mem a, o, g;
};

/* Kept until the next: pocl compiles each that is created. */
static cl_kernel
find_kernel(cl_program program, int number, int share)
{
    static cl_kernel last;
    static char last_name[32];
    char name[32];
    cl_int error;
    snprintf(name, sizeof name, share ? "share%d" : "k%d",
             share ? number / share : number);
    if (last && strcmp(name, last_name) == 0)
        return last;
    if (last)
        clReleaseKernel(last);
    last = clCreateKernel(program, strcpy(last_name, name), &error);
    must(error, name);
    return last;
}

static bool
run(cl_command_queue queue, cl_kernel k, cl_int number, const struct job *job,
    const struct buffers *b, char *out)
{
    cl_int error;
    cl_char c = (cl_char)job->c;
    const struct {
        size_t size;
        const void *at;
    } args[] = {
        { sizeof b->a, &b->a }, { 4, &job->n },         { 4, &job->m },
        { sizeof b->o, &b->o }, { sizeof b->g, &b->g }, { 1, &c },
        { 8, &job->w },         { 16, job->f },         { 4, &number }
    };
    cl_uint n_args;
    must(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof n_args, &n_args, NULL),
         "clGetKernelInfo");
    for (cl_uint i = 0; i < n_args; i++)
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
    return error == CL_SUCCESS;
}

int
main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    size_t n;
    int share = atoi(argv[5]);
    char *text = job_file(argv[2], &n);
    struct job *job = (struct job *)(void *)job_file(argv[3], &n);
    cl_device_id device = find_device(argv[1]);
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    must(error, "clCreateCommandQueue");
    cl_program program = build(context, device, text, argc > 6 ? argv[6] : "");
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
        int32_t ran =
            run(queue, find_kernel(program, k, share), k, job, &b, out);
        fwrite(&ran, 4, 1, to);
        fwrite(out, size, 1, to);
    }
    return !to || fclose(to);
}
