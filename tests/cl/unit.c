/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the runtime that need no device. */
#include "cl/kernel.h"
#include "cl/sha256.h"
#include "test.h"

static const char *
sha256(const char *text, size_t n)
{
    static char out[SHA256_TEXT];
    uint8_t digest[SHA256_SIZE];
    struct sha256 s = sha256_begin();
    for (size_t i = 0; i < n; i += 7) /* in pieces */
        sha256_add(&s, text + i, n - i < 7 ? n - i : 7);
    sha256_end(&s, digest);
    sha256_text(digest, out);
    return out;
}

/* FIPS 180-4, examples; the last one by sha256sum of coreutils. */
TEST(sha256_examples)
{
    CHECK_STR(sha256("", 0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934c"
                             "a495991b7852b855");
    CHECK_STR(sha256("abc", 3),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9c"
              "b410ff61f20015ad");
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmno"
                      "mnopnopq";
    CHECK_STR(sha256(two, strlen(two)),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd4"
              "19db06c1");
}

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
