/* SPDX-License-Identifier: Apache-2.0 */
/* The position that a message refers to, and the macros and includes on the way there. */
#include "asm/state.h"

struct position
position_here(const struct assembler *a, const char *at)
{
    return (struct position){ .origin = a->frame->origin,
                              .line_text = a->frame->line_text,
                              .at = at,
                              .line = a->frame->line };
}

static struct diag_at
diag_at(const struct position *p)
{
    if (!p->origin) /* a symbol that was never defined */
        return (struct diag_at){ 0 };
    struct diag_at at = { .file = p->origin->file,
                          .line = p->line,
                          .line_text = p->line_text };
    if (p->at && p->line_text && p->at >= p->line_text)
        at.col = (unsigned)(p->at - p->line_text) + 1;
    return at;
}

static void
report(struct assembler *a, enum diag_severity severity,
       const struct position *position, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

static void
report(struct assembler *a, enum diag_severity severity,
       const struct position *position, const char *format, va_list args)
{
    diag_vreport(a->sink, severity, diag_at(position), format, args);
    unsigned shown = 0;
    for (const struct origin *o = position->origin; o && o->parent;
         o = o->parent) {
        if (severity == DIAG_NOTE || shown++ == 3)
            break;
        struct diag_at at = { .file = o->parent->file,
                              .line = o->parent_line,
                              .col = o->parent_col,
                              .line_text = o->parent_text };
        diag_report(a->sink, DIAG_NOTE, at, "in %s, used here", o->what);
    }
}

void
asm_error(struct assembler *a, const char *at, const char *format, ...)
{
    struct position position = position_here(a, at);
    va_list args;
    va_start(args, format);
    report(a, DIAG_ERROR, &position, format, args);
    va_end(args);
}

void
asm_warning(struct assembler *a, const char *at, const char *format, ...)
{
    struct position position = position_here(a, at);
    va_list args;
    va_start(args, format);
    report(a, DIAG_WARNING, &position, format, args);
    va_end(args);
}

void
asm_report(struct assembler *a, enum diag_severity severity,
           const struct position *position, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(a, severity, position, format, args);
    va_end(args);
}
