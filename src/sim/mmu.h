/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>

#include <ventus/sim.h>

#include "sim/host.h"

struct sim_overlay;

/*
 * Addresses of a program to host memory.
 *
 *   0x70000000-0x7fffffff   local memory, private to each workgroup
 *   else, ptbr == 0         physical memory, with the permissions of its bank
 *   else                    Sv39, or with VENTUS_SIM_SV48 Sv48, through the
 *                           tables at ptbr, as user mode
 *   else, if launched so    memory of this process, at its own address
 *
 * What was found is kept as spans: address ranges that are contiguous on the
 * host.  A span is as large as can be (a bank, a run of pages), so that a
 * gather is checked against one span for all its lanes.
 *
 * Banks and local memory end at a byte.  Cached spans end at the last whole
 * word before it: what is aligned and begins inside of one ends inside, so a
 * hit needs no look at the size of the access.  Accesses to the up to three
 * bytes after are a miss each time, with a span for their size.
 *
 * Padding is memory after the end that may be accessed, too, but not unnoticed.  It is in
 * no span, so that each access to it comes to mmu_padding, and others cost nothing.
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
enum { MMU_WORD = 4 }; /* the widest access is of so many bytes */
enum { MMU_REGION = 512 * SIM_PAGE }; /* what a leaf table of Sv39 maps */

/*
 * Pages whose accesses a debugger wants to see: no span of them is cached, so
 * each access to one is a miss and tells `touched`; others cost nothing.
 */
struct sim_guard {
    struct sim_guarded {
        uint64_t address, size;
        unsigned accesses; /* 1 << MMU_READ, 1 << MMU_WRITE */
    } * range;
    unsigned n;
    void (*touched)(void *ctx, uint64_t address, unsigned bytes,
                    unsigned access);
    void *ctx;
};

/* A bank whose pieces are marked before they are written.  A span of it for writing has
 * marked pieces only. */
struct sim_marked {
    const struct sim_bank *bank; /* NULL: there are no marks */
    uint64_t base;               /* where a program would have its first byte */
};

/* Cached spans of one host thread, by page of the address looked up. */
struct sim_mmu {
    const struct sim_mem *mem;
    struct sim_host *host; /* or NULL */
    uint64_t ptbr;
    struct sim_local *local;        /* of the workgroup that runs */
    enum ventus_sim_fault_kind why; /* of the last failure */
    bool yields;    /* banks with VENTUS_SIM_YIELDS permit all, for now */
    bool marks;     /* a bank with marks was written, and no access is traced */
    bool has_local; /* something is in local_slot */
    struct sim_span slot[MMU_ACCESSES][MMU_SLOTS];
    struct sim_span local_slot[MMU_ACCESSES][MMU_LOCAL_SLOTS];
    /* By region of the address: asked before the tables are walked, for
     * programs whose lanes are each in another page. */
    struct sim_span region[MMU_ACCESSES][MMU_REGIONS];
    struct sim_marked marked[MMU_REGIONS]; /* of regions of MMU_WRITE */
    struct sim_span last;          /* of an access after the last whole word */
    const struct sim_guard *guard; /* or NULL */
    const struct sim_overlay *overlay; /* accessed in place of banks; or NULL */
};

/*
 * Local memory of a workgroup, zero at its start: what the launch declares, or
 * with `open` the whole window.  What was written is remembered so that only
 * that is zeroed for the next workgroup.
 */
struct sim_local {
    uint8_t *host;        /* of what is declared */
    uint8_t *beyond;      /* the window, for what is after it; NULL: not yet */
    uint32_t capacity;    /* bytes at `host` */
    uint32_t declared;    /* bytes from its start that are one span */
    bool open;            /* what is after exists, too; else it is a fault */
    bool declared_dirty;  /* some of those was written */
    uint32_t padding;     /* bytes at `host` after the declared ones */
    bool padding_dirty;   /* some of those was written */
    unsigned dirty_pages; /* others; more than the list holds: all */
    uint32_t dirty[LOCAL_DIRTY_MAX]; /* page numbers */
};

