/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses out of bounds end the kernel, to the byte: buffers, local memory,
 * private arrays, constants, variables; memory of another context and memory
 * that was released.  What may be accessed is seen from sizes alone.
 */
#include "cl.h"

static const char source[] =
    "kernel void get_char(global char *in, global char *out, int at)\n"
    "{ out[0] = in[at]; }\n"
    "kernel void get_short(global short *in, global short *out, int at)\n"
    "{ out[0] = in[at]; }\n"
    "kernel void get_int(global int *in, global int *out, int at)\n"
    "{ out[0] = in[at]; }\n"
    "kernel void get_long(global long *in, global long *out, int at)\n"
    "{ out[0] = in[at]; }\n"
    "kernel void get_int4(global int *in, global int *out, int at)\n"
    "{ vstore4(vload4(0, in + at), 0, out); }\n"
    "kernel void set_char(global char *in, global char *out, int at)\n"
    "{ out[at] = in[0]; }\n"
    "kernel void set_short(global short *in, global short *out, int at)\n"
    "{ out[at] = in[0]; }\n"
    "kernel void set_int(global int *in, global int *out, int at)\n"
    "{ out[at] = in[0]; }\n"
    "kernel void set_int4(global int *in, global int *out, int at)\n"
    "{ vstore4(vload4(0, in), 0, out + at); }\n"
    "kernel void add(global int *in, global int *out, int at)\n"
    "{ atomic_add(out + at, in[0]); }\n"
    "kernel void row(global int *in, global int *out, int at)\n"
    "{ out[get_global_id(0)] = in[at + get_global_id(0)]; }\n"
    "kernel void strided(global int *in, global int *out, int at)\n"
    "{ out[get_global_id(0)] = in[at * get_global_id(0)]; }\n"
    "kernel void indexed(global int *in, global int *out, int at)\n"
    "{ out[0] = in[in[get_global_id(0)] + at]; }\n"
    "constant int table[5] = { 1, 2, 3, 4, 5 };\n"
    "kernel void constants(global int *in, global int *out, int at)\n"
    "{ out[0] = table[at]; }\n"
    "global int counts[3];\n"
    "kernel void variables(global int *in, global int *out, int at)\n"
    "{ counts[at] = in[0]; }\n"
    "kernel void get_volatile_char(volatile global char *in,\n"
    "                              global char *out, int at)\n"
    "{ out[0] = in[at]; }\n"
    "kernel void set_volatile_char(global char *in,\n"
    "                              volatile global char *out, int at)\n"
    "{ out[at] = in[0]; }\n"
    "kernel void set_volatile_short(global short *in,\n"
    "                               volatile global short *out, int at)\n"
    "{ out[at] = in[0]; }\n"
    "kernel void local_odd(global int *in, global int *out, int at)\n"
    "{ local char l[61]; out[0] = l[at]; }\n"
    "kernel void locals(global int *in, global int *out, int at)\n"
    "{ local int l[64]; l[at] = 1; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[0] = l[at]; }\n"
    "kernel void local_char(global int *in, global int *out, int at)\n"
    "{ local char l[64]; out[0] = l[at]; }\n"
    "kernel void local_add(global int *in, global int *out, int at)\n"
    "{ local int l[64]; atomic_inc(l + at); }\n"
    "kernel void local_arg(global int *in, global int *out, int at,\n"
    "                      local int *l)\n"
    "{ l[at] = 1; barrier(CLK_LOCAL_MEM_FENCE); out[0] = l[at]; }\n"
    "kernel void private_array(global int *in, global int *out, int at)\n"
    "{ volatile int p[8]; p[at] = 1; out[0] = p[at]; }\n"
    "kernel void where(global int *in, global int *out, int at)\n"
    "{ out[0] = (int)(size_t)in; }\n"
    /* Of 64 bits the high ones are those of any buffer here. */
    "#define PLACE(at) ((global int *)((size_t)(uint)(at) | \\\n"
    "                    ((size_t)out & ~(size_t)0xffffffff)))\n"
    "kernel void address(global int *in, global int *out, int at)\n"
    "{ out[0] = *PLACE(at); }\n"
    "kernel void pixels(read_only image1d_buffer_t image, global int *out,\n"
    "                   int at)\n"
    "{ out[0] = read_imagei(image, 14).x + *PLACE(at); }\n";

