/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/engine/engine.h"

/*
 * Sv39 page tables in device memory.
 *
 *     root (one a program)      middle tables, 1 GiB each      leaves, 2 MiB
 *     [2] 0x80000000 ---------> own: [0..127]   code --------> own
 *                                    [128..511] buffers -----\
 *     [3] 0xc0000000 ---------> the context's: [0..511] -----> the context's
 *
 *     [0..1] low -------------> the context's --------------> the context's
 *     [4..255] wide ----------> the context's --------------> the context's
 *
 * A context has leaves with the buffers that were allocated in it and no
 * others; all programs of the context share them.  Code is not shared: two
 * programs linked to the same address have different roots.  Local memory
 * (0x70000000) has no entries; machines do not translate that window.
 *
 * Wide addresses are those from 4 GiB up.  The context's own root has their
 * entries, of which each program's root has a copy.  What is aligned to 2 MiB
 * is mapped by entries of the middle tables, so a buffer of gigabytes needs few.
 *
 * Low addresses are those below local memory.  Only a launch of a recording has
 * memory there, which was its host program's; they are mapped as wide ones are.
 *
 * Far addresses are those beyond Sv39, as the host's.  A context that maps one
 * has tables of four levels, Sv48: a top above each root, whose first entry it
 * is; the other entries are those of the context's own top.
 */
enum {
    PAGING_SLOTS = 1024,     /* leaves from 0x80000000 to 0xffffffff */
    PAGING_CODE_SLOTS = 128, /* of these for code, 0x80000000 to 0x8fffffff */
    PAGING_TABLES = 32768    /* at least; more for memory beyond 4 GiB */
};

#define PAGING_LOW_END  UINT64_C(0x70000000)
#define PAGING_WIDE     (UINT64_C(1) << 32)
#define PAGING_WIDE_END (UINT64_C(1) << 38) /* of Sv39's lower half */
#define PAGING_FAR_END  (UINT64_C(1) << 47) /* of Sv48's */
#define PAGING_LARGE    (UINT64_C(2) << 20) /* an entry of a middle table */

struct paging_root {
    struct paging_context *context;
    uint64_t root, middle; /* physical; 0: no root */
    uint64_t top;          /* above it; 0: there is none */
    uint64_t leaf[PAGING_CODE_SLOTS];
    struct paging_root *next;
};

/* The tables of a context, made when needed; all zero: no buffers and no programs. */
struct paging_context {
    uint64_t high; /* the middle table that its roots share; 0: none yet */
    uint64_t leaf[PAGING_SLOTS];
    uint64_t wide; /* a root with the entries of wide addresses; 0: none yet */
    uint64_t top;  /* with those of far ones, without the first; likewise */
    struct paging_root *roots;
};

struct paging {
    const struct engine_ops *ops;
    void *machine;
    uint64_t base;   /* of the memory for tables */
    unsigned tables; /* taken from it so far */
    unsigned most;   /* that it has room for */
    uint64_t *spare; /* given back, may be taken again */
    size_t n_spare;
};

/* Maps memory for `most` tables at `base`.  False: the host has none. */
bool
paging_open(struct paging *p, const struct engine_ops *ops, void *machine,
            uint64_t base, unsigned most);

void
paging_close(struct paging *p);

/* A root with the context's buffers, no code.  False: no room for tables. */
bool
paging_add_root(struct paging *p, struct paging_context *c,
                struct paging_root *root);

/* The root as machines take it: VENTUS_SIM_SV48 and the top, if there is one. */
uint64_t
paging_ptbr(const struct paging_root *root);

void
paging_remove_root(struct paging *p, struct paging_root *root);

/* Gives back the tables of a context that has no roots any more. */
void
paging_remove_context(struct paging *p, struct paging_context *c);

/*
 * Maps whole pages; perm is of enum engine_perm.  `root` NULL: buffers, for
 * all programs of the context, from 0x90000000 up; else code of that program,
 * which is one of the context's, below.  None reaches over 4 GiB.  Wide
 * addresses and the physical ones are equal below PAGING_LARGE.
 */
bool
paging_map(struct paging *p, struct paging_context *c, struct paging_root *root,
           uint64_t address, uint64_t physical, uint64_t size, unsigned perm);

/* Buffers of a context. */
void
paging_unmap(struct paging *p, struct paging_context *c, uint64_t address,
             uint64_t size);
