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
#include "dev/check.h"
#include "dev/debug.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/fault.h"
#include "dev/findings.h"
#include "dev/launch.h"
#include "dev/load.h"
#include "dev/memory.h"
#include "dev/padding.h"
#include "dev/preview.h"
#include "dev/print.h"
#include "dev/program.h"
#include "dev/record.h"
#include "dev/recorder.h"
#include "dev/stats.h"
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

/* What a kernel asks for about a dimension lies in one access of 128 bits. */
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

/* What an address is in that is in no buffer of the launch's context. */
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
groups_at_once(const struct ventus_dev_ticket *t, uint64_t groups)
{
    uint64_t group = (uint64_t)t->run.pds_size_B * t->run.warps *
                     t->dev->config.value[CONFIG_num_thread];
    uint64_t pool = t->dev->config.value[CONFIG_private_pool];
    assert(group <= pool); /* check_private has refused others */
    return group && groups > pool / group ? pool / group : groups;
}

/* Memory that this launch needs beside its buffers. */
static bool
prepare(struct ventus_dev_ticket *t, uint64_t at_once)
{
    assert(at_once > 0);
    struct ventus_dev *d = t->dev;
    struct ventus_dev_context *c = program_context(t->launch.kernel->program);
    uint32_t print_B = t->launch.print_B, knl_B = knl_size(t);
    uint64_t private_B = (uint64_t)t->run.pds_size_B * t->run.warps *
                         d->config.value[CONFIG_num_thread] * at_once;
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

struct watch {
    struct ventus_dev_ticket *ticket;
    struct print print;
    struct padding padding;
    const struct ventus_dev_hooks *hooks;
    struct ventus_sim_hooks told;
    struct ventus_sim_stats executed;
    bool checked;
};

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    struct watch *w = ctx;
    (void)group, (void)warp, (void)value;
    print_drain(&w->print);
}

static void
on_step(void *ctx, const struct ventus_sim_step *step)
{
    struct watch *w = ctx;
    w->hooks->step(w->hooks->ctx, step);
}

static void
on_ended(void *ctx, uint64_t group)
{
    struct watch *w = ctx;
    (void)group;
    atomic_fetch_add_explicit(&w->ticket->done_groups, 1, memory_order_relaxed);
}

static void
on_padding(void *ctx, const struct ventus_sim_fault *fault, unsigned bytes,
           bool write)
{
    struct watch *w = ctx;
    padding_add(&w->padding, fault, bytes, write);
}

static void
on_host_page(void *ctx, uint64_t address, const void *bytes)
{
    const struct watch *w = ctx;
    recorder_host_page(w->ticket->dev->recorder, address, bytes);
}

static void
on_issue(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
         const struct ventus_sim_step *step)
{
    struct watch *w = ctx;
    bool prefixed = step->words[1] && step->in->prefix;
    w->hooks->issue(w->hooks->ctx, cycle, sm, warp, step->pc,
                    step->words[prefixed ? 1 : 0]);
}

/* What an engine that counts cycles has of each SM, and what cycles are. */
static void
count_sms(struct ventus_dev_ticket *t, struct engine_launch *b)
{
    assert(engine_can(&t->dev->config, VENTUS_DEV_CYCLES));
    const uint64_t *v = t->dev->config.value;
    t->result.num_sm = (unsigned)v[CONFIG_num_sm];
    t->result.num_warp = (unsigned)v[CONFIG_num_warp];
    t->result.clock_MHz = (unsigned)v[CONFIG_clock_mhz];
    if (!t->launch.stats || !t->launch.sm)
        return;
    t->result.sm = b->sm = t->launch.sm;
    memset(b->sm, 0, t->result.num_sm * sizeof *b->sm);
}

static void
add_hooks(struct ventus_dev_ticket *t, struct engine_launch *b, struct watch *w)
{
    const struct ventus_dev_hooks *hooks = t->launch.hooks;
    w->hooks = hooks;
    w->ticket = t;
    w->told = (struct ventus_sim_hooks){ .ctx = w, .ended = on_ended };
    b->launch.hooks = &w->told;
    if (t->launch.kernel)
        w->told.padding = on_padding;
    if (t->dev->recorder && t->launch.kernel)
        w->told.host_page = on_host_page;
    if (hooks && hooks->step)
        w->told.step = on_step;
    if (print_wanted(&t->launch)) {
        print_open(&w->print, t->dev, &t->launch);
        w->print.start_ns = t->result.start_ns;
        w->print.stop = &t->stop;
        w->told.print = on_print;
    }
    if (hooks && hooks->issue)
        engine_observe(
            b, (struct ventus_model_hooks){ .ctx = w, .issue = on_issue });
    if (engine_can(&t->dev->config, VENTUS_DEV_CYCLES))
        count_sms(t, b);
    b->cycles = &t->result.cycles;
    record_begin(t, b);
    if (t->dev->findings && t->launch.kernel)
        w->told.watch = findings_begin(t);
    w->checked = w->told.watch != NULL;
    if (t->dev->debug && t->launch.kernel)
        w->told.watch = debug_begin(t, w->told.watch, &w->print);
    if (t->launch.stats) {
        b->launch.stats = &w->executed;
        b->counters = &t->result.counters;
    }
}

