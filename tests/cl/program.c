/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: building, logs, binaries, the cache. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cl.h"

static const char good[] = "kernel void one(global int *x) { x[0] = N; }\n"
                           "kernel void two(global int *x) { x[1] = 2; }\n";

static char log_text[16384];

static const char *
build_log(struct cl *t, cl_program p)
{
    log_text[0] = 0;
    OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG,
                             sizeof log_text, log_text, NULL));
    return log_text;
}

static cl_build_status
build_status(struct cl *t, cl_program p)
{
    cl_build_status s = 99;
    OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_STATUS, sizeof s,
                             &s, NULL));
    return s;
}

TEST(sources)
{
    struct cl t = cl_open(0);
    cl_int code;
    const char *parts[] = { "kernel void ", "k123(global int *x) {",
                            "x[0] = 5; }" };
    const size_t lengths[] = { 0, 1, 0 };
    const size_t whole[] = { 12, strlen(parts[1]), 0 };
    cl_program p;
    CREATES(p, clCreateProgramWithSource(t.context, 3, parts, whole, &code));
    char text[128];
    OK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    CHECK_STR(text, "kernel void k123(global int *x) {x[0] = 5; }");
    OK(clReleaseProgram(p));
    CREATES(p, clCreateProgramWithSource(t.context, 3, parts, lengths, &code));
    OK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    CHECK_STR(text, "kernel void kx[0] = 5; }");
    OK(clReleaseProgram(p));
    const char *hole[] = { "x", NULL };
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithSource(t.context, 2, hole, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithSource(t.context, 0, parts, NULL, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithSource(t.context, 1, NULL, NULL, &code));
    cl_close(&t);
}

TEST(build_and_ask)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, good);
    size_t n = 0;
    char text[128];
    cl_int code;
    CHECK_EQ(build_status(&t, p), CL_BUILD_NONE);
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL));
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, "one", &code));
    OK(clBuildProgram(p, 0, NULL, " -DN=3  -cl-std=CL1.1 ", NULL, NULL));
    CHECK_EQ(build_status(&t, p), CL_BUILD_SUCCESS);
    OK(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL));
    CHECK_EQ(n, 2);
    OK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK_STR(text, "one;two");
    OK(clGetProgramBuildInfo(p, t.device, CL_PROGRAM_BUILD_OPTIONS, sizeof text,
                             text, NULL));
    CHECK_STR(text, " -DN=3  -cl-std=CL1.1 ");
    FAILS(CL_INVALID_VALUE, clGetProgramInfo(p, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clGetProgramBuildInfo(p, t.device, 1, 0, NULL, NULL));
    FAILS(CL_INVALID_DEVICE,
          clGetProgramBuildInfo(p, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clBuildProgram(p, 1, NULL, "", NULL, NULL));
    FAILS(CL_INVALID_VALUE, clBuildProgram(p, 0, &t.device, "", NULL, NULL));
    FAILS(CL_INVALID_VALUE, clBuildProgram(p, 0, NULL, "", NULL, &t));
    cl_kernel k = cl_kernel_of(p, "one");
    FAILS(CL_INVALID_OPERATION, clBuildProgram(p, 0, NULL, "", NULL, NULL));
    OK(clReleaseKernel(k));
    OK(clBuildProgram(p, 0, NULL, "-D N=4", NULL, NULL));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Of a program that cannot be changed; the last one counts. */
TEST(options_of_the_user_come_behind)
{
    struct cl t = cl_open(0);
    char text[64];
    CHECK(setenv("VENTUS_BUILD_OPTIONS", "-U N -DN=2", 1) == 0);
    cl_program p =
        cl_source(&t, "#if N != 2\n#error N\n#endif\nkernel void k() {}");
    OK(clBuildProgram(p, 0, NULL, "-DN=1", NULL, NULL));
    OK(clGetProgramBuildInfo(p, t.device, CL_PROGRAM_BUILD_OPTIONS, sizeof text,
                             text, NULL));
    CHECK_STR(text, "-DN=1");
    OK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK(setenv("VENTUS_BUILD_OPTIONS", "-no-such-option", 1) == 0);
    FAILS(CL_INVALID_BUILD_OPTIONS,
          clBuildProgram(p, 0, NULL, "-DN=2", NULL, NULL));
    CHECK(strstr(build_log(&t, p), "-no-such-option"));
    CHECK(unsetenv("VENTUS_BUILD_OPTIONS") == 0);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(failures_have_logs)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, "kernel void k(global int *x)\n"
                                 "{\n    x[0] = nothing;\n}\n");
    cl_int code;
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK_EQ(build_status(&t, p), CL_BUILD_ERROR);
    CHECK(strstr(build_log(&t, p), "input.cl:3:12: error: use of undeclared "
                                   "identifier 'nothing'") != NULL);
    CHECK(strstr(log_text, "    x[0] = nothing;") != NULL);
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, "k", &code));
    FAILS(CL_INVALID_BUILD_OPTIONS,
          clBuildProgram(p, 0, NULL, "-not-an-option", NULL, NULL));
    CHECK(strstr(build_log(&t, p), "-not-an-option") != NULL);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* They were "Argument list too long", as if there were no compiler. */
