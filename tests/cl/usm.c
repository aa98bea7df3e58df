/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_unified_shared_memory, and what contexts of devices of both versions
 * do with shared memory. */
#include <pthread.h>

#include "cl.h"

/* The extension as an application reaches it. */
#define CALL(name) ((name##_fn)entry(&t, #name))

static void *
entry(struct cl *t, const char *name)
{
    void *at = clGetExtensionFunctionAddressForPlatform(t->platform, name);
    CHECK(at != NULL);
    return at;
}

static bool
has_extension(struct cl *t)
{
    char text[2000];
    OK(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS, sizeof text, text,
                       NULL));
    return strstr(text, "cl_intel_unified_shared_memory");
}

static bool
is_listed(struct cl *t)
{
    cl_name_version list[64];
    size_t size;
    OK(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS_WITH_VERSION,
                       sizeof list, list, &size));
    for (size_t i = 0; i < size / sizeof *list; i++)
        if (strcmp(list[i].name, "cl_intel_unified_shared_memory") == 0)
            return list[i].version == CL_MAKE_VERSION(1, 0, 0);
    return false;
}

TEST(capabilities)
{
    typedef cl_device_unified_shared_memory_capabilities_intel bits;
    struct cl t = cl_open(0);
    cl_device_svm_capabilities svm =
        ASK_DEVICE(cl_device_svm_capabilities, CL_DEVICE_SVM_CAPABILITIES);
    const bits at_once =
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
    const bits ours = svm ? CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
                                CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL
                          : 0;
    const bits both = ours | (svm & CL_DEVICE_SVM_ATOMICS ? at_once : 0);
    CHECK_EQ(has_extension(&t), svm != 0);
    CHECK_EQ(is_listed(&t), svm != 0);
    CHECK_EQ(ASK_DEVICE(bits, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL), both);
    CHECK_EQ(ASK_DEVICE(bits, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL), ours);
    CHECK_EQ(
        ASK_DEVICE(bits, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL),
        both);
    CHECK_EQ(
        ASK_DEVICE(bits, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL),
        both);
    CHECK_EQ(ASK_DEVICE(bits, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL),
             0);
    CHECK(!clGetExtensionFunctionAddressForPlatform(t.platform,
                                                    "clEnqueueMemsetIN"));
    cl_close(&t);
}

static void
check_info(struct cl *t, const void *at, const void *base,
           cl_unified_shared_memory_type_intel type, size_t size,
           cl_device_id device)
{
    clGetMemAllocInfoINTEL_fn ask =
        (clGetMemAllocInfoINTEL_fn)entry(t, "clGetMemAllocInfoINTEL");
    cl_unified_shared_memory_type_intel kind;
    void *start;
    size_t bytes;
    cl_device_id of;
    OK(ask(t->context, at, CL_MEM_ALLOC_TYPE_INTEL, sizeof kind, &kind, NULL));
    OK(ask(t->context, at, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof start, &start,
           NULL));
    OK(ask(t->context, at, CL_MEM_ALLOC_SIZE_INTEL, sizeof bytes, &bytes,
           NULL));
    OK(ask(t->context, at, CL_MEM_ALLOC_DEVICE_INTEL, sizeof of, &of, NULL));
    CHECK_EQ(kind, type);
    CHECK(start == base && of == device);
    CHECK_EQ(bytes, size);
    FAILS(CL_INVALID_VALUE, ask(t->context, at, 1, 8, &bytes, NULL));
    FAILS(CL_INVALID_CONTEXT,
          ask(NULL, at, CL_MEM_ALLOC_SIZE_INTEL, 8, &bytes, NULL));
}

