/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: all of a text, one after the other. */
#pragma once

#include "asm/lex.h"

/* Reads everything. */
void
statement_run(struct assembler *a);

/* Reads the file of the options, whose text this is. */
void
statement_read(struct assembler *a, const char *text, size_t size);

/* Reads "name=value" of the options as if it were a source line. */
void
statement_define(struct assembler *a, const char *define);
