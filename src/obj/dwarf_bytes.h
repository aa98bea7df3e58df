/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "obj/elf.h"

/* Private to the writers of DWARF sections. */

/* Appends a word, which the linker sets to an address in the section `target`. */
static inline void
dwarf_put_address(struct elf_out *o, unsigned section, unsigned target,
                  uint32_t offset)
{
    struct buf *b = elf_out_contents(o, section);
    assert(b->n <= UINT32_MAX - 4); /* offsets of relocations have 32 bits */
    elf_out_reloc(
        o, section,
        (struct elf_out_reloc){ .offset = (uint32_t)b->n,
                                .type = ELF_R_RISCV_32,
                                .symbol = elf_out_section_symbol(o, target),
                                .addend = (int32_t)offset });
    buf_u32(b, 0);
}

static inline void
dwarf_put_string(struct buf *b, const char *s)
{
    buf_put(b, s, strlen(s) + 1);
}

/* Appends a length, which dwarf_end_length sets to the size of the bytes after it. */
static inline size_t
dwarf_begin_length(struct buf *b)
{
    buf_u32(b, 0);
    return b->n;
}

static inline void
dwarf_end_length(struct buf *b, size_t start)
{
    assert(start >= 4 && start <= b->n && b->n - start <= UINT32_MAX &&
           "dwarf_begin_length left 4 bytes");
    bytes_store(b->at + start - 4, 4, b->n - start);
}
