/* SPDX-License-Identifier: Apache-2.0 */
/* The steps at the end of the text: line table, fixups, listing, object. */
#pragma once

#include "asm/state.h"

/* ---- lines.c ---- */

/* An instruction comes here: a row of the line table, if there is one. */
void
line_here(struct assembler *a);

/* .file and .loc; p is behind the name. */
bool
line_file_directive(struct assembler *a, int argument);

bool
line_loc_directive(struct assembler *a, int argument);

/* Adds the line table to the object, if there is one. */
bool
line_write(struct assembler *a, struct elf_out *o);

/* ---- fixup.c ---- */

/* Settles what can be settled into bytes; the rest become relocations. */
void
fixup_settle_all(struct assembler *a, struct elf_out *o);

/* ---- kernel.c ---- */

struct function_calls {
    struct function_call *at;
    size_t n, cap;
};

/* .ventus_function name, sgpr=16, vgpr=8, private=0, stack=0, calls=other */
bool
function_directive(struct assembler *a, int argument);

/* .ventus_kernel name, sgpr=16, vgpr=8, local=0, private=0 */
bool
kernel_directive(struct assembler *a, int argument);

/* .ventus_arg kind, size=4, align=4, name="x", type="float*" */
bool
argument_directive(struct assembler *a, int argument);

/* When all are read: kernels have their arguments. */
void
kernel_place_arguments(struct assembler *a);

/* ---- object.c ---- */

/* Settles the fixups; appends the object if there was no error at all. */
bool
object_write(struct assembler *a, struct buf *out);

/* The number of a symbol in the object, which gets it if it has none. */
unsigned
object_symbol(struct assembler *a, struct elf_out *o, struct symbol *s);

/* ---- listing.c ---- */
struct list_mark {
    const char *text, *p;
    const struct section *section;
    const struct frame *frame;
    uint64_t start;
    unsigned line, depth;
};

struct list_mark
list_begin(const struct assembler *a);

void
list_end(struct assembler *a, const struct list_mark *mark);

void
listing_write(struct assembler *a, struct buf *out);
