/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"

/*
 * Errors in a user's input.  Libraries report here and return false; they never print
 * and never exit.  A tool prints the list:
 *
 *     vecadd.s:12:17: error: operand 2: expected a vector register, found 'x7'
 *        12 |     vadd.vv v1, x7, v2
 *           |                 ^
 *
 * Messages: lower case, no full stop, what was found and what was expected.  The sink
 * copies nothing: `file` and `line_text` must outlive it.
 */
enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

struct diag {
    enum diag_severity severity;
    const char *file;      /* NULL: the message concerns no file */
    unsigned line, col;    /* from 1; 0: unknown */
    const char *line_text; /* the source line, ends at '\n' or 0; or NULL */
    const char *message;
    struct diag *next;
};

struct diag_sink {
    struct arena *arena;
    struct diag *first, *last;
    unsigned errors, warnings;
    unsigned limit; /* errors kept, 0: 100; further ones are only counted */
    struct diag no_memory; /* in the list once its message is set */
};

/* The source position of a message; members as in struct diag. */
struct diag_at {
    const char *file;
    unsigned line, col;
    const char *line_text;
};

void
diag_report(struct diag_sink *sink, enum diag_severity severity,
            struct diag_at at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void
diag_vreport(struct diag_sink *sink, enum diag_severity severity,
             struct diag_at at, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

/* Reports "out of memory", once, without allocating.  The sink stays at its address. */
void
diag_out_of_memory(struct diag_sink *sink);

/* Prints every message, in colour if `color`, with source line and caret. */
void
diag_print(const struct diag_sink *sink, FILE *out, bool color);
