/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Finds that something repeats itself, by hashes of its states one after the other
 * (R. P. Brent, "An Improved Monte Carlo Factorization Algorithm", BIT 20, 1980,
 * section 2).  The states after 1, 2, 4, 8 ... others are kept, and each later one is
 * compared with the one that was kept last: one that recurs is found behind at most
 * three times as many states as come before its second time, and `age` is then the
 * period.  Memory is one state; all zero is ready to use.
 */
struct recurrence {
    uint64_t hash[2]; /* of the state that was kept */
    uint64_t age;     /* states since */
    uint64_t room;    /* so many, then one is kept anew; 0: none was kept */
};

/* Will the next state be kept, if it is not the same?  If not, one that is known to
 * be another needs no hash: recurrence_differs. */
static inline bool
recurrence_is_due(const struct recurrence *r)
{
    return r->age + 1 >= r->room;
}

static inline void
recurrence_differs(struct recurrence *r)
{
    assert(!recurrence_is_due(r));
    r->age++;
}

/* Is it the state that was kept? */
static inline bool
recurrence_is_kept(const struct recurrence *r, const uint64_t hash[2])
{
    return r->room && r->hash[0] == hash[0] && r->hash[1] == hash[1];
}

/* The next state: was it there before?  *kept: it will be compared with from now on,
 * or NULL. */
static inline bool
recurrence_found(struct recurrence *r, const uint64_t hash[2], bool *kept)
{
    bool due = recurrence_is_due(r), found = recurrence_is_kept(r, hash);
    r->age++;
    if (due && !found)
        *r = (struct recurrence){ .hash = { hash[0], hash[1] },
                                  .room = r->room ? 2 * r->room : 1 };
    if (kept)
        *kept = due && !found;
    return found;
}
