/* SPDX-License-Identifier: Apache-2.0 */
/* ventus sweep: runs programs on many devices. */
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "option_list.h"
#include "sweep/dispatch.h"
#include "sweep/snakemake.h"
#include "sweep/table.h"

static const char help[] =
    "usage: ventus sweep PLAN.ini [OPTION...]\n"
    "\n"
    "Runs all combinations of programs, presets and values of keys that a "
    "plan\n"
    "lists, and writes their counters to PLAN.sweep/table.csv and, with "
    "plots,\n"
    "to PLAN.sweep/index.html:\n"
    "\n"
    "  [sweep]\n"
    "  model = rtl-verilog chisel     ; presets; `device` instead of `model` "
    "for\n"
    "                                 ; those that do not count cycles\n"
    "  [keys]\n"
    "  num_warp = 4..16*2             ; 4 8 16; 1..4 is 1 2 3 4, 0..8+4 is 0 4 "
    "8\n"
    "  [program vecadd]\n"
    "  exec = vecadd.s --grid 64 --arg iota:64 --arg iota:64 --arg zeros:64\n"
    "  [program nbody]\n"
    "  run = ./nbody --n 64           ; an OpenCL program\n"
    "\n"
    "A point that has a result runs again only if its program, a file that "
    "its\n"
    "command names, a setting or this simulator has changed: after an "
    "interrupt\n"
    "the same command continues.  Commands start in the folder of the plan.\n"
    "\n";

static const char help_end[] =
    "\n"
    "Exit status: 0 done, 1 points failed, it was interrupted, or wrong "
    "input;\n"
    "2 wrong command line.  With --point a point that failed is done.\n";

enum sweep_action { RUN, LIST, COLLECT, POINT, SNAKEMAKE };

struct sweep {
    struct arena arena;
    struct diag_sink sink;
    struct sweep_plan plan;
    struct sweep_points points;
    struct store store;
    struct sweep_run run;
    enum sweep_action action;
    const char *workflow; /* folder of a workflow */
    bool json, quiet;
};

/* ---- output ---- */

static const char *const states[] = { "missing", "ok", "failed" };

static void
list_point(struct sweep *s, struct json *j, const struct sweep_point *p)
{
    const char *state = states[store_state(&s->store, p->key)];
    if (!s->json) {
        printf("%.*s  %-7s  %s  %s", SWEEP_KEY_SHOWN, p->key, state,
               p->program->name, p->preset);
        for (size_t i = 0; i < s->plan.axes.n; i++)
            printf("  %s=%s", s->plan.axes.at[i].key, p->values[i]);
        putchar('\n');
        return;
    }
    json_object(j, NULL);
    json_string(j, "key", p->key);
    json_string(j, "state", state);
    json_string(j, "program", p->program->name);
    json_string(j, "preset", p->preset);
    json_object(j, "settings");
    for (size_t i = 0; i < s->plan.axes.n; i++)
        json_string(j, s->plan.axes.at[i].key, p->values[i]);
    json_end(j);
    json_end(j);
    putchar('\n');
}

static int
list_points(struct sweep *s)
{
    for (size_t i = 0; i < s->points.n; i++) {
        struct json j = { .out = stdout };
        list_point(s, &j, &s->points.at[i]);
    }
    return 0;
}

static void
show_progress(const struct sweep_run *r)
{
    fprintf(stderr, "\r%zu of %zu points, %zu failed ", r->ran + r->kept,
            r->points, r->failed);
}

/* The number of points without a record: not run, or interrupted. */
static size_t
count_missing(const struct sweep_run *r)
{
    assert(r->points >= r->ran + r->kept && "each point is run or kept once");
    return r->points - r->ran - r->kept;
}

static void
summary_json(const struct sweep *s, const char *table, const char *page)
{
    const struct sweep_run *r = &s->run;
    struct json j = { .out = stdout };
    json_object(&j, NULL);
    json_number(&j, "points", r->points);
    json_number(&j, "ran", r->ran);
    json_number(&j, "kept", r->kept);
    json_number(&j, "failed", r->failed);
    json_number(&j, "missing", count_missing(r));
    json_bool(&j, "interrupted", r->interrupted);
    json_number(&j, "jobs", r->workers);
    json_real(&j, "seconds", r->seconds, 6);
    json_real(&j, "busy", r->busy, 4);
    json_real(&j, "cpu_seconds", r->cpu_seconds, 6);
    json_real(&j, "own_cpu_seconds", r->own_cpu_seconds, 6);
    json_string(&j, "table", table);
    json_string(&j, "page", page);
    json_end(&j);
    putchar('\n');
}

static void
print_summary(const struct sweep *s, const char *table, const char *page)
{
    const struct sweep_run *r = &s->run;
    if (s->json) {
        summary_json(s, table, page);
        return;
    }
    if (s->quiet)
        return;
    printf("%zu point%s: %zu run, %zu kept, %zu failed", r->points,
           text_plural(r->points), r->ran, r->kept, r->failed);
    if (count_missing(r))
        printf(", %zu missing", count_missing(r));
    if (r->ran)
        printf("; %.1f s, %u job%s, busy %.1f %% of the time", r->seconds,
               r->workers, text_plural(r->workers), 100 * r->busy);
    printf("\n%s\n%s\n", table, page);
}

/* ---- actions ---- */

