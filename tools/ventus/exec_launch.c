/* SPDX-License-Identifier: Apache-2.0 */
/* A launch of `ventus exec` and `ventus replay`, with its observers. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "dev/preview.h"
#include "exec.h"
#include "upstream/log.h"

static void
warn_of_idle_lanes(const struct exec_launch *k)
{
    char text[512];
    if (idle_lanes_run(k->dev, &k->launch, text, sizeof text))
        fprintf(stderr, "%s: warning: %s\n", exec_name, text);
}

static bool
submit_and_wait(struct exec_launch *k, const struct ventus_dev_hooks *hooks)
{
    const struct exec *e = k->e;
    struct ventus_dev_launch l = k->launch;
    l.hooks = hooks;
    l.printed = exec_text(e);
    l.stats = e->stats;
    l.profile = k->profile;
    l.sm = e->stats ? arena_new(&k->e->arena, struct ventus_dev_counters,
                                ventus_dev_setting(k->dev, "num_sm"))
                    : NULL;
    warn_of_idle_lanes(k);
    struct ventus_dev_ticket *t = ventus_dev_submit(k->dev, &l);
    if (!t) {
        snprintf(k->result.message, sizeof k->result.message, "%s",
                 ventus_dev_message());
        return false;
    }
    if (!e->gdb) /* while waiting for GDB Ctrl-C ends the process, as in run */
        exec_watch(t, l.kernel->name);
    bool ok = ventus_dev_wait(t, &k->result);
    ventus_dev_ticket_free(t);
    return ok;
}

static bool
fail_file(const char *path, const char *why)
{
    fprintf(stderr, "%s: error: %s: %s\n", exec_name, path, why);
    return false;
}

/* Closes a file, which is kept only if `whole`; `ok`: the result of all writes before. */
static bool
close_file(struct output *o, const char *path, bool whole, bool ok)
{
    if (output_close(o, whole) && whole)
        return ok;
    fprintf(stderr, "%s: error: %s: cannot be written: %s\n", exec_name, path,
            strerror(errno));
    return false;
}

/* The warps of the device, whose number the log needs. */
static unsigned
warps_of(struct exec_launch *k)
{
    struct ventus_dev_launch *l = &k->launch;
    uint64_t items = 1;
    if (!l->local[0])
        ventus_dev_choose_local(k->dev, l->kernel, l->global, l->local);
    for (int i = 0; i < 3; i++)
        items *= l->local[i] ? l->local[i] : 1;
    uint64_t lanes = ventus_dev_setting(k->dev, "num_thread");
    return (unsigned)((items + lanes - 1) / lanes);
}

static bool
run_logged(struct exec_launch *k)
{
    const char *path = k->e->log;
    struct commit_log log;
    struct output o;
    FILE *out = output_stream(&o, path);
    if (!out || !log_open(&log, out, warps_of(k), NULL, 0, 0)) {
        fail_file(path, strerror(errno));
        output_close(&o, false);
        return false;
    }
    struct ventus_dev_hooks hooks = { .ctx = &log, .step = log_step };
    bool ok = submit_and_wait(k, &hooks);
    return close_file(&o, path, log_close(&log), ok);
}

static bool
run_issues(struct exec_launch *k)
{
    const char *path = k->e->issues;
    struct output o;
    FILE *out = output_stream(&o, path);
    if (!out)
        return fail_file(path, strerror(errno));
    struct ventus_dev_hooks hooks = { .ctx = out, .issue = exec_issue };
    fprintf(out, "K %s\n", k->launch.kernel->name);
    bool ok = submit_and_wait(k, &hooks);
    return close_file(&o, path, true, ok);
}

bool
exec_launch(struct exec_launch *k)
{
    return k->e->log      ? run_logged(k)
           : k->e->issues ? run_issues(k)
                          : submit_and_wait(k, NULL);
}
