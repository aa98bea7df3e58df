/* SPDX-License-Identifier: Apache-2.0 */
/* Banks of physical memory. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "sim/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <ventus/sim.h>

#include "base/bisect.h"
#include "base/present.h"

void *
mem_reserve(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

void
mem_discard(void *at, size_t size)
{
    assert(at && size % SIM_PAGE == 0);
    /* Fresh pages over the old ones: zero by definition, unlike what
     * MADV_DONTNEED gives on some systems. */
    void *again =
        mmap(at, size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (again == MAP_FAILED)
        memset(at, 0, size);
}

void
mem_release(void *at, size_t size)
{
    if (at)
        munmap(at, size);
}

/* The first bank that ends after the address. */
static size_t
bank_index(const struct sim_mem *m, uint64_t address)
{
    size_t i;
    BISECT(i, m->n, m->bank[i].base + (m->bank[i].size - 1) < address);
    return i;
}

const struct sim_bank *
mem_find(const struct sim_mem *m, uint64_t address)
{
    size_t i = bank_index(m, address);
    return i < m->n && m->bank[i].base <= address ? &m->bank[i] : NULL;
}

bool
mem_set_marks(struct sim_mem *m, uint64_t base, uint64_t *marks)
{
    size_t i = bank_index(m, base);
    if (i == m->n || m->bank[i].base != base)
        return false;
    m->bank[i].marks = (_Atomic uint64_t *)marks;
    return true;
}

/* The marks of a page are a word; mem_mark looks at so many on either side of the first one. */
enum { PIECES = 64, MARK_WORDS = 16 };
static_assert(SIM_PAGE == PIECES * VENTUS_SIM_MARK_B, "a word for each page");
static_assert((int)SIM_PAGE == (int)PRESENT_PAGE, "a page of the system");

static uint64_t
marks_of(const struct sim_bank *b, uint64_t page)
{
    return atomic_load_explicit(&b->marks[page], memory_order_relaxed);
}

/*
 * The piece, the next one and as many more in the page as are marked before it: what is
 * written in a row, or by the lanes of a warp, takes few calls.
 */
static uint64_t
pieces_ahead(const struct sim_bank *b, uint64_t page, uint64_t set,
             unsigned piece)
{
    unsigned n = piece ? (unsigned)__builtin_clzll(~(set << (PIECES - piece)))
                 : page && marks_of(b, page - 1) == UINT64_MAX ? PIECES
                                                               : 0;
    n = n + 2 < PIECES ? n + 2 : PIECES;
    return UINT64_MAX >> (PIECES - n) << piece;
}

void
mem_mark(const struct sim_bank *b, uint64_t at, uint64_t *from, uint64_t *to)
{
    assert(at < b->size && b->marks);
    const uint64_t page = at / SIM_PAGE, pages = b->size / SIM_PAGE;
    const unsigned piece = at % SIM_PAGE / VENTUS_SIM_MARK_B;
    uint64_t set = marks_of(b, page), lo = page * PIECES, hi = lo + PIECES;
    if (!(set >> piece & 1)) {
        uint64_t more = pieces_ahead(b, page, set, piece);
        set |= more | atomic_fetch_or_explicit(&b->marks[page], more,
                                               memory_order_relaxed);
    }
    const uint64_t clear_below = ~set << (PIECES - 1 - piece);
    const uint64_t clear_above = ~set >> piece;
    if (clear_below)
        lo += piece + 1 - (unsigned)__builtin_clzll(clear_below);
    for (unsigned i = 1; !clear_below && i <= MARK_WORDS && i <= page &&
                         marks_of(b, page - i) == UINT64_MAX;
         i++)
        lo -= PIECES;
    if (clear_above)
        hi = page * PIECES + piece + (unsigned)__builtin_ctzll(clear_above);
    for (unsigned i = 1; !clear_above && i <= MARK_WORDS && page + i < pages &&
                         marks_of(b, page + i) == UINT64_MAX;
         i++)
        hi += PIECES;
    assert(lo * VENTUS_SIM_MARK_B <= at && at < hi * VENTUS_SIM_MARK_B);
    *from = lo * VENTUS_SIM_MARK_B;
    *to = hi * VENTUS_SIM_MARK_B;
}

static bool
overlaps(uint64_t a, uint64_t a_last, uint64_t b, uint64_t b_last)
{
    return a <= b_last && b <= a_last;
}

static void
release(struct sim_bank *b)
{
    if (!b->borrowed)
        mem_release(b->host, (size_t)b->size);
}

