/* SPDX-License-Identifier: Apache-2.0 */
/* Races of the usual access: of many words at once where they lie in rows, where they
 * are the same one, and where several have read them. */
#include "sanitize/usual.h"

/* All of a record but work-item and site. */
static const uint64_t WHAT_MASK =
    UINT64_MAX << RACE_BYTES_AT | ((UINT64_C(1) << RACE_TIME_BITS) - 1);

static uint64_t *
record_at(const struct usual_access *k, uint64_t at)
{
    return k->record + (at / 4 - k->list->first / 4);
}

/* Words of local memory that several have read since the last barrier are read by
 * more; 0: of no interest. */
static uint64_t
read_by_several(const struct usual_access *k)
{
    return k->local && k->access == RACE_READS && k->list->bytes == 4
               ? k->race.read[1] | UINT64_C(15) << RACE_BYTES_AT
               : 0;
}

/* Word by word.  Constant arguments make a loop for each. */
static inline __attribute__((always_inline)) unsigned
skip_each(const struct usual_access *k, enum race_access access, unsigned bytes)
{
    const struct race_usual u = k->race;
    const uint64_t base = k->list->first & ~UINT64_C(3);
    const uint64_t *at = k->list->at;
    const uint64_t read = read_by_several(k);
    for (uint64_t lanes = k->list->lanes; lanes; lanes &= lanes - 1, at++) {
        uint64_t *r = k->record + (*at - base) / 4;
        if (!((*r ^ read) & WHAT_MASK) && read)
            continue;
        uint32_t item = k->warp_first + (uint32_t)__builtin_ctzll(lanes);
        if (!usual_one(&u, access, r, item, usual_bytes(*at, bytes)))
            break;
    }
    return (unsigned)(at - k->list->at);
}

/* How many of n words are the same as the first, or (step 4) lie in a row. */
static unsigned
run_length(const uint64_t *at, unsigned n, uint64_t step)
{
    unsigned i = 1;
    while (i < n && at[i] - at[i - 1] == step)
        i++;
    return i;
}

/*
 * n work-items read a word.  After the second of them the record is of several, and
 * each further one only puts its name there: the last one does.
 */
static unsigned
skip_same(const struct usual_access *k, uint64_t at, uint32_t item, unsigned n)
{
    const unsigned bytes = usual_bytes(at, k->list->bytes);
    for (unsigned i = 0; i < n; i++) {
        if (i == 2)
            i = n - 1;
        if (!race_usual_read(record_at(k, at), &k->race, item + i, bytes))
            return i < 2 ? i : 2;
    }
    return n;
}

/* Lanes without a gap: by runs of words. */
static unsigned
skip_runs(const struct usual_access *k)
{
    enum { SHORT = 4 }; /* these are faster one by one */
    const struct sanitize_words *list = k->list;
    const bool reads = k->access == RACE_READS;
    unsigned i = 0, n = 0, done = 0;
    for (; i < list->n && done == n; i += done) {
        const uint64_t at = list->at[i];
        const uint32_t item = k->warp_first + list->from + i;
        uint64_t *r = record_at(k, at);
        n = reads ? run_length(list->at + i, list->n - i, 0) : 1;
        if (n > 1) {
            done = skip_same(k, at, item, n);
            continue;
        }
        n = run_length(list->at + i, list->n - i, 4);
        if (n < SHORT)
            n = 1;
        bool told = n == 1  ? usual_one(&k->race, k->access, r, item, 15)
                    : reads ? k->rows->read(r, n, &k->race, item)
                            : k->rows->write(r, n, &k->race, item);
        done = told ? n : 0;
    }
    return i;
}

unsigned
usual_skip(const struct usual_access *k)
{
    const struct sanitize_words *list = k->list;
    const uint64_t read = read_by_several(k);
    if (k->access == RACE_READS && list->dense && list->first == list->last)
        return skip_same(k, list->first, k->warp_first + list->from, list->n);
    if (list->bytes != 4)
        return skip_each(k, k->access, list->bytes);
    if (read && !list->row &&
        k->rows->are(k->record, list->first, list->at, list->n, WHAT_MASK,
                     read))
        return list->n;
    if (k->access == RACE_UPDATES)
        return skip_each(k, RACE_UPDATES, 4);
    if (list->row)
        return (k->access == RACE_READS ? k->rows->read : k->rows->write)(
                   k->record, list->n, &k->race, k->warp_first + list->from)
                   ? list->n
                   : 0;
    if (list->dense)
        return skip_runs(k);
    return k->access == RACE_READS ? skip_each(k, RACE_READS, 4)
                                   : skip_each(k, RACE_WRITES, 4);
}
