/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that begin with a name: finds their kind, assembles instructions. */
#pragma once

#include "asm/operand.h"

/* Pseudo-instructions that the table cannot say: pseudo.c. */
enum pseudo {
    PSEUDO_NONE,
    PSEUDO_LI,
    PSEUDO_LA,
    PSEUDO_CALL,
    PSEUDO_TAIL,
    PSEUDO_LOAD,
    PSEUDO_STORE,
    PSEUDO_SETRPC
};

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

/* Fills a->mnemonics: rows, aliases, pseudo-instructions, directives. */
void
mnemonic_fill(struct assembler *a);

void
mnemonic_directive(struct assembler *a, const char *name, directive_fn run,
                   int argument);

/* The name that looks most like it, or NULL. */
const char *
mnemonic_near(const struct assembler *a, struct span name);

/* The statement that `name` begins; p is behind the name. */
bool
insn_statement(struct assembler *a, struct span name);

/* Encodes and appends what an attempt holds, with a prefix if it needs one. */
bool
insn_emit(struct assembler *a, struct attempt *t);

/* Appends one plain word that may carry a fixup. */
bool
insn_word(struct assembler *a, uint32_t word);

/* Puts a value into the pieces of a field. */
uint32_t
insn_put_field(uint32_t word, const struct ventus_isa_field *f, int64_t value);

/* The number `value` in a field: NULL, or what is wrong with it. */
const char *
insn_check_range(struct assembler *a, const struct ventus_isa_field *f,
                 unsigned width, int64_t value);

bool
pseudo_emit(struct assembler *a, enum pseudo pseudo, struct attempt *t);

/* The directive .insn. */
bool
pseudo_insn_directive(struct assembler *a, int argument);

/* Index of the field of that name. */
uint8_t
insn_field(const char *name);
