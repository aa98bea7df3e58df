/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution units (microarchitecture.md, Execution units): each has a queue of
 * results; a scalar and a vector result are written back each cycle, by fixed
 * priority of the units.  Branches go to the warp scheduler, which resolves one a
 * cycle, and none in a cycle in which a fetch is sent back.
 */
#include "model/pipeline/units.h"

#include <assert.h>

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
look_at_queue(const struct units_state *t, uint64_t now, unsigned q,
              struct ready *ready)
{
    const struct fifo *f = &t->out[q];
    unsigned is_ready = fifo_ready(f, now);
    unsigned vector = t->result[q][f->head].vector;
    ready->scalar |= (is_ready & !vector) << q;
    ready->vector |= (is_ready & vector) << q;
}

/* Does a result come from the FPU's adder? */
static bool
is_sum(const struct result *r)
{
    return r->op->fpu == FPU_SUM || r->op->fpu == FPU_FUSED;
}

/* The results that the FPU with its pipelines offers. */
static void
look_at_fpu(const struct units_state *t, uint64_t now, struct ready *ready)
{
    const struct result *r = fpu_front(&t->fpu, now);
    if (r)
        *(r->vector ? &ready->vector : &ready->scalar) |= 1u << Q_FPU;
}

static const struct result *
write_back(struct units_state *t, uint64_t now, unsigned q)
{
    if (q == Q_FPU && t->fpu.n)
        return fpu_pop(&t->fpu, now);
    struct fifo *f = &t->out[q];
    const struct result *r = &t->result[q][f->head];
    debug_assert(t->full >> q & 1 && f->at[f->head] <= now);
    if (q == Q_FPU && is_sum(r))
        t->sum_vector = r->vector;
    fifo_pop(f, now);
    t->full &= ~((unsigned)!f->n << q);
    return r;
}

/* When the first of all queues is ready. */
static uint64_t
first_due(const struct units_state *u)
{
    uint64_t first = fpu_next(&u->fpu);
    for (unsigned left = u->full; left; left &= left - 1) {
        const struct fifo *f = &u->out[lowest(left)];
        first = f->at[f->head] < first ? f->at[f->head] : first;
    }
    return first;
}

/* Puts a second copy of the i-th result of the FPU after it. */
static void
repeat_sum(struct units_state *u, unsigned i)
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
repeat_sums(struct units_state *u, uint64_t now, const struct ready *ready)
{
    struct fifo *f = &u->out[Q_FPU];
    const struct result *list = u->result[Q_FPU];
    bool vector = fifo_ready(f, now) ? list[f->head].vector : u->sum_vector;
    bool taken =
        vector ? ready->vector >> Q_VALU & 1 : ready->scalar >> Q_SALU & 1;
    for (unsigned i = 0; taken && f->n < FIFO_MAX && i < f->n; i++) {
        unsigned k = (f->head + i) % FIFO_MAX;
        if (f->at[k] > now + 1)
            return;
        if (!is_sum(&list[k]))
            continue;
        if (f->at[k] == now + 1 && !list[k].again)
            repeat_sum(u, i);
        return;
    }
}

unsigned
units_writeback(struct units *units, uint64_t now,
                const struct result **written)
{
    struct units_state *u = &units->state;
    struct ready ready = { 0, 0 };
    unsigned n = 0;
    for (unsigned left = u->full; left; left &= left - 1)
        look_at_queue(u, now, lowest(left), &ready);
    if (u->fpu.n)
        look_at_fpu(u, now, &ready);
    /* Results that have priority over the LSU's, in the order of the ports. */
    u->x_free = !(ready.scalar & (1 << Q_SALU | 1 << Q_FPU));
    if (u->full >> Q_FPU & 1 && units->config->fpu_repeats)
        repeat_sums(u, now, &ready);
    unsigned scalar = ready.scalar & SCALAR_PORT;
    if (scalar) {
        written[n++] = write_back(u, now, lowest(scalar));
        if (u->full >> lowest(scalar) & 1)
            look_at_queue(u, now, lowest(scalar),
                          &ready); /* the result that follows */
    }
    u->v_free = !(ready.vector & (1 << Q_VALU | 1 << Q_FPU));
    unsigned vector = ready.vector & VECTOR_PORT;
    if (vector)
        written[n++] = write_back(u, now, lowest(vector));
    if (u->fpu.n)
        fpu_tick(&u->fpu, now);
    u->due = first_due(u);
    debug_assert(n <= UNITS_WRITE);
    return n;
}

