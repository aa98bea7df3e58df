/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/file.h"
#include "cl.h"

/* The program of shared.s: kernels of version 2, made without the compiler. */
static inline cl_program
shared_program(struct cl *t)
{
    struct arena arena = { 0 };
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    cl_int code;
    const unsigned char *bytes = file_read(&arena, SHARED, &size, &sink);
    cl_program p;
    CREATES(p, clCreateProgramWithBinary(t->context, 1, &t->device, &size,
                                         &bytes, NULL, &code));
    OK(clBuildProgram(p, 1, &t->device, "", NULL, NULL));
    arena_free(&arena);
    return p;
}
