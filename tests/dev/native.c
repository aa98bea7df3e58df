/* SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dev/engine/engine.h"

enum { KERNELS = 4 };

/* ---- memory: ranges in a list ---- */

struct range {
    uint64_t address, size;
    uint8_t *at;
    struct range *next;
};

struct native {
    struct range *ranges;
    unsigned lanes;
    struct engine_fault *fault; /* of the launch that runs */
    bool faulted;
};

static struct range *
find(const struct native *n, uint64_t address, uint64_t size)
{
    struct range *r = n->ranges;
    while (r && (address < r->address || size > r->size ||
                 address - r->address > r->size - size))
        r = r->next;
    return r;
}

static void *
create(const struct config *config, char *text, size_t size)
{
    struct native *n = calloc(1, sizeof *n);
    if (n)
        n->lanes = (unsigned)config->value[CONFIG_num_thread];
    else
        snprintf(text, size, "out of host memory");
    return n;
}

static bool
unmap(void *machine, uint64_t address)
{
    struct native *n = machine;
    for (struct range **at = &n->ranges; *at; at = &(*at)->next) {
        struct range *r = *at;
        if (r->address != address)
            continue;
        *at = r->next;
        free(r->at);
        free(r);
        return true;
    }
    return false;
}

static void
destroy(void *machine)
{
    struct native *n = machine;
    while (n->ranges)
        unmap(n, n->ranges->address);
    free(n);
}

static bool
map(void *machine, uint64_t address, uint64_t size, unsigned perm)
{
    struct native *n = machine;
    struct range *r = calloc(1, sizeof *r);
    (void)perm; /* without VENTUS_DEV_CHECKS */
    if (!r || !(r->at = calloc(1, size))) {
        free(r);
        return false;
    }
    r->address = address;
    r->size = size;
    r->next = n->ranges;
    n->ranges = r;
    return true;
}

static void
bound(void *machine, uint64_t address, uint64_t size, uint64_t padding)
{
    (void)machine;
    (void)address;
    (void)size;
    (void)padding;
}

static void *
pointer(void *machine, uint64_t address, uint64_t *size)
{
    const struct range *r = find(machine, address, 1);
    *size = r ? r->size - (address - r->address) : 0;
    return r ? r->at + (address - r->address) : NULL;
}

static bool
read_bytes(void *machine, uint64_t address, void *to, uint64_t size)
{
    uint64_t there;
    const void *at = pointer(machine, address, &there);
    if (at && there >= size)
        memcpy(to, at, size);
    return at && there >= size;
}

static bool
write_bytes(void *machine, uint64_t address, const void *from, uint64_t size)
{
    uint64_t there;
    void *at = pointer(machine, address, &there);
    if (at && there >= size)
        memcpy(at, from, size);
    return at && there >= size;
}

/* ---- what kernels access ---- */

/* Sv39, as docs/abi.md has it: a leaf has one of R, W and X. */
static bool
translate(const struct native_item *item, uint64_t address, uint64_t *physical)
{
    uint64_t table = item->ptbr, entry = 0;
    for (int level = 2; level >= 0; level--) {
        unsigned shift = 12 + 9 * (unsigned)level;
        uint64_t index = address >> shift & 511;
        if (!read_bytes(item->machine, table + 8 * index, &entry, 8) ||
            !(entry & 1))
            return false;
        table = entry >> 10 << 12;
        if (entry & 14) {
            *physical = table + (address & ((UINT64_C(1) << shift) - 1));
            return true;
        }
    }
    return false;
}

static void
fault(struct native *n, uint64_t address)
{
    if (n->faulted)
        return;
    n->faulted = true;
    *n->fault = (struct engine_fault){ .kind = "access to unmapped memory",
                                       .lane = -1 };
    snprintf(n->fault->text, sizeof n->fault->text,
             "access to unmapped memory at 0x%" PRIx64, address);
}

uint32_t
native_load(const struct native_item *item, uint64_t address)
{
    uint32_t word = 0;
    uint64_t physical;
    if (!translate(item, address, &physical) ||
        !read_bytes(item->machine, physical, &word, 4))
        fault(item->machine, address);
    return word;
}

void
native_store(const struct native_item *item, uint64_t address, uint32_t word)
{
    uint64_t physical;
    if (!translate(item, address, &physical) ||
        !write_bytes(item->machine, physical, &word, 4))
        fault(item->machine, address);
}

/* ---- launches ---- */

static struct {
    uint64_t entry;
    native_function *function;
} kernels[KERNELS];

void
native_kernel(uint64_t entry, native_function *function)
{
    unsigned i = 0;
    while (i < KERNELS && kernels[i].function && kernels[i].entry != entry)
        i++;
    assert(i < KERNELS);
    kernels[i].entry = entry;
    kernels[i].function = function;
}

static native_function *
function_of(uint64_t entry)
{
    for (unsigned i = 0; i < KERNELS; i++)
        if (kernels[i].entry == entry)
            return kernels[i].function;
    return NULL;
}

static void
run_group(struct native_item *item, const struct ventus_sim_launch *l,
          uint64_t group, native_function *function)
{
    uint64_t at[3] = { group % l->grid[0], group / l->grid[0] % l->grid[1],
                       group / l->grid[0] / l->grid[1] };
    uint64_t items = (uint64_t)l->local[0] * l->local[1] * l->local[2];
    for (uint64_t i = 0; i < items; i++) {
        uint64_t in[3] = { i % l->local[0], i / l->local[0] % l->local[1],
                           i / l->local[0] / l->local[1] };
        bool exists = true;
        for (int d = 0; d < 3; d++) {
            item->id[d] = at[d] * l->local[d] + in[d];
            exists = exists && item->id[d] < l->global[d];
        }
        if (exists)
            function(item);
    }
}

static bool
launch(void *machine, const struct engine_launch *what, struct engine_fault *f)
{
    const struct ventus_sim_launch *l = &what->launch;
    struct native *n = machine;
    struct native_item item = { .machine = n, .ptbr = l->ptbr };
    native_function *function = function_of(l->kernel);
    n->fault = f;
    n->faulted = false;
    if (!function) {
        *f = (struct engine_fault){ .kind = "no native code", .lane = -1 };
        snprintf(f->text, sizeof f->text, "no native code for it");
        return false;
    }
    item.args = native_load(&item, l->knl + 4);
    for (uint64_t i = 0; i < l->count && !n->faulted; i++) {
        if (__atomic_load_n(l->stop, __ATOMIC_RELAXED)) {
            *f = (struct engine_fault){ .kind = "stopped", .lane = -1 };
            snprintf(f->text, sizeof f->text, "stopped");
            return false;
        }
        run_group(&item, l, l->first + i, function);
        l->hooks->ended(l->hooks->ctx, l->first + i);
    }
    return !n->faulted;
}

const struct engine_ops engine_native = {
    .create = create,
    .destroy = destroy,
    .map = map,
    .bound = bound,
    .unmap = unmap,
    .read = read_bytes,
    .write = write_bytes,
    .pointer = pointer,
    .launch = launch,
};
