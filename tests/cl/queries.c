/* SPDX-License-Identifier: Apache-2.0 */
/* What the device says of itself, in words, flags and numbers, beside what
 * truth.c (limits) and facts.c (arithmetic, extensions) try: each of them
 * against what a kernel, the host or the specification has. */
#include <time.h>

#include "cl.h"

static bool
text_of(struct cl *t, cl_device_info name, char text[256])
{
    return CHECK_EQ(clGetDeviceInfo(t->device, name, 256, text, NULL),
                    CL_SUCCESS);
}

/* What kernel k leaves in x[0] with these options. */
static int
value(struct cl *t, const char *text, const char *options)
{
    cl_program p = cl_build(t, text, options);
    int x = cl_result(t, p);
    OK(clReleaseProgram(p));
    return x;
}

/* ---- words ---- */

/* Of the form that the specification gives, and the same as numbers. */
TEST(versions)
{
    struct cl t = cl_open(0);
    char text[256], driver[256];
    unsigned major = 0, minor = 0;
    cl_version version = ASK_DEVICE(cl_version, CL_DEVICE_NUMERIC_VERSION);
    cl_version platform = 0;
    text_of(&t, CL_DEVICE_VERSION, text);
    CHECK_EQ(sscanf(text, "OpenCL %u.%u ", &major, &minor), 2);
    CHECK_EQ(version, CL_MAKE_VERSION(major, minor, 0));
    OK(clGetPlatformInfo(t.platform, CL_PLATFORM_NUMERIC_VERSION,
                         sizeof platform, &platform, NULL));
    CHECK_EQ(platform, version);
    text_of(&t, CL_DRIVER_VERSION, driver);
    CHECK(strstr(text, driver) != NULL);
    text_of(&t, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, text);
    CHECK_STR(text, "v0000-01-01-00");
    /* The language without -cl-std is what this says. */
    text_of(&t, CL_DEVICE_OPENCL_C_VERSION, text);
    CHECK_EQ(sscanf(text, "OpenCL C %u.%u ", &major, &minor), 2);
    CHECK_EQ(value(&t,
                   "kernel void k(global int *x) {\n"
                   "  x[0] = __OPENCL_C_VERSION__; }\n",
                   ""),
             100 * major + 10 * minor);
    cl_close(&t);
}

/* Who makes it has a name, the same everywhere.  Neither the PCI-SIG nor
 * Khronos has given it a number: any other than 0 is another vendor's. */
TEST(vendor)
{
    struct cl t = cl_open(0);
    char text[256], platform[256];
    text_of(&t, CL_DEVICE_VENDOR, text);
    OK(clGetPlatformInfo(t.platform, CL_PLATFORM_VENDOR, sizeof platform,
                         platform, NULL));
    CHECK_STR(text, platform);
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_VENDOR_ID), 0);
    OK(clGetPlatformInfo(t.platform, CL_PLATFORM_ICD_SUFFIX_KHR, sizeof text,
                         text, NULL));
    CHECK_STR(text, "VENTUS");
    cl_close(&t);
}

TEST(extensions_of_the_platform)
{
    struct cl t = cl_open(0);
    char device[4096], platform[4096];
    cl_name_version list[2][64];
    size_t size[2];
    OK(clGetDeviceInfo(t.device, CL_DEVICE_EXTENSIONS, sizeof device, device,
                       NULL));
    OK(clGetPlatformInfo(t.platform, CL_PLATFORM_EXTENSIONS, sizeof platform,
                         platform, NULL));
    /* A device with shared memory has one more, at the end. */
    size_t n = strlen(platform);
    const char *more = " cl_intel_unified_shared_memory";
    bool shared =
        ASK_DEVICE(cl_device_svm_capabilities, CL_DEVICE_SVM_CAPABILITIES);
    CHECK(strncmp(device, platform, n) == 0);
    CHECK_STR(device + n, shared ? more : "");
    OK(clGetDeviceInfo(t.device, CL_DEVICE_EXTENSIONS_WITH_VERSION,
                       sizeof list[0], list[0], &size[0]));
    OK(clGetPlatformInfo(t.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
                         sizeof list[1], list[1], &size[1]));
    CHECK_EQ(size[0], size[1] + (shared ? sizeof **list : 0));
    CHECK(memcmp(list[0], list[1], size[1]) == 0);
    cl_close(&t);
}

/* ---- the least that a full profile has: OpenCL 3.0, 4.2, table 5 ---- */

