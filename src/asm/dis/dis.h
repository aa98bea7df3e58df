/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/isa.h>

#include "base/buf.h"

/*
 * Disassembly of one section, one line a word.  Addresses and words are
 * comments, so the text is also assembler source that gives the same bytes:
 *
 *     saxpy:
 *     # saxpy.s:12:     vlw12.v v1, 0(v1)
 *       <80000008 0000a0fb>  vlw12.v v1, 0(v1)
 *       <8000000c 0010200b>  regext  x0, x0, 1
 *       <80000010 5e024057>  vmv.v.x v32, x4
 *
 * where <...> is a C comment.
 *
 * A word that is no instruction becomes .word; a branch target without a name
 * gets the label .L<address>.
 */
struct dis_symbol {
    uint64_t address;
    const char *name;
};

struct dis_note {
    uint64_t address;
    const char *text; /* a relocation; shown as a comment after the word */
    bool operand;     /* text is an operand, %hi(x): it takes the place of
                       * the immediate, or of all of a word of data */
};

/* The bytes to disassemble, with their symbols and notes. */
struct dis_code {
    const uint8_t *bytes;
    size_t size;
    uint64_t address;                /* of bytes[0] */
    const struct dis_symbol *symbol; /* by address */
    size_t symbols;
    const struct dis_note *note; /* by address */
    size_t notes;
    /* The source position of an address: "file:line: text", or NULL; may be
     * NULL itself.  Shown when it changes. */
    const char *(*source)(void *ctx, uint64_t address);
    /* Writes .loc for the rows of the line table at an address; or NULL. */
    void (*loc)(void *ctx, struct buf *out, uint64_t address);
    void *ctx;
};

struct dis_options {
    enum ventus_isa_version version;
    enum ventus_isa_style
        style; /* VENTUS_ISA_STYLE_LOG: as upstream's commit logs write */
    bool abi_names, no_alias, scalar_amo;
    bool bare; /* no comments with address and word */
};

void
dis_section(struct buf *out, const struct dis_options *options,
            const struct dis_code *code);

/* Disassembles bytes that are data, as .word, .byte and .zero. */
void
dis_data(struct buf *out, const struct dis_options *options,
         const struct dis_code *code);
