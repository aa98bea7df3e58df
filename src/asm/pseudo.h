/* SPDX-License-Identifier: Apache-2.0 */
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

bool
pseudo_emit(struct assembler *a, enum pseudo pseudo, struct attempt *t);

/* The directive .insn. */
bool
pseudo_insn_directive(struct assembler *a, int argument);
