/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "dev/capture/dirty_pages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bisect.h"
#include "base/present.h"

/* Copies of MAPPED_MIN bytes are mapped: those of pages that are zero take no memory. */
enum { MAPPED_MIN = 1 << 18, WRITTEN_MAX = 4096 };

/* Index of the first one at `physical` or above. */
static size_t
dirty_lower_bound(const struct dirty_list *l, uint64_t physical)
{
    size_t i;
    BISECT(i, l->n, l->at[i]->physical < physical);
    return i;
}

/* Room for one more element of `size` bytes; false: there is none. */
static bool
dirty_grow(void *array, size_t n, size_t *cap, size_t size)
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

/* Words of bits for the pages of so many bytes. */
static size_t
words_of(uint64_t bytes)
{
    return (size_t)(bytes / RECORDING_PAGE + 63) / 64;
}

struct dirty_pages *
dirty_find(const struct dirty_list *l, uint64_t physical)
{
    size_t i = dirty_lower_bound(l, physical);
    return i < l->n && l->at[i]->physical == physical ? l->at[i] : NULL;
}

struct dirty_pages *
dirty_add(struct dirty_list *l, uint64_t physical, uint64_t capacity,
          uint64_t mapped)
{
    size_t i = dirty_lower_bound(l, physical);
    assert(capacity % RECORDING_GRANULE == 0 && capacity <= mapped);
    assert(!dirty_find(l, physical) && "a range is added once");
    if (!dirty_grow(&l->at, l->n, &l->cap, sizeof(struct dirty_pages *)))
        return NULL;
    struct dirty_pages *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (struct dirty_pages){
        .physical = physical,
        .id = ++l->ids,
        .capacity = capacity,
        .keeps_copy = l->keeps_copies,
        .differ = calloc(words_of(mapped), sizeof(uint64_t)),
    };
    memmove(&l->at[i + 1], &l->at[i],
            (l->n - i) * sizeof(struct dirty_pages *));
    l->at[i] = t;
    l->n++;
    return t;
}

static void
dirty_free_range(struct dirty_pages *t)
{
    if (t->copy && t->is_mapped)
        munmap(t->copy, (size_t)t->capacity);
    else
        free(t->copy);
    free(t->hash);
    free(t->differ);
    free(t->written);
    free(t);
}

uint64_t
dirty_new_id(struct dirty_list *l)
{
    return ++l->ids;
}

/* Without memory it is not: readers keep what it had. */
void
dirty_release_id(struct dirty_list *l, uint64_t id)
{
    if (dirty_grow(&l->released, l->n_released, &l->cap_released,
                   sizeof *l->released))
        l->released[l->n_released++] = id;
}

void
dirty_remove(struct dirty_list *l, uint64_t physical)
{
    struct dirty_pages *t = dirty_find(l, physical);
    size_t i = dirty_lower_bound(l, physical);
    if (!t)
        return;
    if (t->copy || t->hash)
        dirty_release_id(l, t->id);
    dirty_free_range(t);
    l->n--;
    memmove(&l->at[i], &l->at[i + 1],
            (l->n - i) * sizeof(struct dirty_pages *));
}

void
dirty_free(struct dirty_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        dirty_free_range(l->at[i]);
    free(l->at);
    free(l->released);
    *l = (struct dirty_list){ .ids = l->ids, .keeps_copies = l->keeps_copies };
}

/* ---- what is written ---- */

/* Appends a piece, or joins it with the last one. */
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

/* The first piece that ends at `from` or after it: both may be joined. */
static size_t
dirty_first_near(const struct dirty_pages *t, uint64_t from)
{
    size_t i;
    BISECT(i, t->n_written, t->written[i].to < from);
    return i;
}

/* Replaces more pieces than there may be by whole pages of the system. */
static bool
dirty_coarsen(struct dirty_pages *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_written; i++) {
        uint64_t from =
            t->written[i].from / RECORDING_GRANULE * RECORDING_GRANULE;
        uint64_t to = t->written[i].to + RECORDING_GRANULE - 1;
        put_bytes(t->written, &n, from,
                  to / RECORDING_GRANULE * RECORDING_GRANULE);
    }
    t->n_written = n;
    return n <= WRITTEN_MAX / 2;
}

static void
dirty_add_written(struct dirty_pages *t, uint64_t from, uint64_t to)
{
    if (t->all_written || from == to)
        return;
    if (t->n_written == WRITTEN_MAX && !dirty_coarsen(t)) {
        t->all_written = true;
        return;
    }
    size_t i = dirty_first_near(t, from), end = i;
    for (; end < t->n_written && t->written[end].from <= to; end++) {
        if (t->written[end].from < from)
            from = t->written[end].from;
        if (t->written[end].to > to)
            to = t->written[end].to;
    }
    if (!dirty_grow(&t->written, t->n_written, &t->cap, sizeof *t->written)) {
        t->all_written = true;
        return;
    }
    memmove(&t->written[i + 1], &t->written[end],
            (t->n_written - end) * sizeof *t->written);
    t->written[i] = (struct recording_bytes){ from, to };
    t->n_written += 1 + i - end;
}

