/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program for kernels with mistakes:
 *
 *     host FILE.cl KERNEL GLOBAL LOCAL [ARGUMENT ...]
 *
 *     in:N      a buffer of N ints, 0, 1, 2, ...
 *     out:N     a buffer of N ints that the program does not write
 *     read:N    as in:N, which kernels may only read
 *     write:N   as out:N, which kernels may only write
 *     part:N    a sub-buffer of N ints, 64 ints from both ends of its buffer
 *     beside:N  the N ints behind the last of these, as another one
 *     whole     the buffer of the last one
 *     gone:N    a buffer that is released before the launch; its address as long
 *     local:N   N ints of local memory
 *     int:V     a number
 *     svm:N     shared memory of N ints; there are two launches then, and the program
 *               writes it before each: 0, 1, 2, ...
 *     kept:N    as svm:N, never freed
 *     null      a null pointer
 *     image:N   an image of N x N pixels of four floats
 *     leak:N    as in:N, never released
 *     mapped:N  as in:N, mapped for writing while the kernel runs
 *     twice:N   as in:N, mapped twice, once for writing, and unmapped before
 *     lent:N    as in:N; its first half, a sub-buffer, is mapped for writing
 *     pieces:N  as twice:N, once by a sub-buffer
 *     apart:N   as pieces:N, but the two maps have no byte in common
 *
 * HOST_OPTIONS in the environment are further build options.
 *
 * It ends with 0 whatever kernels do; 2: OpenCL refused a call.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGS = 8 };

static void
check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "host: error %d from %s\n", code, what);
    exit(2);
}

static char *
read_text(const char *path)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (!n) {
        fprintf(stderr, "host: %s: cannot be read\n", path);
        exit(2);
    }
    fclose(f);
    text[n] = 0;
    return text;
}

static cl_mem
make_buffer(cl_context context, cl_mem_flags flags, int n, int filled)
{
    cl_int code;
    cl_int *data = calloc((size_t)n, sizeof *data);
    for (int i = 0; i < n; i++)
        data[i] = i;
    if (filled)
        flags |= CL_MEM_COPY_HOST_PTR;
    cl_mem m = clCreateBuffer(context, flags, (size_t)n * sizeof *data,
                              filled ? data : NULL, &code);
    check(code, "clCreateBuffer");
    free(data);
    return m;
}

/* Sub-buffers and their buffer, the last one; N: a multiple of 64. */
static cl_mem
make_part(cl_context context, const char *arg, int n)
{
    enum { APART = 64 };
    static cl_mem whole;
    static size_t behind; /* the last part, in ints */
    cl_int code;
    if (strcmp(arg, "whole") == 0) {
        check(clRetainMemObject(whole), "clRetainMemObject");
        return whole;
    }
    int first = strncmp(arg, "part", 4) == 0;
    if (first)
        whole = make_buffer(context, CL_MEM_READ_WRITE, n + 2 * APART, 1);
    cl_buffer_region r = { (first ? APART : behind) * sizeof(cl_int),
                           (size_t)n * sizeof(cl_int) };
    behind = (first ? APART : behind) + (size_t)n;
    cl_mem m =
        clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &code);
    check(code, "clCreateSubBuffer");
    if (first)
        check(clReleaseMemObject(whole), "clReleaseMemObject");
    return m;
}

static void *
map_to(cl_command_queue q, cl_mem m, cl_map_flags flags, size_t at, size_t size)
{
    cl_int code;
    void *p = clEnqueueMapBuffer(q, m, CL_TRUE, flags, at, size, 0, NULL, NULL,
                                 &code);
    check(code, "clEnqueueMapBuffer");
    return p;
}

/* A map that ends behind the launch. */
static struct {
    cl_mem of;
    void *at;
} kept;

static void
keep_map(cl_mem of, void *at)
{
    kept.of = of;
    kept.at = at;
}

static void
end_map(cl_command_queue q)
{
    if (kept.at)
        check(clEnqueueUnmapMemObject(q, kept.of, kept.at, 0, NULL, NULL),
              "unmap");
    clFinish(q);
}

/* The same with the first half of it as a sub-buffer, which is never released. */
static void
map_part(cl_command_queue q, cl_mem m, const char *arg, size_t size)
{
    cl_int code;
    cl_buffer_region r = { 0, size / 2 };
    cl_mem half =
        clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &code);
    check(code, "clCreateSubBuffer");
    void *first = map_to(q, half, CL_MAP_WRITE, 0, size / 2);
    if (strncmp(arg, "lent", 4) == 0) {
        keep_map(half, first);
        return;
    }
    size_t at = size / 2 - (strncmp(arg, "pieces", 6) == 0 ? 4 : 0);
    void *second = map_to(q, m, CL_MAP_READ, at, 8);
    check(clEnqueueUnmapMemObject(q, half, first, 0, NULL, NULL), "unmap");
    check(clEnqueueUnmapMemObject(q, m, second, 0, NULL, NULL), "unmap");
}

/* Maps of the buffer that do not suit each other or the kernel. */
static void
map_wrongly(cl_command_queue q, cl_mem m, const char *arg, size_t size)
{
    if (strncmp(arg, "lent", 4) == 0 || strncmp(arg, "pieces", 6) == 0 ||
        strncmp(arg, "apart", 5) == 0)
        map_part(q, m, arg, size);
    if (strncmp(arg, "mapped", 6) == 0)
        keep_map(m, map_to(q, m, CL_MAP_WRITE, 0, 4));
    if (strncmp(arg, "twice", 5) != 0)
        return;
    void *read = map_to(q, m, CL_MAP_READ, 0, 8);
    void *write = map_to(q, m, CL_MAP_WRITE, 4, 8);
    check(clEnqueueUnmapMemObject(q, m, read, 0, NULL, NULL), "unmap");
    check(clEnqueueUnmapMemObject(q, m, write, 0, NULL, NULL), "unmap");
}

