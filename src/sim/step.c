/* SPDX-License-Identifier: Apache-2.0 */
/* The stepper: a worker without a thread, one instruction at a time. */
#include "sim/step.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug_assert.h"
#include "sim/barrier.h"
#include "sim/bind.h"
#include "sim/checkpoint.h"
#include "sim/overlay.h"
#include "sim/state.h"

struct sim_stepper {
    struct sim_run run;
    struct ventus_sim_hooks hooks;
    struct ventus_sim_step step;
    struct ventus_isa_insn in;
    uint64_t at[SIM_LANES_MAX];
    const struct sim_warp *peeked; /* `at` is that of its next instruction */
    struct sim_worker *worker;
    const struct ventus_sim_hooks *user;
    const struct sim_group *local; /* whose local memory the MMU shows */
    unsigned slots, steps;
    bool limited;
};

enum { LOOK = 1024 }; /* steps between two looks at the clock */

static void
on_padding(void *ctx, const struct ventus_sim_fault *fault, unsigned bytes,
           bool write)
{
    const struct sim_stepper *s = ctx;
    s->user->padding(s->user->ctx, fault, bytes, write);
}

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    const struct sim_stepper *s = ctx;
    s->user->print(s->user->ctx, group, warp, value);
}

/* Instruction and addresses are on the stack of the run loop: kept here. */
static void
on_step(void *ctx, const struct ventus_sim_step *step)
{
    struct sim_stepper *s = ctx;
    unsigned n = step->scalar_access ? 1 : step->num_thread;
    s->step = *step;
    s->in = *step->in;
    s->step.in = &s->in;
    if (step->access_B)
        memcpy(s->at, step->addresses, n * sizeof *s->at);
    s->step.addresses = s->at;
}

struct sim_stepper *
step_open(struct ventus_sim *sim, const struct ventus_sim_launch *launch,
          unsigned slots, struct ventus_sim_fault *fault)
{
    struct sim_stepper *s = calloc(1, sizeof *s);
    if (!s) {
        run_refuse_memory(fault);
        return NULL;
    }
    if (!run_prepare(&s->run, sim, launch, fault)) {
        free(s);
        return NULL;
    }
    s->worker = aligned_alloc(64, sizeof *s->worker);
    if (s->worker) {
        memset(s->worker, 0, sizeof *s->worker);
        s->worker->sim = sim;
    }
    pthread_mutex_init(&s->run.lock, NULL);
    s->user = launch->hooks;
    s->hooks = (struct ventus_sim_hooks){ .ctx = s, .step = on_step };
    if (s->user && s->user->print)
        s->hooks.print = on_print;
    if (s->user && s->user->padding)
        s->hooks.padding = on_padding;
    s->run.launch.hooks = &s->hooks;
    s->slots = slots ? slots : s->run.resident;
    s->limited =
        sim->config.max_instructions || sim->config.max_ms || launch->stop;
    if (!s->worker ||
        !worker_prepare(s->worker, &s->run, s->slots, s->run.launch.warps)) {
        step_close(s);
        run_refuse_memory(fault);
        return NULL;
    }
    return s;
}

void
step_close(struct sim_stepper *s)
{
    if (!s)
        return;
    if (s->worker && s->run.launch.stats)
        stats_add(s->run.launch.stats, &s->worker->stats);
    for (unsigned i = 0; s->worker && i < s->worker->groups_capacity; i++)
        group_clear_private(s->worker, &s->worker->group[i]);
    if (s->worker)
        worker_free(s->worker);
    free(s->worker);
    pthread_mutex_destroy(&s->run.lock);
    free(s);
}

const struct ventus_sim_launch *
step_launch(const struct sim_stepper *s, uint64_t *groups)
{
    *groups = s->run.groups;
    return &s->run.launch;
}

unsigned
step_slots(const struct sim_stepper *s)
{
    return s->slots;
}

void
step_start(struct sim_stepper *s, unsigned slot, uint64_t number)
{
    assert(slot < s->slots && number < s->run.end);
    struct sim_group *g = &s->worker->group[slot];
    group_clear_private(s->worker, g); /* of the last one here */
    group_start(s->worker, g, number);
    s->local = NULL;
    s->worker->stats.workgroups++;
}

bool
step_exists(const struct sim_stepper *s, unsigned slot, unsigned warp)
{
    assert(slot < s->slots && warp < s->worker->group[slot].warps);
    return s->worker->group[slot].warp[warp].stop != STOP_END;
}

