/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory: every allocation is a bank of its own in the machine. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug_assert.h"
#include "base/text.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/memory.h"
#include "dev/observer.h"

/* Accesses that a check of `memory` reports because of the flags of a buffer; the
 * access is then done. */
static unsigned
refused(const struct ventus_dev *d, unsigned flags)
{
    if (!d->checks_bounds)
        return 0;
    return flags & VENTUS_DEV_WRITE_ONLY ? ENGINE_READ
           : flags & VENTUS_DEV_READ_ONLY && !memory_is_read_only(flags)
               ? ENGINE_WRITE
               : 0;
}

/* Limits kernels to the bytes of a range that were asked for, and its padding. */
static void
memory_bound(struct ventus_dev *d, const struct space_range *r)
{
    assert(r->asked <= r->size && r->padding <= r->size - r->asked);
    d->ops->bound(d->machine, r->physical, r->asked,
                  d->checks_bounds ? 0 : r->padding);
}

/* Gives padding to a range at an address of the caller's, which has no page of its
 * own after it. */
static void
pad_in_place(struct ventus_dev *d, struct space_range *r)
{
    uint64_t rest = r->size - r->asked;
    r->padding = !d->space.padded       ? 0
                 : rest < SPACE_PADDING ? rest
                                        : SPACE_PADDING;
}

/*
 * Buffers have wide addresses on devices with more memory than narrow ones
 * reach.  Large ones are aligned to entries of the tables.
 */
static struct space_area
area_for(const struct ventus_dev *d, uint64_t size, bool narrow)
{
    if (narrow || d->space.limit <= DEV_NARROW_MAX)
        return (struct space_area){ DEV_BUFFERS, DEV_BUFFERS_END, SPACE_PAGE };
    return (struct space_area){ PAGING_WIDE, PAGING_WIDE_END,
                                size < PAGING_LARGE ? SPACE_PAGE
                                                    : PAGING_LARGE };
}

static bool
fail_full(const struct ventus_dev *d, uint64_t size)
{
    return dev_fail("no room for %" PRIu64 " byte%s: %" PRIu64 " of %" PRIu64
                    " bytes are in use",
                    size, text_plural(size), d->space.used, d->space.limit);
}

static uint64_t
physical_of(uint64_t address)
{
    bool narrow = address >= DEV_BUFFERS && address < PAGING_WIDE;
    return narrow ? DEV_BUFFERS_BASE + (address - DEV_BUFFERS)
                  : DEV_WIDE_BASE + address;
}

/* Gives a new range its bytes, the host's or new ones; its address, or 0. */
static uint64_t
memory_install(struct ventus_dev_context *c, struct space_range *r,
               unsigned flags, void *host)
{
    struct ventus_dev *d = c->dev;
    r->flags = flags;
    r->owner = c;
    r->physical = physical_of(r->address);
    const unsigned perm =
        ENGINE_READ | (memory_is_read_only(flags) ? 0 : ENGINE_WRITE);
    /* Page tables have no pages that are for writing only; banks have. */
    const unsigned no = refused(d, flags);
    const unsigned banks = (perm & ~no) | (no ? ENGINE_YIELDS : 0);
    if (!(host ? d->ops->map_host(d->machine, r->physical, r->size, banks, host)
               : d->ops->map(d->machine, r->physical, r->size, banks))) {
        space_remove(&d->space, r);
        dev_fail_memory("a buffer");
        return 0;
    }
    memory_bound(d, r);
    if (!paging_map(&d->paging, &c->tables, NULL, r->address, r->physical,
                    r->size, perm)) {
        paging_unmap(&d->paging, &c->tables, r->address, r->size);
        d->ops->unmap(d->machine, r->physical);
        space_remove(&d->space, r);
        dev_fail("no room for page tables");
        return 0;
    }
    context_link(c);
    return r->address;
}

uint64_t
memory_alloc(struct ventus_dev_context *c, uint64_t size, unsigned flags,
             bool narrow)
{
    struct ventus_dev *d = c->dev;
    debug_assert(ticket_lock_is_held(&d->lock));
    struct space_area area = area_for(d, size, narrow);
    struct space_range *r = space_alloc(&d->space, &area, size);
    if (!r) {
        if (d->space.lacks_memory)
            dev_fail_memory("a buffer");
        else
            fail_full(d, size);
        return 0;
    }
    assert(r->address >= area.lo && r->size <= area.hi - r->address);
    return memory_install(c, r, flags, NULL);
}

