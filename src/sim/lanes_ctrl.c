/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread branches and join: semantics.md, SIMT stack.
 *
 *   vbxx, both sides taken:   push (rpc, rpc, mask)        reconvergence
 *                             push (rpc, pc, mask) of the side with more
 *                             lanes; run the other (the taken one on a tie)
 *   join at the rpc of the top entry:  pop it, continue there
 */
#include "base/debug_assert.h"
#include "sim/lane_loop.h"

typedef uint32_t
compare(uint32_t a, uint32_t b);

/* The active lanes change: exec, the expanded mask and slow follow. */
static always_inline void
set_mask(struct sim_warp *w, uint64_t mask)
{
    debug_assert((mask & ~first_lanes(w->num_thread)) == 0);
    unsigned n = lanes_of(w);
    w->mask = mask;
    w->exec = mask & first_lanes(w->vl);
    w->slow &= ~(unsigned)SLOW_MASK;
    w->slow |= w->exec == first_lanes(n) ? 0 : SLOW_MASK;
    uint64_t exec = w->exec;
    uint32_t half[2] = { (uint32_t)exec, (uint32_t)(exec >> 32) };
    lane_loop (i, n)
        w->lane[i] = 0 - (half[i / 32] >> (i % 32) & 1);
}

static always_inline void
push(struct sim_warp *w, uint32_t pc, uint64_t mask)
{
    debug_assert(w->depth < w->stack_max && mask);
    w->stack[w->depth++] = (struct sim_entry){ w->rpc, pc, mask };
}

static inline unsigned
count_lanes(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

/* Splits the active lanes; imm: the offset of the target. */
static always_inline const struct sim_op *
split(struct sim_warp *w, const struct sim_op *op, const uint8_t *taken)
{
    uint64_t to_else = pack_lanes(taken, lanes_of(w)) & w->exec;
    uint64_t to_if = w->exec & ~to_else;
    if (!to_else)
        return op + op->words;
    uint32_t target = op->pc + (uint32_t)op->imm;
    if (!to_if)
        return warp_jump(w, op, target);
    if (w->depth + 2 > w->stack_max)
        return warp_fault(w, op, VENTUS_SIM_FAULT_STACK, -1, 0);
    push(w, w->rpc, w->mask);
    if (count_lanes(to_if) < count_lanes(to_else)) {
        push(w, target, to_else);
        set_mask(w, to_if);
        return op + op->words;
    }
    push(w, op->pc + 4, to_if);
    set_mask(w, to_else);
    return warp_jump(w, op, target);
}

static always_inline const struct sim_op *
branch(struct sim_warp *w, const struct sim_op *op, compare *f)
{
    const uint32_t *a = vreg(w, op->s2), *b = vreg(w, op->s1);
    uint8_t taken[SIM_LANES_MAX];
    lane_loop (i, lanes_of(w))
        taken[i] = (uint8_t)f(a[i], b[i]);
    return split(w, op, taken);
}

/* With outcomes that were computed elsewhere: see ctrl_thread_branch_any. */
static const struct sim_op *
branch_outcome(struct sim_warp *w, const struct sim_op *op)
{
    const uint32_t *outcome = vreg(w, SIM_VREGS);
    uint8_t taken[SIM_LANES_MAX];
    lane_loop (i, lanes_of(w))
        taken[i] = (uint8_t)outcome[i];
    return split(w, op, taken);
}

static const struct sim_op *
join(struct sim_warp *w, const struct sim_op *op)
{
    if (!w->depth || w->stack[w->depth - 1].rpc != op->pc)
        return op + op->words;
    struct sim_entry top = w->stack[--w->depth];
    debug_assert((w->mask & ~top.mask) == 0 || !(w->mask & top.mask));
    set_mask(w, top.mask);
    return warp_jump(w, op, top.pc);
}

#define X(name, compare)                                          \
    static const struct sim_op *vb##name(struct sim_warp *w,      \
                                         const struct sim_op *op) \
    {                                                             \
        return branch(w, op, sem_##compare##_32);                 \
    }
SEM_BRANCH_LIST(X)
#undef X

void SIM_FN(lanes_ctrl)(struct sim_lanes *t);

void
SIM_FN(lanes_ctrl)(struct sim_lanes *t)
{
#define X(name, compare) t->branch[BRANCH_##name] = vb##name;
    SEM_BRANCH_LIST(X)
#undef X
    t->branch_outcome = branch_outcome;
    t->join = join;
}
