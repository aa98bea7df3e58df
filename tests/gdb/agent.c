/* SPDX-License-Identifier: Apache-2.0 */
/* Agent expressions, written by hand after GDB manual, F.2. */
#include "gdb/agent.h"

#include "test.h"

static bool
read_register(void *ctx, unsigned number, uint64_t *value)
{
    (void)ctx;
    *value = number * 100;
    return number < 10;
}

/* Memory is 0x1000 to 0x1fff; each byte is the low one of its address. */
static bool
read_memory(void *ctx, uint64_t address, void *to, size_t size)
{
    (void)ctx;
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)to)[i] = (uint8_t)(address + i);
    return address >= 0x1000 && address + size <= 0x2000;
}

static bool
run(const uint8_t *code, size_t size, uint64_t *value)
{
    struct gdb_agent a = { NULL, read_register, read_memory };
    return gdb_agent_evaluate(&a, code, size, value);
}

#define GIVES(wanted, ...)                      \
    do {                                        \
        const uint8_t code[] = { __VA_ARGS__ }; \
        uint64_t x = 12345;                     \
        CHECK(run(code, sizeof code, &x));      \
        CHECK(x == (uint64_t)(wanted));         \
    } while (0)

#define REFUSED(...)                            \
    do {                                        \
        const uint8_t code[] = { __VA_ARGS__ }; \
        uint64_t x;                             \
        CHECK(!run(code, sizeof code, &x));     \
    } while (0)

#define TWO(op, a, b) 0x22, a, 0x16, 8, 0x22, b, 0x16, 8, op, 0x27

TEST(operations_of_two)
{
    GIVES(12, TWO(0x02, 5, 7));
    GIVES(-2, TWO(0x03, 5, 7));
    GIVES(35, TWO(0x04, 5, 7));
    GIVES(-3, TWO(0x05, 0xf9, 2)); /* -7 / 2 */
    GIVES(UINT64_C(0x7ffffffffffffffc), TWO(0x06, 0xf9, 2));
    GIVES(-1, TWO(0x07, 0xf9, 2));
    GIVES(1, TWO(0x08, 0xf9, 2));
    GIVES(40, TWO(0x09, 5, 3));
    GIVES(-1, TWO(0x0a, 0xff, 3));
    GIVES(UINT64_MAX >> 3, TWO(0x0b, 0xff, 3));
    GIVES(4, TWO(0x0f, 6, 12));
    GIVES(14, TWO(0x10, 6, 12));
    GIVES(10, TWO(0x11, 6, 12));
    GIVES(1, TWO(0x13, 9, 9));
    GIVES(1, TWO(0x14, 0xff, 1)); /* -1 < 1 */
    GIVES(0, TWO(0x15, 0xff, 1));
}

TEST(division_has_no_trap)
{
    REFUSED(TWO(0x05, 5, 0));
    REFUSED(TWO(0x08, 5, 0));
    GIVES(UINT64_C(1) << 63, 0x25, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x22, 0xff, 0x16,
          8, 0x05, 0x27); /* INT64_MIN / -1 */
}

TEST(constants_and_extensions)
{
    GIVES(0x1234, 0x23, 0x12, 0x34, 0x27);
    GIVES(0x12345678, 0x24, 0x12, 0x34, 0x56, 0x78, 0x27);
    GIVES(-2, 0x23, 0xff, 0xfe, 0x16, 16, 0x27);
    GIVES(0xfe, 0x23, 0xff, 0xfe, 0x2a, 8, 0x27);
    GIVES(1, 0x22, 0, 0x0e, 0x27);
    GIVES(~UINT64_C(5), 0x22, 5, 0x12, 0x27);
}

TEST(registers_and_memory)
{
    GIVES(700, 0x26, 0, 7, 0x27);
    REFUSED(0x26, 0, 10, 0x27);
    GIVES(0x10, 0x23, 0x10, 0x10, 0x17, 0x27);
    GIVES(0x1110, 0x23, 0x10, 0x10, 0x18, 0x27);
    GIVES(0x13121110, 0x23, 0x10, 0x10, 0x19, 0x27);
    GIVES(UINT64_C(0x1716151413121110), 0x23, 0x10, 0x10, 0x1a, 0x27);
    REFUSED(0x23, 0x20, 0x00, 0x17, 0x27);
}

TEST(the_stack_is_shuffled)
{
    GIVES(10, 0x22, 5, 0x28, 0x02, 0x27);
    GIVES(5, 0x22, 5, 0x22, 6, 0x29, 0x27);
    GIVES(1, 0x22, 5, 0x22, 6, 0x2b, 0x03, 0x27);
    GIVES(1, 0x22, 1, 0x22, 2, 0x22, 3, 0x32, 2, 0x27);
    /* a b c: rot gives c a b */
    GIVES(2, 0x22, 1, 0x22, 2, 0x22, 3, 0x33, 0x27);
    REFUSED(0x29, 0x27);
    REFUSED(0x22, 1, 0x32, 1, 0x27);
}

TEST(jumps_go_where_they_say)
{
    /* 0: const8 1; 2: if_goto 8; 5: const8 9; 7: end; 8: const8 4; 10: end */
    GIVES(4, 0x22, 1, 0x20, 0, 8, 0x22, 9, 0x27, 0x22, 4, 0x27);
    GIVES(9, 0x22, 0, 0x20, 0, 8, 0x22, 9, 0x27, 0x22, 4, 0x27);
}

TEST(an_endless_or_broken_expression_is_refused)
{
    REFUSED(0x21, 0, 0);
    REFUSED(0x21, 0xff, 0xff);
    REFUSED(0x22);
    REFUSED(0x99, 0x27);
    REFUSED(0x27);
    /* const8 1; goto 0: the stack is full some time */
    REFUSED(0x22, 1, 0x21, 0, 0);
}

TEST_MAIN
