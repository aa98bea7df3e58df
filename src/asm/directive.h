/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/lex.h"

/* Adds all directives to a->mnemonics. */
void
directive_fill(struct assembler *a);

/* `. = v` and .org */
bool
directive_org(struct assembler *a, struct value v, const char *at);

/* `name = value`, p on the first '='; false after an error. */
bool
directive_assign(struct assembler *a, struct span name);

/* Sections. */
bool
directive_section(struct assembler *a, int argument);
bool
directive_named_section(struct assembler *a, int argument);
bool
directive_popsection(struct assembler *a, int argument);
bool
directive_previous(struct assembler *a, int argument);
