/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/capture/recorder.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/debug_assert.h"
#include "base/oom.h"
#include "base/text.h"
#include "dev/capture/recorder_state.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/print.h"
#include "dev/program.h"
#include "dev/queue.h"
#include "dev/segments.h"

static_assert((int)ENGINE_MARK == (int)RECORDING_PAGE,
              "launches mark the pages of a recording");

/* ---- opening and closing ---- */

static void
free_recorder(struct recorder *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        arena_free(&r->device[i]->running.arena);
        arena_free(&r->device[i]->settings);
        before_images_free(&r->device[i]->running.host);
        past_free(&r->device[i]->past);
        dirty_free(&r->device[i]->list);
        free(r->device[i]);
    }
    pthread_mutex_destroy(&r->lock);
    free(r->path);
    free(r->on_fault);
    free(r);
}

/* A recording has the memory of the program: it is for its owner alone. */
#define NO_FILE ", and is no regular file, as a recording has to be"

struct recorder *
recorder_open(const struct recorder_options *what)
{
    struct recorder *r = calloc(1, sizeof *r);
    if (!r) {
        dev_fail_memory("a recorder");
        return NULL;
    }
    pthread_mutex_init(&r->lock, NULL);
    r->process = getpid();
    r->results = what->results;
    r->past_B = what->past_B;
    r->path = what->path ? strdup(what->path) : NULL;
    r->on_fault = what->on_fault ? strdup(what->on_fault) : NULL;
    bool ok = !what->path == !r->path && !what->on_fault == !r->on_fault;
    if (!ok)
        dev_fail_memory("a recorder");
    if (ok && r->path) {
        r->writer = recording_writer_open(r->path);
        ok = r->writer ||
             dev_fail("%s: cannot write: %s%s", r->path, strerror(errno),
                      errno == EEXIST ? NO_FILE : "");
    }
    if (ok)
        return r;
    free_recorder(r);
    return NULL;
}

bool
recorder_close(struct recorder *r)
{
    bool ok = true;
    if (!r)
        return true;
    for (unsigned i = 0; i < r->n; i++) {
        const struct dirty_list *list = &r->device[i]->list;
        struct ventus_dev *d = r->device[i]->dev;
        queue_wait_all(d);
        ticket_lock_acquire(&d->lock);
        for (size_t k = 0; k < list->n; k++) /* marks go before the machine */
            if (list->at[k]->is_marked)
                d->ops->mark_writes(d->machine, list->at[k]->physical, NULL);
        dev_observe_end(d, OBSERVER_RECORDER);
        ticket_lock_release(&d->lock);
    }
    errno = 0;
    if (!recording_writer_close(r->writer, !r->lost))
        ok = dev_fail("%s: not written: %s", r->path, strerror(errno));
    else if (r->writer && r->lost)
        ok = dev_fail_memory("a recording");
    free_recorder(r);
    return ok;
}

/* ---- memory ---- */

/* Notes memory from now on; the machine marks what launches write there, if it can,
 * unless the host shares it and may write there, too.  NULL: no host memory. */
static struct dirty_pages *
recorder_track(struct recorder_device *k, uint64_t physical, uint64_t capacity,
               bool shared)
{
    struct ventus_dev *d = k->dev;
    uint64_t mapped;
    if (!d->ops->pointer(d->machine, physical, &mapped))
        return NULL;
    struct dirty_pages *t = dirty_add(&k->list, physical, capacity, mapped);
    if (!t)
        return NULL;
    t->is_shared = shared;
    if (!shared && t->differ && d->ops->mark_writes)
        t->is_marked = d->ops->mark_writes(d->machine, physical, t->differ);
    return t;
}

static void
recorder_allocated(void *ctx, const struct space_range *r)
{
    recorder_track(ctx, r->physical, r->size, false);
}

static void
recorder_shared(void *ctx, const struct space_range *r)
{
    struct dirty_pages *t = recorder_track(ctx, r->physical, r->size, true);
    if (t)
        t->all_written = true;
}

static void
recorder_written(void *ctx, uint64_t address, uint64_t size)
{
    struct recorder_device *d = ctx;
    const struct space_range *r =
        space_find_inside(&d->dev->space, address, size);
    struct dirty_pages *t = r ? dirty_find(&d->list, r->physical) : NULL;
    if (t)
        dirty_write(t, address - r->address, address - r->address + size);
}

static void
recorder_copied(void *ctx, uint64_t to, uint64_t from, uint64_t size)
{
    (void)from;
    recorder_written(ctx, to, size);
}

