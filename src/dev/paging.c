/* SPDX-License-Identifier: Apache-2.0 */
/* Page tables, Sv39 and Sv48: RISC-V privileged specification, 4.4 and 4.5. */
#include "dev/paging.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PTE_V = 1, PTE_LEAF = 14, PTE_U = 16, PTE_A = 64, PTE_D = 128 };
enum { PAGE = 4096, WIDE_INDEX = 4, LOW_INDICES = 2 };
enum { LARGE_SHIFT = 21, ROOT_SHIFT = 30, TOP_SHIFT = 39 };
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

static uint64_t
get_entry(const struct paging *p, uint64_t table, unsigned index)
{
    uint64_t entry = 0;
    assert(index < ENTRIES && table % PAGE == 0 && table >= p->base);
    bool ok = p->ops->read(p->machine, table + index * sizeof entry, &entry,
                           sizeof entry);
    assert(ok);
    (void)ok;
    return entry;
}

/* The table that an entry points to; 0: none. */
static uint64_t
table_of(uint64_t entry)
{
    return (entry & PTE_V) && !(entry & PTE_LEAF) ? (entry >> 10) * PAGE : 0;
}

/* A table without entries; 0: no room. */
static uint64_t
new_table(struct paging *p)
{
    assert(p->n_spare <= p->tables && p->tables <= p->most);
    if (!p->n_spare)
        return p->tables < p->most ? p->base + (uint64_t)PAGE * p->tables++ : 0;
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

/* The table and those that it points to; `shift`: of what an entry maps. */
static void
give_back_tree(struct paging *p, uint64_t table, unsigned shift)
{
    for (unsigned i = 0; shift > 12 && i < ENTRIES; i++) {
        uint64_t next = table_of(get_entry(p, table, i));
        if (next)
            give_back_tree(p, next, shift - 9);
    }
    give_back(p, table);
}

bool
paging_open(struct paging *p, const struct engine_ops *ops, void *machine,
            uint64_t base, unsigned most)
{
    assert(most >= PAGING_TABLES);
    *p = (struct paging){
        .ops = ops, .machine = machine, .base = base, .most = most
    };
    p->spare = calloc(most, sizeof *p->spare);
    return p->spare && ops->map(machine, base, (uint64_t)most * PAGE,
                                ENGINE_READ | ENGINE_WRITE);
}

void
paging_close(struct paging *p)
{
    free(p->spare);
    p->spare = NULL;
}

/* The entries from `first` on of one table to another. */
static void
copy_entries(struct paging *p, uint64_t to, uint64_t from, unsigned first)
{
    for (unsigned i = first; from && i < ENTRIES; i++) {
        uint64_t entry = get_entry(p, from, i);
        if (entry)
            set_entry(p, to, i, entry);
    }
}

/* A top for a root whose context has one. */
static bool
add_top(struct paging *p, struct paging_root *root)
{
    assert(root->root && !root->top && root->context->top);
    root->top = new_table(p);
    if (!root->top)
        return false;
    set_entry(p, root->top, 0, entry_of(root->root, 0));
    copy_entries(p, root->top, root->context->top, 1);
    return true;
}

uint64_t
paging_ptbr(const struct paging_root *root)
{
    assert(root->root);
    return root->top ? root->top | VENTUS_SIM_SV48 : root->root;
}

bool
paging_add_root(struct paging *p, struct paging_context *c,
                struct paging_root *root)
{
    *root = (struct paging_root){ .context = c };
    assert(!c->high || c->high >= p->base);
    root->root = new_table(p);
    root->middle = new_table(p);
    if (!root->root || !root->middle || (c->top && !add_top(p, root))) {
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
    copy_entries(p, root->root, c->wide, 0); /* it has no own entries */
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
    give_back(p, root->top);
    root->root = root->top = 0;
}

void
paging_remove_context(struct paging *p, struct paging_context *c)
{
    assert(!c->roots);
    for (unsigned s = 0; s < PAGING_SLOTS; s++)
        give_back(p, c->leaf[s]);
    give_back(p, c->high);
    if (c->wide)
        give_back_tree(p, c->wide, ROOT_SHIFT);
    if (c->top)
        give_back_tree(p, c->top, TOP_SHIFT);
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

/* ---- wide addresses ---- */

/* An entry of a table of the context, and of those of its programs that have
 * copies. */
static void
set_shared_entry(struct paging *p, struct paging_context *c, uint64_t table,
                 unsigned index, uint64_t entry)
{
    assert(table != c->wide || index >= WIDE_INDEX || index < LOW_INDICES);
    set_entry(p, table, index, entry);
    for (struct paging_root *r = c->roots; r; r = r->next)
        if (table == c->wide)
            set_entry(p, r->root, index, entry);
        else if (table == c->top)
            set_entry(p, r->top, index, entry);
}

/* The table that the entry for `address` points to, made if it is missing;
 * 0: no room. */
static uint64_t
wide_table(struct paging *p, struct paging_context *c, uint64_t table,
           uint64_t address, unsigned shift)
{
    unsigned index = (unsigned)(address >> shift) & (ENTRIES - 1);
    uint64_t entry = get_entry(p, table, index), next = table_of(entry);
    assert(next || !(entry & PTE_V)); /* no large page was mapped there */
    if (next || !(next = new_table(p)))
        return next;
    set_shared_entry(p, c, table, index, entry_of(next, 0));
    return next;
}

/* An entry of a middle table; a table that was there has no entries. */
static void
set_large(struct paging *p, uint64_t middle, uint64_t address, uint64_t entry)
{
    unsigned index = (unsigned)(address >> LARGE_SHIFT) & (ENTRIES - 1);
    give_back(p, table_of(get_entry(p, middle, index)));
    set_entry(p, middle, index, entry);
}

/* Sets the entries of pages in one leaf table; how many bytes, 0: no room. */
static uint64_t
set_small(struct paging *p, struct paging_context *c, uint64_t middle,
          uint64_t address, uint64_t physical, uint64_t size, unsigned flags)
{
    uint64_t leaf = wide_table(p, c, middle, address, LARGE_SHIFT);
    uint64_t n = (PAGING_LARGE - address % PAGING_LARGE) / PAGE;
    unsigned first = (unsigned)(address % PAGING_LARGE / PAGE);
    if (n > size / PAGE)
        n = size / PAGE;
    for (unsigned i = 0; leaf && i < n; i++)
        set_entry(p, leaf, first + i,
                  flags ? entry_of(physical + (uint64_t)i * PAGE, flags) : 0);
    return leaf ? n * PAGE : 0;
}

/* Gives the tables of a context four levels. */
static bool
make_top(struct paging *p, struct paging_context *c)
{
    if (!c->top)
        c->top = new_table(p);
    bool ok = c->top != 0;
    for (struct paging_root *r = c->roots; ok && r; r = r->next)
        ok = r->top || add_top(p, r);
    return ok;
}

/* The table of the context with the entry of 1 GiB for an address. */
static uint64_t
root_for(struct paging *p, struct paging_context *c, uint64_t address)
{
    if (address >> TOP_SHIFT)
        return wide_table(p, c, c->top, address, TOP_SHIFT);
    if (!c->wide)
        c->wide = new_table(p);
    return c->wide;
}

/* Sets the entries of whole pages, as large as can be; flags 0: none. */
static bool
set_wide(struct paging *p, struct paging_context *c, uint64_t address,
         uint64_t physical, uint64_t size, unsigned flags)
{
    assert((address | physical | size) % PAGE == 0);
    assert(!flags || (address ^ physical) % PAGING_LARGE == 0);
    if (address + size > PAGING_WIDE_END && !make_top(p, c))
        return false;
    while (size) {
        uint64_t root = root_for(p, c, address), n;
        uint64_t middle =
            root ? wide_table(p, c, root, address, ROOT_SHIFT) : 0;
        if (!middle)
            return false;
        if (address % PAGING_LARGE == 0 && size >= PAGING_LARGE) {
            n = PAGING_LARGE;
            set_large(p, middle, address,
                      flags ? entry_of(physical, flags) : 0);
        } else if (!(n = set_small(p, c, middle, address, physical, size,
                                   flags))) {
            return false;
        }
        address += n;
        physical += n;
        size -= n;
    }
    return true;
}

static bool
is_low(uint64_t address, uint64_t size)
{
    return address < PAGING_LOW_END && size <= PAGING_LOW_END - address;
}

static bool
is_in_reach(uint64_t address, uint64_t size)
{
    uint64_t end = address + size;
    return is_low(address, size) ||
           (address >= first_address && end <= PAGING_WIDE) ||
           (address >= PAGING_WIDE && end <= PAGING_FAR_END && end > address);
}

bool
paging_map(struct paging *p, struct paging_context *c, struct paging_root *root,
           uint64_t address, uint64_t physical, uint64_t size, unsigned perm)
{
    assert(size > 0 && perm && perm <= 7);
    assert(!root || root->context == c);
    assert(is_in_reach(address, size));
    /* R, W and X of an entry are bits 1 to 3; the machine sets no A and D. */
    unsigned flags = perm << 1 | PTE_U | PTE_A | PTE_D;
    if (address >= PAGING_WIDE || is_low(address, size))
        return set_wide(p, c, address, physical, size, flags);
    return set_pages(p, c, root, address, physical, size, flags);
}

void
paging_unmap(struct paging *p, struct paging_context *c, uint64_t address,
             uint64_t size)
{
    assert(is_in_reach(address, size));
    if (address >= PAGING_WIDE || is_low(address, size))
        set_wide(p, c, address, 0, size, 0);
    else
        set_pages(p, c, NULL, address, 0, size, 0);
}
