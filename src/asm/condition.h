/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/lex.h"

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
