/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/oom.h"
#include "base/text.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/load.h"
#include "dev/observer.h"
#include "dev/output/outputs.h"
#include "dev/queue.h"

struct reading {
    struct config *config;
    const struct ventus_dev_options *options;
    struct arena arena;
    struct diag_sink sink;
    bool ok;
};

static void
read_settings(void *ctx)
{
    struct reading *r = ctx;
    const struct ventus_dev_options *o = r->options;
    config_defaults(r->config);
    r->ok = config_read(r->config, &r->arena, o->config, &r->sink);
    for (size_t i = 0; i < o->n_set; i++)
        r->ok &= config_set(r->config, &r->arena, o->set[i], &r->sink);
}

static const struct ventus_dev_options no_options;

static bool
read_options(struct config *c, const struct ventus_dev_options *o)
{
    struct reading r = { .config = c, .options = o };
    r.sink.arena = &r.arena;
    bool ok = oom_call(read_settings, &r);
    if (!ok)
        dev_fail_memory("the settings of a device");
    else if (!r.ok)
        ok = dev_fail_sink(&r.sink);
    if (o->host_threads)
        c->value[CONFIG_host_threads] = o->host_threads;
    arena_free(&r.arena);
    return ok;
}

static void
open_space(struct ventus_dev *d)
{
    assert(!d->space.range && !d->space.n);
    d->space = (struct space){ .n = 0 };
    d->space.limit = d->config.value[CONFIG_memory_size];
    d->space.padded = !d->config.value[CONFIG_bounds] && !d->bare;
    if (d->bare)
        d->space.limit = UINT64_MAX;
}

/* A limit that the engine cannot keep is refused. */
static bool
check_limits(const struct config *c)
{
    const char *key = c->value[CONFIG_max_ms]             ? "max_ms"
                      : c->value[CONFIG_max_instructions] ? "max_instructions"
                                                          : NULL;
    return !key || engine_can(c, VENTUS_DEV_CHECKS) ||
           dev_fail("%s: engine %s keeps no limits", key, engine_of(c)->name);
}

/* Registers of version 1 address 4 GiB. */
static bool
check_memory(const struct config *c)
{
    uint64_t size = c->value[CONFIG_memory_size];
    return c->value[CONFIG_isa] != VENTUS_ISA_V1 || size <= DEV_NARROW_MAX ||
           dev_fail("memory_size: expected %" PRIu64 " at most with isa = v1, "
                    "found %" PRIu64,
                    (uint64_t)DEV_NARROW_MAX, size);
}

/* Fine-grained system SVM, in the words of OpenCL. */
static bool
check_host_memory(const struct config *c, bool bare)
{
    if (!c->value[CONFIG_host_memory])
        return true;
    if (c->value[CONFIG_isa] == VENTUS_ISA_V1)
        return dev_fail("host_memory: pointers of the host do not fit into "
                        "those of isa = v1");
    if (engine_can(c, VENTUS_DEV_CYCLES))
        return dev_fail("host_memory: the caches of engine %s do not see what "
                        "the host does",
                        engine_of(c)->name);
    if (bare)
        return dev_fail("host_memory: a bare device has none");
    return access("/proc/self/maps", R_OK) == 0 ||
           dev_fail("host_memory: /proc/self/maps: %s", strerror(errno));
}

/* Counts two tables for each large page: buffers may be small, or end in the middle
 * of one. */
static unsigned
tables_for(const struct ventus_dev *d)
{
    uint64_t size = d->space.limit;
    return PAGING_TABLES +
           (size > DEV_NARROW_MAX ? (unsigned)(size / PAGING_LARGE * 2) : 0);
}

/* Workgroups have one base of private memory only where one runs at a time; a bare device
 * has what its user says. */
static void
settle_private(struct ventus_dev *d)
{
    uint64_t *v = d->config.value;
    bool one = engine_can(&d->config, VENTUS_DEV_CYCLES)
                   ? v[CONFIG_one_group] && !v[CONFIG_wg_buffer]
                   : v[CONFIG_round_robin];
    if (!d->bare && !one)
        v[CONFIG_common_pds] = 0;
}

