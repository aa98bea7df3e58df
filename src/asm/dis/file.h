/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/dis/dis.h"
#include "base/diag.h"
#include "obj/elf.h"

/*
 * Disassembly of whole files: ELF (relocatable or linked), upstream cases
 * (X.metadata with X.data beside it), raw words.  The text starts with the
 * sections' directives, so that `ventus as` reads it back.
 */
struct dis_file_options {
    struct dis_options code; /* version 0: what the file says, else 1 */
    const char *section;     /* only this one; NULL: all with code */
    bool data;               /* sections that hold data too */
    bool source;             /* file:line, and the line if it can be read */
    bool whole; /* an object: all that it holds, so that the assembler makes the
                 * same file; with `source` its line table, too */
    struct json *json; /* a member for each section instead of text; or NULL */
    bool style_given;  /* else upstream cases are in VENTUS_ISA_STYLE_LOG */
};

/* Is it code of RISC-V?  False: reported. */
bool
dis_may_elf(const struct elf *elf, struct diag_sink *sink);

/* The file's bytes are `image`; `file` is its name in messages and text. */
bool
dis_elf(struct buf *out, const struct dis_file_options *options,
        const char *file, const uint8_t *image, size_t size,
        struct diag_sink *sink);

/* The code of an upstream case: its buffer at the kernel's start address. */
bool
dis_upstream(struct buf *out, const struct dis_file_options *options,
             const char *metadata, struct diag_sink *sink);

/* Words without any frame, the first one at `address`. */
void
dis_raw(struct buf *out, const struct dis_file_options *options,
        const uint8_t *image, size_t size, uint64_t address);
