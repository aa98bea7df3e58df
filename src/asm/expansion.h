/* SPDX-License-Identifier: Apache-2.0 */
/* Expansion alone, for another assembler; a->expansion is set. */
#pragma once

#include "asm/lex.h"

struct expansion {
    int (*replace)(const char *statement, struct buf *out, char *error,
                   size_t error_size); /* an asm_replace_fn */
    struct buf *out;
    const char *file; /* where the other assembler believes to be */
    unsigned line;
};

/*
 * Labels of the other assembler have addresses that are not known here; each
 * gets a section of its own, so that no difference looks like a number.
 */
void
expansion_unknown_address(struct assembler *a);

/* Writes a label that p has just passed; without a name if it is numeric. */
void
expansion_label(struct assembler *a, struct span name);

/* Copies or expands a statement, as mnemonic_statement assembles one. */
bool
expansion_statement(struct assembler *a, struct span name);
