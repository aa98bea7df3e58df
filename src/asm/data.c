/* SPDX-License-Identifier: Apache-2.0 */
/* Directives that put bytes into a section. */
#include <assert.h>
#include <stdlib.h>

#include "asm/data.h"
#include "asm/expr.h"
#include "asm/lines.h"
#include "asm/source.h"
#include "asm/symbol.h"
#include "base/bytes.h"
#include "base/defer.h"

static bool
fits_bytes(int64_t v, unsigned width)
{
    assert(width == 1 || width == 2 || width == 4 || width == 8);
    return width == 8 || (v >= -((int64_t)1 << (8 * width - 1)) &&
                          v < (int64_t)1 << (8 * width));
}

static bool
one_datum(struct assembler *a, unsigned width)
{
    struct value v;
    const char *at = a->p;
    if (!expr_read(a, &v))
        return false;
    if (value_is_number(&v) && !fits_bytes(v.num, width)) {
        asm_error(a, at, "%lld does not fit %u byte%s", (long long)v.num, width,
                  width > 1 ? "s" : "");
        return false;
    }
    if (a->section->nobits && value_is_number(&v) && !v.num) {
        section_fill(a, width, 0); /* compilers write their zeros out */
        return true;
    }
    uint64_t offset = a->section->size;
    uint8_t *room = section_extend(a, width);
    if (!room)
        return false;
    bytes_store(room, width, (uint64_t)v.num);
    if (value_is_number(&v))
        return true;
    bytes_store(room, width, 0);
    section_fixup(a, (struct fixup){ .kind = FIX_DATA,
                                     .offset = offset,
                                     .value = v,
                                     .width = (uint8_t)width,
                                     .position = position_here(a, at) });
    return true;
}

bool
directive_data(struct assembler *a, int width)
{
    section_interrupts_prefix(a, "data");
    if (lex_at_end(a))
        return true;
    /* Words in code are instructions, perhaps; .loc is about real ones. */
    if (a->section->flags & ELF_SHF_EXEC && !a->has_loc)
        line_here(a);
    do {
        lex_blanks(a);
        if (!one_datum(a, (unsigned)width))
            return false;
    } while (lex_take(a, ','));
    return true;
}

/* The characters of a floating-point number at p, into `text`. */
static bool
float_text(struct assembler *a, char *text, size_t size)
{
    size_t n = 0;
    const char *p = a->p;
    bool hex = false;
    for (;; p++) {
        char low = (char)(*p | 0x20);
        bool sign = *p == '+' || *p == '-';
        bool after_exponent =
            n && (hex ? text[n - 1] == 'p' : text[n - 1] == 'e');
        if (sign && n && !after_exponent)
            break;
        if (!sign && !lex_is(*p, CLASS_NAME | CLASS_DIGIT))
            break;
        if (n + 1 >= size)
            return false;
        hex = hex || low == 'x';
        text[n++] = (char)(sign || *p == '.' ? *p : low);
    }
    assert(n < size);
    text[n] = 0;
    a->p = p;
    return n != 0;
}

bool
directive_float(struct assembler *a, int width)
{
    section_interrupts_prefix(a, "data");
    do {
        char text[128], *end = text;
        lex_blanks(a);
        const char *at = a->p;
        uint64_t bits = 0;
        bool ok = float_text(a, text, sizeof text);
        if (ok && width == 4) {
            float f = strtof(text, &end);
            uint32_t word;
            memcpy(&word, &f, 4);
            bits = word;
        } else if (ok) {
            double d = strtod(text, &end);
            memcpy(&bits, &d, 8);
        }
        if (!ok || *end || end == text) {
            asm_error(a, at, "expected a floating-point number, found %s",
                      lex_found(a, at));
            return false;
        }
        uint8_t *room = section_extend(a, (unsigned)width);
        if (!room)
            return false;
        bytes_store(room, (unsigned)width, bits);
    } while (lex_take(a, ','));
    return true;
}

bool
directive_string(struct assembler *a, int zero)
{
    section_interrupts_prefix(a, "data");
    if (lex_at_end(a))
        return true;
    do {
        struct buf b = { 0 };
        struct oom_cleanup free_b;
        oom_defer_buf(&free_b, &b);
        lex_blanks(a);
        bool ok = lex_string(a, &b);
        if (ok && zero)
            buf_u8(&b, 0);
        uint8_t *room = ok && b.n ? section_extend(a, b.n) : NULL;
        if (room)
            memcpy(room, b.at, b.n);
        ok = ok && (room || !b.n);
        oom_release(&free_b);
        if (!ok)
            return false;
    } while (lex_take(a, ','));
    return true;
}

