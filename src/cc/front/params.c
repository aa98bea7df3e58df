/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses bitcode with a function of too many parameters before LLVM reads it.
 * LLVM expands the attributes of parameter i to a list of i entries, so that a
 * function of n parameters takes n * n steps and n * n words.
 *
 * The groups of attributes are the first thing of a module but its version, its
 * abbreviations and its types, and are written without abbreviations (LLVM's
 * manual, "LLVM Bitcode File Format").  What is of another form is left to LLVM.
 */
#include "cc/front/params.h"

#include "cc/front/module.h"

enum {
    MODULE_BLOCK = 8,
    GROUP_BLOCK = 10,
    GROUP_ENTRY = 3,
    PARAMETERS = 4096, /* docs/limits.md */
};
enum { END_BLOCK, ENTER_BLOCK, DEFINE_ABBREVIATION, RECORD };

struct bits {
    const uint8_t *at;
    uint64_t n, next; /* in bits */
};

/* Reads bits of a fixed width; zeros after the end. */
static uint64_t
read_fixed(struct bits *b, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width && b->next < b->n; i++, b->next++)
        value |= (uint64_t)(b->at[b->next / 8] >> b->next % 8 & 1) << i;
    return value;
}

static uint64_t
read_variable(struct bits *b, unsigned width)
{
    uint64_t more = (uint64_t)1 << (width - 1), value = 0, chunk = more;
    for (unsigned shift = 0; chunk & more && shift < 64; shift += width - 1) {
        chunk = read_fixed(b, width);
        value |= (chunk & (more - 1)) << shift;
    }
    return value;
}

/* The second number of a record without abbreviation, which follows `code`. */
static uint64_t
read_record(struct bits *b, uint64_t *code)
{
    uint64_t second = 0;
    *code = read_variable(b, 6);
    uint64_t n = read_variable(b, 6);
    for (uint64_t i = 0; i < n && b->next < b->n; i++) {
        uint64_t value = read_variable(b, 6);
        second = i == 1 ? value : second;
    }
    return second;
}

/* The last parameter that a group of attributes is of, from 1. */
static uint64_t
last_parameter(struct bits *b, unsigned width)
{
    uint64_t last = 0, code;
    while (b->next < b->n && read_fixed(b, width) == RECORD) {
        uint64_t i = read_record(b, &code);
        if (code == GROUP_ENTRY && i != UINT32_MAX && i > last)
            last = i; /* UINT32_MAX is the function */
    }
    return last;
}

static uint64_t
count_parameters(const void *bitcode, size_t size)
{
    struct bits b = { .at = bitcode, .n = (uint64_t)size * 8, .next = 32 };
    unsigned width = 2;
    while (b.next < b.n) {
        uint64_t id = read_fixed(&b, width), code;
        if (id == RECORD) {
            read_record(&b, &code);
            continue;
        }
        if (id != ENTER_BLOCK)
            return 0;
        uint64_t block = read_variable(&b, 8);
        unsigned inner = (unsigned)read_variable(&b, 4);
        b.next = (b.next + 31) / 32 * 32; /* a block starts at a word */
        uint64_t words = read_fixed(&b, 32);
        if (inner > 32)
            return 0;
        if (block == GROUP_BLOCK)
            return last_parameter(&b, inner);
        if (block == MODULE_BLOCK)
            width = inner;
        else
            b.next += words * 32;
    }
    return 0;
}

bool
front_check_params(struct front_build *b, const void *bitcode, size_t size)
{
    uint64_t n = count_parameters(bitcode, size);
    if (n > PARAMETERS)
        front_error(b, NULL,
                    "a function has %llu parameters: expected %d at most",
                    (unsigned long long)n, PARAMETERS);
    return n <= PARAMETERS;
}
