/* SPDX-License-Identifier: Apache-2.0 */
/* The run loops: for `memory` alone, and for what follows each instruction. */
#include <assert.h>

#include "sanitize/state.h"

/* Notes an effect that registers do not show, which a livelock has not. */
static void
note_effect(struct sim_warp *w, const struct sim_op *op,
            const struct sanitize_operands *o)
{
    if (o->store || (o->rule == RULE_CSR &&
                     (op->aux == VENTUS_ISA_CSR_PRINT || csr_counts(op->aux))))
        w->group->livelock.stored = true;
}

/* The machine's own loop, but for accesses and what stops a livelock. */
static const struct sim_op *
run_memory(struct sanitize *c, struct sim_warp *w, const struct sim_op *op)
{
    while (w->left) {
        w->left--;
        const struct sanitize_operands *o = &sanitize_operands[op->code];
        const struct sim_op *next;
        note_effect(w, op, o);
        if (o->rule == RULE_MEMORY && sanitize_has_object(w, op))
            sanitize_object_alone(c, w, op, o);
        if (o->rule == RULE_MEMORY)
            next = sanitize_call_access(c, w, op);
        else if (o->rule == RULE_HINT && op->d == X_SINK)
            next = sanitize_bounds(c, w, op);
        else
            next = sanitize_call(w, op);
        if (!next)
            break;
        op = next;
    }
    return op;
}

static const struct sim_op *
one(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
    const struct sanitize_quick *q)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    switch ((enum sanitize_rule)o->rule) {
    case RULE_MEMORY:
        return sanitize_access(c, w, op, o, (enum quick_shape)q->shape);
    case RULE_FENCE:
        sanitize_fence(c, w, op);
        return sanitize_call(w, op);
    case RULE_BARRIER:
        sanitize_barrier(c, w, op, o);
        return sanitize_call(w, op);
    case RULE_CSR:
        note_effect(w, op, o);
        sanitize_warp_of(w)->loops.counted |= csr_counts(op->aux);
        c->loops.changes += op->aux == VENTUS_ISA_CSR_PRINT;
        break;
    case RULE_HINT:
        if (op->d == X_SINK) {
            async_copies_hint(c, w, op);
            sanitize_unwritten(c, w, op);
            return sanitize_bounds(c, w, op);
        }
        break;
    case RULE_NONE:
    case RULE_ANY:
    case RULE_AND:
    case RULE_OR:
    case RULE_SAME:
    case RULE_MERGE:
    case RULE_BRANCH:
        break;
    }
    return sanitize_values(c, w, op, o);
}

/* The same, and scalar registers. */
static const struct sim_op *
one_scalar(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
           const struct sanitize_quick *q)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    struct sanitize_before before;
    sanitize_scalar_before(c, w, op, o, &before);
    const struct sim_op *next = one(c, w, op, q);
    if (next)
        sanitize_scalar_after(c, w, op, o, &before);
    return next;
}

/* Are all registers known that it reads?  With a mask the old value of the one that it
 * writes is one of them. */
static bool
is_known(const struct sanitize_warp *k, const struct sanitize_quick *q)
{
    uint64_t v = k->unknown[q->v[1]] | k->unknown[q->v[2]] |
                 k->unknown[q->v[3]] | (q->masked ? k->unknown[q->v[0]] : 0);
    return !(v | (k->x_unknown & q->values));
}

/* Without a look at what it does not change; a branch may part lanes. */
static const struct sim_op *
one_quick(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
          const struct sanitize_quick *q, bool scalar)
{
    const unsigned depth = w->depth;
    const uint64_t mask = w->mask;
    sanitize_warp_of(w)->unknown[q->v[0]] &=
        ~w->exec; /* and all that it writes */
    const struct sim_op *next = op->fn(w, op);
    if (scalar && next && w->depth > depth)
        sanitize_scalar_split(c, w, op, mask);
    return next;
}

static const struct sim_op *
run_all(struct sanitize *c, struct sim_warp *w, const struct sim_op *op)
{
    const struct sanitize_warp *k = sanitize_warp_of(w);
    const struct sanitize_group *group = w->group->checked;
    const struct sanitize_scalar *scalars = &group->scalar[w->id];
    sanitize_resume(c, w);
    if (c->options.kinds & SANITIZE_SYNC)
        infinite_loop_begin_turn(c, w);
    bool watches = c->loops.watches;
    bool scalar = c->options.kinds & SANITIZE_SCALAR;
    while (w->left) {
        if (watches && op->pc == k->loops.pc)
            infinite_loop_look(c, w, op);
        w->left--;
        const struct sanitize_quick *q = sanitize_quick_of(c, w, op);
        bool idle = !scalar || sanitize_scalar_is_idle(w, scalars, q);
        const struct sim_op *next =
            idle && q->way != QUICK_NONE && is_known(k, q)
                ? one_quick(c, w, op, q, scalar)
            : scalar && (!idle || q->branches) ? one_scalar(c, w, op, q)
                                               : one(c, w, op, q);
        if (!next)
            break;
        op = next;
    }
    return op;
}

static void
run_loop(struct sanitize *c, struct sim_warp *w, uint64_t instructions,
         bool all)
{
    /* 0 instructions: a warp at its limit, which the caller looks at next. */
    assert(w->next && w->stop == STOP_SLICE);
    const struct sim_op *op = w->next;
    w->stop = STOP_SLICE;
    w->slice = w->left = instructions;
    op = all ? run_all(c, w, op) : run_memory(c, w, op);
    if (all && c->options.kinds & SANITIZE_SYNC &&
        infinite_loop_end_turn(c, w, op))
        warp_fault(w, op, VENTUS_SIM_FAULT_ENDLESS, -1, 0);
    if (w->stop == STOP_SLICE)
        w->next = op;
    assert(w->left <= w->slice && w->next);
    w->retired += w->slice - w->left;
    w->slice = w->left = 0;
    fp_collect(w);
}

void
sanitize_run(void *ctx, struct sim_warp *w, uint64_t instructions)
{
    struct sanitize *c = ctx;
    /* Without host memory for its state a workgroup is run for its bounds. */
    bool all = c->options.kinds != SANITIZE_MEMORY && w->group->checked;
    run_loop(c, w, instructions, all);
}

/* Accesses that were left out are left out again; the state beside memory and
 * registers is that of the latest time, and stays so. */
void
sanitize_run_again(void *ctx, struct sim_warp *w, uint64_t instructions)
{
    struct sanitize *c = ctx;
    c->quiet_again = true;
    run_loop(c, w, instructions, false);
    c->quiet_again = false;
}