static bool
open_machine(struct ventus_dev *d)
{
    char text[512] = "";
    settle_private(d);
    if (!check_limits(&d->config) || !check_memory(&d->config) ||
        !check_host_memory(&d->config, d->bare))
        return false;
    d->ops = engine_operations(&d->config);
    d->machine = d->ops->create(&d->config, text, sizeof text);
    if (!d->machine)
        return dev_fail_as(text, !strcmp(text, ventus_sim_fault_name(
                                                   VENTUS_SIM_FAULT_MEMORY)));
    open_space(d);
    if (!d->bare && !paging_open(&d->paging, d->ops, d->machine,
                                 DEV_TABLES_BASE, tables_for(d)))
        return dev_fail_memory("page tables");
    return true;
}

static void
close_machine(struct ventus_dev *d)
{
    while (d->programs)
        program_remove(d->programs);
    assert(!d->programs);
    observers_reset(d);
    paging_close(&d->paging);
    space_free(&d->space);
    if (d->machine)
        d->ops->destroy(d->machine);
    d->machine = NULL;
    context_forget_all(d);
    d->n_freed = 0;
    d->private_memory = d->print = (struct scratch){ 0 };
    d->args = (struct scratch){ .flags = VENTUS_DEV_READ_ONLY };
}

struct ventus_dev *
ventus_dev_open(const struct ventus_dev_options *options)
{
    const struct ventus_dev_options *o = options ? options : &no_options;
    struct ventus_dev *d = calloc(1, sizeof *d);
    if (!d) {
        dev_fail_memory("a device");
        return NULL;
    }
    d->bare = o->bare;
    d->own.dev = d;
    d->args.flags = VENTUS_DEV_READ_ONLY;
    pthread_mutex_init(&d->lock.lock, NULL);
    pthread_cond_init(&d->lock.changed, NULL);
    if (read_options(&d->config, o) && open_machine(d) &&
        (!engine_can(&d->config, VENTUS_DEV_PROFILES) || outputs_open(d)) &&
        queue_open(d))
        return d;
    close_machine(d);
    observers_closed(d);
    free(d);
    return NULL;
}

void
ventus_dev_close(struct ventus_dev *d)
{
    if (!d)
        return;
    queue_wait_all(d);
    queue_close(d);
    close_machine(d);
    observers_closed(d);
    pthread_mutex_destroy(&d->lock.lock);
    pthread_cond_destroy(&d->lock.changed);
    free(d);
}

struct ventus_dev_share
ventus_dev_native_share(struct ventus_dev *d)
{
    struct ventus_dev_share share = { .why = NULL };
    queue_wait_all(d);
    ticket_lock_acquire(&d->lock);
    if (d->ops->share)
        d->ops->share(d->machine, &share);
    ticket_lock_release(&d->lock);
    return share;
}

bool
ventus_dev_reset(struct ventus_dev *d)
{
    queue_wait_all(d);
    ticket_lock_acquire(&d->lock);
    close_machine(d);
    bool ok = open_machine(d);
    ticket_lock_release(&d->lock);
    return ok;
}

bool
ventus_dev_can(const struct ventus_dev *d,
               enum ventus_dev_capability capability)
{
    return engine_can(&d->config, capability);
}

bool
ventus_dev_capabilities(const struct ventus_dev_options *options,
                        unsigned *capabilities)
{
    struct config c;
    if (!read_options(&c, options ? options : &no_options))
        return false;
    *capabilities = engine_of(&c)->capabilities;
    return true;
}

uint64_t
ventus_dev_setting(const struct ventus_dev *d, const char *name)
{
    size_t n;
    const struct ventus_dev_key *key = ventus_dev_keys(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(key[i].name, name) == 0)
            return d->config.value[i];
    return 0;
}

const char *
ventus_dev_text(const struct ventus_dev *d, const char *name)
{
    size_t n;
    const struct ventus_dev_text_key *key = ventus_dev_text_keys(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(key[i].name, name) == 0)
            return d->config.text[i];
    return "";
}
