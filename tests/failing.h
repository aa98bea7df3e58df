/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "test.h"

/*
 * Allocations that fail.  In a program that ventus_failing_test has linked
 * (tests/CMakeLists.txt) malloc and what else takes memory of the host, listed
 * below, is ours, in the libraries as in the test (ld(1), --wrap).
 *
 *     static enum failing_end
 *     assemble(void *ctx)
 *     {
 *         ... CHECK that a failure is told ...
 *         return ok ? FAILING_DONE : FAILING_ERROR;
 *     }
 *     failing_each("asm", assemble, &source);
 *
 * runs it with the first allocation failing, then with the second, up to the
 * first run that comes to its end before the failure; then the same with each
 * allocation from the n-th on failing.  No file may stay open.  Leaks are found
 * by the preset dev when the program ends; the preset tiny makes each piece of
 * an arena an allocation of its own.
 *
 * FAILING_STRIDE in the environment takes one n of so many.
 */
enum failing_end { FAILING_DONE, FAILING_ERROR };

typedef enum failing_end
failing_work(void *ctx);

static atomic_ulong failing_count;                /* allocations in this run */
static atomic_bool failing_armed;                 /* they count */
static unsigned long failing_first, failing_last; /* which of them fail */

static inline bool
failing_now(void)
{
    if (!atomic_load(&failing_armed))
        return false;
    unsigned long n = atomic_fetch_add(&failing_count, 1) + 1;
    if (n < failing_first || n > failing_last)
        return false;
    errno = ENOMEM;
    return true;
}

/* Do allocations of this caller count?  A test may define it before. */
#ifndef FAILING_CALLER
#define FAILING_CALLER(at) true
#endif

#define WRAP(type, name, parameters, arguments, failure)                    \
    type __real_##name parameters;                                          \
    type __wrap_##name parameters;                                          \
    type __wrap_##name parameters                                           \
    {                                                                       \
        return FAILING_CALLER(__builtin_return_address(0)) && failing_now() \
                   ? failure                                                \
                   : __real_##name arguments;                               \
    }

WRAP(void *, malloc, (size_t n), (n), NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), NULL)
WRAP(void *, realloc, (void *at, size_t n), (at, n), NULL)
WRAP(void *, aligned_alloc, (size_t align, size_t n), (align, n), NULL)
WRAP(int, posix_memalign, (void **at, size_t align, size_t n), (at, align, n),
     ENOMEM)
WRAP(char *, strdup, (const char *s), (s), NULL)
WRAP(char *, strndup, (const char *s, size_t n), (s, n), NULL)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
WRAP(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL)
WRAP(FILE *, open_memstream, (char **at, size_t *size), (at, size), NULL)
WRAP(DIR *, opendir, (const char *path), (path), NULL)
WRAP(DIR *, fdopendir, (int fd), (fd), NULL)
WRAP(char *, realpath, (const char *path, char *to), (path, to), NULL)
WRAP(void *, mmap, (void *at, size_t n, int p, int f, int fd, off_t o),
     (at, n, p, f, fd, o), MAP_FAILED)
WRAP(int, pthread_create,
     (pthread_t * t, const pthread_attr_t *a, void *(*run)(void *), void *ctx),
     (t, a, run, ctx), EAGAIN)

/* Nothing fails in between: for what a test itself needs in its work. */
static inline void
failing_pause(void)
{
    atomic_store(&failing_armed, false);
}

static inline void
failing_resume(void)
{
    atomic_store(&failing_armed, true);
}

static inline unsigned
failing_open_files(void)
{
    unsigned n = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

static inline unsigned long
failing_stride(void)
{
    const char *text = getenv("FAILING_STRIDE");
    unsigned long n = text ? strtoul(text, NULL, 10) : 1;
    return n ? n : 1;
}

struct failing_totals {
    unsigned long runs, errors, done;
};

/* One run; false: it came to its end before the first failure. */
static inline bool
failing_run_once(failing_work *work, void *ctx, struct failing_totals *t)
{
    unsigned before = failing_open_files(), failures = test_failures;
    atomic_store(&failing_count, 0);
    failing_resume();
    enum failing_end end = work(ctx);
    failing_pause();
    bool reached = atomic_load(&failing_count) >= failing_first;
    CHECK_EQ(failing_open_files(), before);
    CHECK(reached || end == FAILING_DONE);
    if (test_failures != failures)
        printf("  with allocation %lu to %lu of %lu failing\n", failing_first,
               failing_last, atomic_load(&failing_count));
    t->runs += reached;
    t->errors += reached && end == FAILING_ERROR;
    t->done += reached && end == FAILING_DONE;
    return reached;
}

/* One n of `step`, as FAILING_STRIDE says where it is larger. */
static inline void
failing_some(const char *what, failing_work *work, void *ctx,
             unsigned long step)
{
    if (step < failing_stride())
        step = failing_stride();
    for (int once = 1; once >= 0; once--) {
        struct failing_totals t = { 0 };
        unsigned failures = test_failures;
        failing_first = 1;
        do {
            failing_last = once ? failing_first : ~0ul;
            if (!failing_run_once(work, ctx, &t))
                break;
            failing_first += step;
        } while (test_failures < failures + 10);
        printf("     %s: %lu allocations fail %s: %lu errors, %lu runs did "
               "without\n",
               what, t.runs, once ? "one at a time" : "from there on", t.errors,
               t.done);
        CHECK(t.errors);
    }
}

static inline void
failing_each(const char *what, failing_work *work, void *ctx)
{
    failing_some(what, work, ctx, 1);
}
