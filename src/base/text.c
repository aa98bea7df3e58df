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