TEST(options_of_any_length_end_in_a_code)
{
    static const struct {
        size_t size;
        cl_int code;
    } rows[] = { { 1000, CL_SUCCESS },
                 { 65536, CL_SUCCESS },
                 { 65537, CL_INVALID_BUILD_OPTIONS },
                 { 200000, CL_INVALID_BUILD_OPTIONS },
                 { 4000000, CL_INVALID_BUILD_OPTIONS } };
    struct cl t = cl_open(0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_program p = cl_source(&t, "kernel void k(global int *x) {}");
        char *options = malloc(rows[i].size + 1);
        memset(options, ' ', rows[i].size);
        memcpy(options, "-D N=3", 6);
        options[rows[i].size] = 0;
        FAILS(rows[i].code, clBuildProgram(p, 0, NULL, options, NULL, NULL));
        if (rows[i].code)
            CHECK(strstr(build_log(&t, p), "expected 65536 bytes at most"));
        free(options);
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

/*
 * A standard option failed under -Werror, -Weverything told of a folder of ours,
 * and a command line above 64 KiB of a file that clang could not make.
 */
TEST(options_that_clang_had_words_for)
{
    static const char macro[] = "-D A=5 ", source[] = "kernel void k() {}\n";
    static char many[60000];
    for (size_t n = 0; n + sizeof macro < sizeof many; n += sizeof macro - 1)
        memcpy(many + n, macro, sizeof macro);
    const char *const options[] = { "-Werror -cl-denorms-are-zero",
                                    "-Werror -Weverything", many };
    struct cl t = cl_open(0);
    setenv("VENTUS_CACHE", "0", 1);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        cl_program p = cl_source(&t, source);
        OK(clBuildProgram(p, 0, NULL, options[i], NULL, NULL));
        CHECK_STR(build_log(&t, p), "");
        OK(clReleaseProgram(p));
    }
    unsetenv("VENTUS_CACHE");
    cl_close(&t);
}

TEST(the_limit_of_options_is_a_setting)
{
    static const struct {
        const char *limit_KB;
        size_t size;
        const char *found; /* NULL: they are accepted */
    } rows[] = {
        { "1", 1024, NULL },
        { "1", 1025, "expected 1024 bytes at most (VENTUS_OPTIONS_KB), found" },
        { "1000000", 122880, NULL },
        { "1000000", 122881, "expected 122880 bytes at most" },
    };
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, "kernel void k(global int *x) {}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char options[122882];
        memset(options, ' ', rows[i].size);
        memcpy(options, "-D N=4", 6);
        options[rows[i].size] = 0;
        setenv("VENTUS_OPTIONS_KB", rows[i].limit_KB, 1);
        FAILS(rows[i].found ? CL_INVALID_BUILD_OPTIONS : CL_SUCCESS,
              clBuildProgram(p, 0, NULL, options, NULL, NULL));
        if (rows[i].found)
            CHECK(strstr(build_log(&t, p), rows[i].found));
    }
    unsetenv("VENTUS_OPTIONS_KB");
    OK(clReleaseProgram(p));
    cl_close(&t);
}

