/* SPDX-License-Identifier: Apache-2.0 */
#include "abi/print_format.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

/* Records made by hand; what they print must be what the C library prints. */
struct record {
    uint8_t bytes[4096];
    size_t size;
    struct buf table;
    struct buf out;
};

static struct record r;

static const char *
string_at(void *ctx, uint64_t address)
{
    (void)ctx;
    return address == 0x80001000    ? "from memory"
           : address == 0x280001000 ? "from beyond 4 GiB"
                                    : NULL;
}

static void
word(uint32_t x)
{
    memcpy(r.bytes + r.size, &x, 4);
    r.size += 4;
}

static void
begin(const char *types, const char *format)
{
    r.size = 0;
    r.table.n = r.out.n = 0;
    buf_put(&r.table, "text", 5); /* place 0 */
    word(0);
    word((uint32_t)r.table.n);
    buf_put(&r.table, types, strlen(types) + 1);
    buf_put(&r.table, format, strlen(format) + 1);
}

static void
number(const void *x, size_t size)
{
    memcpy(r.bytes + r.size, x, size);
    r.size += (size + 3) & ~(size_t)3;
}

static const char *
finish(void)
{
    uint32_t size = (uint32_t)r.size;
    memcpy(r.bytes, &size, 4);
    struct print_strings strings = { .table = r.table.at,
                                     .size = r.table.n,
                                     .at = string_at };
    CHECK_EQ(print_record(&r.out, &strings, r.bytes, r.size), r.size);
    buf_u8(&r.out, 0);
    return (const char *)r.out.at;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* All flags, some widths and precisions, of one conversion. */
static void
sweep(const char *length, char conversion, void (*one)(const char *format))
{
    static const char *const sizes[] = { "",   "1",  "7",   "20",  ".0",
                                         ".1", ".5", "9.3", "12.", "3.9" };
    char format[32], flags[6];
    for (unsigned set = 0; set < 32; set++) {
        unsigned n = 0;
        for (unsigned i = 0; i < 5; i++)
            if (set >> i & 1)
                flags[n++] = "-+ #0"[i];
        flags[n] = 0;
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            snprintf(format, sizeof format, "<%%%s%s%s%c>", flags, sizes[i],
                     length, conversion);
            one(format);
        }
    }
}

static void
one_int(const char *format)
{
    static const int values[] = { 0, 1, -1, 42, -12345, 2147483647 };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, format, values[i]);
        begin("i4", format);
        number(&values[i], 4);
        CHECK_STR(finish(), expected);
    }
}

static void
one_long(const char *format)
{
    static const long values[] = { 0, -1, 1L << 40, -(1L << 62) };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, format, values[i]);
        begin("i8", format);
        number(&values[i], 8);
        CHECK_STR(finish(), expected);
    }
}

static void
one_double(const char *format)
{
    static const double values[] = { 0.0,   -0.0, 1.5,      -2.75,    1e10,
                                     1e-10, 0.1,  INFINITY, -INFINITY };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        char expected[512];
        snprintf(expected, sizeof expected, format, values[i]);
        begin("f8", format);
        number(&values[i], 8);
        CHECK_STR(finish(), expected);
    }
}

static void
one_float(const char *format)
{
    static const float values[] = { 0.1f, -3.25f, 1e30f };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        char expected[512];
        snprintf(expected, sizeof expected, format, (double)values[i]);
        begin("f4", format);
        number(&values[i], 4);
        CHECK_STR(finish(), expected);
    }
}

static void
one_string(const char *format)
{
    char expected[128];
    snprintf(expected, sizeof expected, format, "text");
    begin("s4", format);
    word(0);
    CHECK_STR(finish(), expected);
}

#pragma GCC diagnostic pop

TEST(numbers_as_the_c_library)
{
    for (const char *c = "diouxX"; *c; c++) {
        sweep("", *c, one_int);
        sweep("h", *c, one_int);
        sweep("hh", *c, one_int);
        sweep("l", *c, one_long);
    }
    for (const char *c = "fFeEgGaA"; *c; c++) {
        sweep("", *c, one_double);
        sweep("", *c, one_float);
    }
}

