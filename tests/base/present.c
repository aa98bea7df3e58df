/* SPDX-License-Identifier: Apache-2.0 */
/* What was touched is there; the system need not tell more. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/present.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "test.h"

enum { PAGES = 1500 };

TEST(pages_that_were_touched_are_present)
{
    uint8_t there[PAGES];
    uint8_t *at =
        mmap(NULL, (size_t)PAGES * PRESENT_PAGE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        abort();
    for (size_t i = 0; i < PAGES; i += 7)
        at[i * PRESENT_PAGE + i] = 1;
    present_pages(at, PAGES, there);
    for (size_t i = 0; i < PAGES; i++)
        CHECK(there[i] == 1 || (there[i] == 0 && i % 7));
    /* From any page on, and of none. */
    present_pages(at + 700 * PRESENT_PAGE, 1, there);
    CHECK_EQ(there[0], 1);
    present_pages(at, 0, NULL);
    munmap(at, (size_t)PAGES * PRESENT_PAGE);
}

TEST_MAIN
