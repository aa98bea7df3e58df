/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/sim.h>

#include "sim/mem.h"

/*
 * Addresses of a program to host memory.
 *
 *   0x70000000-0x7fffffff   local memory, private to each workgroup
 *   else, ptbr == 0         physical memory, with the permissions of its bank
 *   else                    Sv39 through the tables at ptbr, as user mode
 *
 * What was found is kept as spans: address ranges that are contiguous on the
 * host.  A span is as large as can be (a bank, a run of pages), so that a
 * gather is checked against one span for all its lanes.
 */
struct sim_span {
    uint64_t lo, size; /* size 0: empty, nothing is inside */
    uint8_t *host;     /* of lo */
};

enum { MMU_READ, MMU_WRITE, MMU_ACCESSES };
#ifdef VENTUS_TINY
enum { MMU_SLOTS = 1, MMU_REGIONS = 1 };
enum { MMU_LOCAL_SLOTS = 1, LOCAL_DIRTY_MAX = 2 };
#else
enum { MMU_SLOTS = 256, MMU_REGIONS = 256 };
enum { MMU_LOCAL_SLOTS = 64, LOCAL_DIRTY_MAX = 256 };
#endif
enum { MMU_REGION = 512 * SIM_PAGE }; /* what a leaf table of Sv39 maps */

/* Cached spans of one host thread, by page of the address looked up. */
struct sim_mmu {
    const struct sim_mem *mem;
    uint64_t ptbr;
    struct sim_local *local; /* of the workgroup that runs */
    enum sim_fault_kind why; /* of the last failure */
    struct sim_span slot[MMU_ACCESSES][MMU_SLOTS];
    struct sim_span local_slot[MMU_ACCESSES][MMU_LOCAL_SLOTS];
    /* By region of the address: asked before the tables are walked, for
     * programs whose lanes are each in another page. */
    struct sim_span region[MMU_ACCESSES][MMU_REGIONS];
};

/*
 * Local memory of a workgroup: the whole window, zero at its start.  What was
 * written is remembered so that only that is zeroed for the next workgroup.
 */
struct sim_local {
    uint8_t *host;
    uint32_t declared;    /* bytes from its start that are one span */
    bool declared_dirty;  /* some of those was written */
    unsigned dirty_pages; /* others; more than the list holds: all */
    uint32_t dirty[LOCAL_DIRTY_MAX]; /* page numbers */
};

bool
local_create(struct sim_local *l);

void
local_destroy(struct sim_local *l);

/* All zero again, with `declared` bytes as one span. */
void
local_reset(struct sim_local *l, uint32_t declared);

/* Forgets all spans; before a launch. */
void
mmu_reset(struct sim_mmu *mmu, const struct sim_mem *mem, uint64_t ptbr);

/* Turns to the local memory of another workgroup. */
void
mmu_set_local(struct sim_mmu *mmu, struct sim_local *local);

/*
 * Translates; perm is one of enum sim_perm.  On success the span around the
 * address, in addresses of the program.
 */
enum sim_fault_kind
mmu_translate(const struct sim_mem *mem, uint64_t ptbr, uint64_t address,
              unsigned perm, struct sim_span *span);

/* mmu_at when no span is cached.  NULL: mmu->why says what is wrong. */
const struct sim_span *
mmu_miss(struct sim_mmu *mmu, uint64_t address, unsigned access);

static inline struct sim_span *
mmu_slot(struct sim_mmu *mmu, uint64_t address, unsigned access)
{
    uint64_t page = address / SIM_PAGE;
    if (address - SIM_LOCAL_BASE < SIM_LOCAL_SIZE)
        return &mmu->local_slot[access][page % MMU_LOCAL_SLOTS];
    return &mmu->slot[access][page % MMU_SLOTS];
}

/* The span that has `address`; NULL: mmu->why says what is wrong. */
static inline const struct sim_span *
mmu_span(struct sim_mmu *mmu, uint64_t address, unsigned access)
{
    struct sim_span *s = mmu_slot(mmu, address, access);
    if (__builtin_expect(address - s->lo < s->size, 1))
        return s;
    return mmu_miss(mmu, address, access);
}

/* Host address of an aligned access, or NULL. */
static inline uint8_t *
mmu_at(struct sim_mmu *mmu, uint64_t address, unsigned access)
{
    const struct sim_span *s = mmu_span(mmu, address, access);
    return s ? s->host + (address - s->lo) : NULL;
}
