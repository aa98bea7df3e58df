/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch: writes metadata and arguments to device memory, runs the
 * workgroups, and drains the print buffer.  Manual 2.2, 2.3; docs/abi.md.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/debug_assert.h"
#include "base/text.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/fault.h"
#include "dev/launch.h"
#include "dev/load.h"
#include "dev/memory.h"
#include "dev/observer.h"
#include "dev/output/stats.h"
#include "dev/padding_text.h"
#include "dev/preview.h"
#include "dev/print.h"
#include "dev/program.h"
#include "dev/validate.h"
#include "obj/kernels.h"

/* Words of the metadata, as offsets in bytes (manual 2.2). */
enum {
    KNL_ENTRY = 0,
    KNL_ARG_BASE = 4,
    KNL_WORK_DIM = 8,
    KNL_GL_SIZE = 12, /* x, y, z */
    KNL_LC_SIZE = 24,
    KNL_GL_OFFSET = 36,
    KNL_PRINT_ADDR = KERNELS_PRINT_AT,
    KNL_PRINT_SIZE = 52,
    KNL_SIZE = 64,
    /* Version 2 adds (docs/abi.md, Version 2): */
    KNL_ARG_BASE64 = 64,
    KNL_PRINT_ADDR64 = 72,
    KNL_LAST_DIM = 80, /* work_dim - 1 */
    KNL_DIM = 84,      /* local size, offset, global size, 0; of x, y, z */
    KNL_SIZE64 = 128
};

enum { DEFAULT_PRINT_B = 64 << 10 };

static void
put_word(uint8_t *at, uint64_t value)
{
    bytes_store(at, 4, (uint32_t)value);
}

static bool
is_wide(const struct ventus_dev_ticket *t)
{
    return t->dev->config.value[CONFIG_isa] == VENTUS_ISA_V2;
}

static uint32_t
knl_size(const struct ventus_dev_ticket *t)
{
    return is_wide(t) ? KNL_SIZE64 : KNL_SIZE;
}

/* The words of version 1 are the low halves. */
static void
put_addresses(const struct ventus_dev_ticket *t, uint8_t *knl)
{
    uint64_t args = t->dev->args.address + knl_size(t);
    uint64_t print = print_wanted(&t->launch) ? t->dev->print.address : 0;
    assert(args <= UINT32_MAX && print <= UINT32_MAX);
    put_word(knl + KNL_ARG_BASE, args);
    put_word(knl + KNL_PRINT_ADDR, print);
    if (!is_wide(t))
        return;
    put_word(knl + KNL_ARG_BASE64, args);
    put_word(knl + KNL_PRINT_ADDR64, print);
}

/* Writes the words of each dimension together, so that a kernel reads them by one
 * access of 128 bits. */
static void
put_dimensions(const struct ventus_dev_launch *l, uint8_t *knl)
{
    put_word(knl + KNL_LAST_DIM, l->work_dim - 1);
    for (size_t i = 0; i < 3; i++) {
        put_word(knl + KNL_DIM + 16 * i, l->local[i]);
        put_word(knl + KNL_DIM + 16 * i + 4, l->offset[i]);
        put_word(knl + KNL_DIM + 16 * i + 8, l->global[i]);
    }
}

static void
build_metadata(const struct ventus_dev_ticket *t, uint8_t *knl)
{
    const struct ventus_dev_launch *l = &t->launch;
    memset(knl, 0, knl_size(t));
    put_word(knl + KNL_ENTRY, l->kernel->entry);
    put_addresses(t, knl);
    put_word(knl + KNL_WORK_DIM, l->work_dim);
    for (size_t i = 0; i < 3; i++) {
        put_word(knl + KNL_GL_SIZE + 4 * i, l->global[i]);
        put_word(knl + KNL_LC_SIZE + 4 * i, l->local[i]);
        put_word(knl + KNL_GL_OFFSET + 4 * i, l->offset[i]);
    }
    if (is_wide(t))
        put_dimensions(l, knl);
    if (print_wanted(l))
        put_word(knl + KNL_PRINT_SIZE, t->dev->print.size);
}

static void
build_args(const struct ventus_dev_ticket *t, struct buf *out)
{
    for (size_t i = 0; i < t->launch.n_args; i++) {
        const struct ventus_dev_arg *a = &t->launch.args[i];
        if (a->kind == VENTUS_DEV_ARG_BYTES) {
            assert(a->align >= 4 && !(a->align & (a->align - 1)));
            buf_align(out, a->align, 0);
            buf_put(out, a->bytes, a->size);
        } else {
            uint32_t size = launch_pointer_B(t, a->kind);
            assert(size == 8 || a->address <= UINT32_MAX ||
                   a->kind == VENTUS_DEV_ARG_POINTER);
            buf_align(out, size, 0);
            buf_put(out, &a->address, size);
        }
    }
}

/* Says where an address is that is in no buffer of the launch's context. */
static const char *
where_else(const struct ventus_dev_ticket *t, uint64_t address,
           const struct space_range *r)
{
    if (r)
        return "a buffer of another context";
    if (is_wide(t) || address <= UINT32_MAX)
        return "no buffer";
    return "no buffer: this device has addresses of 32 bits and shares no "
           "memory with the host, as devices of version 2 do (ventus2)";
}