#ifndef __SANITIZE_ADDRESS__ /* whose compiler reserves terabytes */
/* A source of a line took 4 times what its constants have. */
TEST(a_compiler_that_takes_too_much_memory_is_ended)
{
    struct cl t = cl_open(0);
    cl_program p =
        cl_source(&t, "constant int a[60000000] = { 1, 2 };\n"
                      "kernel void k(global int *x) { x[0] = a[x[1]]; }");
    setenv("VENTUS_COMPILE_LIMIT_MB", "500", 1);
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK(strstr(build_log(&t, p), "error: the compiler ran out of memory: it "
                                   "may take 500 MB "
                                   "(VENTUS_COMPILE_LIMIT_MB)"));
    unsetenv("VENTUS_COMPILE_LIMIT_MB");
    OK(clReleaseProgram(p));
    cl_close(&t);
}
#endif

/* What the device does not have is no part of the language either. */
TEST(absent_extensions)
{
    static const struct {
        const char *source, *options, *message;
    } rows[] = {
        { "kernel void k(global int *x) { pipe int p; }", "-cl-std=CL3.0",
          "pipe" },
        { "#ifdef cl_khr_gl_sharing\nkernel void k(void) {}\n#else\n"
          "#error without gl\n#endif\n",
          "", "without gl" },
    };
    struct cl t = cl_open(0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_program p = cl_source(&t, rows[i].source);
        FAILS(CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(p, 0, NULL, rows[i].options, NULL, NULL));
        CHECK(strstr(build_log(&t, p), rows[i].message) != NULL);
        CHECK(strstr(log_text, "input.cl:") != NULL);
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

static void CL_CALLBACK
count_up(cl_program p, void *user_data)
{
    (void)p;
    __atomic_add_fetch((int *)user_data, 1, __ATOMIC_SEQ_CST);
}

TEST(in_the_background)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, good);
    int done = 0;
    OK(clBuildProgram(p, 0, NULL, "-DN=1", count_up, &done));
    while (!__atomic_load_n(&done, __ATOMIC_SEQ_CST))
        sched_yield();
    CHECK_EQ(build_status(&t, p), CL_BUILD_SUCCESS);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Platforms that build before they return let programs go on at once. */
TEST(kernels_of_a_build_in_the_background)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, good), q = cl_source(&t, good);
    int done = 0;
    cl_uint n = 0;
    setenv("VENTUS_CACHE", "0", 1);
    OK(clBuildProgram(p, 0, NULL, "-DN=3", count_up, &done));
    OK(clReleaseKernel(cl_kernel_of(p, "one")));
    OK(clBuildProgram(q, 0, NULL, "-DN=3", count_up, &done));
    OK(clCreateKernelsInProgram(q, 0, NULL, &n));
    CHECK(n >= 1);
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < 2)
        sched_yield();
    unsetenv("VENTUS_CACHE");
    OK(clReleaseProgram(q));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(binaries)
{
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, good, "-DN=77"), q;
    size_t size = 0;
    cl_int code, status = 1;
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    CHECK(size > 100);
    unsigned char *bytes = malloc(size);
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    const unsigned char *list[] = { bytes };
    CREATES(q, clCreateProgramWithBinary(t.context, 1, &t.device, &size, list,
                                         &status, &code));
    CHECK_EQ(status, CL_SUCCESS);
    OK(clBuildProgram(q, 0, NULL, "", NULL, NULL));
    cl_program_binary_type type = 0;
    OK(clGetProgramBuildInfo(q, t.device, CL_PROGRAM_BINARY_TYPE, sizeof type,
                             &type, NULL));
    CHECK_EQ(type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    cl_kernel k = cl_kernel_of(q, "one");
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(q));
    for (size_t n = 1; n < size; n += size / 40) {
        REFUSES(CL_INVALID_BINARY,
                clCreateProgramWithBinary(t.context, 1, &t.device, &n, list,
                                          &status, &code));
        CHECK_EQ(status, CL_INVALID_BINARY);
    }
    size_t zero = 0;
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithBinary(t.context, 1, &t.device, &zero, list,
                                      &status, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithBinary(t.context, 0, &t.device, &size, list,
                                      &status, &code));
    cl_device_id none = (cl_device_id)t.queue;
    REFUSES(CL_INVALID_DEVICE,
            clCreateProgramWithBinary(t.context, 1, &none, &size, list, &status,
                                      &code));
    free(bytes);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Time that passes while others have the processor is not the compiler's. */
