/* SPDX-License-Identifier: Apache-2.0 */
#include "sanitize/shadow.h"
#include "base/arith.h"

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
    for (size_t i = 0; i < s->unknown.n; i++)
        if (clip(number, s->unknown.at[i].address, s->unknown.at[i].size, &at,
                 &n))
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
        free(p->write);
        p->write = NULL;
        p->launch = s->launch;
    }
    s->last = p;
    return p;
}

static void
free_page(struct shadow_page *p)
{
    free(p->write);
    free(p);
}

uint64_t *
shadow_write(struct shadow *s, uint64_t address)
{
    struct shadow_page *p = shadow_page(s, address);
    if (p && !p->write)
        p->write = calloc(SHADOW_WORDS, sizeof *p->write);
    if (!p || !p->write) {
        s->lost = true;
        return NULL;
    }
    return &p->write[address % SHADOW_PAGE / 4];
}

struct shadow_page *
shadow_find(struct shadow *s, uint64_t address)
{
    uint64_t number = address / SHADOW_PAGE;
    unsigned at, n;
    if (s->last && s->last->number == number)
        return s->last;
    struct shadow_page *p = look_up(s, number);
    for (size_t i = 0; !p && i < s->unknown.n; i++)
        if (clip(number, s->unknown.at[i].address, s->unknown.at[i].size, &at,
                 &n))
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

/* ---- ranges ---- */

static bool
add_range(struct shadow_ranges *r, uint64_t from, uint64_t to)
{
    if (r->n == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 64;
        struct shadow_range *at =
            realloc(r->at, cap * sizeof(struct shadow_range));
        if (!at)
            return false;
        r->at = at;
        r->cap = cap;
    }
    r->at[r->n++] = (struct shadow_range){ .address = from, .size = to - from };
    return true;
}

/* Takes the addresses out of the ranges; false: no host memory, more is out. */
static bool
cut(struct shadow_ranges *r, uint64_t from, uint64_t to)
{
    bool ok = true;
    for (size_t i = r->n; i-- > 0;) {
        uint64_t start = r->at[i].address, end = start + r->at[i].size;
        if (start >= to || end <= from)
            continue;
        r->at[i] = r->at[--r->n];
        if (start < from)
            ok &= add_range(r, start, from);
        if (end > to)
            ok &= add_range(r, to, end);
    }
    return ok;
}

/* ---- bytes ---- */

/* The pages of [from, to), which are whole, are known: none is made. */
static void
set_known(struct shadow *s, uint64_t from, uint64_t to)
{
    assert(from % SHADOW_PAGE == 0 && to % SHADOW_PAGE == 0);
    uint64_t first = from / SHADOW_PAGE, last = to / SHADOW_PAGE;
    bool each = last - first < s->n;
    for (uint64_t i = 0; i < (each ? last - first : s->n); i++) {
        struct shadow_page *p = each ? look_up(s, first + i) : s->page[i];
        if (!p || p->number - first >= last - first)
            continue;
        memset(p->unknown, 0, sizeof p->unknown);
        p->any = false;
    }
    s->lost |= !cut(&s->unknown, from, to);
}

static void
set_each(struct shadow *s, uint64_t address, uint64_t end, bool unknown)
{
    for (uint64_t at = address; at < end;
         at = (at / SHADOW_PAGE + 1) * SHADOW_PAGE) {
        struct shadow_page *p =
            unknown ? shadow_make(s, at) : shadow_find(s, at);
        unsigned from, n;
        if (p && clip(p->number, address, end - address, &from, &n))
            shadow_mark(p, from, n, unknown);
    }
}

void
shadow_set(struct shadow *s, uint64_t address, uint64_t size, bool unknown)
{
    uint64_t end = address + size;
    assert(end >= address);
    if (!size) /* wherever: rounded up, the address may be 0 */
        return;
    uint64_t first = (address + SHADOW_PAGE - 1) / SHADOW_PAGE * SHADOW_PAGE;
    uint64_t last = end / SHADOW_PAGE * SHADOW_PAGE;
    if (unknown || first >= last) {
        set_each(s, address, end, unknown);
        return;
    }
    set_each(s, address, first, false);
    set_known(s, first, last);
    set_each(s, last, end, false);
}

/* ---- allocations ---- */

void
shadow_allocated(struct shadow *s, uint64_t address, uint64_t size)
{
    if (!add_range(&s->unknown, address, address + size)) {
        s->lost = true;
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        unsigned at, n;
        if (clip(s->page[i]->number, address, size, &at, &n))
            shadow_mark(s->page[i], at, n, true);
    }
}

void
shadow_share(struct shadow *s, uint64_t address, uint64_t size)
{
    s->lost |= !add_range(&s->shared, address, address + size);
}

void
shadow_released(struct shadow *s, uint64_t address, uint64_t size)
{
    cut(&s->unknown, address, address + size);
    cut(&s->shared, address, address + size);
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
        free_page(p);
    }
}

static bool
is_unknown(struct shadow *s, uint64_t address)
{
    struct shadow_page *p = shadow_find(s, address);
    return p && p->any &&
           shadow_is_unknown(p->unknown, (unsigned)(address % SHADOW_PAGE), 1);
}

static void
copy_byte(struct shadow *s, uint64_t to, uint64_t from)
{
    bool unknown = is_unknown(s, from);
    struct shadow_page *p = shadow_find(s, to);
    if (!p && unknown)
        p = shadow_make(s, to);
    if (p && (p->any || unknown))
        shadow_mark(p, (unsigned)(to % SHADOW_PAGE), 1, unknown);
}

/* Bytes of both that are in one page each, from a place on or up to it. */
static uint64_t
near(uint64_t a, uint64_t b, bool back)
{
    uint64_t x =
        back ? (a - 1) % SHADOW_PAGE + 1 : SHADOW_PAGE - a % SHADOW_PAGE;
    uint64_t y =
        back ? (b - 1) % SHADOW_PAGE + 1 : SHADOW_PAGE - b % SHADOW_PAGE;
    return min_u64(x, y);
}

static bool
is_known(struct shadow *s, uint64_t address)
{
    const struct shadow_page *p = shadow_find(s, address);
    return !p || !p->any;
}

void
shadow_copy(struct shadow *s, uint64_t to, uint64_t from, uint64_t size)
{
    bool back = to > from;
    for (uint64_t left = size; left;) {
        uint64_t at = back ? left : size - left;
        uint64_t n = near(to + at, from + at, back);
        n = n < left ? n : left;
        uint64_t first = back ? at - n : at;
        left -= n;
        if (is_known(s, from + first) && is_known(s, to + first))
            continue;
        for (uint64_t i = 0; i < n; i++) {
            uint64_t k = first + (back ? n - 1 - i : i);
            copy_byte(s, to + k, from + k);
        }
    }
}

void
shadow_next_launch(struct shadow *s)
{
    s->launch++;
    for (size_t i = 0; i < s->shared.n; i++)
        shadow_set(s, s->shared.at[i].address, s->shared.at[i].size, false);
}

void
shadow_free(struct shadow *s)
{
    for (size_t i = 0; i < s->n; i++)
        free_page(s->page[i]);
    free(s->page);
    free(s->unknown.at);
    free(s->shared.at);
    hash_free(&s->index);
    *s = (struct shadow){ 0 };
}