bool
mem_map(struct sim_mem *m, uint64_t base, uint64_t size, unsigned perm,
        void *bytes)
{
    uint64_t last = base + (size - 1);
    if (!size || last < base || (base | size) % SIM_PAGE ||
        size != (size_t)size ||
        overlaps(base, last, SIM_LOCAL_BASE,
                 SIM_LOCAL_BASE + SIM_LOCAL_SIZE - 1))
        return false;
    size_t at = bank_index(m, base);
    if (at < m->n && m->bank[at].base <= last)
        return false;
    if (m->n == m->cap) {
        size_t cap = m->cap ? 2 * m->cap : 8;
        struct sim_bank *bank = realloc(m->bank, cap * sizeof *bank);
        if (!bank)
            return false;
        m->bank = bank;
        m->cap = cap;
    }
    uint8_t *host = bytes ? bytes : mem_reserve((size_t)size);
    if (!host)
        return false;
    assert(m->n < m->cap && at <= m->n);
    memmove(m->bank + at + 1, m->bank + at, (m->n - at) * sizeof *m->bank);
    m->bank[at] = (struct sim_bank){
        base, size, size, size, host, perm, .borrowed = bytes != NULL
    };
    m->n++;
    assert(!at || m->bank[at - 1].base + (m->bank[at - 1].size - 1) < base);
    assert(at + 1 == m->n || last < m->bank[at + 1].base);
    return true;
}

bool
mem_unmap(struct sim_mem *m, uint64_t base)
{
    size_t at = bank_index(m, base);
    if (at == m->n || m->bank[at].base != base)
        return false;
    release(&m->bank[at]);
    m->n--;
    memmove(m->bank + at, m->bank + at + 1, (m->n - at) * sizeof *m->bank);
    return true;
}

bool
mem_bound(struct sim_mem *m, uint64_t base, uint64_t limit)
{
    size_t at = bank_index(m, base);
    if (at == m->n || m->bank[at].base != base || limit > m->bank[at].size)
        return false;
    m->bank[at].limit = m->bank[at].padded = limit;
    return true;
}

bool
mem_pad(struct sim_mem *m, uint64_t base, uint64_t padding)
{
    size_t at = bank_index(m, base);
    struct sim_bank *b = &m->bank[at];
    if (at == m->n || b->base != base || padding > b->size - b->limit)
        return false;
    b->padded = b->limit + padding;
    return true;
}

/* To fresh pages, which are zero. */
static void
copy_pages(uint8_t *to, const struct sim_bank *b)
{
    static const uint8_t zeros[SIM_PAGE];
    enum { SOME = 8192 };
    uint8_t there[SOME];
    uint64_t pages = b->size / SIM_PAGE;
    for (uint64_t i = 0; i < pages; i++) {
        size_t left = pages - i < SOME ? (size_t)(pages - i) : SOME;
        const uint8_t *page = b->host + i * SIM_PAGE;
        if (i % SOME == 0 && b->borrowed) /* of a file, perhaps */
            memset(there, 1, left);
        else if (i % SOME == 0)
            present_pages(page, left, there);
        if (there[i % SOME] && memcmp(page, zeros, SIM_PAGE) != 0)
            memcpy(to + i * SIM_PAGE, page, SIM_PAGE);
    }
}

bool
mem_copy(struct sim_mem *to, const struct sim_mem *from)
{
    assert(!to->n && "a copy is made for a new machine");
    for (size_t i = 0; i < from->n; i++) {
        const struct sim_bank *b = &from->bank[i];
        if (!mem_map(to, b->base, b->size, b->perm, NULL) ||
            !mem_bound(to, b->base, b->limit))
            return false;
        copy_pages(to->bank[i].host, b);
    }
    return true;
}

void
mem_free(struct sim_mem *m)
{
    for (size_t i = 0; i < m->n; i++)
        release(&m->bank[i]);
    free(m->bank);
    *m = (struct sim_mem){ 0 };
}

static bool
is_mapped(const struct sim_mem *m, uint64_t address, uint64_t size)
{
    if (size && address + (size - 1) < address)
        return false;
    while (size) {
        const struct sim_bank *b = mem_find(m, address);
        if (!b)
            return false;
        uint64_t available = b->size - (address - b->base);
        if (available >= size)
            return true;
        address += available;
        size -= available;
    }
    return true;
}

/* The piece of [address, address + size) in its bank. */
static uint8_t *
piece(const struct sim_mem *m, uint64_t address, uint64_t size, size_t *n)
{
    const struct sim_bank *b = mem_find(m, address);
    assert(b && size); /* is_mapped has found it */
    uint64_t available = b->size - (address - b->base);
    *n = (size_t)(available < size ? available : size);
    return b->host + (address - b->base);
}

bool
mem_read(const struct sim_mem *m, uint64_t address, void *to, uint64_t size)
{
    if (!is_mapped(m, address, size))
        return false;
    for (uint8_t *at = to; size;) {
        size_t n;
        const uint8_t *host = piece(m, address, size, &n);
        memcpy(at, host, n);
        at += n;
        address += n;
        size -= n;
    }
    return true;
}

bool
mem_write(struct sim_mem *m, uint64_t address, const void *from, uint64_t size)
{
    if (!is_mapped(m, address, size))
        return false;
    for (const uint8_t *at = from; size;) {
        size_t n;
        uint8_t *host = piece(m, address, size, &n);
        memcpy(host, at, n);
        at += n;
        address += n;
        size -= n;
    }
    return true;
}

bool
mem_fill(struct sim_mem *m, uint64_t address, uint8_t byte, uint64_t size)
{
    if (!is_mapped(m, address, size))
        return false;
    while (size) {
        size_t n;
        uint8_t *host = piece(m, address, size, &n);
        memset(host, byte, n);
        address += n;
        size -= n;
    }
    return true;
}