/* A buffer may be NULL; else it must exist now. */
static bool
check_buffers(const struct ventus_dev_ticket *t)
{
    for (size_t i = 0; i < t->launch.n_args; i++) {
        const struct ventus_dev_arg *a = &t->launch.args[i];
        if (a->kind != VENTUS_DEV_ARG_BUFFER || !a->address)
            continue;
        const struct space_range *r =
            space_find_inside(&t->dev->space, a->address, 1);
        if (!r || r->owner != program_context(t->launch.kernel->program))
            return dev_fail("kernel '%s': argument %zu: 0x%08" PRIx64
                            " is in %s",
                            t->launch.kernel->name, i, a->address,
                            where_else(t, a->address, r));
    }
    return true;
}

/* Workgroups whose private memory fits the pool together. */
static uint64_t
groups_at_once(const struct ventus_dev_ticket *t)
{
    const struct ventus_sim_launch *run = &t->run.launch;
    uint64_t group = (uint64_t)run->pds_size_B * run->warps *
                     t->dev->config.value[CONFIG_num_thread];
    uint64_t pool = t->dev->config.value[CONFIG_private_pool];
    assert(group <= pool && "check_private has refused others");
    return group && t->all_groups > pool / group ? pool / group : t->all_groups;
}

/* Memory that the launch of a kernel needs beside its buffers. */
static bool
prepare_memory(struct ventus_dev_ticket *t)
{
    struct ventus_dev *d = t->dev;
    struct ventus_dev_context *c = program_context(t->launch.kernel->program);
    uint32_t print_B = t->launch.print_B, knl_B = knl_size(t);
    uint64_t private_B = (uint64_t)t->run.launch.pds_size_B *
                         t->run.launch.warps *
                         d->config.value[CONFIG_num_thread] * t->at_once;
    assert(t->at_once > 0);
    if (!check_buffers(t) || !scratch_use(c, &d->args, knl_B + t->args_B) ||
        !scratch_use(c, &d->private_memory, private_B))
        return false;
    if (print_wanted(&t->launch) &&
        !scratch_use(c, &d->print, print_B ? print_B : DEFAULT_PRINT_B))
        return false;
    uint8_t knl[KNL_SIZE64];
    struct buf args = { 0 };
    build_metadata(t, knl);
    if (!buf_reserve(&args, t->args_B + 1))
        return dev_fail_memory("the arguments of a kernel");
    build_args(t, &args);
    assert(args.n <= t->args_B);
    bool ok =
        memory_write(d, d->args.address, knl, knl_B) &&
        (!args.n || memory_write(d, d->args.address + knl_B, args.at, args.n));
    buf_free(&args);
    return ok;
}

/* The rest of what the engine is told of a kernel; validate.c has its sizes. */
static void
describe_kernel(struct ventus_dev_ticket *t)
{
    const struct ventus_dev *d = t->dev;
    const struct ventus_dev_kernel *k = t->launch.kernel;
    struct ventus_sim_launch *l = &t->run.launch;
    struct idle_lanes idle;
    uint64_t masked = program_masked_entry(k->program);
    bool masks = masked && k->recorded &&
                 idle_lanes(d->config.value[CONFIG_num_thread],
                            t->launch.global, t->launch.local, &idle);
    l->pc = masks ? masked : program_entry(k->program);
    l->kernel = k->entry;
    l->ptbr = program_root(k->program);
    l->knl = (uint32_t)d->args.address;
    l->local_bounded = k->recorded;
    if (d->space.padded && !d->checks_bounds) {
        l->local_padding_B = k->recorded ? PADDING_LOCAL : 0;
        l->pds_padding_B = l->pds_size_B ? PADDING_PRIVATE : 0;
    }
    l->pds_base = d->private_memory.address;
    l->pds_zeroed = true;
    if (d->config.value[CONFIG_host_memory]) {
        l->own_lo = DEV_LOCAL;
        l->own_hi = PAGING_WIDE_END;
    }
    l->sgpr = k->sgprs;
    l->vgpr = k->vgprs;
    for (int i = 0; i < 3; i++)
        l->global[i] = (uint32_t)t->launch.global[i];
}

/* ---- hooks: the context of each is the ticket ---- */

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    struct ventus_dev_ticket *t = ctx;
    (void)group, (void)warp, (void)value;
    print_drain(&t->print);
}

static void
on_step(void *ctx, const struct ventus_sim_step *step)
{
    const struct ventus_dev_ticket *t = ctx;
    t->launch.hooks->step(t->launch.hooks->ctx, step);
}

/* The step of a machine that counts cycles. */
static void
on_issue_step(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
              const struct ventus_sim_step *step)
{
    (void)cycle, (void)sm, (void)warp;
    on_step(ctx, step);
}

static void
on_ended(void *ctx, uint64_t group)
{
    struct ventus_dev_ticket *t = ctx;
    (void)group;
    atomic_fetch_add_explicit(&t->done_groups, 1, memory_order_relaxed);
}

