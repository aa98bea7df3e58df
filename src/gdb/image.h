/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "obj/elf.h"

/*
 * A program as a file for GDB.  GDB takes the size of pointers, and how many
 * bits of an address it keeps, from the class of the file.  Programs are ELF32;
 * those of version 2, whose pointers have 64 bits, are given to GDB as ELF64:
 *
 *     header, segments    of ELF64
 *     the program         as it is, on a page
 *     symbols, sections   of ELF64
 *
 * Relocations are applied in a program, and left out.
 */
void
gdb_image_as_64(const struct elf *program, struct buf *out);
