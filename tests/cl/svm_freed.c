/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory that was freed, where the application still names it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <sys/mman.h>
#include <time.h>

#include "codes.h"

/*
 * Room that others map first, AddressSanitizer for itself above all: the highest gap
 * that fits.  In pages that were freed just now a command would write over theirs.
 */
enum { ROOM = 256 << 20 };

static void *
reserve(size_t size)
{
    void *at = mmap(NULL, size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(at != MAP_FAILED);
    return at;
}

static void *
hold_room(void)
{
    return reserve(ROOM);
}

struct gap {
    void *at;
    size_t size;
};

/* Reserves all that is free above that room, to the page; how many pieces it has. */
static unsigned
fill_gaps_above(const void *room, struct gap *gap, unsigned most)
{
    unsigned n = 0;
    for (size_t size = ROOM; size >= 4096;) {
        void *at = reserve(size);
        if ((uintptr_t)at > (uintptr_t)room) {
            CHECK(n < most);
            gap[n++] = (struct gap){ at, size };
        } else {
            CHECK(munmap(at, size) == 0);
            size /= 2;
        }
    }
    return n;
}

/* Below that room, not in a gap above it, which others would take first.  The gaps
 * may have hundreds of MiB: the arenas of malloc are aligned to 64. */
static char *
alloc_below(const struct cl *t, const void *room, size_t size)
{
    enum { GAPS = 10000 };
    static struct gap above[GAPS];
    unsigned n = fill_gaps_above(room, above, GAPS);
    char *at = clSVMAlloc(t->context, 0, size, 0);
    while (n--)
        CHECK(munmap(above[n].at, above[n].size) == 0);
    CHECK(at && (uintptr_t)at < (uintptr_t)room);
    return at;
}

/* Pages that nothing has: what was freed, and nothing has taken since. */
static char *
freed_pages(const struct cl *t, size_t size)
{
    void *room = hold_room();
    char *at = alloc_below(t, room, size);
    CHECK(munmap(room, ROOM) == 0);
    clSVMFree(t->context, at);
    return at;
}

/* It ended the process: freed memory was taken for memory of the host. */
TEST(commands_on_freed_memory)
{
    struct cl t = cl_open(0);
    enum { SIZE = 1 << 20 };
    char *gone = freed_pages(&t, SIZE), host[64] = "untouched";
    for (size_t at = 0; at < SIZE; at += SIZE / 2 - 8) {
        FAILS(CL_INVALID_VALUE,
              clEnqueueSVMMemcpy(t.queue, CL_TRUE, host, gone + at, 16, 0, NULL,
                                 NULL));
        FAILS(CL_INVALID_VALUE, clEnqueueSVMMemcpy(t.queue, CL_FALSE, gone + at,
                                                   host, 16, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, clEnqueueSVMMemFill(t.queue, gone + at, "a", 1,
                                                    16, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, clEnqueueSVMMap(t.queue, CL_TRUE, CL_MAP_READ,
                                                gone + at, 16, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE,
              clEnqueueSVMUnmap(t.queue, gone + at, 0, NULL, NULL));
    }
    void *pointers[] = { NULL, gone };
    const void *read[] = { gone };
    FAILS(CL_INVALID_VALUE,
          clEnqueueSVMFree(t.queue, 2, pointers, NULL, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueSVMMigrateMem(t.queue, 1, read, NULL, 0, 0, NULL, NULL));
    OK(clEnqueueSVMFree(t.queue, 1, pointers, NULL, NULL, 0, NULL, NULL));
    /* No address at all, and nearly all of them. */
    FAILS(CL_INVALID_VALUE,
          clEnqueueSVMMemcpy(t.queue, CL_TRUE, host, (void *)0x1234, 16, 0,
                             NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueSVMMemcpy(t.queue, CL_TRUE, (void *)1, host,
                             (uintptr_t)host - 1, 0, NULL, NULL));
    CHECK(strcmp(host, "untouched") == 0);
    OK(clFinish(t.queue));
    cl_close(&t);
}

/* Freed a second time by a command behind the first one. */
TEST(memory_freed_twice)
{
    struct cl t = cl_open(0);
    cl_event start, second;
    cl_int code;
    void *a = clSVMAlloc(t.context, 0, 4096, 0);
    CREATES(start, clCreateUserEvent(t.context, &code));
    OK(clEnqueueSVMFree(t.queue, 1, &a, NULL, NULL, 1, &start, NULL));
    OK(clEnqueueSVMFree(t.queue, 1, &a, NULL, NULL, 0, NULL, &second));
    OK(clSetUserEventStatus(start, CL_COMPLETE));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clWaitForEvents(1, &second));
    OK(clReleaseEvent(start));
    OK(clReleaseEvent(second));
    cl_close(&t);
}

/* Objects whose host memory is gone, and transfers to and from such memory. */
TEST(objects_on_freed_memory)
{
    struct cl t = cl_open(0);
    enum { SIZE = 16 * 4096 };
    const cl_image_format format = { CL_R, CL_UNSIGNED_INT8 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 4096,
                                 .image_height = 16 };
    const size_t zero[3] = { 0 }, region[3] = { 4096, 16, 1 };
    const size_t rect[3] = { 8, 4, 2 };
    cl_int code;
    cl_mem plain, image, shared;
    void *room = hold_room();
    char *short_of = clSVMAlloc(t.context, 0, SIZE - 1, 0);
    char *whole = alloc_below(&t, room, SIZE);
    for (unsigned copy = 0; copy < 2; copy++) {
        cl_mem_flags flags = copy ? CL_MEM_COPY_HOST_PTR : CL_MEM_USE_HOST_PTR;
        CHECK(
            !clCreateImage(t.context, flags, &format, &desc, short_of, &code));
        CHECK_EQ(code, CL_INVALID_HOST_PTR);
        CREATES(image,
                clCreateImage(t.context, flags, &format, &desc, whole, &code));
        OK(clReleaseMemObject(image));
    }
    CREATES(shared,
            clCreateBuffer(t.context, CL_MEM_USE_HOST_PTR, SIZE, whole, &code));
    CREATES(plain, clCreateBuffer(t.context, 0, SIZE, NULL, &code));
    CREATES(image, clCreateImage(t.context, 0, &format, &desc, NULL, &code));
    CHECK(munmap(room, ROOM) == 0);
    clSVMFree(t.context, whole);
    for (unsigned copy = 0; copy < 2; copy++) {
        cl_mem_flags flags = copy ? CL_MEM_COPY_HOST_PTR : CL_MEM_USE_HOST_PTR;
        CHECK(!clCreateBuffer(t.context, flags, SIZE, whole, &code));
        CHECK_EQ(code, CL_INVALID_HOST_PTR);
        CHECK(!clCreateImage(t.context, flags, &format, &desc, whole, &code));
        CHECK_EQ(code, CL_INVALID_HOST_PTR);
    }
    FAILS(CL_OUT_OF_RESOURCES, clEnqueueReadBuffer(t.queue, plain, CL_TRUE, 0,
                                                   SIZE, whole, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueWriteBuffer(t.queue, plain, CL_TRUE, 0, SIZE, short_of, 0,
                               NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueReadBufferRect(t.queue, plain, CL_TRUE, zero, zero, rect, 0,
                                  0, 100, 1000, whole, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueWriteImage(t.queue, image, CL_TRUE, zero, region, 0, 0,
                              whole, 0, NULL, NULL));
    CHECK(!clEnqueueMapBuffer(t.queue, shared, CL_TRUE, CL_MAP_READ, 0, SIZE, 0,
                              NULL, NULL, &code));
    CHECK(code != CL_SUCCESS);
    CHECK(clEnqueueCopyBuffer(t.queue, shared, plain, 0, 0, SIZE, 0, NULL,
                              NULL) != CL_SUCCESS ||
          clFinish(t.queue) != CL_SUCCESS);
    OK(clReleaseMemObject(shared));
    OK(clReleaseMemObject(plain));
    OK(clReleaseMemObject(image));
    clSVMFree(t.context, short_of);
    cl_close(&t);
}

/* The pages of a copy that runs stay until it has ended. */
TEST(a_free_waits_for_copies)
{
    struct cl t = cl_open(0);
    enum { SIZE = 8 << 20, TIMES = 30 };
    char *host = malloc(SIZE);
    CHECK(host);
    for (unsigned i = 0; i < TIMES; i++) {
        char *a = clSVMAlloc(t.context, 0, SIZE, 0);
        cl_event moved;
        cl_int status;
        CHECK(a);
        memset(a, 1 + (int)i, SIZE);
        memset(host, 0, SIZE);
        OK(clEnqueueSVMMemcpy(t.queue, CL_FALSE, host, a, SIZE, 0, NULL,
                              &moved));
        OK(clFlush(t.queue));
        const struct timespec later = { .tv_nsec = i * 50000L };
        nanosleep(&later, NULL); /* often it has begun then */
        clSVMFree(t.context, a);
        clWaitForEvents(1, &moved);
        OK(clGetEventInfo(moved, CL_EVENT_COMMAND_EXECUTION_STATUS,
                          sizeof status, &status, NULL));
        CHECK(status == CL_COMPLETE || status == CL_OUT_OF_RESOURCES);
        CHECK_EQ(host[SIZE - 1], status == CL_COMPLETE ? 1 + (int)i : 0);
        OK(clReleaseEvent(moved));
    }
    free(host);
    cl_close(&t);
}

TEST_MAIN
