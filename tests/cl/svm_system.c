/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fine-grained system SVM (host_memory=yes): kernels use any memory of the
 * program, and what the program does not have stays a fault.  The second
 * device of the list has it not.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cl.h"

enum { NODES = 1000, ITEMS = 4096, PAGE = 4096 };

static const char source[] =
    "struct node { struct node *next; uint value, filler; };\n"
    "kernel void walk(global struct node *n, global uint *sum) {\n"
    "    uint s = 0;\n"
    "    for (; n; n = (global struct node *)n->next) {\n"
    "        s += n->value;\n"
    "        n->value += 1000;\n"
    "    }\n"
    "    *sum = s;\n"
    "}\n"
    "kernel void count(global atomic_uint *n) {\n"
    "    atomic_fetch_add_explicit(n, 1, memory_order_relaxed,\n"
    "                              memory_scope_all_svm_devices);\n"
    "}\n"
    "kernel void answer(global atomic_uint *x) {\n" /* ping, pong */
    "    for (uint i = 1; i < 20; i += 2) {\n"
    "        while (atomic_load_explicit(x, memory_order_acquire,\n"
    "                                    memory_scope_all_svm_devices) != i)\n"
    "            ;\n"
    "        atomic_store_explicit(x, i + 1, memory_order_release,\n"
    "                              memory_scope_all_svm_devices);\n"
    "    }\n"
    "}\n"
    "kernel void peek(global const uchar *at, global uint *to) {\n"
    "    *to = at[get_global_id(0)];\n"
    "}\n"
    "kernel void poke(global uchar *at) {\n"
    "    at[get_global_id(0)] = 7;\n"
    "}\n"
    "kernel void add(global const float *a, global const float *b,\n"
    "                global float *c) {\n"
    "    size_t i = get_global_id(0);\n"
    "    c[i] = a[i] + b[i];\n"
    "}\n";

struct node {
    struct node *next;
    cl_uint value, filler;
};

static char report[4096];

static void CL_CALLBACK
take_report(const char *text, const void *info, size_t size, void *user_data)
{
    (void)info, (void)size, (void)user_data;
    snprintf(report, sizeof report, "%s", text);
}

struct system {
    struct cl t;
    cl_program p;
};

static struct system
open_system(void)
{
    struct system s = { { 0 }, NULL };
    cl_int code;
    OK(clGetPlatformIDs(1, &s.t.platform, NULL));
    OK(clGetDeviceIDs(s.t.platform, CL_DEVICE_TYPE_GPU, 1, &s.t.device, NULL));
    CREATES(s.t.context,
            clCreateContext(NULL, 1, &s.t.device, take_report, NULL, &code));
    s.t.queue = cl_queue(&s.t, 0);
    s.p = cl_build(&s.t, source, "-cl-std=CL3.0");
    report[0] = 0;
    return s;
}

static void
close_system(struct system *s)
{
    OK(clReleaseProgram(s->p));
    cl_close(&s->t);
}

/* Runs a kernel of pointers; the code of the launch or of its end. */
static cl_int
run(struct system *s, const char *name, size_t items, unsigned n,
    const void *const *pointers)
{
    cl_kernel k = cl_kernel_of(s->p, name);
    for (unsigned i = 0; i < n; i++)
        OK(clSetKernelArgSVMPointer(k, i, pointers[i]));
    cl_int code = clEnqueueNDRangeKernel(s->t.queue, k, 1, NULL, &items, NULL,
                                         0, NULL, NULL);
    OK(clReleaseKernel(k));
    return code ? code : clFinish(s->t.queue);
}

#define RUN(s, name, items, ...)                                \
    run(s, name, items,                                         \
        sizeof(const void *[]){ __VA_ARGS__ } / sizeof(void *), \
        (const void *[]){ __VA_ARGS__ })

TEST(the_device_says_so)
{
    struct system s = open_system();
    const struct cl t = s.t;
    typedef cl_device_unified_shared_memory_capabilities_intel bits;
    CHECK_EQ(ASK_DEVICE(cl_device_svm_capabilities, CL_DEVICE_SVM_CAPABILITIES),
             CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                 CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                 CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS);
    CHECK_EQ(ASK_DEVICE(bits, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL),
             ASK_DEVICE(bits, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL));
    cl_kernel k = cl_kernel_of(s.p, "poke");
    cl_bool yes = CL_TRUE;
    const void *pointers[] = { report, &yes };
    OK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                           sizeof yes, &yes));
    OK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers,
                           pointers));
    OK(clReleaseKernel(k));
    close_system(&s);
}

