/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run loop with statistics and the step hook.  It derives the effect of an
 * instruction from outside: it decodes the instruction again and compares the
 * warp before and after.  So only traced launches have this cost.
 */
#include <assert.h>
#include <string.h>

#include "sim/any_width.h"
#include "sim/bind.h"
#include "sim/instrumentation.h"
#include "sim/state.h"

/* An instruction that is traced, and the warp before it. */
struct traced {
    const struct sim_op *op;
    struct ventus_isa_insn in;
    uint32_t words[2];
    uint64_t mask, exec;
    unsigned depth;
    unsigned access_B;
    bool vector, scalar_access;
    uint32_t raised; /* fflags */
    uint64_t at[SIM_LANES_MAX];
};

static void
before(struct sim_warp *w, const struct sim_op *op, struct traced *t)
{
    const struct sim_code_page *p = w->page;
    size_t i = (size_t)(op - p->ops);
    assert(i < CODE_WORDS);
    t->op = op;
    unsigned n = ventus_isa_decode(w->worker->sim->config.isa, p->words + i,
                                   p->n - i, &t->in);
    t->words[0] = p->words[i];
    t->words[1] = n > 1 ? p->words[i + 1] : 0;
    t->mask = w->mask;
    t->depth = w->depth;
    t->vector = bind_has_vector(&t->in) ||
                (ventus_isa_info[t->in.op].flags & VENTUS_ISA_F_ATOMIC &&
                 !w->worker->sim->config.scalar_amo);
    t->exec = t->vector ? warp_op_lanes(w, op) : w->exec;
    t->access_B = mem_bytes(w, op);
    t->scalar_access = !t->vector;
    if (t->access_B)
        mem_addresses(w, op, t->at);
}

/* ---- statistics ---- */

static bool
all_apart_by(const struct stats_step *t, unsigned n, uint64_t step)
{
    assert(t->exec && (t->exec & ~first_lanes(n)) == 0);
    unsigned first = (unsigned)__builtin_ctzll(t->exec);
    for (unsigned i = first; i < n; i++)
        if (t->exec >> i & 1 && t->at[i] != t->at[first] + (i - first) * step)
            return false;
    return true;
}

static void
count_access(struct ventus_sim_stats *s, const struct stats_step *t, unsigned n)
{
    if (!t->access_B || !t->vector || !t->exec)
        return;
    bool load = ventus_isa_info[t->op].flags & VENTUS_ISA_F_LOAD;
    if (all_apart_by(t, n, 0))
        load ? s->loads_uniform++ : s->stores_uniform++;
    else if (all_apart_by(t, n, t->access_B))
        load ? s->loads_unit++ : s->stores_unit++;
    else
        load ? s->loads_gather++ : s->stores_scatter++;
}

/* Most often all lanes are active, and counting bits is no instruction. */
static unsigned
lanes_of(const struct sim_warp *w, const struct stats_step *t)
{
    if (!t->vector)
        return 1;
    return t->exec == first_lanes(w->num_thread)
               ? w->num_thread
               : (unsigned)__builtin_popcountll(t->exec);
}

void
stats_count_step(struct sim_warp *w, const struct stats_step *t)
{
    struct ventus_sim_stats *s = &w->worker->stats;
    const struct ventus_isa_info *info = &ventus_isa_info[t->op];
    unsigned lanes = lanes_of(w, t);
    s->warp_instructions++;
    s->thread_instructions += lanes;
    s->vector_instructions += t->vector;
    s->vector_lanes += t->vector ? lanes : 0;
    s->prefixes += t->prefix;
    s->by_unit[info->unit]++;
    s->threads_by_unit[info->unit] += lanes;
    s->by_op[t->op]++;
    bool thread_branch = info->format == VENTUS_ISA_FORMAT_VB;
    s->branches += thread_branch;
    s->branches_divergent += thread_branch && w->depth > t->depth;
    s->joins += w->depth < t->depth;
    s->max_stack = w->depth > s->max_stack ? w->depth : s->max_stack;
    s->barriers += (info->flags & VENTUS_ISA_F_BARRIER) != 0;
    count_access(s, t, w->num_thread);
}

static void
count(struct sim_warp *w, const struct traced *t)
{
    stats_count_step(w, &(struct stats_step){ .op = t->in.op,
                                              .vector = t->vector,
                                              .prefix = t->in.prefix != 0,
                                              .exec = t->exec,
                                              .depth = t->depth,
                                              .access_B = t->access_B,
                                              .at = t->at });
}

void
stats_add(struct ventus_sim_stats *to, const struct ventus_sim_stats *from)
{
    /* All members are uint64_t, but for max_stack. */
    unsigned deepest =
        to->max_stack > from->max_stack ? to->max_stack : from->max_stack;
    to->warp_instructions += from->warp_instructions;
    to->thread_instructions += from->thread_instructions;
    to->vector_instructions += from->vector_instructions;
    to->vector_lanes += from->vector_lanes;
    to->prefixes += from->prefixes;
    for (unsigned i = 0; i < VENTUS_ISA_UNIT_COUNT; i++) {
        to->by_unit[i] += from->by_unit[i];
        to->threads_by_unit[i] += from->threads_by_unit[i];
    }
    for (unsigned i = 0; i < VENTUS_ISA_OP_COUNT; i++)
        to->by_op[i] += from->by_op[i];
    to->branches += from->branches;
    to->branches_divergent += from->branches_divergent;
    to->joins += from->joins;
    to->max_stack = deepest;
    to->barriers += from->barriers;
    to->loads_uniform += from->loads_uniform;
    to->loads_unit += from->loads_unit;
    to->loads_gather += from->loads_gather;
    to->stores_uniform += from->stores_uniform;
    to->stores_unit += from->stores_unit;
    to->stores_scatter += from->stores_scatter;
    to->workgroups += from->workgroups;
}