TEST(full_profile)
{
    static const struct {
        cl_device_info name;
        cl_ulong least;
    } limits[] = {
        { CL_DEVICE_MAX_COMPUTE_UNITS, 1 },
        { CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3 },
        { CL_DEVICE_MAX_WORK_GROUP_SIZE, 1 },
        { CL_DEVICE_MAX_READ_IMAGE_ARGS, 128 },
        { CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 64 },
        { CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 64 },
        { CL_DEVICE_IMAGE2D_MAX_WIDTH, 16384 },
        { CL_DEVICE_IMAGE2D_MAX_HEIGHT, 16384 },
        { CL_DEVICE_IMAGE3D_MAX_WIDTH, 2048 },
        { CL_DEVICE_IMAGE3D_MAX_HEIGHT, 2048 },
        { CL_DEVICE_IMAGE3D_MAX_DEPTH, 2048 },
        { CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 65536 },
        { CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 2048 },
        { CL_DEVICE_MAX_SAMPLERS, 16 },
        { CL_DEVICE_MAX_PARAMETER_SIZE, 1024 },
        { CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 64 << 10 },
        { CL_DEVICE_MAX_CONSTANT_ARGS, 8 },
        { CL_DEVICE_LOCAL_MEM_SIZE, 32 << 10 },
        { CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20 },
        { CL_DEVICE_MAX_MEM_ALLOC_SIZE, 32 << 20 },
    };
    struct cl t = cl_open(0);
    char text[256];
    text_of(&t, CL_DEVICE_PROFILE, text);
    CHECK_STR(text, "FULL_PROFILE");
    OK(clGetPlatformInfo(t.platform, CL_PLATFORM_PROFILE, sizeof text, text,
                         NULL));
    CHECK_STR(text, "FULL_PROFILE");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        cl_ulong is = 0; /* little endian, like the host */
        OK(clGetDeviceInfo(t.device, limits[i].name, sizeof is, &is, NULL));
        if (!CHECK(is >= limits[i].least))
            printf("  %#x: %llu\n", limits[i].name, (unsigned long long)is);
    }
    CHECK(ASK_DEVICE(cl_ulong, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) &
          CL_QUEUE_PROFILING_ENABLE);
    CHECK_EQ(ASK_DEVICE(cl_ulong, CL_DEVICE_EXECUTION_CAPABILITIES),
             CL_EXEC_KERNEL);
    cl_close(&t);
}

/* ---- what there is ---- */

TEST(available)
{
    struct cl t = cl_open(0); /* a context, and a queue on the device */
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_AVAILABLE), CL_TRUE);
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_COMPILER_AVAILABLE), CL_TRUE);
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_LINKER_AVAILABLE), CL_TRUE);
    setenv("VENTUS_CC", "/nowhere/ventus", 1);
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_COMPILER_AVAILABLE), CL_FALSE);
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_LINKER_AVAILABLE), CL_FALSE);
    unsetenv("VENTUS_CC");
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_REFERENCE_COUNT), 1);
    OK(clRetainDevice(t.device));
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_REFERENCE_COUNT), 1);
    OK(clReleaseDevice(t.device));
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_ERROR_CORRECTION_SUPPORT), CL_FALSE);
    cl_close(&t);
}

/* Each way to part a device is refused, as the empty lists say. */
TEST(no_parts)
{
    const cl_device_partition_property ways[] = {
        CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS,
        CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN
    };
    struct cl t = cl_open(0);
    for (int i = 0; i < 3; i++) {
        const cl_device_partition_property p[] = { ways[i], 1, 0, 0 };
        cl_uint n = 0;
        cl_device_id d[8];
        FAILS(CL_INVALID_VALUE, clCreateSubDevices(t.device, p, 8, d, &n));
    }
    CHECK_EQ(ASK_DEVICE(cl_device_partition_property,
                        CL_DEVICE_PARTITION_PROPERTIES),
             0);
    CHECK_EQ(ASK_DEVICE(cl_device_partition_property, CL_DEVICE_PARTITION_TYPE),
             0);
    CHECK_EQ(ASK_DEVICE(cl_device_affinity_domain,
                        CL_DEVICE_PARTITION_AFFINITY_DOMAIN),
             0);
    size_t size = 1;
    OK(clGetDeviceInfo(t.device, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0,
                       NULL, &size));
    CHECK_EQ(size, 0);
    /* There is no other API to share anything with. */
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC),
             CL_TRUE);
    cl_close(&t);
}

static bool
has_feature(struct cl *t, const char *name)
{
    cl_name_version list[64];
    size_t size = 0;
    OK(clGetDeviceInfo(t->device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list,
                       list, &size));
    for (size_t i = 0; i < size / sizeof *list; i++)
        if (strcmp(list[i].name, name) == 0)
            return true;
    return false;
}

