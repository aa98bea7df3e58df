/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of work-groups: who begins them, what is waited for (copy_log.h). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/hints.h"
#include "sanitize/state.h"

/* ---- what is told ---- */

static struct copy_warp *
telling_of(const struct sim_warp *w)
{
    return &sanitize_warp_of(w)->copy;
}

static struct copy_log *
log_of(const struct sim_warp *w)
{
    return &sanitize_group_of(w)->copies;
}

static bool
is_wait(const struct copy_step *s)
{
    return s->hint == HINT_WAIT;
}

static void
note_difference(struct copy_warp *k, unsigned lane, uint32_t value)
{
    if (k->differs)
        return;
    k->differs = true;
    k->lane = lane;
    k->operand = k->step.told;
    k->value = value;
}

/* An operand of the hint: the one of the first lane, with which the others agree. */
static void
tell(struct sim_warp *w, const struct sim_op *op)
{
    struct copy_warp *k = telling_of(w);
    const bool vector = op->code == VENTUS_ISA_VMV_X_S;
    const uint32_t *v = w->v + (size_t)op->s2 * w->lanes;
    if (!k->telling || !w->mask)
        return;
    uint32_t first = vector ? v[__builtin_ctzll(w->mask)] : w->x[op->s1];
    for (uint64_t rest = w->mask; vector && rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (v[lane] != first)
            note_difference(k, lane, v[lane]);
    }
    uint64_t silent = w->items & ~w->mask; /* fewer events than others */
    if (silent && is_wait(&k->step))
        note_difference(k, (unsigned)__builtin_ctzll(silent), 0);
    if (k->step.told < COPY_OPERANDS)
        k->step.operand[k->step.told] = first;
    k->step.told++;
}

/* ---- who comes to it ---- */

static struct sanitize_party
party_of(const struct sim_warp *w, const struct copy_step *s)
{
    return (struct sanitize_party){ .known = true,
                                    .pc = s->pc,
                                    .group = w->group->number,
                                    .warp = s->warp,
                                    .lane = (int)s->lane };
}

/* The party of a lane that does not do as the others; pc 0 if it never comes there. */
static struct sanitize_party
other_party(const struct sim_warp *w, unsigned warp, unsigned lane, uint64_t pc)
{
    return (struct sanitize_party){ .known = true,
                                    .pc = pc,
                                    .group = w->group->number,
                                    .warp = warp,
                                    .lane = (int)lane };
}

/* Reports that lanes copy differently, and no more of this work-group: mistakes that
 * follow from this one are none of their own. */
static void
diverges(struct sanitize *c, const struct sim_warp *w,
         const struct copy_step *here, struct sanitize_party other,
         const char *note)
{
    struct copy_log *log = log_of(w);
    sanitize_note(c, w,
                  &(struct sanitize_finding){ .what = SANITIZE_COPY_DIVERGES,
                                              .here = party_of(w, here),
                                              .other = other,
                                              .note = note });
    log->lost = true;
    log->pending = 0;
}

/* The name of an operand; two of them are the words of one address. */
static const char *
operand_name(const struct copy_step *s, unsigned operand)
{
    static const char *const narrow[] = { "destination", "source",
                                          "number of elements", "stride",
                                          "event" };
    if (is_wait(s))
        return "event";
    unsigned wide = s->told > 5 ? 2 : 0;
    unsigned i = operand >= 2 * wide ? operand - wide : operand / 2;
    return i < 5 ? narrow[i] : "event";
}

static void
operands_differ(struct sanitize *c, const struct sim_warp *w,
                const struct copy_step *here, struct sanitize_party other,
                unsigned operand, uint32_t value)
{
    char note[120];
    uint32_t mine = operand < here->told && operand < COPY_OPERANDS
                        ? here->operand[operand]
                        : 0;
    snprintf(note, sizeof note, "the %s differs: 0x%x and 0x%x",
             operand_name(here, operand), mine, value);
    diverges(c, w, here, other, note);
}

/* The warp and the one that came to this step first. */
static void
compare(struct sanitize *c, const struct sim_warp *w, const struct copy_step *s)
{
    const struct copy_step *mine = &telling_of(w)->step;
    unsigned n = mine->told < COPY_OPERANDS ? mine->told : COPY_OPERANDS;
    if (s->pc != mine->pc || s->hint != mine->hint || s->told != mine->told) {
        diverges(c, w, mine, party_of(w, s),
                 s->pc == mine->pc ? "the number of events differs"
                                   : "they come to different ones");
        return;
    }
    for (unsigned i = 0; i < n; i++)
        if (mine->operand[i] != s->operand[i]) {
            operands_differ(c, w, mine, party_of(w, s), i, s->operand[i]);
            return;
        }
}

