/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Issue (cycle.md 3b, 3c): one instruction a cycle; with issue_width = 2, one
 * of the sALU, CSR unit or warp control and one of all others, of two warps.
 * The values are made here: the functional machine executes what is issued.
 */
#include <string.h>

#include "model/machine.h"

static void
start_warps(struct sm *s)
{
    for (uint64_t left = s->starting; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (s->warp[i].start_at > s->now)
            continue;
        s->starting &= ~bit_of(i);
        s->acts = true;
        s->active |= bit_of(i);
        warp_changed(s, i);
    }
}

static void
set(uint64_t *bits, unsigned i, bool on)
{
    *bits = (*bits & ~bit_of(i)) | (uint64_t)on << i;
}

/* What a warp's next instruction needs. */
static void
check_warp(struct sm *s, unsigned i)
{
    const struct warp *w = &s->warp[i];
    const struct model_op *head = ibuffer_head(w);
    unsigned marks = 0;
    if (head && head->known)
        marks = scoreboard_check(w, head) |
                (head->memory && s->fencing >> i & 1 ? BUSY_LSU : 0);
    set(&s->scalar_heads, i, head && head->scalar_port);
    set(&s->shared_heads, i, head && head->shared);
    set(&s->empty, i, !w->current.mask);
    set(&s->needs_load, i, marks & BUSY_LSU);
    set(&s->needs_result, i, marks == BUSY);
}

/* A fence is seen to be over one cycle later. */
static void
end_fences(struct sm *s)
{
    for (uint64_t left = s->fencing & s->active; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (s->lsu.outstanding[i] || s->rcc.effect[i])
            continue;
        s->fencing &= ~bit_of(i);
        warp_changed(s, i);
        s->acts = true;
    }
}

/* Sorts warps by what keeps them from issuing. */
static void
sort_warps(struct sm *s, uint64_t free)
{
    uint64_t others = s->active & ~s->waits;
    uint64_t ready = free & ~(s->needs_load | s->needs_result);
    s->why[MODEL_BARRIER] = s->active & s->waits;
    s->why[MODEL_BRANCH] = others & s->branching;
    s->why[MODEL_COLLECT] = others & ~s->branching & s->collecting;
    s->why[MODEL_DEPEND_LSU] = free & s->needs_load;
    s->why[MODEL_DEPEND] = free & s->needs_result;
    s->why[MODEL_FETCH] = s->refills = ready & s->empty;
    s->why[MODEL_ISSUED] = s->candidates = ready & ~s->empty;
}

/* Which warps are ready, as all registers are when the cycle begins. */
void
issue_check(struct sm *s)
{
    if (s->starting)
        start_warps(s);
    uint64_t free = s->active & ~(s->waits | s->branching | s->collecting);
    uint64_t left = s->changed & free;
    s->changed &= ~left;
    s->acts |= left != 0;
    for (; left; left &= left - 1)
        check_warp(s, lowest(left));
    sort_warps(s, free);
    s->acts |= s->candidates != 0;
    if (s->fencing)
        end_fences(s);
}

enum model_stall
issue_why(const struct sm *s, unsigned warp)
{
    for (unsigned why = 0; why < MODEL_STALLS; why++)
        if (s->why[why] >> warp & 1)
            return (enum model_stall)why;
    return MODEL_ISSUED;
}

static void
take_step(struct flight *f, const struct sim_step *step)
{
    f->kept = false;
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
    s->failed = true;
    return false;
}

static bool
execute(struct sm *s, unsigned warp, struct flight *f)
{
    struct warp *w = &s->warp[warp];
    const struct model_op *op = ibuffer_head(w);
    uint8_t cycles[64];
    bool special = op && op->unit == ISA_UNIT_SFU;
    if (special && !op->fp)
        sfu_measure(s, w, op, cycles);
    if (s->m->config.rcc)
        rcc_before(s, w, op);
    bool noted = s->notes && op && op->memory && !op->fence;
    if (noted && op->step & STEP_WIDE)
        race_note_wide(s, w, op);
    const struct sim_step *step =
        !op || shows_steps(s->m)
            ? step_warp(s->stepper, w->group, w->id)
            : step_warp_quick(s->stepper, w->group, w->id, op->step);
    if (s->m->config.rcc)
        rcc_after(s, op);
    if (!step)
        return fail(s);
    if (noted && !(op->step & STEP_WIDE))
        race_note(s, w, op, step);
    f->id = s->issues++;
    f->op = op;
    w->issued_pc = w->next_pc;
    w->issued_at = s->now;
    w->next_pc = (uint32_t)step->next_pc;
    f->warp = (uint8_t)warp;
    take_step(f, step);
    if (special)
        f->busy = sfu_busy(s, f, cycles);
    /* A target that happens to be the next instruction is a jump, too. */
    if (f->op->branch == BRANCH_SCALAR &&
        isa_info[f->op->op].format != ISA_FORMAT_B)
        f->jump = true;
    if (shows_issues(s->m))
        s->m->hooks->issue(s->m->hooks->ctx, s->now, s->id, warp, step);
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
take_next(struct warp *w)
{
    w->current.mask &= (uint8_t)(w->current.mask & 1 ? ~1u : 0u);
}

static void
issue_port(struct sm *s, unsigned port, uint64_t ready)
{
    if (!ready || !collect_has_room(s))
        return;
    int found = schedule_choose(s, port, ready);
    if (found < 0)
        return;
    unsigned chosen = (unsigned)found;
    struct warp *w = &s->warp[chosen];
    struct flight *f = flight_new(s);
    if (!execute(s, chosen, f))
        return;
    w->issued_port = (uint8_t)port;
    schedule_issued(s, port, chosen);
    s->last_issue = s->now;
    s->endings += f->op->ends;
    stats_count_issue(s, f);
    scoreboard_set(s, chosen, f->op);
    if (s->m->config.rcc)
        rcc_issued(s, chosen, f->op);
    warp_changed(s, chosen);
    collect_enter(s, f);
    take_next(w);
    s->candidates &= ~bit_of(chosen);
}

/* With two ports a warp still issues one: it has one instruction to give. */
void
issue_cycle(struct sm *s)
{
    if (s->m->config.issue_width == 1) {
        issue_port(s, PORT_ANY, s->candidates);
        return;
    }
    uint64_t scalar = s->candidates & s->scalar_heads;
    issue_port(s, PORT_VECTOR, s->candidates & ~scalar);
    if (!s->failed)
        issue_port(s, PORT_SCALAR, scalar);
}
