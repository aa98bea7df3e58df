/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/space.h"
#include "base/arith.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"

/* Index of the first range after `address`. */
static size_t
upper_bound(const struct space *s, uint64_t address)
{
    size_t i;
    BISECT(i, s->n, s->range[i].address <= address);
    return i;
}

struct space_range *
space_find(const struct space *s, uint64_t address)
{
    size_t i = upper_bound(s, address);
    if (!i)
        return NULL;
    struct space_range *r = &s->range[i - 1];
    return address - r->address < r->size ? r : NULL;
}

static struct space_range *
insert(struct space *s, size_t i, uint64_t address, uint64_t size,
       uint64_t asked)
{
    assert(address % SPACE_PAGE == 0 && size % SPACE_PAGE == 0);
    assert(size > 0 && asked <= size && i <= s->n);
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 16;
        struct space_range *range = realloc(s->range, cap * sizeof *range);
        s->lacks_memory = !range;
        if (!range)
            return NULL;
        s->range = range;
        s->cap = cap;
    }
    assert(!i || s->range[i - 1].address + s->range[i - 1].size <= address);
    assert(i == s->n || address + size <= s->range[i].address);
    memmove(&s->range[i + 1], &s->range[i], (s->n - i) * sizeof *s->range);
    s->range[i] = (struct space_range){
        .address = address, .size = size, .asked = asked, .counted = size
    };
    s->n++;
    s->used += size;
    return &s->range[i];
}

/* Inserts a range with the page after it, which is free. */
static struct space_range *
insert_padded(struct space *s, size_t i, uint64_t at, uint64_t size,
              uint64_t asked)
{
    struct space_range *r = insert(s, i, at, size, asked);
    if (r && s->padded) {
        r->size += SPACE_PAGE;
        r->padding = SPACE_PADDING;
    }
    return r;
}

struct space_range *
space_alloc(struct space *s, const struct space_area *area, uint64_t asked)
{
    assert(area->align >= SPACE_PAGE && area->lo % area->align == 0);
    s->lacks_memory = false;
    if (!asked)
        asked = 1;
    if (asked > area->hi - area->lo)
        return NULL;
    uint64_t size = space_pages(asked);
    if (size > s->limit - s->used)
        return NULL;
    uint64_t at = area->lo;
    for (size_t i = 0; i <= s->n && at < area->hi; i++) {
        const struct space_range *r = i < s->n ? &s->range[i] : NULL;
        uint64_t end = r && r->address < area->hi ? r->address : area->hi;
        /* A page stays free on both sides. */
        if (end > at && end - at >= size + SPACE_PAGE)
            return insert_padded(s, i, at, size, asked);
        if (r && r->address + r->size >= area->lo)
            at = align_up(r->address + r->counted + SPACE_PAGE, area->align);
    }
    return NULL;
}

struct space_range *
space_alloc_at(struct space *s, uint64_t address, uint64_t asked)
{
    size_t i = upper_bound(s, address);
    uint64_t size = space_pages(asked);
    assert(address % SPACE_PAGE == 0 && asked && address + size > address);
    s->lacks_memory = false;
    if (i && s->range[i - 1].address + s->range[i - 1].size > address)
        return NULL;
    if (i < s->n && s->range[i].address < address + size)
        return NULL;
    return insert(s, i, address, size, asked);
}

void
space_remove(struct space *s, struct space_range *range)
{
    size_t i = (size_t)(range - s->range);
    assert(i < s->n && s->used >= range->counted);
    s->used -= range->counted;
    s->n--;
    memmove(range, range + 1, (s->n - i) * sizeof *range);
}

void
space_free(struct space *s)
{
    free(s->range);
    s->range = NULL;
    s->n = s->cap = 0;
    s->used = 0;
}

struct space_range *
space_find_inside(const struct space *s, uint64_t address, uint64_t size)
{
    struct space_range *r = space_find(s, address);
    if (!r || size > r->asked || address - r->address > r->asked - size)
        return NULL;
    return r;
}
