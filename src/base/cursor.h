/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Reads little-endian numbers front to back and never past the end: from
 * there on everything read is zero and `failed` stays set, so that a parser
 * checks once and not after each field.
 */
struct cursor {
    const uint8_t *at, *end;
    bool failed;
};

static inline struct cursor
cursor_over(const uint8_t *bytes, size_t n)
{
    return (struct cursor){ .at = bytes, .end = bytes ? bytes + n : bytes };
}

static inline size_t
cursor_left(const struct cursor *c)
{
    return (size_t)(c->end - c->at);
}

/* The next `n` bytes, NULL if there are fewer. */
static inline const uint8_t *
cursor_bytes(struct cursor *c, uint64_t n)
{
    if (n > cursor_left(c)) {
        c->failed = true;
        c->at = c->end;
        return NULL;
    }
    const uint8_t *bytes = c->at;
    if (n)
        c->at += n;
    return bytes;
}

/* The next `n` (0 to 8) bytes as a number. */
static inline uint64_t
cursor_number(struct cursor *c, unsigned n)
{
    const uint8_t *bytes = cursor_bytes(c, n);
    uint64_t x = 0;
    for (unsigned i = 0; bytes && i < n; i++)
        x |= (uint64_t)bytes[i] << 8 * i;
    return x;
}

static inline uint8_t
cursor_u8(struct cursor *c)
{
    return (uint8_t)cursor_number(c, 1);
}

static inline uint16_t
cursor_u16(struct cursor *c)
{
    return (uint16_t)cursor_number(c, 2);
}

static inline uint32_t
cursor_u32(struct cursor *c)
{
    return (uint32_t)cursor_number(c, 4);
}

static inline uint64_t
cursor_u64(struct cursor *c)
{
    return cursor_number(c, 8);
}

/* Reads an unsigned LEB128 number; bits past the 64th are lost. */
static inline uint64_t
cursor_uleb128(struct cursor *c)
{
    uint64_t x = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = cursor_u8(c);
        if (shift < 64)
            x |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return x;
    }
}

static inline int64_t
cursor_sleb128(struct cursor *c)
{
    uint64_t x = 0;
    for (unsigned shift = 0;;) {
        uint8_t byte = cursor_u8(c);
        if (shift < 64)
            x |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80)
            continue;
        if (shift < 64 && (byte & 0x40))
            x |= ~(uint64_t)0 << shift;
        return (int64_t)x;
    }
}

/* The string that starts here, with its zero byte; "" if it has no end. */
static inline const char *
cursor_string(struct cursor *c)
{
    size_t left = cursor_left(c);
    const uint8_t *zero = left ? memchr(c->at, 0, left) : NULL;
    if (!zero) {
        c->failed = true;
        c->at = c->end;
        return "";
    }
    const char *s = (const char *)c->at;
    c->at = zero + 1;
    return s;
}
