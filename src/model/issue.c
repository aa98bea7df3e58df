/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Issue (microarchitecture.md, Scoreboard and issue): one instruction a cycle;
 * with issue_width = 2, one of the sALU, CSR unit or warp control and one of
 * all others, of two warps.  The values are made here: the functional machine
 * executes what is issued.
 */
#include <assert.h>
#include <string.h>

#include "isa/sem.h"
#include "model/machine.h"

SELDOM static void
start_warps(struct sm *s)
{
    for (uint64_t left = s->starting; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (s->warp[i].start_at > s->now)
            continue;
        debug_assert(s->warp[i].resident && !(s->active >> i & 1));
        s->starting &= ~bit_of(i);
        s->is_active = true;
        s->active |= bit_of(i);
        if (s->m->config.rcc)
            depend_start(s, i);
        warp_changed(s, i);
    }
}

/* A set with a warp in it, or without. */
static uint64_t
with(uint64_t set, unsigned i, bool is_in)
{
    return (set & ~bit_of(i)) | (uint64_t)is_in << i;
}

/* What a warp's next instruction needs. */
static void
check_warp(struct sm *s, unsigned i)
{
    /* A register of zeros names no unit, which is the scalar port's. */
    static const struct model_op none = { .known = false, .scalar_port = true };
    const struct model_op *head = ibuffer_head(&s->ibuffer, i);
    if (!head)
        head = &none;
    scoreboard_look(&s->scoreboard, i, head->known ? head : NULL);
    s->scalar_heads = with(s->scalar_heads, i, head->scalar_port);
    s->shared_heads = with(s->shared_heads, i, head->shared);
}

/* A fence is seen to be over one cycle later. */
SELDOM static void
end_fences(struct sm *s, uint64_t fencing)
{
    for (uint64_t left = fencing & s->active; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (lsu_has_accesses(&s->lsu, i) || rcc_is_pending(&s->rcc, i))
            continue;
        scoreboard_fenced(&s->scoreboard, i);
        s->is_active = true;
    }
}

static void
check_warps(struct sm *s, uint64_t warps)
{
    s->changed &= ~warps;
    s->is_active = true;
    for (; warps; warps &= warps - 1)
        check_warp(s, lowest(warps));
}

/*
 * Warps whose buffer's register is empty, and to which the arbiter of the port of
 * what was in it is open: the register takes a pair when it would give one
 * (ibuffer.scala, SlowDown).
 */
static uint64_t
granted(const struct sm *s, unsigned port)
{
    uint64_t heads = port == PORT_SCALAR ? s->scalar_heads : ~s->scalar_heads;
    if (s->ports == 1)
        heads = port == PORT_ANY ? UINT64_MAX : 0;
    if (!collect_has_room(&s->collect, port))
        return 0;
    return heads & scheduler_open(&s->scheduler, port, s->candidates & heads);
}

/* Which warps are ready, as all registers are when the cycle begins. */
void
issue_check(struct sm *s)
{
    struct scoreboard *b = &s->scoreboard;
    if (s->starting)
        start_warps(s);
    s->began = (struct began){ s->active, s->waits, scoreboard_branching(b),
                               scoreboard_collecting(b) };
    uint64_t held = s->waits | s->began.branching | s->began.collecting;
    uint64_t free = s->active & ~held, fencing = scoreboard_fencing(b);
    s->changed |=
        scoreboard_take_changed(b) | ibuffer_take_changed(&s->ibuffer);
    s->empty = ibuffer_empty(&s->ibuffer);
    if (s->changed & free)
        check_warps(s, s->changed & free);
    uint64_t ready =
        free & ~(scoreboard_needs_load(b) | scoreboard_needs_result(b));
    s->refills = ready & s->empty;
    s->candidates = ready & ~s->empty;
    if (s->refills && s->m->config.ibuffer_overlaps)
        s->refills &= granted(s, PORT_VECTOR) | granted(s, PORT_SCALAR);
    s->is_active |= s->candidates != 0;
    if (fencing)
        end_fences(s, fencing);
}

