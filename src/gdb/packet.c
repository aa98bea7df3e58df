/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/packet.h"

#include <assert.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

int
gdb_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* ---- reading ---- */

static enum gdb_event
between(struct gdb_reader *r, uint8_t byte)
{
    switch (byte) {
    case '$':
        r->state = GDB_INSIDE;
        r->size = 0;
        r->sum = 0;
        r->too_long = false;
        return GDB_MORE;
    case '+':
        return GDB_ACK;
    case '-':
        return GDB_RESEND;
    case 3:
        return GDB_INTERRUPT;
    default:
        return GDB_MORE; /* noise */
    }
}

static void
reader_add(struct gdb_reader *r, uint8_t byte)
{
    assert(r->size <= GDB_PACKET_MAX);
    if (r->size < GDB_PACKET_MAX)
        r->data[r->size++] = byte;
    else
        r->too_long = true;
}

static enum gdb_event
inside(struct gdb_reader *r, uint8_t byte)
{
    if (byte == '#') {
        r->state = GDB_SUM_1;
        return GDB_MORE;
    }
    if (byte == '$') /* the packet before was cut off */
        return between(r, byte);
    r->sum = (uint8_t)(r->sum + byte);
    if (byte == '}')
        r->state = GDB_ESCAPED;
    else
        reader_add(r, byte);
    return GDB_MORE;
}

static enum gdb_event
sum(struct gdb_reader *r, uint8_t byte)
{
    int digit = gdb_digit((char)byte);
    assert(r->state == GDB_SUM_1 || r->state == GDB_SUM_2);
    if (digit < 0) {
        r->state = GDB_BETWEEN;
        return GDB_BAD;
    }
    if (r->state == GDB_SUM_1) {
        r->told = (uint8_t)(digit << 4);
        r->state = GDB_SUM_2;
        return GDB_MORE;
    }
    r->state = GDB_BETWEEN;
    if (r->too_long || (r->told | digit) != r->sum)
        return GDB_BAD;
    r->data[r->size] = 0;
    return GDB_PACKET;
}

enum gdb_event
gdb_read_byte(struct gdb_reader *r, uint8_t byte)
{
    switch (r->state) {
    case GDB_BETWEEN:
        return between(r, byte);
    case GDB_INSIDE:
        return inside(r, byte);
    case GDB_ESCAPED:
        r->sum = (uint8_t)(r->sum + byte);
        reader_add(r, byte ^ 0x20);
        r->state = GDB_INSIDE;
        return GDB_MORE;
    case GDB_SUM_1:
    case GDB_SUM_2:
        return sum(r, byte);
    }
    return GDB_MORE;
}

/* ---- writing ---- */

void
gdb_put_packet(struct buf *out, const void *data, size_t size)
{
    uint8_t total = 0;
    for (size_t i = 0; i < size; i++)
        total = (uint8_t)(total + ((const uint8_t *)data)[i]);
    buf_u8(out, '$');
    buf_put(out, data, size);
    buf_u8(out, '#');
    gdb_put_hex(out, &total, 1);
}

void
gdb_put_escaped(struct buf *out, const void *data, size_t size)
{
    for (const uint8_t *at = data, *end = at + size; at < end; at++) {
        bool special = *at == '#' || *at == '$' || *at == '}' || *at == '*';
        if (special)
            buf_u8(out, '}');
        buf_u8(out, special ? *at ^ 0x20 : *at);
    }
}

void
gdb_put_hex(struct buf *out, const void *data, size_t size)
{
    for (const uint8_t *at = data, *end = at + size; at < end; at++) {
        buf_u8(out, (uint8_t)digits[*at >> 4]);
        buf_u8(out, (uint8_t)digits[*at & 15]);
    }
}

/* ---- what is in a packet ---- */

bool
gdb_take_text(struct gdb_text *t, const char *text)
{
    size_t n = strlen(text);
    assert(t->at <= t->end);
    if ((size_t)(t->end - t->at) < n || memcmp(t->at, text, n) != 0)
        return false;
    t->at += n;
    return true;
}

bool
gdb_take_number(struct gdb_text *t, uint64_t *x)
{
    const char *from = t->at;
    assert(from <= t->end);
    *x = 0;
    while (t->at < t->end && gdb_digit(*t->at) >= 0) {
        if (*x >> 60)
            return false;
        *x = *x << 4 | (uint64_t)gdb_digit(*t->at++);
    }
    return t->at > from;
}

bool
gdb_take_bytes(struct gdb_text *t, void *to, size_t size)
{
    assert(t->at <= t->end);
    if ((size_t)(t->end - t->at) / 2 < size)
        return false;
    for (uint8_t *at = to, *end = at + size; at < end; at++) {
        int high = gdb_digit(t->at[0]), low = gdb_digit(t->at[1]);
        if (high < 0 || low < 0)
            return false;
        *at = (uint8_t)(high << 4 | low);
        t->at += 2;
    }
    return true;
}