TEST(a_list_of_malloc)
{
    struct system s = open_system();
    struct node *list = NULL;
    cl_uint expected = 0, found = 1; /* on the stack */
    for (cl_uint i = 0; i < NODES; i++) {
        struct node *n = malloc(sizeof *n + i % 300);
        *n = (struct node){ list, i * i, 0 };
        list = n;
        expected += i * i;
    }
    OK(RUN(&s, "walk", 1, list, &found));
    CHECK_EQ(found, expected);
    OK(RUN(&s, "walk", 1, list, &found));
    CHECK_EQ(found, expected + 1000 * NODES);
    for (struct node *next; list; list = next) {
        next = list->next;
        free(list);
    }
    close_system(&s);
}

static cl_uint zero, initialised = 5; /* of .bss and .data */
static const cl_uchar constant = 77;

TEST(variables_of_the_program)
{
    struct system s = open_system();
    static _Thread_local cl_uint of_thread;
    cl_uint local = 3, got = 0;
    cl_uint *all[] = { &zero, &initialised, &of_thread, &local };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        cl_uint before = *all[i];
        OK(RUN(&s, "count", ITEMS, all[i]));
        CHECK_EQ(*all[i], before + ITEMS);
    }
    OK(RUN(&s, "peek", 1, &constant, &got));
    CHECK_EQ(got, 77);
    close_system(&s);
}

/* Beyond what one entry of the machine's caches holds, and as arguments. */
TEST(large_arrays)
{
    struct system s = open_system();
    enum { N = 1 << 20 };
    float *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    float *c = clSVMAlloc(s.t.context, 0, N * sizeof *c, 0);
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
    }
    OK(RUN(&s, "add", N, a, b, c));
    OK(RUN(&s, "add", N, c, b, a));
    size_t wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += a[i] != (float)i + 1;
    CHECK_EQ(wrong, 0);
    clSVMFree(s.t.context, c);
    free(a);
    free(b);
    close_system(&s);
}

static _Atomic cl_uint shared_word;

static void *
count_too(void *unused)
{
    (void)unused;
    for (int i = 0; i < ITEMS; i++)
        atomic_fetch_add(&shared_word, 1);
    return NULL;
}

static void *
ask(void *unused)
{
    (void)unused;
    for (cl_uint i = 0; i < 20; i += 2) {
        while (atomic_load(&shared_word) != i)
            ;
        atomic_store(&shared_word, i + 1);
    }
    return NULL;
}

TEST(atomics_with_a_thread_of_the_host)
{
    struct system s = open_system();
    pthread_t thread;
    atomic_store(&shared_word, 0);
    pthread_create(&thread, NULL, count_too, NULL);
    OK(RUN(&s, "count", ITEMS, &shared_word));
    pthread_join(thread, NULL);
    CHECK_EQ(atomic_load(&shared_word), 2 * ITEMS);
    atomic_store(&shared_word, 0);
    pthread_create(&thread, NULL, ask, NULL);
    OK(RUN(&s, "answer", 1, &shared_word));
    pthread_join(thread, NULL);
    CHECK_EQ(atomic_load(&shared_word), 20);
    close_system(&s);
}

