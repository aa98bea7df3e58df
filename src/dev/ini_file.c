/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/ini_file.h"

#include <ini.h>
#include <string.h>

/* inih calls back without saying where it is, so its lines are counted here. */
static char *
next_line(char *out, int size, void *ctx)
{
    struct ini_file *f = ctx;
    if (!*f->next)
        return NULL;
    size_t n = strcspn(f->next, "\n");
    size_t capacity = (size_t)size - 2; /* for a newline and a zero byte */
    f->at.line++;
    f->at.line_text = f->next;
    if (n > capacity) {
        diag_report(f->sink, DIAG_ERROR, f->at,
                    "line of %zu characters, at most %zu", n, capacity);
        f->wrong = true;
    }
    size_t kept = n < capacity ? n : capacity;
    memcpy(out, f->next, kept);
    out[kept] = '\n';
    out[kept + 1] = 0;
    f->next += n + (f->next[n] == '\n');
    return out;
}

static int
take_value(void *ctx, const char *section, const char *key, const char *value)
{
    struct ini_file *f = ctx;
    if (!f->take(f, section, key, value))
        f->wrong = true;
    return 1;
}

bool
ini_file_read(struct ini_file *f)
{
    f->next = f->text;
    f->at = (struct diag_at){ .file = f->file };
    f->wrong = false;
    int line = ini_parse_stream(next_line, f, take_value, f);
    if (line) {
        /* The text of that line has been passed; its number is enough. */
        f->at.line = line > 0 ? (unsigned)line : 0;
        f->at.line_text = NULL;
        diag_report(f->sink, DIAG_ERROR, f->at,
                    "expected [section], key = value or ; comment");
    }
    return !f->wrong && !line;
}
