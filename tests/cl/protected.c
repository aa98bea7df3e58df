/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the host that may be read only, or not at all: each of these
 * calls ended the application. */
#define _DEFAULT_SOURCE /* mkstemp, MAP_ANONYMOUS */
#include <sys/mman.h>
#include <unistd.h>

#include "codes.h"

enum { PAGE = 4096, LARGE = 1 << 20 };

/* Pages of ones, of which the last one has other permissions. */
static char *
pages(size_t size, int permissions)
{
    char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    memset(at, 1, size);
    CHECK(mprotect(at + size - PAGE, PAGE, permissions) == 0);
    return at;
}

static cl_mem
buffer(struct cl *t, size_t size)
{
    cl_int code;
    cl_mem m;
    const char five = 5;
    CREATES(m, clCreateBuffer(t->context, 0, size, NULL, &code));
    OK(clEnqueueFillBuffer(t->queue, m, &five, 1, 0, size, 0, NULL, NULL));
    return m;
}

TEST(reads_into_memory_that_is_read_only)
{
    struct cl t = cl_open(0);
    cl_mem m = buffer(&t, LARGE);
    for (size_t size = PAGE; size <= LARGE; size *= 16) {
        char *at = pages(size, PROT_READ);
        FAILS(CL_OUT_OF_RESOURCES,
              clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, size, at, 0, NULL,
                                  NULL));
        CHECK(at[0] == 1 && at[size - 1] == 1);
        OK(clEnqueueWriteBuffer(t.queue, m, CL_TRUE, 0, size, at, 0, NULL,
                                NULL));
        CHECK(munmap(at, size) == 0);
    }
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

TEST(writes_from_memory_that_cannot_be_read)
{
    struct cl t = cl_open(0);
    cl_mem m = buffer(&t, LARGE);
    cl_int code;
    for (size_t size = PAGE; size <= LARGE; size *= 16) {
        char *at = pages(size, PROT_NONE);
        FAILS(CL_OUT_OF_RESOURCES,
              clEnqueueWriteBuffer(t.queue, m, CL_TRUE, 0, size, at, 0, NULL,
                                   NULL));
        FAILS(CL_OUT_OF_RESOURCES,
              clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, size, at, 0, NULL,
                                  NULL));
        CHECK(
            !clCreateBuffer(t.context, CL_MEM_COPY_HOST_PTR, size, at, &code));
        CHECK_EQ(code, CL_INVALID_HOST_PTR);
        CHECK(munmap(at, size) == 0);
    }
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* Rows of a box, of which the second one is in the page. */
TEST(boxes_and_images)
{
    struct cl t = cl_open(0);
    const cl_image_format format = { CL_R, CL_UNSIGNED_INT8 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = PAGE,
                                 .image_height = 2 };
    const size_t zero[3] = { 0 }, box[3] = { 64, 2, 1 },
                 region[3] = { PAGE, 2, 1 };
    cl_mem m = buffer(&t, 2 * PAGE), image;
    cl_int code;
    char *at = pages(2 * PAGE, PROT_READ);
    CREATES(image, clCreateImage(t.context, 0, &format, &desc, NULL, &code));
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueReadBufferRect(t.queue, m, CL_TRUE, zero, zero, box, PAGE, 0,
                                  PAGE, 0, at, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueReadImage(t.queue, image, CL_TRUE, zero, region, 0, 0, at, 0,
                             NULL, NULL));
    CHECK(at[0] == 1 && at[PAGE] == 1);
    OK(clEnqueueWriteImage(t.queue, image, CL_TRUE, zero, region, 0, 0, at, 0,
                           NULL, NULL));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(m));
    CHECK(munmap(at, 2 * PAGE) == 0);
    cl_close(&t);
}

TEST(copies_of_shared_memory)
{
    struct cl t = cl_open(0);
    char *shared = clSVMAlloc(t.context, 0, LARGE, 0);
    CHECK(shared);
    memset(shared, 7, LARGE);
    char *at = pages(LARGE, PROT_READ), *none = pages(LARGE, PROT_NONE);
    FAILS(CL_OUT_OF_RESOURCES, clEnqueueSVMMemcpy(t.queue, CL_TRUE, at, shared,
                                                  LARGE, 0, NULL, NULL));
    FAILS(CL_OUT_OF_RESOURCES, clEnqueueSVMMemcpy(t.queue, CL_TRUE, shared,
                                                  none, LARGE, 0, NULL, NULL));
    CHECK(at[0] == 1 && shared[0] == 7);
    OK(clEnqueueSVMMemcpy(t.queue, CL_TRUE, shared, at, LARGE, 0, NULL, NULL));
    CHECK(shared[0] == 1 && shared[LARGE - 1] == 1);
    CHECK(munmap(at, LARGE) == 0 && munmap(none, LARGE) == 0);
    clSVMFree(t.context, shared);
    cl_close(&t);
}

/* Behind the end of a file there is SIGBUS, whatever is permitted. */
TEST(pages_behind_the_end_of_a_file)
{
    struct cl t = cl_open(0);
    cl_mem m = buffer(&t, 2 * PAGE);
    char name[] = "/tmp/ventus-protected-XXXXXX";
    int fd = mkstemp(name);
    CHECK(fd >= 0 && unlink(name) == 0 && ftruncate(fd, PAGE) == 0);
    char *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(at != MAP_FAILED);
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, 2 * PAGE, at, 0, NULL,
                              NULL));
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueWriteBuffer(t.queue, m, CL_TRUE, 0, 2 * PAGE, at, 0, NULL,
                               NULL));
    OK(clEnqueueReadBuffer(t.queue, m, CL_TRUE, 0, PAGE, at, 0, NULL, NULL));
    CHECK(at[0] == 5 && at[PAGE - 1] == 5);
    CHECK(munmap(at, 2 * PAGE) == 0 && close(fd) == 0);
    OK(clReleaseMemObject(m));
    cl_close(&t);
}

/* A map for reading copies to the memory of the application. */
TEST(a_map_of_constant_memory)
{
    struct cl t = cl_open(0);
    cl_int code;
    cl_mem m;
    char *at = pages(PAGE, PROT_READ);
    CREATES(m, clCreateBuffer(t.context, CL_MEM_USE_HOST_PTR, PAGE, at, &code));
    CHECK(!clEnqueueMapBuffer(t.queue, m, CL_TRUE, CL_MAP_READ, 0, PAGE, 0,
                              NULL, NULL, &code));
    CHECK(code != CL_SUCCESS);
    OK(clReleaseMemObject(m));
    CHECK(munmap(at, PAGE) == 0);
    cl_close(&t);
}

int
main(int argc, char **argv)
{
    /* Before Linux 5.14 nothing tells what is permitted. */
    char page[2 * PAGE], *at = page + PAGE - (uintptr_t)page % PAGE;
    if (madvise(at, PAGE, 22 /* MADV_POPULATE_READ */) != 0)
        return 77;
    return test_main(argc, argv);
}
