/* SPDX-License-Identifier: Apache-2.0 */
/* What real programs do that implementations have stumbled over. */
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cl.h"

static const char text[] =
    "kernel void ids(global int *x, int width)\n"
    "{\n"
    "    int at = get_global_id(1) * width + get_global_id(0);\n"
    "    x[at] = get_local_id(0) + 1000 * get_group_id(0)\n"
    "        + 1000000 * get_group_id(1);\n"
    "}\n"
    "kernel void reversed(global int *x, local int *a)\n"
    "{\n"
    "    local int b[8];\n"
    "    int i = get_local_id(0), n = get_local_size(0);\n"
    "    a[i] = get_global_id(0);\n"
    "    if (i < 8)\n"
    "        b[i] = 100 * get_group_id(0) + i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    x[get_global_id(0)] = a[n - 1 - i] + b[i % 8];\n"
    "}\n"
    "kernel void k(global int *x) { x[0] = get_local_size(0); }\n";

TEST(exactly_a_gpu)
{
    struct cl t = cl_open(0);
    static const cl_device_type asked[] = { CL_DEVICE_TYPE_GPU,
                                            CL_DEVICE_TYPE_ALL,
                                            CL_DEVICE_TYPE_DEFAULT };
    cl_device_type type = 0;
    for (int i = 0; i < 3; i++) {
        cl_device_id d = NULL;
        OK(clGetDeviceIDs(t.platform, asked[i], 1, &d, NULL));
        CHECK(d == t.device);
        cl_int code;
        cl_context c;
        CREATES(c, clCreateContextFromType(NULL, asked[i], NULL, NULL, &code));
        OK(clReleaseContext(c));
    }
    OK(clGetDeviceInfo(t.device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_DEVICE_TYPE_GPU); /* programs compare with == */
    cl_ulong global = 0;
    OK(clGetDeviceInfo(t.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof global,
                       &global, NULL));
    CHECK(global >= (cl_ulong)1 << 30);
    cl_close(&t);
}

static void
try_size(struct cl *t, cl_kernel k, const size_t g[2], const size_t l[2])
{
    size_t n = g[0] * g[1];
    int width = (int)g[0], *x = calloc(n, sizeof *x);
    cl_mem m = cl_buffer(t, 0, n * sizeof *x, NULL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, sizeof width, &width));
    OK(clEnqueueNDRangeKernel(t->queue, k, 2, NULL, g, l, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, n * sizeof *x, x, 0, NULL,
                           NULL));
    size_t wrong = 0;
    for (size_t i = 0; l && i < n; i++)
        wrong += (size_t)x[i] != i % g[0] % l[0] + 1000 * (i % g[0] / l[0]) +
                                     1000000 * (i / g[0] / l[1]);
    CHECK_EQ(wrong, 0);
    OK(clReleaseMemObject(m));
    free(x);
}

