/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A growable byte buffer on the heap, for what is written front to back:
 * section contents, listings, files.  Numbers are stored little endian.
 * An all-zero buf is ready to use; buf_free makes it so again.
 */
struct buf {
    uint8_t *at;
    size_t n, cap;
};

/* Reserves space for the next `n` bytes, so that putting them cannot fail.  False: the
 * host has no memory, and nothing changes.  Without a reservation a put that finds no
 * memory ends the protected call (oom.h). */
bool
buf_reserve(struct buf *b, size_t n);

/* Appends `n` uninitialised bytes and returns their address. */
uint8_t *
buf_extend(struct buf *b, size_t n);

void
buf_put(struct buf *b, const void *bytes, size_t n);

void
buf_fill(struct buf *b, uint8_t byte, size_t n);

void
buf_u8(struct buf *b, uint8_t x);

void
buf_u16(struct buf *b, uint16_t x);

void
buf_u32(struct buf *b, uint32_t x);

void
buf_u64(struct buf *b, uint64_t x);

void
buf_uleb128(struct buf *b, uint64_t x);

void
buf_sleb128(struct buf *b, int64_t x);

void
buf_printf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends `byte` up to a multiple of `align`, a power of two. */
void
buf_align(struct buf *b, size_t align, uint8_t byte);

void
buf_free(struct buf *b);
