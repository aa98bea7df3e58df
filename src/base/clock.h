/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>
#include <time.h>

/* The host's time since some moment, which never goes back: for durations and limits. */
static inline uint64_t
clock_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline double
clock_now_ms(void)
{
    return (double)clock_now_ns() * 1e-6;
}

static inline double
clock_now_s(void)
{
    return (double)clock_now_ns() * 1e-9;
}
