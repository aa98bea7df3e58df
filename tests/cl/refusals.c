/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong calls, one after the other: docs/reference/refusals.md has the log's words. */
#include "cl.h"

static const char source[] =
    "kernel void scale(global float *x, float by, local int *room)\n"
    "{ x[get_global_id(0)] *= by; room[0] = 0; }\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1)))\n"
    "void tiled(global int *x) { x[get_global_id(0)] = 1; }\n"
    "kernel void shade(read_only image2d_t im, sampler_t s, global float4 *x)\n"
    "{ x[0] = read_imagef(im, s, (int2)(0, 0)); }\n";

struct wrong {
    struct cl t;
    cl_program program;
    cl_kernel scale, tiled, shade;
    cl_mem buffer, image, hidden;
    cl_context other;
};

static void
open_all(struct wrong *w)
{
    cl_int code;
    const char *text = source;
    const cl_image_format format = { CL_RGBA, CL_FLOAT };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 8,
                                 .image_height = 4 };
    w->t = cl_open(0);
    cl_context c = w->t.context;
    CREATES(w->program, clCreateProgramWithSource(c, 1, &text, NULL, &code));
    OK(clBuildProgram(w->program, 0, NULL, "", NULL, NULL));
    CREATES(w->scale, clCreateKernel(w->program, "scale", &code));
    CREATES(w->tiled, clCreateKernel(w->program, "tiled", &code));
    CREATES(w->shade, clCreateKernel(w->program, "shade", &code));
    CREATES(w->buffer, clCreateBuffer(c, 0, 256, NULL, &code));
    CREATES(w->hidden,
            clCreateBuffer(c, CL_MEM_HOST_NO_ACCESS, 256, NULL, &code));
    CREATES(w->image, clCreateImage(c, 0, &format, &desc, NULL, &code));
    CREATES(w->other,
            clCreateContext(NULL, 1, &w->t.device, NULL, NULL, &code));
}

static void
contexts_and_queues(struct wrong *w)
{
    cl_int code;
    cl_context c = w->t.context;
    cl_device_id none = NULL;
    const cl_context_properties odd[] = { 77, 1, 0 };
    clGetDeviceIDs(w->t.platform, 1 << 9, 1, &none, NULL);
    clGetDeviceIDs(w->t.platform, CL_DEVICE_TYPE_ALL, 0, &none, NULL);
    clGetDeviceIDs(w->t.platform, CL_DEVICE_TYPE_CPU, 1, &none, NULL);
    clGetDeviceInfo(w->t.device, 0x4242, 0, NULL, NULL);
    clGetDeviceInfo(w->t.device, CL_DEVICE_TYPE, 2, &none, NULL);
    clCreateContext(NULL, 0, NULL, NULL, NULL, &code);
    clCreateContext(odd, 1, &w->t.device, NULL, NULL, &code);
    clCreateContext(NULL, 1, &w->t.device, NULL, w, &code);
    clCreateCommandQueue((cl_context)w->buffer, w->t.device, 0, &code);
    clCreateCommandQueue(c, w->t.device, 1 << 9, &code);
    clFinish(NULL);
    clCreateSubDevices(w->t.device, NULL, 0, NULL, NULL);
}

