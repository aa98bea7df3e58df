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

static inline size_t
heap_B(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