TEST(a_busy_host_fails_no_build)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, good);
    setenv("VENTUS_TEST_COMPILER", COMPILER, 1);
    setenv("VENTUS_CC", COMPILER_THAT_WAITS, 1);
    setenv("VENTUS_COMPILE_LIMIT_MS", "3000", 1);
    setenv("VENTUS_CACHE", "0", 1);
    OK(clBuildProgram(p, 0, NULL, "-DN=5002", NULL, NULL));
    unsetenv("VENTUS_CACHE");
    unsetenv("VENTUS_COMPILE_LIMIT_MS");
    unsetenv("VENTUS_CC");
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* What a compiler prints is bounded, and it gets none of our files. */
TEST(a_compiler_that_prints_without_end)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, good);
    size_t size = 0;
    int fd =
        open("/dev/null", O_RDONLY); /* not closed when others are started */
    CHECK(fd >= 3);
    setenv("VENTUS_CC", COMPILER_THAT_FLOODS, 1);
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, "-DN=5003", NULL, NULL));
    unsetenv("VENTUS_CC");
    OK(clGetProgramBuildInfo(p, t.device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                             &size));
    CHECK(size > 16 << 20);
    CHECK(size < 17 << 20);
    char *log = malloc(size);
    OK(clGetProgramBuildInfo(p, t.device, CL_PROGRAM_BUILD_LOG, size, log,
                             NULL));
    CHECK(memcmp(log, "0 1 2 3 x", 9) == 0);
    CHECK(strstr(log, "is dropped") != NULL);
    free(log);
    close(fd);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* What a compiler starts inherits its limit of processor time, in whole
 * seconds: a signal at the limit, the end a second later. */
TEST(limits_are_inherited)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, good);
    setenv("VENTUS_COMPILE_LIMIT_MS", "7900", 1);
    setenv("VENTUS_CC", COMPILER_THAT_TELLS, 1);
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, "-DN=5004", NULL, NULL));
    CHECK(strstr(build_log(&t, p), "soft 8, hard 9") != NULL);
    unsetenv("VENTUS_COMPILE_LIMIT_MS");
    unsetenv("VENTUS_CC");
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* SIGXFSZ ended the application when the library wrote the source. */
TEST(the_applications_limit_of_files_ends_builds_only)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, good);
    struct rlimit before, none;
    setenv("VENTUS_CACHE", "0", 1); /* where the last run has left it */
    fflush(NULL);
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = (struct rlimit){ 0, before.rlim_max };
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
    cl_int code = clBuildProgram(p, 0, NULL, "-DN=5005", NULL, NULL);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    CHECK_EQ(code, CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(build_log(&t, p), "File too large") != NULL);
    OK(clBuildProgram(p, 0, NULL, "-DN=5005", NULL, NULL));
    unsetenv("VENTUS_CACHE");
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* A compiler that dies, hangs, or is not there: its own words, and we go on. */
TEST(compilers_that_fail)
{
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, good);
    setenv("VENTUS_CACHE", "0", 1); /* where the last run has left it */
    setenv("VENTUS_CC", COMPILER_THAT_ABORTS, 1);
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, "-DN=5001", NULL, NULL));
    CHECK(strstr(build_log(&t, p), "the\nlast words\nerror: the compiler "
                                   "crashed on this input: Aborted\n") != NULL);
    setenv("VENTUS_COMPILE_LIMIT_MS", "200", 1);
    setenv("VENTUS_CC", COMPILER_THAT_HANGS, 1);
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, "-DN=5001", NULL, NULL));
    CHECK(strstr(build_log(&t, p), "200 ms") != NULL);
    setenv("VENTUS_CC", COMPILER_THAT_WORKS, 1);
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, "-DN=5001", NULL, NULL));
    CHECK(strstr(build_log(&t, p), "200 ms of processor time") != NULL);
    setenv("VENTUS_COMPILE_LIMIT_MS", "0", 1);
    unsetenv("VENTUS_CC"); /* it was stopped at once and said nothing */
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 0, NULL, "-DN=5001", NULL, NULL));
    CHECK(strstr(build_log(&t, p), "expected a number above 0") != NULL);
    unsetenv("VENTUS_COMPILE_LIMIT_MS");
    setenv("VENTUS_CC", "/nowhere/ventus", 1);
    FAILS(CL_COMPILER_NOT_AVAILABLE,
          clBuildProgram(p, 0, NULL, "-DN=5001", NULL, NULL));
    cl_bool there = CL_TRUE;
    OK(clGetDeviceInfo(t.device, CL_DEVICE_COMPILER_AVAILABLE, sizeof there,
                       &there, NULL));
    CHECK_EQ(there, CL_FALSE);
    unsetenv("VENTUS_CC");
    OK(clBuildProgram(p, 0, NULL, "-DN=5001", NULL, NULL));
    unsetenv("VENTUS_CACHE");
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- the cache ---- */

