/* SPDX-License-Identifier: Apache-2.0 */
/* Compiling and linking apart: headers, objects, libraries, binaries. */
#include <pthread.h>
#include <sched.h>

#include <ventus/asm.h>

#include "cl.h"

static const char caller[] = "int twice(int x);\n"
                             "kernel void k(global int *x)\n"
                             "{\n    x[0] = twice(21);\n}\n";
static const char callee[] = "int twice(int x) { return 2 * x; }\n";

static cl_program
compiled(struct cl *t, const char *text, const char *options)
{
    cl_program p = cl_source(t, text);
    OK(clCompileProgram(p, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
    CHECK_EQ(cl_type(p, t->device), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    return p;
}

static cl_program
linked(struct cl *t, const char *options, cl_uint n, const cl_program *inputs)
{
    cl_int code;
    cl_program p;
    CREATES(p, clLinkProgram(t->context, 0, NULL, options, n, inputs, NULL,
                             NULL, &code));
    return p;
}

/* A program from the binary of another, released. */
static cl_program
again(struct cl *t, cl_program p)
{
    size_t size;
    cl_int code, status = 1;
    unsigned char *bytes = cl_binary(p, &size);
    const unsigned char *list[] = { bytes };
    cl_program q;
    CREATES(q, clCreateProgramWithBinary(t->context, 1, &t->device, &size, list,
                                         &status, &code));
    CHECK_EQ(status, CL_SUCCESS);
    CHECK_EQ(cl_type(q, t->device), cl_type(p, t->device));
    free(bytes);
    OK(clReleaseProgram(p));
    return q;
}

TEST(two_sources_make_one_program)
{
    struct cl t = cl_open(0);
    cl_program in[] = { compiled(&t, caller, ""),
                        compiled(&t, callee, "-cl-opt-disable") };
    cl_program p = linked(&t, NULL, 2, in);
    CHECK_EQ(cl_type(p, t.device), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_EQ(cl_result(&t, p), 42);
    char text[64] = "x";
    OK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    CHECK_STR(text, "");
    OK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK_STR(text, "k");
    OK(clReleaseProgram(p));
    /* Objects are still objects: they can be linked once more. */
    p = linked(&t, "-cl-fast-relaxed-math", 2, in);
    CHECK_EQ(cl_result(&t, p), 42);
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(in[0]));
    OK(clReleaseProgram(in[1]));
    cl_close(&t);
}

/* As files have it that were written by some editors. */
TEST(byte_order_marks)
{
    struct cl t = cl_open(0);
    cl_int code;
    const char *parts[] = { "\xef\xbb\xbf#include \"n.h\"\n",
                            "\xef\xbb\xbfkernel void k(global int *x)\n",
                            "{ x[0] = N; }\n" };
    const size_t lengths[] = { 0, strlen(parts[1]), 0 };
    cl_program p, header = cl_source(&t, "\xef\xbb\xbf#define N 7\n");
    CREATES(p, clCreateProgramWithSource(t.context, 3, parts, lengths, &code));
    const char *name = "n.h";
    OK(clCompileProgram(p, 0, NULL, NULL, 1, &header, &name, NULL, NULL));
    cl_program q = linked(&t, NULL, 1, &p);
    CHECK_EQ(cl_result(&t, q), 7);
    OK(clReleaseProgram(q));
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(header));
    p = cl_source(&t, "\xef\xbb\xbfkernel void k(global int *x)\n"
                      "{ x[0] = 8; }\n");
    OK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK_EQ(cl_result(&t, p), 8);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

static cl_int
arg_name(cl_program p)
{
    char name[16] = "";
    cl_kernel k = cl_kernel_of(p, "k");
    cl_int code =
        clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL);
    if (code == CL_SUCCESS)
        CHECK_STR(name, "x");
    OK(clReleaseKernel(k));
    return code;
}

/* The option counts where it was compiled, in all that is linked. */
TEST(argument_information)
{
    struct cl t = cl_open(0);
    static const char with[] = "-cl-kernel-arg-info";
    cl_program in[] = { compiled(&t, caller, with),
                        compiled(&t, callee, with) };
    cl_program p = linked(&t, "", 2, in);
    OK(arg_name(p));
    p = again(&t, p); /* of binaries there is none */
    FAILS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, arg_name(p));
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(in[1]));
    in[1] = compiled(&t, callee, "");
    p = linked(&t, "", 2, in);
    FAILS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, arg_name(p));
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(in[0]));
    OK(clReleaseProgram(in[1]));
    cl_close(&t);
}

