/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"

/*
 * Packets of GDB's remote serial protocol (GDB manual, appendix E.1):
 *
 *     $data#xx       xx: sum of the bytes of data, modulo 256, in hexadecimal
 *     }c             in data: the byte c ^ 0x20
 *     + -            the last packet came well, or not
 *     0x03           outside of a packet: stop
 */
enum { GDB_PACKET_MAX = 1 << 16 }; /* bytes of a packet that is read */

enum gdb_event {
    GDB_MORE,      /* bytes are wanted */
    GDB_PACKET,    /* reader.data, ended by a zero byte */
    GDB_BAD,       /* a packet with a wrong sum, or that is too long */
    GDB_ACK,       /* + */
    GDB_RESEND,    /* - */
    GDB_INTERRUPT, /* 0x03 */
};

/* Reader of packets; all zero is ready to use. */
struct gdb_reader {
    enum { GDB_BETWEEN, GDB_INSIDE, GDB_ESCAPED, GDB_SUM_1, GDB_SUM_2 } state;
    uint8_t sum, told;
    bool too_long;
    size_t size;
    uint8_t data[GDB_PACKET_MAX + 1];
};

/* The next byte. */
enum gdb_event
gdb_read_byte(struct gdb_reader *r, uint8_t byte);

/* Appends a packet with this data. */
void
gdb_put_packet(struct buf *out, const void *data, size_t size);

/* Appends bytes with } before those that a packet must not have. */
void
gdb_put_escaped(struct buf *out, const void *data, size_t size);

/* Appends bytes in hexadecimal. */
void
gdb_put_hex(struct buf *out, const void *data, size_t size);

/* ---- what is in a packet ---- */

/* A packet's text is read front to back. */
struct gdb_text {
    const char *at, *end;
};

/* Skips a text, if it is next. */
bool
gdb_take_text(struct gdb_text *t, const char *text);

/* Skips a number in hexadecimal; false: there is none, or more than 64 bits. */
bool
gdb_take_number(struct gdb_text *t, uint64_t *x);

/* Bytes in hexadecimal, so many; false: there are fewer. */
bool
gdb_take_bytes(struct gdb_text *t, void *to, size_t size);

/* -1: it is no digit. */
int
gdb_digit(char c);
