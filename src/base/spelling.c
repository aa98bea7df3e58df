/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spelling.h"

#include <limits.h>
#include <string.h>

#include "base/arith.h"

enum { LONGEST = 63 };

unsigned
spelling_edits(const char *a, const char *b)
{
    /* Rows i-2, i-1 and i of the table: edits from a[0..i) to b[0..j). */
    unsigned rows[3][LONGEST + 1];
    unsigned *last = rows[0], *row = rows[1], *next = rows[2];
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST)
        return UINT_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        next[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            next[j] =
                (unsigned)min_u64((unsigned)min_u64(row[j], next[j - 1]) + 1,
                                  row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next[j] = (unsigned)min_u64(next[j], last[j - 2] + 1);
        }
        unsigned *free = last;
        last = row;
        row = next;
        next = free;
    }
    return row[n];
}

/* The distance of two names of which one begins with the other, which has three
 * letters or more: it is larger than that of any misspelt name.  UINT_MAX for other
 * names. */
static unsigned
begins_alike(const char *word, const char *name)
{
    enum { SHORTEST = 3, MISSPELT = 3 };
    size_t n = strlen(word), m = strlen(name), both = n < m ? n : m;
    if (both < SHORTEST || n > LONGEST || m > LONGEST ||
        memcmp(word, name, both) != 0)
        return UINT_MAX;
    return MISSPELT + (unsigned)(n < m ? m - n : n - m);
}

void
spelling_offer(struct spelling *n, const char *name)
{
    size_t size = strlen(n->word);
    unsigned most = size < 6 ? 1 : size < 12 ? 2 : 3;
    unsigned edits = spelling_edits(n->word, name);
    if (edits > most)
        edits = begins_alike(n->word, name);
    if (edits != UINT_MAX && (!n->name || edits < n->edits)) {
        n->name = name;
        n->edits = edits;
    }
}
