/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* Cycle detection: finds that a sequence of states repeats itself, by hashes of the
 * states (R. P. Brent, "An Improved Monte Carlo Factorization Algorithm", BIT 20,
 * 1980, section 2).  The states number 1, 2, 4, 8 ... are kept, and each later state
 * is compared with the last one kept.  A recurrence is found after at most three times
 * as many states as precede the first repeated state; `age` is then the period.
 * Memory is one state; all zero is ready to use. */
struct recurrence {
    uint64_t hash[2]; /* hash of the state that was kept */
    uint64_t age;     /* number of states since then */
    uint64_t
        next_kept; /* age at which the next state is kept; 0: none is kept */
};

/* Whether the next state will be kept if it is not the same.  Otherwise a state that
 * is known to differ needs no hash: recurrence_differs. */
static inline bool
recurrence_is_due(const struct recurrence *r)
{
    return r->age + 1 >= r->next_kept;
}

static inline void
recurrence_differs(struct recurrence *r)
{
    assert(!recurrence_is_due(r) && "a state that is due must be hashed");
    r->age++;
}

/* Whether the state equals the kept one. */
static inline bool
recurrence_is_kept(const struct recurrence *r, const uint64_t hash[2])
{
    return r->next_kept && r->hash[0] == hash[0] && r->hash[1] == hash[1];
}

/* Adds the next state; true if it equals the kept one.  *kept, if not NULL: whether
 * later states will be compared with this one. */
static inline bool
recurrence_found(struct recurrence *r, const uint64_t hash[2], bool *kept)
{
    bool due = recurrence_is_due(r), found = recurrence_is_kept(r, hash);
    r->age++;
    if (due && !found)
        *r = (struct recurrence){ .hash = { hash[0], hash[1] },
                                  .next_kept =
                                      r->next_kept ? 2 * r->next_kept : 1 };
    if (kept)
        *kept = due && !found;
    return found;
}