/* The first instruction of a warp is where the launch says. */
static bool
begin(struct sim_stepper *s, struct sim_warp *w)
{
    if (w->next)
        return true;
    const struct sim_op origin = { .pc = (uint32_t)s->run.launch.pc };
    w->next = warp_jump_far(w, &origin, origin.pc);
    return w->next != NULL;
}

_Static_assert((int)STEP_WORDS_MAX == (int)MEM_WORDS_MAX, "all words");

void
step_peek(struct sim_stepper *s, unsigned slot, unsigned warp,
          struct step_access *access)
{
    struct sim_worker *k = s->worker;
    struct sim_group *g = &k->group[slot];
    struct sim_warp *w = &g->warp[warp];
    assert(slot < s->slots && warp < g->warps);
    access->n = 0;
    s->peeked = NULL;
    if (s->local != g)
        mmu_set_local(&k->mmu, &g->local);
    s->local = g;
    if (!begin(s, w))
        return;
    const struct sim_op *op = w->next;
    if (!op->code) { /* after the last of a page: on to the next page */
        op = op->fn(w, op);
        if (!op)
            return;
        w->next = op;
    }
    if (w->grouped) {
        access->n = grouped_words(w, op, access->at, &access->bytes);
        return;
    }
    if (op->width > 1) {
        access->n =
            mem_words(w, op, warp_op_lanes(w, op), access->at, &access->bytes);
        return;
    }
    access->n = mem_single_words(w, op, warp_op_lanes(w, op), s->at, access->at,
                                 &access->bytes);
    s->peeked = w;
}

bool
step_is_grouped(const struct sim_stepper *s, unsigned slot, unsigned warp)
{
    return s->worker->group[slot].warp[warp].grouped;
}

bool
step_arrive(struct sim_stepper *s, unsigned slot, unsigned warp)
{
    struct sim_group *g = &s->worker->group[slot];
    assert(slot < s->slots && warp < g->warps);
    barrier_arrive(g, &g->warp[warp]);
    return g->warp[warp].wait.needs;
}

bool
step_waits(const struct sim_stepper *s, unsigned slot, unsigned warp)
{
    assert(slot < s->slots && warp < s->worker->group[slot].warps);
    return s->worker->group[slot].warp[warp].wait.here;
}

bool
step_release(struct sim_stepper *s, unsigned slot)
{
    return barrier_release(s->worker, &s->worker->group[slot]);
}

/* Padding is memory, too. */
static const uint8_t *
host_of(struct sim_mmu *mmu, uint64_t address, unsigned bytes, unsigned access)
{
    const uint8_t *host = mmu_at(mmu, address, bytes, access);
    return host ? host : mmu_padding(mmu, address, bytes, access);
}

const uint8_t *
step_host(struct sim_stepper *s, uint64_t address, bool write)
{
    struct sim_mmu *mmu = &s->worker->mmu;
    const uint8_t *host =
        host_of(mmu, address, 1, write ? MMU_WRITE : MMU_READ);
    const uint8_t *origin =
        host && mmu->overlay ? overlay_origin(mmu->overlay, host) : NULL;
    return origin ? origin : host;
}

struct sim_overlay *
step_overlay(const struct ventus_sim *sim)
{
    return overlay_create(&sim->mem);
}

void
step_divert(struct sim_stepper *s, const struct sim_overlay *overlay)
{
    assert(!s->worker->mmu.overlay && !s->worker->stats.workgroups);
    s->worker->mmu.overlay = overlay;
}

void
step_look(struct sim_stepper *s, const struct step_access *access,
          uint32_t words[STEP_WORDS_MAX])
{
    assert(access->n <= STEP_WORDS_MAX);
    for (unsigned i = 0; i < access->n; i++) {
        uint64_t at = access->at[i];
        const uint8_t *host =
            at % access->bytes
                ? NULL
                : host_of(&s->worker->mmu, at, access->bytes, MMU_WRITE);
        words[i] = 0;
        if (host)
            memcpy(&words[i], host, access->bytes);
    }
}

uint64_t
step_cleared(const struct sim_stepper *s, unsigned slot, uint64_t *size)
{
    const struct sim_group *g = &s->worker->group[slot];
    *size = group_private(s->worker, g);
    return g->pds;
}

/* ---- checkpoint and rollback ---- */

bool
step_checkpoint(struct ventus_sim *sim)
{
    assert(!sim->mem.checkpoint);
    sim->mem.checkpoint = checkpoint_create();
    return sim->mem.checkpoint != NULL;
}