/* Bits [from, to) of the bytes of memory. */
static void
set_bits(uint64_t *bits, uint64_t from, uint64_t to)
{
    uint64_t first = from / RECORDING_PAGE, last = (to - 1) / RECORDING_PAGE;
    const uint64_t head = UINT64_MAX << first % 64;
    const uint64_t tail = UINT64_MAX >> (63 - last % 64);
    assert(from < to && "no bytes are no pages");
    first /= 64;
    last /= 64;
    if (first == last) {
        bits[first] |= head & tail;
        return;
    }
    bits[first] |= head;
    memset(&bits[first + 1], 0xff, (last - first - 1) * sizeof *bits);
    bits[last] |= tail;
}

void
dirty_write(struct dirty_pages *t, uint64_t from, uint64_t to)
{
    if (from == to)
        return;
    if (t->differ)
        set_bits(t->differ, from, to);
    dirty_add_written(t, from, to);
}

void
dirty_launched(struct dirty_pages *t)
{
    const uint64_t n = t->capacity / RECORDING_PAGE;
    assert(t->differ && t->is_marked);
    for (uint64_t from, to = 0;
         !t->all_written && pages_marked(t->differ, n, to, &from, &to);)
        dirty_add_written(t, from * RECORDING_PAGE, to * RECORDING_PAGE);
}

/* Copies the known pieces up to `size`. */
static size_t
dirty_cut(const struct dirty_pages *t, uint64_t size,
          struct recording_bytes *to)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_written && t->written[i].from < size; i++) {
        uint64_t end = t->written[i].to < size ? t->written[i].to : size;
        put_bytes(to, &n, t->written[i].from, end);
    }
    return n;
}

/* Merges the known pieces and the pages that are there, in order. */
static size_t
dirty_merge(const struct dirty_pages *t, const uint8_t *there, uint64_t size,
            struct recording_bytes *to)
{
    size_t n = 0, k = 0;
    for (uint64_t at = 0; at < size; at += RECORDING_GRANULE) {
        uint64_t end =
            at + RECORDING_GRANULE < size ? at + RECORDING_GRANULE : size;
        if (there && there[at / RECORDING_GRANULE])
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
dirty_written(struct arena *a, const struct dirty_pages *t, const uint8_t *now,
              uint64_t size, struct recording_range *to)
{
    size_t most = t->all_written ? 1 : t->n_written;
    size_t pages = (size_t)((size + RECORDING_GRANULE - 1) / RECORDING_GRANULE);
    uint8_t *there = NULL;
    if (t->was_used && !t->all_written) {
        there = arena_new(a, uint8_t, pages);
        present_pages(now, pages, there);
        most += pages;
    }
    struct recording_bytes *list = arena_new(a, struct recording_bytes, most);
    to->written = list;
    if (t->all_written)
        put_bytes(list, &to->n_written, 0, size);
    else if (there)
        to->n_written = dirty_merge(t, there, size, list);
    else
        to->n_written = dirty_cut(t, size, list);
}

/* ---- what has changed ---- */

static bool
dirty_make_copy(struct dirty_pages *t)
{
    if (!t->keeps_copy) {
        t->hash = calloc(t->capacity / RECORDING_PAGE, sizeof *t->hash);
        return t->hash != NULL;
    }
    t->is_mapped = t->capacity >= MAPPED_MIN;
    if (!t->is_mapped) {
        t->copy = calloc(1, (size_t)t->capacity);
        return t->copy != NULL;
    }
    void *at = mmap(NULL, (size_t)t->capacity, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    t->copy = at == MAP_FAILED ? NULL : at;
    return t->copy != NULL;
}

bool
dirty_compare(struct arena *a, struct dirty_pages *t, const uint8_t *now,
              struct recording_writer *w, struct recording_runs *runs)
{
    const bool all = t->is_shared || t->all_differ || !t->differ;
    if (!t->copy && !t->hash && !dirty_make_copy(t))
        return false;
    const struct pages p = { .now = now,
                             .copy = t->copy,
                             .hash = t->hash,
                             .n = t->capacity / RECORDING_PAGE,
                             .differ = all ? NULL : t->differ,
                             .anonymous = !t->is_shared,
                             .writer = w };
    pages_compare(a, &p, runs);
    if (t->differ)
        memset(t->differ, 0, words_of(t->capacity) * sizeof *t->differ);
    t->all_differ = false;
    return true;
}

void
dirty_all(struct arena *a, const struct dirty_pages *t,
          struct recording_writer *w, struct recording_runs *runs)
{
    assert(t->copy);
    const struct pages p = { .now = t->copy,
                             .n = t->capacity / RECORDING_PAGE,
                             .anonymous = t->is_mapped,
                             .writer = w };
    pages_compare(a, &p, runs);
}
