/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mincore, madvise */
#include "cl/memory/host_pages.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

enum { PAGE = 4096, LOOKED_AT = 4096, WHOLE = 1 << 16 };

#ifndef MADV_POPULATE_READ /* since Linux 5.14 */
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

/* Uses mincore(), which accesses nothing and returns ENOMEM where nothing is mapped.
 * Other errors, as in a sandbox that refuses it, count as mapped. */
bool
host_pages_are_mapped(const void *at, size_t size)
{
    unsigned char in_core[LOOKED_AT];
    uintptr_t page = (uintptr_t)at / PAGE * PAGE;
    /* The sum must not wrap. */
    uintptr_t last = (uintptr_t)at + size - (size > 0);
    size_t left = last / PAGE - page / PAGE + (size > 0);
    while (left) {
        size_t n = left < LOOKED_AT ? left : LOOKED_AT;
        if (mincore((void *)page, n * PAGE, in_core) != 0)
            return errno != ENOMEM;
        page += n * PAGE;
        left -= n;
    }
    return true;
}

/* ---- permissions ---- */

static bool has_populate;

static void
look_for_populate(void)
{
    static char page[2 * PAGE]; /* contains one aligned page */
    uintptr_t at = ((uintptr_t)page + PAGE - 1) / PAGE * PAGE;
    has_populate = madvise((void *)at, PAGE, MADV_POPULATE_READ) == 0 &&
                   madvise((void *)at, PAGE, MADV_POPULATE_WRITE) == 0;
}

/* Reads the permissions of the pages from `page` to `end` from /proc; slow. */
static bool
listed_in_maps(uintptr_t page, uintptr_t end, bool write)
{
    FILE *f = fopen("/proc/self/maps", "re");
    if (!f)
        return true;
    unsigned long lo, hi;
    char may[5];
    bool ok = true;
    while (ok && page < end &&
           fscanf(f, "%lx-%lx %4s%*[^\n]", &lo, &hi, may) == 3)
        if (lo < end && hi > page) {
            ok = lo <= page && may[write] == (write ? 'w' : 'r');
            page = hi;
        }
    fclose(f);
    return ok;
}

/* Populates the pages by madvise(), as the copy that follows would: EFAULT means
 * SIGBUS, after the end of a file; EINVAL means no permission, but also memory of
 * devices, which may be accessible nevertheless. */
static bool
populate_pages(uintptr_t page, size_t size, bool write)
{
    int advice = write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ;
    if (madvise((void *)page, size, advice) == 0)
        return true;
    if (errno == EINVAL)
        return listed_in_maps(page, page + size, write);
    return errno != EFAULT;
}

bool
host_pages_permit(const void *at, size_t size, bool write)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_for_populate);
    if (!has_populate || !size)
        return true;
    uintptr_t first = (uintptr_t)at / PAGE * PAGE;
    uintptr_t last = ((uintptr_t)at + size - 1) / PAGE * PAGE;
    if (last - first < WHOLE)
        return populate_pages(first, last - first + PAGE, write);
    return populate_pages(first, PAGE, write) &&
           populate_pages(last, PAGE, write);
}
