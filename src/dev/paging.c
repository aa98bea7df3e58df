/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V privileged specification, 4.4: Sv39. */
#include "dev/paging.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PTE_V = 1, PTE_U = 16, PTE_A = 64, PTE_D = 128, PAGE = 4096 };
enum { ENTRIES = 512 };

static const uint64_t first_address = 0x80000000;
static const uint64_t slot_size = UINT64_C(2) << 20;

static uint64_t
entry_of(uint64_t physical, unsigned flags)
{
    return physical / PAGE << 10 | flags | PTE_V;
}

static void
set_entry(struct paging *p, uint64_t table, unsigned index, uint64_t entry)
{
    assert(index < ENTRIES && table % PAGE == 0);
    assert(table >= p->base && table < p->base + (uint64_t)PAGE * p->tables);
    bool ok = p->ops->write(p->machine, table + index * sizeof entry, &entry,
                            sizeof entry);
    assert(ok);
    (void)ok;
}

/* A table without entries; 0: no room. */
static uint64_t
new_table(struct paging *p)
{
    assert(p->n_spare <= p->tables && p->tables <= PAGING_TABLES);
    if (!p->n_spare)
        return p->tables < PAGING_TABLES
                   ? p->base + (uint64_t)PAGE * p->tables++
                   : 0;
    static const uint64_t zero[ENTRIES];
    uint64_t table = p->spare[--p->n_spare];
    p->ops->write(p->machine, table, zero, sizeof zero);
    return table;
}

static void
give_back(struct paging *p, uint64_t table)
{
    if (!table)
        return;
    assert(table % PAGE == 0 && p->n_spare < p->tables);
    p->spare[p->n_spare++] = table;
}

bool
paging_open(struct paging *p, const struct engine_ops *ops, void *machine,
            uint64_t base)
{
    *p = (struct paging){ .ops = ops, .machine = machine, .base = base };
    p->spare = calloc(PAGING_TABLES, sizeof *p->spare);
    return p->spare && ops->map(machine, base, (uint64_t)PAGING_TABLES * PAGE,
                                ENGINE_READ | ENGINE_WRITE);
}

void
paging_close(struct paging *p)
{
    free(p->spare);
    p->spare = NULL;
}

bool
paging_add_root(struct paging *p, struct paging_context *c,
                struct paging_root *root)
{
    *root = (struct paging_root){ .context = c };
    assert(!c->high || c->high >= p->base);
    root->root = new_table(p);
    root->middle = new_table(p);
    if (!root->root || !root->middle) {
        give_back(p, root->root);
        give_back(p, root->middle);
        root->root = 0;
        return false;
    }
    set_entry(p, root->root, 2, entry_of(root->middle, 0));
    if (c->high)
        set_entry(p, root->root, 3, entry_of(c->high, 0));
    for (unsigned s = PAGING_CODE_SLOTS; s < ENTRIES; s++)
        if (c->leaf[s])
            set_entry(p, root->middle, s, entry_of(c->leaf[s], 0));
    root->next = c->roots;
    c->roots = root;
    return true;
}

void
paging_remove_root(struct paging *p, struct paging_root *root)
{
    if (!root->root)
        return;
    struct paging_root **link = &root->context->roots;
    while (*link != root)
        link = &(*link)->next;
    *link = root->next;
    for (unsigned s = 0; s < PAGING_CODE_SLOTS; s++)
        give_back(p, root->leaf[s]);
    give_back(p, root->middle);
    give_back(p, root->root);
    root->root = 0;
}

void
paging_remove_context(struct paging *p, struct paging_context *c)
{
    assert(!c->roots);
    for (unsigned s = 0; s < PAGING_SLOTS; s++)
        give_back(p, c->leaf[s]);
    give_back(p, c->high);
    *c = (struct paging_context){ 0 };
}

static bool
make_high(struct paging *p, struct paging_context *c)
{
    if (c->high)
        return true;
    c->high = new_table(p);
    for (struct paging_root *r = c->roots; c->high && r; r = r->next)
        set_entry(p, r->root, 3, entry_of(c->high, 0));
    return c->high != 0;
}

/* The leaf table of a slot, made if it is missing; 0: no room. */
static uint64_t
leaf_table(struct paging *p, struct paging_context *c, struct paging_root *root,
           unsigned slot)
{
    assert(slot < (root ? PAGING_CODE_SLOTS : PAGING_SLOTS));
    uint64_t *leaf = root ? &root->leaf[slot] : &c->leaf[slot];
    if (*leaf)
        return *leaf;
    if (slot >= ENTRIES && !make_high(p, c))
        return 0;
    *leaf = new_table(p);
    if (!*leaf)
        return 0;
    uint64_t entry = entry_of(*leaf, 0);
    if (root)
        set_entry(p, root->middle, slot, entry);
    else if (slot >= ENTRIES)
        set_entry(p, c->high, slot - ENTRIES, entry);
    else
        for (struct paging_root *r = c->roots; r; r = r->next)
            set_entry(p, r->middle, slot, entry);
    return *leaf;
}

/* Sets the entries of whole pages, a leaf table at a time; flags 0: none. */
static bool
set_pages(struct paging *p, struct paging_context *c, struct paging_root *root,
          uint64_t address, uint64_t physical, uint64_t size, unsigned flags)
{
    assert((address | physical | size) % PAGE == 0);
    uint64_t entries[ENTRIES];
    while (size) {
        uint64_t offset = address - first_address;
        unsigned slot = (unsigned)(offset / slot_size);
        unsigned first = (unsigned)(offset % slot_size / PAGE);
        assert(slot < PAGING_SLOTS && first < ENTRIES);
        unsigned n = ENTRIES - first;
        if (n > size / PAGE)
            n = (unsigned)(size / PAGE);
        uint64_t table = leaf_table(p, c, root, slot);
        if (!table)
            return false;
        for (unsigned i = 0; i < n; i++)
            entries[i] =
                flags ? entry_of(physical + (uint64_t)i * PAGE, flags) : 0;
        p->ops->write(p->machine, table + first * sizeof *entries, entries,
                      n * sizeof *entries);
        address += (uint64_t)n * PAGE;
        physical += (uint64_t)n * PAGE;
        size -= (uint64_t)n * PAGE;
    }
    return true;
}

bool
paging_map(struct paging *p, struct paging_context *c, struct paging_root *root,
           uint64_t address, uint64_t physical, uint64_t size, unsigned perm)
{
    assert(size > 0 && perm && perm <= 7);
    assert(!root || root->context == c);
    assert(address >= first_address &&
           address + size <= first_address + PAGING_SLOTS * slot_size);
    /* R, W and X of an entry are bits 1 to 3; the machine sets no A and D. */
    return set_pages(p, c, root, address, physical, size,
                     perm << 1 | PTE_U | PTE_A | PTE_D);
}

void
paging_unmap(struct paging *p, struct paging_context *c, uint64_t address,
             uint64_t size)
{
    assert(address >= first_address &&
           address + size <= first_address + PAGING_SLOTS * slot_size);
    set_pages(p, c, NULL, address, 0, size, 0);
}