/* ---- steps ---- */

static void
step(struct sim_warp *w, const struct traced *t, uint32_t next_pc, bool still)
{
    const struct ventus_sim_hooks *hooks = w->worker->run->launch.hooks;
    struct ventus_sim_step s = {
        .group = w->group->number,
        .warp = w->id,
        .pc = t->op->pc,
        .next_pc = next_pc,
        .words = { t->words[0], t->words[1] },
        .in = &t->in,
        .mask = t->mask,
        .next_mask = w->mask,
        .exec = t->exec,
        .stack = w->depth,
        .num_thread = w->num_thread,
        .x = w->x,
        .v = w->v,
        .stride = w->lanes,
        .addresses = t->at,
        .access_B = t->access_B,
        .scalar_access = t->scalar_access,
        .vl = w->vl,
        .vtype = w->vtype,
        .rpc = w->rpc,
        .fflags = w->fflags,
        .fflags_raised = t->raised,
        .waits = still,
    };
    if (w->worker->fp_idle) {
        hooks->step(hooks->ctx, &s);
        return;
    }
    /* The hook may compute: the FPU is the application's meanwhile. */
    fp_collect(w);
    fp_host_leave(w->fp);
    hooks->step(hooks->ctx, &s);
    fp_host_enter(w->fp, FP_RNE);
}

/* The pc that an op stands for, prefix included. */
static uint32_t
first_pc(const struct sim_op *op)
{
    return op->pc - 4 * (op->words - 1u);
}

static bool
has_step(const struct sim_warp *w)
{
    const struct ventus_sim_hooks *hooks = w->worker->run->launch.hooks;
    return hooks && hooks->step;
}

static bool
is_page_end(const struct sim_warp *w, const struct sim_op *op)
{
    return op - w->page->ops >= CODE_WORDS;
}

/* Does the instruction and finds out which flags it raises. */
static const struct sim_op *
call(struct sim_warp *w, const struct sim_op *op, uint32_t *raised)
{
    fp_collect(w);
    uint32_t old = w->fflags;
    *raised = 0;
    if (ventus_isa_info[op->code].unit == VENTUS_ISA_UNIT_CSR)
        return op->fn(w, op);
    w->fflags = 0;
    const struct sim_op *next =
        w->grouped ? grouped_call(w, op) : op->fn(w, op);
    fp_collect(w);
    *raised = w->fflags;
    w->fflags |= old;
    return next;
}

/* Outside of the warp; or inside, where its registers do not show it. */
static bool
has_effect(const struct traced *t)
{
    unsigned csr = t->op->aux;
    return ventus_isa_info[t->in.op].flags &
               (VENTUS_ISA_F_STORE | VENTUS_ISA_F_ATOMIC) ||
           (ventus_isa_info[t->in.op].unit == VENTUS_ISA_UNIT_CSR &&
            (csr == VENTUS_ISA_CSR_PRINT || csr_counts(csr)));
}

void
warp_run_traced(struct sim_warp *w, uint64_t instructions)
{
    /* 0 instructions: a warp at its limit, which the caller looks at next. */
    assert(w->next && w->stop == STOP_SLICE);
    const struct sim_op *op = w->next;
    w->stop = STOP_SLICE;
    w->slice = w->left = instructions;
    while (w->left) {
        struct traced t;
        bool real = !is_page_end(w, op);
        if (real)
            before(w, op, &t);
        w->left--;
        const struct sim_op *next = call(w, op, &t.raised);
        if (w->stop == STOP_FAULT)
            break;
        if (real)
            count(w, &t);
        if (real && has_effect(&t))
            w->group->livelock.stored = true;
        if (real && has_step(w))
            step(w, &t, first_pc(next ? next : w->next),
                 w->stop == STOP_BARRIER);
        if (!next)
            break;
        op = next;
    }
    if (w->stop == STOP_SLICE)
        w->next = op;
    assert(w->left <= w->slice);
    w->retired += w->slice - w->left;
    w->slice = w->left = 0;
    fp_collect(w);
}

/* Runs one instruction at a time: the instrumentation's loop may leave accesses out, and counts none. */
void
warp_run_instrumented(struct sim_warp *w, uint64_t instructions)
{
    const struct ventus_sim_instrumentation *loop = w->worker->instrumentation;
    assert(w->next && w->stop == STOP_SLICE);
    for (; instructions && w->stop == STOP_SLICE; instructions--) {
        struct traced t;
        bool real = !is_page_end(w, w->next);
        if (real)
            before(w, w->next, &t);
        loop->run(loop->ctx, w, 1);
        if (real && w->stop != STOP_FAULT)
            count(w, &t);
    }
}

void
trace_waiting(struct sim_warp *w)
{
    assert(w->stop == STOP_BARRIER && w->barrier);
    if (!w->worker->sim->config.barrier_repeats || !has_step(w))
        return;
    enum ventus_sim_fault_kind why;
    uint32_t pc = w->barrier->pc;
    const struct sim_code_page *at = code_page(w->worker, pc, &why);
    const struct sim_code_page *page = w->page;
    if (!at)
        return;
    w->page = at;
    struct traced t;
    before(w, &at->ops[pc % SIM_PAGE / 4], &t);
    step(w, &t, pc, true);
    w->page = page;
}
