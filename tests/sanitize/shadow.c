/* SPDX-License-Identifier: Apache-2.0 */
/* The state of bytes beside memory, against an array of bools; large buffers. */
#include "test.h"

#include <string.h>

#include "sanitize/shadow.h"

enum { PAGES = 12, BYTES = PAGES * SHADOW_PAGE, BASE = 1 << 20 };

static bool expected[BYTES];
static uint64_t state = 1;

static uint32_t
any(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static bool
is_unknown(struct shadow *s, uint64_t address)
{
    const struct shadow_page *p = shadow_find(s, address);
    unsigned at = (unsigned)(address % SHADOW_PAGE);
    return p && p->any && shadow_is_unknown(p->unknown, at, 1);
}

static unsigned
wrong_bytes(struct shadow *s)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < BYTES; i++)
        wrong += is_unknown(s, BASE + i) != expected[i];
    return wrong;
}

/* Allocations are whole pages; other ranges begin and end anywhere. */
static void
change(struct shadow *s)
{
    unsigned a = any(BYTES), n = any(BYTES - a) + 1;
    unsigned to = any(BYTES - n + 1);
    unsigned page = a / SHADOW_PAGE * SHADOW_PAGE;
    unsigned pages = (n / SHADOW_PAGE / 3 + 1) * SHADOW_PAGE;
    if (page + pages > BYTES)
        pages = BYTES - page;
    switch (any(6)) {
    case 0:
        shadow_released(s, BASE + page, pages);
        shadow_allocated(s, BASE + page, pages);
        memset(expected + page, true, pages);
        break;
    case 1:
        shadow_released(s, BASE + page, pages);
        memset(expected + page, false, pages);
        break;
    case 2:
        shadow_copy(s, BASE + to, BASE + a, n);
        memmove(expected + to, expected + a, n);
        break;
    case 3:
        shadow_set(s, BASE + a, n, true);
        memset(expected + a, true, n);
        break;
    default:
        shadow_set(s, BASE + a, n, false);
        memset(expected + a, false, n);
        break;
    }
}

TEST(random_ranges)
{
    for (unsigned turn = 0; turn < 40; turn++) {
        struct shadow s = { 0 };
        memset(expected, false, sizeof expected);
        for (unsigned i = 0; i < 60; i++)
            change(&s);
        CHECK(!wrong_bytes(&s));
        CHECK(!s.lost);
        shadow_free(&s);
    }
}

/* No page is made for what is whole, however large it is. */
TEST(large_buffers)
{
    const uint64_t size = UINT64_C(6000000001);
    struct shadow s = { 0 };
    shadow_allocated(&s, BASE, size);
    shadow_set(&s, BASE, size, false);
    CHECK(s.n <= 1);
    CHECK(!is_unknown(&s, BASE) && !is_unknown(&s, BASE + size / 2) &&
          !is_unknown(&s, BASE + size - 1));
    shadow_copy(&s, BASE + 2 * size, BASE, size);
    CHECK(s.n <= 1);
    shadow_free(&s);
}

/* What kernels left in shared memory is known in the next launch. */
TEST(shared_memory)
{
    struct shadow s = { 0 };
    shadow_share(&s, BASE, 3 * SHADOW_PAGE);
    shadow_set(&s, BASE + 8, 2 * SHADOW_PAGE, true);
    CHECK(is_unknown(&s, BASE + 8));
    shadow_next_launch(&s);
    CHECK(!is_unknown(&s, BASE + 8) && !is_unknown(&s, BASE + SHADOW_PAGE));
    shadow_released(&s, BASE, 3 * SHADOW_PAGE);
    shadow_set(&s, BASE + 8, 4, true);
    shadow_next_launch(&s);
    CHECK(is_unknown(&s, BASE + 8));
    shadow_free(&s);
}

/* It walked through all addresses. */
TEST(no_bytes_at_the_end)
{
    struct shadow s = { 0 };
    shadow_allocated(&s, BASE, SHADOW_PAGE);
    shadow_set(&s, UINT64_MAX - 1, 0, false);
    shadow_set(&s, UINT64_MAX, 0, true);
    CHECK(is_unknown(&s, BASE));
    shadow_free(&s);
}

TEST_MAIN
