/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/state.h"

/* An instruction comes here: a row of the line table, if there is one. */
void
line_here(struct assembler *a);

/* .file and .loc; p is after the name. */
bool
line_file_directive(struct assembler *a, int argument);

bool
line_loc_directive(struct assembler *a, int argument);

/* Adds the line table to the object, if there is one. */
bool
line_write(struct assembler *a, struct elf_out *o);
