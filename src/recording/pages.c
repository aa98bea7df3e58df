/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/pages.h"

#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

/* CHUNK: pages that are asked for at once; FEW: so few are not asked for. */
enum { CHUNK = 512, FEW = 64 };

/* Bits of /proc/self/pagemap. */
#define MAP_PRESENT (UINT64_C(1) << 63)
#define MAP_SWAPPED (UINT64_C(1) << 62)

static bool
ask(int map, const uint8_t *at, size_t n, uint8_t *there)
{
    uint64_t entry[CHUNK];
    uint64_t page = (uintptr_t)at / RECORDING_PAGE;
    size_t size = n * sizeof *entry;
    assert(n <= CHUNK);
    if (map < 0 ||
        pread(map, entry, size, (off_t)(page * sizeof *entry)) != (ssize_t)size)
        return false;
    for (size_t i = 0; i < n; i++)
        there[i] = (entry[i] & (MAP_PRESENT | MAP_SWAPPED)) != 0;
    return true;
}

/* -1: the system does not tell, or pages have another size. */
static int
open_map(void)
{
    return sysconf(_SC_PAGESIZE) == RECORDING_PAGE
               ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
               : -1;
}

void
pages_there(const uint8_t *at, size_t n, uint8_t *there)
{
    int map = open_map();
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t some = n - i < CHUNK ? n - i : CHUNK;
        if (!ask(map, at + i * RECORDING_PAGE, some, there + i))
            memset(there + i, 1, some);
    }
    if (map >= 0)
        close(map);
}

static bool
is_zero(const uint8_t *page)
{
    return !*page && memcmp(page, page + 1, RECORDING_PAGE - 1) == 0;
}

void
pages_add(struct arena *a, struct recording_runs *runs, uint64_t at,
          uint64_t content)
{
    struct recording_run *r = runs->n ? &runs->at[runs->n - 1] : NULL;
    assert(!r || at >= r->first + r->count);
    if (r && r->first + r->count == at) {
        bool same = r->content == content && (r->repeats || r->count == 1);
        bool next =
            r->content && !r->repeats && r->content + r->count == content;
        if (same || next) {
            r->repeats = same;
            r->count++;
            return;
        }
    }
    vec_push(a, runs,
             ((struct recording_run){ .first = at,
                                      .count = 1,
                                      .content = content,
                                      .repeats = !content }));
}

/*
 * Four chains of words side by side, each step of which is a bijection: what
 * differs in one word, or in words of one chain that a step apart do not
 * cancel, has another hash.  It says nothing against pages made to collide.
 */
static struct page_hash
hash_page(const uint8_t *page)
{
    const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x[4] = { 1, 2, 3, 4 };
    for (size_t i = 0; i < RECORDING_PAGE; i += sizeof x) {
        uint64_t w[4];
        memcpy(w, page + i, sizeof w);
        for (int j = 0; j < 4; j++) {
            x[j] = (x[j] ^ w[j]) * k;
            x[j] ^= x[j] >> 29;
        }
    }
    return (struct page_hash){ { ((x[0] * k) ^ (x[0] >> 32)) + x[1],
                                 (((x[2] * k) ^ (x[2] >> 32)) + x[3]) | 1 } };
}

static bool
same_hash(const struct page_hash *a, const struct page_hash *b)
{
    return a->half[0] == b->half[0] && a->half[1] == b->half[1];
}

/* Of a page that is zero for both there is nothing to do. */
static void
look_by_hash(struct arena *a, const struct pages *p, uint64_t i,
             struct recording_runs *runs)
{
    const uint8_t *now = p->now + i * RECORDING_PAGE;
    struct page_hash hash = { { 0, 0 } };
    bool zero = is_zero(now);
    if (!zero)
        hash = hash_page(now);
    if (same_hash(&hash, &p->hash[i]))
        return;
    p->hash[i] = hash;
    pages_add(a, runs, i,
              zero        ? 0
              : p->writer ? recording_writer_page(p->writer, now)
                          : 1);
}

/* `fresh`: the system has no page for the copy, which is zero; to read it
 * would make one. */
static void
look(struct arena *a, const struct pages *p, uint64_t i, bool fresh,
     struct recording_runs *runs)
{
    const uint8_t *now = p->now + i * RECORDING_PAGE;
    uint8_t *copy = p->copy ? p->copy + i * RECORDING_PAGE : NULL;
    if (copy && !fresh && memcmp(now, copy, RECORDING_PAGE) == 0)
        return;
    bool zero = is_zero(now);
    if (zero && (!copy || fresh))
        return;
    pages_add(a, runs, i,
              zero        ? 0
              : p->writer ? recording_writer_page(p->writer, now)
                          : 1);
    if (copy)
        memcpy(copy, now, RECORDING_PAGE);
}

void
pages_compare(struct arena *a, const struct pages *p,
              struct recording_runs *runs)
{
    uint8_t now[CHUNK], copy[CHUNK];
    bool asks = p->anonymous && p->n >= FEW;
    assert(!p->copy || !p->hash);
    int map = asks ? open_map() : -1;
    for (uint64_t i = 0; i < p->n; i += CHUNK) {
        size_t n = p->n - i < CHUNK ? (size_t)(p->n - i) : CHUNK;
        size_t at = i * RECORDING_PAGE;
        bool told = map >= 0 && ask(map, p->now + at, n, now) &&
                    (!p->copy || ask(map, p->copy + at, n, copy));
        for (size_t k = 0; p->hash && k < n; k++)
            if (!told || now[k] || p->hash[i + k].half[1])
                look_by_hash(a, p, i + k, runs);
        for (size_t k = 0; !p->hash && k < n; k++)
            if (!told || now[k] || (p->copy && copy[k]))
                look(a, p, i + k, told && p->copy && !copy[k], runs);
    }
    if (map >= 0)
        close(map);
}