static void
write_header(const char *dir, int value)
{
    char path[600];
    snprintf(path, sizeof path, "%s/value.h", dir);
    FILE *f = fopen(path, "w");
    fprintf(f, "#define VALUE %d\n", value);
    fclose(f);
}

static int
run_one(struct cl *t, const char *source, const char *options)
{
    int value = -1;
    size_t one = 1;
    cl_program p = cl_build(t, source, options);
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = cl_buffer(t, 0, sizeof value, NULL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof value, &value, 0,
                           NULL, NULL));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    return value;
}

TEST(cache_sees_headers_and_options)
{
    struct cl t = cl_open(0);
    char dir[] = "/tmp/ventus-test-XXXXXX", options[600];
    CHECK(mkdtemp(dir) != NULL);
    const char *source = "#include \"value.h\"\n"
                         "kernel void k(global int *x) { *x = VALUE + N; }";
    snprintf(options, sizeof options, "-I %s -D N=100", dir);
    write_header(dir, 1);
    CHECK_EQ(run_one(&t, source, options), 101);
    CHECK_EQ(run_one(&t, source, options), 101);
    write_header(dir, 2);
    CHECK_EQ(run_one(&t, source, options), 102);
    snprintf(options, sizeof options, "-I %s -D N=200", dir);
    CHECK_EQ(run_one(&t, source, options), 202);
    snprintf(options, sizeof options, "rm -r %s", dir);
    CHECK_EQ(system(options), 0);
    /* What is in the cache needs no compiler, even after one of no use. */
    CHECK_EQ(run_one(&t, "kernel void k(global int *x) { *x = 6; }", ""), 6);
    cl_close(&t);
}

/* What was not there is in no list of what was included. */
TEST(cache_sees_headers_that_come_later)
{
    struct cl t = cl_open(0);
    char dir[] = "/tmp/ventus-test-XXXXXX", options[600];
    CHECK(mkdtemp(dir) != NULL);
    const char *source = "#if __has_include(\"value.h\")\n"
                         "#include \"value.h\"\n"
                         "#else\n#define VALUE 0\n#endif\n"
                         "kernel void k(global int *x) { *x = VALUE + 5; }";
    snprintf(options, sizeof options, "-I %s", dir);
    CHECK_EQ(run_one(&t, source, options), 5);
    write_header(dir, 10);
    CHECK_EQ(run_one(&t, source, options), 15);
    snprintf(options, sizeof options, "rm -r %s", dir);
    CHECK_EQ(system(options), 0);
    cl_close(&t);
}

/* ---- what the devices do not have ---- */

TEST(absent_kinds)
{
    struct cl t = cl_open(0);
    cl_int code;
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(
                                  t.context, 1, &t.device, "k", &code));
    cl_close(&t);
}

TEST_MAIN
