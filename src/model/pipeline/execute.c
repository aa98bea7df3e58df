/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values: the functional machine executes an instruction when it is issued; the
 * instruction in flight keeps what the pipeline needs of the result.
 */
#include "model/pipeline/execute.h"

#include <string.h>

#include "isa/sem.h"
#include "model/livelock.h"
#include "model/machine.h"
#include "model/parallel/access_log.h"
#include "model/stats.h"

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
jumps_to_next(const struct sm *s, struct warp_place at,
              const struct model_op *op, uint64_t exec)
{
    struct step_registers r = step_registers(s->stepper, at.group, at.id);
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

/* NULL: a fault. */
static const struct ventus_sim_step *
step_next(struct sm *s, struct warp_place at, const struct model_op *op)
{
    return events_have_steps(&s->events)
               ? step_warp(s->stepper, at.group, at.id)
               : step_warp_quick(s->stepper, at.group, at.id, op->step);
}

SELDOM static const struct ventus_sim_step *
step_watched(struct sm *s, struct warp_place at, const struct inflight *f)
{
    struct livelock_words words;
    livelock_before(s, f->warp, f->op, &words);
    const struct ventus_sim_step *step = step_next(s, at, f->op);
    if (step)
        livelock_after(s, f->warp, f->op, step, &words);
    return step;
}

/* The step, between what coherence = rcc and the log of accesses do.  Inline in both
 * callers, as each instruction has it. */
__attribute__((always_inline)) static inline const struct ventus_sim_step *
step_issued(struct sm *s, struct warp_place at, const struct inflight *f)
{
    const struct model_op *op = f->op;
    bool noted = s->access_mode && op->memory && !op->fence;
    if (s->m->config.rcc) {
        rcc_before(&s->rcc, s->stepper, at, f->warp, op);
        noted = noted && rcc_is_outside(&s->rcc);
    }
    if (noted && op->step & STEP_WIDE)
        access_log_wide(s, at, op);
    const struct ventus_sim_step *step =
        s->detects_livelock ? step_watched(s, at, f) : step_next(s, at, op);
    if (s->m->config.rcc)
        livelock_note(s, rcc_after(&s->rcc, f->warp, op, step));
    if (!step)
        return NULL;
    if (!op->known) { /* code that could not be decoded was executed */
        step_lack_memory(s->stepper);
        return NULL;
    }
    if (noted && !(op->step & STEP_WIDE))
        access_log_note(s, at, op, step);
    return step;
}

/* The same, and what the pipeline has to know of it. */
static const struct ventus_sim_step *
step_taken(struct sm *s, struct warp_place at, struct inflight *f)
{
    const struct ventus_sim_step *step = step_issued(s, at, f);
    if (!step)
        return NULL;
    take_step(f, step);
    if (f->op->words > 1)
        f->word_step =
            f->op->words_apart ? step_private_apart(s->stepper, at.group) : 4;
    return step;
}

/* The SFU needs the operands, which the step may overwrite.  Apart, as others need
 * no room for cycles. */
__attribute__((noinline)) static const struct ventus_sim_step *
step_measured(struct sm *s, struct warp_place at, struct inflight *f)
{
    const struct ventus_model_config *c = &s->m->config;
    unsigned lanes = s->m->machine.num_thread;
    struct step_registers r = step_registers(s->stepper, at.group, at.id);
    uint8_t cycles[64];
    sfu_measure(c, lanes, &r, f->op, cycles);
    const struct ventus_sim_step *step = step_taken(s, at, f);
    if (step)
        f->busy = sfu_busy(c, lanes, f, cycles);
    return step;
}

/* Where it goes on.  A target that happens to be the next instruction is a jump,
 * too. */
static void
take_jump(const struct sm *s, struct warp_place at, struct inflight *f,
          uint64_t exec)
{
    if (f->op->branch == BRANCH_SCALAR &&
        ventus_isa_info[f->op->op].format != VENTUS_ISA_FORMAT_B)
        f->jump = true;
    if (f->op->to_next)
        f->jump = jumps_to_next(s, at, f->op, exec);
}

bool
execute(void *ctx, unsigned port, struct inflight *f)
{
    struct sm *s = ctx;
    struct warp *w = &s->warp[f->warp];
    bool special = f->op->unit == VENTUS_ISA_UNIT_SFU;
    struct warp_place at = workgroup_place(&s->workgroup, f->warp);
    const struct ventus_sim_step *step =
        special ? step_measured(s, at, f) : step_taken(s, at, f);
    if (!step) {
        s->failed = true;
        return false;
    }
    w->issued_port = (uint8_t)port;
    w->issued_pc = w->next_pc;
    w->issued_at = s->now;
    w->next_pc = (uint32_t)step->next_pc;
    take_jump(s, at, f, step->exec);
    if (events_have_steps(&s->events))
        events_issue(&s->events, s->now, f, step);
    if (f->op->ends)
        workgroup_ending(&s->workgroup);
    stats_count_issue(s, f);
    if (s->m->config.rcc && rcc_issued(&s->rcc, f->warp))
        scoreboard_fence(&s->scoreboard, f->warp);
    return true;
}