TEST(commands_on_any_memory)
{
    struct system s = open_system();
    char *a = malloc(1000), b[1000];
    const void *both[] = { a, b };
    OK(clEnqueueSVMMap(s.t.queue, CL_TRUE, CL_MAP_WRITE, a, 1000, 0, NULL,
                       NULL));
    OK(clEnqueueSVMMemFill(s.t.queue, a, "ab", 2, 1000, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(s.t.queue, CL_FALSE, b, a, 1000, 0, NULL, NULL));
    OK(clEnqueueSVMUnmap(s.t.queue, a, 0, NULL, NULL));
    OK(clEnqueueSVMMigrateMem(s.t.queue, 2, both, NULL, 0, 0, NULL, NULL));
    OK(clFinish(s.t.queue));
    CHECK(b[0] == 'a' && b[999] == 'b');
    FAILS(CL_INVALID_VALUE, clEnqueueSVMMemFill(s.t.queue, (void *)64, "ab", 2,
                                                64, 0, NULL, NULL));
    free(a);
    close_system(&s);
}

/* Its event fails, with these words, and the context stays usable. */
static void
faults(struct system *s, const char *name, const void *at, const char *words)
{
    cl_uint got = 0;
    report[0] = 0;
    FAILS(CL_OUT_OF_RESOURCES, strcmp(name, "peek") == 0
                                   ? RUN(s, name, 1, at, &got)
                                   : RUN(s, name, 1, at));
    if (!CHECK(strstr(report, words)))
        printf("  %s\n", report);
    CHECK(strstr(report, "work-item (0,0,0)"));
    zero = 0;
    OK(RUN(s, "count", 64, &zero));
    CHECK_EQ(zero, 64);
}

TEST(what_the_host_does_not_have_is_a_fault)
{
    struct system s = open_system();
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    char *none = mmap(NULL, PAGE, PROT_NONE, flags, -1, 0);
    char *gone = mmap(NULL, PAGE, PROT_READ, flags, -1, 0);
    char *fixed = mmap(NULL, PAGE, PROT_READ, flags, -1, 0);
    cl_uint got;
    OK(RUN(&s, "peek", 1, gone, &got));
    CHECK_EQ(got, 0);
    munmap(gone, PAGE);
    faults(&s, "peek", none, "access to unmapped memory");
    faults(&s, "peek", gone, "access to unmapped memory");
    faults(&s, "poke", gone, "access to unmapped memory");
    faults(&s, "poke", (void *)16, "access to unmapped memory");
    faults(&s, "poke", (void *)0x7ffffffff000, "access to unmapped memory");
    faults(&s, "poke", (void *)(UINT64_MAX - 4096), "unmapped memory");
    faults(&s, "poke", &constant, "memory of the host program, which is read");
    faults(&s, "poke", fixed, "memory of the host program, which is read");
    OK(RUN(&s, "peek", 1, fixed, &got));
    /* What the host may write by now. */
    OK(mprotect(fixed, PAGE, PROT_READ | PROT_WRITE));
    OK(RUN(&s, "poke", 1, fixed));
    CHECK_EQ(*fixed, 7);
    munmap(none, PAGE);
    munmap(fixed, PAGE);
    close_system(&s);
}

/* The host gets a signal for these pages. */
TEST(pages_behind_the_end_of_a_file_are_a_fault)
{
    struct system s = open_system();
    FILE *f = tmpfile();
    cl_uint got = 1;
    CHECK_EQ(ftruncate(fileno(f), PAGE), 0);
    char *at =
        mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
    OK(RUN(&s, "peek", 1, at, &got));
    CHECK_EQ(got, 0);
    OK(RUN(&s, "poke", 1, at + PAGE - 1));
    CHECK_EQ(at[PAGE - 1], 7);
    faults(&s, "peek", at + PAGE, "access to unmapped memory");
    faults(&s, "poke", at + PAGE, "access to unmapped memory");
    munmap(at, 2 * PAGE);
    fclose(f);
    close_system(&s);
}

/* Allocations stay what they are, though their pages are the host's. */
TEST(allocations_end_at_their_last_byte)
{
    struct system s = open_system();
    char *a = clSVMAlloc(s.t.context, 0, 1000, 0);
    OK(RUN(&s, "poke", 1, a + 999));
    CHECK_EQ(a[999], 7);
    faults(&s, "poke", a + 1000, "bytes past the end of the buffer at");
    faults(&s, "poke", a + PAGE, "bytes past the end of the buffer at");
    clSVMFree(s.t.context, a);
    faults(&s, "poke", a, "of a buffer of 1000 bytes that was released");
    /* So do buffers, whose bytes are at other addresses of the host. */
    cl_mem m = cl_buffer(&s.t, 0, 64, NULL);
    cl_kernel k = cl_kernel_of(s.p, "count");
    const size_t items = 64;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(s.t.queue, k, 1, NULL, &items, NULL, 0, NULL,
                              NULL));
    OK(clFinish(s.t.queue));
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    close_system(&s);
}

/* A context with a device that has it and one that has it not. */
TEST(two_devices)
{
    cl_platform_id platform;
    cl_device_id d[2];
    cl_int code;
    cl_context c;
    const size_t items = 64;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 2, d, NULL));
    CREATES(c, clCreateContext(NULL, 2, d, take_report, NULL, &code));
    struct cl t = { platform, d[0], c, NULL };
    cl_program p = cl_source(&t, source);
    OK(clBuildProgram(p, 2, d, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel k = cl_kernel_of(p, "count");
    zero = 0;
    OK(clSetKernelArgSVMPointer(k, 0, &zero));
    for (unsigned i = 0; i < 2; i++) {
        t.device = d[i];
        t.queue = cl_queue(&t, 0);
        OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, NULL, 0, NULL,
                                  NULL));
        CHECK_EQ(clFinish(t.queue), i ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
        CHECK_EQ(zero, 64);
        OK(clReleaseCommandQueue(t.queue));
    }
    CHECK(strstr(report, "is in no buffer"));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    OK(clReleaseContext(c));
}

TEST_MAIN