bool
step_can_roll_back(const struct ventus_sim *sim)
{
    assert(sim->mem.checkpoint);
    return checkpoint_is_complete(sim->mem.checkpoint);
}

void
step_rollback(struct ventus_sim *sim)
{
    assert(sim->mem.checkpoint);
    checkpoint_restore(sim->mem.checkpoint);
    code_settle(sim, true);
    step_commit(sim);
}

void
step_commit(struct ventus_sim *sim)
{
    code_settle(sim, false);
    checkpoint_destroy(sim->mem.checkpoint);
    sim->mem.checkpoint = NULL;
}

/* Whether an instruction may compute with the host's FPU, or read its flags. */
static bool
uses_fpu(unsigned code)
{
    switch ((enum ventus_isa_unit)ventus_isa_info[code].unit) {
    case VENTUS_ISA_UNIT_SALU:
    case VENTUS_ISA_UNIT_VALU:
    case VENTUS_ISA_UNIT_MUL:
    case VENTUS_ISA_UNIT_LSU:
    case VENTUS_ISA_UNIT_SIMT:
        return false;
    default:
        return true;
    }
}

/* Changing the FPU's state costs as much as an instruction of 32 lanes. */
static void
run_one(struct sim_worker *k, struct sim_warp *w)
{
    assert(!k->fp_idle && w->next);
    k->fp_idle = !uses_fpu(w->next->code);
    if (!k->fp_idle)
        fp_host_enter(&k->fp, FP_RNE);
    warp_run_traced(w, 1);
    if (!k->fp_idle)
        fp_host_leave(&k->fp);
    k->fp_idle = false;
}

/* A limit that the user set; the clock is read now and then. */
static bool
is_over(struct sim_stepper *s, struct sim_group *g, struct sim_warp *w)
{
    return s->limited &&
           (s->worker->sim->config.max_instructions || !(++s->steps % LOOK)) &&
           group_is_over(s->worker, g, w);
}

enum ventus_sim_fault_kind
step_ended_by_host(const struct sim_stepper *s)
{
    if (!s->limited)
        return VENTUS_SIM_FAULT_NONE;
    return run_is_stopped(&s->run) ? VENTUS_SIM_FAULT_STOPPED
           : run_is_late(&s->run)  ? VENTUS_SIM_FAULT_LIMIT
                                   : VENTUS_SIM_FAULT_NONE;
}

bool
step_is_over(struct sim_stepper *s, unsigned slot, unsigned warp)
{
    struct sim_group *g = &s->worker->group[slot];
    struct sim_warp *w = &g->warp[warp];
    debug_assert(slot < s->slots && warp < g->warps && w->stop != STOP_END);
    return begin(s, w) && group_is_over(s->worker, g, w);
}

const struct ventus_sim_step *
step_warp(struct sim_stepper *s, unsigned slot, unsigned warp)
{
    struct sim_worker *k = s->worker;
    struct sim_group *g = &k->group[slot];
    struct sim_warp *w = &g->warp[warp];
    debug_assert(slot < s->slots && warp < g->warps);
    debug_assert(w->stop != STOP_END && !w->wait.here);
    if (s->local != g)
        mmu_set_local(&k->mmu, &g->local);
    s->local = g;
    if (!begin(s, w) || is_over(s, g, w))
        return NULL;
    w->stop = STOP_SLICE;
    s->peeked = NULL;
    s->step.in = NULL;
    while (!s->step.in && w->stop == STOP_SLICE)
        run_one(k, w);
    return w->stop == STOP_FAULT ? NULL : &s->step;
}

unsigned
step_kind(const struct sim_stepper *s, const struct ventus_isa_insn *in)
{
    unsigned flags = ventus_isa_info[in->op].flags;
    bool lanes = bind_has_vector(in) || (flags & VENTUS_ISA_F_ATOMIC &&
                                         !s->worker->sim->config.scalar_amo);
    return (lanes ? STEP_LANES : 0) | (uses_fpu(in->op) ? STEP_FPU : 0) |
           (flags & (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE) ? STEP_MEMORY
                                                             : 0) |
           (in->width || in->pair ? STEP_WIDE : 0) |
           (ventus_isa_info[in->op].unit == VENTUS_ISA_UNIT_CSR &&
                    csr_counts(in->aux)
                ? STEP_COUNTER
                : 0);
}

