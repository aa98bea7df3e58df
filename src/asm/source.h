/* SPDX-License-Identifier: Apache-2.0 */
/* The texts being read: files, expansions of macros and loops. */
#pragma once

#include "asm/lex.h"

/* The text of a new frame; `file` NULL: that of the frame around it. */
struct source {
    const char *file;
    const char *what;            /* NULL: a file */
    const char *text;            /* in the arena, ends with '\n' and 0 */
    size_t size;                 /* without the 0 */
    unsigned line;               /* of its first line */
    uint64_t loops;              /* read it so often; 0: once */
    const struct position *from; /* where it was asked for, if not here */
};

/* A copy in the arena that ends as texts must. */
char *
source_copy(struct assembler *a, const char *text, size_t size,
            size_t *out_size);

/*
 * Goes on reading there, after the current statement.  `at` is where it was
 * asked for.  False, after an error, if it is nested too deep or too much.
 */
bool
source_push(struct assembler *a, const struct source *s, const char *at);

/* An error that ends the reading: expansions without end. */
void
source_too_much(struct assembler *a, const char *at);

/* Ends the innermost frame, or begins its next round unless `leave`. */
void
source_pop(struct assembler *a, bool leave);

/* Leaves the innermost macro; false if there is none. */
bool
source_leave_macro(struct assembler *a);

/* Reads a file from the directories of the options; NULL after an error. */
char *
source_load(struct assembler *a, const char *name, const char *at,
            size_t *size);
