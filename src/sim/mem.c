/* SPDX-License-Identifier: Apache-2.0 */
/* Banks of physical memory. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "sim/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bisect.h"

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

/* The first bank that ends behind the address. */
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

void
mem_note_write(const struct sim_mem *m, uint64_t address)
{
    struct sim_bank *b = &m->bank[bank_index(m, address)];
    assert(mem_find(m, address) == b);
    if (!atomic_load_explicit(&b->written, memory_order_relaxed))
        atomic_store_explicit(&b->written, true, memory_order_relaxed);
}

bool
mem_take_written(const struct sim_mem *m, uint64_t address)
{
    size_t i = bank_index(m, address);
    return i < m->n && m->bank[i].base <= address &&
           atomic_exchange_explicit(&m->bank[i].written, false,
                                    memory_order_relaxed);
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

bool
mem_copy(struct sim_mem *to, const struct sim_mem *from)
{
    static const uint8_t zeros[SIM_PAGE];
    assert(!to->n && "a copy is made for a new machine");
    for (size_t i = 0; i < from->n; i++) {
        const struct sim_bank *b = &from->bank[i];
        if (!mem_map(to, b->base, b->size, b->perm, NULL) ||
            !mem_bound(to, b->base, b->limit))
            return false;
        for (uint64_t at = 0; at < b->size; at += SIM_PAGE)
            if (memcmp(b->host + at, zeros, SIM_PAGE) != 0)
                memcpy(to->bank[i].host + at, b->host + at, SIM_PAGE);
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
        uint64_t room = b->size - (address - b->base);
        if (room >= size)
            return true;
        address += room;
        size -= room;
    }
    return true;
}

/* The piece of [address, address + size) in its bank. */
static uint8_t *
piece(const struct sim_mem *m, uint64_t address, uint64_t size, size_t *n)
{
    const struct sim_bank *b = mem_find(m, address);
    assert(b && size); /* is_mapped has found it */
    uint64_t room = b->size - (address - b->base);
    *n = (size_t)(room < size ? room : size);
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
