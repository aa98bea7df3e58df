/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles and traces of launches, and the files that a device writes of all
 * its launches.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/oom.h"
#include "base/output.h"
#include "base/spelling.h"
#include "dbg/html.h"
#include "dbg/report_text.h"
#include "dev/device.h"
#include "dev/error.h"
#include "dev/observer.h"
#include "dev/output/ideals.h"
#include "dev/output/outputs.h"
#include "dev/output/profile.h"
#include "dev/output/report.h"
#include "dev/places.h"
#include "dev/queue.h"

/* A kernel whose launches the rules have tried: cycles of the longest one. */
struct tried {
    char *kernel;
    uint64_t cycles;
};

/* Files that a device writes of all its launches. */
struct output_files {
    struct trace *trace, *konata, *events;
    char *trace_path, *konata_path, *events_path; /* or NULL */
    char *json, *report;                          /* paths, or NULL */
    char *lines;                                  /* of JSON, a launch each */
    size_t lines_B;
    FILE *text;      /* writes them */
    FILE *hot;       /* or NULL */
    FILE *notes;     /* or NULL */
    bool incomplete; /* memory ran out */
    /* --trace-kernel, until a launch had that kernel, and the kernel of a launch
     * whose name is most like it. */
    char *kernel;
    char name_copy[64];
    struct spelling nearest;
    struct ventus_dev_profile
        *profile; /* of the launch that runs, if it is ours */
    struct tried *tried;
    size_t n_tried;
};

/* The observer of a device. */
struct outputs {
    struct output_files *files; /* of ventus_dev_record; or NULL */
};

/* Banks of local memory as src/model takes the keys: 0 is one for each lane. */
static unsigned
local_banks(const uint64_t *v)
{
    if (v[CONFIG_local_in_cache])
        return 0;
    return (unsigned)(v[CONFIG_local_banks] ? v[CONFIG_local_banks]
                                            : v[CONFIG_num_thread]);
}

static void
describe_machine(const struct ventus_dev *d, struct profile_machine *m)
{
    const uint64_t *v = d->config.value;
    *m = (struct profile_machine){
        .num_sm = (unsigned)v[CONFIG_num_sm],
        .num_warp = (unsigned)v[CONFIG_num_warp],
        .num_thread = (unsigned)v[CONFIG_num_thread],
        .issue_width = (unsigned)v[CONFIG_issue_width],
        .line_B = (unsigned)v[CONFIG_l2_line],
        .dcache_line_B = (unsigned)v[CONFIG_dcache_line],
        .dcache_mshrs = (unsigned)v[CONFIG_dcache_mshrs],
        .local_banks = local_banks(v),
        .clock_MHz = (unsigned)v[CONFIG_clock_mhz],
        .one_group = v[CONFIG_one_group],
        .peak_B = d->ops->peak(d->machine),
    };
}

uint64_t
ventus_dev_cycles_ns(const struct ventus_dev *d, uint64_t cycles)
{
    return cycles * 1000 / d->config.value[CONFIG_clock_mhz];
}

/* ---- a launch ---- */

static const char *
kernel_name(const struct ventus_dev_ticket *t)
{
    if (t->launch.bare)
        return t->launch.bare_name ? t->launch.bare_name : "kernel";
    return t->launch.kernel->name;
}

static void
observe_trace(struct ventus_dev_ticket *t, struct trace *trace)
{
    if (!trace)
        return;
    trace_begin(trace, kernel_name(t));
    engine_observe(&t->run, (struct ventus_model_hooks){
                                .ctx = trace, .event = trace_event });
}

/* Names of launches do not outlive their programs. */
static void
look_for_kernel(struct output_files *r, const char *name)
{
    if (!r->kernel)
        return;
    if (strcmp(r->kernel, name) == 0) {
        free(r->kernel);
        r->kernel = NULL;
        return;
    }
    spelling_offer(&r->nearest, name);
    if (r->nearest.name == name) {
        snprintf(r->name_copy, sizeof r->name_copy, "%s", name);
        r->nearest.name = r->name_copy;
    }
}