/* Said twice, by a query and by a feature, whose kernels facts.c runs. */
TEST(said_twice)
{
    struct cl t = cl_open(0);
    cl_device_atomic_capabilities memory, fence;
    memory = ASK_DEVICE(cl_ulong, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
    fence = ASK_DEVICE(cl_ulong, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
    const struct {
        const char *feature;
        bool said;
    } pairs[] = {
        { "__opencl_c_generic_address_space",
          ASK_DEVICE(cl_bool, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) },
        { "__opencl_c_work_group_collective_functions",
          ASK_DEVICE(cl_bool,
                     CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) },
        { "__opencl_c_subgroups",
          ASK_DEVICE(cl_uint, CL_DEVICE_MAX_NUM_SUB_GROUPS) != 0 },
        { "__opencl_c_images", ASK_DEVICE(cl_bool, CL_DEVICE_IMAGE_SUPPORT) },
        { "__opencl_c_fp64",
          ASK_DEVICE(cl_ulong, CL_DEVICE_DOUBLE_FP_CONFIG) != 0 },
        { "__opencl_c_atomic_order_acq_rel",
          memory & CL_DEVICE_ATOMIC_ORDER_ACQ_REL },
        { "__opencl_c_atomic_order_seq_cst",
          memory & CL_DEVICE_ATOMIC_ORDER_SEQ_CST },
        { "__opencl_c_atomic_scope_device",
          memory & CL_DEVICE_ATOMIC_SCOPE_DEVICE },
        { "__opencl_c_atomic_scope_all_devices",
          memory & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!CHECK(has_feature(&t, pairs[i].feature) == pairs[i].said))
            printf("  %s\n", pairs[i].feature);
    /* Fences have what atomics have, and the scope of one work-item. */
    CHECK_EQ(fence, memory | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
    cl_close(&t);
}

/* Each order in each scope, between work-items of two warps, of which one
 * waits: what was written before a release is there behind the acquire that
 * saw it. */
TEST(orders_and_scopes)
{
    static const char text[] =
        "kernel void k(global int *x) {\n"
        "  local int data; local atomic_int flag;\n"
        "  int i = get_local_id(0), n = get_local_size(0);\n"
        "  if (i == 0) { data = 0; atomic_init(&flag, 0); }\n"
        "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (i == n - 1) { data = 77;\n"
        "    FENCE atomic_fetch_add_explicit(&flag, 1, RELEASE, SCOPE); }\n"
        "  if (i == 0) { int seen = 0;\n"
        "    for (int tries = 0; seen == 0 && tries < 1000000; tries++)\n"
        "      seen = atomic_load_explicit(&flag, ACQUIRE, SCOPE);\n"
        "    FENCE x[0] = seen == 1 ? data : -1; } }\n";
    static const char *const orders[][2] = {
        { "memory_order_relaxed", "memory_order_relaxed" },
        { "memory_order_release", "memory_order_acquire" },
        { "memory_order_acq_rel", "memory_order_acquire" },
        { "memory_order_seq_cst", "memory_order_seq_cst" },
    };
    static const char *const scopes[] = { "memory_scope_work_group",
                                          "memory_scope_device" };
    struct cl t = cl_open(0);
    for (size_t i = 0; i < 8; i++) {
        char options[512];
        const char *const *order = orders[i / 2];
        snprintf(options, sizeof options,
                 "-cl-std=CL3.0 -D RELEASE=%s -D ACQUIRE=%s -D SCOPE=%s "
                 "-D FENCE=atomic_work_item_fence(CLK_LOCAL_MEM_FENCE,%s,%s);",
                 order[0], order[1], scopes[i % 2],
                 i < 2 ? "memory_order_acq_rel" : order[0], scopes[i % 2]);
        cl_program p = cl_build(&t, text, options);
        cl_kernel k = cl_kernel_of(p, "k");
        const size_t items = 128;
        int x = 0;
        cl_mem m = cl_buffer(&t, 0, sizeof x, NULL);
        OK(clSetKernelArg(k, 0, sizeof m, &m));
        OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &items, 0, NULL,
                                  NULL));
        OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof x, &x, 0, NULL,
                               NULL));
        if (!CHECK_EQ(x, 77))
            printf("  %s\n", options);
        OK(clReleaseMemObject(m));
        OK(clReleaseKernel(k));
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

/* ---- memory ---- */

/* The largest type of the language gives the alignment; 0 means that of the
 * type itself, and atomics work there. */
TEST(alignments)
{
    struct cl t = cl_open(0);
    cl_uint least = ASK_DEVICE(cl_uint, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE);
    CHECK_EQ(value(&t,
                   "kernel void k(global int *x) { x[0] = "
                   "max(sizeof(long16), sizeof(double16)); }\n",
                   ""),
             least);
    CHECK(ASK_DEVICE(cl_uint, CL_DEVICE_MEM_BASE_ADDR_ALIGN) >= 8 * least);
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT),
             0);
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT),
             0);
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT),
             0);
    CHECK_EQ(value(&t,
                   "kernel void k(global int *x) { local int l[9];\n"
                   "  x[0] = 0; for (int i = 0; i < 9; i++) {\n"
                   "    l[i] = i; atomic_add(&l[i], 1);\n"
                   "    atomic_add(x, l[i]); } }\n",
                   ""),
             45);
    cl_close(&t);
}

