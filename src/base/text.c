/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <assert.h>
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