TEST(libraries_of_libraries)
{
    struct cl t = cl_open(0);
    cl_program one = compiled(&t, callee, ""), two = compiled(&t, caller, "");
    cl_program lib =
        linked(&t, "-create-library -enable-link-options", 1, &one);
    CHECK_EQ(cl_type(lib, t.device), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_int code;
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(lib, "k", &code));
    cl_program both[] = { two, lib };
    cl_program more = linked(&t, " -create-library ", 2, both);
    char options[64];
    OK(clGetProgramBuildInfo(more, t.device, CL_PROGRAM_BUILD_OPTIONS,
                             sizeof options, options, NULL));
    CHECK_STR(options, " -create-library ");
    cl_program p = linked(&t, "", 1, &more);
    CHECK_EQ(cl_result(&t, p), 42);
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(more));
    OK(clReleaseProgram(lib));
    OK(clReleaseProgram(two));
    OK(clReleaseProgram(one));
    cl_close(&t);
}

TEST(binaries_of_every_kind)
{
    struct cl t = cl_open(0);
    cl_program in[] = { again(&t, compiled(&t, caller, "")),
                        compiled(&t, callee, "") };
    cl_program lib = linked(&t, "-create-library", 1, &in[1]);
    OK(clReleaseProgram(in[1]));
    in[1] = again(&t, lib);
    cl_program p = again(&t, linked(&t, "", 2, in));
    OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK_EQ(cl_result(&t, p), 42);
    /* Not built: it is an executable all the same. */
    p = again(&t, p);
    CHECK_EQ(cl_result(&t, p), 42);
    cl_int code;
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(in[0], "k", &code));
    CHECK_EQ(cl_result(&t, p), 42);
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(in[0]));
    OK(clReleaseProgram(in[1]));
    cl_close(&t);
}

/* A program made from the binary of a whole object becomes an executable by
 * clBuildProgram, and one with a hole in it does not. */
TEST(an_object_is_built)
{
    struct cl t = cl_open(0);
    cl_program p =
        again(&t, compiled(&t, "kernel void k(global int *x) { *x = 5; }", ""));
    OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK_EQ(cl_type(p, t.device), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_EQ(cl_result(&t, p), 5);
    OK(clReleaseProgram(p));
    p = again(&t, compiled(&t, caller, ""));
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK(strstr(cl_log(p, t.device), "undefined function 'twice'") != NULL);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(headers)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, "#include \"sub/a.h\"\n#include <b.h>\n"
                                 "kernel void k(global int *x)\n"
                                 "{\n    x[0] = A + B;\n}\n");
    cl_program h[] = { cl_source(&t, "#include \"b.h\"\n#define A (10 * B)\n"),
                       cl_source(&t, "#pragma once\n#define B 4\n"),
                       cl_source(&t, "#pragma once\n#define B oops(\n") };
    const char *names[] = { "sub/a.h", "b.h" };
    OK(clCompileProgram(p, 0, NULL, "", 2, h, names, NULL, NULL));
    cl_program q = linked(&t, "", 1, &p);
    CHECK_EQ(cl_result(&t, q), 44);
    OK(clReleaseProgram(q));
    /* The second time with another text under the same name. */
    cl_program changed[] = { h[0], h[2] };
    FAILS(CL_COMPILE_PROGRAM_FAILURE,
          clCompileProgram(p, 0, NULL, "", 2, changed, names, NULL, NULL));
    CHECK_EQ(cl_type(p, t.device), CL_PROGRAM_BINARY_TYPE_NONE);
    const char *log = cl_log(p, t.device);
    CHECK(strstr(log, "input.cl:5:") != NULL);
    CHECK(strstr(log, "\nb.h:2:11: note: expanded from macro 'B'") != NULL);
    CHECK(strstr(log, "/include/") == NULL);
    const char *bad[] = { "../a.h", "/tmp/b.h" };
    for (int i = 0; i < 2; i++)
        FAILS(CL_COMPILE_PROGRAM_FAILURE,
              clCompileProgram(p, 0, NULL, "", 1, h, &bad[i], NULL, NULL));
    for (int i = 0; i < 3; i++)
        OK(clReleaseProgram(h[i]));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* The compiler's own files are not where quoted headers are looked for. */
TEST(a_header_of_the_name_of_the_source)
{
    struct cl t = cl_open(0);
    const char *names[] = { "input.cl", "files", "output", "include/input.cl" };
    cl_program h = cl_source(&t, "#define A 6\n");
    for (int i = 0; i < 4; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "#include \"%s\"\nkernel void k(global int *x)\n"
                 "{\n    x[0] = A;\n}\n",
                 names[i]);
        cl_program p = cl_source(&t, text);
        OK(clCompileProgram(p, 0, NULL, "", 1, &h, &names[i], NULL, NULL));
        cl_program q = linked(&t, "", 1, &p);
        CHECK_EQ(cl_result(&t, q), 6);
        OK(clReleaseProgram(q));
        FAILS(CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(p, 0, NULL, "", NULL, NULL));
        CHECK(strstr(cl_log(p, t.device), "file not found") != NULL);
        OK(clReleaseProgram(p));
    }
    OK(clReleaseProgram(h));
    cl_close(&t);
}

