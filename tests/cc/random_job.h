/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What random_kernels.py wants run, on either machine: kernels k0, k1, ... of
 * one program, all with the same arguments,
 *
 *     (global const int *a, int n, int m, global long *o, global int *g,
 *      char c, ulong w, float4 f)
 *
 * and what comes back: for each kernel a word, 1 if it ran, then o and g,
 * which are all zero before.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOB_INPUTS = 64, JOB_OUTPUTS = 8, JOB_CELLS = 64 };

struct job {
    int32_t kernels, n, m;
    uint32_t global[2], local[2];
    int32_t c;
    uint64_t w;
    float f[4];
    int32_t a[JOB_INPUTS];
};

static inline size_t
job_items(const struct job *j)
{
    return (size_t)j->global[0] * j->global[1];
}

static inline size_t
job_output_B(const struct job *j)
{
    return 8 * JOB_OUTPUTS * job_items(j);
}

/* All of a file, with a zero behind it; exits if there is none. */
static inline char *
job_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    *size = (size_t)ftell(f);
    rewind(f);
    char *at = calloc(*size + 1, 1);
    if (!at || fread(at, 1, *size, f) != *size)
        exit(2);
    fclose(f);
    return at;
}
