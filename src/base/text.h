/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Appends to the text in an array of `size` bytes; the excess is cut off.  For
 * messages that a struct holds by value and several functions write. */
void
text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends an item of a list as a whole; " ..." in place of all that do not fit. */
void
text_append_item(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The plural ending of a word after a count: "1 byte", "0 bytes", "2 bytes". */
const char *
text_plural(uint64_t count);

/* Whether a text is a whole number from `least` to `most`: digits alone, no sign, no space.
 * Numbers of base 10, or of base 0 as in C: "0x10", "020". */
bool
text_number(const char *text, int base, uint64_t least, uint64_t most,
            uint64_t *value);

/* Bytes before the text of a source: 3 if it begins with UTF-8's byte order mark, as
 * some editors write it, else 0. */
size_t
text_mark(const char *text, size_t size);

/* Bytes of the UTF-8 character at `s`, 1 if it is none, 0 at the end.  `steers`: the
 * character could command a terminal or reorder its output, as do control characters
 * except tab and newline, of ASCII and of C1 (U+0080 to U+009F), and the bidirectional
 * ones (U+202A to U+202E, U+2066 to U+2069). */
size_t
text_next(const char *s, bool *steers);

/* Replaces each steering character of a message by '?'. */
void
text_disarm(char *message);

/* Writes the whole characters in the first `most` bytes, '?' for those that steer. */
void
text_write(FILE *out, const char *text, size_t most);
