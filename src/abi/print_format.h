/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * What kernels print: a record of the print buffer becomes text.  The record
 * holds numbers; formats and strings are in section .ventus.printf of the
 * program (docs/printf.md):
 *
 *     struct print_strings s = { .table = bytes, .size = n };
 *     while (size)
 *         taken = print_record(&out, &s, record, size), ...
 *
 * Any bytes are taken: what makes no sense is printed as far as it does.
 */
struct print_strings {
    const uint8_t *table; /* section .ventus.printf */
    size_t size;
    /* The string at a device address, for %s of what is no literal; or NULL.
     * What it returns is used before the next call. */
    const char *(*at)(void *ctx, uint64_t address);
    void *ctx;
    size_t limit; /* of the text of a record, after which no more is made */
};

/*
 * Appends what one record prints.  Returns how many bytes the record has, 0
 * if the bytes are no record.  More text than the limit (0: there is none) has
 * been cut off behind some conversion.
 */
size_t
print_record(struct buf *out, const struct print_strings *strings,
             const uint8_t *record, size_t size);

/* The conversion ('d', 's', ...) of the n-th argument, from 0; 0 if none. */
char
print_conversion(const char *format, unsigned n);
