/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Livelock detection: some warps wait at a barrier, and the others poll memory
 * that no store will change, for ever.
 *
 * The behaviour of a warp follows from its state (registers, mask, SIMT stack) and
 * from memory.  A warp that returns to an earlier state, while no memory has changed
 * and without reading a counter, repeats itself until a store changes memory.  When
 * all running warps repeat themselves, and memory has not changed since the first of
 * their repetitions began, it never will change.  That holds for any SMs of the warps
 * and any order of issue.
 *
 *   1. Every `deadlock` cycles the model checks whether some warp has not issued
 *      since the last check.  Only then it observes issues: no other launch pays.
 *   2. It compares the states of each warp after its issues (base/recurrence.h), and
 *      records the last change that other warps may see: a word of memory with a
 *      new value, a print, a barrier, an end; with RCC a line that an L1D writes
 *      back or invalidates and that differs from memory.
 *   3. `deadlock` cycles later it checks again.  The detection of a warp whose
 *      repetition began before the last change starts again.
 *
 * A warp may be at no barrier and yet not issue, since the last change and for
 * `deadlock` cycles, while the others repeat themselves.  It is starved by their
 * priority, possibly for ever.  The model reports that as a deadlock, too.  This
 * report depends on time, as that of a machine on which no warp issues.
 */
#include "model/livelock.h"

#include <assert.h>
#include <string.h>

#include "model/check.h"
#include "model/machine.h"

/* ---- while issues are observed ---- */

void
livelock_note(struct sm *s, bool changed)
{
    if (changed)
        s->changed_at = s->now;
}

