/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/elf.h"

/* The note .note.ventus: the version of the instruction set of an object's code.  v1
 * and v2 use the same words for different instructions, so objects of both must not be
 * linked.  A linker concatenates the notes of all objects, so that note_read_isa sees
 * a difference; e_flags would be those of the first object only.  Format: docs/abi.md. */
void
note_write_isa(struct elf_out *o, unsigned isa);

/* Sets `*isa` to 1 or 2, or 0 if the file has no note.  False, and an error, if the
 * note cannot be read or two notes disagree. */
bool
note_read_isa(const struct elf *elf, unsigned *isa, struct diag_sink *sink);

/* Adds .riscv.attributes to an object: the standard extensions whose encodings the
 * instructions have, for `llvm-objdump -d` and the like.  Floating point is on x
 * registers (zfinx), which excludes vector floating point there (zve32f needs f):
 * linkers refuse both together. */
void
note_write_attributes(struct elf_out *o);
