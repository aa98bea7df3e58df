/* SPDX-License-Identifier: Apache-2.0 */
/* Devices with 64-bit addresses: shared memory, and buffers beyond 4 GiB.  The
 * kernels are in shared.s. */
#include "codes.h"
#include "shared.h"

enum { NODES = 100, ITEMS = 1024 };

struct node {
    struct node *next;
    cl_uint value, filler;
};

/* A device whose kernels run between those of the host, not at once. */
static bool
is_coarse(struct cl t)
{
    return ASK_DEVICE(cl_device_svm_capabilities, CL_DEVICE_SVM_CAPABILITIES) ==
           CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
}

static cl_kernel
kernel(struct cl *t, cl_program *program, const char *name)
{
    cl_int code;
    cl_kernel k;
    *program = shared_program(t);
    CREATES(k, clCreateKernel(*program, name, &code));
    return k;
}

static cl_uint
build_list(struct node *node)
{
    cl_uint sum = 0;
    for (cl_uint i = 0; i < NODES; i++) {
        node[i * 37 % NODES].value = i * i;
        node[i * 37 % NODES].next =
            i == NODES - 1 ? NULL : &node[(i + 1) * 37 % NODES];
        sum += i * i;
    }
    return sum;
}

static cl_int
walk(struct cl *t, cl_kernel k, const struct node *list, cl_uint *sum)
{
    const size_t one = 1;
    OK(clSetKernelArgSVMPointer(k, 0, list));
    OK(clSetKernelArgSVMPointer(k, 1, sum));
    cl_int code =
        clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL);
    return code ? code : clFinish(t->queue);
}

TEST(the_device_walks_a_list_of_the_host)
{
    struct cl t = cl_open(0);
    cl_program p;
    cl_kernel k = kernel(&t, &p, "walk");
    struct node *node =
        clSVMAlloc(t.context, CL_MEM_READ_WRITE, NODES * sizeof *node, 0);
    cl_uint *sum = clSVMAlloc(t.context, 0, sizeof *sum, 4);
    CHECK(node && sum);
    OK(clEnqueueSVMMap(t.queue, CL_TRUE, CL_MAP_WRITE, node,
                       NODES * sizeof *node, 0, NULL, NULL));
    cl_uint expected = build_list(node);
    OK(clEnqueueSVMUnmap(t.queue, node, 0, NULL, NULL));
    OK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof node,
                           &node));
    OK(walk(&t, k, node, sum));
    CHECK_EQ(*sum, expected);
    for (cl_uint i = 0; i < NODES; i++)
        CHECK_EQ(node[i * 37 % NODES].value, i * i + 1000);
    OK(walk(&t, k, &node[(NODES - 1) * 37 % NODES], sum)); /* the last one */
    CHECK_EQ(*sum, (NODES - 1) * (NODES - 1) + 1000);
    OK(walk(&t, k, NULL, sum));
    CHECK_EQ(*sum, 0);
    clSVMFree(t.context, node);
    clSVMFree(t.context, sum);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

static char report[2048];

static void CL_CALLBACK
take_report(const char *text, const void *info, size_t size, void *user_data)
{
    (void)info, (void)size, (void)user_data;
    snprintf(report, sizeof report, "%s", text);
}

TEST(pointers_that_were_freed_say_so)
{
    struct cl t = cl_open(0);
    cl_int code;
    OK(clReleaseCommandQueue(t.queue));
    OK(clReleaseContext(t.context));
    CREATES(t.context,
            clCreateContext(NULL, 1, &t.device, take_report, NULL, &code));
    t.queue = cl_queue(&t, 0);
    cl_program p;
    cl_kernel k = kernel(&t, &p, "walk");
    struct node *node = clSVMAlloc(t.context, 0, 4096, 0);
    struct node *head = clSVMAlloc(t.context, 0, sizeof *head, 0);
    cl_uint *sum = clSVMAlloc(t.context, 0, sizeof *sum, 0);
    const size_t one = 1;
    *head = (struct node){ .next = node + 1 };
    OK(clSetKernelArgSVMPointer(k, 0, node));
    OK(clSetKernelArgSVMPointer(k, 1, sum));
    clSVMFree(t.context, node);
    clSVMFree(t.context, node); /* is none any more */
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(k, 0, node));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES, clFinish(t.queue));
    CHECK(strstr(report, "argument 0") && strstr(report, "is in no buffer"));
    FAILS(CL_OUT_OF_RESOURCES, walk(&t, k, head, sum));
    CHECK(strstr(report, "at byte 24 of a buffer of 4096 bytes that was "
                         "released"));
    head->next = head + 1;
    FAILS(CL_OUT_OF_RESOURCES, walk(&t, k, head, sum));
    CHECK(strstr(report, "past the end of argument 0 'list', 16 bytes"));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

