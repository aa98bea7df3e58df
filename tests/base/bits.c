/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bits.h"

#include "test.h"

TEST(fields)
{
    CHECK_EQ(bits(0xdeadbeef, 31, 0), 0xdeadbeef);
    CHECK_EQ(bits(0xdeadbeef, 31, 31), 1);
    CHECK_EQ(bits(0xdeadbeef, 0, 0), 1);
    CHECK_EQ(bits(0xdeadbeef, 15, 8), 0xbe);
    CHECK_EQ(bits(0xdeadbeef, 30, 28), 5);
}

TEST(signs)
{
    CHECK_EQ(sext(0xfff, 12), -1);
    CHECK_EQ(sext(0x7ff, 12), 2047);
    CHECK_EQ(sext(0x800, 12), -2048);
    CHECK_EQ(sext(0xabc800, 12), -2048); /* higher bits do not matter */
    CHECK_EQ(sext(1, 1), -1);
    CHECK_EQ(sext(0, 1), 0);
    CHECK_EQ(sext(0x80000000, 32), INT32_MIN);
    CHECK_EQ(sext(0x7fffffff, 32), INT32_MAX);
}

TEST_MAIN
