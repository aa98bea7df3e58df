/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of printf.py, which writes cases.inc. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>

#include "abi/print_format.h"
#include "test.h"

typedef void
kernel(int *o);
#define CASE(i, text) kernel k##i;
#include "cases.inc"
#undef CASE
kernel item;

extern const uint8_t __ventus_printf[];

enum { HEADER_B = 8, BUFFER_B = 4096 };

static uint8_t *buffer;   /* below 4 GiB: its address is a word */
static uint32_t buffer_B; /* as the kernel is told */
static struct buf printed;
static unsigned drains;

/* Formats all records and empties the buffer. */
static void
drain(void)
{
    static const struct print_strings strings = { .table = __ventus_printf,
                                                  .size = 1 << 20 };
    uint32_t used;
    memcpy(&used, buffer, 4);
    for (uint32_t at = 0; at < used;) {
        size_t n =
            print_record(&printed, &strings, buffer + HEADER_B + at, used - at);
        if (!CHECK(n))
            break;
        at += (uint32_t)n;
    }
    memset(buffer, 0, BUFFER_B);
}

/* ---- what the device provides ---- */

uint32_t
__ventus_knl_word(uint32_t offset);
uint32_t
__ventus_knl_word(uint32_t offset)
{
    return offset == 48   ? (uint32_t)(uintptr_t)buffer
           : offset == 52 ? buffer_B
                          : 1;
}

void
__ventus_fence(int flags);
void
__ventus_fence(int flags)
{
    (void)flags;
}

void
__ventus_print(uint32_t value);
void
__ventus_print(uint32_t value)
{
    CHECK_EQ(value, 1);
    drains++;
    drain();
}

static void
open_buffer(uint32_t size)
{
    if (!buffer)
        buffer = mmap(NULL, BUFFER_B, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    memset(buffer, 0, BUFFER_B);
    buffer_B = size;
    printed.n = 0;
    drains = 0;
}

static const char *
text(void)
{
    buf_u8(&printed, 0);
    printed.n--;
    return (const char *)printed.at;
}

/* ---- tests ---- */

static void
run_case(kernel *k, const char *expected)
{
    int o[2] = { 99, 0 };
    open_buffer(BUFFER_B);
    k(o);
    drain();
    CHECK_EQ(o[0], 0);
    CHECK_STR(text(), expected);
}

TEST(cases)
{
#define CASE(i, expected) run_case(k##i, expected);
#include "cases.inc"
}

TEST(full_buffer_is_drained)
{
    enum { ITEMS = 1000 };
    struct buf expected = { 0 };
    open_buffer(HEADER_B + 100); /* 4 records of 24 bytes */
    for (int i = 0; i < ITEMS; i++) {
        int o[2] = { 99, i };
        item(o);
        CHECK_EQ(o[0], 0);
        buf_printf(&expected, "item %d, 1,2,3\n", i);
    }
    drain();
    CHECK_EQ(drains, (ITEMS - 1) / 4);
    buf_u8(&expected, 0);
    CHECK_STR(text(), (const char *)expected.at);
    buf_free(&expected);
}

TEST(no_room_at_all)
{
    int o[2] = { 99, 0 };
    open_buffer(HEADER_B + 12);
    item(o);
    CHECK_EQ(o[0], -1);
    uint8_t *kept = buffer;
    buffer = NULL; /* no print buffer */
    o[0] = 99;
    item(o);
    CHECK_EQ(o[0], -1);
    buffer = kept;
}

TEST_MAIN
