/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What programs for another OpenCL platform begin with. */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void
must(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(1);
}

/* The first device of the platform whose name contains `name`, or exit 77. */
static inline cl_device_id
find_device(const char *name)
{
    cl_platform_id platforms[16];
    cl_uint n = 0;
    clGetPlatformIDs(16, platforms, &n);
    for (cl_uint i = 0; i < n && i < 16; i++) {
        char found[256];
        cl_device_id device;
        if (!clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof found,
                               found, NULL) &&
            strstr(found, name) &&
            !clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
            return device;
    }
    fprintf(stderr, "no OpenCL platform '%s'\n", name);
    exit(77);
}

/* The program, or exit with its log. */
static inline cl_program
build(cl_context context, cl_device_id device, const char *text,
      const char *options)
{
    cl_int error;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    must(error, "clCreateProgramWithSource");
    error = clBuildProgram(p, 1, &device, options, NULL, NULL);
    if (error) {
        static char log[65536];
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                              log, NULL);
        fputs(log, stderr);
    }
    must(error, "clBuildProgram");
    return p;
}