static void
outputs_launch_begins(void *ctx, struct ventus_dev_ticket *t)
{
    const struct outputs *o = ctx;
    struct output_files *r = o->files;
    struct ventus_dev_profile *p = t->launch.profile;
    if (r) {
        look_for_kernel(r, kernel_name(t));
        observe_trace(t, r->trace);
        observe_trace(t, r->konata);
        observe_trace(t, r->events);
    }
    if (!p && r && r->text) {
        assert(!r->profile && "outputs_launch_done has freed the last");
        p = r->profile = ventus_dev_profile_new();
    }
    if (!p)
        return;
    t->launch.stats = true; /* its reader needs the counters, too */
    profile_free(&p->profile);
    describe_machine(t->dev, &p->profile.machine);
    p->profile.spills = t->launch.kernel ? t->launch.kernel->spills : 0;
    t->run.profile = &p->profile;
    engine_observe(&t->run, (struct ventus_model_hooks){
                                .ctx = &p->profile, .event = profile_event });
    t->result.profile = p;
    ideals_begin(t, p);
}

static void
locate_profile(void *ctx)
{
    struct ventus_dev_ticket *t = ctx;
    const struct ventus_dev_kernel *k = t->launch.kernel;
    struct ventus_dev_profile *p =
        (struct ventus_dev_profile *)(uintptr_t)t->result.profile;
    profile_place(&p->profile, k ? program_place : NULL, k ? k->program : NULL);
}

/* The launch of a caller that wants one fails. */
static void
lose_profile(struct ventus_dev_ticket *t, struct profile *p)
{
    profile_free(p);
    if (!t->launch.profile)
        return;
    t->result.profile = NULL;
    t->result.ok = false;
    snprintf(t->result.message, sizeof t->result.message,
             "kernel '%s': out of memory: no room for its profile",
             kernel_name(t));
}

struct line {
    const struct ventus_dev_ticket *ticket;
    FILE *out;
};

static void
write_json(void *ctx)
{
    const struct line *l = ctx;
    const struct ventus_dev_ticket *t = l->ticket;
    unsigned lanes = (unsigned)t->dev->config.value[CONFIG_num_thread];
    report_json(l->out, kernel_name(t), &t->result, lanes, true);
}

/* A report has the advice of the longest launch of a kernel: shorter ones, and those that
 * are about as long, are not tried. */
static bool
is_worth_trying(struct output_files *r, const char *kernel, uint64_t cycles)
{
    size_t i = 0;
    while (r && i < r->n_tried && strcmp(r->tried[i].kernel, kernel) != 0)
        i++;
    if (!r)
        return true;
    if (i == r->n_tried) {
        struct tried *more = realloc(r->tried, (i + 1) * sizeof *more);
        if (!more)
            return false;
        r->tried = more;
        if (!(more[i].kernel = strdup(kernel)))
            return false;
        more[i].cycles = 0;
        r->n_tried++;
    }
    if (cycles <= r->tried[i].cycles + r->tried[i].cycles / 4)
        return false;
    r->tried[i].cycles = cycles;
    return true;
}

static void
outputs_launch_done(void *ctx, struct ventus_dev_ticket *t)
{
    const struct outputs *o = ctx;
    struct output_files *r = o->files;
    /* The profile is the caller's or ours; both were made to be filled. */
    struct ventus_dev_profile *p =
        (struct ventus_dev_profile *)(uintptr_t)t->result.profile;
    bool whole = p && oom_call(locate_profile, t) && !p->profile.incomplete;
    if (p)
        ideals_end(t, p,
                   whole && t->result.ok &&
                       is_worth_trying(r, kernel_name(t), t->result.cycles));
    if (p && !whole) {
        lose_profile(t, &p->profile);
        if (r && r->text)
            r->incomplete = true;
    }
    if (!r)
        return;
    if (r->trace)
        trace_end(r->trace);
    if (r->konata)
        trace_end(r->konata);
    if (r->events)
        trace_end(r->events);
    struct line line = { t, r->text };
    if (r->text && !r->incomplete && !oom_call(write_json, &line))
        r->incomplete = true;
    if (r->profile) {
        t->result.profile = NULL;
        ventus_dev_profile_free(r->profile);
        r->profile = NULL;
    }
}

