/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_cl PLATFORM FILE.cl OPTIONS JOBS: kernels of a program on the OpenCL
 * platform whose name contains PLATFORM; exit status 77 if there is none.
 * JOBS has a line for each kernel, and one for each of its arguments:
 *
 *     kernel NAME GX GY GZ LX LY LZ     sizes; LX 0: none is given
 *     local BYTES
 *     bytes HEX                         the value
 *     buffer FILE TO                    what it holds before and after
 *
 * What does not run is said on standard output: "NAME: error -5".
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "platform.h"
#include "random_job.h"

enum { ARGS = 32, TEXT = 512 };

struct buffer {
    cl_mem mem;
    size_t size;
    char to[TEXT];
};

struct run {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    char name[TEXT];
    size_t global[3], local[3];
    cl_uint n_args, n_buffers;
    struct buffer buffer[ARGS];
    cl_int error;
};

static void
begin(struct run *r, const char *line)
{
    if (sscanf(line, "kernel %511s %zu %zu %zu %zu %zu %zu", r->name,
               &r->global[0], &r->global[1], &r->global[2], &r->local[0],
               &r->local[1], &r->local[2]) != 7)
        exit(2);
    r->n_args = r->n_buffers = 0;
    r->kernel = clCreateKernel(r->program, r->name, &r->error);
}

static void
add_arg(struct run *r, size_t size, const void *value)
{
    if (!r->error)
        r->error = clSetKernelArg(r->kernel, r->n_args++, size, value);
}

static void
add_bytes(struct run *r, const char *hex)
{
    unsigned char bytes[TEXT / 2];
    unsigned value;
    size_t n = 0;
    for (; sscanf(hex, "%2x", &value) == 1; hex += 2)
        bytes[n++] = (unsigned char)value;
    add_arg(r, n, bytes);
}

static void
add_buffer(struct run *r, const char *line)
{
    struct buffer *b = &r->buffer[r->n_buffers++];
    char from[TEXT];
    if (r->n_buffers > ARGS || sscanf(line, "%511s %511s", from, b->to) != 2)
        exit(2);
    cl_int error;
    char *data = job_file(from, &b->size);
    b->mem =
        clCreateBuffer(r->context, CL_MEM_COPY_HOST_PTR, b->size, data, &error);
    must(error, "clCreateBuffer");
    free(data);
    add_arg(r, sizeof b->mem, &b->mem);
}

static void
end(struct run *r)
{
    if (!r->error)
        r->error = clEnqueueNDRangeKernel(
            r->queue, r->kernel, 3, NULL, r->global,
            r->local[0] ? r->local : NULL, 0, NULL, NULL);
    for (cl_uint i = 0; i < r->n_buffers; i++) {
        struct buffer *b = &r->buffer[i];
        void *data = calloc(b->size + 1, 1);
        FILE *to = r->error ? NULL : fopen(b->to, "wb");
        if (to) {
            r->error = clEnqueueReadBuffer(r->queue, b->mem, CL_TRUE, 0,
                                           b->size, data, 0, NULL, NULL);
            fwrite(data, 1, b->size, to);
            fclose(to);
        }
        free(data);
        clReleaseMemObject(b->mem);
    }
    if (r->error)
        printf("%s: error %d\n", r->name, r->error);
    if (r->kernel)
        clReleaseKernel(r->kernel);
    r->kernel = NULL;
}

int
main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    static struct run r;
    size_t n;
    cl_int error;
    cl_device_id device = find_device(argv[1]);
    r.context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must(error, "clCreateContext");
    r.queue = clCreateCommandQueue(r.context, device, 0, &error);
    must(error, "clCreateCommandQueue");
    r.program = build(r.context, device, job_file(argv[2], &n), argv[3]);
    FILE *jobs = fopen(argv[4], "r");
    char line[2 * TEXT];
    bool open = false;
    while (jobs && fgets(line, sizeof line, jobs)) {
        size_t size;
        if (strncmp(line, "kernel ", 7) == 0) {
            if (open)
                end(&r);
            open = true;
            begin(&r, line);
        } else if (sscanf(line, "local %zu", &size) == 1) {
            add_arg(&r, size, NULL);
        } else if (strncmp(line, "bytes ", 6) == 0) {
            add_bytes(&r, line + 6);
        } else if (strncmp(line, "buffer ", 7) == 0) {
            add_buffer(&r, line + 7);
        }
    }
    if (open)
        end(&r);
    return !jobs || fclose(jobs);
}
