/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface: create, memory, launch. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "sim/bind.h"
#include "sim/instrumentation.h"
#include "sim/native.h"
#include "sim/state.h"

enum { MAX_HOST_THREADS = 256, STACK_MAX = 1 << 16 };

#ifdef VENTUS_TINY
enum { SLICE = 7 };
#else
enum { SLICE = 1 << 16 };
#endif

static void
set_default(unsigned *value, unsigned otherwise)
{
    if (!*value)
        *value = otherwise;
}

static unsigned
processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MAX_HOST_THREADS ? MAX_HOST_THREADS : (unsigned)n;
}

static struct ventus_sim_config
with_defaults(struct ventus_sim_config c)
{
    if (!c.isa)
        c.isa = VENTUS_ISA_V1;
    set_default(&c.num_thread, 32);
    set_default(&c.num_sm, 2);
    set_default(&c.num_warp, 32);
    set_default(&c.num_sgpr, SIM_XREGS * c.num_warp);
    set_default(&c.num_vgpr, SIM_VREGS * c.num_warp);
    set_default(&c.stack_depth, 2 * c.num_thread);
    set_default(&c.host_threads, processors());
    if (!c.local_size_B)
        c.local_size_B = 128 << 10;
    if (c.round_robin)
        c.host_threads = 1;
    return c;
}

/* The error in a configuration, or NULL. */
static const char *
check_config(const struct ventus_sim_config *c)
{
    if (c->isa != VENTUS_ISA_V1 && c->isa != VENTUS_ISA_V2)
        return "isa: expected version 1 or 2";
    if (c->num_thread > SIM_LANES_MAX || (c->num_thread & (c->num_thread - 1)))
        return "num_thread: expected a power of two from 1 to 64";
    if (c->num_warp > 1024)
        return "num_warp: expected at most 1024";
    if (c->host_threads > MAX_HOST_THREADS)
        return "host_threads: expected at most 256";
    if (c->stack_depth > STACK_MAX)
        return "stack_depth: expected at most 65536";
    if (c->local_size_B > SIM_LOCAL_SIZE)
        return "local_size_B: expected at most 256 MiB";
    return NULL;
}

struct ventus_sim *
ventus_sim_create(const struct ventus_sim_config *config, char *text,
                  size_t size)
{
    struct ventus_sim_config c = with_defaults(*config);
    const char *wrong = check_config(&c);
    struct ventus_sim *sim = wrong ? NULL : calloc(1, sizeof *sim);
    if (sim)
        sim->worker = aligned_alloc(64, c.host_threads * sizeof *sim->worker);
    if (!sim || !sim->worker) {
        free(sim);
        if (text)
            snprintf(text, size, "%s", wrong ? wrong : "out of host memory");
        return NULL;
    }
    memset(sim->worker, 0, c.host_threads * sizeof *sim->worker);
    sim->config = c;
    sim->slice = SLICE;
    for (unsigned i = 0; i < c.host_threads; i++)
        sim->worker[i].sim = sim;
    pthread_mutex_init(&sim->code.lock, NULL);
    host_open(&sim->host, &sim->mem);
    thread_pool_init(&sim->threads);
    lanes_select(&sim->lanes, c.num_thread, c.portable);
    bind_init(sim);
    return sim;
}

void
ventus_sim_destroy(struct ventus_sim *sim)
{
    if (!sim)
        return;
    thread_pool_free(&sim->threads);
    for (unsigned i = 0; i < sim->config.host_threads; i++)
        worker_free(&sim->worker[i]);
    free(sim->worker);
    native_forget(sim);
    code_free(&sim->code);
    pthread_mutex_destroy(&sim->code.lock);
    host_close(&sim->host);
    mem_free(&sim->mem);
    free(sim);
}

const struct ventus_sim_config *
ventus_sim_configuration(const struct ventus_sim *sim)
{
    return &sim->config;
}

/* ---- memory ---- */

bool
ventus_sim_map(struct ventus_sim *sim, uint64_t address, uint64_t size,
               unsigned perm)
{
    return mem_map(&sim->mem, address, size, perm, NULL);
}

bool
ventus_sim_map_host(struct ventus_sim *sim, uint64_t address, uint64_t size,
                    unsigned perm, void *host)
{
    return (uintptr_t)host % SIM_PAGE == 0 &&
           mem_map(&sim->mem, address, size, perm, host);
}

bool
ventus_sim_copy(struct ventus_sim *to, const struct ventus_sim *from)
{
    return mem_copy(&to->mem, &from->mem);
}

uint64_t
ventus_sim_mapped(const struct ventus_sim *sim)
{
    uint64_t size = 0;
    for (size_t i = 0; i < sim->mem.n; i++)
        size += sim->mem.bank[i].size;
    return size;
}

bool
ventus_sim_bound(struct ventus_sim *sim, uint64_t address, uint64_t size)
{
    return mem_bound(&sim->mem, address, size);
}