TEST(strings_as_the_c_library)
{
    sweep("", 's', one_string);
    begin("s4", "%s");
    word(0x80001000);
    CHECK_STR(finish(), "from memory");
    begin("s4", "%s");
    word(0x90000000);
    CHECK_STR(finish(), "(null)");
}

TEST(vectors)
{
    static const int8_t bytes[3] = { -1, 2, -3 };
    static const float floats[4] = { 1, 2.5f, -3, 0 };
    begin("i1x3f4x4", "%v3hhd|%-6.1v4hlf|");
    number(bytes, sizeof bytes);
    number(floats, sizeof floats);
    CHECK_STR(finish(), "-1,2,-3|1.0   ,2.5   ,-3.0  ,0.0   |");
}

TEST(halves)
{
    static const uint16_t halves[8] = { 0x3c00, 0xc100, 0x0001, 0x83ff,
                                        0x7bff, 0x8000, 0xfc00, 0x7e00 };
    static const uint16_t one = 0xb555;
    begin("f2x8f2", "%v8hg %.4f");
    number(halves, sizeof halves);
    number(&one, sizeof one);
    CHECK_STR(finish(),
              "1,-2.5,5.96046e-08,-6.09756e-05,65504,-0,-inf,nan -0.3333");
}

TEST(pointers_and_others)
{
    begin("p4i4", "%p%%%c");
    word(0x90000010);
    word('x');
    CHECK_STR(finish(), "0x90000010%x");
}

TEST(which_conversion)
{
    CHECK_EQ(print_conversion("a %d %% %-5.2v4hlf%s", 0), 'd');
    CHECK_EQ(print_conversion("a %d %% %-5.2v4hlf%s", 1), 'f');
    CHECK_EQ(print_conversion("a %d %% %-5.2v4hlf%s", 2), 's');
    CHECK_EQ(print_conversion("a %d %% %-5.2v4hlf%s", 3), 0);
    CHECK_EQ(print_conversion("%", 0), 0);
}

/* They were cut to their first four digits. */
TEST(digits_of_widths_and_precisions)
{
    begin("i4", "%12345d");
    word(7);
    CHECK_EQ(strlen(finish()), 9999);
    begin("i4", "%.00003d");
    word(7);
    CHECK_STR(finish(), "007");
    begin("i4", "%9998d");
    word(7);
    CHECK_EQ(strlen(finish()), 9998);
}

TEST(what_does_not_fit)
{
    begin("", "%d and %s.");
    CHECK_STR(finish(), " and .");
    begin("i4", "%q%");
    word(1);
    CHECK_STR(finish(), "%q%");
    begin("z9x99", "%d");
    CHECK_STR(finish(), "");
    begin("i4", "%999999999d");
    word(1);
    CHECK_EQ(strlen(finish()), 9999);
}

/* Format and record may both be short where the text is not. */
TEST(text_behind_the_limit_is_not_made)
{
    begin("i4i4i4", "%9999d%9999d%9999d");
    for (uint32_t i = 0; i < 3; i++)
        word(i);
    word(0);
    uint32_t size = (uint32_t)r.size;
    memcpy(r.bytes, &size, sizeof size);
    struct print_strings strings = { .table = r.table.at,
                                     .size = r.table.n,
                                     .limit = 10000 };
    r.out.n = 0;
    CHECK_EQ(print_record(&r.out, &strings, r.bytes, r.size), r.size);
    CHECK_EQ(r.out.n, 2 * 9999);
}

/* Nor is a very long string of the table, as a format or for %s, looked through
 * and copied: so much of it that it is beyond the limit. */