static char notice[4096];

static void CL_CALLBACK
notify(const char *text, const void *info, size_t size, void *user_data)
{
    (void)info, (void)size, (void)user_data;
    snprintf(notice, sizeof notice, "%s", text);
}

static struct cl
open_noticed(void)
{
    struct cl t = cl_open(0);
    cl_int code;
    OK(clReleaseContext(t.context));
    OK(clReleaseCommandQueue(t.queue));
    CREATES(t.context,
            clCreateContext(NULL, 1, &t.device, notify, NULL, &code));
    t.queue = cl_queue(&t, 0);
    return t;
}

struct shot {
    const char *kernel;
    cl_mem in, out;
    int at;
    size_t items, local_B; /* 0: no fourth argument */
};

/* How it ended; `notice` has the message if it failed. */
static cl_int
run(struct cl *t, cl_program p, struct shot s)
{
    cl_kernel k = cl_kernel_of(p, s.kernel);
    notice[0] = 0;
    OK(clSetKernelArg(k, 0, sizeof s.in, &s.in));
    OK(clSetKernelArg(k, 1, sizeof s.out, &s.out));
    OK(clSetKernelArg(k, 2, sizeof s.at, &s.at));
    if (s.local_B)
        OK(clSetKernelArg(k, 3, s.local_B, NULL));
    OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &s.items, NULL, 0, NULL,
                              NULL));
    cl_int code = clFinish(t->queue);
    OK(clReleaseKernel(k));
    return code;
}

