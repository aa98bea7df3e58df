/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles and traces of launches, and the files that a device writes of all
 * its launches.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "dbg/html.h"
#include "dev/device.h"
#include "dev/record.h"
#include "dev/report.h"

struct dev_profile {
    struct profile profile;
    struct record_machine machine;
};

struct record {
    struct trace *trace, *konata;
    char *json, *report; /* paths, or NULL */
    char *lines;         /* of JSON, a launch each */
    size_t lines_B;
    FILE *text;                  /* writes them */
    struct dev_profile *profile; /* of the launch that runs, if it is ours */
};

/* ---- profiles ---- */

struct dev_profile *
dev_profile_new(void)
{
    return calloc(1, sizeof(struct dev_profile));
}

void
dev_profile_free(struct dev_profile *p)
{
    if (p)
        profile_free(&p->profile);
    free(p);
}

const struct profile *
record_profile(const struct dev_profile *p, struct record_machine *machine)
{
    *machine = p->machine;
    return &p->profile;
}

static void
describe(const struct dev *d, struct record_machine *m)
{
    const uint64_t *v = d->config.value;
    *m = (struct record_machine){
        .num_sm = (unsigned)v[CONFIG_num_sm],
        .num_warp = (unsigned)v[CONFIG_num_warp],
        .line_B = (unsigned)v[CONFIG_l2_line],
        .clock_MHz = (unsigned)v[CONFIG_clock_mhz],
        .peak_B = d->ops->peak(d->machine),
    };
}

uint64_t
dev_cycles_ns(const struct dev *d, uint64_t cycles)
{
    return cycles * 1000 / d->config.value[CONFIG_clock_mhz];
}

/* ---- a launch ---- */

static const char *
kernel_name(const struct dev_ticket *t)
{
    if (t->launch.bare)
        return t->launch.bare->name ? t->launch.bare->name : "kernel";
    return t->launch.kernel->name;
}

static bool
counts(const struct dev *d)
{
    return d->ops->peak != NULL;
}

void
record_begin(struct dev_ticket *t, struct backend_launch *b)
{
    struct record *r = t->dev->record;
    struct dev_profile *p = t->launch.profile;
    if (!counts(t->dev))
        return;
    if (r) {
        b->trace = r->trace;
        b->konata = r->konata;
        if (b->trace)
            trace_begin(b->trace, kernel_name(t));
        if (b->konata)
            trace_begin(b->konata, kernel_name(t));
    }
    if (!p && r && r->text) {
        p = r->profile = dev_profile_new();
        t->launch.stats = p || t->launch.stats;
        b->stats = &t->result.stats;
        b->counters = &t->result.counters;
    }
    if (!p)
        return;
    profile_free(&p->profile);
    describe(t->dev, &p->machine);
    b->profile = &p->profile;
    t->result.profile = p;
}

void
record_launch(struct dev_ticket *t)
{
    struct record *r = t->dev->record;
    const struct dev_kernel *k = t->launch.kernel;
    /* The profile is the caller's or ours; both were made to be filled. */
    struct dev_profile *p = (struct dev_profile *)(uintptr_t)t->result.profile;
    unsigned lanes = (unsigned)t->dev->config.value[CONFIG_num_thread];
    if (p)
        profile_place(&p->profile, k ? program_place : NULL,
                      k ? k->program : NULL);
    if (!r)
        return;
    if (r->trace)
        trace_end(r->trace);
    if (r->konata)
        trace_end(r->konata);
    if (r->text)
        report_json(r->text, kernel_name(t), &t->result, lanes, true);
    if (r->profile) {
        t->result.profile = NULL;
        dev_profile_free(r->profile);
        r->profile = NULL;
    }
}

/* ---- files of a device ---- */

static struct trace *
open_trace(const struct dev_record *what, const char *path,
           enum trace_format format)
{
    const struct trace_window window = { .from = what->from_cycle,
                                         .to = what->to_cycle,
                                         .kernel = what->kernel,
                                         .sm = what->sm,
                                         .one_sm = what->one_sm };
    struct trace *t = trace_open(path, format, &window);
    if (!t)
        dev_fail("%s: %s", path, strerror(errno));
    return t;
}

static enum trace_format
format_of(const char *path)
{
    static const char proto[] = ".pftrace";
    size_t n = strlen(path), k = sizeof proto - 1;
    return n > k && strcmp(path + n - k, proto) == 0 ? TRACE_PROTO : TRACE_JSON;
}

static bool
open_files(struct record *r, const struct dev_record *what)
{
    if (what->trace &&
        !(r->trace = open_trace(what, what->trace, format_of(what->trace))))
        return false;
    if (what->konata &&
        !(r->konata = open_trace(what, what->konata, TRACE_KONATA)))
        return false;
    if (!what->json && !what->report)
        return true;
    r->json = what->json ? strdup(what->json) : NULL;
    r->report = what->report ? strdup(what->report) : NULL;
    r->text = open_memstream(&r->lines, &r->lines_B);
    return r->text || dev_fail("the host has no room for a report");
}

bool
dev_record(struct dev *d, const struct dev_record *what)
{
    if (!counts(d))
        return dev_fail("this device counts no cycles: engine = model does");
    if (d->record)
        return dev_fail("this device records already");
    if (what->one_sm && what->sm >= d->config.value[CONFIG_num_sm])
        return dev_fail("there is no SM %u: the device has %u", what->sm,
                        (unsigned)d->config.value[CONFIG_num_sm]);
    struct record *r = calloc(1, sizeof *r);
    if (!r)
        return dev_fail("the host has no room for a report");
    d->record = r;
    if (open_files(r, what))
        return true;
    char why[512];
    snprintf(why, sizeof why, "%s", dev_message());
    dev_record_end(d);
    return dev_fail("%s", why);
}

/* The lines as they are, or as a page. */
static bool
write_lines(const struct record *r, const char *path, bool page)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    char *text = NULL;
    size_t size = 0;
    FILE *out = page ? open_memstream(&text, &size) : NULL;
    if (out) {
        html_report(out, r->lines);
        fclose(out);
    }
    bool ok = file_write(path, page ? text : r->lines, page ? size : r->lines_B,
                         &sink);
    if (!ok)
        dev_fail_sink(&sink);
    free(text);
    arena_free(&a);
    return ok;
}

bool
dev_record_end(struct dev *d)
{
    struct record *r = d->record;
    bool ok = true;
    if (!r)
        return true;
    queue_wait_all(d);
    d->record = NULL;
    if (!trace_close(r->trace) || !trace_close(r->konata))
        ok = dev_fail("a trace could not be written as a whole");
    if (r->text && fclose(r->text) == 0) {
        if (r->json)
            ok = write_lines(r, r->json, false) && ok;
        if (r->report)
            ok = write_lines(r, r->report, true) && ok;
    }
    free(r->lines);
    free(r->json);
    free(r->report);
    free(r);
    return ok;
}
