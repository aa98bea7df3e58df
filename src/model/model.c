/* SPDX-License-Identifier: Apache-2.0 */
/* The model: create and launch. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "model/advance.h"
#include "model/check.h"
#include "model/connections.h"
#include "model/dispatch.h"
#include "model/livelock.h"
#include "model/machine.h"
#include "model/parallel/access_log.h"
#include "model/parallel/lookahead.h"
#include "model/parallel/speculation.h"
#include "model/pipeline/execute.h"
#include "model/stats.h"
#include "sim/tensor.h"

const char *const ventus_model_stall_names[VENTUS_MODEL_STALLS] = {
    "issued", "no_warp", "fetch",   "branch",    "operand_collector",
    "memory", "result",  "barrier", "not_chosen"
};

void
ventus_model_defaults(struct ventus_model_config *c)
{
    *c = (struct ventus_model_config){
#define MODEL_KEY(section, name, member, type, unit, min, max, pow2, dflt, \
                  ...)                                                     \
    .member = (dflt),
#include "model/config_table.h"
#undef MODEL_KEY
    };
}

/* An interval of more cycles than any launch takes: a cycle plus some of these has room in
 * 64 bits, beside the bits of a state (pdes/pdes.h). */
#define NO_DEADLOCK (UINT64_C(1) << 56)

/* Settings of 0 follow from the machine: docs/model.md. */
static struct ventus_model_config
complete_config(const struct ventus_model_config *config,
                const struct ventus_sim_config *machine)
{
    struct ventus_model_config c = *config;
    unsigned quarter = machine->num_thread / 4;
    if (!c.collectors)
        c.collectors = machine->num_warp;
    if (!c.sfu_lanes)
        c.sfu_lanes = quarter ? quarter : 1;
    for (unsigned k = sim_tensor_depth(machine->num_thread);
         !config->tensor_cycles && k > 1; k /= 2)
        c.tensor_cycles += 2;
    if (!config->tensor_cycles)
        c.tensor_cycles += 6;
    if (!c.local_banks)
        c.local_banks = machine->num_thread;
    if (c.deadlock > NO_DEADLOCK)
        c.deadlock = NO_DEADLOCK;
    return c;
}

/* ---- create ---- */