/* A kernel on buffers of so many bytes; words NULL: it does nothing wrong. */
static const struct row {
    const char *kernel;
    size_t in_B, out_B;
    int at;
    size_t items, local_B;
    const char *words;
} rows[] = {
    { "get_char", 30, 64, 29, 1, 0, NULL },
    { "get_char", 30, 64, 30, 1, 0,
      "; 0 bytes past the end of argument 0 'in', 30 bytes" },
    { "get_char", 31, 64, 30, 64, 0, NULL },
    { "get_char", 31, 64, 31, 64, 0, "; 0 bytes past the end of argument 0" },
    { "get_char", 4096, 64, 4096, 1, 0, "; 0 bytes past" },
    { "get_char", 30, 64, -1, 1, 0,
      "; 1 byte before the start of argument 0 'in', 30 bytes" },
    { "get_char", 1, 64, 1, 1, 0,
      "; 0 bytes past the end of argument 0 'in', 1 byte" },
    { "get_char", 1, 64, 2, 1, 0,
      "; 1 byte past the end of argument 0 'in', 1 byte" },
    { "get_short", 30, 64, 14, 1, 0, NULL },
    { "get_short", 30, 64, 15, 1, 0, "; 0 bytes past the end" },
    { "get_short", 29, 64, 14, 1, 0, "; 1 byte before the end of argument 0" },
    { "get_int", 32, 64, 7, 1, 0, NULL },
    { "get_int", 32, 64, 8, 1, 0,
      "; 0 bytes past the end of argument 0 'in', 32 bytes" },
    { "get_int", 32, 64, 9, 1, 0,
      "; 4 bytes past the end of argument 0 'in', 32 bytes" },
    { "get_int", 30, 64, 7, 1, 0, "; 2 bytes before the end of argument 0" },
    { "get_int", 4096, 64, 1024, 1, 0, "; 0 bytes past" },
    { "get_int", 32, 64, 1 << 20, 1, 0, "access to unmapped memory to 0x" },
    { "get_int", 32, 64, -1, 1, 0,
      "; 4 bytes before the start of argument 0 'in', 32 bytes" },
    { "get_long", 64, 64, 7, 1, 0, NULL },
    { "get_long", 60, 64, 7, 1, 0, "; 0 bytes past the end of argument 0" },
    { "get_int4", 64, 64, 12, 1, 0, NULL },
    { "get_int4", 64, 64, 13, 1, 0, "; 0 bytes past the end of argument 0" },
    { "set_char", 4, 33, 32, 1, 0, NULL },
    { "set_char", 4, 33, 33, 1, 0,
      "; 0 bytes past the end of argument 1 'out', 33 bytes" },
    { "set_short", 4, 33, 16, 1, 0, "; 1 byte before the end of argument 1" },
    { "set_int", 4, 32, 8, 64, 0,
      "; 0 bytes past the end of argument 1 'out', 32 bytes" },
    { "set_int", 4, 32, 9, 1, 0,
      "; 4 bytes past the end of argument 1 'out', 32 bytes" },
    { "set_int", 4, 4096, 1024, 1, 0, "; 0 bytes past" },
    { "set_int", 4, 32, 1 << 20, 1, 0,
      "; 4194272 bytes past the end of argument 1 'out', 32 bytes" },
    { "set_int", 4, 32, -1, 1, 0,
      "; 4 bytes before the start of argument 1 'out', 32 bytes" },
    { "set_int4", 16, 64, 12, 1, 0, NULL },
    { "set_int4", 16, 64, 13, 1, 0, "; 0 bytes past the end of argument 1" },
    { "get_volatile_char", 33, 4, 32, 1, 0, NULL },
    { "get_volatile_char", 33, 4, 33, 1, 0,
      "; 0 bytes past the end of argument 0 'in', 33 bytes" },
    { "set_volatile_char", 4, 35, 34, 64, 0, NULL },
    { "set_volatile_char", 4, 35, 35, 64, 0, "; 0 bytes past the end" },
    { "set_volatile_short", 4, 34, 16, 1, 0, NULL },
    { "set_volatile_short", 4, 34, 17, 1, 0, "; 0 bytes past the end" },
    { "add", 4, 64, 15, 64, 0, NULL },
    { "add", 4, 64, 16, 64, 0, "; 0 bytes past the end of argument 1 'out'" },
    { "row", 256, 256, 0, 64, 0, NULL },
    { "row", 256, 256, 1, 64, 0,
      "; 0 bytes past the end of argument 0 'in', 256 bytes" },
    { "row", 252, 256, 0, 64, 0, "; 0 bytes past the end of argument 0" },
    { "row", 256, 250, 0, 64, 0, "; 2 bytes before the end of argument 1" },
    { "row", 256, 256, -1, 64, 0, "; 4 bytes before the start of argument 0" },
    { "strided", 4 * 63 * 5 + 4, 256, 5, 64, 0, NULL },
    { "strided", 4 * 63 * 5, 256, 5, 64, 0, "; 0 bytes past the end" },
    { "indexed", 256, 256, 63, 64, 0, NULL },
    { "indexed", 256, 256, 64, 64, 0, "; 0 bytes past the end" },
    { "constants", 4, 4, 4, 1, 0, NULL },
    { "constants", 4, 4, 900, 1, 0, "past the end of the program's constan" },
    { "variables", 4, 4, 2, 1, 0, NULL },
    { "variables", 4, 4, 900, 1, 0, "past the end of the program's variab" },
    { "locals", 4, 4, 63, 64, 0, NULL },
    { "locals", 4, 4, 64, 64, 0, "access outside of local memory to 0x7000" },
    { "locals", 4, 4, 64, 64, 0, "; 0 bytes past the end of the work-gro" },
    { "locals", 4, 4, 1000000, 64, 0, "; 3999744 bytes past the end of the" },
    { "local_char", 4, 4, 64, 1, 0, "; 0 bytes past the end of the work-gr" },
    { "local_odd", 4, 4, 60, 1, 0, NULL },
    { "local_char", 4, 4, 65, 1, 0, "; 1 byte past the end of the work-gro" },
    { "local_odd", 4, 4, 61, 1, 0, "; 0 bytes past the end of the work-gr" },
    { "local_add", 4, 4, 63, 64, 0, NULL },
    { "local_add", 4, 4, 65, 64, 0, "; 4 bytes past the end of the work-gr" },
    { "local_arg", 4, 4, 24, 64, 100, NULL },
    { "local_arg", 4, 4, 25, 64, 100,
      "; 0 bytes past the end of argument 3 'l', 100 bytes" },
    { "local_arg", 4, 4, 1000, 64, 100,
      "; 3900 bytes past the end of argument 3 'l', 100 bytes" },
    { "private_array", 4, 4, 7, 1, 0, NULL },
    { "private_array", 4, 4, 8, 1, 0, "outside of private memory: a thread" },
    { "private_array", 4, 4, 1 << 20, 1, 0, "outside of private memory" },
};

