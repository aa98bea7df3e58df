/* SPDX-License-Identifier: Apache-2.0 */
#include "sanitize/shadow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- pages ---- */

/* The part of [from, from + size) that is in the page. */
static bool
clip(uint64_t number, uint64_t from, uint64_t size, unsigned *at, unsigned *n)
{
    uint64_t start = number * SHADOW_PAGE, end = start + SHADOW_PAGE;
    uint64_t lo = from > start ? from : start;
    uint64_t hi = from + size < end ? from + size : end;
    if (lo >= hi)
        return false;
    *at = (unsigned)(lo - start);
    *n = (unsigned)(hi - lo);
    return true;
}

static struct shadow_page *
look_up(const struct shadow *s, uint64_t number)
{
    uint32_t row;
    hash_each (&s->index, hash_u64(number), row)
        if (s->page[row]->number == number)
            return s->page[row];
    return NULL;
}

static struct shadow_page *
add(struct shadow *s, uint64_t number)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 64;
        struct shadow_page **page =
            realloc(s->page, cap * sizeof(struct shadow_page *));
        if (!page)
            return NULL;
        s->page = page;
        s->cap = cap;
    }
    struct shadow_page *p = calloc(1, sizeof *p);
    if (!p || !hash_add(&s->index, hash_u64(number), s->n)) {
        free(p);
        return NULL;
    }
    p->number = number;
    p->launch = s->launch;
    s->page[s->n++] = p;
    unsigned at, n;
    for (size_t i = 0; i < s->ranges; i++)
        if (clip(number, s->range[i].address, s->range[i].size, &at, &n))
            shadow_mark(p, at, n, true);
    return p;
}

struct shadow_page *
shadow_make(struct shadow *s, uint64_t address)
{
    uint64_t number = address / SHADOW_PAGE;
    struct shadow_page *p = look_up(s, number);
    if (!p)
        p = add(s, number);
    if (!p) {
        s->lost = true;
        return NULL;
    }
    if (p->launch != s->launch) {
        memset(p->race, 0, sizeof p->race);
        p->launch = s->launch;
    }
    s->last = p;
    return p;
}

struct shadow_page *
shadow_find(struct shadow *s, uint64_t address)
{
    uint64_t number = address / SHADOW_PAGE;
    unsigned at, n;
    if (s->last && s->last->number == number)
        return s->last;
    struct shadow_page *p = look_up(s, number);
    for (size_t i = 0; !p && i < s->ranges; i++)
        if (clip(number, s->range[i].address, s->range[i].size, &at, &n))
            p = shadow_make(s, address);
    return p;
}

void
shadow_mark(struct shadow_page *p, unsigned at, unsigned size, bool unknown)
{
    assert(at + size <= SHADOW_PAGE);
    p->any |= unknown;
    for (; size && at % 64; at++, size--)
        shadow_put(p->unknown, at, 1, unknown);
    for (; size >= 64; at += 64, size -= 64)
        p->unknown[at / 64] = unknown ? UINT64_MAX : 0;
    for (; size; at++, size--)
        shadow_put(p->unknown, at, 1, unknown);
}

void
shadow_set(struct shadow *s, uint64_t address, uint64_t size, bool unknown)
{
    uint64_t end = address + size;
    assert(end >= address);
    for (uint64_t at = address; at < end;
         at = (at / SHADOW_PAGE + 1) * SHADOW_PAGE) {
        struct shadow_page *p =
            unknown ? shadow_make(s, at) : shadow_find(s, at);
        unsigned from, n;
        if (p && clip(p->number, address, size, &from, &n))
            shadow_mark(p, from, n, unknown);
    }
}

/* ---- allocations ---- */

void
shadow_allocated(struct shadow *s, uint64_t address, uint64_t size)
{
    if (s->ranges == s->ranges_cap) {
        size_t cap = s->ranges_cap ? 2 * s->ranges_cap : 64;
        struct shadow_range *range =
            realloc(s->range, cap * sizeof(struct shadow_range));
        if (!range) {
            s->lost = true;
            return;
        }
        s->range = range;
        s->ranges_cap = cap;
    }
    s->range[s->ranges++] =
        (struct shadow_range){ .address = address, .size = size };
    for (size_t i = 0; i < s->n; i++) {
        unsigned at, n;
        if (clip(s->page[i]->number, address, size, &at, &n))
            shadow_mark(s->page[i], at, n, true);
    }
}

void
shadow_released(struct shadow *s, uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < s->ranges; i++)
        if (s->range[i].address == address) {
            s->range[i] = s->range[--s->ranges];
            break;
        }
    s->last = NULL;
    for (size_t i = s->n; i-- > 0;) {
        struct shadow_page *p = s->page[i];
        unsigned at, n;
        if (!clip(p->number, address, size, &at, &n))
            continue;
        hash_remove(&s->index, hash_u64(p->number), i);
        s->page[i] = s->page[--s->n];
        if (i != s->n)
            hash_renumber(&s->index, hash_u64(s->page[i]->number), s->n, i);
        free(p);
    }
}

static bool
is_unknown(struct shadow *s, uint64_t address)
{
    struct shadow_page *p = shadow_find(s, address);
    return p && p->any &&
           shadow_is_unknown(p->unknown, (unsigned)(address % SHADOW_PAGE), 1);
}

void
shadow_copy(struct shadow *s, uint64_t to, uint64_t from, uint64_t size)
{
    bool back = to > from;
    for (uint64_t i = 0; i < size; i++) {
        uint64_t k = back ? size - 1 - i : i;
        bool unknown = is_unknown(s, from + k);
        struct shadow_page *p = shadow_find(s, to + k);
        if (!p && unknown)
            p = shadow_make(s, to + k);
        if (p && (p->any || unknown))
            shadow_mark(p, (unsigned)((to + k) % SHADOW_PAGE), 1, unknown);
    }
}

void
shadow_next_launch(struct shadow *s)
{
    s->launch++;
}

void
shadow_free(struct shadow *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->page[i]);
    free(s->page);
    free(s->range);
    hash_free(&s->index);
    *s = (struct shadow){ 0 };
}
