/* SPDX-License-Identifier: Apache-2.0 */
/* Branches, jumps, thread branches of any width, barriers and end. */
#include <assert.h>

#include "sim/any_width.h"
#include "sim/barrier.h"
#include "sim/bind.h"
#include "sim/state.h"

/*
 * imm: how many ops the target is away, if it is in the same page (near);
 * else its address.
 */
#define X(name, compare)                                                \
    static const struct sim_op *b##name##_near(struct sim_warp *w,      \
                                               const struct sim_op *op) \
    {                                                                   \
        bool taken = sem_##compare##_32(w->x[op->s1], w->x[op->s2]);    \
        return op + (taken ? op->imm : op->words);                      \
    }                                                                   \
    static const struct sim_op *b##name##_far(struct sim_warp *w,       \
                                              const struct sim_op *op)  \
    {                                                                   \
        if (!sem_##compare##_32(w->x[op->s1], w->x[op->s2]))            \
            return op + op->words;                                      \
        return warp_jump(w, op, (uint32_t)op->imm);                     \
    }                                                                   \
    static bool b##name##_pair(uint64_t a, uint64_t b)                  \
    {                                                                   \
        return sem_##compare##_64(a, b);                                \
    }
SEM_BRANCH_LIST(X)
#undef X

sim_fn *const ctrl_near_fns[BRANCH_COUNT] = {
#define X(name, compare) [BRANCH_##name] = b##name##_near,
    SEM_BRANCH_LIST(X)
#undef X
};

sim_fn *const ctrl_far_fns[BRANCH_COUNT] = {
#define X(name, compare) [BRANCH_##name] = b##name##_far,
    SEM_BRANCH_LIST(X)
#undef X
};

static bool (*const pair_fns[BRANCH_COUNT])(uint64_t, uint64_t) = {
#define X(name, compare) [BRANCH_##name] = b##name##_pair,
    SEM_BRANCH_LIST(X)
#undef X
};

/* Makes imm what the near functions want; false: it is an address. */
static bool
is_near(const struct ventus_isa_insn *in, struct sim_op *op)
{
    uint32_t first = op->pc - 4 * (op->words - 1u);
    uint32_t target = op->pc + (uint32_t)in->imm;
    if ((target ^ first) / SIM_PAGE || target % 4) {
        op->imm = (int32_t)target;
        return false;
    }
    op->imm = (int32_t)(target - first) / 4;
    return true;
}

/* With a pair prefix or ABS, NEG; imm: the offset of the target. */
const struct sim_op *
ctrl_branch_any(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a = { .n = 1 };
    a.width = op->mods & MOD_PAIR ? 64 : 32;
    any_width_read(w, op, VENTUS_ISA_SLOT_1, 1, a.width, a.s1);
    any_width_read(w, op, VENTUS_ISA_SLOT_2, 1, a.width, a.s2);
    any_width_modify_int(op, &a);
    uint64_t x = a.s1[0], y = a.s2[0];
    if (a.width == 32) {
        x = (uint64_t)(int32_t)x;
        y = (uint64_t)(int32_t)y;
    }
    if (!pair_fns[op->kind](x, y))
        return op + op->words;
    return warp_jump(w, op, op->pc + (uint32_t)op->imm);
}

static bool
bind_branch(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op)
{
    (void)sim;
    if (op->mods)
        op->fn = ctrl_branch_any;
    else
        op->fn =
            is_near(in, op) ? ctrl_near_fns[op->kind] : ctrl_far_fns[op->kind];
    return true;
}

/* imm as for branches */
const struct sim_op *
ctrl_jal_near(struct sim_warp *w, const struct sim_op *op)
{
    w->x[op->d] = op->pc + 4;
    return op + op->imm;
}

const struct sim_op *
ctrl_jal_far(struct sim_warp *w, const struct sim_op *op)
{
    const struct sim_op *next = warp_jump(w, op, (uint32_t)op->imm);
    if (next)
        w->x[op->d] = op->pc + 4;
    return next;
}

static bool
bind_jal(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
         struct sim_op *op)
{
    (void)sim;
    op->fn = is_near(in, op) ? ctrl_jal_near : ctrl_jal_far;
    return true;
}

const struct sim_op *
ctrl_jalr(struct sim_warp *w, const struct sim_op *op)
{
    uint32_t target = (w->x[op->s1] + (uint32_t)op->imm) & ~1u;
    const struct sim_op *next = warp_jump(w, op, target);
    if (next)
        w->x[op->d] = op->pc + 4;
    return next;
}

static bool
bind_jalr(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
          struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = ctrl_jalr;
    return true;
}

/* ---- threads ---- */

/*
 * Thread branches on pairs or with ABS, NEG.  The outcome of each lane is put
 * where branch_outcome takes it: in the row after v255.
 */
const struct sim_op *
ctrl_thread_branch_any(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a = { .n = w->lanes, .vector = true };
    a.width = op->mods & MOD_PAIR ? 64 : 32;
    any_width_read(w, op, VENTUS_ISA_SLOT_1, a.n, a.width, a.s1);
    any_width_read(w, op, VENTUS_ISA_SLOT_2, a.n, a.width, a.s2);
    any_width_modify_int(op, &a);
    uint32_t *outcome = w->v + (size_t)SIM_VREGS * w->lanes;
    unsigned shift = 64 - a.width;
    for (unsigned i = 0; i < a.n; i++) {
        int64_t x = (int64_t)(a.s2[i] << shift) >> shift;
        int64_t y = (int64_t)(a.s1[i] << shift) >> shift;
        outcome[i] = pair_fns[op->kind]((uint64_t)x, (uint64_t)y);
    }
    return w->worker->sim->lanes.branch_outcome(w, op);
}

static bool
bind_thread_branch(const struct ventus_sim *sim,
                   const struct ventus_isa_insn *in, struct sim_op *op)
{
    (void)in;
    op->fn = op->mods ? ctrl_thread_branch_any : sim->lanes.branch[op->kind];
    return true;
}

/*
 * The hardware lets a join pass that finds no entry of its own (semantics.md,
 * SIMT stack): it ends a branch that all threads took the same way.  With
 * nothing on the stack and no setrpc that names it, neither one this warp has
 * executed nor one that a scalar branch went around, it ends no branch at all.
 */
const struct sim_op *
ctrl_join_checked(struct sim_warp *w, const struct sim_op *op)
{
    uint32_t bit = op->pc / 4 % JOIN_BITS;
    if (!w->depth && !(w->named[bit / 64] >> bit % 64 & 1) &&
        !code_names_join(w->worker, w->page, op->pc))
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_JOIN,
                               "no setrpc names this join");
    return w->worker->sim->lanes.join(w, op);
}