/* ---- files of a device ---- */

/* No path: no trace. */
static bool
open_trace(const struct ventus_dev_record *what, const char *path,
           enum trace_format format, struct trace **trace, char **kept)
{
    if (!path)
        return true;
    const struct trace_window window = { .from = what->from_cycle,
                                         .to = what->to_cycle,
                                         .kernel = what->kernel,
                                         .sm = what->sm,
                                         .one_sm = what->one_sm,
                                         .max_B = what->trace_max_B };
    if (!(*kept = strdup(path)))
        return dev_fail_memory("a trace");
    *trace = trace_open(path, format, &window);
    return *trace || dev_fail("%s: %s", path, strerror(errno));
}

static bool
close_trace(struct trace *t, char *path)
{
    bool ok = trace_close(t) ||
              dev_fail("%s: cannot write: %s", path, strerror(errno));
    free(path);
    return ok;
}

static bool
open_files(struct output_files *r, const struct ventus_dev_record *what)
{
    static const char proto[] = ".pftrace";
    size_t n = what->trace ? strlen(what->trace) : 0, k = sizeof proto - 1;
    enum trace_format format =
        n > k && !strcmp(what->trace + n - k, proto) ? TRACE_PROTO : TRACE_JSON;
    if (!open_trace(what, what->trace, format, &r->trace, &r->trace_path) ||
        !open_trace(what, what->konata, TRACE_KONATA, &r->konata,
                    &r->konata_path) ||
        !open_trace(what, what->events, TRACE_EVENTS, &r->events,
                    &r->events_path))
        return false;
    if (!what->json && !what->report && !what->hot)
        return true;
    const char *const whole[] = { what->json, what->report };
    for (int i = 0; i < 2; i++)
        if (whole[i] && !output_may_open(whole[i]))
            return dev_fail("%s: cannot write: %s", whole[i], strerror(errno));
    r->json = what->json ? strdup(what->json) : NULL;
    r->report = what->report ? strdup(what->report) : NULL;
    r->text = open_memstream(&r->lines, &r->lines_B);
    return (r->text && !what->json == !r->json &&
            !what->report == !r->report) ||
           dev_fail_memory("a report");
}

bool
ventus_dev_record(struct ventus_dev *d, const struct ventus_dev_record *what)
{
    if (!engine_can(&d->config, VENTUS_DEV_PROFILES))
        return dev_fail("engine %s makes no profiles and traces",
                        engine_of(&d->config)->name);
    struct outputs *o = dev_observer(d, OBSERVER_OUTPUT);
    if (o->files)
        return dev_fail("this device records already");
    if (what->one_sm && what->sm >= d->config.value[CONFIG_num_sm])
        return dev_fail("there is no SM %u: the device has %u", what->sm,
                        (unsigned)d->config.value[CONFIG_num_sm]);
    struct output_files *r = calloc(1, sizeof *r);
    if (!r)
        return dev_fail_memory("a report");
    ticket_lock_acquire(&d->lock);
    o->files = r;
    ticket_lock_release(&d->lock);
    r->notes = what->notes;
    r->hot = what->hot;
    r->kernel = what->kernel ? strdup(what->kernel) : NULL;
    r->nearest.word = r->kernel;
    if (open_files(r, what))
        return true;
    char why[512];
    snprintf(why, sizeof why, "%s", ventus_dev_message());
    r->notes = NULL;
    ventus_dev_record_end(d);
    return dev_fail("%s", why);
}

struct page {
    const char *path;
    char *text;
    size_t size;
    struct arena arena;
    struct diag_sink sink;
    bool ok;
};

static void
write_page(void *ctx)
{
    struct page *w = ctx;
    w->ok = file_write(w->path, w->text, w->size, &w->sink);
}

/* The lines as they are, or as a page. */
static bool
write_lines(const struct output_files *r, const char *path, bool page)
{
    struct page w = { .path = path };
    bool ok = true;
    w.sink.arena = &w.arena;
    FILE *out = page ? open_memstream(&w.text, &w.size) : NULL;
    if (out) {
        html_report(out, r->lines);
        ok = !ferror(out);
        ok = fclose(out) == 0 && ok;
    }
    char *made = w.text;
    if (!page) {
        w.text = r->lines;
        w.size = r->lines_B;
    }
    if (!ok || (page && !out) || !oom_call(write_page, &w))
        ok = dev_fail_memory("a report");
    else if (!w.ok)
        ok = dev_fail_sink(&w.sink);
    free(made);
    arena_free(&w.arena);
    return ok;
}

