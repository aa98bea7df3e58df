/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"

#include "test.h"

TEST(little_endian_of_every_length)
{
    static const uint8_t whole[8] = { 8, 7, 6, 5, 4, 3, 2, 0xf1 };
    for (unsigned n = 0; n <= 8; n++) {
        uint8_t at[10];
        memset(at, 0xaa, sizeof at);
        bytes_store(at + 1, n, UINT64_C(0xf102030405060708));
        CHECK(memcmp(at + 1, whole, n) == 0);
        CHECK(at[0] == 0xaa && at[1 + n] == 0xaa); /* no byte beside it */
        uint64_t mask = n == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1;
        CHECK(bytes_load(at + 1, n) == (UINT64_C(0xf102030405060708) & mask));
    }
    CHECK(bytes_load_u32(whole) == 0x05060708);
}

TEST_MAIN
