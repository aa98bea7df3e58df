/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution units (cycle.md 3b): each has a queue of results; a scalar and a
 * vector result are written back each cycle, from the unit that comes first.
 * Branches go to the warp scheduler, which takes one a cycle, unless a fetch
 * is sent back in it.
 */
#include <assert.h>

#include "model/machine.h"

/*
 * The order of both ports is that of the queues.  Each writes what the other one
 * does not: a result is scalar, or a vector.
 */
enum {
    SCALAR_PORT = 1 << Q_SALU | 1 << Q_FPU | 1 << Q_LSU | 1 << Q_CSR |
                  1 << Q_SFU | 1 << Q_MUL,
    VECTOR_PORT = 1 << Q_VALU | 1 << Q_FPU | 1 << Q_LSU | 1 << Q_SFU |
                  1 << Q_MUL | 1 << Q_TENSOR
};

/* Queues whose first result is ready: a scalar, a vector. */
struct ready {
    unsigned scalar, vector;
};

static void
look(const struct sm *s, unsigned q, struct ready *ready)
{
    const struct fifo *f = &s->units.out[q];
    unsigned is_ready = fifo_ready(f, s->now);
    unsigned vector = s->units.result[q][f->head].vector;
    ready->scalar |= (is_ready & !vector) << q;
    ready->vector |= (is_ready & vector) << q;
}

/* Is it a result of the FPU's adder? */
static bool
is_sum(const struct result *r)
{
    return r->op->fpu == FPU_SUM || r->op->fpu == FPU_FUSED;
}

static void
write_back(struct sm *s, unsigned q)
{
    struct fifo *f = &s->units.out[q];
    const struct result *r = &s->units.result[q][f->head];
    debug_assert(s->units.full >> q & 1 && f->at[f->head] <= s->now);
    scoreboard_clear(&s->scoreboard, r->warp, r->op);
    if (q == Q_FPU && is_sum(r))
        s->units.sum_vector = r->vector;
    if (events_are_on(&s->events) && q != Q_LSU && !r->again)
        events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_DONE, r->warp,
                           r->op, r->id);
    fifo_pop(f, s->now);
    s->is_active = true;
    s->units.full &= ~((unsigned)!f->n << q);
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

/* Puts the i-th result of the FPU behind itself. */
static void
repeat(struct units *u, unsigned i)
{
    struct fifo *f = &u->out[Q_FPU];
    struct result *list = u->result[Q_FPU];
    for (unsigned k = f->n++; k > i + 1; k--) {
        unsigned to = (f->head + k) % FIFO_MAX;
        unsigned from = (to + FIFO_MAX - 1) % FIFO_MAX;
        f->at[to] = f->at[from];
        list[to] = list[from];
    }
    unsigned at = (f->head + i) % FIFO_MAX, next = (at + 1) % FIFO_MAX;
    list[next] = list[at];
    list[next].again = true;
    f->at[next] = f->at[at] + 1;
}

/*
 * A sum goes into its queue a cycle before it can be seen.  The adder of the
 * port lets it go when write-back would take what the FPU shows, not when the
 * queue takes it: if that is empty and the unit before the FPU has its turn,
 * the sum goes in twice.
 */
static void
repeat_sums(struct sm *s, const struct ready *ready)
{
    struct units *u = &s->units;
    struct fifo *f = &u->out[Q_FPU];
    const struct result *list = u->result[Q_FPU];
    bool vector = fifo_ready(f, s->now) ? list[f->head].vector : u->sum_vector;
    bool taken =
        vector ? ready->vector >> Q_VALU & 1 : ready->scalar >> Q_SALU & 1;
    for (unsigned i = 0; taken && f->n < FIFO_MAX && i < f->n; i++) {
        unsigned k = (f->head + i) % FIFO_MAX;
        if (f->at[k] > s->now + 1)
            return;
        if (!is_sum(&list[k]))
            continue;
        if (f->at[k] == s->now + 1 && !list[k].again)
            repeat(u, i);
        return;
    }
}

