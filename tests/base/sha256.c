/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sha256.h"

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

TEST_MAIN
