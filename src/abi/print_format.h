/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * The output of printf in kernels: converts a record of the print buffer to text.  The
 * record holds numbers; formats and strings are in section .ventus.printf of the
 * program (docs/printf.md):
 *
 *     struct print_strings s = { .table = bytes, .size = n };
 *     while (size)
 *         taken = print_record(&out, &s, record, size), ...
 *
 * Any bytes are accepted: invalid parts are printed as far as they can be.
 */
struct print_strings {
    const uint8_t *table; /* contents of section .ventus.printf */
    size_t size;
    /* The string at a device address, for %s of other strings than literals; or NULL.
     * The result is used before the next call. */
    const char *(*at)(void *ctx, uint64_t address);
    void *ctx;
    size_t limit; /* limit of a record's text, after which no more is made */
};

/* Appends the text of one record.  Returns the size of the record in bytes, 0 if the
 * bytes are no record.  Text beyond the limit (0: none) is cut off after some
 * conversion. */
size_t
print_record(struct buf *out, const struct print_strings *strings,
             const uint8_t *record, size_t size);

/* The conversion ('d', 's', ...) of the n-th argument, from 0; 0: there is none. */
char
print_conversion(const char *format, unsigned n);