static void
buffers(struct wrong *w)
{
    cl_int code;
    cl_context c = w->t.context;
    cl_command_queue q = w->t.queue;
    cl_uint word = 0;
    const cl_buffer_region odd = { 4, 16 }, long_one = { 128, 512 };
    const cl_buffer_create_type region = CL_BUFFER_CREATE_TYPE_REGION;
    clCreateBuffer(c, 0, 0, NULL, &code);
    clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &code);
    clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, 4, NULL, &code);
    clCreateBuffer(c, 0, (size_t)1 << 40, NULL, &code);
    clCreateSubBuffer(w->buffer, 0, region, &odd, &code);
    clCreateSubBuffer(w->buffer, 0, region, &long_one, &code);
    clCreateSubBuffer(w->buffer, 0, 7, &odd, &code);
    clEnqueueReadBuffer(q, w->buffer, 1, 200, 100, &word, 0, NULL, NULL);
    clEnqueueReadBuffer(q, w->buffer, 1, 0, 4, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(q, w->hidden, 1, 0, 4, &word, 0, NULL, NULL);
    clEnqueueReadBuffer(q, w->image, 1, 0, 4, &word, 0, NULL, NULL);
    clEnqueueReadBuffer(q, w->buffer, 1, 0, 4, &word, 2, NULL, NULL);
    clEnqueueCopyBuffer(q, w->buffer, w->buffer, 0, 8, 16, 0, NULL, NULL);
    clEnqueueFillBuffer(q, w->buffer, &word, 3, 0, 12, 0, NULL, NULL);
    clEnqueueFillBuffer(q, w->buffer, &word, 4, 2, 12, 0, NULL, NULL);
    clEnqueueFillBuffer(q, w->buffer, &word, 4, 0, 10, 0, NULL, NULL);
    clEnqueueMapBuffer(q, w->buffer, 1, 0, 0, 0, 0, NULL, NULL, &code);
    clEnqueueMapBuffer(q, w->hidden, 1, CL_MAP_READ, 0, 4, 0, NULL, NULL,
                       &code);
    clEnqueueUnmapMemObject(q, w->buffer, &word, 0, NULL, NULL);
}

static void
boxes_and_images(struct wrong *w)
{
    cl_int code;
    cl_context c = w->t.context;
    cl_command_queue q = w->t.queue;
    char bytes[512];
    const size_t origin[3] = { 0, 0, 0 }, region[3] = { 16, 4, 1 },
                 flat[3] = { 16, 0, 1 }, right[3] = { 6, 0, 0 },
                 part[3] = { 4, 4, 1 };
    cl_image_format format = { CL_RGBA, CL_FLOAT };
    cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                           .image_width = 20000,
                           .image_height = 4 };
    clEnqueueReadBufferRect(q, w->buffer, 1, origin, origin, flat, 0, 0, 0, 0,
                            bytes, 0, NULL, NULL);
    clEnqueueReadBufferRect(q, w->buffer, 1, origin, origin, region, 8, 0, 0, 0,
                            bytes, 0, NULL, NULL);
    clEnqueueReadBufferRect(q, w->buffer, 1, origin, origin, region, 128, 0, 0,
                            0, bytes, 0, NULL, NULL);
    clCreateImage(c, 0, &format, &desc, NULL, &code);
    desc.image_width = 0;
    clCreateImage(c, 0, &format, &desc, NULL, &code);
    desc.image_width = 4;
    desc.image_row_pitch = 60;
    clCreateImage(c, 0, &format, &desc, bytes, &code);
    desc.image_row_pitch = 0;
    format.image_channel_data_type = CL_UNORM_INT24;
    clCreateImage(c, 0, &format, &desc, NULL, &code);
    clEnqueueReadImage(q, w->image, 1, right, part, 0, 0, bytes, 0, NULL, NULL);
    clEnqueueReadImage(q, w->image, 1, origin, part, 16, 0, bytes, 0, NULL,
                       NULL);
    clEnqueueReadImage(q, w->buffer, 1, origin, part, 0, 0, bytes, 0, NULL,
                       NULL);
    clCreateSampler(c, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    clGetImageInfo(w->buffer, CL_IMAGE_WIDTH, 0, NULL, NULL);
}

static void
programs_and_kernels(struct wrong *w)
{
    cl_int code;
    cl_context c = w->t.context;
    const char *text = source, *none = NULL;
    cl_float by = 2;
    cl_program fresh;
    CREATES(fresh, clCreateProgramWithSource(c, 1, &text, NULL, &code));
    clCreateProgramWithSource(c, 0, NULL, NULL, &code);
    clCreateProgramWithSource(c, 1, &none, NULL, &code);
    clCreateProgramWithIL(c, "", 0, &code);
    clCreateKernel(fresh, "scale", &code);
    clCreateKernel(w->program, "scael", &code);
    clBuildProgram(w->program, 0, NULL, "", NULL, NULL);
    clLinkProgram(c, 0, NULL, "-O9", 1, &fresh, NULL, NULL, &code);
    clLinkProgram(c, 0, NULL, "", 1, &fresh, NULL, NULL, &code);
    clSetKernelArg(w->scale, 3, 4, &by);
    clSetKernelArg(w->scale, 1, 8, &by);
    clSetKernelArg(w->scale, 1, 4, NULL);
    clSetKernelArg(w->scale, 0, 4, &by);
    clSetKernelArg(w->scale, 0, sizeof w->image, &w->image);
    clSetKernelArg(w->scale, 2, 4, &by);
    clSetKernelArg(w->scale, 2, 0, NULL);
    clSetKernelArg(w->shade, 0, sizeof w->buffer, &w->buffer);
    clSetKernelArg(w->shade, 1, sizeof w->buffer, &w->buffer);
    clSetKernelArgSVMPointer(w->scale, 0, source);
    OK(clReleaseProgram(fresh));
}

