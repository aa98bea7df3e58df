/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation: local memory, banks, Sv39, memory of the host.
 *
 *   Sv39 entry   63    54 53       10 9 8 7 6 5 4 3 2 1 0
 *               |reserved|    PPN    | RSW|D|A|G|U|X|W|R|V|
 *
 * A and D are not managed: tables are built by a driver, not paged.  U must be
 * set, kernels run as user code.  (RISC-V privileged specification, 4.4.)
 */
#include "sim/mmu.h"

#include <assert.h>
#include <string.h>

#include "sim/checkpoint.h"
#include "sim/overlay.h"

enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 16 };
enum { SV39_LEVELS = 3, SV48_LEVELS = 4, SV39_BITS = 9, SV39_ENTRIES = 512 };
enum { PTE_BYTES = 8, MODE_SHIFT = 60 };

static uint32_t
whole_pages(uint32_t bytes)
{
    return (bytes + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
}

bool
local_create(struct sim_local *l, uint32_t capacity)
{
    capacity = capacity ? whole_pages(capacity) : SIM_PAGE;
    *l = (struct sim_local){ .host = mem_reserve(capacity),
                             .capacity = capacity };
    return l->host != NULL;
}

void
local_destroy(struct sim_local *l)
{
    mem_release(l->host, l->capacity);
    mem_release(l->beyond, SIM_LOCAL_SIZE);
    l->host = l->beyond = NULL;
}

uint8_t *
local_page(struct sim_local *l, uint32_t page)
{
    assert(l->open && page >= l->declared / SIM_PAGE);
    if (!l->beyond)
        l->beyond = mem_reserve(SIM_LOCAL_SIZE);
    return l->beyond ? l->beyond + (size_t)page * SIM_PAGE : NULL;
}

void
local_reset(struct sim_local *l, uint32_t declared, uint32_t padding, bool open)
{
    assert(declared <= l->capacity && l->dirty_pages <= LOCAL_DIRTY_MAX + 1);
    if (l->declared_dirty)
        memset(l->host, 0, l->declared);
    if (l->padding_dirty)
        memset(l->host + l->declared, 0, l->padding);
    if (l->dirty_pages > LOCAL_DIRTY_MAX)
        mem_discard(l->beyond, SIM_LOCAL_SIZE);
    else
        for (unsigned i = 0; i < l->dirty_pages; i++)
            memset(l->beyond + (size_t)l->dirty[i] * SIM_PAGE, 0, SIM_PAGE);
    l->dirty_pages = 0;
    l->declared_dirty = l->padding_dirty = false;
    l->open = open;
    l->declared = open ? whole_pages(declared) : declared;
    l->padding = open ? 0 : padding;
    assert(l->declared + (uint64_t)l->padding <= l->capacity &&
           "worker_prepare makes room for both");
}

void
mmu_reset(struct sim_mmu *mmu, const struct sim_mem *mem, struct sim_host *host,
          uint64_t ptbr)
{
    memset(mmu, 0, sizeof *mmu);
    mmu->mem = mem;
    mmu->host = host;
    mmu->ptbr = ptbr;
}

void
mmu_set_local(struct sim_mmu *mmu, struct sim_local *local)
{
    assert(local && local->host);
    memset(mmu->local_slot, 0, sizeof mmu->local_slot);
    mmu->local = local;
}

/* The span of declared bytes, also for an address past it that does not exist. */
static struct sim_span
local_span(struct sim_local *l, uint64_t address, unsigned access)
{
    uint32_t at = (uint32_t)(address - SIM_LOCAL_BASE), page = at / SIM_PAGE;
    assert(at < SIM_LOCAL_SIZE && l->declared <= l->capacity);
    bool past = at >= l->declared && l->open;
    uint8_t *host = past ? local_page(l, page) : NULL;
    if (!host) {
        l->declared_dirty |= access == MMU_WRITE;
        return (struct sim_span){ SIM_LOCAL_BASE, l->declared, l->host };
    }
    if (access == MMU_WRITE) {
        if (l->dirty_pages < LOCAL_DIRTY_MAX)
            l->dirty[l->dirty_pages] = page;
        if (l->dirty_pages <= LOCAL_DIRTY_MAX)
            l->dirty_pages++;
    }
    return (struct sim_span){ SIM_LOCAL_BASE + (uint64_t)page * SIM_PAGE,
                              SIM_PAGE, host };
}

static enum ventus_sim_fault_kind
bank_span(const struct sim_mem *mem, uint64_t physical, unsigned perm,
          enum mmu_end end, struct sim_span *span)
{
    const struct sim_bank *b = mem_find(mem, physical);
    if (!b)
        return VENTUS_SIM_FAULT_UNMAPPED;
    assert(b->limit <= b->padded && b->padded <= b->size);
    if (!(b->perm & perm))
        return VENTUS_SIM_FAULT_PERMISSION;
    /* Code is fetched by whole pages; what runs after its end is no
     * instruction. */
    uint64_t size = perm == VENTUS_SIM_EXEC ? b->size
                    : end == MMU_PADDED     ? b->padded
                                            : b->limit;
    if (physical - b->base >= size)
        return VENTUS_SIM_FAULT_UNMAPPED;
    *span = (struct sim_span){ b->base, size, b->host };
    return VENTUS_SIM_FAULT_NONE;
}

static bool
read_pte(const struct sim_mem *mem, uint64_t at, uint64_t *pte)
{
    const struct sim_bank *b = mem_find(mem, at);
    if (!b || b->size - (at - b->base) < PTE_BYTES)
        return false;
    memcpy(pte, b->host + (at - b->base), PTE_BYTES);
    return true;
}

static const uint8_t *
host_of(const struct sim_mem *mem, uint64_t physical)
{
    const struct sim_bank *b = mem_find(mem, physical);
    assert(b); /* read_pte has found it */
    return b->host + (physical - b->base);
}

static uint64_t
pte_address(uint64_t pte)
{
    return ((pte >> 10) & ((UINT64_C(1) << 44) - 1)) * SIM_PAGE;
}

/* The leaf for an address: its entry, where that is, and its level. */
static enum ventus_sim_fault_kind
walk(const struct sim_mem *mem, uint64_t ptbr, uint64_t address, uint64_t *pte,
     uint64_t *where, unsigned *level)
{
    unsigned levels = ptbr >> MODE_SHIFT ? SV48_LEVELS : SV39_LEVELS;
    uint64_t table = ptbr & ~VENTUS_SIM_SV48;
    /* The bits above 38, of Sv48 above 47, must equal it. */
    unsigned above = 64 - 12 - SV39_BITS * levels;
    if ((uint64_t)((int64_t)(address << above) >> above) != address)
        return VENTUS_SIM_FAULT_UNMAPPED;
    for (unsigned l = levels; l-- > 0;) {
        unsigned shift = 12 + SV39_BITS * l;
        *where = table + ((address >> shift) & 511) * PTE_BYTES;
        if (!read_pte(mem, *where, pte))
            return VENTUS_SIM_FAULT_UNMAPPED;
        if (mem->checkpoint)
            checkpoint_on_read(mem->checkpoint, host_of(mem, *where));
        if (!(*pte & PTE_V) || ((*pte & PTE_W) && !(*pte & PTE_R)))
            return VENTUS_SIM_FAULT_UNMAPPED;
        if (*pte & (PTE_R | PTE_X)) {
            *level = l;
            /* A superpage must be aligned to its size. */
            bool aligned = !(pte_address(*pte) & ((UINT64_C(1) << shift) - 1));
            return aligned ? VENTUS_SIM_FAULT_NONE : VENTUS_SIM_FAULT_UNMAPPED;
        }
        table = pte_address(*pte);
    }
    return VENTUS_SIM_FAULT_UNMAPPED;
}

static bool
pte_allows(uint64_t pte, unsigned perm)
{
    unsigned need = perm == VENTUS_SIM_READ    ? PTE_R
                    : perm == VENTUS_SIM_WRITE ? PTE_W
                    : perm == VENTUS_SIM_EXEC  ? PTE_X
                                               : PTE_V;
    return (pte & PTE_U) && (pte & need);
}

/* How many entries of a leaf table continue contiguously from the one at `where`,
 * in steps of 1 or -1. */
static unsigned
run_length(const uint8_t *table, unsigned where, int step)
{
    assert(where < SV39_ENTRIES);
    uint64_t pte, next;
    memcpy(&pte, table + where * PTE_BYTES, sizeof pte);
    /* The number of the page counts from bit 10; RSW, D, A and G may differ. */
    uint64_t up = (uint64_t)((int64_t)step * 1024), mask = ~UINT64_C(0x3e0);
    unsigned limit = step > 0 ? SV39_ENTRIES - 1 - where : where, n = 0;
    for (; n < limit; n++) {
        where += (unsigned)step;
        pte += up;
        memcpy(&next, table + where * PTE_BYTES, sizeof next);
        if ((next ^ pte) & mask)
            break;
    }
    return n;
}

/* Makes the span of a page as large as the run in its leaf table. */
static void
widen(const struct sim_mem *mem, uint64_t where, struct sim_span *span)
{
    unsigned index = where % SIM_PAGE / PTE_BYTES;
    /* The table is a page, so it lies in one bank, as walk() has seen. */
    const struct sim_bank *b = mem_find(mem, where);
    assert(b && b->size - (where / SIM_PAGE * SIM_PAGE - b->base) >= SIM_PAGE);
    const uint8_t *table = b->host + (where / SIM_PAGE * SIM_PAGE - b->base);
    unsigned before = run_length(table, index, -1);
    unsigned after = run_length(table, index, 1);
    assert(before <= index && after < SV39_ENTRIES - index);
    span->lo -= (uint64_t)before * SIM_PAGE;
    span->size += (uint64_t)(before + after) * SIM_PAGE;
}

/* Cuts a span of physical addresses to the bank it is in. */
static enum ventus_sim_fault_kind
cut_to_bank(const struct sim_mem *mem, uint64_t physical, uint64_t address,
            unsigned perm, enum mmu_end end, struct sim_span *span)
{
    assert(address - span->lo < span->size);
    struct sim_span bank;
    enum ventus_sim_fault_kind why = bank_span(mem, physical, perm, end, &bank);
    if (why)
        return why;
    uint64_t below = address - span->lo;
    uint64_t above = span->size - below;
    if (below > physical - bank.lo)
        below = physical - bank.lo;
    if (above > bank.size - (physical - bank.lo))
        above = bank.size - (physical - bank.lo);
    span->lo = address - below;
    span->size = below + above;
    span->host = bank.host + (physical - below - bank.lo);
    assert(address - span->lo < span->size);
    return VENTUS_SIM_FAULT_NONE;
}

enum ventus_sim_fault_kind
mmu_translate(const struct sim_mem *mem, uint64_t ptbr, uint64_t address,
              unsigned perm, enum mmu_end end, struct sim_span *span,
              uint64_t *physical)
{
    *physical = address;
    if (!ptbr)
        return bank_span(mem, address, perm, end, span);
    uint64_t pte, where;
    unsigned level;
    enum ventus_sim_fault_kind why =
        walk(mem, ptbr, address, &pte, &where, &level);
    if (why)
        return why;
    if (!pte_allows(pte, perm))
        return VENTUS_SIM_FAULT_PERMISSION;
    uint64_t size = UINT64_C(1) << (12 + SV39_BITS * level);
    uint64_t offset = address & (size - 1);
    span->lo = address - offset;
    span->size = size;
    if (!level)
        widen(mem, where, span);
    *physical = pte_address(pte) + offset;
    return cut_to_bank(mem, *physical, address, perm, end, span);
}

/*
 * Keeps in the slot what ends at a whole word.  An access after that has a
 * span that is not kept, if it ends inside of the memory that is there.
 */
static const struct sim_span *
keep(struct sim_mmu *mmu, uint64_t address, unsigned bytes,
     struct sim_span *slot, const struct sim_span *span)
{
    uint64_t at = address - span->lo;
    assert(bytes && bytes <= MMU_WORD && !(bytes & (bytes - 1)));
    *slot = *span;
    slot->size = span->size / MMU_WORD * MMU_WORD;
    if (at < slot->size)
        return slot;
    mmu->last = *span;
    mmu->last.size = span->size / bytes * bytes;
    mmu->why = VENTUS_SIM_FAULT_UNMAPPED;
    return at < mmu->last.size ? &mmu->last : NULL;
}

static bool
is_guarded(const struct sim_guard *guard, uint64_t address, uint64_t size,
           unsigned access)
{
    for (unsigned i = 0; i < guard->n; i++) {
        const struct sim_guarded *r = &guard->range[i];
        if (r->accesses >> access & 1 && address < r->address + r->size &&
            r->address < address + size)
            return true;
    }
    return false;
}

/* Only the page is kept, and nothing if the page is guarded. */
static const struct sim_span *
keep_guarded(struct sim_mmu *mmu, uint64_t address, unsigned bytes,
             unsigned access, struct sim_span *slot,
             const struct sim_span *page)
{
    const struct sim_guard *guard = mmu->guard;
    const struct sim_span *s = keep(mmu, address, bytes, slot, page);
    if (!s || !is_guarded(guard, page->lo, page->size, access))
        return s;
    mmu->last =
        (struct sim_span){ address, bytes, s->host + (address - s->lo) };
    slot->size = 0;
    if (is_guarded(guard, address, bytes, access))
        guard->touched(guard->ctx, address, bytes, access);
    return &mmu->last;
}

/* The part of a span that is in the page of an address. */
static struct sim_span
cut_to_page(const struct sim_span *span, uint64_t address)
{
    uint64_t page = address / SIM_PAGE * SIM_PAGE;
    assert(page >= span->lo && address - span->lo < span->size);
    uint64_t left = span->size - (page - span->lo);
    return (struct sim_span){ page, left < SIM_PAGE ? left : SIM_PAGE,
                              span->host + (page - span->lo) };
}

/* Whether the span is of the overlay, which no checkpoint saves. */
static bool
is_diverted(const struct sim_mmu *mmu, const struct sim_span *span)
{
    return mmu->overlay && overlay_origin(mmu->overlay, span->host);
}

/* The marks of the bank in which a program writes at an address. */
static struct sim_marked
marked_bank(const struct sim_mem *mem, uint64_t address, uint64_t physical)
{
    const struct sim_bank *b = mem_find(mem, physical);
    assert(b && "translation has found the bank");
    return (struct sim_marked){ .bank = b->marks ? b : NULL,
                                .base = address - (physical - b->base) };
}

/* Marks the piece with the address; the part of the span that is marked around it. */
static struct sim_span
cut_to_marks(const struct sim_marked *m, const struct sim_span *span,
             uint64_t address)
{
    uint64_t from, to;
    mem_mark(m->bank, address - m->base, &from, &to);
    const uint64_t below = address - m->base - from,
                   before = address - span->lo;
    const uint64_t lo = below < before ? address - below : span->lo;
    const uint64_t end = m->base + to - lo, left = span->size - (lo - span->lo);
    return (struct sim_span){ lo, end < left ? end : left,
                              span->host + (lo - span->lo) };
}

/*
 * A page is copied before its first write; only the page is known then.  A piece is marked
 * before its first write (`marked` of NULL or without bank: it needs none).
 */
static const struct sim_span *
fill(struct sim_mmu *mmu, uint64_t address, unsigned bytes, unsigned access,
     struct sim_span *slot, const struct sim_span *span,
     const struct sim_marked *marked)
{
    bool checkpoints =
        access == MMU_WRITE && mmu->mem->checkpoint && !is_diverted(mmu, span);
    bool marks = access == MMU_WRITE && marked->bank;
    if (!checkpoints && !marks && !mmu->guard)
        return keep(mmu, address, bytes, slot, span);
    struct sim_span one =
        checkpoints || mmu->guard ? cut_to_page(span, address) : *span;
    bool copied =
        !checkpoints || checkpoint_before_write(mmu->mem->checkpoint, one.host);
    if (marks) {
        one = cut_to_marks(marked, &one, address);
        mmu->marks = !mmu->guard;
    }
    if (copied && mmu->guard)
        return keep_guarded(mmu, address, bytes, access, slot, &one);
    if (copied)
        return keep(mmu, address, bytes, slot, &one);
    slot->size = 0;
    mmu->why = VENTUS_SIM_FAULT_UNMAPPED; /* of the host */
    return NULL;
}

/* Finds an address that the machine does not map in host memory. */
static enum ventus_sim_fault_kind
host_span(struct sim_host *host, uint64_t address, unsigned access,
          struct sim_span *span)
{
    struct host_piece piece;
    enum ventus_sim_fault_kind why =
        host_find(host, address, access == MMU_WRITE, &piece);
    if (!why)
        *span = (struct sim_span){ piece.lo, piece.size,
                                   (uint8_t *)(uintptr_t)piece.lo };
    return why;
}

/* To the copy of the bank that the physical address is in. */
static void
divert(const struct sim_mmu *mmu, uint64_t address, uint64_t physical,
       struct sim_span *span)
{
    struct sim_place place;
    bool found = overlay_find(mmu->overlay, physical, &place);
    assert(found && place.memory == span->host + (address - span->lo));
    (void)found;
    span->host = place.copy - (address - span->lo);
}

uint8_t *
mmu_memory(struct sim_mmu *mmu, uint64_t address, uint64_t *available)
{
    const struct sim_span *s = mmu_span(mmu, address, MMU_WORD, MMU_WRITE);
    if (!s)
        return NULL;
    uint8_t *host = s->host + (address - s->lo);
    *available = s->size - (address - s->lo);
    uint8_t *origin = mmu->overlay ? overlay_origin(mmu->overlay, host) : NULL;
    if (!origin)
        return host;
    uint64_t page = SIM_PAGE - (uintptr_t)origin % SIM_PAGE;
    *available = page < *available ? page : *available;
    return overlay_before_write(mmu->overlay, origin) ? origin : NULL;
}

static const unsigned perm[MMU_ACCESSES] = { VENTUS_SIM_READ,
                                             VENTUS_SIM_WRITE };

/* The access alone, and nothing is kept: the next one is refused again. */
static const struct sim_span *
yield(struct sim_mmu *mmu, uint64_t address, unsigned bytes, unsigned access,
      const struct sim_span *span, const struct sim_marked *marked)
{
    struct sim_span slot;
    const struct sim_span *s =
        fill(mmu, address, bytes, access, &slot, span, marked);
    if (s)
        mmu->last =
            (struct sim_span){ address, bytes, s->host + (address - s->lo) };
    return s ? &mmu->last : NULL;
}

static size_t
row_of(uint64_t address)
{
    return address / MMU_REGION % MMU_REGIONS;
}

/*
 * Joins a new span of the bank `b` with a cached one that is contiguous with it in both address
 * spaces.  Leaf tables map a region each, so a large buffer is found region by region; a gather
 * over several of them needs their union.
 */
static bool
join_span(const struct sim_mmu *mmu, const struct sim_bank *b, unsigned access,
          uint64_t neighbour, struct sim_span *span)
{
    const struct sim_span *n = &mmu->region[access][row_of(neighbour)];
    const bool before = n->lo < span->lo;
    const struct sim_span *first = before ? n : span, *next = before ? span : n;
    if (neighbour - n->lo >= n->size || first->lo + first->size != next->lo ||
        first->host + first->size != next->host || first->host < b->host ||
        next->host >= b->host + b->size)
        return false;
    *span =
        (struct sim_span){ first->lo, first->size + next->size, first->host };
    return true;
}

/* Caches a span for its regions, joined with those around it. */
static void
keep_region(struct sim_mmu *mmu, uint64_t address, uint64_t physical,
            unsigned access, struct sim_span *span,
            const struct sim_marked *marked)
{
    const struct sim_bank *b = mem_find(mmu->mem, physical);
    bool joined = false;
    if (b && !mmu->overlay) {
        joined |= join_span(mmu, b, access, span->lo - 1, span);
        joined |= join_span(mmu, b, access, span->lo + span->size, span);
    }
    /* Slots with a part of the joined span would hide it. */
    if (joined)
        memset(mmu->slot[access], 0, sizeof mmu->slot[access]);
    const uint64_t most = (uint64_t)MMU_REGION * (MMU_REGIONS / 2);
    uint64_t from = address - span->lo < most ? span->lo : address - most;
    uint64_t left = span->lo + span->size - 1 - address;
    uint64_t to = left < most ? address + left : address + most - MMU_REGION;
    for (uint64_t r = from / MMU_REGION; r <= to / MMU_REGION; r++) {
        size_t row = r % MMU_REGIONS;
        mmu->region[access][row] = *span;
        if (access == MMU_WRITE)
            mmu->marked[row] = *marked;
    }
}

const struct sim_span *
mmu_miss(struct sim_mmu *mmu, uint64_t address, unsigned bytes, unsigned access)
{
    struct sim_span *slot = mmu_slot(mmu, address, access);
    if (address - SIM_LOCAL_BASE < SIM_LOCAL_SIZE) {
        struct sim_span local = local_span(mmu->local, address, access);
        const struct sim_span *s;
        if (mmu->guard && address - local.lo < local.size) {
            local = cut_to_page(&local, address);
            s = keep_guarded(mmu, address, bytes, access, slot, &local);
        } else {
            s = keep(mmu, address, bytes, slot, &local);
        }
        if (!s)
            mmu->why = VENTUS_SIM_FAULT_LOCAL;
        return s;
    }
    const size_t row = row_of(address);
    struct sim_span *region = &mmu->region[access][row];
    if (address - region->lo < region->size)
        return fill(mmu, address, bytes, access, slot, region,
                    &mmu->marked[row]);
    struct sim_marked marked = { .bank = NULL };
    struct sim_span span;
    uint64_t physical;
    mmu->why = mmu_translate(mmu->mem, mmu->ptbr, address, perm[access],
                             MMU_BOUND, &span, &physical);
    const bool yields = mmu->why == VENTUS_SIM_FAULT_PERMISSION && mmu->yields;
    if (yields)
        mmu->why =
            mmu_translate(mmu->mem, mmu->ptbr, address, VENTUS_SIM_YIELDS,
                          MMU_BOUND, &span, &physical);
    if (!mmu->why && access == MMU_WRITE)
        marked = marked_bank(mmu->mem, address, physical);
    if (!mmu->why && mmu->overlay)
        divert(mmu, address, physical, &span);
    if (mmu->why == VENTUS_SIM_FAULT_UNMAPPED && mmu->host)
        mmu->why = host_span(mmu->host, address, access, &span);
    if (mmu->why)
        return NULL;
    /* A span of virtual addresses may reach over the local window, which is
     * never translated: cut it there. */
    uint64_t local_end = SIM_LOCAL_BASE + SIM_LOCAL_SIZE;
    if (span.lo < SIM_LOCAL_BASE && span.lo + span.size > SIM_LOCAL_BASE) {
        if (address < SIM_LOCAL_BASE) {
            span.size = SIM_LOCAL_BASE - span.lo;
        } else {
            span.host += local_end - span.lo;
            span.size -= local_end - span.lo;
            span.lo = local_end;
        }
    }
    assert(address - span.lo < span.size);
    if (yields)
        return yield(mmu, address, bytes, access, &span, &marked);
    keep_region(mmu, address, physical, access, &span, &marked);
    return fill(mmu, address, bytes, access, slot, &span, &marked);
}

static uint8_t *
local_padding(struct sim_local *l, uint64_t address, unsigned bytes,
              unsigned access)
{
    uint64_t at = address - SIM_LOCAL_BASE;
    if (at + bytes > l->declared + (uint64_t)l->padding)
        return NULL;
    l->declared_dirty |= access == MMU_WRITE; /* a part of it may be before */
    l->padding_dirty |= access == MMU_WRITE;
    return l->host + at;
}

/* A debugger, a copy of the bank and a checkpoint want to know, as in mmu_miss. */
uint8_t *
mmu_padding(struct sim_mmu *mmu, uint64_t address, unsigned bytes,
            unsigned access)
{
    struct sim_span span;
    uint64_t physical;
    if (address - SIM_LOCAL_BASE < SIM_LOCAL_SIZE)
        return local_padding(mmu->local, address, bytes, access);
    if (mmu_translate(mmu->mem, mmu->ptbr, address, perm[access], MMU_PADDED,
                      &span, &physical) ||
        span.size - (address - span.lo) < bytes)
        return NULL;
    const struct sim_marked marked = marked_bank(mmu->mem, address, physical);
    if (access == MMU_WRITE && marked.bank)
        cut_to_marks(&marked, &span, address);
    if (mmu->overlay)
        divert(mmu, address, physical, &span);
    uint8_t *host = span.host + (address - span.lo);
    if (access == MMU_WRITE && mmu->mem->checkpoint &&
        !is_diverted(mmu, &span) &&
        !checkpoint_before_write(mmu->mem->checkpoint, host))
        return NULL;
    if (mmu->guard && is_guarded(mmu->guard, address, bytes, access))
        mmu->guard->touched(mmu->guard->ctx, address, bytes, access);
    return host;
}