static uint64_t
bits(unsigned n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

static bool
make_sm(struct ventus_model *m, struct sm *s, unsigned id)
{
    const struct ventus_model_config *c = &m->config;
    s->m = m;
    s->id = id;
    s->warps = m->machine.num_warp;
    s->ports = (uint8_t)c->issue_width;
    s->line_shift = (uint8_t)m->line_shift;
    s->all_lanes = bits(m->machine.num_thread);
    s->warp = calloc(s->warps, sizeof *s->warp);
    collect_init(&s->collect, c, &s->stats);
    units_init(&s->units, c, m->machine.num_thread);
    connections_join_workgroups(s);
    scheduler_init(&s->scheduler, c, id, s->warps);
    fetch_init(&s->fetch, &s->tlb[TLB_FETCH], &s->icache, s->m->line_shift);
    local_memory_init(&s->local, c, &s->stats);
    const struct issue_ports issue = { .ibuffer = &s->ibuffer,
                                       .scoreboard = &s->scoreboard,
                                       .scheduler = &s->scheduler,
                                       .collect = &s->collect,
                                       .pool = &s->inflight,
                                       .lsu = &s->lsu,
                                       .rcc = &s->rcc,
                                       .ctx = s,
                                       .execute = execute };
    issue_init(&s->issue, c, &issue);
    struct lsu_ports port = { &s->dcache, &s->local, &s->tlb[TLB_DATA],
                              &s->inflight, &s->events };
    const struct rcc_machine rcc = {
        id, s->warps, m->machine.num_thread, m->sim, { access_log_bytes, s }
    };
    if (!icache_create(&s->icache, c, &s->stats, id) ||
        !dcache_create(&s->dcache, c, &s->stats, id) ||
        !tlb_create(&s->tlb[TLB_DATA], TLB_DATA, c, &s->stats, id) ||
        !tlb_create(&s->tlb[TLB_FETCH], TLB_FETCH, c, &s->stats, id) ||
        !lsu_create(&s->lsu, c, &s->stats, m->machine.num_thread, port) ||
        !ibuffer_create(&s->ibuffer, s->warps, c->ibuffer,
                        c->ibuffer_overlaps) ||
        !scoreboard_create(&s->scoreboard, s->warps) ||
        !rcc_create(&s->rcc, c, &s->stats, &rcc, &s->dcache, &s->lsu))
        return false;
    return s->warp;
}

static bool
make_shared(struct ventus_model *m)
{
    const struct ventus_model_config *c = &m->config;
    m->l2_stats = calloc(m->sms, sizeof *m->l2_stats);
    memory_init(&m->memory, c, &m->stats);
    struct cta_ports port = connections_cta_ports;
    struct l2_port answers = connections_answers;
    port.ctx = answers.ctx = m;
    return m->l2_stats &&
           cta_create(&m->cta, c, m->sms, m->machine.num_warp, &port) &&
           l2_create(&m->l2, c, m->l2_stats, &m->memory, &answers) &&
           bus_create(&m->bus, m->sms, &m->l2, connections_fetch,
                      connections_walk, m) &&
           l2_tlb_create(&m->l2_tlb, c, &m->stats, m->sim);
}

static bool
make(struct ventus_model *m)
{
    m->sms = m->machine.num_sm;
    m->sm = aligned_alloc(64, m->sms * sizeof *m->sm);
    if (m->sm)
        memset(m->sm, 0, m->sms * sizeof *m->sm);
    bool ok = m->sm && code_store_create(&m->code, &m->config, &m->machine) &&
              make_shared(m);
    for (unsigned i = 0; ok && i < m->sms; i++)
        ok = make_sm(m, &m->sm[i], i);
    return ok;
}

static unsigned
log2_of(unsigned n)
{
    unsigned shift = 0;
    while (1u << shift < n)
        shift++;
    return shift;
}

/* Sets the members that follow from the configuration alone. */
static bool
configure(struct ventus_model *m, const struct ventus_model_config *c,
          char *text, size_t size)
{
    m->machine = *ventus_sim_configuration(m->sim);
    m->config = complete_config(c, &m->machine);
    if (!check_config(&m->machine, &m->config, text, size))
        return false;
    m->line_shift = log2_of(m->config.dcache.line_B);
    return true;
}

static struct ventus_model *
create_model(const struct ventus_sim_config *machine,
             const struct ventus_model_config *c, char *text, size_t size)
{
    struct ventus_model *m = aligned_alloc(64, sizeof *m);
    if (!m) {
        snprintf(text, size, "out of host memory");
        return NULL;
    }
    memset(m, 0, sizeof *m);
    m->variant = &MODEL_VARIANT;
    struct ventus_sim_config sc = *machine;
    sc.host_threads = 1; /* the functional machine is stepped */
    m->sim = ventus_sim_create(&sc, text, size);
    if (m->sim && configure(m, c, text, size)) {
        if (make(m) && lookahead_create(m, machine->host_threads) &&
            speculation_create(m))
            return m;
        snprintf(text, size, "out of host memory");
    }
    ventus_model_destroy(m);
    return NULL;
}

static void
free_sm(struct sm *s)
{
    free(s->warp);
    icache_destroy(&s->icache);
    dcache_destroy(&s->dcache);
    lsu_destroy(&s->lsu);
    ibuffer_destroy(&s->ibuffer);
    scoreboard_destroy(&s->scoreboard);
    rcc_destroy(&s->rcc);
    for (unsigned i = 0; i < TLBS; i++)
        tlb_destroy(&s->tlb[i]);
}

void
ventus_model_destroy(struct ventus_model *m)
{
    if (!m)
        return;
    for (unsigned i = 0; m->sm && i < m->sms; i++)
        free_sm(&m->sm[i]);
    free(m->sm);
    code_store_destroy(&m->code);
    l2_destroy(&m->l2);
    bus_destroy(&m->bus);
    cta_destroy(&m->cta);
    l2_tlb_destroy(&m->l2_tlb);
    free(m->l2_stats);
    speculation_destroy(m);
    lookahead_destroy(m);
    ventus_sim_destroy(m->sim);
    free(m);
}

struct ventus_sim *
ventus_model_sim(struct ventus_model *m)
{
    return m->sim;
}

const struct ventus_model_stats *
ventus_model_sm_stats(const struct ventus_model *m, unsigned sm)
{
    return &m->sm[sm].stats;
}

/* ---- a launch ---- */

/* Everything is empty, but for what persists. */
static void
reset_sm(struct sm *s)
{
    icache_reset(&s->icache, s->ended_at, s->m->age);
    dcache_reset(&s->dcache, s->m->age);
    local_memory_reset(&s->local);
    fetch_reset(&s->fetch);
    units_reset(&s->units);
    collect_reset(&s->collect);
    lsu_reset(&s->lsu);
    scheduler_reset(&s->scheduler);
    ibuffer_reset(&s->ibuffer);
    scoreboard_reset(&s->scoreboard);
    issue_reset(&s->issue);
    inflight_reset(&s->inflight);
    memset(s->warp, 0, s->warps * sizeof *s->warp);
    s->run = (struct sm_run){ .age0 = s->m->age,
                              .is_pending = true,
                              .ordered = true,
                              .access_mode = ACCESS_UNLOGGED };
    events_init(&s->events, s->m->hooks, s->id);
}

static void
reset_machine(struct ventus_model *m)
{
    memory_reset(&m->memory, m->hooks);
    l2_reset(&m->l2, m->age);
    bus_reset(&m->bus);
    l2_tlb_reset(&m->l2_tlb);
    memset(m->l2_stats, 0, m->sms * sizeof *m->l2_stats);
    m->stats = (struct ventus_model_stats){ 0 };
    m->run = (struct model_run){ 0 };
    code_store_reset(&m->code);
    for (unsigned i = 0; i < m->sms; i++)
        reset_sm(&m->sm[i]);
}

/* Each SM has a stepper, with workgroup slots of its own. */
static bool
open_steppers(struct ventus_model *m, const struct ventus_sim_launch *launch,
              struct ventus_sim_fault *fault)
{
    uint64_t groups = 0;
    m->slots = 1;
    for (unsigned i = 0; i < m->sms; i++) {
        m->sm[i].stepper = step_open(m->sim, launch, 0, fault);
        if (!m->sm[i].stepper)
            return false;
        decoder_reset(&m->sm[i].decoder, &m->code, m->sm[i].stepper);
        m->launch = step_launch(m->sm[i].stepper, &groups);
        m->slots = step_slots(m->sm[i].stepper);
    }
    for (unsigned i = 0; i < m->sms; i++) {
        for (unsigned t = 0; t < TLBS; t++)
            tlb_reset(&m->sm[i].tlb[t], m->launch->ptbr);
        if (!rcc_open(&m->sm[i].rcc, m->launch->ptbr, m->sm[i].stepper)) {
            step_lack_memory(m->sm[i].stepper);
            *fault = *step_fault(m->sm[i].stepper);
            return false;
        }
        const struct workgroup_launch groups_of = {
            .warps = m->launch->warps,
            .slots = m->slots,
            .stepper = m->sm[i].stepper,
        };
        workgroup_reset(&m->sm[i].workgroup, &groups_of);
    }
    assert(m->slots && m->slots <= m->machine.num_warp &&
           "the configuration was checked when it was created");
    cta_reset(&m->cta, &(struct cta_launch){ .first = m->launch->first,
                                             .groups = groups,
                                             .warps = m->launch->warps,
                                             .slots = m->slots });
    return true;
}

static void
close_steppers(struct ventus_model *m)
{
    for (unsigned i = 0; i < m->sms; i++) {
        step_close(m->sm[i].stepper);
        m->sm[i].stepper = NULL;
        rcc_close(&m->sm[i].rcc);
        m->sm[i].ended_at = m->sm[i].now;
    }
}

/* The host sees what all SMs wrote. */
static void
write_back(struct ventus_model *m)
{
    for (unsigned i = 0; m->config.rcc && i < m->sms; i++)
        if (m->sm[i].stepper)
            livelock_note(&m->sm[i], rcc_invalidate(&m->sm[i].rcc));
}

/* The host reads what is printed, so the caches are emptied before. */
static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    struct ventus_model *m = ctx;
    write_back(m);
    m->host->print(m->host->ctx, group, warp, value);
}

