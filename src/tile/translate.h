/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/rv64_isa.h>
#include <ventus/tile_isa.h>

#include "base/buf.h"
#include "base/diag.h"
#include "obj/elf.h"

/* Tile instructions of an assembly text to data; false, and errors, if one of
 * them is wrong.  `text` ends with a zero byte. */
bool
tile_translate(struct buf *out, const char *file, const char *text,
               struct diag_sink *sink);

/* The code of an ELF file as text, RISC-V and tile instructions. */
void
tile_disassemble(struct buf *out, const struct elf *e);