uint64_t
ventus_dev_alloc(struct ventus_dev *d, uint64_t size, unsigned flags)
{
    if (d->bare)
        return dev_fail(
            "ventus_dev_alloc: this device is bare, use ventus_dev_place");
    return ventus_dev_alloc_in(&d->own, size, flags);
}

uint64_t
ventus_dev_alloc_in(struct ventus_dev_context *c, uint64_t size, unsigned flags)
{
    struct ventus_dev *d = c->dev;
    ticket_lock_acquire(&d->lock);
    uint64_t address = memory_alloc(c, size, flags, false);
    if (address)
        observers_allocated(d, space_find(&d->space, address));
    ticket_lock_release(&d->lock);
    return address;
}

/* Tests whether kernels can address the range, and the device uses none of its
 * addresses itself. */
static bool
is_shareable(const struct ventus_dev *d, uint64_t address, uint64_t size)
{
    bool wide = d->config.value[CONFIG_isa] == VENTUS_ISA_V2;
    uint64_t end = address + size;
    return end > address &&
           ((address >= DEV_BUFFERS && end <= DEV_BUFFERS_END) ||
            (wide && address >= PAGING_WIDE && end <= PAGING_FAR_END));
}

/* Tests whether a range is at low addresses, where a recorded launch had memory of
 * its host program (host_memory). */
static bool
is_low(const struct ventus_dev *d, uint64_t address, uint64_t size)
{
    return d->config.value[CONFIG_isa] == VENTUS_ISA_V2 &&
           address < PAGING_LOW_END && size <= PAGING_LOW_END - address;
}

bool
memory_alloc_at(struct ventus_dev_context *c, uint64_t address,
                uint64_t capacity, uint64_t asked, unsigned flags)
{
    struct ventus_dev *d = c->dev;
    debug_assert(ticket_lock_is_held(&d->lock));
    if (!capacity || address % SPACE_PAGE ||
        !(is_shareable(d, address, capacity) || is_low(d, address, capacity)))
        return dev_fail("kernels do not reach [0x%" PRIx64 ", +%" PRIu64 ")",
                        address, capacity);
    if (capacity > d->space.limit - d->space.used)
        return fail_full(d, capacity);
    struct space_range *r = space_alloc_at(&d->space, address, capacity);
    if (!r)
        return dev_fail("a buffer is at 0x%" PRIx64 " or after it", address);
    r->asked = asked;
    pad_in_place(d, r);
    return memory_install(c, r, flags, NULL) != 0;
}

static bool
memory_share(struct ventus_dev_context *c, void *host, uint64_t size,
             unsigned flags)
{
    struct ventus_dev *d = c->dev;
    uint64_t address = (uintptr_t)host;
    debug_assert(ticket_lock_is_held(&d->lock));
    if (!d->ops->map_host)
        return dev_fail("engine %s shares no memory with the host",
                        engine_of(&d->config)->name);
    if (!size || address % SPACE_PAGE ||
        !is_shareable(d, address, space_pages(size)))
        return dev_fail("ventus_dev_share: kernels do not reach [0x%" PRIx64
                        ", +%" PRIu64 ")",
                        address, size);
    if (space_pages(size) > d->space.limit - d->space.used)
        return fail_full(d, size);
    struct space_range *r = space_alloc_at(&d->space, address, size);
    if (!r && d->space.lacks_memory)
        return dev_fail_memory("a buffer");
    if (!r)
        return dev_fail("ventus_dev_share: a buffer is at 0x%" PRIx64
                        " or after it",
                        address);
    pad_in_place(d, r);
    return memory_install(c, r, flags, host) != 0;
}

bool
ventus_dev_share(struct ventus_dev_context *c, void *host, uint64_t size,
                 unsigned flags)
{
    struct ventus_dev *d = c->dev;
    ticket_lock_acquire(&d->lock);
    bool ok = memory_share(c, host, size, flags);
    if (ok)
        observers_shared(d, space_find(&d->space, (uintptr_t)host));
    ticket_lock_release(&d->lock);
    return ok;
}

