/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The address space of a device: which addresses are in use.  Ranges are whole pages;
 * space_alloc leaves an unused page after each, so that an access over its end
 * faults.  With `padded` that page belongs to the range before it, whose padding it has,
 * and at least half of it stays unused.  First fit: the same calls give the same addresses.
 */
enum { SPACE_PAGE = 4096, SPACE_PADDING = SPACE_PAGE / 2 };

struct space_range {
    uint64_t address, size; /* whole pages */
    uint64_t asked;         /* bytes that may be used */
    uint64_t padding;       /* and after them as padding */
    uint64_t counted;       /* in `used` */
    uint64_t physical;
    unsigned flags;        /* enum ventus_dev_alloc_flags */
    const char *call_site; /* which call of the program created it, or NULL */
    struct ventus_dev_context
        *owner; /* the context that it is mapped in, or NULL */
};

/* Bounds of the addresses of an allocation, and its alignment. */
struct space_area {
    uint64_t lo, hi;
    uint64_t align; /* a power of two, a page at least */
};

struct space {
    uint64_t used, limit; /* bytes, whole pages, without those of padding */
    struct space_range *range; /* by ascending address */
    size_t n, cap;
    bool padded;
    bool lacks_memory; /* the host did for the last range, which there is not */
};

/*
 * A new range of at least `asked` bytes, its `physical` to be filled in; NULL
 * if there is no room.  Valid until the next change, as all ranges are.
 */
struct space_range *
space_alloc(struct space *s, const struct space_area *area, uint64_t asked);

/* Allocates at a given page; NULL if the range overlaps another. */
struct space_range *
space_alloc_at(struct space *s, uint64_t address, uint64_t asked);

/* The range that `address` is in, or NULL. */
struct space_range *
space_find(const struct space *s, uint64_t address);

void
space_remove(struct space *s, struct space_range *range);

void
space_free(struct space *s);

static inline uint64_t
space_pages(uint64_t size)
{
    return (size + SPACE_PAGE - 1) / SPACE_PAGE * SPACE_PAGE;
}

/* The allocation that has [address, address + size), or NULL. */
struct space_range *
space_find_inside(const struct space *s, uint64_t address, uint64_t size);
