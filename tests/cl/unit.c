/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the runtime that need no device. */
#include "cl/kernel.h"
#include "test.h"

/* Divisors within the limit, whatever the range. */
TEST(group_sizes)
{
    for (size_t x = 1; x <= 300; x++)
        for (size_t y = 1; y <= 40; y += 3) {
            const size_t global[3] = { x, y, 5 };
            size_t local[3];
            group_choose(1024, 32, 3, global, local);
            CHECK(x % local[0] == 0 && y % local[1] == 0 && 5 % local[2] == 0);
            CHECK(local[0] * local[1] * local[2] <= 1024);
        }
}

static void
check_group(size_t x, size_t y, size_t lx, size_t ly)
{
    const size_t global[3] = { x, y, 1 };
    size_t local[3];
    group_choose(1024, 32, y > 1 ? 2 : 1, global, local);
    CHECK_EQ(local[0], lx);
    CHECK_EQ(local[1], ly);
}

TEST(group_sizes_are_good)
{
    check_group(1 << 20, 1, 256, 1);
    check_group(64, 1, 64, 1);
    check_group(1000, 1, 250, 1); /* 250 of 256 lanes work */
    check_group(997, 1, 997, 1);  /* a prime */
    check_group(1920, 1080, 128, 2);
    check_group(16, 16, 16, 16);
}

TEST_MAIN