static void
write_hot(void *ctx)
{
    const struct output_files *r = ctx;
    report_text(r->hot, NULL, r->lines);
}

/* A trace that ends before the launches do is not taken for a whole one. */
static void
note_cut(const struct output_files *r, const struct trace *t,
         const char *option)
{
    uint64_t launch, cycle;
    if (r->notes && t && trace_was_cut(t, &launch, &cycle))
        fprintf(r->notes,
                "ventus: note: the file of --%s is full: it ends at cycle "
                "%" PRIu64 " of launch %" PRIu64 "; --trace-cycles FROM:TO, "
                "--trace-kernel and --trace-sm write other parts\n",
                option, cycle, launch);
}

static void
note_empty(const struct output_files *r, const struct trace *t,
           const char *option)
{
    uint64_t longest;
    if (r->notes && t && trace_is_empty(t, &longest))
        fprintf(r->notes,
                "ventus: note: the file of --%s has no event: --trace-cycles "
                "and --trace-sm chose none; the longest launch took %" PRIu64
                " cycles\n",
                option, longest);
}

static void
note_no_kernel(const struct output_files *r)
{
    const char *nearest = r->nearest.name;
    if (r->notes && r->kernel)
        fprintf(r->notes,
                "ventus: note: --trace-kernel: no launch had a kernel "
                "'%s'%s%s%s\n",
                r->kernel, nearest ? ", did you mean '" : "",
                nearest ? nearest : "", nearest ? "'?" : "");
}

/* Completes the files, and frees their description. */
static bool
close_files(struct output_files *r)
{
    bool ok = true;
    assert(!r->profile);
    note_cut(r, r->trace, "trace");
    note_cut(r, r->konata, "konata");
    note_empty(r, r->trace, "trace");
    note_empty(r, r->konata, "konata");
    note_empty(r, r->events, "events");
    note_no_kernel(r);
    ok = close_trace(r->trace, r->trace_path);
    ok = close_trace(r->konata, r->konata_path) && ok;
    ok = close_trace(r->events, r->events_path) && ok;
    bool whole = r->text && !ferror(r->text) && !r->incomplete;
    whole = (!r->text || fclose(r->text) == 0) && whole;
    if (!whole && (r->json || r->report || r->hot)) {
        ok = dev_fail_memory("a report of the launches");
    } else {
        if (r->json)
            ok = write_lines(r, r->json, false) && ok;
        if (r->report)
            ok = write_lines(r, r->report, true) && ok;
        if (r->hot && !oom_call(write_hot, r))
            ok = dev_fail_memory("tables of lines");
    }
    for (size_t i = 0; i < r->n_tried; i++)
        free(r->tried[i].kernel);
    free(r->tried);
    free(r->kernel);
    free(r->lines);
    free(r->json);
    free(r->report);
    free(r);
    return ok;
}

bool
ventus_dev_record_end(struct ventus_dev *d)
{
    struct outputs *o = dev_observer(d, OBSERVER_OUTPUT);
    struct output_files *r = o ? o->files : NULL;
    if (!r)
        return true;
    queue_wait_all(d);
    o->files = NULL;
    return close_files(r);
}

/* ---- the observer ---- */

static void
outputs_closed(void *ctx)
{
    struct outputs *o = ctx;
    if (o->files)
        close_files(o->files);
    free(o);
}

bool
outputs_open(struct ventus_dev *d)
{
    static const struct dev_observer outputs_observer = {
        .launch_begins = outputs_launch_begins,
        .launch_done = outputs_launch_done,
        .closed = outputs_closed,
    };
    struct outputs *o = calloc(1, sizeof *o);
    if (!o)
        return dev_fail_memory("a report");
    dev_observe(d, OBSERVER_OUTPUT, &outputs_observer, o);
    return true;
}
