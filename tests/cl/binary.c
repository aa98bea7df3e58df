/* SPDX-License-Identifier: Apache-2.0 */
/* Binaries of an attacker: CL_INVALID_BINARY, and nothing else.
 * What is left of a program after a change inside its code may run, fault or
 * be stopped, but the process and the context go on. */
#include <unistd.h>

#include "cl.h"
#include "heap.h"

static const char text[] = "kernel void k(global int *x)\n"
                           "{\n    local int l[16];\n"
                           "    l[get_local_id(0)] = x[0];\n"
                           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "    printf(\"%d %s\\n\", l[0], \"text\");\n"
                           "    for (int i = 0; i < 3; i++)\n"
                           "        x[i] = l[i] + 1;\n}\n";

static uint32_t
rnd(void)
{
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

/* Changes some bytes, most often in the first ones. */
static void
spoil(unsigned char *bytes, size_t size)
{
    for (unsigned n = 1 + rnd() % 4; n--;) {
        size_t near = size < 512 || rnd() % 4 == 0 ? size : 512;
        static const unsigned char nasty[] = { 0, 0xff, 0x7f, 0x80, 1 };
        unsigned char *at = &bytes[rnd() % near];
        *at = rnd() % 2 ? nasty[rnd() % sizeof nasty]
                        : (unsigned char)(*at ^ 1u << rnd() % 8);
    }
}

static cl_program
create(struct cl *t, const unsigned char *bytes, size_t size)
{
    const unsigned char *list[] = { bytes };
    cl_int code = 1, status = 1;
    cl_program p = clCreateProgramWithBinary(t->context, 1, &t->device, &size,
                                             list, &status, &code);
    CHECK_EQ(code, p ? CL_SUCCESS : CL_INVALID_BINARY);
    CHECK_EQ(status, code);
    return p;
}

static void
run_kernels(struct cl *t, cl_program p)
{
    cl_kernel kernels[8];
    cl_uint n = 0;
    const size_t one = 1;
    cl_mem m = cl_buffer(t, 0, 64, NULL);
    if (clCreateKernelsInProgram(p, 8, kernels, &n) != CL_SUCCESS)
        n = 0;
    for (cl_uint i = 0; i < n; i++) {
        clSetKernelArg(kernels[i], 0, sizeof m, &m);
        clEnqueueNDRangeKernel(t->queue, kernels[i], 1, NULL, &one, NULL, 0,
                               NULL, NULL);
        clFinish(t->queue);
        OK(clReleaseKernel(kernels[i]));
    }
    OK(clReleaseMemObject(m));
}

static void
try_binary(struct cl *t, const unsigned char *bytes, size_t size, bool run)
{
    cl_program p = create(t, bytes, size);
    if (!p)
        return;
    cl_int code = clBuildProgram(p, 0, NULL, "", NULL, NULL);
    CHECK(code == CL_SUCCESS || code == CL_INVALID_BINARY);
    if (code == CL_SUCCESS && run)
        run_kernels(t, p);
    OK(clReleaseProgram(p));
}

TEST(spoilt_executables)
{
    struct cl t = cl_open(0);
    size_t size;
    cl_program p = cl_build(&t, text, "");
    unsigned char *good = cl_binary(p, &size), *bad = malloc(size);
    CHECK(freopen("/dev/null", "w", stderr) != NULL); /* faults are expected */
    for (int i = 0; i < 400; i++) {
        memcpy(bad, good, size);
        spoil(bad, size);
        try_binary(&t, bad, size, i % 4 == 0);
    }
    for (size_t n = 1; n < size; n += 97)
        CHECK(create(&t, good, n) == NULL);
    OK(clReleaseProgram(p));
    p = create(&t, good, size);
    OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK_EQ(cl_result(&t, p), 1);
    OK(clReleaseProgram(p));
    free(bad);
    free(good);
    cl_close(&t);
}

static unsigned char *
object(struct cl *t, size_t *size)
{
    cl_program p = cl_source(t, text);
    OK(clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    unsigned char *bytes = cl_binary(p, size);
    OK(clReleaseProgram(p));
    return bytes;
}

TEST(spoilt_objects)
{
    struct cl t = cl_open(0);
    size_t size;
    unsigned char *good = object(&t, &size), *bad = malloc(size);
    for (int i = 0; i < 400; i++) {
        memcpy(bad, good, size);
        spoil(bad, size);
        if (memcmp(bad, good, size) != 0)
            CHECK(create(&t, bad, size) == NULL);
    }
    for (size_t n = 1; n < size; n += 97)
        CHECK(create(&t, good, n) == NULL);
    free(bad);
    free(good);
    cl_close(&t);
}

/* What the compiler made of an object, to see that it can be read. */
TEST(objects_that_are_looked_at_give_their_memory_back)
{
    enum { MANY = 4 };
    struct cl t = cl_open(0);
    size_t size, before = 0;
    unsigned char *good = object(&t, &size);
    for (unsigned i = 0; i < 2 * MANY; i++) {
        cl_program p = create(&t, good, size);
        if (CHECK(p))
            OK(clReleaseProgram(p));
        if (i == MANY)
            before = heap_B();
    }
    CHECK(heap_B() < before + 1000);
    free(good);
    cl_close(&t);
}

enum { HASH = 36, HEAD = 68 }; /* src/cl/program/binary.h */

/* The words for version and CPU type, which nothing else looks at, were taken
 * whatever they were. */
TEST(every_bit_of_an_objects_head_counts)
{
    struct cl t = cl_open(0);
    size_t size;
    unsigned char *bytes = object(&t, &size);
    for (size_t bit = 0; bit < (size_t)HEAD * 8; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(create(&t, bytes, size) == NULL);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    cl_program p = create(&t, bytes, size);
    CHECK(p != NULL);
    OK(clReleaseProgram(p));
    free(bytes);
    cl_close(&t);
}

/* Puts the right hash into the head, by a program of the system. */
static void
sign(unsigned char *bytes, size_t size)
{
    char name[] = "/tmp/ventus-test-XXXXXX", command[64];
    int fd = mkstemp(name);
    CHECK_EQ(write(fd, bytes + 28, 8), 8);
    CHECK_EQ(write(fd, bytes + HEAD, size - HEAD), (ssize_t)(size - HEAD));
    close(fd);
    snprintf(command, sizeof command, "sha256sum %s", name);
    FILE *f = popen(command, "r");
    for (int i = 0; i < 32; i++) {
        unsigned byte = 0;
        CHECK_EQ(fscanf(f, "%2x", &byte), 1);
        bytes[HASH + i] = (unsigned char)byte;
    }
    pclose(f);
    unlink(name);
}

/* With a correct hash the compiler reads them. */
TEST(objects_signed_by_others)
{
    struct cl t = cl_open(0);
    size_t size;
    unsigned char *good = object(&t, &size), *bad = malloc(size);
    memcpy(bad, good, size);
    sign(bad, size);
    CHECK(memcmp(bad, good, size) == 0);
    int taken = 0;
    for (int i = 0; i < 12; i++) {
        memcpy(bad, good, size);
        spoil(bad + HEAD, size - HEAD);
        sign(bad, size);
        cl_program p = create(&t, bad, size);
        taken += p != NULL;
        if (p)
            OK(clReleaseProgram(p));
    }
    CHECK(taken < 12);
    /* No bitcode at all, and bitcode of another compiler. */
    memset(bad + HEAD, 0, size - HEAD);
    sign(bad, size);
    CHECK(create(&t, bad, size) == NULL);
    free(bad);
    free(good);
    cl_close(&t);
}

TEST(not_binaries)
{
    struct cl t = cl_open(0);
    unsigned char bytes[4096];
    for (int i = 0; i < 200; i++) {
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (unsigned char)rnd();
        if (i % 2)
            memcpy(bytes, "\177ELF\1\1\1\0", 8);
        CHECK(create(&t, bytes, 1 + rnd() % sizeof bytes) == NULL);
    }
    FILE *f = fopen("/bin/true", "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f)
        fclose(f);
    CHECK(n && create(&t, bytes, n) == NULL);
    cl_close(&t);
}

TEST_MAIN
