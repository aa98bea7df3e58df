/* SPDX-License-Identifier: Apache-2.0 */
/* One context with two devices: VENTUS_DEVICES names a second one, which has
 * 8 lanes, and may be of version 2. */
#include "codes.h"

static const char text[] =
    "kernel void k(global int *x) { x[0] += N; }\n"
    "kernel void ids(global int *x) { x[get_global_id(0)] = get_local_size(0); "
    "}\n";

struct two {
    cl_device_id id[2];
    cl_context context;
    cl_command_queue queue[2];
};

static struct two
open_two(cl_command_queue_properties properties)
{
    struct two t;
    cl_uint n = 0;
    cl_int code;
    cl_platform_id platform;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, t.id, &n));
    CHECK_EQ(n, 2);
    CREATES(t.context, clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU, NULL,
                                               NULL, &code));
    for (int i = 0; i < 2; i++)
        CREATES(t.queue[i],
                clCreateCommandQueue(t.context, t.id[i], properties, &code));
    return t;
}

static void
close_two(struct two *t)
{
    for (int i = 0; i < 2; i++)
        OK(clReleaseCommandQueue(t->queue[i]));
    OK(clReleaseContext(t->context));
}

static cl_program
source_of(struct two *t)
{
    const char *source = text;
    cl_int code;
    cl_program p;
    CREATES(p, clCreateProgramWithSource(t->context, 1, &source, NULL, &code));
    return p;
}

static cl_mem
buffer_of(struct two *t, size_t size)
{
    cl_int code;
    cl_mem m;
    char *zeros = calloc(1, size);
    CREATES(m, clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, size, zeros,
                              &code));
    free(zeros);
    return m;
}

TEST(presets_by_name)
{
    struct two t = open_two(0);
    char name[64];
    cl_uint lanes[2] = { 0 };
    size_t multiple;
    OK(clGetDeviceInfo(t.id[0], CL_DEVICE_NAME, sizeof name, name, NULL));
    CHECK_STR(name, "Ventus default");
    OK(clGetDeviceInfo(t.id[1], CL_DEVICE_NAME, sizeof name, name, NULL));
    const char *second = strchr(getenv("VENTUS_DEVICES"), ',');
    CHECK(second && strncmp(name, "Ventus ", 7) == 0);
    CHECK_STR(name + 7, second + 1);
    for (int i = 0; i < 2; i++) {
        OK(clGetDeviceInfo(t.id[i],
                           CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                           sizeof multiple, &multiple, NULL));
        lanes[i] = (cl_uint)multiple;
    }
    CHECK(lanes[0] == 32 && lanes[1] == 8);
    /* The default one is one. */
    cl_uint n = 0;
    OK(clGetDeviceIDs(NULL, CL_DEVICE_TYPE_DEFAULT, 0, NULL, &n));
    CHECK_EQ(n, 1);
    close_two(&t);
}

/* Each command finds what the one before left on the other device. */
/* The same in each process: the UUID of 'default' is written here. */
TEST(uuids)
{
    static const cl_uchar first[CL_UUID_SIZE_KHR] = { 0x74, 0xf3, 0xc7, 0x1f,
                                                      0x02, 0x27, 0x88, 0xa2,
                                                      0xbf, 0x70, 0x93, 0x1c,
                                                      0xee, 0x48, 0x3d, 0xe9 };
    struct two t = open_two(0);
    cl_uchar id[2][CL_UUID_SIZE_KHR];
    for (int i = 0; i < 2; i++)
        OK(clGetDeviceInfo(t.id[i], CL_DEVICE_UUID_KHR, sizeof id[i], id[i],
                           NULL));
    CHECK(memcmp(id[0], first, sizeof first) == 0);
    CHECK(memcmp(id[0], id[1], sizeof first) != 0);
    close_two(&t);
}

TEST(data_goes_to_and_fro)
{
    struct two t = open_two(0);
    cl_program p = source_of(&t);
    OK(clBuildProgram(p, 0, NULL, "-D N=1", NULL, NULL));
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = buffer_of(&t, 5000);
    const size_t one = 1;
    cl_event e = NULL;
    int x = 0;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    for (int i = 0; i < 20; i++) {
        cl_event before = e;
        OK(clEnqueueNDRangeKernel(t.queue[i % 2], k, 1, NULL, &one, NULL,
                                  before != NULL, before ? &before : NULL, &e));
        if (before)
            OK(clReleaseEvent(before));
    }
    OK(clEnqueueReadBuffer(t.queue[0], m, CL_TRUE, 0, sizeof x, &x, 1, &e,
                           NULL));
    CHECK_EQ(x, 20);
    OK(clReleaseEvent(e));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    close_two(&t);
}

