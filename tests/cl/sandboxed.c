/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds each file of the list in FILES (a line each): a binary, which is
 * linked, or a source, with OPTIONS.  Prints "FILE: code" and the log, then
 * whether a good program still builds and runs: sandbox.py reads it.  With
 * OBJECT it writes the binary of a compiled program there.
 */
#include "cl.h"

static const char good[] = "kernel void k(global int *x) { *x = 42; }\n";

static unsigned char *
read_whole(const char *path, size_t *size)
{
    static unsigned char bytes[1 << 20];
    FILE *in = fopen(path, "rb");
    if (!CHECK(in != NULL))
        exit(2);
    *size = fread(bytes, 1, sizeof bytes - 1, in);
    fclose(in);
    bytes[*size] = 0;
    return bytes;
}

static void
say(struct cl *t, cl_program p, const char *file, cl_int code)
{
    static char log[1 << 16];
    size_t size = 0;
    if (p && clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG,
                                   sizeof log, log, &size) == CL_SUCCESS)
        log[sizeof log - 1] = 0;
    else
        log[0] = 0;
    printf("%s: %d\n%s\n", file, code, log);
}

static void
link_binary(struct cl *t, const char *file, const unsigned char *bytes,
            size_t size)
{
    cl_int code, status;
    cl_program p = clCreateProgramWithBinary(t->context, 1, &t->device, &size,
                                             &bytes, &status, &code);
    if (!p) {
        say(t, NULL, file, code);
        return;
    }
    cl_program q =
        clLinkProgram(t->context, 0, NULL, NULL, 1, &p, NULL, NULL, &code);
    say(t, q, file, code);
    if (q)
        OK(clReleaseProgram(q));
    OK(clReleaseProgram(p));
}

static void
build_source(struct cl *t, const char *file, const char *text)
{
    cl_program p = cl_source(t, text);
    cl_int code = clBuildProgram(p, 0, NULL, getenv("OPTIONS"), NULL, NULL);
    say(t, p, file, code);
    OK(clReleaseProgram(p));
}

static void
write_object(struct cl *t, const char *path)
{
    cl_program p = cl_source(t, good);
    size_t size;
    OK(clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    unsigned char *bytes = cl_binary(p, &size);
    FILE *out = fopen(path, "wb");
    CHECK_EQ(fwrite(bytes, 1, size, out), size);
    fclose(out);
    free(bytes);
    OK(clReleaseProgram(p));
}

TEST(sandboxed)
{
    struct cl t = cl_open(0);
    char file[512];
    FILE *files = getenv("FILES") ? fopen(getenv("FILES"), "r") : NULL;
    while (files && fgets(file, sizeof file, files)) {
        size_t size;
        file[strcspn(file, "\n")] = 0;
        unsigned char *bytes = read_whole(file, &size);
        if (strstr(file, ".cl"))
            build_source(&t, file, (char *)bytes);
        else
            link_binary(&t, file, bytes, size);
    }
    if (files)
        fclose(files);
    if (getenv("OBJECT"))
        write_object(&t, getenv("OBJECT"));
    cl_program p = cl_build(&t, good, NULL);
    CHECK_EQ(cl_result(&t, p), 42);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