TEST(sizes_that_are_no_multiple_of_a_warp)
{
    static const size_t cases[][4] = {
        { 288, 1, 96, 1 },  { 240, 1, 120, 1 }, { 352, 1, 176, 1 },
        { 384, 1, 192, 1 }, { 18, 18, 3, 3 },   { 30, 1, 10, 1 },
        { 18, 18, 18, 18 }, { 1, 256, 1, 256 }, { 7, 5, 7, 1 },
        { 33, 3, 33, 3 },
    };
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "ids");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        try_size(&t, k, cases[i], cases[i] + 2);
        try_size(&t, k, cases[i], NULL);
    }
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* One of each for every work-group, and they do not share their bytes. */
TEST(local_arguments_beside_local_arrays)
{
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "reversed");
    int x[960];
    const size_t global = 960, local = 48;
    cl_mem m = cl_buffer(&t, 0, sizeof x, NULL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, local * sizeof *x, NULL));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &global, &local, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < 960; i++)
        wrong +=
            x[i] != i / 48 * 48 + 47 - i % 48 + 100 * (i / 48) + i % 48 % 8;
    CHECK_EQ(wrong, 0);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(the_largest_size_is_taken_at_its_word)
{
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    size_t most = 0;
    int x = 0;
    cl_mem m = cl_buffer(&t, 0, sizeof x, NULL);
    OK(clGetDeviceInfo(t.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most,
                       &most, NULL));
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &most, &most, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof x, &x, 0, NULL,
                           NULL));
    CHECK_EQ((size_t)x, most);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(odd_options)
{
    static const char *const all[] = {
        " ",
        "  -cl-std=CL1.1 -cl-mad-enable\t-w\n",
        "-cl-std=CL2.0 -Werror -g",
        "-cl-fast-relaxed-math -cl-kernel-arg-info -O3 -cl-nv-verbose",
        "-D A=1 -DB=2 -D C -I. -I ./ -I .. -D 'TEXT=\"a b\"'",
    };
    struct cl t = cl_open(0);
    cl_program p = cl_source(&t, "kernel void k(global int *x) { *x = 1; }");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        OK(clBuildProgram(p, 0, NULL, all[i], NULL, NULL));
    OK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

static void
write_number(const char *path, int number)
{
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    if (!f)
        return;
    fprintf(f, "#define NUMBER %d\n", number);
    fclose(f);
}

/* Folders with spaces and relative ones; another folder of the same name is
 * another program, whatever the cache has. */
TEST(folders_to_include_from)
{
    struct cl t = cl_open(0);
    char dir[] = "/tmp/ventus-test-XXXXXX", here[4096], command[64];
    CHECK(mkdtemp(dir) && getcwd(here, sizeof here) && !chdir(dir));
    CHECK(!mkdir("a b", 0700) && !mkdir("one", 0700) && !mkdir("two", 0700));
    CHECK(!mkdir("one/inc", 0700) && !mkdir("two/inc", 0700));
    write_number("a b/number.h", 5);
    write_number("one/inc/number.h", 6);
    write_number("two/inc/number.h", 7);
    static const struct {
        const char *where, *options;
        int answer;
    } rows[] = {
        { ".", "-I \"a b\"", 5 },      { ".", "-I'a b'", 5 },
        { ".", "-Ia\\ b", 5 },         { "one", "-I inc", 6 },
        { "two", "-I inc", 7 },        { "one", "-I./inc", 6 },
        { "one", "-I ../two/inc", 7 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(!chdir(rows[i].where));
        cl_program p = cl_build(&t,
                                "#include \"number.h\"\n"
                                "kernel void k(global int *x) { *x = NUMBER; }",
                                rows[i].options);
        CHECK_EQ(cl_result(&t, p), rows[i].answer);
        OK(clReleaseProgram(p));
        CHECK(!chdir(dir));
    }
    CHECK(!chdir(here));
    snprintf(command, sizeof command, "rm -r %s", dir);
    CHECK_EQ(system(command), 0);
    cl_close(&t);
}

TEST(new_buffers_are_zero)
{
    struct cl t = cl_open(0);
    int x[1024];
    memset(x, 1, sizeof x);
    for (int i = 0; i < 2; i++) {
        cl_mem m = cl_buffer(&t, 0, sizeof x, NULL);
        int all = 0;
        OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL,
                               NULL));
        for (int j = 0; j < 1024; j++)
            all |= x[j];
        CHECK_EQ(all, 0);
        memset(x, 1, sizeof x);
        OK(clEnqueueWriteBuffer(t.queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL,
                                NULL));
        OK(clReleaseMemObject(m));
    }
    cl_close(&t);
}

/* The application's random numbers are its own. */
TEST(no_rand)
{
    int expected[4];
    srand(42);
    for (int i = 0; i < 4; i++)
        expected[i] = rand();
    srand(42);
    for (int i = 0; i < 4; i++) {
        struct cl t = cl_open(0);
        char options[32];
        snprintf(options, sizeof options, "-D N=%d", (int)getpid() + i);
        cl_program p = cl_build(&t, text, options);
        cl_result(&t, p);
        OK(clReleaseProgram(p));
        cl_close(&t);
        CHECK_EQ(rand(), expected[i]);
    }
}