static void
recorder_released(void *ctx, const struct space_range *r)
{
    struct recorder_device *d = ctx;
    dirty_remove(&d->list, r->physical);
}

static void
recorder_unloaded(void *ctx, uint64_t physical)
{
    struct recorder_device *d = ctx;
    dirty_remove(&d->list, physical);
}

struct past *
recorder_past(const struct ventus_dev *d)
{
    struct recorder_device *k = recorder_of(d);
    return k && k->past.max_B ? &k->past : NULL;
}

static void
recorder_reset(void *ctx)
{
    struct recorder_device *d = ctx;
    while (d->list.n)
        dirty_remove(&d->list, d->list.at[0]->physical);
    arena_free(&d->settings);
    d->setting = NULL;
}

/* ---- a launch ---- */

/* Describes the settings, which are the same until the device is reset. */
static void
describe_settings(struct recorder_device *d, struct recording_launch *l)
{
    if (!d->setting) {
        const char **list = arena_new(&d->settings, const char *, CONFIG_KEYS);
        for (int k = 0; k < CONFIG_KEYS; k++)
            list[k] =
                config_text(&d->settings, &d->dev->config, (enum config_key)k);
        d->setting = list;
    }
    l->setting = d->setting;
    l->n_settings = CONFIG_KEYS;
}

static void
describe_args(struct arena *a, const struct ventus_dev_launch *from,
              struct recording_launch *l)
{
    struct recording_arg *arg =
        arena_new(a, struct recording_arg, from->n_args);
    for (size_t i = 0; i < from->n_args; i++) {
        const struct ventus_dev_arg *k = &from->args[i];
        arg[i] = (struct recording_arg){ .kind = k->kind,
                                         .align = k->align,
                                         .size = k->size,
                                         .address = k->address,
                                         .part_B = k->part_B };
        if (k->kind == VENTUS_DEV_ARG_BYTES)
            arg[i].bytes = k->bytes;
    }
    l->arg = arg;
    l->n_args = from->n_args;
}

static enum recording_range_kind
range_kind(const struct ventus_dev *d, const struct space_range *r)
{
    return r->address == d->args.address             ? RECORDING_ARGS
           : r->address == d->private_memory.address ? RECORDING_PRIVATE
           : r->address == d->print.address          ? RECORDING_PRINT
                                                     : RECORDING_BUFFER;
}

/* Describes a range of the launch; without host memory nothing of the launch is
 * recorded. */
static void
describe_range(struct recorder_device *k, struct recording_range range,
               uint64_t physical)
{
    struct recorder_launch *r = &k->running;
    size_t i = r->launch.n_ranges++;
    uint64_t there;
    r->range[i] = range;
    if (range.kind > RECORDING_CODE)
        return;
    struct dirty_pages *t = dirty_find(&k->list, physical);
    if (!t && (t = recorder_track(k, physical, range.capacity, false)))
        t->all_written = t->all_differ = true;
    r->now[i] = k->dev->ops->pointer(k->dev->machine, physical, &there);
    assert(r->now[i] && there >= range.capacity);
    struct recording_writer *w = k->recorder->writer;
    if (!t || !dirty_compare(&r->arena, t, r->now[i], w, &r->range[i].runs))
        base_out_of_memory(1, (size_t)range.capacity);
    r->pages[i] = t;
    r->range[i].id = t->id;
    if (range.kind == RECORDING_BUFFER)
        dirty_written(&r->arena, t, r->now[i], range.size, &r->range[i]);
}

static void
describe_memory(struct recorder_device *k,
                const struct ventus_dev_program *program)
{
    struct ventus_dev *d = k->dev;
    struct recorder_launch *r = &k->running;
    const struct segments *s = program_segments(program);
    size_t most = d->space.n + s->n;
    r->range = arena_new(&r->arena, struct recording_range, most);
    r->pages = arena_new(&r->arena, struct dirty_pages *, most);
    r->now = arena_new(&r->arena, const uint8_t *, most);
    for (size_t i = 0; i < s->n; i++) {
        const struct segment_run *run = &s->run[i];
        describe_range(k,
                       (struct recording_range){
                           .kind = RECORDING_CODE,
                           .address = run->lo,
                           .size = run->hi - run->lo,
                           .capacity = space_pages(run->hi) - run->lo },
                       program_physical(program, run->lo));
    }
    for (size_t i = 0; i < d->space.n; i++) {
        const struct space_range *m = &d->space.range[i];
        if (m->owner != program_context(program))
            continue;
        describe_range(k,
                       (struct recording_range){ .kind = range_kind(d, m),
                                                 .flags = m->flags,
                                                 .address = m->address,
                                                 .size = m->asked,
                                                 .capacity = m->size },
                       m->physical);
    }
    r->launch.range = r->range;
    r->launch.released = k->list.released;
    r->launch.n_released = k->list.n_released;
}

