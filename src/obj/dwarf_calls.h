/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/dwarf.h"

/*
 * The inlined calls that contain an address, from .debug_info of versions 4 and 5 in a
 * linked file.  The reader skips entries in forms that it does not know; a look-up of
 * them finds no call, which is no error.
 *
 *     struct dwarf_calls calls;
 *     dwarf_calls_find(&a, &elf, pc, &calls);
 *     for (size_t i = 0; i < calls.n; i++)     innermost first
 *         printf("in %s, called at line %u\n", calls.at[i].name, ...);
 */
struct dwarf_call {
    const char *name;    /* of the function that was inlined */
    uint32_t file;       /* of the call, a number of its unit's line table */
    uint32_t line;       /* of the call; 0: not known */
    uint64_t line_table; /* the offset of that table in .debug_line */
};

struct dwarf_calls {
    struct dwarf_call *at;
    size_t n;
    const char *function; /* that they are all in; NULL: not known */
};

void
dwarf_calls_find(struct arena *a, const struct elf *elf, uint64_t address,
                 struct dwarf_calls *calls);