void
units_writeback(struct sm *s)
{
    struct units *u = &s->units;
    struct ready ready = { 0, 0 };
    for (unsigned left = u->full; left; left &= left - 1)
        look(s, lowest(left), &ready);
    /* What comes before the LSU in the order of the ports. */
    u->x_free = !(ready.scalar & (1 << Q_SALU | 1 << Q_FPU));
    u->v_free = !(ready.vector & (1 << Q_VALU | 1 << Q_FPU));
    if (u->full >> Q_FPU & 1 && s->m->config.fpu_repeats)
        repeat_sums(s, &ready);
    unsigned scalar = ready.scalar & SCALAR_PORT;
    if (scalar) {
        write_back(s, lowest(scalar));
        look(s, lowest(scalar), &ready); /* what was behind it */
    }
    unsigned vector = ready.vector & VECTOR_PORT;
    if (vector)
        write_back(s, lowest(vector));
    u->due = first_due(u);
}

void
units_result(struct sm *s, enum unit_queue q, struct result r, unsigned cycles)
{
    struct fifo *f = &s->units.out[q];
    struct result *list = s->units.result[q];
    debug_assert(q < QUEUES && r.op);
    s->units.full |= 1u << q;
    unsigned i = fifo_push(f, s->now);
    uint64_t at = s->now + cycles;
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

static void
give(struct sm *s, enum unit_queue q, const struct inflight *f, unsigned cycles)
{
    units_result(s, q,
                 (struct result){ .op = f->op,
                                  .id = f->id,
                                  .warp = f->warp,
                                  .vector = f->op->writes_v },
                 cycles);
}

/* ---- branches ---- */

static void
resolve(struct sm *s, const struct branch *b)
{
    debug_assert(s->units.branches);
    if (b->jump) {
        advance_flush(s, b->warp);
        fetch_jump(&s->fetch, b->warp, b->target);
    }
    scoreboard_resolved(&s->scoreboard, b->warp);
    s->branched = s->is_active = true;
    s->units.branches--;
    if (events_are_on(&s->events))
        events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_DONE, b->warp,
                           NULL, b->id);
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
    s->is_active = true;
    u->branches -= b.none;
    if (b.none) {
        scoreboard_resolved(&s->scoreboard, b.warp);
        if (events_are_on(&s->events))
            events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_DONE,
                               b.warp, NULL, b.id);
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
    if (!fetch_is_blocked(&s->fetch) && fifo_ready(&u->scalar_branch, now))
        resolve(s, &u->sb[fifo_pop(&u->scalar_branch, now)]);
    else if (!fetch_is_blocked(&s->fetch) && vector)
        resolve(s, &u->vb[fifo_pop(&u->vector_branch, now)]);
    step_simt(s);
}

/* ---- what an instruction needs to start ---- */

static bool
take_scalar(struct sm *s, const struct inflight *f)
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
        give(s, Q_SALU, f, 1);
    return true;
}

static bool
take_simt(struct sm *s, const struct inflight *f)
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

static bool
take_pipelined(struct sm *s, const struct inflight *f)
{
    const struct model_op *o = f->op;
    struct units *u = &s->units;
    enum unit_queue q = (enum unit_queue)o->queue;
    if (!fifo_has_room(&u->out[q], s->now) || u->free[q] > s->now)
        return false;
    u->free[q] = s->now + o->passes;
    if (o->writes_x || o->writes_v)
        give(s, q, f, o->cycles);
    return true;
}

/* One at a time. */
static bool
take_sfu(struct sm *s, const struct inflight *f)
{
    unsigned busy = f->busy;
    if (s->units.sfu_free > s->now)
        return false;
    s->units.sfu_free = s->now + busy;
    give(s, Q_SFU, f, busy);
    return true;
}

/* Barrier and end go to the warp scheduler, behind branches. */
static bool
take_warp_control(struct sm *s, const struct inflight *f)
{
    if (s->branched || fetch_is_blocked(&s->fetch))
        return false;
    scoreboard_resolved(&s->scoreboard, f->warp);
    if (f->op->ends) {
        advance_flush(s, f->warp);
        cta_warp_ended(s, f->warp);
    } else {
        cta_barrier(s, f->warp, f->op);
    }
    return true;
}