/* Local memory: one address, another place for each work-group, and none that
 * a buffer can have. */
TEST(local_memory_is_apart)
{
    static const char text[] =
        "kernel void k(global uint *x) { local uint l[2];\n"
        "  uint g = get_group_id(0), n = get_num_groups(0);\n"
        "  if (get_local_id(0) == 0) l[0] = g;\n"
        "  for (int i = 0; i < 50; i++) barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (get_local_id(0) == 1) {\n"
        "    x[g] = l[0]; x[n + g] = (uint)l; } }\n";
    enum { GROUPS = 16 };
    struct cl t = cl_open(0);
    CHECK_EQ(ASK_DEVICE(cl_device_local_mem_type, CL_DEVICE_LOCAL_MEM_TYPE),
             CL_LOCAL);
    cl_program p = cl_build(&t, text, "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_uint x[2 * GROUPS];
    const size_t items = 64 * GROUPS, group = 64;
    cl_mem m = cl_buffer(&t, 0, sizeof x, NULL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &group, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
    for (cl_uint g = 0; g < GROUPS; g++) {
        CHECK_EQ(x[g], g);
        CHECK_EQ(x[GROUPS + g], x[GROUPS]);
    }
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Memory of host and device is not one: what a kernel wrote is on the host
 * when it was mapped, and not before. */
TEST(host_memory_is_apart)
{
    struct cl t = cl_open(0);
    int x = 5;
    cl_int code;
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_HOST_UNIFIED_MEMORY), CL_FALSE);
    cl_mem m = cl_buffer(&t, CL_MEM_USE_HOST_PTR, sizeof x, &x);
    cl_program p =
        cl_build(&t, "kernel void k(global int *x) { x[0] = 6; }\n", "");
    cl_kernel k = cl_kernel_of(p, "k");
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueTask(t.queue, k, 0, NULL, NULL));
    OK(clFinish(t.queue));
    CHECK_EQ(x, 5);
    int *there;
    CREATES(there, clEnqueueMapBuffer(t.queue, m, CL_TRUE, CL_MAP_READ, 0,
                                      sizeof x, 0, NULL, NULL, &code));
    CHECK(there == &x);
    CHECK_EQ(x, 6);
    OK(clEnqueueUnmapMemObject(t.queue, m, there, 0, NULL, NULL));
    OK(clFinish(t.queue));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* The size that the machine tells a kernel that prints: docs/abi.md. */
TEST(print_buffer)
{
    struct cl t = cl_open(0);
    CHECK_EQ(value(&t,
                   "uint __ventus_knl_word(uint offset);\n"
                   "kernel void k(global int *x) {\n"
                   "  if (x == 0) printf(\"none\\n\");\n"
                   "  x[0] = __ventus_knl_word(52); }\n",
                   ""),
             ASK_DEVICE(size_t, CL_DEVICE_PRINTF_BUFFER_SIZE));
    cl_close(&t);
}

/* ---- time ---- */

TEST(host_timer)
{
    struct cl t = cl_open(0);
    cl_ulong step = 0, before, now;
    struct timespec at, least;
    OK(clGetPlatformInfo(t.platform, CL_PLATFORM_HOST_TIMER_RESOLUTION,
                         sizeof step, &step, NULL));
    CHECK(clock_getres(CLOCK_MONOTONIC, &least) == 0 && least.tv_sec == 0);
    CHECK_EQ(step, least.tv_nsec);
    OK(clGetHostTimer(t.device, &before));
    CHECK(clock_gettime(CLOCK_MONOTONIC, &at) == 0);
    OK(clGetHostTimer(t.device, &now));
    cl_ulong ns = (cl_ulong)at.tv_sec * 1000000000 + (cl_ulong)at.tv_nsec;
    CHECK(before <= ns && ns <= now);
    cl_close(&t);
}

TEST_MAIN