TEST(strings_behind_the_limit_are_not_read)
{
    enum { LONG = 1 << 20, LIMIT = 1000 };
    static char text[LONG + 8];
    for (int as_format = 0; as_format < 2; as_format++) {
        memset(text, 'x', LONG);
        text[LONG] = 0;
        begin(as_format ? "" : "s4", as_format ? text : "%s%.3s%5s");
        size_t at = r.table.n;
        buf_put(&r.table, text, LONG + 1);
        word((uint32_t)at);
        uint32_t size = (uint32_t)r.size;
        memcpy(r.bytes, &size, sizeof size);
        struct print_strings strings = { .table = r.table.at,
                                         .size = r.table.n,
                                         .limit = LIMIT };
        r.out.n = 0;
        CHECK_EQ(print_record(&r.out, &strings, r.bytes, r.size), r.size);
        CHECK_EQ(r.out.n, LIMIT + 1);
        /* A precision keeps it short. */
        r.out.n = 0;
        begin("s4s4", "%.3s,%.9s");
        at = r.table.n;
        buf_put(&r.table, text, LONG + 1);
        word((uint32_t)at);
        word((uint32_t)at);
        size = (uint32_t)r.size;
        memcpy(r.bytes, &size, sizeof size);
        strings.table = r.table.at;
        strings.size = r.table.n;
        CHECK_EQ(print_record(&r.out, &strings, r.bytes, r.size), r.size);
        CHECK_EQ(r.out.n, 3 + 1 + 9);
    }
}

/* What ends before the table does is a string, whatever the table ends with. */
TEST(strings_end_where_the_table_does)
{
    begin("s4", "[%s]");
    word(0);
    buf_put(&r.table, "xyz", 3);
    CHECK_STR(finish(), "[text]");
    begin("s4", "[%s]");
    word((uint32_t)r.table.n);
    buf_put(&r.table, "xyz", 3);
    CHECK(!strstr(finish(), "xyz"));
}

/* Any bytes: nothing is read that is not there (AddressSanitizer watches). */
TEST(nonsense)
{
    srand(1);
    for (unsigned i = 0; i < 20000; i++) {
        begin("i4f8x3s4", "%d %v3f %s %n %5.3v16hlx %c");
        for (unsigned k = 0; k < 24; k++)
            word((uint32_t)rand());
        size_t n = (size_t)rand() % r.size;
        uint8_t *record = malloc(n ? n : 1);
        uint8_t *table = malloc(r.table.n);
        memcpy(record, r.bytes, n);
        memcpy(table, r.table.at, r.table.n);
        uint32_t size = (uint32_t)n & ~3u;
        if (n >= 4)
            memcpy(record, &size, 4);
        for (int k = rand() % 4; k > 0; k--)
            table[(size_t)rand() % r.table.n] = (uint8_t)rand();
        r.out.n = 0;
        struct print_strings strings = { .table = table, .size = r.table.n };
        print_record(&r.out, &strings, record, n);
        free(record);
        free(table);
    }
}

/* As version 2 stores strings and pointers. */
/* size_t and ptrdiff_t have 4 bytes in version 1 and 8 in version 2.  No vector has
 * them, and nothing but an integer. */
TEST(sizes_and_differences)
{
    static const uint64_t big = 0xfffffffffffffffe;
    static const uint32_t word_ = 0xfffffffe;
    begin("i4i4i4i8i8i8", "%zu %zd %#tx %zu %td %-5zd|");
    for (unsigned i = 0; i < 3; i++)
        number(&word_, 4);
    for (unsigned i = 0; i < 3; i++)
        number(&big, 8);
    CHECK_STR(finish(), "4294967294 -2 0xfffffffe 18446744073709551614 -2 "
                        "-2   |");
    begin("", "%zf %zz %v2zd");
    CHECK_STR(finish(), "%zf %zz %v2zd");
}

TEST(addresses_of_64_bits)
{
    static const uint64_t at[] = { 0, 0x80001000, 0x280001000, 0x380001000 };
    static const char *const text[] = { "text", "from memory",
                                        "from beyond 4 GiB", "(null)" };
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
        begin("s8", "<%s>");
        number(&at[i], 8);
        char expected[64];
        snprintf(expected, sizeof expected, "<%s>", text[i]);
        CHECK_STR(finish(), expected);
    }
    begin("p8", "%p");
    number(&at[2], 8);
    CHECK_STR(finish(), "0x280001000");
}

TEST_MAIN
