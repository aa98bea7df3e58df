/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/*
 * Several objects to one program, without another process: what ld.lld does
 * with lib/ventus.ld, for objects of this compiler and this assembler.
 *
 *     ok = link_program(&a, "k.elf", objects, n, &bytes, &sink);
 *
 * Code comes first, then constants, then variables, those without contents
 * among them.  What kernels need with the functions that they call goes into
 * their records (obj/functions.h).  False, nothing appended, and errors that
 * name the object and what it refers to, if a symbol is undefined or defined
 * twice, objects are for different versions of the instruction set, or a
 * function calls itself.
 */
bool
link_program(struct arena *a, const char *file, const struct elf *objects,
             size_t n, struct buf *out, struct diag_sink *sink);

/* False, and an error, if a file is for another version than those before it;
 * *isa is theirs, 0 if there are none, and *isa_file the first of them. */
bool
link_check_isa(const struct elf *elf, unsigned *isa, const char **isa_file,
               struct diag_sink *sink);