static const struct sim_op *
call(struct sim_worker *k, struct sim_warp *w, const struct sim_op *op,
     bool fpu)
{
    debug_assert(w->next == op && !k->fp_idle);
    w->stop = STOP_SLICE;
    w->slice = 1;
    w->left = 0;
    k->fp_idle = !fpu;
    if (fpu)
        fp_host_enter(&k->fp, FP_RNE);
    const struct sim_op *next =
        w->grouped ? grouped_call(w, op) : op->fn(w, op);
    fp_collect(w);
    if (fpu)
        fp_host_leave(&k->fp);
    k->fp_idle = false;
    if (w->stop == STOP_SLICE)
        w->next = next;
    w->retired += w->slice - w->left; /* the step to another page is none */
    w->slice = w->left = 0;
    return next;
}

/* The effect of the next instruction, as far as it is known before. */
static void
look_ahead(struct sim_stepper *s, const struct sim_warp *w,
           const struct sim_op *op, unsigned kind)
{
    s->step.pc = op->pc;
    s->step.exec = kind & STEP_LANES ? warp_op_lanes(w, op) : w->exec;
    s->step.num_thread = w->num_thread;
    s->step.scalar_access = !(kind & STEP_LANES);
    s->step.access_B = kind & STEP_MEMORY ? mem_bytes(w, op) : 0;
    s->step.addresses = s->at;
    if (s->step.access_B && s->peeked != w)
        mem_addresses(w, op, s->at);
    s->peeked = NULL;
}

static void
count(const struct sim_stepper *s, struct sim_warp *w, const struct sim_op *op,
      unsigned depth)
{
    stats_count_step(w, &(struct stats_step){ .op = op->code,
                                              .vector = !s->step.scalar_access,
                                              .prefix = op->words > 1,
                                              .exec = s->step.exec,
                                              .depth = depth,
                                              .access_B = s->step.access_B,
                                              .at = s->at });
}

const struct ventus_sim_step *
step_warp_quick(struct sim_stepper *s, unsigned slot, unsigned warp,
                unsigned kind)
{
    struct sim_worker *k = s->worker;
    struct sim_group *g = &k->group[slot];
    struct sim_warp *w = &g->warp[warp];
    debug_assert(slot < s->slots && warp < g->warps);
    debug_assert(w->stop != STOP_END && !w->wait.here);
    if (s->local != g)
        mmu_set_local(&k->mmu, &g->local);
    s->local = g;
    if (!begin(s, w) || is_over(s, g, w))
        return NULL;
    /* After the last of a page: on to the next page. */
    while (!w->next->code && w->next - w->page->ops >= CODE_WORDS)
        if (!call(k, w, w->next, true))
            return NULL;
    const struct sim_op *op = w->next;
    unsigned depth = w->depth;
    look_ahead(s, w, op, kind);
    const struct sim_op *next = call(k, w, op, kind & STEP_FPU);
    if (w->stop == STOP_FAULT)
        return NULL;
    if (k->run->launch.stats)
        count(s, w, op, depth);
    next = next ? next : w->next;
    assert(next); /* what stops a warp says where it continues */
    s->step.next_pc = next->pc - 4 * (next->words - 1u);
    return &s->step;
}

uint64_t
step_private_apart(const struct sim_stepper *s, unsigned slot)
{
    assert(slot < s->slots);
    return (uint64_t)4 * mem_group_threads(&s->worker->group[slot].warp[0]);
}

struct step_registers
step_registers(const struct sim_stepper *s, unsigned slot, unsigned warp)
{
    assert(slot < s->slots && warp < s->worker->group[slot].warps);
    const struct sim_warp *w = &s->worker->group[slot].warp[warp];
    return (struct step_registers){ w->x, w->v, w->lanes };
}

void
step_hash(const struct sim_stepper *s, unsigned slot, unsigned warp,
          uint64_t hash[2])
{
    warp_hash(&s->worker->group[slot].warp[warp], hash);
}

void
step_lack_memory(struct sim_stepper *s)
{
    run_refuse_memory(&s->worker->fault);
}

const struct ventus_sim_fault *
step_fault(const struct sim_stepper *s)
{
    return &s->worker->fault;
}

const uint32_t *
step_words(struct sim_stepper *s, uint32_t pc, uint32_t *base, unsigned *n)
{
    enum ventus_sim_fault_kind why;
    const struct sim_code_page *p = code_page(s->worker, pc, &why);
    if (!p)
        return NULL;
    *base = p->base;
    *n = p->n;
    return p->words;
}
