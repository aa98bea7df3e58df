/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/pages.h"

#include <assert.h>
#include <string.h>

#include "base/present.h"
#include "base/vec.h"

/* CHUNK: system pages that are asked for at once; FEW: fewer pages are not asked for. */
enum { CHUNK = 8192, FEW = 64, PART = RECORDING_GRANULE / RECORDING_PAGE };
static_assert((int)RECORDING_GRANULE == (int)PRESENT_PAGE,
              "a page of the system");

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
    assert((!r || at >= r->first + r->count) && "runs are ascending");
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

/* A mixing function that is a bijection in either argument. */
static uint64_t
mix_bits(uint64_t x, uint64_t word)
{
    x = (x ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

/* Copies a page and hashes the copy, as the host may write into the page meanwhile; 0:
 * all zero.  The four chains of words are independent: pages that differ in one word
 * have different hashes, other pages the same with a probability of 2^-64.  The hash
 * is not secure against pages made to collide. */
static uint64_t
copy_hashed(uint8_t *to, const uint8_t *page)
{
    uint64_t x[4] = { 1, 2, 3, 4 }, any = 0;
    for (size_t i = 0; i < RECORDING_PAGE; i += sizeof x) {
        uint64_t w[4];
        memcpy(w, page + i, sizeof w);
        memcpy(to + i, w, sizeof w);
        any |= w[0] | w[1] | w[2] | w[3];
        for (int j = 0; j < 4; j++)
            x[j] = mix_bits(x[j], w[j]);
    }
    uint64_t hash = mix_bits(mix_bits(x[0], x[1] >> 32 | x[1] << 32),
                             mix_bits(x[2], x[3] >> 32 | x[3] << 32));
    return !any ? 0 : hash ? hash : 1;
}

/* Writes the pages of [from, to) whose hash has changed, as many as fit into the block
 * of the file; returns where to continue.  A page equal to the changed one before it
 * is not written again. */
static uint64_t
compare_some(struct arena *a, const struct pages *p, uint64_t from, uint64_t to,
             struct recording_runs *runs)
{
    uint8_t other[RECORDING_PAGE], *buffer = NULL;
    size_t most = SIZE_MAX, n = 0;
    uint64_t first = 1, last = 0;
    if (p->writer)
        buffer = recording_writer_reserve(p->writer, &most, &first);
    for (; from < to && n < most; from++) {
        uint64_t hash =
            copy_hashed(buffer ? buffer + n * RECORDING_PAGE : other,
                        p->now + from * RECORDING_PAGE);
        if (hash == p->hash[from])
            continue;
        p->hash[from] = hash;
        n += buffer && hash && hash != last;
        last = hash ? hash : last;
        pages_add(a, runs, from, !hash ? 0 : buffer ? first + n - 1 : 1);
    }
    if (buffer)
        recording_writer_add(p->writer, n);
    return from;
}

static void
compare_hashes(struct arena *a, const struct pages *p, uint64_t from,
               uint64_t to, struct recording_runs *runs)
{
    while (from < to)
        from = compare_some(a, p, from, to, runs);
}

/* Compares a page with its copy.  `fresh`: the system has no page for the copy, which
 * is zero; reading it would allocate one. */
static void
compare_page(struct arena *a, const struct pages *p, uint64_t i, bool fresh,
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

bool
pages_marked(const uint64_t *bits, uint64_t n, uint64_t at, uint64_t *from,
             uint64_t *to)
{
    const uint64_t words = (n + 63) / 64;
    uint64_t i = at / 64;
    if (at >= n)
        return false;
    uint64_t word = bits[i] & UINT64_MAX << at % 64;
    while (!word && ++i < words)
        word = bits[i];
    if (!word)
        return false;
    *from = 64 * i + (unsigned)__builtin_ctzll(word);
    word = ~bits[i] & UINT64_MAX << *from % 64;
    while (!word && ++i < words)
        word = ~bits[i];
    *to = word ? 64 * i + (unsigned)__builtin_ctzll(word) : n;
    return true;
}

static void
compare_marked(struct arena *a, const struct pages *p,
               struct recording_runs *runs)
{
    uint64_t from, to, next, end = 0;
    bool more = pages_marked(p->differ, p->n, 0, &next, &end);
    while (more) {
        from = next;
        to = end;
        more = pages_marked(p->differ, p->n, to, &next, &end);
        if (more) {
            __builtin_prefetch(p->now + next * RECORDING_PAGE);
            if (p->hash)
                __builtin_prefetch(&p->hash[next], 1);
        }
        if (p->hash)
            compare_hashes(a, p, from, to, runs);
        else
            for (; from < to; from++)
                compare_page(a, p, from, false, runs);
    }
}

static bool
has_hashes(const struct pages *p, uint64_t from, uint64_t to)
{
    uint64_t any = 0;
    for (; from < to; from++)
        any |= p->hash[from];
    return any;
}

/* Compares the pages inside system page `i`; `now` and `copy`: whether the system has
 * a page for the memory and for its copy. */
static void
compare_room(struct arena *a, const struct pages *p, uint64_t i, bool now,
             bool copy, struct recording_runs *runs)
{
    const uint64_t from = i * PART, to = from + PART;
    if (p->hash) {
        if (now || has_hashes(p, from, to))
            compare_hashes(a, p, from, to, runs);
        return;
    }
    for (uint64_t k = from; (now || copy) && k < to; k++)
        compare_page(a, p, k, p->copy && !copy, runs);
}

static void
compare_all(struct arena *a, const struct pages *p, struct recording_runs *runs)
{
    uint8_t now[CHUNK], copy[CHUNK];
    const uint64_t rooms = p->n / PART;
    const bool asks = p->anonymous && rooms >= FEW;
    memset(now, 1, sizeof now);
    memset(copy, p->copy != NULL, sizeof copy);
    for (uint64_t i = 0; i < rooms; i += CHUNK) {
        size_t n = rooms - i < CHUNK ? (size_t)(rooms - i) : CHUNK;
        size_t at = i * RECORDING_GRANULE;
        if (asks)
            present_pages(p->now + at, n, now);
        if (asks && p->copy)
            present_pages(p->copy + at, n, copy);
        for (size_t k = 0; k < n; k++)
            compare_room(a, p, i + k, now[k], copy[k], runs);
    }
}

void
pages_compare(struct arena *a, const struct pages *p,
              struct recording_runs *runs)
{
    assert((!p->copy || !p->hash) && "pages have a copy or hashes");
    assert(p->n % PART == 0 && "a range is whole pages of the system");
    if (p->differ)
        compare_marked(a, p, runs);
    else
        compare_all(a, p, runs);
}
