/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/state.h"

/* A section of the object; s->index is its number there. */
void
object_section(struct elf_out *o, struct section *s);

/* The number of a symbol in the object, which gets it if it has none. */
unsigned
object_symbol(struct assembler *a, struct elf_out *o, struct symbol *s);
