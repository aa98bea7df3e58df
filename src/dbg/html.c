/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of the page: report.html, with the launches in place of @DATA@. */
#include "dbg/html.h"

#include <string.h>

extern const char html_template[];

void
html_page(FILE *out, const char *page, const char *data)
{
    static const char mark[] = "@DATA@";
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), out);
    /* In a script element "</" would end it; in JSON '<' occurs only in strings. */
    for (; *data; data++)
        if (*data == '<')
            fputs("\\u003c", out);
        else
            fputc(*data, out);
    fputs(at + sizeof mark - 1, out);
}

void
html_report(FILE *out, const char *lines)
{
    html_page(out, html_template, lines);
}
