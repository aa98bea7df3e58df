/* SPDX-License-Identifier: Apache-2.0 */
/* A small device: what does not fit is refused with a message that says what
 * and how much, and everything goes on.  VENTUS_DEVICES sets 64 vector
 * registers of an SM, 40 KiB of local memory, 4 MiB of memory and 4 KiB of text
 * of one printf. */
#include "cl.h"

static const char text[] =
    "kernel void many(global int *x)\n"
    "{\n"
    "    int v[60], i = get_global_id(0);\n"
    "    for (int j = 0; j < 60; j++)\n"
    "        v[j] = x[i + 7 * j];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    for (int j = 0; j < 60; j++)\n"
    "        x[i * j] = v[59 - j];\n"
    "}\n"
    "kernel void k(global int *x) { x[0] = 1; }\n"
    "kernel void local_memory(global int *x, local int *l)\n"
    "{\n    l[0] = 3;\n    x[0] = l[0];\n}\n"
    "kernel void static_memory(global int *x)\n"
    "{\n    local int l[16384];\n    l[get_local_id(0)] = 3;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n    x[0] = l[x[1]];\n}\n";

static char notice[4096];

static void CL_CALLBACK
notify(const char *message, const void *info, size_t size, void *user_data)
{
    (void)info, (void)size, (void)user_data;
    snprintf(notice, sizeof notice, "%s", message);
}

static struct cl
open_small(void)
{
    struct cl t = cl_open(0);
    cl_int code;
    OK(clReleaseCommandQueue(t.queue));
    OK(clReleaseContext(t.context));
    CREATES(t.context,
            clCreateContext(NULL, 1, &t.device, notify, NULL, &code));
    t.queue = cl_queue(&t, 0);
    notice[0] = 0;
    return t;
}

static cl_int
run(struct cl *t, cl_kernel k, const size_t *global, const size_t *local)
{
    return clEnqueueNDRangeKernel(t->queue, k, 1, NULL, global, local, 0, NULL,
                                  NULL);
}

TEST(registers)
{
    struct cl t = open_small();
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "many");
    size_t most = 0, all = 1024;
    cl_mem m = cl_buffer(&t, 0, 1 << 20, NULL);
    OK(clGetKernelWorkGroupInfo(k, t.device, CL_KERNEL_WORK_GROUP_SIZE,
                                sizeof most, &most, NULL));
    CHECK(most >= 32 && most < 1024);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, run(&t, k, &all, &all));
    CHECK(strstr(notice, "kernel 'many'") != NULL);
    CHECK(strstr(notice, "1024 work-items") != NULL);
    CHECK(strstr(notice, "vector registers") != NULL);
    OK(run(&t, k, &most, &most));
    OK(run(&t, k, &all, NULL));
    OK(clFinish(t.queue));
    CHECK_EQ(cl_result(&t, p), 1);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(local_memory)
{
    struct cl t = open_small();
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "local_memory");
    const size_t one = 1, many = 256;
    cl_mem m = cl_buffer(&t, 0, 64, NULL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, 50000, NULL));
    FAILS(CL_OUT_OF_RESOURCES, run(&t, k, &one, &one));
    CHECK(strstr(notice, "kernel 'local_memory'") != NULL);
    CHECK(strstr(notice, "50000 bytes of local memory") != NULL);
    FAILS(CL_OUT_OF_RESOURCES, run(&t, k, &one, NULL));
    OK(clSetKernelArg(k, 1, 5000, NULL));
    OK(run(&t, k, &one, NULL));
    OK(clFinish(t.queue));
    OK(clReleaseKernel(k));
    k = cl_kernel_of(p, "static_memory");
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    notice[0] = 0;
    FAILS(CL_OUT_OF_RESOURCES, run(&t, k, &many, NULL));
    CHECK(strstr(notice, "65536 bytes of local memory") != NULL);
    /* No size was asked for, and not the smallest there is has room. */
    CHECK(strstr(notice, "a work-group of 1 work-items") != NULL);
    CHECK_EQ(cl_result(&t, p), 1);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(memory)
{
    struct cl t = open_small();
    cl_program p = cl_build(&t, text, "");
    cl_mem held[8];
    cl_int code = CL_SUCCESS;
    int n = 0;
    while (n < 8) {
        held[n] = clCreateBuffer(t.context, 0, 1 << 20, NULL, &code);
        if (!held[n])
            break;
        n++;
    }
    CHECK(n >= 2 && n < 8);
    CHECK_EQ(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    OK(clReleaseMemObject(held[--n]));
    CHECK_EQ(cl_result(&t, p), 1);
    while (n--)
        OK(clReleaseMemObject(held[n]));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* The device has print_text=4K. */
static cl_int
print(const char *width, int times)
{
    struct cl t = open_small();
    char program[512];
    snprintf(program, sizeof program,
             "kernel void k(global int *x) {\n"
             "    for (int i = 0; i < %d; i++) printf(\"%%%sd\\n\", i);\n"
             "}\n",
             times, width);
    cl_program p = cl_build(&t, program, "");
    cl_kernel k = cl_kernel_of(p, "k");
    size_t one = 1;
    cl_mem m = cl_buffer(&t, 0, 4, NULL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(run(&t, k, &one, &one));
    cl_int code = clFinish(t.queue);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
    return code;
}

TEST(text_of_one_printf)
{
    CHECK_EQ(print("4000", 300), CL_SUCCESS);
    notice[0] = 0;
    CHECK_EQ(print("4999", 3), CL_OUT_OF_RESOURCES);
    CHECK_STR(notice, "kernel 'k': a printf made more than 4096 characters "
                      "(print_text)");
}

TEST_MAIN