/* The place of a result that can be written so many cycles later. */
static struct result *
push_result(struct units_state *u, uint64_t now, enum unit_queue q,
            unsigned cycles)
{
    struct fifo *f = &u->out[q];
    struct result *list = u->result[q];
    debug_assert(q < QUEUES);
    u->full |= 1u << q;
    unsigned i = fifo_push(f, now);
    uint64_t at = now + cycles;
    /* A result that takes longer is overtaken. */
    for (unsigned n = f->n; n > 1; n--) {
        unsigned before = (i + FIFO_MAX - 1) % FIFO_MAX;
        if (f->at[before] <= at)
            break;
        f->at[i] = f->at[before];
        list[i] = list[before];
        i = before;
    }
    f->at[i] = at;
    u->due = at < u->due ? at : u->due;
    return &list[i];
}

void
units_lsu_result(struct units *u, uint64_t now, const struct result *r)
{
    debug_assert(!units_lsu_is_full(u) &&
                 "the LSU has one place before write-back");
    *push_result(&u->state, now, Q_LSU, 0) = *r;
}

void
units_lsu_withdraw(struct units *u)
{
    assert(units_lsu_is_full(u));
    u->state.out[Q_LSU].n = 0;
    u->state.out[Q_LSU].head = 0;
    u->state.full &= ~(1u << Q_LSU);
    u->state.due = first_due(&u->state);
}

static struct result
result_of(const struct inflight *f)
{
    return (struct result){
        .op = f->op, .id = f->id, .warp = f->warp, .vector = f->op->writes_v
    };
}

static void
give(struct units_state *u, uint64_t now, enum unit_queue q,
     const struct inflight *f, unsigned cycles)
{
    *push_result(u, now, q, cycles) = result_of(f);
}

static void
give_fpu(struct units_state *u, uint64_t now, const struct inflight *f)
{
    const struct result r = result_of(f);
    fpu_take(&u->fpu, now, &r);
    u->due = first_due(u);
}

/* ---- branches ---- */

/* The SIMT stack: knows when the vALU does, or one cycle later, where a warp goes. */
static void
step_simt(struct units_state *u, uint64_t now, struct units_resolved *r)
{
    if (!branch_port_peek(&u->simt, now) ||
        !branch_port_can_send(&u->vector_branch, now))
        return;
    struct branch b = branch_port_take(&u->simt, now);
    if (!b.none) {
        branch_port_send(&u->vector_branch, now, b);
        return;
    }
    r->none = true;
    r->no_branch = b;
    u->branches--;
}

/* The warp scheduler takes one a cycle, of the sALU first. */
struct units_resolved
units_branches(struct units *units, uint64_t now, bool blocked)
{
    struct units_state *u = &units->state;
    struct units_resolved r = { .resolved = false };
    if (units->config->branch_flows)
        step_simt(u, now, &r);
    bool scalar = branch_port_peek(&u->scalar_branch, now);
    bool vector = branch_port_peek(&u->vector_branch, now);
    if (!blocked && (scalar || vector)) {
        r.resolved = true;
        r.branch = branch_port_take(
            scalar ? &u->scalar_branch : &u->vector_branch, now);
        debug_assert(u->branches);
        u->branches--;
    }
    if (!units->config->branch_flows)
        step_simt(u, now, &r);
    return r;
}

/* ---- what an instruction needs to start ---- */

bool
units_has_room(const struct units *units, uint64_t now,
               const struct inflight *f)
{
    const struct units_state *u = &units->state;
    const struct model_op *o = f->op;
    enum unit_queue q = (enum unit_queue)o->queue;
    switch ((enum unit_kind)o->kind) {
    case UNIT_PIPELINED:
        if (q == Q_FPU && units->fpu_pipes)
            return fpu_has_room(&u->fpu, o);
        return fifo_has_room(&u->out[q], now) && u->free[q] <= now;
    case UNIT_SCALAR:
        return (!o->branch || branch_port_can_send(&u->scalar_branch, now)) &&
               (!o->writes_x || fifo_has_room(&u->out[Q_SALU], now));
    case UNIT_SFU: /* one at a time */
        return u->sfu_free <= now;
    case UNIT_SIMT:
        return branch_port_can_send(&u->simt, now);
    case UNIT_LSU:
    case UNIT_CONTROL:
        break;
    }
    assert(!"an instruction of another unit");
    return false;
}

static void
take_scalar(struct units_state *u, uint64_t now, const struct inflight *f)
{
    const struct model_op *o = f->op;
    u->branches += o->branch != BRANCH_NONE;
    if (o->branch)
        branch_port_send(
            &u->scalar_branch, now,
            (struct branch){ f->warp, f->jump, false, f->target, f->id });
    if (o->writes_x)
        give(u, now, Q_SALU, f, 1);
}

