/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include "test.h"

static bool
holds(const struct buf *b, const char *bytes, size_t n)
{
    return b->n == n && memcmp(b->at, bytes, n) == 0;
}

/* The contents against a string literal, zero bytes in it included. */
#define HOLDS(b, s) holds((b), "" s, sizeof(s) - 1)

TEST(numbers_are_little_endian)
{
    struct buf b = { 0 };
    buf_u8(&b, 0x01);
    buf_u16(&b, 0x0203);
    buf_u32(&b, 0x04050607);
    buf_u64(&b, 0x08090a0b0c0d0e0f);
    CHECK(HOLDS(&b, "\x01\x03\x02\x07\x06\x05\x04"
                    "\x0f\x0e\x0d\x0c\x0b\x0a\x09\x08"));
    buf_free(&b);
}

/* The examples of the DWARF standard, 7.6, and the ends of the range. */
TEST(uleb128)
{
    static const struct {
        uint64_t x;
        const char *bytes;
        size_t n;
    } cases[] = {
        { 0, "\x00", 1 },
        { 2, "\x02", 1 },
        { 127, "\x7f", 1 },
        { 128, "\x80\x01", 2 },
        { 129, "\x81\x01", 2 },
        { 12857, "\xb9\x64", 2 },
        { UINT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf b = { 0 };
        buf_uleb128(&b, cases[i].x);
        CHECK(holds(&b, cases[i].bytes, cases[i].n));
        buf_free(&b);
    }
}

TEST(sleb128)
{
    static const struct {
        int64_t x;
        const char *bytes;
        size_t n;
    } cases[] = {
        { 0, "\x00", 1 },
        { 2, "\x02", 1 },
        { -2, "\x7e", 1 },
        { 63, "\x3f", 1 },
        { 64, "\xc0\x00", 2 },
        { -64, "\x40", 1 },
        { -65, "\xbf\x7f", 2 },
        { 127, "\xff\x00", 2 },
        { -127, "\x81\x7f", 2 },
        { 128, "\x80\x01", 2 },
        { -128, "\x80\x7f", 2 },
        { 129, "\x81\x01", 2 },
        { -129, "\xff\x7e", 2 },
        { INT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", 10 },
        { INT64_MIN, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf b = { 0 };
        buf_sleb128(&b, cases[i].x);
        CHECK(holds(&b, cases[i].bytes, cases[i].n));
        buf_free(&b);
    }
}

TEST(text_has_no_zero_byte)
{
    struct buf b = { 0 };
    buf_printf(&b, "%s=%d", "x", 7);
    buf_printf(&b, "%s", "");
    buf_put(&b, ";", 1);
    CHECK(HOLDS(&b, "x=7;"));
    buf_free(&b);
}

TEST(align_fills_up)
{
    struct buf b = { 0 };
    buf_align(&b, 8, 0xee);
    CHECK_EQ(b.n, 0);
    buf_u8(&b, 1);
    buf_align(&b, 4, 0xee);
    buf_align(&b, 4, 0xee);
    buf_align(&b, 1, 0xee);
    CHECK(HOLDS(&b, "\x01\xee\xee\xee"));
    buf_free(&b);
}

TEST(grows_and_is_empty_after_free)
{
    struct buf b = { 0 };
    for (unsigned i = 0; i < 100000; i++)
        buf_u8(&b, (uint8_t)i);
    buf_fill(&b, 0xaa, 1 << 20);
    CHECK_EQ(b.n, 100000 + (1 << 20));
    CHECK_EQ(b.at[99999], 99999 & 0xff);
    CHECK_EQ(b.at[b.n - 1], 0xaa);
    buf_free(&b);
    CHECK(!b.at && b.n == 0 && b.cap == 0);
    buf_put(&b, NULL, 0);
    CHECK(buf_extend(&b, 0) != NULL);
    buf_free(&b);
}

TEST_MAIN
