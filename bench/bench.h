/* SPDX-License-Identifier: Apache-2.0 */
/* What bench/run.py reads: `name value unit`, one figure a line. */
#pragma once

#include <stdio.h>
#include <time.h>

/* CPU seconds of this thread. */
static inline double
bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of the wall: for what several threads do. */
static inline double
bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void
bench_report(const char *name, double value, const char *unit)
{
    printf("%s %.3f %s\n", name, value, unit);
}