/* A count of bytes: not negative, and not absurd. */
static bool
read_count(struct assembler *a, uint64_t *out)
{
    int64_t n;
    lex_blanks(a);
    const char *at = a->p;
    if (!expr_number(a, &n))
        return false;
    if (n < 0 || n > MAX_OUTPUT) {
        asm_error(a, at, "a size of %lld is outside 0..%d", (long long)n,
                  MAX_OUTPUT);
        return false;
    }
    *out = (uint64_t)n;
    return true;
}

static bool
read_byte(struct assembler *a, uint8_t *out)
{
    int64_t v;
    lex_blanks(a);
    const char *at = a->p;
    if (!expr_number(a, &v))
        return false;
    if (!fits_bytes(v, 1)) {
        asm_error(a, at, "%lld does not fit 1 byte", (long long)v);
        return false;
    }
    *out = (uint8_t)v;
    return true;
}

/* .space n[, byte] */
bool
directive_space(struct assembler *a, int argument)
{
    uint64_t n;
    uint8_t byte = 0;
    (void)argument;
    section_interrupts_prefix(a, "data");
    if (!read_count(a, &n) || (lex_take(a, ',') && !read_byte(a, &byte)))
        return false;
    section_fill(a, n, byte);
    return true;
}

/* .fill count[, size[, value]]: size up to 8, value in its low 4 bytes */
bool
directive_fill_bytes(struct assembler *a, int argument)
{
    uint64_t count, size = 1;
    int64_t value = 0;
    (void)argument;
    section_interrupts_prefix(a, "data");
    if (!read_count(a, &count) || (lex_take(a, ',') && !read_count(a, &size)) ||
        (lex_take(a, ',') && !expr_number(a, &value)))
        return false;
    if (size > 8)
        size = 8;
    if (!count || !size)
        return true;
    assert(size <= 8 && count <= MAX_OUTPUT); /* no overflow below */
    uint8_t *room = section_extend(a, count * size);
    if (!room)
        return false;
    for (uint64_t i = 0; i < count; i++)
        bytes_store(room + i * size, (unsigned)size,
                    size > 4 ? (uint32_t)value : (uint64_t)value);
    return true;
}

/* .align n (2^n, as .p2align), .balign n; [, fill[, most bytes]] */
bool
directive_align(struct assembler *a, int is_power)
{
    int64_t n, most = INT64_MAX;
    int fill = -1;
    lex_blanks(a);
    const char *at = a->p;
    if (!expr_number(a, &n))
        return false;
    if (is_power && n >= 0 && n <= 30)
        n = (int64_t)1 << n;
    else if (is_power || n < 0 || n > 1 << 30 || (n & (n - 1)))
        n = -1;
    if (n < 0) {
        asm_error(a, at,
                  is_power ? "expected a power of two from 0 to 30"
                           : "expected an alignment that is a power of two");
        return false;
    }
    if (lex_take(a, ',')) {
        uint8_t byte;
        if (*a->p != ',' && !lex_at_end(a)) {
            if (!read_byte(a, &byte))
                return false;
            fill = byte;
        }
        if (lex_take(a, ',') && !expr_number(a, &most))
            return false;
    }
    if (n > 1)
        section_align(a, (uint64_t)n, fill, (uint64_t)most);
    return true;
}

/* .uleb128, .sleb128: of what is known here */
bool
directive_leb128(struct assembler *a, int is_signed)
{
    section_interrupts_prefix(a, "data");
    do {
        int64_t v;
        struct buf b = { 0 };
        if (!expr_number(a, &v))
            return false;
        struct oom_cleanup free_b;
        oom_defer_buf(&free_b, &b);
        if (is_signed)
            buf_sleb128(&b, v);
        else
            buf_uleb128(&b, (uint64_t)v);
        uint8_t *room = section_extend(a, b.n);
        if (room)
            memcpy(room, b.at, b.n);
        oom_release(&free_b);
        if (!room)
            return false;
    } while (lex_take(a, ','));
    return true;
}

/* .incbin "file"[, skip[, count]] */
bool
directive_incbin(struct assembler *a, int argument)
{
    uint64_t skip = 0, count = UINT64_MAX;
    size_t size;
    (void)argument;
    section_interrupts_prefix(a, "data");
    const char *at = a->p;
    char *name = lex_string_copy(a, NULL);
    if (!name || (lex_take(a, ',') && !read_count(a, &skip)) ||
        (lex_take(a, ',') && !read_count(a, &count)))
        return false;
    char *bytes = source_load(a, name, at, &size);
    if (!bytes)
        return false;
    if (skip > size)
        skip = size;
    if (count > size - skip)
        count = size - skip;
    assert(skip + count <= size);
    uint8_t *room = count ? section_extend(a, count) : NULL;
    if (room)
        memcpy(room, bytes + skip, count);
    return room || !count;
}
