/* SPDX-License-Identifier: Apache-2.0 */
#include "base/present.h"

#include <assert.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 512 }; /* pages that are asked for at once */

/* Bits of /proc/self/pagemap. */
#define MAP_PRESENT (UINT64_C(1) << 63)
#define MAP_SWAPPED (UINT64_C(1) << 62)

static bool
ask(int map, const uint8_t *at, size_t n, uint8_t *there)
{
    uint64_t entry[CHUNK];
    uint64_t page = (uintptr_t)at / PRESENT_PAGE;
    size_t size = n * sizeof *entry;
    assert(n <= CHUNK);
    if (map < 0 ||
        pread(map, entry, size, (off_t)(page * sizeof *entry)) != (ssize_t)size)
        return false;
    for (size_t i = 0; i < n; i++)
        there[i] = (entry[i] & (MAP_PRESENT | MAP_SWAPPED)) != 0;
    return true;
}

/* -1: the system does not tell, or pages have another size. */
static int
open_map(void)
{
    return sysconf(_SC_PAGESIZE) == PRESENT_PAGE
               ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
               : -1;
}

void
present_pages(const uint8_t *at, size_t n, uint8_t *there)
{
    int map = open_map();
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t some = n - i < CHUNK ? n - i : CHUNK;
        if (!ask(map, at + i * PRESENT_PAGE, some, there + i))
            memset(there + i, 1, some);
    }
    if (map >= 0)
        close(map);
}