static void
on_padding(void *ctx, const struct ventus_sim_fault *fault, unsigned bytes,
           bool write)
{
    struct ventus_dev_ticket *t = ctx;
    padding_add(&t->padding, fault, bytes, write);
}

static void
on_issue(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
         const struct ventus_sim_step *step)
{
    const struct ventus_dev_hooks *hooks =
        ((const struct ventus_dev_ticket *)ctx)->launch.hooks;
    bool prefixed = step->words[1] && step->in->prefix;
    hooks->issue(hooks->ctx, cycle, sm, warp, step->pc,
                 step->words[prefixed ? 1 : 0]);
}

/* Asks an engine that counts cycles for those of each SM, if the caller wants them. */
static void
begin_cycles(struct ventus_dev_ticket *t)
{
    const uint64_t *v = t->dev->config.value;
    t->result.num_sm = (unsigned)v[CONFIG_num_sm];
    t->result.num_warp = (unsigned)v[CONFIG_num_warp];
    t->result.clock_MHz = (unsigned)v[CONFIG_clock_mhz];
    if (!t->launch.stats || !t->launch.sm)
        return;
    t->result.sm = t->run.sm = t->launch.sm;
    memset(t->run.sm, 0, t->result.num_sm * sizeof *t->run.sm);
}

/* Hooks of the driver, of the caller and of the device's observers. */
static void
begin_run(struct ventus_dev_ticket *t)
{
    const struct ventus_dev_hooks *hooks = t->launch.hooks;
    const bool counts_cycles = engine_can(&t->dev->config, VENTUS_DEV_CYCLES);
    const bool steps = hooks && hooks->step;
    t->run.launch.hooks = &t->hooks;
    t->run.launch.stop = &t->stop;
    t->run.launch.began_ns = t->result.start_ns;
    t->run.launch.executed = &t->executed;
    t->run.cycles = &t->result.cycles;
    t->hooks = (struct ventus_sim_hooks){ .ctx = t, .ended = on_ended };
    padding_open(&t->padding);
    if (t->launch.kernel)
        t->hooks.padding = on_padding;
    if (steps && !counts_cycles)
        t->hooks.step = on_step;
    if (print_wanted(&t->launch)) {
        print_open(&t->print, t->dev, &t->launch);
        t->print.start_ns = t->result.start_ns;
        t->print.stop = &t->stop;
        t->hooks.print = on_print;
    }
    if (hooks && hooks->issue)
        engine_observe(&t->run, (struct ventus_model_hooks){
                                    .ctx = t, .issue = on_issue });
    if (counts_cycles)
        begin_cycles(t);
    observers_launch_begins(t);
    if (steps && counts_cycles)
        engine_observe(&t->run, (struct ventus_model_hooks){
                                    .ctx = t, .issue = on_issue_step });
    if (t->launch.stats) {
        t->run.launch.stats = &t->counts;
        t->run.counters = &t->result.counters;
    }
}

/* The result, from what the engine has left. */
static void
end_run(struct ventus_dev_ticket *t, bool ok, const struct engine_fault *fault)
{
    struct ventus_dev_result *r = &t->result;
    observers_launch_ends(t);
    if (t->launch.stats)
        stats_add_executed(&r->stats, &t->counts);
    if (t->hooks.print)
        print_end(&t->print);
    r->ok = ok && !t->print.wrong[0];
    if (r->ok) {
        if (t->padding.n)
            padding_report(&t->padding, t);
    } else if (ok) {
        snprintf(r->message, sizeof r->message, "kernel '%s': %s",
                 t->launch.kernel->name, t->print.wrong);
    } else {
        fault_report(t, fault);
        if (t->print.wrong[0])
            text_append(r->message, sizeof r->message, "\n  printf: %s",
                        t->print.wrong);
        if (t->launch.kernel)
            program_free_locks(t->launch.kernel->program);
        observers_launch_faulted(t);
    }
    padding_close(&t->padding);
    observers_launch_done(t);
}

void
launch_run(struct ventus_dev_ticket *t)
{
    const struct ventus_dev *d = t->dev;
    struct ventus_sim_launch *l = &t->run.launch;
    struct engine_fault fault = { .lane = -1 };
    bool ok = true;
    debug_assert(ticket_lock_is_held(&t->dev->lock));
    assert(d->bare == (t->launch.bare != NULL));
    assert(t->all_groups > 0 && !l->first);
    t->result.fault.lane = -1;
    t->at_once = d->bare ? UINT64_MAX : groups_at_once(t);
    if (!d->bare) {
        if (!prepare_memory(t)) {
            snprintf(t->result.message, sizeof t->result.message, "%s",
                     ventus_dev_message());
            t->lacks_memory = ventus_dev_lacks_memory();
            return;
        }
        describe_kernel(t);
        observers_launch_prepared(t);
    }
    begin_run(t);
    for (; ok && l->first < t->all_groups; l->first += l->count) {
        uint64_t left = t->all_groups - l->first;
        l->count = left < t->at_once ? left : t->at_once;
        ok = d->ops->launch(d->machine, &t->run, &fault);
        assert(l->count > 0);
    }
    end_run(t, ok, &fault);
}
