/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Issue (cycle.md 3c): one instruction a cycle, warps in turn.  The values are
 * made here: the functional machine executes what is issued.
 */
#include <string.h>

#include "model/machine.h"

/* Which warps are ready, as all registers are when the cycle begins. */
void
issue_check(struct sm *s)
{
    s->candidates = 0;
    for (unsigned i = 0; i < s->warps; i++) {
        struct warp *w = &s->warp[i];
        if (!w->active || w->start_at > s->m->now)
            continue;
        w->was_empty = !w->current.mask;
        w->why =
            w->waits ? MODEL_BARRIER : scoreboard_check(w, ibuffer_head(s, i));
        if (!s->lsu.outstanding[i])
            w->fencing = false;
        w->is_ready = w->why == MODEL_ISSUED;
        if (w->is_ready && w->was_empty)
            w->why = MODEL_FETCH;
        else if (w->is_ready)
            s->candidates |= UINT64_C(1) << i;
    }
}

static int
choose(struct sm *s)
{
    for (unsigned i = 0; i < s->warps; i++) {
        unsigned w = (s->issue_next + i) % s->warps;
        if (s->candidates >> w & 1)
            return (int)w;
    }
    return NEVER;
}

static void
take_step(struct flight *f, const struct sim_step *step)
{
    f->jump = step->next_pc != step->pc + 4;
    f->target = (uint32_t)step->next_pc;
    f->lanes = step->scalar_access ? 1 : step->exec;
    f->access_B = step->access_B;
    f->scalar = step->scalar_access;
    if (step->access_B)
        memcpy(f->at, step->addresses,
               (f->scalar ? 1 : step->num_thread) * sizeof *f->at);
}

static bool
fail(struct sm *s)
{
    *s->m->fault = *step_fault(s->stepper);
    s->m->failed = true;
    return false;
}

static bool
execute(struct sm *s, unsigned warp, struct flight *f)
{
    struct warp *w = &s->warp[warp];
    const struct sim_step *step = step_warp(s->stepper, w->group, w->id);
    if (!step)
        return fail(s);
    f->id = s->issues++;
    f->op = ibuffer_head(s, warp);
    w->issued_pc = w->next_pc;
    w->issued_at = s->m->now;
    w->next_pc = (uint32_t)step->next_pc;
    f->warp = (uint8_t)warp;
    take_step(f, step);
    /* A target that happens to be the next instruction is a jump, too. */
    if (f->op->branch == BRANCH_SCALAR &&
        isa_info[f->op->op].format != ISA_FORMAT_B)
        f->jump = true;
    if (s->m->hooks && s->m->hooks->issue)
        s->m->hooks->issue(s->m->hooks->ctx, s->m->now, s->id, warp, step);
    if (is_watched(s->m))
        watch_tell(s, (struct model_event){ .kind = MODEL_EVENT_ISSUED,
                                            .warp = warp,
                                            .id = f->id,
                                            .pc = f->op->pc,
                                            .unit = f->op->unit,
                                            .step = step });
    return true;
}

static void
advance(struct warp *w)
{
    w->current.mask &= (uint8_t)(w->current.mask & 1 ? ~1u : 0u);
}

void
issue_cycle(struct sm *s)
{
    int chosen = choose(s);
    if (chosen < 0 || !collect_has_room(s))
        return;
    struct warp *w = &s->warp[chosen];
    struct flight f = { .op = NULL };
    if (!execute(s, (unsigned)chosen, &f))
        return;
    s->issue_next = ((unsigned)chosen + 1) % s->warps;
    s->issued_at = s->m->now;
    s->m->last_issue = s->m->now;
    stats_count_issue(s, &f);
    scoreboard_set(w, f.op);
    collect_enter(s, &f);
    advance(w);
}