/* Names that are no files', and two of which one is the other's folder. */
TEST(names_that_no_header_can_have)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, "#include \"a\"\nkernel void k() { }\n");
    cl_program h[] = { cl_source(&t, "\n"), cl_source(&t, "\n") };
    const char *bad[] = { ".", "a/.", "a/..", "a/", "a//b", "/a", "", ".." };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        FAILS(CL_COMPILE_PROGRAM_FAILURE,
              clCompileProgram(p, 0, NULL, "", 1, h, &bad[i], NULL, NULL));
        char text[128];
        snprintf(text, sizeof text,
                 "error: header '%s': expected the relative path of a file, "
                 "without '..'\n",
                 bad[i]);
        CHECK_STR(cl_log(p, t.device), text);
    }
    const char *both[] = { "a", "a/b" };
    FAILS(CL_COMPILE_PROGRAM_FAILURE,
          clCompileProgram(p, 0, NULL, "", 2, h, both, NULL, NULL));
    CHECK(strstr(cl_log(p, t.device), "error: header 'a/b': ") != NULL);
    const char *dots[] = { "./a", "..." };
    OK(clCompileProgram(p, 0, NULL, "", 2, h, dots, NULL, NULL));
    for (int i = 0; i < 2; i++)
        OK(clReleaseProgram(h[i]));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(links_that_fail)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_program half = compiled(&t, caller, "");
    cl_program p =
        clLinkProgram(t.context, 0, NULL, "", 1, &half, NULL, NULL, &code);
    CHECK_EQ(code, CL_LINK_PROGRAM_FAILURE);
    CHECK(p != NULL);
    CHECK(strstr(cl_log(p, t.device),
                 "input.cl:4:12: error: undefined function 'twice'") != NULL);
    CHECK_EQ(cl_type(p, t.device), CL_PROGRAM_BINARY_TYPE_NONE);
    OK(clReleaseProgram(p));
    cl_program same[] = { half, half };
    p = clLinkProgram(t.context, 0, NULL, "-create-library", 2, same, NULL,
                      NULL, &code);
    CHECK_EQ(code, CL_LINK_PROGRAM_FAILURE);
    CHECK(strstr(cl_log(p, t.device), "'k'") != NULL);
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(half));
    cl_close(&t);
}

static void CL_CALLBACK
note(cl_program p, void *user_data)
{
    (void)p;
    __atomic_store_n((int *)user_data, 1, __ATOMIC_SEQ_CST);
}

static void
wait_for(int *done)
{
    while (!__atomic_load_n(done, __ATOMIC_SEQ_CST))
        sched_yield();
}

