/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution units (cycle.md 3b): each has a queue of results; a scalar and a
 * vector result are written back each cycle, from the unit that comes first.
 * Branches go to the warp scheduler, which takes one a cycle, unless a fetch
 * is sent back in it.
 */
#include "model/machine.h"

static const enum unit_queue scalar_order[] = { Q_SALU, Q_FPU, Q_LSU,
                                                Q_CSR,  Q_SFU, Q_MUL };
static const enum unit_queue vector_order[] = { Q_VALU, Q_FPU, Q_LSU,
                                                Q_SFU,  Q_MUL, Q_TENSOR };

static bool
write_back(struct sm *s, enum unit_queue q, bool vector)
{
    struct fifo *f = &s->units.out[q];
    if (!fifo_ready(f, s->now))
        return false;
    const struct result *r = &s->units.result[q][f->head];
    if (r->op->writes_v != vector)
        return false;
    scoreboard_clear(s, r->warp, r->op);
    if (sm_is_watched(s) && q != Q_LSU)
        watch_flight(s, MODEL_EVENT_DONE, r->warp, r->op, r->id);
    fifo_pop(f, s->now);
    s->acts = true;
    if (!f->n)
        s->units.full &= ~(1u << q);
    return true;
}

/* When the first of all queues is ready. */
static uint64_t
first_due(const struct units *u)
{
    uint64_t first = UINT64_MAX;
    for (unsigned left = u->full; left; left &= left - 1) {
        const struct fifo *f = &u->out[lowest(left)];
        first = f->at[f->head] < first ? f->at[f->head] : first;
    }
    return first;
}

/* What comes before the LSU in its order of the ports. */
static bool
has_result(const struct sm *s, enum unit_queue q, bool vector)
{
    const struct fifo *f = &s->units.out[q];
    return fifo_ready(f, s->now) &&
           s->units.result[q][f->head].op->writes_v == vector;
}

void
units_writeback(struct sm *s)
{
    s->units.x_free =
        !has_result(s, Q_SALU, false) && !has_result(s, Q_FPU, false);
    s->units.v_free =
        !has_result(s, Q_VALU, true) && !has_result(s, Q_FPU, true);
    for (unsigned i = 0; i < 6; i++)
        if (write_back(s, scalar_order[i], false))
            break;
    for (unsigned i = 0; i < 6; i++)
        if (write_back(s, vector_order[i], true))
            break;
    s->units.due = first_due(&s->units);
}

void
units_result(struct sm *s, enum unit_queue q, struct result r, unsigned cycles)
{
    struct fifo *f = &s->units.out[q];
    struct result *list = s->units.result[q];
    f->latency = (uint8_t)cycles;
    s->units.full |= 1u << q;
    unsigned i = fifo_push(f, s->now);
    uint64_t at = f->at[i];
    /* What takes longer is overtaken. */
    for (unsigned n = f->n; n > 1; n--) {
        unsigned before = (i + FIFO_MAX - 1) % FIFO_MAX;
        if (f->at[before] <= at)
            break;
        f->at[i] = f->at[before];
        list[i] = list[before];
        i = before;
    }
    f->at[i] = at;
    list[i] = r;
    s->units.due = at < s->units.due ? at : s->units.due;
}

/* ---- branches ---- */

static void
resolve(struct sm *s, const struct branch *b)
{
    if (b->jump) {
        fetch_flush(s, b->warp);
        fetch_jump(s, b->warp, b->target);
    }
    s->branching &= ~bit_of(b->warp);
    warp_changed(s, b->warp);
    s->branched = s->acts = true;
    s->units.branches--;
    if (sm_is_watched(s))
        watch_flight(s, MODEL_EVENT_DONE, b->warp, NULL, b->id);
}

/* The SIMT stack: knows one cycle after the vALU where a warp goes. */
static void
step_simt(struct sm *s)
{
    struct units *u = &s->units;
    uint64_t now = s->now;
    if (!fifo_ready(&u->simt, now) || !fifo_has_room(&u->vector_branch, now))
        return;
    struct branch b = u->st[fifo_pop(&u->simt, now)];
    s->acts = true;
    u->branches -= b.none;
    if (b.none) {
        s->branching &= ~bit_of(b.warp);
        warp_changed(s, b.warp);
        if (sm_is_watched(s))
            watch_flight(s, MODEL_EVENT_DONE, b.warp, NULL, b.id);
    } else {
        u->vb[fifo_push(&u->vector_branch, now)] = b;
    }
}

