/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/*
 * Links several objects to a program, without another process, as ld.lld does with
 * lib/ventus.ld, for objects of this compiler and this assembler.
 *
 *     ok = link_program(&a, "k.elf", objects, n, &bytes, &sink);
 *
 * Code comes first, then constants, then variables with and without contents.  The
 * linker adds the needs of callees to the descriptors of kernels (obj/functions.h).
 * False, with nothing appended and errors that name the object and the symbol, if a
 * symbol is undefined or defined twice, objects are for different versions of the
 * instruction set, or a function calls itself.
 */
bool
link_program(struct arena *a, const char *file, const struct elf *objects,
             size_t n, struct buf *out, struct diag_sink *sink);

/* Checks that a file has the version of the files before it, *isa, 0 if it is the
 * first; *isa_file is the first with a version.  False, and an error, if it differs. */
bool
link_check_isa(const struct elf *elf, unsigned *isa, const char **isa_file,
               struct diag_sink *sink);
