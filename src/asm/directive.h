/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/insn.h"

/* Adds all directives to a->mnemonics. */
void
directive_fill(struct assembler *a);

/* `. = v` and .org */
bool
directive_org(struct assembler *a, struct value v, const char *at);

/* ---- sections: sectdir.c ---- */
bool
directive_section(struct assembler *a, int argument);
bool
directive_named_section(struct assembler *a, int argument);
bool
directive_popsection(struct assembler *a, int argument);
bool
directive_previous(struct assembler *a, int argument);

/* ---- data: data.c ---- */
bool
directive_data(struct assembler *a, int width);
bool
directive_float(struct assembler *a, int width);
bool
directive_string(struct assembler *a, int zero);
bool
directive_space(struct assembler *a, int argument);
bool
directive_fill_bytes(struct assembler *a, int argument);
bool
directive_align(struct assembler *a, int is_power);
bool
directive_leb128(struct assembler *a, int is_signed);
bool
directive_incbin(struct assembler *a, int argument);

/* ---- conditions: condition.c ---- */
enum condition_kind {
    COND_IF,
    COND_EQ,
    COND_NE,
    COND_LT,
    COND_LE,
    COND_GT,
    COND_GE,
    COND_DEF,
    COND_NDEF,
    COND_BLANK,
    COND_NBLANK,
    COND_SAME,
    COND_NSAME
};

bool
directive_if(struct assembler *a, int kind);
bool
directive_elseif(struct assembler *a, int argument);
bool
directive_else(struct assembler *a, int argument);
bool
directive_endif(struct assembler *a, int argument);

/* A statement in a part that is left out; `name` may be empty. */
void
directive_skipped(struct assembler *a, struct span name);

/* ---- macros and loops: macro.c ---- */
bool
directive_macro(struct assembler *a, int argument);
bool
directive_purgem(struct assembler *a, int argument);
bool
directive_exitm(struct assembler *a, int argument);
bool
directive_endm(struct assembler *a, int argument);
bool
directive_rept(struct assembler *a, int argument);
bool
directive_irp(struct assembler *a, int is_chars);
bool
directive_include(struct assembler *a, int argument);

/* Whether `name` is a macro; if so it has been expanded. */
bool
directive_macro_call(struct assembler *a, struct span name);