static void
check_row(struct cl *t, cl_program p, const struct row *r)
{
    cl_mem in = cl_buffer(t, 0, r->in_B, NULL);
    cl_mem out = cl_buffer(t, 0, r->out_B, NULL);
    cl_int code = run(
        t, p, (struct shot){ r->kernel, in, out, r->at, r->items, r->local_B });
    bool right = r->words ? code == CL_OUT_OF_RESOURCES &&
                                strstr(notice, r->words) &&
                                !strstr(notice, " 1 bytes") &&
                                strstr(notice, "(input.cl:")
                          : code == CL_SUCCESS;
    if (!CHECK(right))
        printf("  %s[%d]: %d, %s\n  %s\n", r->kernel, r->at, code, notice,
               r->words ? r->words : "no fault");
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
}

TEST(to_the_byte)
{
    struct cl t = open_noticed();
    cl_program p = cl_build(&t, source, "-cl-std=CL2.0");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&t, p, &rows[i]);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

static int
word(struct cl *t, cl_mem m)
{
    int x = -1;
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof x, &x, 0, NULL,
                           NULL));
    return x;
}

/* Kernels of two programs of a context see its buffers, of another do not. */
TEST(other_contexts_are_out_of_reach)
{
    struct cl a = open_noticed(), b = open_noticed();
    const int secret = 4711;
    cl_program pa = cl_build(&a, source, "-cl-std=CL2.0");
    cl_program also = cl_build(&a, source, "-cl-std=CL2.0 -DOTHER");
    cl_program pb = cl_build(&b, source, "-cl-std=CL2.0");
    cl_mem in = cl_buffer(&a, CL_MEM_COPY_HOST_PTR, 4, &secret);
    cl_mem out_a = cl_buffer(&a, 0, 4, NULL), out_b = cl_buffer(&b, 0, 4, NULL);
    OK(run(&a, pa, (struct shot){ "where", in, out_a, 0, 1, 0 }));
    int at = word(&a, out_a);
    for (int round = 0; round < 3; round++) {
        OK(run(&a, also, (struct shot){ "address", in, out_a, at, 1, 0 }));
        CHECK_EQ(word(&a, out_a), secret);
        FAILS(CL_OUT_OF_RESOURCES,
              run(&b, pb, (struct shot){ "address", out_b, out_b, at, 1, 0 }));
        CHECK(strstr(notice, "access to unmapped memory to 0x"));
        CHECK(strstr(notice, "; in a buffer of another context"));
        CHECK_EQ(word(&b, out_b), 0);
    }
    /* It has its own, and goes on when the other one is gone. */
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out_a));
    OK(clReleaseProgram(pa));
    OK(clReleaseProgram(also));
    cl_close(&a);
    OK(run(&b, pb, (struct shot){ "get_int", out_b, out_b, 0, 1, 0 }));
    OK(clReleaseMemObject(out_b));
    OK(clReleaseProgram(pb));
    cl_close(&b);
}