TEST(migration)
{
    struct two t = open_two(0);
    cl_mem m[2] = { buffer_of(&t, 64), buffer_of(&t, 64) };
    int x = 41, y = 0;
    cl_event e;
    OK(clEnqueueWriteBuffer(t.queue[0], m[0], CL_TRUE, 0, 4, &x, 0, NULL,
                            NULL));
    OK(clEnqueueMigrateMemObjects(t.queue[1], 2, m, 0, 0, NULL, &e));
    OK(clEnqueueMigrateMemObjects(t.queue[0], 2, m, CL_MIGRATE_MEM_OBJECT_HOST,
                                  1, &e, NULL));
    OK(clEnqueueReadBuffer(t.queue[1], m[0], CL_TRUE, 0, 4, &y, 1, &e, NULL));
    CHECK_EQ(y, 41);
    OK(clFinish(t.queue[0]));
    OK(clReleaseEvent(e));
    OK(clReleaseMemObject(m[0]));
    OK(clReleaseMemObject(m[1]));
    close_two(&t);
}

static cl_int
made_for(cl_program p, cl_device_id id)
{
    return (cl_int)cl_type(p, id);
}

/* Built for one, then for the other with other options. */
TEST(a_program_of_two_builds)
{
    struct two t = open_two(0);
    cl_program p = source_of(&t);
    cl_mem m = buffer_of(&t, 64);
    const size_t one = 1;
    int x = 0;
    cl_int code;
    OK(clBuildProgram(p, 1, &t.id[1], "-D N=10", NULL, NULL));
    CHECK_EQ(made_for(p, t.id[0]), CL_PROGRAM_BINARY_TYPE_NONE);
    CHECK_EQ(made_for(p, t.id[1]), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    size_t sizes[2] = { 1, 1 };
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] == 0 && sizes[1] > 100);
    cl_kernel k = cl_kernel_of(p, "k");
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          clEnqueueNDRangeKernel(t.queue[0], k, 1, NULL, &one, NULL, 0, NULL,
                                 NULL));
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          clEnqueueTask(t.queue[0], k, 0, NULL, NULL));
    FAILS(CL_INVALID_DEVICE,
          clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL,
                                   NULL));
    OK(clReleaseKernel(k));
    OK(clBuildProgram(p, 1, &t.id[0], "-D N=1", NULL, NULL));
    k = cl_kernel_of(p, "k");
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    for (int i = 0; i < 2; i++) {
        OK(clEnqueueTask(t.queue[i], k, 0, NULL, NULL));
        OK(clFinish(t.queue[i]));
    }
    OK(clEnqueueReadBuffer(t.queue[0], m, CL_TRUE, 0, 4, &x, 0, NULL, NULL));
    CHECK_EQ(x, 11);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    /* The same name with other arguments on the other device. */
    const char *source = "#ifdef TWO\nkernel void k(int a, int b) {}\n"
                         "#else\nkernel void k(int a) {}\n#endif\n";
    CREATES(p, clCreateProgramWithSource(t.context, 1, &source, NULL, &code));
    OK(clBuildProgram(p, 1, &t.id[0], "", NULL, NULL));
    OK(clBuildProgram(p, 1, &t.id[1], "-D TWO", NULL, NULL));
    REFUSES(CL_INVALID_KERNEL_DEFINITION, clCreateKernel(p, "k", &code));
    OK(clReleaseProgram(p));
    OK(clReleaseMemObject(m));
    close_two(&t);
}

/* Linked for the device that both were compiled for, and for no other. */
/* The variables of a program are there once for each device. */
TEST(variables_of_each_device)
{
    static const char *source =
        "global int n = 10;\n"
        "kernel void k(global int *x, int add) { n += add; x[0] = n; }\n";
    struct two t = open_two(0);
    cl_int code, found, add[] = { 1, 5 };
    cl_program p;
    CREATES(p, clCreateProgramWithSource(t.context, 1, &source, NULL, &code));
    OK(clBuildProgram(p, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = buffer_of(&t, sizeof found);
    const size_t one = 1;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    for (int i = 0; i < 6; i++) {
        cl_command_queue q = t.queue[i % 2];
        OK(clSetKernelArg(k, 1, sizeof add[0], &add[i % 2]));
        OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof found, &found, 0, NULL,
                               NULL));
        CHECK_EQ(found, 10 + add[i % 2] * (i / 2 + 1));
    }
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    close_two(&t);
}

