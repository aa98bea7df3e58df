/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols, numeric labels, and the sections they are in. */
#pragma once

#include "asm/lex.h"

/* The symbol of that name, made if it is new. */
struct symbol *
symbol_get(struct assembler *a, struct span name);

/* The symbol of that name; NULL if there is none. */
struct symbol *
symbol_find(const struct assembler *a, struct span name);

/* Here is label `name`; reports a second definition. */
void
symbol_define_label(struct assembler *a, struct span name);

/* `5:`; p is after the colon. */
void
symbol_define_local(struct assembler *a, struct span digits);

/* `5b` or `5f` at p, or NULL; a 5b without a 5: before it reports. */
struct symbol *
symbol_local_use(struct assembler *a);

/* .set (fixed: .equiv); at: the name, for messages. */
void
symbol_set(struct assembler *a, struct span name, struct value v, bool fixed);

/* The value of `.`. */
struct value
symbol_here(struct assembler *a);

/* A nameless label at this offset of the section. */
struct symbol *
symbol_anonymous(struct assembler *a, uint64_t offset);

/* ---- sections: section.c ---- */

/* Makes the section of a name the current one; new ones get type and flags from their
 * name. */
struct section *
section_find(struct assembler *a, struct span name);

void
section_enter(struct assembler *a, struct section *s);

/*
 * Space for `n` more bytes of the current section; NULL, after an error, if
 * that would be too much or it has no bytes (.bss).
 */
uint8_t *
section_extend(struct assembler *a, uint64_t n);

/* `n` times `byte`; works in .bss for zero bytes. */
void
section_fill(struct assembler *a, uint64_t n, uint8_t byte);

/* Fills up to a multiple of `align`; fill < 0: nops in code, zeros elsewhere. */
void
section_align(struct assembler *a, uint64_t align, int fill, uint64_t most);

void
section_fixup(struct assembler *a, struct fixup fixup);

/* Called where something comes between a prefix and its instruction. */
void
section_interrupts_prefix(struct assembler *a, const char *what);
