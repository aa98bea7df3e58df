/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
text_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    assert(used < size);
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

void
text_append_item(char *text, size_t size, const char *format, ...)
{
    static const char rest[] = " ...";
    enum { REST = sizeof rest - 1 };
    size_t used = strlen(text), last = size - sizeof rest;
    va_list args;
    assert(size > sizeof rest && "there is room for the sign");
    if (used >= REST && strcmp(text + used - REST, rest) == 0)
        return;
    va_start(args, format);
    int n = vsnprintf(text + used, size - used, format, args);
    va_end(args);
    if (n < 0 || used + (size_t)n > last)
        memcpy(text + (used < last ? used : last), rest, sizeof rest);
}

const char *
text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

size_t
text_mark(const char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t n = sizeof mark - 1;
    return size >= n && memcmp(text, mark, n) == 0 ? n : 0;
}

/* Decodes the character at `s` and returns its bytes; a byte that is no UTF-8 is one
 * character with the value of the byte. */
static size_t
decode_utf8(const unsigned char *s, uint32_t *c)
{
    size_t n = *s < 0xc2   ? 1
               : *s < 0xe0 ? 2
               : *s < 0xf0 ? 3
               : *s < 0xf5 ? 4
                           : 1;
    *c = n == 1 ? *s : *s & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            *c = *s;
            return 1;
        }
        *c = *c << 6 | (s[i] & 0x3f);
    }
    return n;
}

size_t
text_next(const char *s, bool *steers)
{
    uint32_t c;
    size_t n = decode_utf8((const unsigned char *)s, &c);
    *steers = (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0) ||
              (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return *s ? n : 0;
}

bool
text_number(const char *text, int base, uint64_t least, uint64_t most,
            uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoumax(text, &end, base);
    return *text >= '0' && *text <= '9' && !*end && !errno && *value >= least &&
           *value <= most;
}

void
text_disarm(char *message)
{
    bool steers;
    char *to = message;
    for (size_t n; (n = text_next(message, &steers)); message += n) {
        if (steers) {
            *to++ = '?';
        } else {
            memmove(to, message, n);
            to += n;
        }
    }
    *to = 0;
}

void
text_write(FILE *out, const char *text, size_t most)
{
    bool steers;
    size_t written = 0;
    for (size_t n; (n = text_next(text, &steers)) && written + n <= most;
         text += n) {
        fwrite(steers ? "?" : text, 1, steers ? 1 : n, out);
        written += n;
    }
}