void
memory_free(struct ventus_dev *d, struct space_range *r)
{
    debug_assert(ticket_lock_is_held(&d->lock));
    assert(!r->owner || r->owner->dev == d);
    if (r->owner)
        paging_unmap(&d->paging, &r->owner->tables, r->address, r->size);
    d->ops->unmap(d->machine, r->physical);
    observers_released(d, r);
    space_remove(&d->space, r);
}

bool
ventus_dev_free(struct ventus_dev *d, uint64_t address)
{
    ticket_lock_acquire(&d->lock);
    struct space_range *r = space_find(&d->space, address);
    bool of_launches = address == d->args.address ||
                       address == d->print.address ||
                       address == d->private_memory.address;
    bool ok = r && r->address == address && !of_launches;
    if (ok) {
        d->freed[d->n_freed++ % DEV_FREED] = *r;
        memory_free(d, r);
    } else
        dev_fail("ventus_dev_free: 0x%08" PRIx64 " is no allocation", address);
    ticket_lock_release(&d->lock);
    return ok;
}

/* The first page from `address` on that exists or not, as wanted, or `end`. */
static uint64_t
find_page(const struct ventus_dev *d, uint64_t address, uint64_t end,
          bool exists)
{
    while (address < end && !space_find(&d->space, address) == exists)
        address += SPACE_PAGE;
    return address;
}

bool
ventus_dev_place(struct ventus_dev *d, uint64_t address, uint64_t size)
{
    if (!d->bare)
        return dev_fail(
            "ventus_dev_place: this device is not bare, use ventus_dev_alloc");
    uint64_t at = address / SPACE_PAGE * SPACE_PAGE;
    uint64_t end = space_pages(address + size); /* 0: the last page of all */
    if (!size || address + size < address || end < address)
        return dev_fail("ventus_dev_place: bad size %" PRIu64, size);
    if (at < DEV_LOCAL + 0x10000000 && end > DEV_LOCAL)
        return dev_fail("0x%08" PRIx64 "+0x%" PRIx64
                        " is in the window of local memory",
                        address, size);
    bool ok = true;
    ticket_lock_acquire(&d->lock);
    while (ok && (at = find_page(d, at, end, false)) < end) {
        uint64_t gap = find_page(d, at, end, true) - at;
        struct space_range *r = space_alloc_at(&d->space, at, gap);
        ok = r && d->ops->map(d->machine, at, gap,
                              ENGINE_READ | ENGINE_WRITE | ENGINE_EXEC);
        if (ok)
            r->physical = at;
        else if (r)
            space_remove(&d->space, r);
        at += gap;
    }
    ticket_lock_release(&d->lock);
    return ok || dev_fail_memory("memory of a bare device");
}

/* Bare memory may cross allocations; the machine knows what exists. */
static bool
to_physical(const struct ventus_dev *d, uint64_t address, uint64_t size,
            uint64_t *physical)
{
    *physical = address;
    if (d->bare)
        return true;
    const struct space_range *r = space_find_inside(&d->space, address, size);
    if (r)
        *physical = r->physical + (address - r->address);
    assert(!r || address - r->address + size <= r->asked);
    return r != NULL;
}

static bool
fail_range(const char *call, uint64_t address, uint64_t size)
{
    return dev_fail("%s: [0x%08" PRIx64 ", +%" PRIu64
                    ") is not in one allocation",
                    call, address, size);
}

bool
memory_write(struct ventus_dev *d, uint64_t address, const void *from,
             uint64_t size)
{
    debug_assert(ticket_lock_is_held(&d->lock));
    uint64_t physical;
    return to_physical(d, address, size, &physical) &&
           d->ops->write(d->machine, physical, from, size);
}

bool
ventus_dev_write(struct ventus_dev *d, uint64_t address, const void *from,
                 uint64_t size)
{
    ticket_lock_acquire(&d->lock);
    bool ok = memory_write(d, address, from, size);
    if (ok)
        observers_written(d, address, size);
    ticket_lock_release(&d->lock);
    return ok || fail_range("ventus_dev_write", address, size);
}

bool
ventus_dev_read(struct ventus_dev *d, uint64_t address, void *to, uint64_t size)
{
    uint64_t physical;
    ticket_lock_acquire(&d->lock);
    bool ok = to_physical(d, address, size, &physical) &&
              d->ops->read(d->machine, physical, to, size);
    ticket_lock_release(&d->lock);
    return ok || fail_range("ventus_dev_read", address, size);
}