bool
ventus_sim_pad(struct ventus_sim *sim, uint64_t address, uint64_t size)
{
    return mem_pad(&sim->mem, address, size);
}

bool
ventus_sim_unmap(struct ventus_sim *sim, uint64_t address)
{
    return mem_unmap(&sim->mem, address);
}

bool
ventus_sim_read(const struct ventus_sim *sim, uint64_t address, void *to,
                uint64_t size)
{
    return mem_read(&sim->mem, address, to, size);
}

bool
ventus_sim_write(struct ventus_sim *sim, uint64_t address, const void *from,
                 uint64_t size)
{
    return mem_write(&sim->mem, address, from, size);
}

bool
ventus_sim_fill(struct ventus_sim *sim, uint64_t address, uint8_t byte,
                uint64_t size)
{
    return mem_fill(&sim->mem, address, byte, size);
}

void *
ventus_sim_pointer(const struct ventus_sim *sim, uint64_t address,
                   uint64_t *size)
{
    const struct sim_bank *b = mem_find(&sim->mem, address);
    if (!b)
        return NULL;
    if (size)
        *size = b->size - (address - b->base);
    return b->host + (address - b->base);
}

bool
ventus_sim_mark_writes(struct ventus_sim *sim, uint64_t address,
                       uint64_t *marks)
{
    return mem_set_marks(&sim->mem, address, marks);
}

enum ventus_sim_fault_kind
ventus_sim_translate(const struct ventus_sim *sim, uint64_t ptbr,
                     uint64_t address, unsigned perm, uint64_t *physical)
{
    struct sim_span span;
    return mmu_translate(&sim->mem, ptbr, address, perm, MMU_PADDED, &span,
                         physical);
}

/* ---- launch ---- */

static bool
refuse(struct ventus_sim_fault *fault, enum ventus_sim_fault_kind kind,
       const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool
refuse(struct ventus_sim_fault *fault, enum ventus_sim_fault_kind kind,
       const char *format, ...)
{
    *fault = (struct ventus_sim_fault){ .kind = kind, .lane = -1 };
    int n = snprintf(fault->text, sizeof fault->text,
                     "%s: ", ventus_sim_fault_name(kind));
    va_list args;
    va_start(args, format);
    vsnprintf(fault->text + n, sizeof fault->text - (size_t)n, format, args);
    va_end(args);
    return false;
}

bool
run_refuse_memory(struct ventus_sim_fault *fault)
{
    *fault = (struct ventus_sim_fault){ .kind = VENTUS_SIM_FAULT_MEMORY,
                                        .lane = -1 };
    snprintf(fault->text, sizeof fault->text, "%s",
             ventus_sim_fault_name(fault->kind));
    return false;
}

static bool
complete_launch(const struct ventus_sim_config *c, struct ventus_sim_launch *l,
                struct ventus_sim_fault *fault)
{
    for (unsigned i = 0; i < 3; i++)
        set_default(&l->grid[i], 1);
    if (l->local[0])
        l->threads = l->local[0] * l->local[1] * l->local[2];
    if (!l->warps)
        l->warps = (l->threads + c->num_thread - 1) / c->num_thread;
    set_default(&l->warps, 1);
    uint64_t most = (uint64_t)l->warps * c->num_thread;
    if (!l->threads && most <= UINT32_MAX)
        l->threads = (unsigned)most;
    set_default(&l->sgpr, SIM_XREGS);
    set_default(&l->vgpr, SIM_VREGS);
    if (l->threads > most || l->threads + c->num_thread <= most)
        return refuse(fault, VENTUS_SIM_FAULT_LAUNCH,
                      "%u threads do not fill %u warps of %u", l->threads,
                      l->warps, c->num_thread);
    if (l->sgpr > SIM_XREGS || l->vgpr > SIM_VREGS)
        return refuse(fault, VENTUS_SIM_FAULT_LAUNCH,
                      "a warp has at most 64 sGPRs and 256 vGPRs, not %u and "
                      "%u",
                      l->sgpr, l->vgpr);
    uint64_t plane = (uint64_t)l->grid[0] * l->grid[1];
    if (plane > UINT64_MAX / l->grid[2])
        return refuse(fault, VENTUS_SIM_FAULT_LAUNCH,
                      "a grid of more than 2^64 workgroups");
    if (l->pc >> 32 || l->pc & 3)
        return refuse(fault, VENTUS_SIM_FAULT_LAUNCH, "pc 0x%llx",
                      (unsigned long long)l->pc);
    return true;
}

/*
 * How many workgroups an SM holds (microarchitecture.md, Launch): warp slots,
 * both register files in steps of 4 registers, local memory.
 */
static bool
place(const struct ventus_sim_config *c, const struct ventus_sim_launch *l,
      unsigned *resident, struct ventus_sim_fault *fault)
{
    const struct {
        const char *name;
        uint64_t need, have;
    } resource[] = {
        { "warp slots", l->warps, c->num_warp },
        { "sGPRs", (uint64_t)l->warps * ((l->sgpr + 3) / 4 * 4), c->num_sgpr },
        { "vGPRs", (uint64_t)l->warps * ((l->vgpr + 3) / 4 * 4), c->num_vgpr },
        { "bytes of local memory", l->local_size_B, c->local_size_B },
    };
    uint64_t most = c->num_warp;
    for (unsigned i = 0; i < sizeof resource / sizeof *resource; i++) {
        if (resource[i].need > resource[i].have)
            return refuse(fault, VENTUS_SIM_FAULT_NO_FIT,
                          "it needs %llu %s, an SM has %llu",
                          (unsigned long long)resource[i].need,
                          resource[i].name,
                          (unsigned long long)resource[i].have);
        uint64_t fit =
            resource[i].need ? resource[i].have / resource[i].need : most;
        most = fit < most ? fit : most;
    }
    *resident = c->round_robin ? 1 : (unsigned)most;
    assert(*resident > 0); /* each resource is enough for one */
    return true;
}

static void
run_worker(void *ctx, unsigned worker)
{
    struct ventus_sim *sim = ctx;
    worker_run(&sim->worker[worker]);
}

/* The calling thread is the first worker. */
static void
run_workers(struct ventus_sim *sim, unsigned n)
{
    assert(n > 0 && n <= sim->config.host_threads);
    unsigned there = thread_pool_prepare(&sim->threads, n);
    for (unsigned i = there; i < n; i++)
        livelock_event(&sim->worker[i], -1); /* it will take nothing */
    thread_pool_run(&sim->threads, there, run_worker, sim);
}

static bool
prepare_workers(struct sim_run *run, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!worker_prepare(&run->sim->worker[i], run, run->resident,
                            run->launch.warps))
            return false;
    return true;
}

