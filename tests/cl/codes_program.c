/* SPDX-License-Identifier: Apache-2.0 */
/* Error codes: programs, kernels, launches. */
#include "codes.h"

static const char text[] =
    "kernel void k(global int *x) { x[get_global_id(0)] = N; }\n"
    "kernel __attribute__((reqd_work_group_size(4, 1, 1)))\n"
    "void four(global int *x) { *x = 4; }\n"
    "kernel void local_memory(local int *x) { *x = 4; }\n"
    "kernel void two_locals(local int *x, local int *y) { *x = *y = 4; }\n"
    "kernel void value(float2 x, global int *y) { *y = (int)x.s0; }\n";

TEST(creation)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_device_id id = c.t.device, none = WRONG(cl_device_id, &c);
    cl_int code, status;
    const char *source = text;
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t size = 4;
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateProgramWithSource(NULL, 1, &source, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateProgramWithSource(x, 0, &source, NULL, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateProgramWithBinary(NULL, 1, &id, &size, &bytes, &status,
                                         &code));
    REFUSES(CL_INVALID_BINARY, d->clCreateProgramWithBinary(
                                   x, 1, &id, &size, &bytes, &status, &code));
    REFUSES(CL_INVALID_CONTEXT,
            d->clCreateProgramWithBuiltInKernels(NULL, 1, &id, "k", &code));
    REFUSES(CL_INVALID_DEVICE,
            d->clCreateProgramWithBuiltInKernels(x, 1, &none, "k", &code));
    REFUSES(CL_INVALID_VALUE,
            d->clCreateProgramWithBuiltInKernels(x, 1, &id, NULL, &code));
    REFUSES(CL_INVALID_CONTEXT, d->clCreateProgramWithIL(NULL, text, 4, &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateProgramWithIL(x, text, 0, &code));
    cl_program p = cl_source(&c.t, text), wrong = WRONG(cl_program, &c);
    FAILS(CL_INVALID_PROGRAM, d->clRetainProgram(NULL));
    FAILS(CL_INVALID_PROGRAM, d->clReleaseProgram(wrong));
    FAILS(CL_INVALID_PROGRAM,
          d->clSetProgramReleaseCallback(wrong, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clSetProgramReleaseCallback(p, NULL, NULL));
    FAILS(CL_INVALID_PROGRAM,
          d->clSetProgramSpecializationConstant(NULL, 0, 4, text));
    OK(clReleaseProgram(p));
    codes_close(&c);
}

static void CL_CALLBACK
ignore(cl_program p, void *user_data)
{
    (void)p, (void)user_data;
}

TEST(building)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_context x = c.t.context;
    cl_program p = cl_source(&c.t, text), wrong = WRONG(cl_program, &c);
    cl_program half = cl_source(&c.t, "int f(void);\n"
                                      "kernel void k(global int *x)\n"
                                      "{ *x = f(); }\n");
    cl_device_id none = WRONG(cl_device_id, &c);
    cl_int code;
    FAILS(CL_INVALID_PROGRAM,
          d->clBuildProgram(wrong, 0, NULL, "", NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clBuildProgram(p, 1, NULL, "", NULL, NULL));
    FAILS(CL_INVALID_DEVICE, d->clBuildProgram(p, 1, &none, "", NULL, NULL));
    FAILS(CL_INVALID_BUILD_OPTIONS,
          d->clBuildProgram(p, 0, NULL, "-nonsense", NULL, NULL));
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          d->clBuildProgram(p, 0, NULL, "", NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clSetProgramReleaseCallback(p, ignore, NULL));
    OK(clCompileProgram(half, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    setenv("VENTUS_CC", "/nowhere/ventus", 1);
    FAILS(CL_COMPILER_NOT_AVAILABLE,
          d->clBuildProgram(p, 0, NULL, "-DN=10", NULL, NULL));
    FAILS(CL_COMPILER_NOT_AVAILABLE,
          d->clCompileProgram(p, 0, NULL, "-DN=10", 0, NULL, NULL, NULL, NULL));
    REFUSES(CL_INVALID_PROGRAM,
            d->clLinkProgram(x, 0, NULL, "", 1, &wrong, NULL, NULL, &code));
    REFUSES(
        CL_INVALID_LINKER_OPTIONS,
        d->clLinkProgram(x, 0, NULL, "-nonsense", 1, &half, NULL, NULL, &code));
    REFUSES(CL_INVALID_OPERATION,
            d->clLinkProgram(x, 0, NULL, "", 1, &p, NULL, NULL, &code));
    /* With a program: its log says why. */
    cl_program q;
    q = d->clLinkProgram(x, 0, NULL, "", 1, &half, NULL, NULL, &code);
    CHECK_EQ(code, CL_LINKER_NOT_AVAILABLE);
    CHECK(q && strstr(cl_log(q, c.t.device), "no compiler") != NULL);
    OK(clReleaseProgram(q));
    unsetenv("VENTUS_CC");
    q = d->clLinkProgram(x, 0, NULL, "", 1, &half, NULL, NULL, &code);
    CHECK_EQ(code, CL_LINK_PROGRAM_FAILURE);
    OK(clReleaseProgram(q));
    FAILS(CL_INVALID_PROGRAM, d->clGetProgramInfo(wrong, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_PROGRAM,
          d->clGetProgramBuildInfo(wrong, c.t.device, 0, 0, NULL, NULL));
    OK(clReleaseProgram(half));
    OK(clReleaseProgram(p));
    codes_close(&c);
}

TEST(kernels)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_program p = cl_source(&c.t, text), wrong = WRONG(cl_program, &c);
    cl_device_id none = WRONG(cl_device_id, &c);
    cl_int code;
    cl_uint n;
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          d->clCreateKernelsInProgram(p, 0, NULL, &n));
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, d->clCreateKernel(p, "k", &code));
    OK(clBuildProgram(p, 0, NULL, "-D N=1", NULL, NULL));
    FAILS(CL_INVALID_PROGRAM, d->clCreateKernelsInProgram(wrong, 0, NULL, &n));
    REFUSES(CL_INVALID_PROGRAM, d->clCreateKernel(wrong, "k", &code));
    REFUSES(CL_INVALID_KERNEL_NAME, d->clCreateKernel(p, "nothing", &code));
    REFUSES(CL_INVALID_VALUE, d->clCreateKernel(p, NULL, &code));
    cl_kernel k = cl_kernel_of(p, "k"), not_k = WRONG(cl_kernel, &c);
    REFUSES(CL_INVALID_KERNEL, d->clCloneKernel(not_k, &code));
    FAILS(CL_INVALID_KERNEL, d->clRetainKernel(not_k));
    FAILS(CL_INVALID_KERNEL, d->clReleaseKernel(NULL));
    FAILS(CL_INVALID_KERNEL, d->clSetKernelArg(not_k, 0, 8, NULL));
    FAILS(CL_INVALID_KERNEL, d->clSetKernelArgSVMPointer(not_k, 0, NULL));
    FAILS(CL_INVALID_OPERATION, d->clSetKernelArgSVMPointer(k, 0, NULL));
    FAILS(CL_INVALID_KERNEL, d->clSetKernelExecInfo(not_k, 0, 0, NULL));
    FAILS(CL_INVALID_OPERATION,
          d->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, &k));
    FAILS(CL_INVALID_KERNEL, d->clGetKernelInfo(not_k, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetKernelInfo(k, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL, d->clGetKernelArgInfo(not_k, 0, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_ARG_INDEX,
          d->clGetKernelArgInfo(k, 9, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clGetKernelArgInfo(k, 0, 1, 0, NULL, NULL));
    /* It was not built with -cl-kernel-arg-info. */
    FAILS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
          d->clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL,
          d->clGetKernelWorkGroupInfo(not_k, c.t.device, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_DEVICE,
          d->clGetKernelWorkGroupInfo(k, none, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clGetKernelWorkGroupInfo(k, c.t.device, 1, 0, NULL, NULL));
    const cl_kernel_sub_group_info count = CL_KERNEL_MAX_NUM_SUB_GROUPS;
    FAILS(CL_INVALID_KERNEL,
          d->clGetKernelSubGroupInfo(not_k, c.t.device, count, 0, NULL, 0, NULL,
                                     NULL));
    FAILS(CL_INVALID_DEVICE,
          d->clGetKernelSubGroupInfo(k, none, count, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL,
          d->clGetKernelSubGroupInfoKHR(not_k, c.t.device, count, 0, NULL, 0,
                                        NULL, NULL));
    FAILS(CL_INVALID_DEVICE, d->clGetKernelSubGroupInfoKHR(
                                 k, none, count, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clGetKernelSubGroupInfoKHR(
              k, c.t.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR, 0, NULL,
              0, NULL, NULL));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    codes_close(&c);
}

TEST(arguments)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_program p = cl_build(&c.t, text, "-D N=1");
    cl_kernel k = cl_kernel_of(p, "value"), l = cl_kernel_of(p, "local_memory");
    cl_mem not_m = (cl_mem)c.t.queue;
    cl_float2 two = { { 1, 2 } };
    FAILS(CL_INVALID_ARG_INDEX, d->clSetKernelArg(k, 2, sizeof two, &two));
    FAILS(CL_INVALID_ARG_VALUE, d->clSetKernelArg(k, 0, sizeof two, NULL));
    FAILS(CL_INVALID_ARG_SIZE, d->clSetKernelArg(k, 0, 4, &two));
    FAILS(CL_INVALID_MEM_OBJECT, d->clSetKernelArg(k, 1, sizeof not_m, &not_m));
    FAILS(CL_INVALID_MEM_OBJECT,
          d->clSetKernelArg(k, 1, sizeof not_m, &c.other_mem));
    FAILS(CL_INVALID_ARG_SIZE, d->clSetKernelArg(k, 1, 4, &c.m));
    FAILS(CL_INVALID_ARG_VALUE, d->clSetKernelArg(l, 0, 16, &two));
    OK(d->clSetKernelArg(k, 1, sizeof c.m, NULL));
    OK(clReleaseKernel(l));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    codes_close(&c);
}

TEST(launches)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_program p = cl_build(&c.t, text, "-D N=1");
    cl_command_queue q = c.t.queue, not_q = WRONG(cl_command_queue, &c);
    cl_kernel k = cl_kernel_of(p, "k"), four = cl_kernel_of(p, "four");
    cl_kernel l = cl_kernel_of(p, "local_memory"), not_k = (cl_kernel)c.m;
    cl_kernel two = cl_kernel_of(p, "two_locals");
    const size_t g[3] = { 64, 1, 1 }, odd[3] = { 48, 1, 1 };
    const size_t huge[3] = { (size_t)1 << 40, 1, 1 }, none[3] = { 0, 1, 1 };
    const size_t wide[3] = { 1 << 20, 1, 1 }, square[3] = { 64, 64, 1 };
    const size_t far[3] = { UINT32_MAX - 10, 0, 0 };
    FAILS(CL_INVALID_KERNEL_ARGS,
          d->clEnqueueNDRangeKernel(q, k, 1, NULL, g, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL_ARGS, d->clEnqueueTask(q, k, 0, NULL, NULL));
    OK(clSetKernelArg(k, 0, sizeof c.m, &c.m));
    OK(clSetKernelArg(four, 0, sizeof c.m, &c.m));
    OK(clSetKernelArg(l, 0, 16 << 20, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueNDRangeKernel(not_q, k, 1, NULL, g, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL,
          d->clEnqueueNDRangeKernel(q, not_k, 1, NULL, g, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clEnqueueNDRangeKernel(c.other_queue, k, 1, NULL, g, NULL, 0, NULL,
                                    NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clEnqueueNDRangeKernel(q, k, 1, NULL, g, NULL, 1, &c.other_event,
                                    NULL));
    FAILS(CL_INVALID_WORK_DIMENSION,
          d->clEnqueueNDRangeKernel(q, k, 0, NULL, g, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_DIMENSION,
          d->clEnqueueNDRangeKernel(q, k, 4, NULL, g, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_GLOBAL_WORK_SIZE,
          d->clEnqueueNDRangeKernel(q, k, 1, NULL, huge, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_GLOBAL_OFFSET,
          d->clEnqueueNDRangeKernel(q, k, 1, far, g, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          d->clEnqueueNDRangeKernel(q, k, 1, NULL, g, odd, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          d->clEnqueueNDRangeKernel(q, k, 1, NULL, g, none, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          d->clEnqueueNDRangeKernel(q, four, 1, NULL, g, g, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          d->clEnqueueNDRangeKernel(q, k, 2, NULL, square, square, 0, NULL,
                                    NULL));
    FAILS(CL_INVALID_WORK_ITEM_SIZE,
          d->clEnqueueNDRangeKernel(q, k, 1, NULL, wide, wide, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES,
          d->clEnqueueNDRangeKernel(q, l, 1, NULL, g, NULL, 0, NULL, NULL));
    OK(d->clSetKernelArg(two, 0, SIZE_MAX, NULL));
    OK(d->clSetKernelArg(two, 1, 4, NULL));
    FAILS(CL_OUT_OF_RESOURCES,
          d->clEnqueueNDRangeKernel(q, two, 1, NULL, g, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueNDRangeKernel(q, k, 1, NULL, g, NULL, 1, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, d->clEnqueueTask(not_q, k, 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL, d->clEnqueueTask(q, not_k, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          d->clEnqueueTask(c.other_queue, k, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, d->clEnqueueTask(q, four, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, d->clEnqueueTask(q, k, 1, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          d->clEnqueueNativeKernel(not_q, NULL, NULL, 0, 0, NULL, NULL, 0, NULL,
                                   NULL));
    FAILS(CL_INVALID_VALUE, d->clEnqueueNativeKernel(q, NULL, NULL, 0, 0, NULL,
                                                     NULL, 0, NULL, NULL));
    OK(clReleaseKernel(k));
    OK(clReleaseKernel(four));
    OK(clReleaseKernel(l));
    OK(clReleaseKernel(two));
    OK(clReleaseProgram(p));
    codes_close(&c);
}

TEST_MAIN