/* Whether all work-items of the warp come to it with the same operands. */
static bool
is_whole(struct sanitize *c, const struct sim_warp *w)
{
    const struct copy_warp *k = telling_of(w);
    uint64_t missing = w->items & ~w->mask;
    if (missing) {
        /* The barrier of a wait says so, too. */
        if (!is_wait(&k->step))
            diverges(
                c, w, &k->step,
                other_party(w, w->id, (unsigned)__builtin_ctzll(missing), 0),
                "it does not come here at the same time");
        log_of(w)->lost = true;
        log_of(w)->pending = 0;
        return false;
    }
    if (!k->differs)
        return true;
    operands_differ(c, w, &k->step, other_party(w, w->id, k->lane, k->step.pc),
                    k->operand, k->value);
    return false;
}

/* ---- the log ---- */

enum { MAX_STEPS = 1 << 12 }; /* that wait for others */

static unsigned
count_warps(const struct sim_group *g)
{
    unsigned n = 0;
    for (unsigned i = 0; i < g->warps; i++)
        n += g->warp[i].items != 0;
    return n;
}

static bool
is_complete(const struct copy_log *log, const struct copy_step *s)
{
    return s->warps == log->warps && (is_wait(s) || s->waits == log->warps);
}

static void
drop_complete(struct copy_log *log)
{
    unsigned n = 0;
    while (n < log->n && is_complete(log, &log->step[n]))
        n++;
    if (!n)
        return;
    log->n -= n;
    log->dropped += n;
    memmove(log->step, log->step + n, log->n * sizeof *log->step);
}

static struct copy_step *
append(struct copy_log *log, const struct copy_step *s)
{
    if (log->n == log->cap) {
        unsigned cap = log->cap ? 2 * log->cap : 8;
        struct copy_step *more =
            cap > MAX_STEPS ? NULL : realloc(log->step, cap * sizeof *more);
        if (!more) {
            log->lost = true;
            log->pending = 0;
            return NULL;
        }
        log->step = more;
        log->cap = cap;
    }
    log->step[log->n] = *s;
    return &log->step[log->n++];
}

/* The step that the warp has come to; NULL: it does not suit the others'. */
static struct copy_step *
arrive(struct sanitize *c, struct sim_warp *w)
{
    struct copy_warp *k = telling_of(w);
    struct copy_log *log = log_of(w);
    k->telling = false;
    if (log->lost || !is_whole(c, w))
        return NULL;
    if (!log->warps)
        log->warps = count_warps(w->group);
    uint64_t i = k->steps++ - log->dropped;
    assert(i <= log->n);
    if (i < log->n)
        compare(c, w, &log->step[i]);
    struct copy_step *s = log->lost    ? NULL
                          : i < log->n ? &log->step[i]
                                       : append(log, &k->step);
    if (s)
        s->warps++;
    return s;
}

void
async_copies_start(struct copy_log *log)
{
    log->n = log->pending = log->warps = 0;
    log->dropped = 0;
    log->lost = false;
}

/* ---- events ---- */

static void
invalid(struct sanitize *c, const struct sim_warp *w, const char *note)
{
    sanitize_note(
        c, w,
        &(struct sanitize_finding){ .what = SANITIZE_EVENT_INVALID,
                                    .here = party_of(w, &telling_of(w)->step),
                                    .note = note });
}

/* Copies of the event that this warp has not waited for; they are if `waits`. */
static bool
find_copies(struct copy_log *log, const struct sim_warp *w, uint32_t event,
            bool all, bool waits)
{
    uint64_t bit = w->id < 64 ? UINT64_C(1) << w->id : 0;
    bool found = false;
    for (unsigned i = 0; i < log->n; i++) {
        struct copy_step *s = &log->step[i];
        if (is_wait(s) || (s->event != event && !all) || s->waited & bit)
            continue;
        found = true;
        if (!waits)
            continue;
        s->waited |= bit;
        if (++s->waits == log->warps)
            log->pending--;
    }
    return found;
}

