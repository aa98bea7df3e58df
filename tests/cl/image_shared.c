/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that one work-group writes and another reads, on SMs of their own
 * whose caches are not kept coherent (docs/memory-model.md). */
#include "cl.h"

enum { W = 16, ROUNDS = 40 };

/*
 * Group 0 writes a row of the round and gives a flag away, group 1 has the row
 * of three rounds ago in its L1D and waits for the flag.  bad counts the pixels
 * that are not of the round.
 */
static const char source[] =
    "#define BOTH (CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
    "void give(global atomic_int *flag, int r) {\n"
    "    work_group_barrier(BOTH, memory_scope_device);\n"
    "    if (get_local_id(0) == 0)\n"
    "        atomic_store_explicit(flag, r, memory_order_release,\n"
    "                              memory_scope_device); }\n"
    "void take(global atomic_int *flag, int r) {\n"
    "    if (get_local_id(0) == 0)\n"
    "        while (atomic_load_explicit(flag, memory_order_acquire,\n"
    "                                    memory_scope_device) < r);\n"
    "    work_group_barrier(BOTH, memory_scope_device); }\n"
    "kernel void pass(read_write image2d_t image, global atomic_int *flags,\n"
    "                 volatile global int *bad, int rounds) {\n"
    "    int l = get_local_id(0);\n"
    "    for (int r = 1; r <= rounds; r++) {\n"
    "        int2 at = (int2)(l, r % 3);\n"
    "        if (get_group_id(0) == 0) {\n"
    "            write_imageui(image, at, (uint4)(r, l, r * l, 7));\n"
    "            give(flags, r);\n"
    "            take(flags + 1, r);\n"
    "        } else {\n"
    "            uint4 old = read_imageui(image, at);\n"
    "            take(flags, r);\n"
    "            uint4 x = read_imageui(image, at);\n"
    "            if (any(x != (uint4)(r, l, r * l, 7)) ||\n"
    "                old.x > (uint)r)\n"
    "                atomic_inc(bad);\n"
    "            give(flags + 1, r);\n"
    "        } } }\n";

TEST(an_image_passed_between_work_groups)
{
    struct cl t = cl_open(0);
    const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT32 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = W,
                                 .image_height = 3 };
    const size_t items = 2 * W, group = W;
    static unsigned zero[W * 3 * 4];
    const int rounds = ROUNDS;
    int bad = -1;
    cl_int code;
    cl_mem image;
    cl_program p = cl_build(&t, source, "-cl-std=CL3.0");
    cl_kernel k = cl_kernel_of(p, "pass");
    CREATES(image, clCreateImage(t.context, CL_MEM_COPY_HOST_PTR, &format,
                                 &desc, zero, &code));
    cl_mem flags = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, 2 * sizeof bad, zero);
    cl_mem count = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof bad, zero);
    OK(clSetKernelArg(k, 0, sizeof image, &image));
    OK(clSetKernelArg(k, 1, sizeof flags, &flags));
    OK(clSetKernelArg(k, 2, sizeof count, &count));
    OK(clSetKernelArg(k, 3, sizeof rounds, &rounds));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &group, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(t.queue, count, CL_TRUE, 0, sizeof bad, &bad, 0,
                           NULL, NULL));
    CHECK_EQ(bad, 0);
    OK(clReleaseMemObject(count));
    OK(clReleaseMemObject(flags));
    OK(clReleaseMemObject(image));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
