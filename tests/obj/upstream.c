/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/upstream.h"

#include "base/buf.h"
#include "test.h"

/* A case with two buffers, of 6 bytes and of 4. */
static const uint32_t words[] = {
    0x80000000, 0, 7,          0,                /* start, kernel */
    4,          0, 1,          0, 1,          0, /* work-groups */
    8,          0, 4,          0,                /* threads, warps */
    0x90002000, 0, 0x1000,     0, 0x400,      0, /* metadata, local, private */
    64,         0, 32,         0, 0x90003000, 0, /* registers, private */
    2,          0,                               /* buffers: */
    0x90000000, 0, 0x90001000, 0,                /* bases */
    6,          0, 4,          0,                /* sizes */
    0x1000,     0, 4,          0,                /* allocated */
};
enum { N_WORDS = sizeof words / sizeof *words };
static const char data[] = "03020100\n07060504\ndeadBEEF\n";

struct parsed {
    struct arena arena;
    struct diag_sink sink;
    struct upstream_case c;
    bool ok;
};

/* Parses the words with number `line` (from 1) written as `text`. */
static void
parse(struct parsed *p, unsigned n, unsigned line, const char *text)
{
    struct buf b = { 0 };
    *p = (struct parsed){ .sink.arena = &p->arena };
    for (unsigned i = 0; i < n; i++) {
        if (i + 1 == line)
            buf_printf(&b, "%s\n", text);
        else
            buf_printf(&b, "%08x\n", words[i]);
    }
    const char *copy = arena_strndup(&p->arena, (char *)b.at, b.n);
    p->ok = upstream_parse_metadata(&p->arena, "x.metadata", copy, b.n, &p->c,
                                    &p->sink);
    buf_free(&b);
}

static void
parse_data(struct parsed *p, const char *text)
{
    parse(p, N_WORDS, 0, NULL);
    CHECK(p->ok);
    p->ok = upstream_parse_data(&p->arena, "x.data", text, strlen(text), &p->c,
                                &p->sink);
}

TEST(fields)
{
    struct parsed p;
    parse_data(&p, data);
    CHECK(p.ok);
    CHECK_EQ(p.c.start_addr, 0x80000000);
    CHECK_EQ(p.c.kernel_id, 7);
    CHECK_EQ(p.c.kernel_size[0], 4);
    CHECK_EQ(p.c.kernel_size[2], 1);
    CHECK_EQ(p.c.wf_size, 8);
    CHECK_EQ(p.c.wg_size, 4);
    CHECK_EQ(p.c.metadata_base, 0x90002000);
    CHECK_EQ(p.c.lds_size_B, 0x1000);
    CHECK_EQ(p.c.pds_size_B, 0x400);
    CHECK_EQ(p.c.sgpr_usage, 64);
    CHECK_EQ(p.c.vgpr_usage, 32);
    CHECK_EQ(p.c.pds_base, 0x90003000);
    CHECK_EQ(p.c.n_buffers, 2);
    CHECK_EQ(p.c.buffers[0].base, 0x90000000);
    CHECK_EQ(p.c.buffers[0].size_B, 6);
    CHECK_EQ(p.c.buffers[0].alloc_size_B, 0x1000);
    CHECK(memcmp(p.c.buffers[0].contents, "\0\1\2\3\4\5", 6) == 0);
    CHECK(memcmp(p.c.buffers[1].contents, "\xef\xbe\xad\xde", 4) == 0);
    arena_free(&p.arena);
}

TEST(line_ends)
{
    struct parsed p;
    parse_data(&p, "03020100\r\n07060504\r\ndeadbeef\r\n\r\n");
    CHECK(p.ok);
    CHECK(memcmp(p.c.buffers[0].contents, "\0\1\2\3\4\5", 6) == 0);
    arena_free(&p.arena);
    parse_data(&p, "03020100\n07060504\ndeadbeef");
    CHECK(p.ok);
    arena_free(&p.arena);
}

static void
check_error(struct parsed *p, const char *file, unsigned line,
            const char *message)
{
    CHECK(!p->ok);
    CHECK_EQ(p->sink.errors, 1);
    if (CHECK(p->sink.first != NULL)) {
        CHECK_STR(p->sink.first->file, file);
        CHECK_EQ(p->sink.first->line, line);
        CHECK_STR(p->sink.first->message, message);
    }
    arena_free(&p->arena);
}

static void
check_refused(unsigned line, const char *text, unsigned at, const char *message)
{
    struct parsed p;
    parse(&p, N_WORDS, line, text);
    check_error(&p, "x.metadata", at, message);
}

TEST(bad_words)
{
    struct parsed p;
    parse(&p, N_WORDS, 3, "0000g007");
    CHECK_EQ(p.sink.first ? p.sink.first->col : 0, 5);
    check_error(&p, "x.metadata", 3, "expected a hex digit");
    check_refused(3, "007", 3, "expected 8 hex digits, found 3 characters");
    check_refused(3, "", 3, "expected 8 hex digits, found 0 characters");
    check_refused(3, "000000007", 3,
                  "expected 8 hex digits, found 9 characters");
}

TEST(absurd_values)
{
    check_refused(11, "00000041", 12,
                  "the number of threads is 0x41: expected 0x1 to 0x40");
    check_refused(13, "00000000", 14,
                  "the number of warps is 0x0: expected 0x1 to 0x400");
    check_refused(27, "ffffffff", 28,
                  "the number of buffers is 0xffffffff: expected 0x0 to "
                  "0x1000");
    check_refused(33, "70000001", 0,
                  "buffer 0: address 0x90000000 + size 0x70000001 is past the "
                  "end of the 32-bit address space");
}

TEST(missing_lines)
{
    struct parsed p;
    parse(&p, 20, 0, NULL);
    check_error(&p, "x.metadata", 21,
                "the file ends where the number of scalar registers is "
                "expected");
    parse(&p, 39, 0, NULL);
    check_error(&p, "x.metadata", 40,
                "the file ends within a buffer's allocated size");
    parse(&p, 0, 0, NULL);
    check_error(&p, "x.metadata", 1,
                "the file ends where the start address is expected");
    check_refused(N_WORDS, "00000000\n00000000", N_WORDS + 1,
                  "expected the end of the file: 2 buffers end here");
}

TEST(data_of_another_size)
{
    struct parsed p;
    parse_data(&p, "03020100\n07060504\n");
    check_error(&p, "x.data", 2,
                "2 words: expected 3, the size of the buffers");
    parse_data(&p, "03020100\n07060504\n00000000\n00000000\n");
    check_error(&p, "x.data", 4,
                "4 words: expected 3, the size of the buffers");
    parse_data(&p, "03020100\n0706050x\n00000000\n");
    check_error(&p, "x.data", 2, "expected a hex digit");
    /* A size that no file has must not be allocated. */
    parse(&p, N_WORDS, 33, "60000000");
    CHECK(p.ok);
    p.ok = upstream_parse_data(&p.arena, "x.data", data, sizeof data - 1, &p.c,
                               &p.sink);
    check_error(&p, "x.data", 3,
                "3 words: expected 402653185, the size of the buffers");
}

TEST(files)
{
    struct parsed p = { .sink.arena = &p.arena };
    p.ok = upstream_read(&p.arena, "x.txt", &p.c, &p.sink);
    check_error(&p, "x.txt", 0, "expected a name that ends in .metadata");
    p = (struct parsed){ .sink.arena = &p.arena };
    p.ok = upstream_read(&p.arena, "/none/x.metadata", &p.c, &p.sink);
    check_error(&p, "/none/x.metadata", 0,
                "cannot read: No such file or directory");
}

TEST_MAIN