TEST(allocations)
{
    struct cl t = cl_open(0);
    if (!has_extension(&t)) {
        cl_close(&t);
        return;
    }
    cl_int code;
    cl_mem_alloc_flags_intel flags;
    const cl_mem_properties_intel placed[] = {
        CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0
    };
    char *h, *d, *s;
    CREATES(h, CALL(clHostMemAllocINTEL)(t.context, NULL, 100, 0, &code));
    CREATES(d, CALL(clDeviceMemAllocINTEL)(t.context, t.device, NULL, 200, 64,
                                           &code));
    CREATES(s, CALL(clSharedMemAllocINTEL)(t.context, NULL, placed, 300, 128,
                                           &code));
    check_info(&t, h, h, CL_MEM_TYPE_HOST_INTEL, 100, NULL);
    check_info(&t, d + 199, d, CL_MEM_TYPE_DEVICE_INTEL, 200, t.device);
    check_info(&t, s + 150, s, CL_MEM_TYPE_SHARED_INTEL, 300, NULL);
    check_info(&t, s + 300, NULL, CL_MEM_TYPE_UNKNOWN_INTEL, 0, NULL);
    check_info(&t, &t, NULL, CL_MEM_TYPE_UNKNOWN_INTEL, 0, NULL);
    OK(CALL(clGetMemAllocInfoINTEL)(t.context, s, CL_MEM_ALLOC_FLAGS_INTEL,
                                    sizeof flags, &flags, NULL));
    CHECK_EQ(flags, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL);
    OK(CALL(clEnqueueMemFillINTEL)(t.queue, d, "ab", 2, 200, 0, NULL, NULL));
    OK(CALL(clEnqueueMemcpyINTEL)(t.queue, CL_FALSE, s, d, 200, 0, NULL, NULL));
    OK(CALL(clEnqueueMigrateMemINTEL)(t.queue, s, 300, 0, 0, NULL, NULL));
    OK(CALL(clEnqueueMemAdviseINTEL)(t.queue, s, 300, 0, 0, NULL, NULL));
    OK(CALL(clEnqueueMemcpyINTEL)(t.queue, CL_TRUE, h, s, 100, 0, NULL, NULL));
    for (unsigned i = 0; i < 100; i++)
        CHECK_EQ(h[i], "ab"[i % 2]);
    OK(CALL(clMemFreeINTEL)(t.context, h));
    OK(CALL(clMemBlockingFreeINTEL)(t.context, d));
    OK(CALL(clMemFreeINTEL)(t.context, NULL));
    FAILS(CL_INVALID_VALUE, CALL(clMemFreeINTEL)(t.context, d));
    FAILS(CL_INVALID_VALUE, CALL(clMemFreeINTEL)(t.context, s + 1));
    FAILS(CL_INVALID_CONTEXT, CALL(clMemFreeINTEL)(NULL, s));
    FAILS(CL_INVALID_CONTEXT, CALL(clMemBlockingFreeINTEL)(NULL, s));
    cl_close(&t); /* with what is left */
}

TEST(what_is_refused)
{
    struct cl t = cl_open(0);
    cl_int code;
    const cl_int none = has_extension(&t) ? CL_SUCCESS : CL_INVALID_OPERATION;
    const cl_mem_properties_intel unknown[] = { 1, 2, 0 };
    const cl_mem_properties_intel both[] = {
        CL_MEM_ALLOC_FLAGS_INTEL,
        CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL |
            CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
        0
    };
    cl_ulong most = ASK_DEVICE(cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    clHostMemAllocINTEL_fn host = CALL(clHostMemAllocINTEL);
    REFUSES(CL_INVALID_CONTEXT, host(NULL, NULL, 16, 0, &code));
    REFUSES(CL_INVALID_DEVICE,
            CALL(clDeviceMemAllocINTEL)(t.context, NULL, NULL, 16, 0, &code));
    if (none) {
        REFUSES(none, host(t.context, NULL, 16, 0, &code));
        cl_close(&t);
        return;
    }
    REFUSES(CL_INVALID_PROPERTY, host(t.context, unknown, 16, 0, &code));
    REFUSES(CL_INVALID_PROPERTY, host(t.context, both, 16, 0, &code));
    REFUSES(CL_INVALID_BUFFER_SIZE, host(t.context, NULL, 0, 0, &code));
    REFUSES(CL_INVALID_BUFFER_SIZE, host(t.context, NULL, most + 1, 0, &code));
    REFUSES(CL_INVALID_VALUE, host(t.context, NULL, 16, 3, &code));
    REFUSES(CL_INVALID_VALUE, host(t.context, NULL, 16, 8192, &code));
    char *at = host(t.context, NULL, 16, 0, &code);
    FAILS(CL_INVALID_VALUE,
          CALL(clEnqueueMigrateMemINTEL)(t.queue, at, 17, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          CALL(clEnqueueMemAdviseINTEL)(t.queue, at + 16, 0, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL, CALL(clSetKernelArgMemPointerINTEL)(NULL, 0, at));
    cl_close(&t);
}

struct blocked {
    struct cl t;
    void *at;
    cl_event go;
};

static void *
let_go(void *ctx)
{
    struct blocked *b = ctx;
    OK(clSetUserEventStatus(b->go, CL_COMPLETE));
    return NULL;
}

/* A fill that has not begun would write to what is free. */
TEST(a_blocking_free_waits_for_commands)
{
    struct cl t = cl_open(0);
    struct blocked b = { .t = t };
    cl_int code;
    pthread_t thread;
    if (has_extension(&t)) {
        CREATES(b.go, clCreateUserEvent(t.context, &code));
        CREATES(b.at, CALL(clSharedMemAllocINTEL)(t.context, t.device, NULL,
                                                  4096, 0, &code));
        OK(CALL(clEnqueueMemFillINTEL)(t.queue, b.at, "a", 1, 4096, 1, &b.go,
                                       NULL));
        CHECK_EQ(pthread_create(&thread, NULL, let_go, &b), 0);
        OK(CALL(clMemBlockingFreeINTEL)(t.context, b.at));
        pthread_join(thread, NULL);
        OK(clFinish(t.queue));
        OK(clReleaseEvent(b.go));
    }
    cl_close(&t);
}

TEST_MAIN
