/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that begin with a name: what the name means. */
#pragma once

#include "asm/operand.h"
#include "asm/pseudo.h"

/* A candidate is one instruction, alias or pseudo-instruction of a mnemonic, with the
 * syntax of its operands. */
struct candidate {
    const char *syntax;
    const struct ventus_isa_alias *alias; /* NULL: the row itself */
    uint16_t op;
    uint8_t pseudo;
    struct candidate *next;
};

typedef bool (*directive_fn)(struct assembler *a, int argument);

/* A mnemonic is a name that a statement may begin with: a directive, or the name of
 * instructions. */
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

/* Assembles the statement that begins with `name`; a->p is after the name. */
bool
mnemonic_statement(struct assembler *a, struct span name);
