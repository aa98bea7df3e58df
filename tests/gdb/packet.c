/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of the remote protocol, against bytes written by hand. */
#include "gdb/packet.h"

#include <stdlib.h>

#include "test.h"

/* The events of a text, a letter each; what is wanted more is left out. */
static const char *
events(struct gdb_reader *r, const char *bytes, size_t size)
{
    static char found[64];
    size_t n = 0;
    for (size_t i = 0; i < size && n + 1 < sizeof found; i++) {
        enum gdb_event e = gdb_read_byte(r, (uint8_t)bytes[i]);
        if (e != GDB_MORE)
            found[n++] = ".PBARI"[e];
    }
    found[n] = 0;
    return found;
}

static struct gdb_reader *
reader(void)
{
    static struct gdb_reader r;
    r = (struct gdb_reader){ .size = 0 };
    return &r;
}

#define EVENTS(r, text) events(r, text, sizeof(text) - 1)

TEST(packets_are_framed)
{
    struct gdb_reader *r = reader();
    CHECK_STR(EVENTS(r, "+$OK#9a"), "AP");
    CHECK_STR((char *)r->data, "OK");
    CHECK_STR(EVENTS(r, "$#00"), "P");
    CHECK_EQ(r->size, 0);
    CHECK_STR(EVENTS(r, "-\003noise$g#67+"), "RIPA");
}

TEST(a_wrong_sum_is_no_packet)
{
    struct gdb_reader *r = reader();
    CHECK_STR(EVENTS(r, "$OK#9b$OK#zz$OK#9A"), "BBP");
}

TEST(escaped_bytes_are_one)
{
    struct gdb_reader *r = reader();
    CHECK_STR(EVENTS(r, "$a}\003b#43"), "P");
    CHECK_EQ(r->size, 3);
    CHECK_STR((char *)r->data, "a#b");
}

TEST(a_packet_that_is_cut_off_gives_way)
{
    struct gdb_reader *r = reader();
    CHECK_STR(EVENTS(r, "$m8000$g#67"), "P");
    CHECK_STR((char *)r->data, "g");
}

TEST(a_packet_that_is_too_long_is_refused)
{
    struct gdb_reader *r = reader();
    size_t n = GDB_PACKET_MAX + 1;
    char *text = malloc(n + 4);
    memset(text + 1, 'a', n);
    text[0] = '$';
    uint8_t sum = (uint8_t)('a' * n);
    snprintf(text + 1 + n, 3, "#");
    CHECK_STR(events(r, text, n + 2), "");
    char end[3];
    snprintf(end, sizeof end, "%02x", sum);
    CHECK_STR(events(r, end, 2), "B");
    free(text);
    CHECK_STR(EVENTS(r, "$g#67"), "P");
}

TEST(what_is_put_is_read_again)
{
    struct gdb_reader *r = reader();
    struct buf data = { 0 }, out = { 0 };
    uint8_t all[256];
    for (unsigned i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    gdb_put_escaped(&data, all, sizeof all);
    gdb_put_packet(&out, data.at, data.n);
    CHECK_STR(events(r, (char *)out.at, out.n), "P");
    CHECK_EQ(r->size, 256);
    CHECK(memcmp(r->data, all, sizeof all) == 0);
    buf_free(&data);
    buf_free(&out);
}

TEST(numbers_and_bytes)
{
    const char *text = "1f,ffffffffffffffff,12AbG";
    struct gdb_text t = { text, text + strlen(text) };
    uint64_t x;
    uint8_t bytes[3];
    CHECK(gdb_take_number(&t, &x) && x == 0x1f);
    CHECK(!gdb_take_number(&t, &x));
    CHECK(gdb_take_text(&t, ",") && gdb_take_number(&t, &x));
    CHECK(x == UINT64_MAX);
    CHECK(gdb_take_text(&t, ",") && gdb_take_bytes(&t, bytes, 2));
    CHECK_EQ(bytes[0], 0x12);
    CHECK_EQ(bytes[1], 0xab);
    CHECK(!gdb_take_bytes(&t, bytes, 1));
    const char *large = "10000000000000000";
    t = (struct gdb_text){ large, large + strlen(large) };
    CHECK(!gdb_take_number(&t, &x));
}

TEST_MAIN
