/* SPDX-License-Identifier: Apache-2.0 */
/* ventus exec for upstream cases. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "command.h"
#include "dev/output/report.h"
#include "exec.h"
#include "upstream/cases.h"

static FILE *
open_log(struct output *o, const char *path)
{
    FILE *out = output_stream(o, path);
    if (!out)
        fprintf(stderr, "exec: error: %s: %s\n", path, strerror(errno));
    return out;
}

static bool
close_log(struct output *o, const char *path)
{
    if (output_close(o, true))
        return true;
    fprintf(stderr, "exec: error: %s: cannot be written: %s\n", path,
            strerror(errno));
    return false;
}

static bool
run_case(struct exec *e, struct cases *c, size_t i, FILE *log, FILE *issues)
{
    struct ventus_dev_hooks hooks = { .ctx = issues, .issue = exec_issue };
    struct ventus_dev_result result;
    const char *name = cases_name(c, i);
    const char *path = NULL;
    struct output own_output = { .is_open = false };
    FILE *own = NULL;
    if (e->log_dir) {
        path = arena_printf(&e->arena, "%s/%s.log", e->log_dir, name);
        if (!(own = open_log(&own_output, path)))
            return false;
    }
    if (issues)
        fprintf(issues, "K %s\n", name);
    bool ok = cases_run(c, i, own ? own : log, e->stats, issues ? &hooks : NULL,
                        &result);
    bool whole = close_log(&own_output, path);
    unsigned lanes = (unsigned)ventus_dev_setting(c->dev, "num_thread");
    if (e->json)
        report_json(stdout, name, &result, lanes, e->stats);
    else if (e->stats && ok) {
        fprintf(exec_text(e), "%s:", name);
        report_stats(exec_text(e), &result, lanes);
    }
    if (e->hot && !e->json && ok)
        report_hot(exec_text(e), &result);
    if (!ok)
        fprintf(stderr, "exec: error: %s: %s\n", c->at[i].file,
                ventus_dev_message());
    return ok && whole;
}

static bool
write_dumps(struct exec *e, struct ventus_dev *dev)
{
    for (size_t i = 0; i < e->dumps.n; i++) {
        const struct exec_dump *d = &e->dumps.at[i];
        uint8_t *bytes = arena_alloc(&e->arena, d->size, 1, 8);
        if (!ventus_dev_read(dev, d->address, bytes, d->size)) {
            exec_fail();
            return false;
        }
        if (!file_write(d->file, bytes, d->size, &e->sink)) {
            diag_print(&e->sink, stderr, command_colour());
            return false;
        }
    }
    return true;
}

static bool
run_all(struct exec *e, struct cases *c)
{
    struct output log_output = { .is_open = false };
    struct output issues_output = { .is_open = false };
    FILE *log = e->log ? open_log(&log_output, e->log) : NULL;
    FILE *issues = e->issues ? open_log(&issues_output, e->issues) : NULL;
    bool ok = (!e->log || log) && (!e->issues || issues);
    for (size_t i = 0; ok && i < c->n; i++)
        ok = run_case(e, c, i, log, issues);
    ok = close_log(&issues_output, e->issues) && ok;
    ok = close_log(&log_output, e->log) && ok;
    return write_dumps(e, c->dev) && ok;
}

int
exec_cases(struct exec *e)
{
    struct cases c = { .n = 0 };
    struct ventus_dev_options options = { .config = e->device,
                                          .set = e->set.at,
                                          .n_set = e->set.n };
    c.watch = exec_watch;
    bool ok = cases_read(&c, e->files, e->n_files) &&
              cases_open(&c, &options, e->log || e->log_dir) &&
              exec_record(e, c.dev);
    if (ok && e->stats)
        c.sm = arena_new(&e->arena, struct ventus_dev_counters,
                         ventus_dev_setting(c.dev, "num_sm"));
    c.profile = e->hot ? ventus_dev_profile_new() : NULL;
    if (!ok && c.sink.first)
        diag_print(&c.sink, stderr, command_colour());
    else if (!ok)
        exec_fail();
    ok = ok && run_all(e, &c);
    ok = exec_record_end(c.dev) && ok;
    cases_close(&c);
    ventus_dev_profile_free(c.profile);
    return exec_status(ok);
}