static void
launches(struct wrong *w)
{
    cl_int code;
    cl_command_queue q = w->t.queue, far;
    const size_t n = 64, five = 5, zero = 0, huge = (size_t)1 << 32;
    const size_t plane[2] = { 64, 64 }, tile[2] = { 4, 4 };
    const cl_float by = 2;
    cl_event user;
    CREATES(far, clCreateCommandQueue(w->other, w->t.device, 0, &code));
    clEnqueueNDRangeKernel(q, w->scale, 1, NULL, &n, NULL, 0, NULL, NULL);
    OK(clSetKernelArg(w->scale, 0, sizeof w->buffer, &w->buffer));
    OK(clSetKernelArg(w->scale, 1, sizeof by, &by));
    clEnqueueNDRangeKernel(q, w->scale, 1, NULL, &n, NULL, 0, NULL, NULL);
    OK(clSetKernelArg(w->scale, 2, 64, NULL));
    OK(clSetKernelArg(w->tiled, 0, sizeof w->buffer, &w->buffer));
    clEnqueueNDRangeKernel(q, w->scale, 4, NULL, &n, NULL, 0, NULL, NULL);
    clEnqueueNDRangeKernel(q, w->scale, 1, NULL, &huge, NULL, 0, NULL, NULL);
    clEnqueueNDRangeKernel(q, w->scale, 1, &n, &(size_t){ UINT32_MAX }, NULL, 0,
                           NULL, NULL);
    clEnqueueNDRangeKernel(q, w->scale, 1, NULL, &n, &zero, 0, NULL, NULL);
    clEnqueueNDRangeKernel(q, w->scale, 1, NULL, &n, &five, 0, NULL, NULL);
    clEnqueueNDRangeKernel(q, w->scale, 1, NULL, &huge, &huge, 0, NULL, NULL);
    clEnqueueNDRangeKernel(q, w->tiled, 2, NULL, plane, tile, 0, NULL, NULL);
    clEnqueueNDRangeKernel(q, w->tiled, 1, NULL, &n, &tile[0], 0, NULL, NULL);
    clEnqueueNDRangeKernel(far, w->scale, 1, NULL, &n, NULL, 0, NULL, NULL);
    CREATES(user, clCreateUserEvent(w->other, &code));
    clEnqueueNDRangeKernel(q, w->scale, 1, NULL, &n, NULL, 1, &user, NULL);
    clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, 0, NULL, NULL);
    clSetUserEventStatus(user, 1);
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    clSetUserEventStatus(user, CL_COMPLETE);
    clWaitForEvents(0, NULL);
    OK(clReleaseEvent(user));
    OK(clReleaseCommandQueue(far));
}

TEST(all_wrong_calls)
{
    struct wrong w;
    open_all(&w);
    contexts_and_queues(&w);
    buffers(&w);
    boxes_and_images(&w);
    programs_and_kernels(&w);
    launches(&w);
    OK(clReleaseContext(w.other));
    OK(clReleaseMemObject(w.image));
    OK(clReleaseMemObject(w.hidden));
    OK(clReleaseMemObject(w.buffer));
    OK(clReleaseKernel(w.shade));
    OK(clReleaseKernel(w.tiled));
    OK(clReleaseKernel(w.scale));
    OK(clReleaseProgram(w.program));
    cl_close(&w.t);
}

TEST_MAIN
