/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line of a long launch, if stderr is a terminal; and Ctrl-C. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "exec.h"

enum { QUIET_MS = 500, TICK_MS = 100 };

/* Prints "reduce: 1200 of 4096 workgroups, 29 %, 410/s, 7 s left"; before the first
 * workgroup has ended "reduce: 0 of 2 workgroups, 0 %, 31.5 M instructions, 4.2 s". */
static void
print_line(const char *name, uint64_t done, uint64_t all, uint64_t executed,
           double seconds)
{
    double rate = (double)done / seconds;
    fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64 " workgroups, %.0f %%",
            name, done, all, 100 * (double)done / (double)all);
    if (done && done < all)
        fprintf(stderr, ", %.*f/s, %.0f s left", rate < 10 ? 1 : 0, rate,
                (double)(all - done) / rate);
    else if (!done && executed)
        fprintf(stderr, ", %.1f M instructions, %.1f s",
                1e-6 * (double)executed, seconds);
    else
        fprintf(stderr, ", %.1f s", seconds);
    fputs("\033[K", stderr);
    fflush(stderr);
}

static void
show_progress(struct ventus_dev_ticket *t, const char *name)
{
    const struct timespec tick = { .tv_nsec = TICK_MS * 1000000 };
    const struct timespec soon = { .tv_nsec = 1000000 };
    double start = clock_now_s();
    bool shown = false;
    uint64_t all;
    if (!isatty(2))
        return;
    while (ventus_dev_query(t) < VENTUS_DEV_DONE &&
           clock_now_s() - start < 1e-3 * QUIET_MS)
        nanosleep(&soon, NULL);
    while (ventus_dev_query(t) < VENTUS_DEV_DONE) {
        uint64_t done = ventus_dev_progress(t, &all);
        print_line(name, done, all, ventus_dev_executed(t),
                   clock_now_s() - start);
        shown = true;
        nanosleep(&tick, NULL);
    }
    if (shown)
        fputs("\r\033[K", stderr);
}

static struct ventus_dev_ticket *volatile running;
static volatile sig_atomic_t interrupted;

static void
on_interrupt(int number)
{
    struct ventus_dev_ticket *t = running;
    interrupted = 1;
    if (t)
        ventus_dev_stop(t);
    else
        raise(number); /* the default action is restored */
}

void
exec_watch(struct ventus_dev_ticket *t, const char *name)
{
    struct sigaction ours = { .sa_handler = on_interrupt,
                              .sa_flags = SA_RESETHAND | SA_RESTART };
    running = t;
    if (!interrupted)
        sigaction(SIGINT, &ours, NULL);
    show_progress(t, name);
    ventus_dev_wait(t, NULL);
    running = NULL;
}

bool
exec_interrupted(void)
{
    return interrupted;
}

int
exec_status(bool ok)
{
    if (interrupted)
        return 128 + SIGINT;
    return ok ? 0 : 1;
}
