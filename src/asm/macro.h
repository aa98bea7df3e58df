/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/lex.h"

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