enum ventus_model_stall
issue_why(const struct sm *s, unsigned warp)
{
    const struct began *b = &s->began;
    uint64_t bit = bit_of(warp);
    uint64_t load = scoreboard_needs_load(&s->scoreboard);
    uint64_t result = scoreboard_needs_result(&s->scoreboard);
    return !(b->active & bit)    ? VENTUS_MODEL_ISSUED
           : b->waits & bit      ? VENTUS_MODEL_BARRIER
           : b->branching & bit  ? VENTUS_MODEL_BRANCH
           : b->collecting & bit ? VENTUS_MODEL_COLLECT
           : load & bit          ? VENTUS_MODEL_DEPEND_LSU
           : result & bit        ? VENTUS_MODEL_DEPEND
           : s->empty & bit      ? VENTUS_MODEL_FETCH
                                 : VENTUS_MODEL_ISSUED;
}

enum ventus_model_stall
issue_why_none(const struct sm *s)
{
    const struct began *b = &s->began;
    uint64_t goes = b->active & ~b->waits, branches = goes & b->branching;
    uint64_t free = goes & ~b->branching & ~b->collecting;
    uint64_t load = scoreboard_needs_load(&s->scoreboard);
    uint64_t result = scoreboard_needs_result(&s->scoreboard);
    return goes & ~b->branching & b->collecting ? VENTUS_MODEL_COLLECT
           : free & result                      ? VENTUS_MODEL_DEPEND
           : free & load                        ? VENTUS_MODEL_DEPEND_LSU
           : branches                           ? VENTUS_MODEL_BRANCH
           : s->refills                         ? VENTUS_MODEL_FETCH
           : b->active & b->waits               ? VENTUS_MODEL_BARRIER
           : b->active                          ? VENTUS_MODEL_FETCH
                                                : VENTUS_MODEL_NO_WARP;
}

static void
take_step(struct inflight *f, const struct ventus_sim_step *step)
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
fail_step(struct sm *s)
{
    s->failed = true;
    return false;
}

const struct ventus_sim_step *
issue_step(struct sm *s, const struct warp *w, const struct model_op *op)
{
    return !op || events_have_steps(&s->events)
               ? step_warp(s->stepper, w->group, w->id)
               : step_warp_quick(s->stepper, w->group, w->id, op->step);
}

static bool
compare(unsigned op, uint32_t a, uint32_t b)
{
    switch (op) {
    case VENTUS_ISA_BEQ:
    case VENTUS_ISA_VBEQ:
        return sem_seq_32(a, b);
    case VENTUS_ISA_BNE:
    case VENTUS_ISA_VBNE:
        return sem_sne_32(a, b);
    case VENTUS_ISA_BLT:
    case VENTUS_ISA_VBLT:
        return sem_slt_32(a, b);
    case VENTUS_ISA_BGE:
    case VENTUS_ISA_VBGE:
        return sem_sge_32(a, b);
    case VENTUS_ISA_BLTU:
    case VENTUS_ISA_VBLTU:
        return sem_sltu_32(a, b);
    default:
        return sem_sgeu_32(a, b);
    }
}

/*
 * Whether a branch to the next instruction is a jump: if it is taken, or by as
 * many lanes as not, at least.
 */
static bool
jumps_to_next(const struct sm *s, const struct warp *w,
              const struct model_op *op, uint64_t exec)
{
    struct step_registers r = step_registers(s->stepper, w->group, w->id);
    if (op->branch == BRANCH_SCALAR)
        return compare(op->op, r.x[op->reg[0]], r.x[op->reg[1]]);
    uint64_t taken = 0;
    for (uint64_t left = exec; left; left &= left - 1) {
        unsigned i = lowest(left);
        bool is = compare(op->op, r.v[op->reg[1] * r.stride + i],
                          r.v[op->reg[0] * r.stride + i]);
        taken |= (uint64_t)is << i;
    }
    int stay = __builtin_popcountll(exec & ~taken);
    return taken && (!stay || stay >= __builtin_popcountll(taken));
}