/* Returns where [address, address + size) is on the host; NULL: not in one piece. */
static void *
host_pointer(struct ventus_dev *d, uint64_t address, uint64_t size)
{
    uint64_t physical, there = 0;
    if (!to_physical(d, address, size, &physical))
        return NULL;
    void *at = d->ops->pointer(d->machine, physical, &there);
    return at && there >= size ? at : NULL;
}

bool
ventus_dev_copy(struct ventus_dev *d, uint64_t to, uint64_t from, uint64_t size)
{
    ticket_lock_acquire(&d->lock);
    void *target = host_pointer(d, to, size);
    const void *source = host_pointer(d, from, size);
    if (target && source) {
        memmove(target, source, size);
        observers_copied(d, to, from, size);
    }
    ticket_lock_release(&d->lock);
    if (!source)
        return fail_range("ventus_dev_copy", from, size);
    return target || fail_range("ventus_dev_copy", to, size);
}

/* Each copy is twice as long as the one before, while that is in the L1. */
static void
fill_bytes(uint8_t *at, const uint8_t *pattern, size_t pattern_size,
           uint64_t size)
{
    assert(pattern_size > 0);
    enum { CHUNK_B = 16 << 10 };
    uint64_t n = pattern_size < size ? pattern_size : size;
    memcpy(at, pattern, n);
    for (uint64_t done = n; done < size; done += n) {
        if (done == 2 * n && n < CHUNK_B)
            n = done;
        if (n > size - done)
            n = size - done;
        memcpy(at + done, at, n);
    }
}

bool
ventus_dev_fill(struct ventus_dev *d, uint64_t address, const void *pattern,
                size_t pattern_size, uint64_t size)
{
    if (!pattern_size || pattern_size > 128)
        return dev_fail("ventus_dev_fill: expected a pattern of 1 to 128 "
                        "bytes, found %zu",
                        pattern_size);
    if (size % pattern_size)
        return dev_fail("ventus_dev_fill: %" PRIu64
                        " bytes are no multiple of a pattern of %zu",
                        size, pattern_size);
    ticket_lock_acquire(&d->lock);
    uint8_t *at = host_pointer(d, address, size);
    if (at) {
        fill_bytes(at, pattern, pattern_size, size);
        observers_written(d, address, size);
    }
    ticket_lock_release(&d->lock);
    return at || fail_range("ventus_dev_fill", address, size);
}

/* Moves memory for launches from the context that used it last to this one. */
static bool
move_scratch(struct ventus_dev_context *c, struct scratch *s,
             struct space_range *r)
{
    assert(s->context != c && r->address == s->address);
    struct paging *p = &c->dev->paging;
    unsigned perm =
        ENGINE_READ | (s->flags & VENTUS_DEV_READ_ONLY ? 0 : ENGINE_WRITE);
    if (s->context)
        paging_unmap(p, &s->context->tables, r->address, r->size);
    s->context = r->owner = NULL;
    if (!paging_map(p, &c->tables, NULL, r->address, r->physical, r->size,
                    perm)) {
        paging_unmap(p, &c->tables, r->address, r->size);
        return dev_fail("no room for page tables");
    }
    s->context = r->owner = c;
    context_link(c);
    return true;
}

static bool
grow_scratch(struct ventus_dev_context *c, struct scratch *s, uint64_t size)
{
    struct ventus_dev *d = c->dev;
    if (s->address)
        memory_free(d, space_find(&d->space, s->address));
    *s = (struct scratch){ .flags = s->flags };
    s->address = memory_alloc(c, size, s->flags, true);
    if (!s->address)
        return false;
    struct space_range *r = space_find(&d->space, s->address);
    s->capacity = r->counted;
    r->padding = 0; /* no object of a program ends here */
    s->context = c;
    assert(s->capacity >= size);
    return true;
}

bool
scratch_use(struct ventus_dev_context *c, struct scratch *s, uint64_t size)
{
    struct ventus_dev *d = c->dev;
    debug_assert(ticket_lock_is_held(&d->lock));
    if (size > s->capacity && !grow_scratch(c, s, size))
        return false;
    struct space_range *r = space_find(&d->space, s->address);
    if (!r || (s->size == size && s->context == c))
        return true;
    if (s->context != c && !move_scratch(c, s, r))
        return false;
    assert(size <= s->capacity && s->context == c);
    s->size = r->asked = size;
    memory_bound(d, r);
    return true;
}
