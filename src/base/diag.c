/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include "base/text.h"

enum { DEFAULT_LIMIT = 100 };

struct style {
    const char *word, *colour;
};

static const struct style styles[] = {
    [DIAG_ERROR] = { "error", "\033[1;31m" },
    [DIAG_WARNING] = { "warning", "\033[1;35m" },
    [DIAG_NOTE] = { "note", "\033[1;36m" },
};
static const char bold[] = "\033[1m", caret_colour[] = "\033[1;32m",
                  plain[] = "\033[0m";

static unsigned
limit_of(const struct diag_sink *sink)
{
    return sink->limit ? sink->limit : DEFAULT_LIMIT;
}

void
diag_report(struct diag_sink *sink, enum diag_severity severity,
            struct diag_at at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_vreport(sink, severity, at, format, args);
    va_end(args);
}

static void
append_diag(struct diag_sink *sink, struct diag *d)
{
    if (sink->last)
        sink->last->next = d;
    else
        sink->first = d;
    sink->last = d;
}

void
diag_vreport(struct diag_sink *sink, enum diag_severity severity,
             struct diag_at at, const char *format, va_list args)
{
    sink->errors += severity == DIAG_ERROR;
    sink->warnings += severity == DIAG_WARNING;
    /* Notes past the limit are dropped with the error that they explain. */
    if (sink->errors > limit_of(sink))
        return;
    struct diag *d = arena_new(sink->arena, struct diag, 1);
    char *message = arena_vprintf(sink->arena, format, args);
    text_disarm(message);
    *d = (struct diag){ .severity = severity,
                        .file = at.file,
                        .line = at.line,
                        .col = at.col,
                        .line_text = at.line_text,
                        .message = message };
    append_diag(sink, d);
}

void
diag_out_of_memory(struct diag_sink *sink)
{
    if (sink->no_memory.message)
        return;
    sink->errors++;
    sink->no_memory =
        (struct diag){ .severity = DIAG_ERROR, .message = "out of memory" };
    append_diag(sink, &sink->no_memory);
}

static void
print_place(const struct diag *d, FILE *out)
{
    if (!d->file)
        return;
    fprintf(out, "%s:", d->file);
    if (d->line)
        fprintf(out, "%u:", d->line);
    if (d->line && d->col)
        fprintf(out, "%u:", d->col);
    fputc(' ', out);
}

static bool
ends_line(const char *s)
{
    return *s == 0 || *s == '\n' || (*s == '\r' && (s[1] == '\n' || !s[1]));
}

/* Prints the white space that puts a caret under column `col`: tabs stay tabs, and the
 * continuation bytes of a UTF-8 character have no width. */
static void
print_indent(const char *line, unsigned col, FILE *out)
{
    for (unsigned i = 1; i < col; i++) {
        char c = ' ';
        if (!ends_line(line))
            c = *line++;
        if (((unsigned char)c & 0xc0) != 0x80)
            fputc(c == '\t' ? '\t' : ' ', out);
    }
}

static void
print_source(const struct diag *d, FILE *out, bool color)
{
    if (!d->line_text || !d->line)
        return;
    int width = fprintf(out, "%5u", d->line);
    fputs(" | ", out);
    bool steers; /* The user's line must not command the terminal. */
    for (const char *s = d->line_text; !ends_line(s);) {
        size_t n = text_next(s, &steers);
        fprintf(out, "%.*s", steers ? 1 : (int)n, steers ? " " : s);
        s += n;
    }
    fputc('\n', out);
    if (!d->col)
        return;
    fprintf(out, "%*s | ", width, "");
    print_indent(d->line_text, d->col, out);
    fprintf(out, "%s^%s\n", color ? caret_colour : "", color ? plain : "");
}

void
diag_print(const struct diag_sink *sink, FILE *out, bool color)
{
    for (const struct diag *d = sink->first; d; d = d->next) {
        const struct style *style = &styles[d->severity];
        fputs(color ? bold : "", out);
        print_place(d, out);
        fprintf(out, "%s%s: ", color ? style->colour : "", style->word);
        fprintf(out, "%s%s%s%s\n", color ? plain : "", color ? bold : "",
                d->message, color ? plain : "");
        print_source(d, out, color);
    }
    unsigned limit = limit_of(sink);
    if (sink->errors > limit)
        fprintf(out, "%u more errors not shown\n", sink->errors - limit);
}
