/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/*
 * Links several objects to a program, without another process, as ld.lld does
 * with lib/ventus.ld, for objects of this compiler and this assembler.
 *
 *     ok = link_program(&a, "k.elf", objects, n, &bytes, &sink);
 *
 * Code comes first, then constants, then variables with and without contents.
 * The linker adds the needs of callees to the records of kernels
 * (obj/functions.h).  It returns false, appends nothing and reports errors that
 * name the object and the symbol, if a symbol is undefined or defined twice,
 * objects are for different versions of the instruction set, or a function
 * calls itself.
 */
bool
link_program(struct arena *a, const char *file, const struct elf *objects,
             size_t n, struct buf *out, struct diag_sink *sink);

/* False, and an error, if a file is for another version than those before it;
 * *isa is theirs, 0 if there are none, and *isa_file the first of them. */
bool
link_check_isa(const struct elf *elf, unsigned *isa, const char **isa_file,
               struct diag_sink *sink);