static uint64_t
hash_scalars(const struct sm *s, struct warp_place at)
{
    const uint32_t *x = step_registers(s->stepper, at.group, at.id).x;
    uint64_t hash = 0;
    for (unsigned i = 0; i < 64; i++)
        hash = (hash ^ x[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return hash;
}

/* Compares the state of a warp with the one that is kept.  When its time has come, the
 * state of now is kept instead. */
static void
compare_state(const struct sm *s, unsigned warp, uint32_t pc)
{
    struct warp_livelock *p = &s->warp[warp].livelock;
    struct warp_place at = workgroup_place(&s->workgroup, warp);
    bool due = recurrence_is_due(&p->state), kept;
    if (p->repeats)
        return;
    uint64_t x = due || pc == p->pc ? hash_scalars(s, at) : 0, hash[2];
    if (!due && (pc != p->pc || x != p->x)) {
        recurrence_differs(&p->state);
        return;
    }
    step_hash(s->stepper, at.group, at.id, hash);
    p->repeats = recurrence_found(&p->state, hash, &kept);
    if (kept) {
        p->pc = pc;
        p->x = x;
        p->kept_at = s->now;
    }
}

/* Does an instruction, besides writing, what other warps may see? */
static bool
is_seen(const struct model_op *op)
{
    return (op->barrier && !op->subgroup) || op->ends ||
           (op->shared && !op->atomic);
}

void
livelock_before(struct sm *s, unsigned warp, const struct model_op *op,
                struct livelock_words *words)
{
    words->access.n = 0;
    if (!op->write && !op->atomic)
        return;
    struct warp_place at = workgroup_place(&s->workgroup, warp);
    step_peek(s->stepper, at.group, at.id, &words->access);
    step_look(s->stepper, &words->access, words->value);
}

void
livelock_after(struct sm *s, unsigned warp, const struct model_op *op,
               const struct ventus_sim_step *step,
               const struct livelock_words *before)
{
    uint32_t now[STEP_WORDS_MAX];
    unsigned n = before->access.n;
    assert(n <= STEP_WORDS_MAX && "a step stores no more words");
    step_look(s->stepper, &before->access, now);
    bool changes =
        is_seen(op) || memcmp(before->value, now, n * sizeof *now) != 0;
    livelock_note(s, changes);
    if (changes || op->step & STEP_COUNTER)
        s->warp[warp].livelock = (struct warp_livelock){ .repeats = false };
    else
        compare_state(s, warp, (uint32_t)step->next_pc);
}

/* ---- now and then ---- */

enum look { LOOK_WAITS, LOOK_REPEATS, LOOK_STARVES, LOOK_UNSURE, LOOKS };

/* Was it not issued for long? */
static bool
is_stalled(const struct sm *s, unsigned warp)
{
    uint64_t last = s->warp[warp].issued_at;
    if (last == UINT64_MAX)
        last = issue_start_of(&s->issue, warp);
    return last + s->m->config.deadlock <= s->m->now;
}

static enum look
look_at(const struct sm *s, unsigned i, uint64_t changed)
{
    const struct ventus_model *m = s->m;
    const struct warp *w = &s->warp[i];
    if (issue_waits(&s->issue) >> i & 1)
        return LOOK_WAITS;
    if (w->livelock.repeats && w->livelock.kept_at > changed)
        return LOOK_REPEATS;
    if (is_stalled(s, i) && changed + m->config.deadlock <= m->now)
        return LOOK_STARVES;
    return LOOK_UNSURE;
}

/* Will no workgroup come, and no L1D be emptied after one? */
static bool
is_settled(const struct ventus_model *m)
{
    for (unsigned i = 0; i < m->sms; i++)
        if (workgroup_drains(&m->sm[i].workgroup))
            return false;
    return cta_is_settled(&m->cta);
}

static uint64_t
last_change(struct ventus_model *m)
{
    if (m->started != cta_started(&m->cta))
        m->started_at = m->now;
    m->started = cta_started(&m->cta);
    uint64_t last = m->started_at;
    for (unsigned i = 0; i < m->sms; i++)
        if (m->sm[i].changed_at > last)
            last = m->sm[i].changed_at;
    return last;
}

/* From now on issues are observed, or not any more. */
static void
turn(struct ventus_model *m, bool on)
{
    if (m->detects_livelock == on)
        return;
    m->detects_livelock = on;
    m->started_at = m->now;
    m->started = cta_started(&m->cta);
    for (unsigned i = 0; i < m->sms; i++) {
        m->sm[i].detects_livelock = on;
        rcc_compare(&m->sm[i].rcc, on);
        for (unsigned k = 0; k < m->sm[i].warps; k++)
            m->sm[i].warp[k].livelock =
                (struct warp_livelock){ .repeats = false };
    }
}

static bool
any_is_stalled(const struct ventus_model *m)
{
    for (unsigned i = 0; i < m->sms; i++)
        for (unsigned k = 0; k < m->sm[i].warps; k++)
            if (workgroup_has_warp(&m->sm[i].workgroup, k) &&
                is_stalled(&m->sm[i], k))
                return true;
    return false;
}

/* Repetitions that began before the last change begin anew. */
static void
begin_anew(struct sm *s, uint64_t changed)
{
    for (unsigned i = 0; i < s->warps; i++)
        if (s->warp[i].livelock.kept_at <= changed)
            s->warp[i].livelock = (struct warp_livelock){ .repeats = false };
}

void
livelock_check(struct ventus_model *m)
{
    bool was = m->detects_livelock;
    turn(m, any_is_stalled(m));
    if (!was || !m->detects_livelock)
        return;
    uint64_t changed = last_change(m);
    unsigned found[LOOKS] = { 0 };
    for (unsigned i = 0; i < m->sms; i++) {
        for (unsigned k = 0; k < m->sm[i].warps; k++)
            if (workgroup_has_warp(&m->sm[i].workgroup, k))
                found[look_at(&m->sm[i], k, changed)]++;
        begin_anew(&m->sm[i], changed);
    }
    if (is_settled(m) && !found[LOOK_UNSURE] &&
        found[LOOK_WAITS] + found[LOOK_STARVES])
        report_livelock(m, found[LOOK_STARVES]);
}