static bool
bind_join(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
          struct sim_op *op)
{
    (void)in;
    op->fn = sim->config.join_check ? ctrl_join_checked : sim->lanes.join;
    return true;
}

const struct sim_op *
ctrl_setrpc(struct sim_warp *w, const struct sim_op *op)
{
    w->rpc = w->x[op->s1] + (uint32_t)op->imm;
    w->x[op->d] = w->rpc;
    return op + op->words;
}

const struct sim_op *
ctrl_setrpc_checked(struct sim_warp *w, const struct sim_op *op)
{
    const struct sim_op *next = ctrl_setrpc(w, op);
    warp_name_join(w);
    return next;
}

static bool
bind_setrpc(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op)
{
    (void)in;
    op->fn = sim->config.join_check ? ctrl_setrpc_checked : ctrl_setrpc;
    return true;
}

/* ---- warps ---- */

/* imm[2:0] = 0 is USE_CNT (manual 4.2.4); x0 is 0, which is all. */
static struct barrier_wait
barrier_wait(const struct sim_warp *w, const struct sim_op *op)
{
    bool far = op->mods & MOD_PAIR && op->s2 && w->x[op->s2 + 1];
    return (struct barrier_wait){
        .needs = op->imm & 7 ? 0
                 : far       ? UINT32_MAX
                             : w->x[op->s2],
        .threads = (uint32_t)__builtin_popcountll(w->mask),
    };
}

static const struct sim_op *
barrier(struct sim_warp *w, const struct sim_op *op)
{
    assert(w->stop == STOP_SLICE && !w->wait.here);
    w->stop = STOP_BARRIER;
    w->barrier = op;
    w->wait = barrier_wait(w, op);
    w->next = op + op->words;
    return NULL;
}

/* The warp is all of its sub-group, and all of it is here. */
static const struct sim_op *
barriersub(struct sim_warp *w, const struct sim_op *op)
{
    struct barrier_wait wait = barrier_wait(w, op);
    if (wait.needs > wait.threads) {
        char text[BARRIER_TEXT];
        barrier_tell(text, &wait, wait.threads);
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_DEADLOCK, text);
    }
    return op + op->words;
}

static bool
bind_barrier(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
             struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = barrier;
    return true;
}

static bool
bind_barriersub(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
                struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = barriersub;
    return true;
}

/* Only where all lanes are together (manual 4.2.4). */
const struct sim_op *
ctrl_endprg(struct sim_warp *w, const struct sim_op *op)
{
    if (w->mask != w->start_mask)
        return warp_fault(w, op, VENTUS_SIM_FAULT_ENDPRG, -1, 0);
    assert(!w->depth); /* what is on the stack has fewer lanes active */
    w->stop = STOP_END;
    w->next = op;
    return NULL;
}

static bool
bind_endprg(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op)
{
    (void)sim;
    (void)in;
    op->fn = ctrl_endprg;
    return true;
}

#define X(name, compare)                           \
    { "b" #name, { bind_branch, BRANCH_##name } }, \
        { "vb" #name, { bind_thread_branch, BRANCH_##name } },

const struct sim_meaning ctrl_meanings[] = {
    SEM_BRANCH_LIST(X){ "jal", { bind_jal, 0 } },
    { "jalr", { bind_jalr, 0 } },
    { "join", { bind_join, 0 } },
    { "setrpc", { bind_setrpc, 0 } },
    { "barrier", { bind_barrier, 0 } },
    { "barriersub", { bind_barriersub, 0 } },
    { "endprg", { bind_endprg, 0 } },
    { NULL, { NULL, 0 } }
};
#undef X