/* The SFU needs the operands, which the step may overwrite. */
static void
measure(const struct sm *s, const struct warp *w, const struct model_op *op,
        uint8_t *cycles)
{
    struct step_registers r = step_registers(s->stepper, w->group, w->id);
    sfu_measure(&s->m->config, s->m->machine.num_thread, &r, op, cycles);
}

static bool
execute(struct sm *s, unsigned warp, struct inflight *f)
{
    struct warp *w = &s->warp[warp];
    const struct model_op *op = ibuffer_head(&s->ibuffer, warp);
    uint8_t cycles[64];
    assert(op); /* a warp that is ready has one */
    bool special = op->unit == VENTUS_ISA_UNIT_SFU;
    if (special)
        measure(s, w, op, cycles);
    if (s->m->config.rcc)
        rcc_before(s, warp, op);
    bool noted = s->access_mode && op->memory && !op->fence;
    if (noted && op->step & STEP_WIDE)
        access_log_wide(s, w, op);
    const struct ventus_sim_step *step =
        s->detects_livelock ? livelock_step(s, w, op) : issue_step(s, w, op);
    if (s->m->config.rcc)
        rcc_after(s, warp, op, step);
    if (!step)
        return fail_step(s);
    if (!op->known) { /* code that could not be decoded was executed */
        step_lack_memory(s->stepper);
        return fail_step(s);
    }
    if (noted && !(op->step & STEP_WIDE))
        access_log_note(s, w, op, step);
    f->id = s->issues++;
    f->op = op;
    w->issued_pc = w->next_pc;
    w->issued_at = s->now;
    w->next_pc = (uint32_t)step->next_pc;
    f->warp = (uint8_t)warp;
    take_step(f, step);
    if (special)
        f->busy = sfu_busy(&s->m->config, s->m->machine.num_thread, f, cycles);
    /* A target that happens to be the next instruction is a jump, too. */
    if (f->op->branch == BRANCH_SCALAR &&
        ventus_isa_info[f->op->op].format != VENTUS_ISA_FORMAT_B)
        f->jump = true;
    if (f->op->to_next)
        f->jump = jumps_to_next(s, w, f->op, step->exec);
    if (events_have_steps(&s->events))
        events_issue(&s->events, s->now, f, step);
    return true;
}

/* For memory, or at a barrier. */
static uint64_t
waiting(const struct sm *s)
{
    const struct began *b = &s->began;
    uint64_t held = b->branching | b->collecting;
    return b->active &
           (b->waits | (scoreboard_needs_load(&s->scoreboard) & ~held));
}

static void
issue_port(struct sm *s, unsigned port, uint64_t ready)
{
    if (!ready || !collect_has_room(&s->collect, port))
        return;
    struct scheduler_warps w = { ready, s->active, waiting(s) };
    int found = scheduler_choose(&s->scheduler, port, s->now, w);
    if (found < 0)
        return;
    unsigned chosen = (unsigned)found;
    debug_assert(ready >> chosen & 1 && s->warp[chosen].resident);
    struct inflight *f = inflight_new(&s->inflight);
    if (!execute(s, chosen, f))
        return;
    s->warp[chosen].issued_port = (uint8_t)port;
    scheduler_issued(&s->scheduler, port, s->now, chosen);
    s->last_issue = s->now;
    s->endings += f->op->ends;
    stats_count_issue(s, f);
    debug_assert(f->op && f->warp == chosen);
    scoreboard_set(&s->scoreboard, chosen, f->op);
    if (s->m->config.rcc && s->rcc.effect)
        rcc_issued(s, chosen);
    collect_enter(&s->collect, f);
    ibuffer_take(&s->ibuffer, chosen);
    s->candidates &= ~bit_of(chosen);
}

/* With two ports a warp still issues one: it has one instruction to give. */
void
issue_cycle(struct sm *s)
{
    if (s->ports == 1) {
        issue_port(s, PORT_ANY, s->candidates);
        return;
    }
    debug_assert(s->ports == PORTS);
    uint64_t scalar = s->candidates & s->scalar_heads;
    issue_port(s, PORT_VECTOR, s->candidates & ~scalar);
    if (!s->failed)
        issue_port(s, PORT_SCALAR, scalar);
}
