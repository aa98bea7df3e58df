/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/hash.h"
#include "dev/device.h"
#include "dev/segments.h"
#include "obj/dwarf.h"
#include "obj/kernels.h"

/* A program, for the files that make one: program.c and kernels.c. */
struct ventus_dev_program {
    struct ventus_dev *dev;
    struct ventus_dev_context *context;
    struct arena arena;
    const char *name;
    struct elf elf;
    const struct elf_symbol *nowhere; /* NULL: there is none */
    unsigned isa;
    struct dwarf_lines lines;
    struct ventus_dev_kernel *kernel;
    size_t n_kernels;
    struct hash_index by_name; /* of kernels, those with short names */
    struct paging_root root;
    unsigned slot;   /* which part of physical memory it has */
    uint64_t lo, hi; /* its pages, virtual */
    struct segments segments;
    size_t mapped;   /* runs of these that the machine has */
    uint64_t masked; /* start code that masks lanes (masked.h); 0: none */
    struct told told;
    struct ventus_dev_program *next;
};

/* Adds kernels as their descriptors in the file say.  False: one has no symbol, which
 * the sink is told. */
bool
program_add_described(struct ventus_dev_program *p,
                      const struct kernel_list *list, struct diag_sink *sink);

/* Adds each global function as a kernel, for files that describe none. */
void
program_add_symbols(struct ventus_dev_program *p);

/* Indexes the kernels by name, as a program may have a million.  The first of several
 * kernels with one name counts. */
void
program_index_kernels(struct ventus_dev_program *p);
