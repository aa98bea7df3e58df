/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/dwarf.h"

/*
 * The inlined calls that contain an address, from .debug_info of versions 4 and 5 in a
 * linked file.  Entries in unknown forms are skipped: a look-up there finds no call,
 * which is no error.
 *
 *     struct dwarf_calls calls;
 *     dwarf_calls_find(&a, &elf, pc, &calls);
 *     for (size_t i = 0; i < calls.n; i++)     innermost first
 *         printf("in %s, called at line %u\n", calls.at[i].name, ...);
 */
struct dwarf_call {
    const char *name; /* name of the inlined function */
    uint32_t file;    /* file of the call, a number of its unit's line table */
    uint32_t line;    /* line of the call; 0: unknown */
    uint64_t line_table; /* offset of that line table in .debug_line */
};

struct dwarf_calls {
    struct dwarf_call *at;
    size_t n;
    const char *function; /* function that contains all calls; NULL: unknown */
};

void
dwarf_calls_find(struct arena *a, const struct elf *elf, uint64_t address,
                 struct dwarf_calls *calls);