bool
run_is_late(const struct sim_run *run)
{
    return run->deadline_ns && clock_now_ns() > run->deadline_ns;
}

void
run_start_clock(struct sim_run *run, uint64_t began_ns)
{
    uint64_t max_ms = run->sim->config.max_ms;
    if (!max_ms)
        return;
    uint64_t from = began_ns ? began_ns : clock_now_ns();
    if (max_ms < (UINT64_MAX - from) / 1000000u) /* else in 584 years */
        run->deadline_ns = from + max_ms * 1000000u;
}

bool
run_prepare(struct sim_run *run, struct ventus_sim *sim,
            const struct ventus_sim_launch *launch,
            struct ventus_sim_fault *fault)
{
    *run = (struct sim_run){ .sim = sim, .launch = *launch };
    struct ventus_sim_launch *l = &run->launch;
    if (!complete_launch(&sim->config, l, fault) ||
        !place(&sim->config, l, &run->resident, fault))
        return false;
    uint64_t all = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (launch->first >= all)
        return refuse(fault, VENTUS_SIM_FAULT_LAUNCH, "no workgroup %llu",
                      (unsigned long long)launch->first);
    run->groups = all - launch->first;
    if (launch->count && launch->count < run->groups)
        run->groups = launch->count;
    run->end = launch->first + run->groups;
    atomic_init(&run->next, launch->first);
    atomic_init(&run->limit, UINT64_MAX);
    run_start_clock(run, l->began_ns);
    if (run->resident > run->groups)
        run->resident = (unsigned)run->groups;
    if (!code_validate(sim, launch->ptbr))
        native_forget(sim);
    host_begin(&sim->host, l);
    return true;
}

bool
ventus_sim_launch(struct ventus_sim *sim,
                  const struct ventus_sim_launch *launch,
                  struct ventus_sim_fault *fault)
{
    struct sim_run run;
    if (!run_prepare(&run, sim, launch, fault))
        return false;
    unsigned n = sim->config.host_threads;
    n = run.groups < n ? (unsigned)run.groups : n;
    const struct ventus_sim_hooks *hooks = launch->hooks;
    const struct ventus_sim_instrumentation *loop =
        hooks ? hooks->instrumentation : NULL;
    if (hooks && (hooks->step || (loop && !loop->shares)))
        n = 1;
    run.workers = n;
    if (!prepare_workers(&run, n))
        return run_refuse_memory(fault);
    bool native = native_prepare(&run);
    for (unsigned i = 0; i < n; i++)
        sim->worker[i].native = native;
    pthread_mutex_init(&run.lock, NULL);
    if (loop && loop->launch)
        loop->launch(loop->ctx, &run);
    else
        run_workers(sim, n);
    pthread_mutex_destroy(&run.lock);
    native_end(&run);
    assert(run.fault.kind || (loop && loop->launch) ||
           atomic_load(&run.next) >= run.end);
    for (unsigned i = 0; launch->stats && i < n; i++)
        stats_add(launch->stats, &sim->worker[i].stats);
    *fault = run.fault;
    return !run.fault.kind;
}
