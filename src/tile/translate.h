/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/rv64_isa.h>
#include <ventus/tile_isa.h>

#include "base/buf.h"
#include "obj/elf.h"

/*
 * The words of a tile instruction as `.4byte`.  0: the statement is none;
 * 1: done; -1: it is wrong, and `error` says why.
 */
int
tile_replace(const char *statement, struct buf *out, char *error, size_t size);

/* The code of an ELF file as text, RISC-V and tile instructions. */
void
tile_disassemble(struct buf *out, const struct elf *e);
