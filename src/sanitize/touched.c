/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory that the last launch accessed, and bytes that nothing has written. */
#include <assert.h>
#include <stdlib.h>

#include "sanitize/state.h"

/* ---- accesses ---- */

static int
by_number(const void *a, const void *b)
{
    const struct shadow_page *const *x = a, *const *y = b;
    return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

/* After the last range, or as a part of it; false: no host memory. */
static bool
add(struct sanitize_touched *list, size_t *cap,
    const struct sanitize_touch *one)
{
    struct sanitize_touch *last = list->n ? &list->at[list->n - 1] : NULL;
    assert(one->from < one->to && (!last || last->to <= one->from));
    if (last && last->to == one->from && last->written == one->written &&
        last->atomic == one->atomic) {
        last->to = one->to;
        return true;
    }
    if (list->n == *cap) {
        size_t capacity = *cap ? 2 * *cap : 64;
        struct sanitize_touch *at = realloc(list->at, capacity * sizeof *at);
        if (!at)
            return false;
        list->at = at;
        *cap = capacity;
    }
    list->at[list->n++] = *one;
    return true;
}

/* Reads the records of a word: its last access, and the write before that. */
static bool
touch_of(const struct shadow_page *p, size_t i, struct sanitize_touch *to)
{
    const uint64_t last = p->race[i], before = p->write ? p->write[i] : 0;
    const unsigned bytes =
        (last ? race_bytes(last) : 0) | (before ? race_bytes(before) : 0);
    if (!bytes)
        return false;
    const uint64_t word = p->number * SHADOW_PAGE + 4 * i;
    *to = (struct sanitize_touch){
        .from = word + (unsigned)__builtin_ctz(bytes),
        .to = word + 32 - (unsigned)__builtin_clz(bytes),
        .written = race_state(last) >= RACE_WRITE || before,
        .atomic = race_state(last) >= RACE_ATOMIC &&
                  (!before || race_state(before) >= RACE_ATOMIC),
    };
    return true;
}

bool
sanitize_touched(const struct sanitize *c, struct sanitize_touched *list)
{
    const struct shadow *s = &c->shadow;
    const struct shadow_page **page = calloc(s->n + 1, sizeof *page);
    size_t n = 0, cap = 0;
    bool ok = page != NULL;
    *list = (struct sanitize_touched){ 0 };
    for (size_t i = 0; ok && i < s->n; i++)
        if (s->page[i]->launch == s->launch)
            page[n++] = s->page[i];
    if (n)
        qsort(page, n, sizeof *page, by_number);
    for (size_t i = 0; ok && i < n; i++)
        for (size_t k = 0; ok && k < SHADOW_WORDS; k++) {
            struct sanitize_touch one;
            if (touch_of(page[i], k, &one))
                ok = add(list, &cap, &one);
        }
    free(page);
    if (ok)
        return true;
    free(list->at);
    *list = (struct sanitize_touched){ 0 };
    return false;
}

/* ---- bytes that nothing has written ---- */

bool
sanitize_find_unwritten(struct sanitize *c, uint64_t address, uint64_t size,
                        uint64_t least, uint64_t *from)
{
    uint64_t run = 0;
    if (!c || !(c->options.kinds & SANITIZE_INIT) || !least)
        return false;
    for (uint64_t i = 0; i < size; i++) {
        uint64_t at = address + i;
        const struct shadow_page *p = shadow_find(&c->shadow, at);
        if (!p || !p->any) {
            run = 0;
            i += SHADOW_PAGE - 1 - at % SHADOW_PAGE;
            continue;
        }
        bool unknown =
            shadow_is_unknown(p->unknown, (unsigned)(at % SHADOW_PAGE), 1);
        run = unknown ? run + 1 : 0;
        if (run < least)
            continue;
        *from = at + 1 - run;
        return true;
    }
    return false;
}
