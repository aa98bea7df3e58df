/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races of copies of work-groups, which may take place at any time up to the wait
 * (copy_log.h): with what was accessed before them, with each other, and with
 * accesses up to the wait.
 */
#include <assert.h>

#include "abi/hints.h"
#include "sanitize/state.h"

/* ---- bytes ---- */

enum { MOST_ELEMENTS = 1 << 20 }; /* of a copy that is checked */

struct copy_bytes {
    struct copy_span to, from;
};

static struct copy_span
span(uint64_t address, uint32_t n, uint32_t size, uint32_t stride)
{
    uint64_t step = stride ? (uint64_t)stride * size : size;
    if (step > UINT32_MAX || !n)
        return (struct copy_span){ 0 };
    return (struct copy_span){ address, (n - 1) * step + size, (uint32_t)step,
                               size };
}

static struct copy_bytes
bytes_of(const struct copy_step *s)
{
    const uint32_t *o = s->operand;
    const bool wide = s->told == 7; /* addresses of two words */
    uint64_t to = o[0], from = o[1];
    if (wide) {
        to = o[0] | (uint64_t)o[1] << 32;
        from = o[2] | (uint64_t)o[3] << 32;
    }
    const uint32_t *rest = o + (wide ? 4 : 2);
    unsigned kind = s->hint % HINT_KINDS;
    uint32_t size = 1u << s->hint / HINT_KINDS % 32;
    return (struct copy_bytes){
        .to = span(to, rest[0], size, kind == HINT_TO ? rest[1] : 0),
        .from = span(from, rest[0], size, kind == HINT_FROM ? rest[1] : 0),
    };
}

/* Are some of these bytes elements of it? */
static bool
has(const struct copy_span *s, uint64_t at, uint64_t bytes)
{
    if (!s->bytes || at + bytes <= s->first || at >= s->first + s->bytes)
        return false;
    if (at < s->first)
        return true;
    uint64_t within = (at - s->first) % s->step;
    return within < s->size || within + bytes > s->step;
}

static bool
meet(const struct copy_span *a, const struct copy_span *b, uint64_t *at)
{
    if (!has(b, a->first, a->bytes))
        return false;
    for (uint64_t i = 0; i < a->bytes && i / a->step < MOST_ELEMENTS;
         i += a->step)
        if (has(b, a->first + i, a->size)) {
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
    if (!span->bytes || span->bytes / span->size > 64 * (uint64_t)MOST_ELEMENTS)
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

/* Copies that are under way, this one not. */
static bool
is_pending(const struct copy_log *log, const struct copy_step *s)
{
    return s->hint % HINT_KINDS != HINT_WAIT && s->waits < log->warps;
}

void
copies_begin(struct sanitize *c, struct sim_warp *w, const struct copy_step *s)
{
    const struct copy_log *log = &sanitize_group_of(w)->copies;
    const struct copy_bytes mine = bytes_of(s);
    uint64_t at = 0;
    if (!(c->options.kinds & SANITIZE_RACE))
        return;
    look_back_all(c, w, s, &mine.from, false);
    look_back_all(c, w, s, &mine.to, true);
    for (const struct copy_step *x = log->step; x < s; x++) {
        const struct copy_bytes its = bytes_of(x);
        bool writes = meet(&mine.to, &its.to, &at);
        bool reads = !writes && meet(&mine.from, &its.to, &at);
        if (is_pending(log, x) &&
            (writes || reads || meet(&mine.to, &its.from, &at)))
            report(c, w, party_of(w, s, !reads),
                   party_of(w, x, writes || reads), at, mine.to.size);
    }
}

/* ---- accesses ---- */

/* The copy that an access would race with. */
static const struct copy_step *
find_pending(const struct sim_warp *w, uint64_t at, unsigned bytes, bool write,
             bool *writes)
{
    const struct copy_log *log = &sanitize_group_of(w)->copies;
    uint64_t bit = w->id < 64 ? UINT64_C(1) << w->id : 0;
    for (unsigned i = 0; log->pending && i < log->n; i++) {
        const struct copy_step *s = &log->step[i];
        if (!is_pending(log, s) || s->waited & bit)
            continue;
        const struct copy_bytes b = bytes_of(s);
        *writes = has(&b.to, at, bytes);
        if (*writes || (write && has(&b.from, at, bytes)))
            return s;
    }
    return NULL;
}

bool
copies_know(const struct sim_warp *w, uint64_t at, unsigned bytes, bool write,
            bool same_group, uint32_t time)
{
    const struct copy_warp *k = &sanitize_warp_of(w)->copy;
    bool writes;
    if (k->checked && (same_group || time <= k->since))
        return true;
    return same_group && find_pending(w, at, bytes, write, &writes);
}

void
copies_access(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
              const struct sanitize_operands *o,
              const struct sanitize_words *list)
{
    uint64_t lanes = list->scalar ? w->exec & -w->exec : list->lanes;
    bool writes;
    if (sanitize_warp_of(w)->copy.copying)
        return;
    for (unsigned i = 0; lanes; lanes &= lanes - 1)
        for (unsigned word = 0; word < list->words; word++, i++) {
            const uint64_t at = list->at[i];
            const struct copy_step *s =
                find_pending(w, at, list->bytes, o->store, &writes);
            if (s)
                report(c, w, sanitize_party(w, op, (int)__builtin_ctzll(lanes)),
                       party_of(w, s, writes), at, list->bytes);
        }
}