TEST(linked_for_one)
{
    struct two t = open_two(0);
    cl_program p = source_of(&t), q;
    cl_int code;
    OK(clCompileProgram(p, 1, &t.id[1], "-D N=3", 0, NULL, NULL, NULL, NULL));
    CREATES(q, clLinkProgram(t.context, 0, NULL, "", 1, &p, NULL, NULL, &code));
    CHECK_EQ(made_for(q, t.id[0]), CL_PROGRAM_BINARY_TYPE_NONE);
    CHECK_EQ(made_for(q, t.id[1]), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    OK(clReleaseProgram(q));
    OK(clReleaseProgram(p));
    close_two(&t);
}

/* Binaries for both; one that is bad is named. */
TEST(two_binaries)
{
    struct two t = open_two(0);
    cl_program p = source_of(&t), q;
    OK(clBuildProgram(p, 0, NULL, "-D N=2", NULL, NULL));
    size_t sizes[2];
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
    unsigned char *bytes[2] = { malloc(sizes[0]), malloc(sizes[1]) };
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, bytes, NULL));
    const unsigned char *list[] = { bytes[0], bytes[1] };
    cl_int status[2] = { 1, 1 }, code;
    CREATES(q, clCreateProgramWithBinary(t.context, 2, t.id, sizes, list,
                                         status, &code));
    CHECK(status[0] == CL_SUCCESS && status[1] == CL_SUCCESS);
    OK(clReleaseProgram(q));
    bytes[1][0] = 0;
    REFUSES(CL_INVALID_BINARY,
            clCreateProgramWithBinary(t.context, 2, t.id, sizes, list, status,
                                      &code));
    CHECK(status[0] == CL_SUCCESS && status[1] == CL_INVALID_BINARY);
    const cl_device_id twice[] = { t.id[0], t.id[0] };
    REFUSES(CL_INVALID_DEVICE,
            clCreateProgramWithBinary(t.context, 2, twice, sizes, list, status,
                                      &code));
    free(bytes[0]);
    free(bytes[1]);
    OK(clReleaseProgram(p));
    close_two(&t);
}

/* A user event holds back both queues; a device of another context is none. */
TEST(events_across_queues)
{
    struct two t = open_two(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem m = buffer_of(&t, 64);
    cl_int code;
    cl_event go, done[2];
    CREATES(go, clCreateUserEvent(t.context, &code));
    const int one = 1, two = 2;
    OK(clEnqueueFillBuffer(t.queue[1], m, &one, 4, 0, 64, 1, &go, &done[0]));
    OK(clEnqueueFillBuffer(t.queue[0], m, &two, 4, 0, 32, 1, &done[0],
                           &done[1]));
    CHECK_EQ(cl_status(done[1]), CL_QUEUED);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    int x[16];
    OK(clEnqueueReadBuffer(t.queue[1], m, CL_TRUE, 0, sizeof x, x, 1, &done[1],
                           NULL));
    CHECK(x[0] == 2 && x[7] == 2 && x[8] == 1 && x[15] == 1);
    for (int i = 0; i < 2; i++)
        OK(clReleaseEvent(done[i]));
    OK(clReleaseEvent(go));
    cl_context single;
    CREATES(single, clCreateContext(NULL, 1, &t.id[0], NULL, NULL, &code));
    REFUSES(CL_INVALID_DEVICE, clCreateCommandQueue(single, t.id[1], 0, &code));
    OK(clReleaseContext(single));
    OK(clReleaseMemObject(m));
    close_two(&t);
}

/* 3.0, 4.3: no kinds of partition, no sub-devices, and queries agree. */
TEST(no_sub_devices)
{
    struct two t = open_two(0);
    cl_uint most = 9, n;
    size_t size = 99;
    cl_device_partition_property kinds[4] = { 9, 9, 9, 9 };
    cl_device_id parent = t.id[0];
    OK(clGetDeviceInfo(t.id[0], CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
                       sizeof most, &most, NULL));
    CHECK_EQ(most, 0);
    OK(clGetDeviceInfo(t.id[0], CL_DEVICE_PARTITION_PROPERTIES, sizeof kinds,
                       kinds, &size));
    CHECK(size == sizeof kinds[0] && kinds[0] == 0);
    OK(clGetDeviceInfo(t.id[0], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent,
                       NULL));
    CHECK(parent == NULL);
    const cl_device_partition_property by[] = { CL_DEVICE_PARTITION_BY_COUNTS,
                                                1, 1, 0, 0 };
    FAILS(CL_INVALID_VALUE, clCreateSubDevices(t.id[0], by, 0, NULL, &n));
    close_two(&t);
}

TEST_MAIN
