/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* A word of the code that the linker completes. */
struct cc_reloc {
    uint32_t offset;
    unsigned type; /* enum elf_riscv_reloc */
    const char *symbol;
    int32_t addend;
};

/* A row of the line table: the code from `offset` on is of this line. */
struct cc_row {
    uint32_t offset, file, line, column;
    bool prologue_end;
};

/* The code of one kernel or function. */
struct cc_code {
    struct buf words;
    vec(struct cc_reloc) relocs;
    vec(struct cc_row) rows;
    struct ir_block **order; /* n_order blocks, as they lie */
    unsigned n_order;
    uint32_t *block_at;   /* by block id: offset */
    uint32_t saved_at;    /* from this offset on ra is on the stack; 0: never */
    int32_t saved_offset; /* of ra, from sp */
};

/* emit.c */
bool
cc_emit(struct cc *c, struct cc_code *code);
