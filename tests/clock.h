/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdatomic.h>
#include <time.h>

/*
 * A clock that goes on by a millisecond with each look at it: what has a limit of time is
 * over after as many looks, on every host.  For programs that are linked with
 * -Wl,--wrap=clock_gettime, in one of their files.
 */
int
__wrap_clock_gettime(clockid_t clock, struct timespec *t);

int
__wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    static atomic_llong looks;
    long long ms = 1000000 + atomic_fetch_add(&looks, 1);
    (void)clock;
    *t = (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
    return 0;
}