static void
describe_launch(void *ctx)
{
    struct ventus_dev_ticket *t = ctx;
    struct recorder_device *k = recorder_of(t->dev);
    struct recorder_launch *r = &k->running;
    const struct ventus_dev_launch *from = &t->launch;
    struct recording_launch *l = &r->launch;
    *l = (struct recording_launch){ .device = k->number,
                                    .kernel = from->kernel->name,
                                    .work_dim = from->work_dim,
                                    .local_B = from->local_B,
                                    .private_B = from->private_B,
                                    .print_B = from->print_B,
                                    .prints = print_wanted(from) };
    memcpy(l->global, from->global, sizeof l->global);
    memcpy(l->local, from->local, sizeof l->local);
    memcpy(l->offset, from->offset, sizeof l->offset);
    describe_settings(k, l);
    describe_args(&r->arena, from, l);
    describe_memory(k, from->kernel->program);
}

static void
write_launch(struct ventus_dev_ticket *t)
{
    struct recorder_device *k = recorder_of(t->dev);
    struct recording_writer *w = k->recorder->writer;
    const struct elf *elf = program_elf(t->launch.kernel->program);
    k->running.launch.program =
        recording_writer_program(w, elf->image, elf->size);
    recording_writer_launch(w, &k->running.launch);
}

/* Tests whether launches are written after they ran: only then the pages of the host
 * that they used are known. */
static bool
is_written_after(const struct ventus_dev *d)
{
    return d->config.value[CONFIG_host_memory];
}

static void
recorder_launch_prepared(void *ctx, struct ventus_dev_ticket *t)
{
    struct recorder_device *k = ctx;
    struct recorder *r = k->recorder;
    debug_assert(ticket_lock_is_held(&t->dev->lock));
    k->is_known = false;
    if (r->process != getpid())
        return;
    pthread_mutex_lock(&r->lock);
    arena_free(&k->running.arena);
    before_images_free(&k->running.host);
    k->running.found = NULL;
    k->is_known = oom_call(describe_launch, t);
    if (!k->is_known)
        r->lost = true;
    if (!is_written_after(t->dev)) {
        if (k->is_known && r->writer)
            write_launch(t);
        k->list.n_released = 0;
    }
    pthread_mutex_unlock(&r->lock);
}

/* ---- memory of the host ---- */

/* The launch that runs uses a page of the host program, at this moment. */
static void
on_host_page(void *ctx, uint64_t address, const void *bytes)
{
    const struct ventus_dev_ticket *t = ctx;
    assert(address < PAGING_LOW_END || address >= PAGING_WIDE_END);
    before_images_add(&recorder_of(t->dev)->running.host, address, bytes);
}

static void
recorder_launch_begins(void *ctx, struct ventus_dev_ticket *t)
{
    (void)ctx;
    t->hooks.host_page = on_host_page;
}

/* Range `from` becomes range `to` of lists that are new. */
static void
copy_range(struct recorder_launch *r, const struct recorder_launch *old,
           size_t from, size_t to)
{
    r->range[to] = old->range[from];
    r->pages[to] = old->pages[from];
    r->now[to] = old->now[from];
}

static struct recording_range
host_range(struct recorder_launch *r, struct dirty_list *l, size_t page,
           size_t n)
{
    struct recording_bytes *all =
        arena_new(&r->arena, struct recording_bytes, 1);
    *all = (struct recording_bytes){ 0, n * HOST_PAGE };
    return (struct recording_range){ .kind = RECORDING_BUFFER,
                                     .id = dirty_new_id(l),
                                     .address = r->host.page[page].address,
                                     .size = n * HOST_PAGE,
                                     .capacity = n * HOST_PAGE,
                                     .written = all,
                                     .n_written = 1 };
}

