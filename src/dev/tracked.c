/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "dev/tracked.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bisect.h"

/* Copies of so many pages are mapped: those that are zero take no memory. */
enum { MAPPED_PAGES = 64, WRITTEN_MOST = 4096 };

/* Index of the first one at `physical` or above. */
static size_t
lower_bound(const struct tracked_list *l, uint64_t physical)
{
    size_t i;
    BISECT(i, l->n, l->at[i]->physical < physical);
    return i;
}

/* Room for one more element of `size` bytes; false: there is none. */
static bool
grow(void *array, size_t n, size_t *cap, size_t size)
{
    void *old, *grown;
    if (n < *cap)
        return true;
    memcpy(&old, array, sizeof old);
    size_t more = *cap ? 2 * *cap : 16;
    grown = realloc(old, more * size);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *cap = more;
    return true;
}

struct tracked *
tracked_find(const struct tracked_list *l, uint64_t physical)
{
    size_t i = lower_bound(l, physical);
    return i < l->n && l->at[i]->physical == physical ? l->at[i] : NULL;
}

struct tracked *
tracked_add(struct tracked_list *l, uint64_t physical, uint64_t room)
{
    size_t i = lower_bound(l, physical);
    assert(room % RECORDING_PAGE == 0 && !tracked_find(l, physical));
    if (!grow(&l->at, l->n, &l->cap, sizeof(struct tracked *)))
        return NULL;
    struct tracked *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (struct tracked){
        .physical = physical,
        .id = ++l->ids,
        .room = room,
        .keeps_copy = l->keeps_copies,
        .may_differ = true,
    };
    memmove(&l->at[i + 1], &l->at[i], (l->n - i) * sizeof(struct tracked *));
    l->at[i] = t;
    l->n++;
    return t;
}

static void
free_tracked(struct tracked *t)
{
    if (t->copy && t->is_mapped)
        munmap(t->copy, (size_t)t->room);
    else
        free(t->copy);
    free(t->hash);
    free(t->written);
    free(t);
}

uint64_t
tracked_once(struct tracked_list *l)
{
    return ++l->ids;
}

/* Without memory it is not: readers keep what it had. */
void
tracked_release(struct tracked_list *l, uint64_t id)
{
    if (grow(&l->released, l->n_released, &l->cap_released,
             sizeof *l->released))
        l->released[l->n_released++] = id;
}

void
tracked_remove(struct tracked_list *l, uint64_t physical)
{
    struct tracked *t = tracked_find(l, physical);
    size_t i = lower_bound(l, physical);
    if (!t)
        return;
    if (t->copy || t->hash)
        tracked_release(l, t->id);
    free_tracked(t);
    l->n--;
    memmove(&l->at[i], &l->at[i + 1], (l->n - i) * sizeof(struct tracked *));
}

void
tracked_free(struct tracked_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free_tracked(l->at[i]);
    free(l->at);
    free(l->released);
    *l =
        (struct tracked_list){ .ids = l->ids, .keeps_copies = l->keeps_copies };
}

/* ---- what is written ---- */

/* The first that ends at `from` or behind it: they may be joined. */
static size_t
first_near(const struct tracked *t, uint64_t from)
{
    size_t i;
    BISECT(i, t->n_written, t->written[i].to < from);
    return i;
}

void
tracked_write(struct tracked *t, uint64_t from, uint64_t to)
{
    t->may_differ = true;
    if (t->all_written || from == to)
        return;
    size_t i = first_near(t, from), end = i;
    for (; end < t->n_written && t->written[end].from <= to; end++) {
        if (t->written[end].from < from)
            from = t->written[end].from;
        if (t->written[end].to > to)
            to = t->written[end].to;
    }
    if (t->n_written == WRITTEN_MOST ||
        !grow(&t->written, t->n_written, &t->cap, sizeof *t->written)) {
        t->all_written = true;
        return;
    }
    memmove(&t->written[i + 1], &t->written[end],
            (t->n_written - end) * sizeof *t->written);
    t->written[i] = (struct recording_bytes){ from, to };
    t->n_written += 1 + i - end;
}

static void
put_bytes(struct recording_bytes *to, size_t *n, uint64_t from, uint64_t end)
{
    if (*n && from <= to[*n - 1].to) {
        if (end > to[*n - 1].to)
            to[*n - 1].to = end;
    } else if (from < end) {
        to[(*n)++] = (struct recording_bytes){ from, end };
    }
}

/* Those of the host and the pages that are there, in order. */
static size_t
merge(const struct tracked *t, const uint8_t *there, uint64_t size,
      struct recording_bytes *to)
{
    size_t n = 0, k = 0;
    for (uint64_t at = 0; at < size; at += RECORDING_PAGE) {
        uint64_t end = at + RECORDING_PAGE < size ? at + RECORDING_PAGE : size;
        if (there && there[at / RECORDING_PAGE])
            put_bytes(to, &n, at, end);
        while (k < t->n_written && t->written[k].from < end) {
            uint64_t from = t->written[k].from, last = t->written[k].to;
            put_bytes(to, &n, from > at ? from : at, last < end ? last : end);
            if (last > end)
                break;
            k++;
        }
    }
    return n;
}

void
tracked_written(struct arena *a, const struct tracked *t, const uint8_t *now,
                uint64_t size, struct recording_range *to)
{
    size_t pages = (size_t)((size + RECORDING_PAGE - 1) / RECORDING_PAGE);
    uint8_t *there = NULL;
    struct recording_bytes *list = arena_new(
        a, struct recording_bytes, t->all_written ? 1 : pages + t->n_written);
    to->written = list;
    to->n_written = 1;
    list[0] = (struct recording_bytes){ 0, size };
    if (t->all_written)
        return;
    if (t->was_used) {
        there = arena_new(a, uint8_t, pages);
        pages_there(now, pages, there);
    }
    to->n_written = merge(t, there, size, list);
}

/* ---- what has changed ---- */

static bool
make_copy(struct tracked *t)
{
    if (!t->keeps_copy) {
        t->hash = calloc(t->room / RECORDING_PAGE, sizeof *t->hash);
        return t->hash != NULL;
    }
    t->is_mapped = t->room >= MAPPED_PAGES * RECORDING_PAGE;
    if (!t->is_mapped) {
        t->copy = calloc(1, (size_t)t->room);
        return t->copy != NULL;
    }
    void *at = mmap(NULL, (size_t)t->room, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    t->copy = at == MAP_FAILED ? NULL : at;
    return t->copy != NULL;
}

bool
tracked_compare(struct arena *a, struct tracked *t, const uint8_t *now,
                struct recording_writer *w, struct recording_runs *runs)
{
    if (!t->copy && !t->hash && !make_copy(t))
        return false;
    const struct pages p = { .now = now,
                             .copy = t->copy,
                             .hash = t->hash,
                             .n = t->room / RECORDING_PAGE,
                             .anonymous = !t->is_shared,
                             .writer = w };
    if (t->may_differ || t->is_shared)
        pages_compare(a, &p, runs);
    t->may_differ = false;
    return true;
}

void
tracked_all(struct arena *a, const struct tracked *t,
            struct recording_writer *w, struct recording_runs *runs)
{
    assert(t->copy);
    const struct pages p = { .now = t->copy,
                             .n = t->room / RECORDING_PAGE,
                             .anonymous = t->is_mapped,
                             .writer = w };
    pages_compare(a, &p, runs);
}