TEST(released_memory_is_out_of_reach)
{
    struct cl t = open_noticed();
    cl_program p = cl_build(&t, source, "-cl-std=CL2.0");
    cl_mem out = cl_buffer(&t, 0, 4, NULL), in = cl_buffer(&t, 0, 64, NULL);
    OK(run(&t, p, (struct shot){ "where", in, out, 0, 1, 0 }));
    int at = word(&t, out);
    OK(run(&t, p, (struct shot){ "address", out, out, at, 1, 0 }));
    OK(clReleaseMemObject(in));
    FAILS(CL_OUT_OF_RESOURCES,
          run(&t, p, (struct shot){ "address", out, out, at + 8, 1, 0 }));
    CHECK(strstr(notice,
                 "; at byte 8 of a buffer of 64 bytes that was released"));
    CHECK(strstr(notice, "address+0x"));
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* A smaller buffer got the address of a larger one: its end is what counts. */
TEST(behind_a_buffer_at_a_released_address)
{
    struct cl t = open_noticed();
    cl_program p = cl_build(&t, source, "-cl-std=CL2.0");
    cl_mem out = cl_buffer(&t, 0, 4, NULL),
           large = cl_buffer(&t, 0, 32768, NULL);
    OK(run(&t, p, (struct shot){ "where", large, out, 0, 1, 0 }));
    int was = word(&t, out);
    OK(clReleaseMemObject(large));
    cl_mem in = cl_buffer(&t, 0, 28672, NULL); /* no hole has room */
    OK(run(&t, p, (struct shot){ "where", in, out, 0, 1, 0 }));
    CHECK_EQ(word(&t, out), was);
    FAILS(CL_OUT_OF_RESOURCES,
          run(&t, p, (struct shot){ "get_int", in, out, 7168, 1, 0 }));
    CHECK(strstr(notice,
                 "; 0 bytes past the end of argument 0 'in', 28672 bytes"));
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* A sub-buffer is bounded as the buffer that it is a part of. */
TEST(sub_buffers_end_with_their_buffer)
{
    struct cl t = open_noticed();
    cl_int code;
    const cl_buffer_region region = { 128, 64 };
    cl_program p = cl_build(&t, source, "-cl-std=CL2.0");
    cl_mem in = cl_buffer(&t, 0, 508, NULL), out = cl_buffer(&t, 0, 4, NULL);
    cl_mem part;
    CREATES(part, clCreateSubBuffer(in, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                    &region, &code));
    OK(run(&t, p, (struct shot){ "get_int", part, out, 15, 1, 0 }));
    OK(run(&t, p, (struct shot){ "get_int", part, out, 94, 1, 0 }));
    FAILS(CL_OUT_OF_RESOURCES,
          run(&t, p, (struct shot){ "get_int", part, out, 95, 1, 0 }));
    CHECK(strstr(notice, "; 0 bytes past the end of argument 0 'in', 508 "
                         "bytes (the argument is at byte 128 of them)"));
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(pixels_end_with_their_image)
{
    struct cl t = open_noticed();
    cl_int code;
    int numbers[15] = { [14] = 30 };
    cl_program p = cl_build(&t, source, "-cl-std=CL2.0");
    cl_mem in = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, 60, numbers);
    cl_mem out = cl_buffer(&t, 0, 4, NULL), image;
    const cl_image_format format = { CL_R, CL_SIGNED_INT32 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                 .image_width = 15,
                                 .buffer = in };
    CREATES(image, clCreateImage(t.context, 0, &format, &desc, NULL, &code));
    OK(run(&t, p, (struct shot){ "where", in, out, 0, 1, 0 }));
    int at = word(&t, out);
    OK(run(&t, p, (struct shot){ "pixels", image, out, at + 56, 1, 0 }));
    CHECK_EQ(word(&t, out), 60);
    FAILS(CL_OUT_OF_RESOURCES,
          run(&t, p, (struct shot){ "pixels", image, out, at + 60, 1, 0 }));
    CHECK(strstr(notice, "; 0 bytes past the end of the pixels of argument 0 "
                         "'image', 60 bytes"));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Contexts come and go by the thousand; each leaves nothing behind. */
TEST(many_contexts)
{
    enum { MANY = 3000 };
    struct cl first = cl_open(0);
    for (int i = 0; i < MANY; i++) {
        struct cl t = cl_open(0);
        cl_mem m = cl_buffer(&t, 0, 64, NULL);
        OK(clReleaseMemObject(m));
        cl_close(&t);
    }
    cl_close(&first);
}

TEST_MAIN
