/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races of copies of work-groups, which may take place at any time up to the wait
 * (copy_log.h): with what was accessed before them, with each other, and with
 * accesses up to the wait.
 */
#include <assert.h>

#include "sanitize/state.h"

enum { MAX_ELEMENTS = 1 << 20 }; /* of a copy that is checked */

static bool
meet(const struct copy_span *a, const struct copy_span *b, uint64_t *at)
{
    if (!async_copies_has(b, a->first, a->bytes))
        return false;
    for (uint64_t i = 0; i < a->bytes && i / a->step < MAX_ELEMENTS;
         i += a->step)
        if (async_copies_has(b, a->first + i, a->size)) {
            *at = a->first + i > b->first ? a->first + i : b->first;
            return true;
        }
    return false;
}

/* ---- findings ---- */

static const char until[] =
    "the copy may take place at any time before wait_group_events has returned";

static struct sanitize_party
party_of(const struct sim_warp *w, const struct copy_step *s, bool write)
{
    return (struct sanitize_party){ .known = true,
                                    .pc = s->pc,
                                    .group = w->group->number,
                                    .warp = s->warp,
                                    .lane = (int)s->lane,
                                    .write = write };
}

static void
report(struct sanitize *c, const struct sim_warp *w, struct sanitize_party here,
       struct sanitize_party other, uint64_t at, unsigned bytes)
{
    sanitize_note(c, w,
                  &(struct sanitize_finding){ .what = SANITIZE_DATA_RACE,
                                              .here = here,
                                              .other = other,
                                              .has_address = true,
                                              .address = at,
                                              .size_B = bytes,
                                              .local = at - SIM_LOCAL_BASE <
                                                       SIM_LOCAL_SIZE,
                                              .note = until });
}

/* ---- a copy begins ---- */

/* With what was before: the first word that races is reported. */
static bool
look_back(struct sanitize *c, struct sim_warp *w, const struct copy_step *s,
          uint64_t at, uint64_t end, bool write)
{
    struct sanitize_party other;
    while (at < end) {
        uint64_t next = (at / 4 + 1) * 4;
        unsigned n = (unsigned)((next < end ? next : end) - at);
        unsigned bytes = ((1u << n) - 1) << at % 4;
        if (sanitize_races_of_all(c, w, at / 4 * 4, bytes, write, &other)) {
            report(c, w, party_of(w, s, write), other, at, n);
            return true;
        }
        at = next;
    }
    return false;
}

static void
look_back_all(struct sanitize *c, struct sim_warp *w, const struct copy_step *s,
              const struct copy_span *span, bool write)
{
    if (!span->bytes || span->bytes / span->size > 64 * (uint64_t)MAX_ELEMENTS)
        return;
    if (span->step == span->size) {
        look_back(c, w, s, span->first, span->first + span->bytes, write);
        return;
    }
    for (uint64_t i = 0; i < span->bytes; i += span->step)
        if (look_back(c, w, s, span->first + i, span->first + i + span->size,
                      write))
            return;
}

void
async_copies_begin(struct sanitize *c, struct sim_warp *w,
                   const struct copy_step *s)
{
    const struct copy_log *log = &sanitize_group_of(w)->copies;
    const struct copy_bytes mine = async_copies_bytes(s);
    uint64_t at = 0;
    if (!(c->options.kinds & SANITIZE_RACE))
        return;
    look_back_all(c, w, s, &mine.from, false);
    look_back_all(c, w, s, &mine.to, true);
    for (const struct copy_step *x = log->step; x < s; x++) {
        const struct copy_bytes its = async_copies_bytes(x);
        bool writes = meet(&mine.to, &its.to, &at);
        bool reads = !writes && meet(&mine.from, &its.to, &at);
        if (async_copies_is_pending(log, x) &&
            (writes || reads || meet(&mine.to, &its.from, &at)))
            report(c, w, party_of(w, s, !reads),
                   party_of(w, x, writes || reads), at, mine.to.size);
    }
}

/* ---- accesses ---- */

void
async_copies_access(struct sanitize *c, struct sim_warp *w,
                    const struct sim_op *op, const struct sanitize_operands *o,
                    const struct sanitize_words *list)
{
    uint64_t lanes = list->scalar ? w->exec & -w->exec : list->lanes;
    bool writes;
    if (sanitize_warp_of(w)->copy.copying)
        return;
    for (unsigned i = 0; lanes; lanes &= lanes - 1)
        for (unsigned word = 0; word < list->words; word++, i++) {
            const uint64_t at = list->at[i];
            const struct copy_step *s = async_copies_find_pending(
                w, at, list->bytes, o->store, &writes);
            if (s)
                report(c, w, sanitize_party(w, op, (int)__builtin_ctzll(lanes)),
                       party_of(w, s, writes), at, list->bytes);
        }
}