static void
take_simt(struct units *units, uint64_t now, const struct inflight *f)
{
    struct units_state *u = &units->state;
    bool none = f->op->branch == BRANCH_VECTOR && !f->jump;
    /* A join needs nothing of the vALU. */
    bool at_once = units->config->branch_flows && f->op->branch == BRANCH_JOIN;
    u->branches++;
    branch_port_send(
        &u->simt, at_once ? now - 1 : now,
        (struct branch){ f->warp, f->jump, none, f->target, f->id });
}

static void
take_pipelined(struct units_state *u, uint64_t now, const struct inflight *f)
{
    const struct model_op *o = f->op;
    enum unit_queue q = (enum unit_queue)o->queue;
    u->free[q] = now + o->passes;
    if (o->writes_x || o->writes_v)
        give(u, now, q, f, o->cycles);
}

static void
take_sfu(struct units_state *u, uint64_t now, const struct inflight *f)
{
    u->sfu_free = now + f->busy;
    give(u, now, Q_SFU, f, f->busy);
}

bool
units_take(struct units *units, uint64_t now, const struct inflight *f)
{
    struct units_state *u = &units->state;
    enum unit_kind kind = (enum unit_kind)f->op->kind;
    if (!units_has_room(units, now, f))
        return false;
    if (kind == UNIT_PIPELINED && f->op->queue == Q_FPU && units->fpu_pipes)
        give_fpu(u, now, f);
    else if (kind == UNIT_PIPELINED)
        take_pipelined(u, now, f);
    else if (kind == UNIT_SCALAR)
        take_scalar(u, now, f);
    else if (kind == UNIT_SFU)
        take_sfu(u, now, f);
    else
        take_simt(units, now, f);
    return true;
}

/* ---- time ---- */

static void
earliest(uint64_t *first, uint64_t at, uint64_t now)
{
    if (at > now && at < *first)
        *first = at;
}

/* A result that is due and waits for another one, which leaves in this cycle, has the
 * next. */
static void
earliest_due(uint64_t *first, uint64_t at, uint64_t now)
{
    earliest(first, at > now ? at : now + 1, now);
}

uint64_t
units_next_event(const struct units *units, uint64_t now, bool waits)
{
    const struct units_state *u = &units->state;
    uint64_t first = UINT64_MAX;
    for (unsigned full = u->full; full; full &= full - 1)
        earliest_due(&first, fifo_next(&u->out[lowest(full)]), now);
    earliest_due(&first, fpu_next(&u->fpu), now);
    earliest_due(&first, branch_port_next(&u->scalar_branch), now);
    earliest_due(&first, branch_port_next(&u->vector_branch), now);
    earliest_due(&first, branch_port_next(&u->simt), now);
    for (unsigned q = 0; waits && q < QUEUES; q++)
        earliest(&first, u->free[q], now);
    if (waits)
        earliest(&first, u->sfu_free, now);
    return first;
}

/* ---- life ---- */

/* Room for a result a cycle, while one is made. */
static unsigned
depth_of(const struct units *u, enum unit_queue q)
{
    const struct ventus_model_config *c = u->config;
    unsigned depth = q == Q_FPU                             ? c->fpu_cycles
                     : q == Q_MUL                           ? c->mul_cycles
                     : q == Q_TENSOR && c->tensor_pipelined ? c->tensor_cycles
                                                            : 1;
    if (u->passes > 1 && (q == Q_VALU || q == Q_FPU || q == Q_MUL))
        depth += u->passes;
    return depth < FIFO_MAX ? depth : FIFO_MAX;
}

void
units_reset(struct units *u)
{
    struct units_state *t = &u->state;
    *t = (struct units_state){ .due = UINT64_MAX };
    for (unsigned q = 0; q < QUEUES; q++)
        fifo_init(&t->out[q], depth_of(u, (enum unit_queue)q), 1, true);
    branch_port_init(&t->scalar_branch, u->config->branch_queue, 1, true);
    branch_port_init(&t->vector_branch, 1, !u->config->branch_flows, false);
    branch_port_init(&t->simt, 1, 1, false);
}

void
units_init(struct units *u, const struct ventus_model_config *config,
           unsigned lanes)
{
    unsigned passes = unit_class_passes(config, lanes);
    *u = (struct units){ .config = config,
                         .passes = passes,
                         .fpu_pipes = config->fpu_pipes && passes == 1 };
}
