/* SPDX-License-Identifier: Apache-2.0 */
/* The mapped memory of this process: /proc/self/maps without the banks. */
#define _GNU_SOURCE /* process_vm_readv */
#include "sim/host.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/guard.h"

struct host_range {
    uint64_t lo, hi;
    bool readable, writable;
    bool own;   /* a bank of the machine: for programs it is not there */
    bool named; /* of a file or the system: a page may have nothing after */
};

void
host_open(struct sim_host *h, const struct sim_mem *mem)
{
    *h = (struct sim_host){ .mem = mem };
    pthread_mutex_init(&h->lock, NULL);
}

void
host_close(struct sim_host *h)
{
    pthread_mutex_destroy(&h->lock);
    free(h->range);
}

void
host_begin(struct sim_host *h, const struct ventus_sim_launch *l)
{
    h->own_lo = l->own_lo;
    h->own_hi = l->own_hi;
    h->hooks = l->hooks;
    h->read = false;
}

/* ---- the list ---- */

static bool
add(struct sim_host *h, const struct host_range *r)
{
    if (r->lo >= r->hi)
        return true;
    if (h->n == h->cap) {
        size_t cap = h->cap ? 2 * h->cap : 128;
        struct host_range *range = realloc(h->range, cap * sizeof *range);
        if (!range)
            return false;
        h->range = range;
        h->cap = cap;
    }
    assert(h->n < h->cap && r->hi % SIM_PAGE == 0);
    h->range[h->n++] = *r;
    return true;
}

static int
by_address(const void *a, const void *b)
{
    const struct host_range *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* The banks, by where they are on the host. */
static bool
read_banks(struct sim_host *h)
{
    const struct sim_mem *m = h->mem;
    h->n = 0;
    for (size_t i = 0; i < m->n; i++) {
        uint64_t lo = (uintptr_t)m->bank[i].host;
        struct host_range r = { lo, lo + m->bank[i].size, .own = true };
        if (!add(h, &r))
            return false;
    }
    if (h->n)
        qsort(h->range, h->n, sizeof *h->range, by_address);
    return true;
}

/* Adds the parts of a mapped range between the first `banks` of the list. */
static bool
add_between(struct sim_host *h, struct host_range r, size_t *bank, size_t banks)
{
    for (; *bank < banks && h->range[*bank].lo < r.hi; ++*bank) {
        const struct host_range *own = &h->range[*bank];
        struct host_range before = r;
        before.hi = own->lo < r.hi ? own->lo : r.hi;
        uint64_t past = own->hi;
        if (!add(h, &before))
            return false;
        r.lo = past > r.lo ? past : r.lo;
        if (past > r.hi)
            return true; /* it may reach over the next one, too */
    }
    return add(h, &r);
}

/* Memory without a name, the heap and the stack have all of their pages. */
static bool
is_named(const char *name)
{
    return *name && strncmp(name, "[heap", 5) != 0 &&
           strncmp(name, "[stack", 6) != 0 && strncmp(name, "[anon", 5) != 0;
}

static bool
parse(const char *line, struct host_range *r)
{
    char perm[5] = "";
    int name = 0;
    *r = (struct host_range){ .lo = 0 };
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &r->lo,
               &r->hi, perm, &name) != 3)
        return false;
    r->readable = perm[0] == 'r';
    r->writable = perm[1] == 'w';
    r->named = !name || is_named(line + name);
    return true;
}

/* False: the host has no memory for the list. */
static bool
read_maps(struct sim_host *h, FILE *f)
{
    char *line = NULL;
    size_t capacity = 0, bank = 0;
    bool ok = read_banks(h);
    size_t banks = h->n;
    while (ok && getline(&line, &capacity, f) > 0) {
        struct host_range r;
        ok = !parse(line, &r) || add_between(h, r, &bank, banks);
    }
    ok = ok && !ferror(f);
    free(line);
    if (ok)
        qsort(h->range, h->n, sizeof *h->range, by_address);
    else
        h->n = 0;
    return ok;
}

/* Reads the current list of mapped ranges. */
static bool
read_list(struct sim_host *h)
{
    FILE *f = fopen("/proc/self/maps", "re");
    bool ok = f && read_maps(h, f);
    if (f)
        fclose(f);
    h->read = ok;
    return ok;
}

/* ---- an access ---- */

/* The last one that begins at the address or below it, if that is in it. */
static const struct host_range *
range_at(const struct sim_host *h, uint64_t address)
{
    size_t i;
    BISECT(i, h->n, h->range[i].lo <= address);
    return i && address < h->range[i - 1].hi ? &h->range[i - 1] : NULL;
}

/* Can the page be read now?  The system says so without a signal. */
static bool
is_readable(uint64_t page)
{
    char byte;
    struct iovec to = { &byte, 1 }, from = { (void *)(uintptr_t)page, 1 };
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1;
}

static enum ventus_sim_fault_kind
look_up(const struct sim_host *h, uint64_t address, bool write,
        const struct host_range **found)
{
    const struct host_range *r = *found = range_at(h, address);
    if (!r || r->own || !(r->readable || r->writable))
        return VENTUS_SIM_FAULT_UNMAPPED;
    return (write ? r->writable : r->readable) ? VENTUS_SIM_FAULT_NONE
                                               : VENTUS_SIM_FAULT_PERMISSION;
}

/* After a failure: may the list be out of date? */
static bool
is_outdated(const struct sim_host *h, uint64_t address, bool write,
            const struct host_range *r)
{
    if (!h->read)
        return true;
    if (r && r->own)
        return false;
    return (r && r->readable && write) || is_readable(address);
}

/* The range, or the page: each page of named memory is tested, and a hook
 * receives each. */
static enum ventus_sim_fault_kind
take(const struct sim_host *h, uint64_t address, const struct host_range *r,
     struct host_piece *piece)
{
    const struct ventus_sim_hooks *hooks = h->hooks;
    bool told = hooks && hooks->host_page;
    uint64_t page = address / SIM_PAGE * SIM_PAGE;
    *piece = (struct host_piece){ r->lo, r->hi - r->lo };
    if (!r->named && !told)
        return VENTUS_SIM_FAULT_NONE;
    *piece = (struct host_piece){ page, SIM_PAGE };
    if (r->named && !is_readable(page))
        return VENTUS_SIM_FAULT_UNMAPPED;
    if (told && r->readable)
        hooks->host_page(hooks->ctx, page, (const void *)(uintptr_t)page);
    return VENTUS_SIM_FAULT_NONE;
}

enum ventus_sim_fault_kind
host_find(struct sim_host *h, uint64_t address, bool write,
          struct host_piece *piece)
{
    const struct host_range *r;
    if (address >= h->own_lo && address < h->own_hi)
        return VENTUS_SIM_FAULT_UNMAPPED;
    struct guard_lock held;
    guard_lock(&held, &h->lock);
    if (!h->read)
        h->n = 0; /* of an earlier launch */
    enum ventus_sim_fault_kind why = look_up(h, address, write, &r);
    if (why && is_outdated(h, address, write, r))
        why = read_list(h) ? look_up(h, address, write, &r)
                           : VENTUS_SIM_FAULT_MEMORY;
    if (!why)
        why = take(h, address, r, piece);
    guard_unlock(&held);
    assert(why || address - piece->lo < piece->size);
    return why;
}