static bool
run_launch(struct ventus_dev_ticket *t, uint64_t at_once)
{
    struct engine_launch launch = { .launch = t->run }, *b = &launch;
    assert(t->all_groups > 0 && !b->launch.first);
    t->at_once = at_once;
    struct ventus_dev *d = t->dev;
    struct engine_fault fault = { .lane = -1 };
    struct watch watch = { .hooks = NULL };
    uint64_t groups = t->all_groups;
    bool ok = true;
    b->launch.stop = &t->stop;
    b->launch.began_ns = t->result.start_ns;
    b->launch.executed = &t->executed;
    padding_open(&watch.padding);
    add_hooks(t, b, &watch);
    struct ventus_sim_launch *l = &b->launch;
    while (ok && l->first < groups) {
        l->count = groups - l->first < at_once ? groups - l->first : at_once;
        ok = d->ops->launch(d->machine, b, &fault);
        assert(l->count > 0);
        l->first += l->count;
    }
    if (t->dev->debug && t->launch.kernel)
        debug_end(t);
    if (watch.checked)
        findings_end(t);
    if (t->launch.stats)
        stats_add_executed(&t->result.stats, &watch.executed);
    if (watch.told.print)
        print_end(&watch.print);
    if (ok && watch.print.wrong[0]) {
        snprintf(t->result.message, sizeof t->result.message, "kernel '%s': %s",
                 t->launch.kernel->name, watch.print.wrong);
        ok = false;
    } else if (!ok) {
        fault_report(t, &fault);
        if (watch.print.wrong[0])
            text_append(t->result.message, sizeof t->result.message,
                        "\n  printf: %s", watch.print.wrong);
        if (t->launch.kernel)
            program_free_locks(t->launch.kernel->program);
        if (watch.checked)
            findings_fault(t);
    }
    t->result.ok = ok;
    if (ok && watch.padding.n)
        padding_report(&watch.padding, t);
    padding_close(&watch.padding);
    record_launch(t);
    return t->result.ok;
}

/* Where its warps begin. */
static uint64_t
start_of(const struct ventus_dev_ticket *t)
{
    const struct ventus_dev_kernel *k = t->launch.kernel;
    uint64_t masked = program_masked_entry(k->program);
    uint64_t lanes = t->dev->config.value[CONFIG_num_thread];
    struct idle_lanes idle;
    bool masks = masked && k->recorded &&
                 idle_lanes(lanes, t->launch.global, t->launch.local, &idle);
    return masks ? masked : program_entry(k->program);
}

static bool
run_kernel(struct ventus_dev_ticket *t)
{
    const struct ventus_dev_kernel *k = t->launch.kernel;
    uint64_t at_once = groups_at_once(t, t->all_groups);
    if (!prepare(t, at_once)) {
        snprintf(t->result.message, sizeof t->result.message, "%s",
                 ventus_dev_message());
        t->lacks_memory = ventus_dev_lacks_memory();
        return false;
    }
    struct ventus_sim_launch *l = &t->run;
    l->pc = start_of(t);
    l->kernel = k->entry;
    l->ptbr = program_root(k->program);
    l->knl = (uint32_t)t->dev->args.address;
    l->local_bounded = k->recorded;
    if (t->dev->space.padded && !findings_enforce(t->dev)) {
        l->local_padding_B = k->recorded ? PADDING_LOCAL : 0;
        l->pds_padding_B = l->pds_size_B ? PADDING_PRIVATE : 0;
    }
    l->pds_base = t->dev->private_memory.address;
    l->pds_zeroed = true;
    if (t->dev->config.value[CONFIG_host_memory]) {
        l->own_lo = DEV_LOCAL;
        l->own_hi = PAGING_WIDE_END;
    }
    l->sgpr = k->sgprs;
    l->vgpr = k->vgprs;
    for (int i = 0; i < 3; i++)
        l->global[i] = (uint32_t)t->launch.global[i];
    if (t->dev->recorder)
        recorder_before(t);
    t->result.ok = run_launch(t, at_once);
    if (t->dev->recorder)
        recorder_after(t);
    return t->result.ok;
}

void
launch_run(struct ventus_dev_ticket *t)
{
    assert(t->dev->bare == (t->launch.bare != NULL));
    debug_assert(turn_is_taken(&t->dev->turn));
    t->result.fault.lane = -1;
    t->result.ok = t->launch.bare ? run_launch(t, UINT64_MAX) : run_kernel(t);
}