bool
units_take(struct sm *s, struct inflight *f)
{
    switch ((enum unit_kind)f->op->kind) {
    case UNIT_PIPELINED:
        return take_pipelined(s, f);
    case UNIT_SCALAR:
        return take_scalar(s, f);
    case UNIT_LSU:
        return lsu_take(s, f);
    case UNIT_SFU:
        return take_sfu(s, f);
    case UNIT_SIMT:
        return take_simt(s, f);
    case UNIT_CONTROL:
        return take_warp_control(s, f);
    }
    return false;
}

/* ---- where an instruction goes ---- */

static enum unit_kind
kind_of(const struct model_op *o)
{
    if (o->ends || o->barrier)
        return UNIT_CONTROL;
    if (o->branch == BRANCH_VECTOR || o->branch == BRANCH_JOIN)
        return UNIT_SIMT;
    switch ((enum ventus_isa_unit)o->unit) {
    case VENTUS_ISA_UNIT_LSU:
        return UNIT_LSU;
    case VENTUS_ISA_UNIT_SFU:
        return UNIT_SFU;
    case VENTUS_ISA_UNIT_CSR:
    case VENTUS_ISA_UNIT_SIMT: /* setrpc writes a CSR */
    case VENTUS_ISA_UNIT_VALU:
    case VENTUS_ISA_UNIT_MUL:
    case VENTUS_ISA_UNIT_FPU:
    case VENTUS_ISA_UNIT_TENSOR:
        return UNIT_PIPELINED;
    case VENTUS_ISA_UNIT_SALU:
    case VENTUS_ISA_UNIT_WARP:
    case VENTUS_ISA_UNIT_PREFIX:
    case VENTUS_ISA_UNIT_COUNT:
        break;
    }
    return UNIT_SCALAR;
}

static unsigned
cycles_of(const struct ventus_model_config *c, const struct model_op *o)
{
    switch ((enum ventus_isa_unit)o->unit) {
    case VENTUS_ISA_UNIT_MUL:
        return c->mul_cycles;
    case VENTUS_ISA_UNIT_FPU:
        return o->fpu == FPU_SHORT   ? c->fpu_short_cycles
               : o->fpu == FPU_FUSED ? c->fpu_cycles
                                     : c->fpu_add_cycles;
    case VENTUS_ISA_UNIT_TENSOR:
        return c->tensor_cycles;
    default:
        return 1;
    }
}

static enum unit_queue
queue_of(const struct model_op *o)
{
    switch ((enum ventus_isa_unit)o->unit) {
    case VENTUS_ISA_UNIT_VALU:
        return o->writes_x ? Q_SALU : Q_VALU;
    case VENTUS_ISA_UNIT_MUL:
        return Q_MUL;
    case VENTUS_ISA_UNIT_FPU:
        return Q_FPU;
    case VENTUS_ISA_UNIT_TENSOR:
        return Q_TENSOR;
    default:
        return Q_CSR;
    }
}

unsigned
units_passes(const struct ventus_model_config *config, unsigned lanes)
{
    unsigned hardware = config->unit_lanes;
    return hardware ? (lanes + hardware - 1) / hardware : 1;
}

/*
 * A unit with fewer lanes than a warp takes a vector in passes, one a cycle:
 * one more to put the first in, one to put the results together.
 */
void
units_place(struct model_op *o, const struct ventus_model_config *config,
            unsigned lanes)
{
    unsigned passes = units_passes(config, lanes);
    o->kind = (uint8_t)kind_of(o);
    o->queue = (uint8_t)queue_of(o);
    o->passes = (uint8_t)(o->vector ? passes : 1);
    unsigned more = o->passes > 1 ? o->passes + 1u : 0;
    o->cycles = cycles_of(config, o) + more;
    assert(o->passes && o->cycles);
}
