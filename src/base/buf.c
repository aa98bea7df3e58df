/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/oom.h"

#ifdef VENTUS_TINY
enum { FIRST_CAP = 1 };
#else
enum { FIRST_CAP = 256 };
#endif

bool
buf_reserve(struct buf *b, size_t n)
{
    if (b->cap && n <= b->cap - b->n)
        return true;
    if (n > PTRDIFF_MAX - b->n)
        return false;
    size_t cap = b->cap ? b->cap * 2 : FIRST_CAP;
    if (cap < b->n + n)
        cap = b->n + n;
    uint8_t *at = realloc(b->at, cap);
    if (!at)
        return false;
    b->at = at;
    b->cap = cap;
    return true;
}

uint8_t *
buf_extend(struct buf *b, size_t n)
{
    if (!buf_reserve(b, n))
        base_out_of_memory(1, n);
    uint8_t *room = b->at + b->n;
    b->n += n;
    return room;
}

void
buf_put(struct buf *b, const void *bytes, size_t n)
{
    if (n)
        memcpy(buf_extend(b, n), bytes, n);
}

void
buf_fill(struct buf *b, uint8_t byte, size_t n)
{
    if (n)
        memset(buf_extend(b, n), byte, n);
}

void
buf_u8(struct buf *b, uint8_t x)
{
    bytes_store(buf_extend(b, 1), 1, x);
}

void
buf_u16(struct buf *b, uint16_t x)
{
    bytes_store(buf_extend(b, 2), 2, x);
}

void
buf_u32(struct buf *b, uint32_t x)
{
    bytes_store(buf_extend(b, 4), 4, x);
}

void
buf_u64(struct buf *b, uint64_t x)
{
    bytes_store(buf_extend(b, 8), 8, x);
}

void
buf_uleb128(struct buf *b, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        buf_u8(b, (uint8_t)(x | 0x80));
    buf_u8(b, (uint8_t)x);
}

void
buf_sleb128(struct buf *b, int64_t x)
{
    /* The number ends where the rest is only the sign of the last seven bits written. */
    for (; x < -0x40 || x > 0x3f; x >>= 7)
        buf_u8(b, (uint8_t)(x | 0x80));
    buf_u8(b, (uint8_t)(x & 0x7f));
}

void
buf_printf(struct buf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0 && "format cannot be printed");
    char *room = (char *)buf_extend(b, (size_t)n + 1);
    va_start(args, format);
    vsnprintf(room, (size_t)n + 1, format, args);
    va_end(args);
    b->n--; /* the zero byte is not part of the text */
}

void
buf_align(struct buf *b, size_t align, uint8_t byte)
{
    assert(align && (align & (align - 1)) == 0);
    buf_fill(b, byte, -b->n & (align - 1));
}

void
buf_free(struct buf *b)
{
    free(b->at);
    *b = (struct buf){ 0 };
}