TEST(in_the_background)
{
    struct cl t = cl_open(0);
    int done[2] = { 0, 0 };
    cl_int code;
    cl_program p = cl_source(&t, "kernel void k(global int *x) { *x = 9; }");
    OK(clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, note, &done[0]));
    wait_for(&done[0]);
    cl_program q;
    CREATES(
        q, clLinkProgram(t.context, 0, NULL, "", 1, &p, note, &done[1], &code));
    wait_for(&done[1]);
    CHECK_EQ(cl_result(&t, q), 9);
    OK(clReleaseProgram(q));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(compile_errors_in_order)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, callee), b;
    const char *name = "a.h", *none = NULL;
    cl_device_id wrong = (cl_device_id)t.queue;
    cl_program wrong_program = (cl_program)t.queue;
    FAILS(CL_INVALID_PROGRAM,
          clCompileProgram(NULL, 1, NULL, "", 1, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clCompileProgram(p, 1, NULL, "", 0, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clCompileProgram(p, 0, &t.device, "", 0, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clCompileProgram(p, 0, NULL, "", 1, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clCompileProgram(p, 0, NULL, "", 0, &p, &name, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clCompileProgram(p, 0, NULL, "", 1, &p, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clCompileProgram(p, 0, NULL, "", 1, &p, &none, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, &t));
    FAILS(CL_INVALID_DEVICE,
          clCompileProgram(p, 1, &wrong, "", 0, NULL, NULL, NULL, NULL));
    FAILS(
        CL_INVALID_PROGRAM,
        clCompileProgram(p, 0, NULL, "", 1, &wrong_program, &name, NULL, NULL));
    FAILS(CL_INVALID_COMPILER_OPTIONS,
          clCompileProgram(p, 0, NULL, "-nonsense", 0, NULL, NULL, NULL, NULL));
    /* Of an executable nothing can be compiled. */
    b = again(&t, cl_build(&t, "kernel void k(global int *x) { }", ""));
    FAILS(CL_INVALID_OPERATION,
          clCompileProgram(b, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    OK(clBuildProgram(b, 0, NULL, "", NULL, NULL));
    OK(clReleaseProgram(b));
    /* Nor while a kernel of it exists. */
    b = cl_build(&t, "kernel void k(global int *x) { }", "");
    cl_kernel k = cl_kernel_of(b, "k");
    FAILS(CL_INVALID_OPERATION,
          clCompileProgram(b, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(b));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

static void
refuse_link(struct cl *t, cl_int expected, const char *options, cl_uint n,
            const cl_program *inputs)
{
    cl_int code;
    REFUSES(expected, clLinkProgram(t->context, 0, NULL, options, n, inputs,
                                    NULL, NULL, &code));
}

TEST(link_errors_in_order)
{
    struct cl t = cl_open(0);
    cl_program p = compiled(&t, callee, ""), source = cl_source(&t, callee);
    cl_program mixed[] = { p, source }, wrong = (cl_program)t.queue;
    cl_device_id device = (cl_device_id)t.queue;
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT, clLinkProgram((cl_context)p, 0, NULL, "", 0,
                                              NULL, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            clLinkProgram(t.context, 1, NULL, "", 1, &p, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE, clLinkProgram(t.context, 0, &t.device, "", 1, &p,
                                            NULL, NULL, &code));
    refuse_link(&t, CL_INVALID_VALUE, "", 0, NULL);
    refuse_link(&t, CL_INVALID_VALUE, "", 1, NULL);
    refuse_link(&t, CL_INVALID_VALUE, "", 0, &p);
    refuse_link(&t, CL_INVALID_PROGRAM, "", 1, &wrong);
    REFUSES(CL_INVALID_DEVICE,
            clLinkProgram(t.context, 1, &device, "", 1, &p, NULL, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            clLinkProgram(t.context, 0, NULL, "", 1, &p, NULL, &t, &code));
    refuse_link(&t, CL_INVALID_LINKER_OPTIONS, "-nonsense", 1, &p);
    refuse_link(&t, CL_INVALID_LINKER_OPTIONS, "-D X", 1, &p);
    refuse_link(&t, CL_INVALID_LINKER_OPTIONS, "-enable-link-options", 1, &p);
    refuse_link(&t, CL_INVALID_OPERATION, "", 1, &source);
    refuse_link(&t, CL_INVALID_OPERATION, "", 2, mixed);
    cl_program built = cl_build(&t, "kernel void k(global int *x) { }", "");
    refuse_link(&t, CL_INVALID_OPERATION, "", 1, &built);
    OK(clReleaseProgram(built));
    OK(clReleaseProgram(source));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* A constant array and a printf from each side, a struct by value between. */
TEST(what_crosses_the_border)
{
    struct cl t = cl_open(0);
    cl_program in[] = {
        compiled(&t,
                 "struct pair { int a, b; };\n"
                 "extern constant int table[4];\n"
                 "struct pair swap(struct pair p);\n"
                 "kernel void k(global int *x)\n"
                 "{\n    struct pair p = { table[1], table[3] };\n"
                 "    p = swap(p);\n    printf(\"%d \", p.a);\n"
                 "    x[0] = 100 * p.a + p.b;\n}\n",
                 ""),
        compiled(&t,
                 "struct pair { int a, b; };\n"
                 "constant int table[4] = { 1, 2, 3, 4 };\n"
                 "struct pair swap(struct pair p)\n"
                 "{\n    struct pair q = { p.b, p.a };\n"
                 "    printf(\"%s\\n\", \"swapped\");\n    return q;\n}\n",
                 ""),
    };
    cl_program p = linked(&t, "", 2, in);
    CHECK_EQ(cl_result(&t, p), 402);
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(in[0]));
    OK(clReleaseProgram(in[1]));
    cl_close(&t);
}

/* ---- objects in assembly ---- */

static cl_uint
address_bits(cl_device_id device)
{
    cl_uint bits = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits,
                       NULL));
    return bits;
}

static cl_program
assembled(struct cl *t, const char *text)
{
    struct ventus_asm_result r;
    bool wide = address_bits(t->device) == 64;
    struct ventus_asm_options options = { .file = "twice.s",
                                          .version = wide ? VENTUS_ISA_V2
                                                          : VENTUS_ISA_V1 };
    cl_int code, status = 1;
    cl_program p;
    CHECK(ventus_asm_assemble(&options, text, strlen(text), &r));
    const unsigned char *bytes = r.object;
    CREATES(p,
            clCreateProgramWithBinary(t->context, 1, &t->device, &r.object_size,
                                      &bytes, &status, &code));
    CHECK_EQ(status, CL_SUCCESS);
    ventus_asm_free(&r);
    return p;
}

/* twice(x) is half(x * 4), which is OpenCL C again. */
static const char in_assembly[] =
    "    .ventus_function twice, sgpr=8, vgpr=4, private=0, stack=4, "
    "calls=half_of\n"
    "twice:\n"
    "    sw ra, 0(sp)\n"
    "    vsll.vi v0, v0, 2\n"
    "    addi sp, sp, 4\n"
    "    call half_of\n"
    "    addi sp, sp, -4\n"
    "    lw ra, 0(sp)\n"
    "    ret\n";
static const char half_of[] = "int half_of(int x) { return x / 2; }\n";

TEST(objects_in_assembly)
{
    struct cl t = cl_open(0);
    cl_program in[] = { compiled(&t, caller, ""), assembled(&t, in_assembly),
                        compiled(&t, half_of, "") };
    CHECK_EQ(cl_type(in[1], t.device), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    in[1] = again(&t, in[1]);
    cl_program p = linked(&t, NULL, 3, in);
    CHECK_EQ(cl_result(&t, p), 42);
    p = again(&t, p);
    OK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK_EQ(cl_result(&t, p), 42);
    OK(clReleaseProgram(p));
    for (unsigned i = 0; i < 3; i++)
        OK(clReleaseProgram(in[i]));
    cl_close(&t);
}

/* The log says what is missing, where, and what there is twice. */
static void
check_log(struct cl *t, const char *options, cl_uint n, const cl_program *in,
          const char *words)
{
    cl_int code;
    cl_program p =
        clLinkProgram(t->context, 0, NULL, options, n, in, NULL, NULL, &code);
    CHECK_EQ(code, CL_LINK_PROGRAM_FAILURE);
    CHECK(strstr(cl_log(p, t->device), words) != NULL);
    OK(clReleaseProgram(p));
}

TEST(objects_in_assembly_that_do_not_link)
{
    struct cl t = cl_open(0);
    cl_program in[] = { compiled(&t, caller, ""), assembled(&t, in_assembly),
                        compiled(&t, callee, "") };
    check_log(&t, NULL, 2, in,
              "undefined symbol 'half_of', which is used at twice+0xc");
    check_log(&t, NULL, 3, in, "'twice' is defined here and in '");
    check_log(&t, "-create-library", 2, in, "is linked to programs only");
    for (unsigned i = 0; i < 3; i++)
        OK(clReleaseProgram(in[i]));
    cl_close(&t);
}

TEST_MAIN
