/* SPDX-License-Identifier: Apache-2.0 */
/* The page is report.html, with the launches in the place of @DATA@. */
#include "dbg/html.h"

#include <string.h>

extern const char html_template[];

void
html_report(FILE *out, const char *lines)
{
    static const char mark[] = "@DATA@";
    const char *at = strstr(html_template, mark);
    fwrite(html_template, 1, (size_t)(at - html_template), out);
    /* In a script element "</" would end it; in JSON '<' is in strings. */
    for (; *lines; lines++)
        if (*lines == '<')
            fputs("\\u003c", out);
        else
            fputc(*lines, out);
    fputs(at + sizeof mark - 1, out);
}