/* capacity: bytes that launches declare, at most, with their padding; false: no memory. */
bool
local_create(struct sim_local *l, uint32_t capacity);

void
local_destroy(struct sim_local *l);

/* All zero again, with `declared` bytes as one span; open: whole pages, and no padding
 * since all after them exists. */
void
local_reset(struct sim_local *l, uint32_t declared, uint32_t padding,
            bool open);

/* Invalidates all spans; before a launch.  host: or NULL. */
void
mmu_reset(struct sim_mmu *mmu, const struct sim_mem *mem, struct sim_host *host,
          uint64_t ptbr);

/* A page of an open one that is after what is declared; NULL: no memory. */
uint8_t *
local_page(struct sim_local *l, uint32_t page);

/* Turns to the local memory of another workgroup. */
void
mmu_set_local(struct sim_mmu *mmu, struct sim_local *local);

/*
 * Translates; perm is one of enum ventus_sim_perm.  On success the span around
 * the address, in addresses of the program, and its physical address.
 */
enum mmu_end { MMU_BOUND, MMU_PADDED }; /* where banks end */

enum ventus_sim_fault_kind
mmu_translate(const struct sim_mem *mem, uint64_t ptbr, uint64_t address,
              unsigned perm, enum mmu_end end, struct sim_span *span,
              uint64_t *physical);

/*
 * For an aligned access that mmu_span has nothing for: its host address if all of it ends in
 * padding; else NULL, and mmu->why is as mmu_span left it.
 */
uint8_t *
mmu_padding(struct sim_mmu *mmu, uint64_t address, unsigned bytes,
            unsigned access);

/*
 * The host address at which memory itself may be written for an address that a program could write, also
 * if its accesses go to a copy; *available: so many bytes.  NULL: nowhere.
 */
uint8_t *
mmu_memory(struct sim_mmu *mmu, uint64_t address, uint64_t *available);

/* mmu_span when no span is cached.  Valid until the next call. */
const struct sim_span *
mmu_miss(struct sim_mmu *mmu, uint64_t address, unsigned bytes,
         unsigned access);

static inline struct sim_span *
mmu_slot(struct sim_mmu *mmu, uint64_t address, unsigned access)
{
    uint64_t page = address / SIM_PAGE;
    if (address - SIM_LOCAL_BASE < SIM_LOCAL_SIZE)
        return &mmu->local_slot[access][page % MMU_LOCAL_SLOTS];
    return &mmu->slot[access][page % MMU_SLOTS];
}

/*
 * The span that has the access of 1, 2 or 4 bytes at `address`; for aligned
 * ones of this size what begins inside of it ends inside.  NULL: mmu->why says
 * what is wrong.
 */
static inline const struct sim_span *
mmu_span(struct sim_mmu *mmu, uint64_t address, unsigned bytes, unsigned access)
{
    struct sim_span *s = mmu_slot(mmu, address, access);
    if (__builtin_expect(address - s->lo < s->size, 1))
        return s;
    return mmu_miss(mmu, address, bytes, access);
}

/* Host address of an aligned access, or NULL. */
static inline uint8_t *
mmu_at(struct sim_mmu *mmu, uint64_t address, unsigned bytes, unsigned access)
{
    const struct sim_span *s = mmu_span(mmu, address, bytes, access);
    return s ? s->host + (address - s->lo) : NULL;
}

/*
 * The host address of one or two words that are one access, of an address that is a multiple
 * of their bytes: memory may end after the first.  *at becomes the word's that is
 * missing.
 */
static inline uint8_t *
mmu_at_words(struct sim_mmu *mmu, uint64_t *at, unsigned words, unsigned access)
{
    assert(words == 1 || (words == 2 && *at % 8 == 0));
    uint8_t *host = mmu_at(mmu, *at, 4, access);
    if (!host || words == 1)
        return host;
    if (mmu_at(mmu, *at + 4, 4, access))
        return host; /* a page is in a row */
    *at += 4;
    return NULL;
}