static void
on_padding(void *ctx, const struct ventus_sim_fault *fault, unsigned bytes,
           bool write)
{
    struct ventus_model *m = ctx;
    m->host->padding(m->host->ctx, fault, bytes, write);
}

/* Not on several host threads: there a print ends the speculation. */
static void
wrap(struct ventus_model *m, struct ventus_sim_launch *launch,
     struct ventus_sim_hooks *hooks)
{
    if (!m->config.rcc)
        return;
    *hooks = (struct ventus_sim_hooks){ .ctx = m };
    if (m->host && m->host->print)
        hooks->print = on_print;
    if (m->host && m->host->padding)
        hooks->padding = on_padding;
    launch->hooks = hooks;
}

struct running {
    struct ventus_model *model;
    const struct ventus_sim_launch *launch;
    bool speculates, opened;
};

static void
run_cycles(void *ctx)
{
    struct running *r = ctx;
    struct ventus_model *m = r->model;
    reset_machine(m);
    r->opened = open_steppers(m, r->launch, m->fault);
    if (r->opened && r->speculates)
        lookahead_run(m);
    while (r->opened && !m->failed && !cta_is_over(&m->cta))
        advance(m, UINT64_MAX);
}

static void
end_cycles(void *ctx)
{
    const struct running *r = ctx;
    struct ventus_model *m = r->model;
    advance_end(m);
    if (r->opened && m->failed && !m->misspeculated)
        report_stopped(m);
    write_back(m);
}

