/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of a device: begins, collects, sums up. */
#include "dev/findings/findings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "dev/error.h"
#include "dev/findings/check_kinds.h"
#include "dev/nearest.h"
#include "dev/program.h"
#include "dev/queue.h"
#include "recording/recording.h"

enum { DEFAULT_LIMIT = 100 };

/* ---- what is wanted ---- */

struct opening {
    struct findings *f;
    const char *path;
    bool ok;
};

static void
read_suppressions(void *ctx)
{
    struct opening *o = ctx;
    struct diag_sink sink = { .arena = &o->f->arena };
    o->ok = suppress_read(&o->f->arena, &o->f->suppress, o->path, &sink);
    if (!o->ok)
        dev_fail_sink(&sink);
}

static void
free_findings(void *ctx)
{
    struct findings *f = ctx;
    sanitize_destroy(f->check);
    arena_free(&f->arena);
    free(f);
}

/* ---- a launch ---- */

struct finding_adding {
    struct findings *f;
    const struct sanitize_finding *found;
    size_t number;
};

/* Suppressed, or written in words. */
static void
finding_tell(struct findings *f, struct ventus_dev *d, struct finding *new)
{
    const char *place =
        new->host ? new->place
        : !new->here.file
            ? "?"
            : arena_printf(&f->arena, "%s:%u", new->here.file, new->here.line);
    new->suppressed =
        suppress_matches(&f->suppress, new->id, new->kernel, place);
    if (new->suppressed)
        return;
    if (!new->host) {
        char text[1024];
        snprintf(text, sizeof text, "ventus: %s: %s%s%s", new->id, new->text,
                 *new->where ? ": " : "", new->where);
        observers_found(d, new->here.lane, text);
    }
    if (!f->out || f->shown == f->limit)
        return;
    finding_print(new, f->out);
    if (++f->shown == f->limit)
        fprintf(f->out, "ventus: further findings are only counted\n");
    fflush(f->out);
}

/* Links a finding to the last one of its place; false: it is the first. */
static bool
finding_merge(struct findings *f, size_t number)
{
    struct finding *new = f->list.at[number];
    size_t i = 0;
    while (i < number && (!f->list.at[i] || f->list.at[i]->merged ||
                          !finding_is_same(f->list.at[i], new)))
        i++;
    if (i == number)
        return false;
    while (f->list.at[i]->next)
        i = f->list.at[i]->next;
    f->list.at[i]->next = number;
    return new->merged = true;
}

static void
finding_add(void *ctx)
{
    const struct finding_adding *a = ctx;
    struct findings *f = a->f;
    struct finding *new = arena_new(&f->arena, struct finding, 1);
    finding_describe(&f->arena, f->ticket, a->found, new);
    new->launch = f->launches;
    while (f->list.n <= a->number)
        vec_push(&f->arena, &f->list, NULL);
    f->list.at[a->number] = new;
    if (!finding_merge(f, a->number))
        finding_tell(f, f->ticket->dev, new);
}

static void
on_finding(void *ctx, const struct sanitize_finding *found, size_t number)
{
    struct ventus_dev_ticket *t = ctx;
    struct finding_adding a = { findings_of(t->dev), found, number };
    if (!oom_call(finding_add, &a))
        a.f->incomplete = true;
}

/* ---- parts of buffers ---- */