static struct {
    cl_int *at;
    int n;
    int kept;
} shared;

static void
fill_shared(cl_command_queue q)
{
    size_t size = (size_t)shared.n * sizeof *shared.at;
    check(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_WRITE, shared.at, size, 0, NULL,
                          NULL),
          "clEnqueueSVMMap");
    for (int i = 0; i < shared.n; i++)
        shared.at[i] = i;
    check(clEnqueueSVMUnmap(q, shared.at, 0, NULL, NULL), "clEnqueueSVMUnmap");
}

static void
set_shared(cl_context context, cl_kernel k, cl_uint at, int n)
{
    shared.at = clSVMAlloc(context, CL_MEM_READ_WRITE,
                           (size_t)n * sizeof *shared.at, 0);
    shared.n = n;
    check(shared.at ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    check(clSetKernelArgSVMPointer(k, at, shared.at),
          "clSetKernelArgSVMPointer");
}

static cl_mem
set_image(cl_context context, cl_kernel k, cl_uint at, size_t n)
{
    cl_int code;
    cl_image_format format = { CL_RGBA, CL_FLOAT };
    cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                           .image_width = n,
                           .image_height = n };
    float *zeros = calloc(n * n, 4 * sizeof *zeros);
    cl_mem m = clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             &format, &desc, zeros, &code);
    free(zeros);
    check(code, "clCreateImage");
    check(clSetKernelArg(k, at, sizeof m, &m), "clSetKernelArg");
    return m;
}

/* The buffer, if it is to be released at the end. */
static cl_mem
set_argument(cl_context context, cl_command_queue queue, cl_kernel k,
             cl_uint at, const char *arg)
{
    const char *colon = strchr(arg, ':');
    int n = colon ? atoi(colon + 1) : 0;
    if (strncmp(arg, "int:", 4) == 0) {
        check(clSetKernelArg(k, at, sizeof n, &n), "clSetKernelArg");
        return NULL;
    }
    if (strncmp(arg, "local:", 6) == 0) {
        check(clSetKernelArg(k, at, (size_t)n * sizeof n, NULL),
              "clSetKernelArg");
        return NULL;
    }
    if (strncmp(arg, "svm:", 4) == 0 || strncmp(arg, "kept:", 5) == 0) {
        shared.kept = arg[0] == 'k';
        set_shared(context, k, at, n);
        return NULL;
    }
    if (strcmp(arg, "null") == 0) {
        cl_mem none = NULL;
        check(clSetKernelArg(k, at, sizeof none, &none), "clSetKernelArg");
        return NULL;
    }
    if (strncmp(arg, "image:", 6) == 0)
        return set_image(context, k, at, (size_t)n);
    cl_mem_flags flags = strncmp(arg, "read", 4) == 0    ? CL_MEM_READ_ONLY
                         : strncmp(arg, "write", 5) == 0 ? CL_MEM_WRITE_ONLY
                                                         : CL_MEM_READ_WRITE;
    int filled = strncmp(arg, "out", 3) != 0 && strncmp(arg, "write", 5) != 0;
    int part = strncmp(arg, "part", 4) == 0 || strncmp(arg, "beside", 6) == 0 ||
               strcmp(arg, "whole") == 0;
    cl_mem m = part ? make_part(context, arg, n)
                    : make_buffer(context, flags, n, filled);
    check(clSetKernelArg(k, at, sizeof m, &m), "clSetKernelArg");
    map_wrongly(queue, m, arg, (size_t)n * sizeof n);
    if (strncmp(arg, "gone", 4) == 0) {
        check(clReleaseMemObject(m), "clReleaseMemObject");
        return NULL;
    }
    return strncmp(arg, "leak", 4) == 0 ? NULL : m;
}

static cl_program
build(cl_context context, cl_device_id device, const char *path)
{
    cl_int code;
    const char *text = read_text(path), *more = getenv("HOST_OPTIONS");
    char options[200];
    snprintf(options, sizeof options, "-g -cl-std=CL3.0 %s", more ? more : "");
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    if (clBuildProgram(p, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                              log, NULL);
        fprintf(stderr, "host: %s\n", log);
        exit(2);
    }
    return p;
}

int
main(int argc, char **argv)
{
    if (argc < 5 || argc > 5 + MOST_ARGS) {
        fprintf(stderr, "host FILE.cl KERNEL GLOBAL LOCAL [ARGUMENT ...]\n");
        return 2;
    }
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
          "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code, "clCreateCommandQueueWithProperties");
    cl_program program = build(context, device, argv[1]);
    cl_kernel kernel = clCreateKernel(program, argv[2], &code);
    check(code, "clCreateKernel");
    cl_mem made[MOST_ARGS] = { 0 };
    for (int i = 5; i < argc; i++)
        made[i - 5] =
            set_argument(context, queue, kernel, (cl_uint)(i - 5), argv[i]);
    size_t global = (size_t)atoi(argv[3]), local = (size_t)atoi(argv[4]);
    for (int turn = 0; turn < (shared.at ? 2 : 1); turn++) {
        if (shared.at)
            fill_shared(queue);
        code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local,
                                      0, NULL, NULL);
        if (code == CL_SUCCESS)
            code = clFinish(queue);
    }
    end_map(queue);
    if (code != CL_SUCCESS)
        printf("host: error %d from the kernel\n", code);
    for (int i = 0; i < MOST_ARGS; i++)
        if (made[i])
            clReleaseMemObject(made[i]);
    if (shared.at && !shared.kept)
        clSVMFree(context, shared.at);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
