/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the heap of this process holds, for tests of what must be given back:
 *
 *     size_t before = heap_B();
 *     ... make and destroy ...
 *     CHECK_EQ(heap_B(), before);
 *
 * With a sanitizer's allocator it is always 0, and LeakSanitizer looks at the end.
 */
#pragma once

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* The program begins once more without caches of threads, which hold blocks that
 * were given back and count as used (glibc: Memory Allocation Tunables). */
__attribute__((constructor)) static void
heap_without_caches(int argc, char **argv)
{
    (void)argc;
    if (!getenv("GLIBC_TUNABLES") &&
        setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1) == 0)
        execv("/proc/self/exe", argv);
}

static inline size_t
heap_B(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