static void CL_CALLBACK
free_later(cl_command_queue q, cl_uint n, void **pointers, void *user_data)
{
    cl_context c;
    (void)q;
    *(cl_uint *)user_data = n;
    OK(clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, sizeof c, &c, NULL));
    for (cl_uint i = 0; i < n; i++)
        clSVMFree(c, pointers[i]);
}

TEST(commands)
{
    struct cl t = cl_open(0);
    char *a = clSVMAlloc(t.context, CL_MEM_READ_ONLY, 1000, 128);
    char *b = clSVMAlloc(t.context, CL_MEM_WRITE_ONLY, 1000, 4096);
    char host[1000], pattern[] = "abcd";
    const void *both[] = { a, b + 10 };
    const size_t sizes[] = { 1000, 990 };
    cl_uint freed = 0;
    CHECK((uintptr_t)a % 128 == 0 && (uintptr_t)b % 4096 == 0);
    for (unsigned i = 0; i < sizeof host; i++)
        CHECK_EQ(a[i] | b[i], 0);
    OK(clEnqueueSVMMemFill(t.queue, a, pattern, 4, 996, 0, NULL, NULL));
    OK(clEnqueueSVMMemFill(t.queue, a, pattern, 4, 0, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(t.queue, CL_FALSE, b + 1, a, 999, 0, NULL, NULL));
    OK(clEnqueueSVMMigrateMem(t.queue, 2, both, sizes, 0, 0, NULL, NULL));
    OK(clEnqueueSVMMigrateMem(t.queue, 2, both, NULL,
                              CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(t.queue, CL_TRUE, host, b, 1000, 0, NULL, NULL));
    for (unsigned i = 0; i < sizeof host; i++)
        CHECK_EQ(host[i], i && i < 997 ? pattern[(i - 1) % 4] : 0);
    void *pointers[] = { a, b };
    OK(clEnqueueSVMFree(t.queue, 1, pointers, NULL, NULL, 0, NULL, NULL));
    OK(clEnqueueSVMFree(t.queue, 1, pointers + 1, free_later, &freed, 0, NULL,
                        NULL));
    OK(clEnqueueSVMFree(t.queue, 0, NULL, NULL, NULL, 0, NULL, NULL));
    OK(clFinish(t.queue));
    CHECK_EQ(freed, 1);
    FAILS(CL_INVALID_VALUE,
          clEnqueueSVMMigrateMem(t.queue, 1, both, NULL, 0, 0, NULL, NULL));
    cl_close(&t);
}

/* It ended the process: memory behind an allocation is none. */
TEST(commands_beyond_an_allocation)
{
    struct cl t = cl_open(0);
    char *a = clSVMAlloc(t.context, 0, 4096, 0), host[8192] = { 0 };
    char *b = clSVMAlloc(t.context, 0, 1000, 0);
    cl_event start, moved[2];
    cl_int code;
    const struct {
        char *at;
        size_t size;
    } beyond[] = { { a, 4100 },     { a + 4092, 8 }, { a + 4096, 4 },
                   { b + 1000, 4 }, { b, 1004 },     { a - 4, 8 } };
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        char *at = beyond[i].at;
        size_t size = beyond[i].size;
        FAILS(CL_INVALID_VALUE, clEnqueueSVMMemcpy(t.queue, CL_TRUE, at, host,
                                                   size, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, clEnqueueSVMMemcpy(t.queue, CL_TRUE, host, at,
                                                   size, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE,
              clEnqueueSVMMemFill(t.queue, at, "a", 1, size, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, clEnqueueSVMMap(t.queue, CL_TRUE, CL_MAP_READ,
                                                at, size, 0, NULL, NULL));
    }
    FAILS(CL_INVALID_VALUE,
          clEnqueueSVMMemFill(t.queue, host, "a", 1, 8, 0, NULL, NULL));
    /* What is freed before its turn. */
    CREATES(start, clCreateUserEvent(t.context, &code));
    OK(clEnqueueSVMMemFill(t.queue, a, "a", 1, 4096, 1, &start, &moved[0]));
    OK(clEnqueueSVMMemcpy(t.queue, CL_FALSE, host, a, 4096, 1, &start,
                          &moved[1]));
    clSVMFree(t.context, a);
    OK(clSetUserEventStatus(start, CL_COMPLETE));
    for (unsigned i = 0; i < 2; i++) {
        clWaitForEvents(1, &moved[i]);
        cl_int status;
        OK(clGetEventInfo(moved[i], CL_EVENT_COMMAND_EXECUTION_STATUS,
                          sizeof status, &status, NULL));
        CHECK(status < 0);
        OK(clReleaseEvent(moved[i]));
    }
    OK(clReleaseEvent(start));
    clSVMFree(t.context, b);
    cl_close(&t);
}

TEST(what_cannot_be_allocated)
{
    struct cl t = cl_open(0);
    cl_ulong most = ASK_DEVICE(cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER;
    CHECK(!clSVMAlloc(NULL, 0, 16, 0));
    CHECK(!clSVMAlloc(t.context, 0, 0, 0));
    CHECK(!clSVMAlloc(t.context, 0, most + 1, 0));
    CHECK(!clSVMAlloc(t.context, 0, 16, 3));
    CHECK(!clSVMAlloc(t.context, 0, 16, 1u << 31));
    CHECK(!clSVMAlloc(t.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, 0));
    CHECK(!clSVMAlloc(t.context, CL_MEM_USE_HOST_PTR, 16, 0));
    CHECK(!clSVMAlloc(t.context, CL_MEM_SVM_ATOMICS, 16, 0));
    void *at = clSVMAlloc(t.context, fine | CL_MEM_SVM_ATOMICS, 16, 0);
    CHECK_EQ(at == NULL, is_coarse(t));
    clSVMFree(t.context, at);
    clSVMFree(t.context, NULL);
    clSVMFree(NULL, at);
    cl_close(&t);
}

TEST(codes)
{
    struct codes c = codes_open();
    const cl_icd_dispatch *d = c.d;
    cl_command_queue q = c.t.queue;
    cl_event bad = NULL;
    char *at = clSVMAlloc(c.t.context, 0, 64, 0);
    const void *inside[] = { at }, *outside[] = { at + 64 };
    const size_t too_much = 65;
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMemcpy(q, CL_TRUE, NULL, at, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMemcpy(q, CL_TRUE, at, NULL, 8, 0, NULL, NULL));
    FAILS(CL_MEM_COPY_OVERLAP,
          d->clEnqueueSVMMemcpy(q, CL_TRUE, at, at + 7, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          d->clEnqueueSVMMemcpy(q, CL_TRUE, at, at + 8, 8, 1, &bad, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMemFill(q, at + 1, "ab", 2, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMemFill(q, at, "abc", 3, 9, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMemFill(q, at, "ab", 2, 9, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMemFill(q, NULL, "ab", 2, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, NULL, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, at, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMap(q, CL_TRUE,
                             CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, at,
                             8, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, d->clEnqueueSVMUnmap(q, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMigrateMem(q, 0, inside, NULL, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMigrateMem(q, 1, outside, NULL, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMigrateMem(q, 1, inside, &too_much, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMMigrateMem(q, 1, inside, NULL, 1 << 9, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clEnqueueSVMFree(q, 1, NULL, NULL, NULL, 0, NULL, NULL));
    cl_program p;
    cl_kernel k = kernel(&c.t, &p, "add");
    cl_bool yes = CL_TRUE, no = CL_FALSE;
    FAILS(CL_INVALID_ARG_INDEX, d->clSetKernelArgSVMPointer(k, 4, at));
    FAILS(CL_INVALID_ARG_VALUE, d->clSetKernelArgSVMPointer(k, 3, at));
    FAILS(CL_INVALID_ARG_VALUE, d->clSetKernelArgSVMPointer(k, 0, at + 64));
    FAILS(CL_INVALID_VALUE, d->clSetKernelExecInfo(k, 0, 8, inside));
    FAILS(CL_INVALID_VALUE,
          d->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL));
    OK(d->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    FAILS(CL_INVALID_VALUE,
          d->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, inside));
    FAILS(CL_INVALID_VALUE,
          d->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, outside));
    FAILS(CL_INVALID_OPERATION,
          d->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                 sizeof yes, &yes));
    OK(d->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                              sizeof no, &no));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    clSVMFree(c.t.context, at);
    codes_close(&c);
}

/* A buffer of shared memory has its bytes, and no others. */
TEST(buffers_of_shared_memory)
{
    struct cl t = cl_open(0);
    cl_program p;
    cl_kernel k = kernel(&t, &p, "walk");
    cl_int code;
    cl_mem list, plain;
    struct node *node = clSVMAlloc(t.context, 0, 4096, 0);
    cl_uint *sum = clSVMAlloc(t.context, 0, sizeof *sum, 0), own = 0;
    cl_bool uses;
    const size_t one = 1;
    cl_uint expected = build_list(node);
    CREATES(list,
            clCreateBuffer(t.context, CL_MEM_USE_HOST_PTR, 4096, node, &code));
    CREATES(plain, clCreateBuffer(t.context, CL_MEM_USE_HOST_PTR, sizeof own,
                                  &own, &code));
    OK(clGetMemObjectInfo(list, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses,
                          NULL));
    CHECK_EQ(uses, CL_TRUE);
    OK(clGetMemObjectInfo(plain, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses,
                          NULL));
    CHECK_EQ(uses, CL_FALSE);
    OK(clSetKernelArg(k, 0, sizeof list, &list));
    OK(clSetKernelArgSVMPointer(k, 1, sum));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(t.queue));
    CHECK_EQ(*sum, expected);
    CHECK_EQ(node[0].value, 1000);
    OK(clReleaseMemObject(list));
    OK(clReleaseMemObject(plain));
    CHECK_EQ(node[0].value, 1000);              /* still there */
    for (unsigned copy = 0; copy < 2; copy++) { /* ends behind its memory */
        cl_mem_flags flags = copy ? CL_MEM_COPY_HOST_PTR : CL_MEM_USE_HOST_PTR;
        CHECK(!clCreateBuffer(t.context, flags, 4097, node, &code));
        CHECK_EQ(code, CL_INVALID_BUFFER_SIZE);
        CHECK(!clCreateBuffer(t.context, flags, 5, sum, &code));
        CHECK_EQ(code, CL_INVALID_BUFFER_SIZE);
    }
    clSVMFree(t.context, node);
    clSVMFree(t.context, sum);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Of cl_ext_buffer_device_address, which the header of this system lacks. */
enum {
    DEVICE_PRIVATE_ADDRESS = 0x5000,
    DEVICE_ADDRESS = 0x5001,
    EXEC_INFO_DEVICE_PTRS = 0x5002
};
typedef cl_int(CL_API_CALL *set_pointer_fn)(cl_kernel, cl_uint, cl_ulong);

/* A list whose pointers are addresses of the device. */
TEST(buffers_with_device_addresses)
{
    struct cl t = cl_open(0);
    cl_program p;
    cl_kernel k = kernel(&t, &p, "walk");
    cl_int code;
    const cl_mem_properties property[] = { DEVICE_PRIVATE_ADDRESS, CL_TRUE, 0 };
    const cl_mem_properties wrong[] = { DEVICE_PRIVATE_ADDRESS, 2, 0 };
    const cl_buffer_region half = { 2048, 2048 };
    set_pointer_fn set_pointer =
        (set_pointer_fn)clGetExtensionFunctionAddressForPlatform(
            t.platform, "clSetKernelArgDevicePointerEXT");
    cl_mem list, sum, part, plain = cl_buffer(&t, 0, 64, NULL);
    cl_ulong at, to, inside;
    struct node node[NODES];
    const size_t one = 1;
    REFUSES(CL_INVALID_PROPERTY,
            clCreateBufferWithProperties(t.context, wrong, 0, 64, NULL, &code));
    CREATES(list, clCreateBufferWithProperties(t.context, property, 0, 4096,
                                               NULL, &code));
    CREATES(sum, clCreateBufferWithProperties(t.context, property, 0, 64, NULL,
                                              &code));
    CREATES(part, clCreateSubBuffer(list, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                    &half, &code));
    FAILS(CL_INVALID_OPERATION,
          clGetMemObjectInfo(plain, DEVICE_ADDRESS, sizeof at, &at, NULL));
    OK(clGetMemObjectInfo(list, DEVICE_ADDRESS, sizeof at, &at, NULL));
    OK(clGetMemObjectInfo(sum, DEVICE_ADDRESS, sizeof to, &to, NULL));
    OK(clGetMemObjectInfo(part, DEVICE_ADDRESS, sizeof inside, &inside, NULL));
    CHECK_EQ(inside, at + 2048);
    cl_uint expected = build_list(node), found;
    for (unsigned i = 0; i < NODES; i++)
        if (node[i].next)
            node[i].next =
                (struct node *)(uintptr_t)(at +
                                           (cl_ulong)((char *)node[i].next -
                                                      (char *)node));
    OK(clEnqueueWriteBuffer(t.queue, list, CL_TRUE, 0, sizeof node, node, 0,
                            NULL, NULL));
    OK(set_pointer(k, 0, at));
    OK(set_pointer(k, 1, to));
    FAILS(CL_INVALID_KERNEL, set_pointer(NULL, 0, at));
    FAILS(CL_INVALID_ARG_INDEX, set_pointer(k, 2, at));
    cl_program other;
    cl_kernel values = cl_kernel_of(
        other = cl_build(&t, "kernel void v(int x, local int *y) { y[0] = x; }",
                         ""),
        "v");
    for (cl_uint i = 0; i < 2; i++)
        FAILS(CL_INVALID_ARG_INDEX, set_pointer(values, i, at));
    OK(clReleaseKernel(values));
    OK(clReleaseProgram(other));
    OK(clSetKernelExecInfo(k, EXEC_INFO_DEVICE_PTRS, sizeof at, &at));
    FAILS(CL_INVALID_VALUE,
          clSetKernelExecInfo(k, EXEC_INFO_DEVICE_PTRS, 4, &at));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(t.queue, sum, CL_TRUE, 0, 4, &found, 0, NULL, NULL));
    CHECK_EQ(found, expected);
    /* A pointer to nothing may be passed; it is a fault to follow it. */
    OK(set_pointer(k, 0, at + 4096));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES, clFinish(t.queue));
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(list));
    OK(clReleaseMemObject(sum));
    OK(clReleaseMemObject(plain));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Three buffers of 3 GiB, of which few pages are touched. */
TEST(buffers_above_4_GiB)
{
    struct cl t = cl_open(0);
    cl_program p;
    cl_kernel k = kernel(&t, &p, "add");
    const size_t size = (size_t)3 << 30, items = ITEMS;
    cl_ulong stride = size / ITEMS;
    cl_mem m[3];
    cl_int code;
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_ADDRESS_BITS), 64);
    if (ASK_DEVICE(cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE) < size)
        return; /* the host has less than 8 GiB */
    for (unsigned i = 0; i < 3; i++) {
        CREATES(m[i], clCreateBuffer(t.context, 0, size, NULL, &code));
        OK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
    }
    OK(clSetKernelArg(k, 3, sizeof stride, &stride));
    for (cl_uint i = 0; i < ITEMS; i++)
        for (cl_uint j = 0; j < 2; j++)
            OK(clEnqueueWriteBuffer(t.queue, m[j], CL_TRUE, i * stride, 4,
                                    &(cl_uint){ i * i + j * 1000003 }, 0, NULL,
                                    NULL));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, NULL, 0, NULL,
                              NULL));
    for (cl_uint i = 0; i < ITEMS; i++) {
        cl_uint sum;
        OK(clEnqueueReadBuffer(t.queue, m[2], CL_TRUE, i * stride, 4, &sum, 0,
                               NULL, NULL));
        CHECK_EQ(sum, 2 * i * i + 1000003);
    }
    for (unsigned i = 0; i < 3; i++)
        OK(clReleaseMemObject(m[i]));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
