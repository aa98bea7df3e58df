/* SPDX-License-Identifier: Apache-2.0 */
/* The texts being read: files, expansions of macros and loops. */
#pragma once

#include "asm/lex.h"

/* What a frame needs to begin; `file` NULL: that of the frame around it. */
struct source {
    const char *file;
    const char *what;         /* NULL: a file */
    const char *text;         /* in the arena, ends with '\n' and 0 */
    size_t size;              /* without the 0 */
    unsigned line;            /* of its first line */
    uint64_t loops;           /* read it so often; 0: once */
    const struct place *from; /* where it was asked for, if not here */
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

/* Leaves the innermost macro; false if there is none. */
bool
source_leave_macro(struct assembler *a);

/* Reads everything. */
void
source_run(struct assembler *a);

/* Reads the file of the options, whose text this is. */
void
source_read(struct assembler *a, const char *text, size_t size);

/* `name = value`, p on the first '='; false after an error. */
bool
source_assign(struct assembler *a, struct span name);

/* ---- for another assembler: expand.c; a->expansion is set ---- */

/* A label that p is behind; without a name if it is numeric. */
void
expand_label(struct assembler *a, struct span name);

/* As insn_statement. */
bool
expand_statement(struct assembler *a, struct span name);

/* Reads a file from the directories of the options; NULL after an error. */
char *
source_load(struct assembler *a, const char *name, const char *at,
            size_t *size);

/* Puts "name=value" of the options in place of a source line. */
void
source_define(struct assembler *a, const char *define);
