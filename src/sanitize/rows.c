/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for each level, which SANITIZE_LEVEL names.  Loops become vectors. */
#include "sanitize/rows.h"

#include <string.h>

#define JOIN(a, b)  a##b
#define TABLE(name) JOIN(sanitize_rows_, name)

extern const struct sanitize_rows TABLE(SANITIZE_LEVEL);

static void
find_row(struct sanitize_words *list, const uint32_t *v, unsigned n,
         uint32_t mask, uint32_t base)
{
    uint32_t odd = 0, first = UINT32_MAX, last = 0, apart = 0;
    const uint32_t from = (v[0] & mask) + base, step = list->bytes;
    for (unsigned i = 0; i < n; i++) {
        uint32_t at = (v[i] & mask) + base;
        list->at[i] = at;
        odd |= at;
        apart |= at ^ (from + i * step);
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    list->n = n;
    list->first = first;
    list->last = last;
    list->odd = odd;
    list->row = !apart;
}

static void
ends(const uint32_t *v, unsigned n, uint32_t mask, uint32_t base,
     uint32_t *first, uint32_t *last)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint32_t at = (v[i] & mask) + base;
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    *first = low;
    *last = high;
}

static bool
read_row(uint64_t *record, unsigned n, const struct race_usual *usual,
         uint32_t item)
{
    const struct race_usual u = *usual;
    uint64_t after[SIM_LANES_MAX], told = UINT64_MAX;
    for (unsigned i = 0; i < n; i++) {
        uint64_t one;
        after[i] = race_read(record[i], &u, item + (int64_t)i, 15, &one);
        told &= one;
    }
    if (told)
        memcpy(record, after, n * sizeof *record);
    return told;
}

static bool
write_row(uint64_t *record, unsigned n, const struct race_usual *usual,
          uint32_t item)
{
    const struct race_usual u = *usual;
    uint64_t after[SIM_LANES_MAX], told = UINT64_MAX;
    for (unsigned i = 0; i < n; i++) {
        uint64_t one;
        after[i] = race_write(record[i], &u, item + (int64_t)i, 15, &one);
        told &= one;
    }
    if (told)
        memcpy(record, after, n * sizeof *record);
    return told;
}

static bool
are(const uint64_t *record, uint64_t first, const uint64_t *at, unsigned n,
    uint64_t mask, uint64_t value)
{
    uint64_t other = 0;
    for (unsigned i = 0; i < n; i++)
        other |= (record[(at[i] - first) / 4] ^ value) & mask;
    return !other;
}

const struct sanitize_rows TABLE(SANITIZE_LEVEL) = { find_row, ends, read_row,
                                                     write_row, are };