/* The pages as ranges among the others, all by address. */
static void
add_host_ranges(struct recorder_device *k)
{
    struct recorder_launch *r = &k->running, old = *r;
    size_t most = old.launch.n_ranges, from = 0, to = 0;
    for (size_t i = 0; i < r->host.n; i += before_images_run(&r->host, i))
        most++;
    r->range = arena_new(&r->arena, struct recording_range, most);
    r->pages = arena_new(&r->arena, struct dirty_pages *, most);
    r->now = arena_new(&r->arena, const uint8_t *, most);
    r->found = arena_new(&r->arena, const uint8_t *, most);
    for (size_t i = 0, n; i < r->host.n; i += n) {
        n = before_images_run(&r->host, i);
        while (from < old.launch.n_ranges &&
               old.range[from].address < r->host.page[i].address)
            copy_range(r, &old, from++, to++);
        r->range[to] = host_range(r, &k->list, i, n);
        r->found[to++] = before_images_join(&r->arena, &r->host, i, n);
    }
    while (from < old.launch.n_ranges)
        copy_range(r, &old, from++, to++);
    assert(to == most);
    r->launch.range = r->range;
    r->launch.n_ranges = most;
}

/* The launch has ended: all that it used is known. */
static void
describe_after(void *ctx)
{
    struct ventus_dev_ticket *t = ctx;
    struct recorder_device *k = recorder_of(t->dev);
    struct recorder_launch *r = &k->running;
    before_images_sort(&r->host);
    if (r->host.lost)
        base_out_of_memory(1, HOST_PAGE);
    add_host_ranges(k);
    if (!k->recorder->writer)
        return;
    recorder_write_before_images(r, k->recorder->writer);
    write_launch(t);
}

/* Writes a launch after it ran, and releases the ids of pages of the host, which are
 * of this launch alone. */
static void
finish_after(struct ventus_dev_ticket *t)
{
    struct recorder_device *k = recorder_of(t->dev);
    if (!oom_call(describe_after, t)) {
        k->is_known = false;
        k->recorder->lost = true;
    }
    k->list.n_released = 0;
    for (size_t i = 0; k->is_known && i < k->running.launch.n_ranges; i++)
        if (k->running.found[i])
            dirty_release_id(&k->list, k->running.range[i].id);
}

/* ---- its end ---- */

static void
note_writes(struct recorder_device *k)
{
    struct recorder_launch *r = &k->running;
    for (size_t i = 0; k->is_known && i < r->launch.n_ranges; i++) {
        struct dirty_pages *m = r->pages[i];
        if (!m || memory_is_read_only(r->range[i].flags))
            continue;
        /* Changes by a debugger are not marked. */
        if (m->is_marked && !dev_observer(k->dev, OBSERVER_DEBUGGER))
            dirty_launched(m);
        else
            m->all_differ = m->was_used = true;
    }
}

static void
recorder_launch_done(void *ctx, struct ventus_dev_ticket *t)
{
    struct recorder_device *k = ctx;
    struct recorder *r = k->recorder;
    struct recorder_ending e = { t, r->writer };
    if (!k->is_known)
        return;
    pthread_mutex_lock(&r->lock);
    if (is_written_after(t->dev))
        finish_after(t);
    if (k->is_known && !t->result.ok && r->on_fault)
        recorder_keep_fault(t);
    if (k->is_known && k->past.max_B)
        recorder_keep_past(t);
    note_writes(k);
    if (k->is_known && r->writer && !oom_call(recorder_write_result, &e))
        r->lost = true;
    k->is_known = false;
    pthread_mutex_unlock(&r->lock);
}

/* ---- the observer ---- */

static const struct dev_observer recorder_observer = {
    .allocated = recorder_allocated,
    .shared = recorder_shared,
    .written = recorder_written,
    .copied = recorder_copied,
    .released = recorder_released,
    .unloaded = recorder_unloaded,
    .reset = recorder_reset,
    .launch_prepared = recorder_launch_prepared,
    .launch_begins = recorder_launch_begins,
    .launch_done = recorder_launch_done,
};

bool
recorder_add(struct recorder *r, struct ventus_dev *d)
{
    if (d->bare || recorder_of(d))
        return dev_fail(d->bare ? "launches of bare devices are not recorded"
                                : "this device is recorded already");
    if (r->n == RECORDING_DEVICES)
        return dev_fail("a recording has %d devices at most",
                        RECORDING_DEVICES);
    struct recorder_device *k = calloc(1, sizeof *k);
    if (!k)
        return dev_fail_memory("a recorder");
    *k = (struct recorder_device){ .recorder = r, .dev = d, .number = r->n };
    if (dev_observer(d, OBSERVER_DEBUGGER))
        k->past.max_B = r->past_B;
    k->list.keeps_copies = r->on_fault != NULL || k->past.max_B > 0;
    ticket_lock_acquire(&d->lock);
    dev_observe(d, OBSERVER_RECORDER, &recorder_observer, k);
    ticket_lock_release(&d->lock);
    r->device[r->n++] = k;
    return true;
}
