/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that begin with a name: what the name means. */
#pragma once

#include "asm/operand.h"
#include "asm/pseudo.h"

/* One way to write a mnemonic. */
struct candidate {
    const char *syntax;
    const struct ventus_isa_alias *alias; /* NULL: the row itself */
    uint16_t op;
    uint8_t pseudo;
    struct candidate *next;
};

typedef bool (*directive_fn)(struct assembler *a, int argument);

/* What a name at the start of a statement means. */
struct mnemonic {
    const char *name;
    directive_fn directive; /* or, if NULL: */
    int argument;
    struct candidate *first, **last;
    uint8_t aqrl;
    uint8_t versions; /* of all candidates */
};

/* Fills a->mnemonics: rows, aliases, pseudo-instructions. */
void
mnemonic_fill(struct assembler *a);

void
mnemonic_directive(struct assembler *a, const char *name, directive_fn run,
                   int argument);

/* The statement that `name` begins; p is behind the name. */
bool
mnemonic_statement(struct assembler *a, struct span name);