/* ---- the end of a process ---- */

static void
check_child(pid_t child)
{
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static struct cl left;

static void
release_late(void)
{
    if (clFinish(left.queue) || clReleaseCommandQueue(left.queue) ||
        clReleaseContext(left.context))
        _exit(3);
}

/* Nothing is released, or in an atexit handler, with commands in the queue. */
static void
leave(bool late)
{
    left = cl_open(0);
    cl_program p = cl_build(&left, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    const size_t one = 1;
    cl_mem m = cl_buffer(&left, 0, 64, NULL);
    if (late)
        atexit(release_late);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    for (int i = 0; i < 100; i++)
        OK(clEnqueueNDRangeKernel(left.queue, k, 1, NULL, &one, NULL, 0, NULL,
                                  NULL));
    OK(clFlush(left.queue));
    exit(test_failures != 0);
}

/* A child that begins with OpenCL, before this process has used it. */
TEST(the_end_of_a_process)
{
    for (int late = 0; late < 2; late++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            setenv("VENTUS_TEST_CHILD", "1", 1);
            execl("/proc/self/exe", "traps", late ? "ends_late" : "ends_early",
                  (char *)NULL);
            _exit(9);
        }
        check_child(child);
    }
}

TEST(ends_early)
{
    if (getenv("VENTUS_TEST_CHILD"))
        leave(false);
}

TEST(ends_late)
{
    if (getenv("VENTUS_TEST_CHILD"))
        leave(true);
}

/* As plugins do: loaded, asked, closed, and loaded once more. */
TEST(loaded_and_closed)
{
    char path[4096] = "";
    const char *name = getenv("OCL_ICD_VENDORS");
    snprintf(path, sizeof path, "%s/ventus.icd", name ? name : "");
    FILE *f = fopen(path, "r");
    CHECK(f && fgets(path, sizeof path, f));
    if (f)
        fclose(f);
    path[strcspn(path, "\n")] = 0;
    for (int i = 0; i < 3; i++) {
        typedef cl_int (*platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        CHECK(library != NULL);
        if (!library)
            return;
        platforms_fn get;
        *(void **)&get = dlsym(library, "clIcdGetPlatformIDsKHR");
        cl_platform_id platform;
        CHECK(get && get(1, &platform, NULL) == CL_SUCCESS);
        CHECK_EQ(dlclose(library), 0);
    }
    struct cl t = cl_open(0);
    cl_close(&t);
}

/* A kernel that faults, or is stopped, while it has the lock of a 64-bit atomic
 * left it taken: the next launch of the program waited for it for ever. */
TEST(locks_are_free_after_a_fault)
{
    static const char adds[] =
        "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
        "kernel void add(global char *p, int at)\n"
        "{ atom_add((global long *)(p + at), 1L); }\n";
    enum { SMALL = 256, LOCKS_B = 64 * 8 };
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, adds, NULL);
    cl_kernel k = cl_kernel_of(p, "add");
    cl_mem small = cl_buffer(&t, CL_MEM_READ_WRITE, SMALL, NULL);
    cl_mem large = cl_buffer(&t, CL_MEM_READ_WRITE, LOCKS_B, NULL);
    const size_t one = 1;
    int at = SMALL + 2048; /* behind its padding */
    OK(clSetKernelArg(k, 0, sizeof small, &small));
    OK(clSetKernelArg(k, 1, sizeof at, &at));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES, clFinish(t.queue));
    OK(clSetKernelArg(k, 0, sizeof large, &large));
    for (at = 0; at < LOCKS_B; at += 8) { /* each of the locks */
        OK(clSetKernelArg(k, 1, sizeof at, &at));
        OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &one, NULL, 0, NULL,
                                  NULL));
    }
    OK(clFinish(t.queue));
    OK(clReleaseMemObject(small));
    OK(clReleaseMemObject(large));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