static void
call_close(void *ctx)
{
    close_steppers(ctx);
}

/* Workers run one after the other, also after one of which an assertion failed, so
 * that all that is open is closed. */
static void
guarded(struct ventus_model *m, void (*work)(void *ctx), void *ctx)
{
    struct guard_failure why;
    if (!guard_call(work, ctx, &why))
        report_internal(m, why.text);
}

/* Does all cycles of a launch, or those until it fails. */
static bool
run_launch(struct ventus_model *m, const struct ventus_sim_launch *launch,
           struct ventus_sim_fault *fault, bool speculates)
{
    struct running r = { m, launch, speculates, false };
    memset(fault, 0, sizeof *fault);
    guarded(m, run_cycles, &r);
    guarded(m, end_cycles, &r);
    guarded(m, call_close, m);
    return r.opened && !m->failed;
}

/* A launch that the host or the clock ended is not started again: it stops where it
 * is. */
static bool
is_ended_by_host(const struct ventus_model *m,
                 const struct ventus_sim_fault *fault)
{
    return fault->kind == VENTUS_SIM_FAULT_STOPPED ||
           (fault->kind == VENTUS_SIM_FAULT_LIMIT &&
            !m->machine.max_instructions);
}

static bool
launch_model(struct ventus_model *m, const struct ventus_sim_launch *launch,
             const struct ventus_model_hooks *hooks,
             struct ventus_model_stats *stats, struct ventus_sim_fault *fault)
{
    struct ventus_sim_hooks seen;
    struct ventus_sim_launch wrapped = *launch;
    m->fault = fault;
    m->hooks = hooks;
    m->host = launch->hooks;
    m->reported = 0;
    bool speculates = speculation_begin(m, &wrapped);
    if (!speculates)
        wrap(m, &wrapped, &seen);
    bool ok = run_launch(m, &wrapped, fault, speculates);
    bool kept = ok || is_ended_by_host(m, fault);
    if (!speculation_end(m, launch, kept)) {
        m->reported = m->ended;
        wrapped = *launch;
        wrap(m, &wrapped, &seen);
        ok = run_launch(m, &wrapped, fault, false);
    }
    for (unsigned i = 0; i < m->sms; i++)
        stats_add_model(&m->stats, &m->sm[i].stats);
    m->stats.cycles = m->now;
    m->age += m->now;
    if (ok && events_on(hooks))
        hooks->event(hooks->ctx, &(struct ventus_model_event){
                                     .kind = VENTUS_MODEL_EVENT_KERNEL_END,
                                     .cycle = m->now });
    stats_add_model(stats, &m->stats);
    return ok;
}

double
ventus_model_peak(const struct ventus_model *m)
{
    const struct ventus_model_config *c = &m->config;
    double lines = (double)c->memory_requests / (c->memory_cycles + 1.0);
    if (c->dram)
        lines = (double)c->dram_channels / c->dram_tburst;
    return (lines < 1 ? lines : 1) * c->l2.line_B;
}

const struct model_variant MODEL_VARIANT = { create_model, launch_model };