void
units_branches(struct sm *s)
{
    struct units *u = &s->units;
    uint64_t now = s->now;
    bool vector = fifo_ready(&u->vector_branch, now);
    if (!s->blocked && fifo_ready(&u->scalar_branch, now))
        resolve(s, &u->sb[fifo_pop(&u->scalar_branch, now)]);
    else if (!s->blocked && vector)
        resolve(s, &u->vb[fifo_pop(&u->vector_branch, now)]);
    step_simt(s);
}

/* ---- what an instruction needs to start ---- */

static bool
take_scalar(struct sm *s, const struct flight *f)
{
    struct units *u = &s->units;
    const struct model_op *o = f->op;
    uint64_t now = s->now;
    if (o->branch && !fifo_has_room(&u->scalar_branch, now))
        return false;
    if (o->writes_x && !fifo_has_room(&u->out[Q_SALU], now))
        return false;
    u->branches += o->branch != BRANCH_NONE;
    if (o->branch)
        u->sb[fifo_push(&u->scalar_branch, now)] =
            (struct branch){ f->warp, f->jump, false, f->target, f->id };
    if (o->writes_x)
        units_result(s, Q_SALU, (struct result){ o, f->warp, f->id }, 1);
    return true;
}

static bool
take_simt(struct sm *s, const struct flight *f)
{
    struct units *u = &s->units;
    uint64_t now = s->now;
    if (!fifo_has_room(&u->simt, now))
        return false;
    bool none = f->op->branch == BRANCH_VECTOR && !f->jump;
    u->branches++;
    u->st[fifo_push(&u->simt, now)] =
        (struct branch){ f->warp, f->jump, none, f->target, f->id };
    return true;
}

/*
 * A unit with fewer lanes than a warp takes a vector in passes, one a cycle:
 * one more to put the first in, one to put the results together.
 */
static bool
take_pipelined(struct sm *s, const struct flight *f, enum unit_queue q,
               unsigned cycles)
{
    unsigned passes = f->op->vector ? s->m->passes : 1;
    if (!fifo_has_room(&s->units.out[q], s->now) || s->units.free[q] > s->now)
        return false;
    s->units.free[q] = s->now + passes;
    if (passes > 1)
        cycles += passes + 1;
    if (f->op->writes_x || f->op->writes_v)
        units_result(s, q, (struct result){ f->op, f->warp, f->id }, cycles);
    return true;
}

/* One at a time. */
static bool
take_sfu(struct sm *s, const struct flight *f)
{
    unsigned busy = f->busy;
    if (s->units.sfu_free > s->now)
        return false;
    s->units.sfu_free = s->now + busy;
    units_result(s, Q_SFU, (struct result){ f->op, f->warp, f->id }, busy);
    return true;
}

/* Barrier and end go to the warp scheduler, behind branches. */
static bool
take_warp_control(struct sm *s, const struct flight *f)
{
    if (s->branched || s->blocked)
        return false;
    s->branching &= ~bit_of(f->warp);
    warp_changed(s, f->warp);
    if (f->op->ends) {
        fetch_flush(s, f->warp);
        cta_warp_ended(s, f->warp);
    } else {
        cta_barrier(s, f->warp);
    }
    return true;
}

bool
units_take(struct sm *s, struct flight *f)
{
    const struct model_config *c = &s->m->config;
    const struct model_op *o = f->op;
    if (o->ends || o->barrier)
        return take_warp_control(s, f);
    if (o->branch == BRANCH_VECTOR || o->branch == BRANCH_JOIN)
        return take_simt(s, f);
    switch ((enum isa_unit)o->unit) {
    case ISA_UNIT_LSU:
        return lsu_take(s, f);
    case ISA_UNIT_CSR:
    case ISA_UNIT_SIMT: /* setrpc writes a CSR */
        return take_pipelined(s, f, Q_CSR, 1);
    case ISA_UNIT_VALU:
        return o->writes_x ? take_pipelined(s, f, Q_SALU, 1)
                           : take_pipelined(s, f, Q_VALU, 1);
    case ISA_UNIT_MUL:
        return take_pipelined(s, f, Q_MUL, c->mul_cycles);
    case ISA_UNIT_FPU:
        return take_pipelined(s, f, Q_FPU,
                              o->fpu == FPU_SHORT ? c->fpu_short_cycles
                              : o->fpu == FPU_ADD ? c->fpu_add_cycles
                                                  : c->fpu_cycles);
    case ISA_UNIT_SFU:
        return take_sfu(s, f);
    case ISA_UNIT_TENSOR:
        return take_pipelined(s, f, Q_TENSOR, c->tensor_cycles);
    case ISA_UNIT_SALU:
    case ISA_UNIT_WARP:
    case ISA_UNIT_PREFIX:
    case ISA_UNIT_COUNT:
        break;
    }
    return take_scalar(s, f);
}