static void
wait(struct sanitize *c, struct sim_warp *w)
{
    struct copy_log *log = log_of(w);
    const struct copy_step *mine = &telling_of(w)->step;
    if (!arrive(c, w))
        return;
    bool all = mine->told > COPY_OPERANDS;
    unsigned n = all ? 0 : mine->told;
    for (unsigned i = 0; i < n; i++)
        if (!find_copies(log, w, mine->operand[i], false, false))
            invalid(c, w,
                    mine->operand[i]
                        ? "no copy has this event, or it was waited for before"
                        : "the event is 0");
    for (unsigned i = 0; i < n; i++)
        find_copies(log, w, mine->operand[i], false, true);
    if (all)
        find_copies(log, w, 0, true, true);
    drop_complete(log);
}

/* A copy may join an event; of copies that are complete nothing is known. */
static bool
is_known(const struct copy_log *log, uint32_t event)
{
    for (unsigned i = 0; i < log->n; i++)
        if (!is_wait(&log->step[i]) && log->step[i].event == event)
            return true;
    return log->dropped != 0;
}

static void
copy(struct sanitize *c, struct sim_warp *w)
{
    struct copy_warp *k = telling_of(w);
    struct copy_log *log = log_of(w);
    k->copying = true;
    if (k->step.told != 5 && k->step.told != 7)
        return; /* no hint of the library */
    uint32_t joins = k->step.operand[k->step.told - 1];
    k->step.event = joins ? joins : k->step.operand[0] | 1;
    if (joins && !log->lost && !is_known(log, joins))
        invalid(c, w, "no copy has the event that this one is to join");
    struct copy_step *s = arrive(c, w);
    k->checked = s != NULL;
    if (!s)
        return;
    k->since = s->time;
    if (s->warps > 1)
        return;
    async_copies_begin(c, w, s);
    log->pending++;
}

void
async_copies_hint(struct sanitize *c, struct sim_warp *w,
                  const struct sim_op *op)
{
    struct copy_warp *k = telling_of(w);
    const bool scalar = op->code == VENTUS_ISA_SLTI;
    if (!(c->options.kinds & (SANITIZE_SYNC | SANITIZE_RACE)))
        return;
    if (!scalar || op->imm == HINT_OPERAND) {
        tell(w, op);
        return;
    }
    if (op->s1 || op->imm <= 0)
        return;
    switch ((enum hint)(op->imm % HINT_KINDS)) {
    case HINT_COPY:
    case HINT_TO:
    case HINT_FROM:
    case HINT_WAIT:
        k->telling = true;
        k->differs = false;
        k->step = (struct copy_step){
            .pc = op->pc,
            .time = c->time,
            .hint = (unsigned)op->imm,
            .warp = w->id,
            .lane = (unsigned)__builtin_ctzll(w->mask),
        };
        return;
    case HINT_START:
        copy(c, w);
        return;
    case HINT_END:
        k->copying = k->checked = false;
        return;
    case HINT_WAITS:
        wait(c, w);
        return;
    case HINT_OPERAND:
    case HINT_BOUNDS:
    case HINT_UNWRITTEN:
    case HINT_IMAGE:
    case HINT_ALIGN:
    case HINT_DIVIDE:
    case HINT_ARGUMENT:
    case HINT_KINDS:
        return;
    }
}

/* ---- the end ---- */

void
async_copies_end(struct sanitize *c, struct sim_group *group)
{
    struct sanitize_group *g = group->checked;
    struct copy_log *log = &g->copies;
    for (unsigned i = 0; i < group->warps && log->n; i++)
        if (group->warp[i].stop != STOP_END)
            return; /* by a fault */
    for (unsigned i = 0; i < group->warps && log->n && !log->lost; i++) {
        const struct sim_warp *w = &group->warp[i];
        uint64_t steps = g->warp[i].copy.steps;
        if (!w->items || steps >= log->dropped + log->n)
            continue;
        unsigned lane = (unsigned)__builtin_ctzll(w->items);
        diverges(c, &group->warp[0], &log->step[steps - log->dropped],
                 other_party(w, i, lane, 0), "it never comes here");
    }
    for (unsigned i = 0; i < log->n && !log->lost; i++) {
        const struct copy_step *s = &log->step[i];
        if (!is_wait(s) && !s->waits)
            sanitize_note(c, &group->warp[0],
                          &(struct sanitize_finding){
                              .what = SANITIZE_COPY_UNWAITED,
                              .here = party_of(&group->warp[0], s) });
    }
}