static int
by_start(const void *a, const void *b)
{
    const struct sanitize_gap *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Parts of an allocation that are arguments, by ascending address; 0: all of it is
 * one. */
static size_t
parts_of(const struct ventus_dev_ticket *t, const struct space_range *r,
         struct sanitize_gap *part)
{
    size_t n = 0;
    for (size_t i = 0; i < t->launch.n_args; i++) {
        const struct ventus_dev_arg *a = &t->launch.args[i];
        if (nearest_range(t, i) != r)
            continue;
        if (!a->part_B)
            return 0;
        part[n++] = (struct sanitize_gap){ a->address, a->address + a->part_B };
    }
    qsort(part, n, sizeof *part, by_start);
    return n;
}

/* Adds the gaps between the parts of argument i's allocation, unless an earlier
 * argument is in it, too. */
static void
add_gaps(struct ventus_dev_ticket *t, size_t i, struct sanitize_gap *gap,
         size_t *gaps)
{
    const struct space_range *r =
        t->launch.args[i].part_B ? nearest_range(t, i) : NULL;
    for (size_t k = 0; r && k < i; k++)
        if (nearest_range(t, k) == r)
            return;
    if (!r)
        return;
    struct sanitize_gap *part =
        arena_new(&t->arena, struct sanitize_gap, t->launch.n_args);
    size_t n = parts_of(t, r, part);
    uint64_t at = r->address, end = r->address + r->asked;
    for (size_t k = 0; k < n; k++) {
        if (part[k].from > at)
            gap[(*gaps)++] = (struct sanitize_gap){ at, part[k].from };
        at = part[k].to > at ? part[k].to : at;
    }
    if (n && at < end)
        gap[(*gaps)++] = (struct sanitize_gap){ at, end };
}

static void
set_gaps(void *ctx)
{
    struct ventus_dev_ticket *t = ctx;
    const struct ventus_dev_launch *l = &t->launch;
    size_t n = 0;
    bool any = false;
    for (size_t i = 0; i < l->n_args; i++)
        any |= l->args[i].part_B != 0;
    if (!any)
        return;
    struct sanitize_gap *gap =
        arena_new(&t->arena, struct sanitize_gap, 2 * l->n_args);
    for (size_t i = 0; i < l->n_args; i++)
        add_gaps(t, i, gap, &n);
    assert(n <= 2 * l->n_args);
    sanitize_set_gaps(findings_of(t->dev)->check, gap, n);
}

/* Tells the checks the range of each argument: a pointer that is computed from one
 * stays in it. */
static void
set_arguments(void *ctx)
{
    struct ventus_dev_ticket *t = ctx;
    const struct ventus_dev_launch *l = &t->launch;
    struct sanitize_range *argument =
        arena_new(&t->arena, struct sanitize_range, l->n_args + 1);
    for (size_t i = 0; i < l->n_args; i++) {
        const struct ventus_dev_arg *a = &l->args[i];
        const struct ventus_dev_kernel *k = l->kernel;
        const bool image =
            i < k->n_params && k->params[i].kind == VENTUS_DEV_PARAM_IMAGE;
        const struct space_range *r = image ? NULL : nearest_range(t, i);
        if (a->kind == VENTUS_DEV_ARG_LOCAL)
            argument[i] = (struct sanitize_range){ a->address, a->size };
        else if (r) /* gaps are what is beyond a part of it */
            argument[i] = (struct sanitize_range){ r->address, r->asked };
    }
    sanitize_set_arguments(findings_of(t->dev)->check, argument, l->n_args);
}

static void
findings_launch_begins(void *ctx, struct ventus_dev_ticket *t)
{
    struct findings *f = ctx;
    const struct scratch *print = &t->dev->print;
    assert(!f->ticket);
    if (t->launch.bare)
        return;
    f->launches++;
    if (!f->check)
        return;
    f->ticket = t;
    if (t->dev->checks_bounds && !oom_call(set_gaps, t))
        f->incomplete = true;
    if (t->dev->checks_bounds && !oom_call(set_arguments, t))
        f->incomplete = true;
    const struct ventus_dev_kernel *k = t->launch.kernel;
    uint64_t own = DEV_LOCAL + (uint64_t)t->run.launch.warps * DEV_SPILL_B;
    struct sanitize_quiet quiet = {
        .print = { print->address, print->capacity },
        .exchange = { own + k->exchange_at, k->exchange_B },
        .exact_atomics = k->exact_atomics,
        .own_local = own,
    };
    quiet.nowhere.at = program_nowhere(k->program, &quiet.nowhere.size_B);
    t->hooks.instrumentation = sanitize_begin(f->check, on_finding, t, &quiet);
}

/* False: no host memory, and none. */
static bool
fill_touched(const struct findings *f, struct ventus_dev_touched *to)
{
    struct sanitize_touched found;
    if (!sanitize_touched(f->check, &found))
        return false;
    struct ventus_dev_touch *at = calloc(found.n + 1, sizeof *at);
    for (size_t i = 0; at && i < found.n; i++)
        at[i] = (struct ventus_dev_touch){ found.at[i].from, found.at[i].to,
                                           found.at[i].written,
                                           found.at[i].atomic };
    *to = (struct ventus_dev_touched){ at, at ? found.n : 0 };
    free(found.at);
    return at != NULL;
}

static void
findings_launch_ends(void *ctx, struct ventus_dev_ticket *t)
{
    struct findings *f = ctx;
    if (!f->ticket) /* it is not checked */
        return;
    assert(f->ticket == t);
    if (t->launch.touched && f->kinds & (SANITIZE_RACE | CHECK_API))
        f->incomplete |= !fill_touched(f, t->launch.touched);
    sanitize_end(f->check);
    f->ticket = NULL;
}

static void
findings_launch_faulted(void *ctx, struct ventus_dev_ticket *t)
{
    struct findings *f = ctx;
    if (f->check && !t->launch.bare)
        f->faults++;
}

/* ---- the observer ---- */

static void
findings_allocated(void *ctx, const struct space_range *r)
{
    const struct findings *f = ctx;
    sanitize_allocated(f->check, r->address, r->asked);
}

static void
findings_shared(void *ctx, const struct space_range *r)
{
    const struct findings *f = ctx;
    sanitize_shared(f->check, r->address, r->size);
}

static void
findings_written(void *ctx, uint64_t address, uint64_t size)
{
    const struct findings *f = ctx;
    sanitize_written(f->check, address, size);
}

static void
findings_copied(void *ctx, uint64_t to, uint64_t from, uint64_t size)
{
    const struct findings *f = ctx;
    sanitize_copied(f->check, to, from, size);
}

static void
findings_restored(void *ctx, const struct space_range *r,
                  const struct recording_bytes *written, size_t n)
{
    const struct findings *f = ctx;
    sanitize_allocated(f->check, r->address, r->asked);
    for (size_t i = 0; i < n; i++)
        sanitize_written(f->check, r->address + written[i].from,
                         written[i].to - written[i].from);
}

static void
findings_released(void *ctx, const struct space_range *r)
{
    const struct findings *f = ctx;
    sanitize_released(f->check, r->address, r->size);
}

static const struct dev_observer findings_observer = {
    .allocated = findings_allocated,
    .shared = findings_shared,
    .written = findings_written,
    .copied = findings_copied,
    .restored = findings_restored,
    .released = findings_released,
    .launch_begins = findings_launch_begins,
    .launch_ends = findings_launch_ends,
    .launch_faulted = findings_launch_faulted,
    .closed = free_findings,
};

bool
ventus_dev_check(struct ventus_dev *d, const struct ventus_dev_check *what)
{
    unsigned kinds = findings_kinds(what->kinds, CHECK_ALL);
    if (!kinds)
        return false;
    const bool can = engine_can(&d->config, VENTUS_DEV_SANITIZES);
    unsigned of_launches = kinds & SANITIZE_KINDS;
    if (of_launches && !can)
        return dev_fail("checks need the functional machine (engine=sim)");
    if (of_launches && d->config.value[CONFIG_execution] == EXECUTION_NATIVE)
        return dev_fail("checks need instructions that are interpreted, but "
                        "execution = native");
    if (findings_of(d) || d->space.n)
        return dev_fail("checks begin once, before the first allocation");
    struct findings *f = calloc(1, sizeof *f);
    if (!f)
        return dev_fail_memory("checks");
    f->kinds = kinds;
    f->out = what->text;
    f->limit = what->limit ? what->limit : DEFAULT_LIMIT;
    const unsigned for_host =
        kinds & CHECK_API && can ? SANITIZE_INIT | SANITIZE_RACE : 0;
    if (of_launches | for_host)
        f->check = sanitize_create(&(struct sanitize_options){
            .kinds = of_launches | for_host,
            .untold = for_host & ~of_launches,
            .uniform_writes = what->uniform_writes });
    struct opening o = { .f = f, .path = what->suppress, .ok = true };
    bool ok = f->check || !(of_launches | for_host);
    if (ok && what->suppress)
        ok = oom_call(read_suppressions, &o);
    if (ok && o.ok) {
        ticket_lock_acquire(&d->lock);
        d->checks_bounds = kinds & SANITIZE_MEMORY;
        dev_observe(d, OBSERVER_FINDINGS, &findings_observer, f);
        ticket_lock_release(&d->lock);
        return true;
    }
    free_findings(f);
    return ok ? false : dev_fail_memory("checks");
}

/* ---- what the host program does ---- */

struct noting {
    struct ventus_dev *d;
    const struct ventus_dev_note *note;
};

static void
add_note(void *ctx)
{
    const struct noting *n = ctx;
    struct findings *f = findings_of(n->d);
    struct finding *new = arena_new(&f->arena, struct finding, 1);
    const char *kernel = n->note->kernel ? n->note->kernel : "-";
    *new = (struct finding){
        .host = true,
        .count = n->note->count,
        .id = n->note->finding,
        .text = arena_printf(&f->arena, "%s", n->note->text),
        .kernel = arena_printf(&f->arena, "%s", kernel),
        .place = arena_printf(&f->arena, "%s", n->note->place),
        .where = "",
    };
    vec_push(&f->arena, &f->notes, new);
    finding_tell(f, n->d, new);
}

/* A note that says the same, or NULL. */
static struct finding *
same_note(const struct findings *f, const struct ventus_dev_note *note)
{
    for (size_t i = 0; i < f->notes.n; i++) {
        struct finding *e = f->notes.at[i];
        if (strcmp(e->id, note->finding) == 0 &&
            strcmp(e->text, note->text) == 0)
            return e;
    }
    return NULL;
}

void
ventus_dev_check_note(struct ventus_dev *d, const struct ventus_dev_note *note)
{
    struct findings *f = findings_of(d);
    struct noting n = { d, note };
    if (!f)
        return;
    assert(note->finding && note->text && note->place && note->count);
    ticket_lock_acquire(&d->lock);
    struct finding *same = same_note(f, note);
    if (same)
        same->count += note->count;
    else if (!oom_call(add_note, &n))
        f->incomplete = true;
    ticket_lock_release(&d->lock);
}

bool
ventus_dev_check_unwritten(struct ventus_dev *d, uint64_t at, uint64_t size,
                           uint64_t least, uint64_t *from)
{
    const struct findings *f = findings_of(d);
    if (!f)
        return false;
    ticket_lock_acquire(&d->lock);
    bool found = sanitize_find_unwritten(f->check, at, size, least, from);
    ticket_lock_release(&d->lock);
    return found;
}

struct naming {
    struct ventus_dev *d;
    uint64_t address;
    const char *text;
};

static void
set_call_site(void *ctx)
{
    const struct naming *n = ctx;
    struct space_range *r = space_find(&n->d->space, n->address);
    if (r)
        r->call_site = arena_printf(&findings_of(n->d)->arena, "%s", n->text);
}

void
ventus_dev_check_origin(struct ventus_dev *d, uint64_t address,
                        const char *text)
{
    struct naming n = { d, address, text };
    struct findings *f = findings_of(d);
    if (!f || !text)
        return;
    ticket_lock_acquire(&d->lock);
    if (!oom_call(set_call_site, &n))
        f->incomplete = true;
    ticket_lock_release(&d->lock);
}

/* ---- the end ---- */

uint64_t
finding_count(const struct findings *f, size_t i)
{
    if (i >= f->list.n)
        return f->notes.at[i - f->list.n]->count;
    uint64_t count = 0;
    do
        count += sanitize_count(f->check, i);
    while (f->list.at[i] && (i = f->list.at[i]->next));
    return count;
}

const struct finding *
finding_at(const struct findings *f, size_t i)
{
    const struct finding *e =
        i < f->list.n ? f->list.at[i] : f->notes.at[i - f->list.n];
    return e && !e->merged ? e : NULL;
}

uint64_t
ventus_dev_check_found(struct ventus_dev *d, uint64_t *all)
{
    uint64_t different = 0, each = 0;
    const struct findings *f = findings_of(d);
    queue_wait_all(d);
    for (size_t i = 0; f && i < finding_total(f); i++) {
        const struct finding *e = finding_at(f, i);
        if (!e || e->suppressed)
            continue;
        different++;
        each += finding_count(f, i);
    }
    if (f) {
        different += f->faults;
        each += f->faults;
    }
    if (all)
        *all = each;
    return different;
}
