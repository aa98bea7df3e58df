/* SPDX-License-Identifier: Apache-2.0 */
/* Program headers that ask for more than a program needs. */
#include "test.h"

#include <stdint.h>
#include <stdlib.h>

#include <ventus/dev.h>

#include "base/buf.h"

enum { EHDR = 52, PHDR = 32, PT_LOAD = 1, RX = 5, PAGE = 4096 };

/* An ELF32 program of `n` segments of `size` bytes each, `apart` bytes apart,
 * which all have the same contents. */
static struct buf
program(unsigned n, uint32_t apart, uint32_t file_B, uint32_t memory_B)
{
    static const uint8_t ident[16] = { 0x7f, 'E', 'L', 'F', 1, 1, 1 };
    struct buf b = { 0 };
    buf_put(&b, ident, sizeof ident);
    buf_u16(&b, 2);   /* ET_EXEC */
    buf_u16(&b, 243); /* EM_RISCV */
    buf_u32(&b, 1);
    buf_u32(&b, 0x80000000);
    buf_u32(&b, EHDR);
    buf_u32(&b, 0);
    buf_u32(&b, 0);
    buf_u16(&b, EHDR);
    buf_u16(&b, PHDR);
    buf_u16(&b, (uint16_t)n);
    buf_fill(&b, 0, 6);
    for (unsigned i = 0; i < n; i++) {
        buf_u32(&b, PT_LOAD);
        buf_u32(&b, EHDR + PHDR * n);
        buf_u32(&b, 0x80000000 + i * apart);
        buf_u32(&b, 0);
        buf_u32(&b, file_B);
        buf_u32(&b, memory_B);
        buf_u32(&b, RX);
        buf_u32(&b, 4);
    }
    buf_fill(&b, 0, file_B);
    return b;
}

/* Loads it; the message, or "" if it was accepted. */
static const char *
load(struct buf b, const char *set)
{
    static char message[256];
    struct ventus_dev *d = ventus_dev_open(
        &(struct ventus_dev_options){ .set = &set, .n_set = set != NULL });
    struct ventus_dev_program *p = ventus_dev_load(d, b.at, b.n, "p");
    snprintf(message, sizeof message, "%s", p ? "" : ventus_dev_message());
    ventus_dev_close(d);
    buf_free(&b);
    return message;
}

TEST(overlapping_segments_are_refused)
{
    CHECK_STR(load(program(2, 4, 8, 8), NULL),
              "p: segment at 0x80000004 overlaps the one at 0x80000000 of 8 "
              "bytes");
    CHECK_STR(load(program(2, 8, 8, 8), NULL), "");
}

/* 65,001 copies of 2.5 MB are 160 GB. */
TEST(a_file_cannot_ask_for_any_number_of_copies)
{
    CHECK_STR(load(program(65001, 0, 2500000, 2500000), NULL),
              "p: expected 4096 segments at most (program_segments), found "
              "65001");
    CHECK(strstr(
        load(program(65001, 0, 2500000, 2500000), "program_segments=65535"),
        "(program_size)"));
    CHECK(strstr(load(program(65001, 0, 64, 64), "program_segments=65535"),
                 "overlaps"));
}

TEST(as_many_segments_as_a_program_may_have_are_loaded)
{
    CHECK_STR(load(program(65001, PAGE, 4, 4), "program_segments=65535"), "");
    CHECK_STR(load(program(65001, 64, 4, 64), "program_segments=65535"), "");
}

TEST(the_size_of_all_segments_has_a_limit)
{
    CHECK_STR(load(program(2, PAGE, 4, PAGE), "program_size=8K"), "");
    CHECK_STR(load(program(3, PAGE, 4, PAGE), "program_size=8K"),
              "p: expected segments of 8192 bytes at most (program_size), "
              "found 12288");
}

TEST_MAIN
