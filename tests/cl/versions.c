/* SPDX-License-Identifier: Apache-2.0 */
/* Devices of both versions of the instruction set in one context. */
#include "cl.h"

static char report[1024];

static void CL_CALLBACK
take_report(const char *text, const void *info, size_t size, void *user_data)
{
    (void)info, (void)size, (void)user_data;
    snprintf(report, sizeof report, "%s", text);
}

/* It was CL_INVALID_BINARY without a word. */
TEST(a_binary_of_the_other_version_says_so)
{
    static const char source[] = "kernel void k(global int *x) { *x = 1; }";
    cl_platform_id platform;
    cl_device_id d[2];
    cl_int code, status = 1;
    cl_context c;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 2, d, NULL));
    CREATES(c, clCreateContext(NULL, 2, d, take_report, NULL, &code));
    for (unsigned from = 0; from < 2; from++) {
        struct cl t = { platform, d[from], c, NULL };
        cl_program p = cl_build(&t, source, "");
        size_t sizes[2] = { 0 };
        unsigned char *bytes[2] = { NULL, NULL };
        OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes,
                            NULL));
        bytes[from] = malloc(sizes[from]);
        OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, bytes, NULL));
        const unsigned char *binary = bytes[from];
        report[0] = 0;
        REFUSES(CL_INVALID_BINARY,
                clCreateProgramWithBinary(c, 1, &d[!from], &sizes[from],
                                          &binary, &status, &code));
        CHECK_EQ(status, CL_INVALID_BINARY);
        CHECK_STR(report,
                  from ? "clCreateProgramWithBinary: binary 0 is for version 2 "
                         "of the instruction set, its device has version 1"
                       : "clCreateProgramWithBinary: binary 0 is for version 1 "
                         "of the instruction set, its device has version 2");
        free(bytes[from]);
        OK(clReleaseProgram(p));
    }
    OK(clReleaseContext(c));
}

TEST_MAIN