static bool
write_file(struct sweep *s, const char *path, const struct table *t, bool page)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out && page)
        table_html(t, &s->plan, out);
    else if (out)
        table_csv(t, out);
    bool ok = out && !ferror(out);
    ok = out && fclose(out) == 0 && ok;
    if (!ok)
        diag_out_of_memory(&s->sink);
    ok = ok && file_write(path, text, size, &s->sink);
    free(text);
    return ok;
}

static bool
collect_results(struct sweep *s)
{
    struct table t;
    const char *csv = store_path(&s->arena, &s->store, "table.csv");
    const char *page = store_path(&s->arena, &s->store, "index.html");
    table_read(&t, &s->arena, &s->plan, &s->points, &s->store);
    if (!write_file(s, csv, &t, false) || !write_file(s, page, &t, true))
        return false;
    print_summary(s, csv, page);
    if (t.gap.rows && !s->quiet)
        fprintf(stderr,
                "sweep: metric '%s' has no value in %zu row%s with a result: "
                "no '%s' there\n",
                t.gap.metric, t.gap.rows, text_plural(t.gap.rows), t.gap.name);
    return true;
}

static int
run_points(struct sweep *s)
{
    bool tell = isatty(2) && !s->quiet;
    s->run.progress = tell ? show_progress : NULL;
    if (!sweep_dispatch(&s->plan, &s->points, &s->store, &s->run, &s->sink))
        return 1;
    if (tell)
        fputs("\r\033[K", stderr);
    if (s->action == POINT && !s->run.points) {
        fprintf(stderr,
                "sweep: no point %s: --list shows the keys; a point of a plan, "
                "a file or a simulator that has changed has another one\n",
                s->run.only);
        return 1;
    }
    if (s->action == RUN && !collect_results(s))
        return 1;
    if (s->run.interrupted)
        fprintf(stderr,
                "sweep: interrupted; run the same command to continue\n");
    else if (s->run.failed && s->action == RUN)
        fprintf(stderr,
                "sweep: %zu point%s failed: column `error` of the table says "
                "why; --retry runs them again\n",
                s->run.failed, text_plural(s->run.failed));
    return s->run.interrupted || (s->run.failed && s->action == RUN);
}

static int
write_workflow(struct sweep *s)
{
    char *self = realpath("/proc/self/exe", NULL);
    bool ok = snakemake_write(&s->arena, s->workflow, self ? self : "ventus",
                              &s->plan, &s->points, &s->sink);
    free(self);
    if (ok && !s->quiet)
        printf("%s/Snakefile: snakemake --cores all, or --profile slurm\n",
               s->workflow);
    return !ok;
}

static int
run_action(struct sweep *s, const char *path)
{
    s->sink.arena = &s->arena;
    if (!sweep_plan_read(&s->arena, &s->plan, path, &s->sink) ||
        !sweep_plan_points(&s->arena, &s->plan, &s->points, &s->sink))
        return 1;
    if (s->action == LIST || s->action == SNAKEMAKE)
        store_look(&s->store, &s->arena, s->plan.folder);
    else if (!store_open(&s->store, &s->arena, s->plan.folder, &s->sink))
        return 1;
    int status = 0;
    switch (s->action) {
    case LIST:
        status = list_points(s);
        break;
    case COLLECT:
        sweep_count(&s->points, &s->store, &s->run);
        status = !collect_results(s);
        break;
    case SNAKEMAKE:
        status = write_workflow(s);
        break;
    case RUN:
    case POINT:
        status = run_points(s);
        break;
    }
    store_close(&s->store);
    return status;
}

static bool
take_option(struct sweep *s, int c)
{
    uint64_t n;
    enum { JOBS_MAX = 1024 };
    bool acts = c == OPT_LIST || c == OPT_COLLECT || c == OPT_POINT ||
                c == OPT_SNAKEMAKE;
    if (acts && s->action != RUN) {
        fputs("sweep: --list, --collect, --point and --snakemake exclude each "
              "other\n",
              stderr);
        return false;
    }
    switch (c) {
    case OPT_LIST:
        s->action = LIST;
        return true;
    case OPT_COLLECT:
        s->action = COLLECT;
        return true;
    case OPT_POINT:
        s->action = POINT;
        s->run.only = optarg;
        return true;
    case OPT_SNAKEMAKE:
        s->action = SNAKEMAKE;
        s->workflow = optarg;
        return true;
    case OPT_RETRY:
        return s->run.retry = true;
    case OPT_JSON:
        return s->json = true;
    case OPT_QUIET:
        return s->quiet = true;
    case 'j':
        if (text_number(optarg, 10, 1, JOBS_MAX, &n)) {
            s->run.jobs = (unsigned)n;
            return true;
        }
        fprintf(stderr, "sweep: --jobs %s: expected 1 to %d\n", optarg,
                JOBS_MAX);
        return false;
    }
    return false;
}

int
command_sweep(int argc, char **argv)
{
    struct sweep s = { .action = RUN };
    for (int c; (c = command_option(argc, argv, &options_sweep)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_sweep, help_end);
        if (!take_option(&s, c))
            return command_usage("sweep");
    }
    if (optind != argc - 1) {
        fputs("sweep: expected one PLAN.ini\n", stderr);
        return command_usage("sweep");
    }
    if (strcmp(argv[optind], "-") == 0) {
        fputs("sweep: expected the file of a plan, found '-': the folder of "
              "results has its name\n",
              stderr);
        return command_usage("sweep");
    }
    int status = run_action(&s, argv[optind]);
    diag_print(&s.sink, stderr, command_colour());
    arena_free(&s.arena);
    return status;
}
