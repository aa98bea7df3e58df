/* SPDX-License-Identifier: Apache-2.0 */
/* ventus exec: runs a kernel without a host program. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exec.h"
#include "option_list.h"

static const char help[] =
    "usage: ventus exec FILE [KERNEL] --grid X[,Y[,Z]] [OPTION...]\n"
    "       ventus exec CASE.metadata... [OPTION...]\n"
    "\n"
    "Runs a kernel of FILE.cl or FILE.spv (compiled as by `ventus cc -g`),\n"
    "FILE.s or FILE.elf on a simulated device.  The command line creates the\n"
    "kernel's arguments:\n"
    "\n"
    "  ventus exec examples/vecadd.s --grid 8 --local 8 \\\n"
    "      --arg fiota:8 --arg fiota:8 --arg zeros:8 --show 2:f32\n"
    "\n"
    "FILE may be -, standard input: a program, OpenCL C, or assembly with -x "
    "s.\n"
    "A file that an option writes may be -, standard output.\n"
    "\n";

static const char help_end[] = "\n"
                               "Ctrl-C stops the launch: where each warp was, "
                               "statistics and files of what was\n"
                               "done are written.\n"
                               "\n"
                               "Exit status: 0 success, 1 fault or wrong "
                               "input, 2 wrong command line, 130 Ctrl-C.\n";

const char *exec_name = "exec";

int
exec_fail(void)
{
    fprintf(stderr, "%s: error: %s\n", exec_name, ventus_dev_message());
    return 1;
}

static bool
is_case(const char *path)
{
    size_t n = strlen(path);
    return n > 9 && strcmp(path + n - 9, ".metadata") == 0;
}

/* The option among these that the engine of the device does not support; NULL: none. */
static const char *
impossible_option(const struct exec *e)
{
    const struct ventus_dev_record *r = &e->record;
    const struct ventus_dev_options o = { .config = e->device,
                                          .set = e->set.at,
                                          .n_set = e->set.n };
    unsigned able;
    if (!ventus_dev_capabilities(&o, &able))
        return NULL; /* reported by the next check */
    if (e->coherence && !(able & VENTUS_DEV_CYCLES))
        return "--coherence needs an engine that counts cycles (--model)";
    if (e->issues && !(able & VENTUS_DEV_CYCLES))
        return "--issues needs an engine that counts cycles (--model)";
    if ((e->hot || r->trace || r->konata || r->events || r->report) &&
        !(able & VENTUS_DEV_PROFILES))
        return "--hot, --trace, --konata, --events and --report need an engine "
               "that profiles (--model)";
    return NULL;
}

/* The option among these that has no effect with these files, or without another
 * option; NULL: none. */
static const char *
useless_option(const struct exec *e)
{
    const struct ventus_dev_record *r = &e->record;
    bool cases = e->n_files && is_case(e->files[0]);
    if (!r->trace && !r->konata && !r->events &&
        (r->one_sm || r->kernel || r->from_cycle || r->to_cycle))
        return "--trace-cycles, --trace-kernel and --trace-sm need --trace, "
               "--konata or --events";
    if (cases && (e->work_dim || e->offset_given || e->args.n || e->outputs.n))
        return "--grid, --local, --offset, --arg, --show and --dump are for "
               "kernels, not for cases";
    if (e->gdb && (cases || e->log || e->stats))
        return "--gdb is for kernels, without --log and --stats";
    if (exec_wants_both(e))
        return "--engine native is without --stats, --log, --issues, --check "
               "and --gdb, which interpret instructions";
    if (e->recording.results && !e->recording.path)
        return "--record-results needs --record";
    if (e->language && e->n_files && strcmp(e->files[0], "-") != 0)
        return "-x is for standard input: the name of a file says what it is";
    if (e->build.n && e->n_files && !exec_is_source(e, e->files[0]))
        return "-cl-..., -D, -I, -O and -f are for OpenCL C";
    if (cases && (e->recording.path || e->recording.on_fault))
        return "--record and --record-on-fault are for kernels, not for cases";
    if (!cases && (e->log_dir || e->dumps.n))
        return "--log-dir and --dump-mem are for cases";
    return NULL;
}

/* Whether a file can be read.  False: it is reported at once, before other missing
 * files. */
static bool
can_read(struct exec *e, const char *path)
{
    if (strcmp(path, "-") == 0 || access(path, R_OK) == 0)
        return true;
    diag_report(&e->sink, DIAG_ERROR, (struct diag_at){ .file = path },
                "cannot read: %s", strerror(errno));
    diag_print(&e->sink, stderr, command_colour());
    return false;
}

static int
exec_run(struct exec *e)
{
    if (!e->n_files) {
        fputs("exec: expected FILE.cl, FILE.spv, FILE.s, FILE.elf or "
              "CASE.metadata\n",
              stderr);
        return command_usage("exec");
    }
    const char *wrong = impossible_option(e);
    if (!wrong)
        wrong = useless_option(e);
    if (wrong) {
        fprintf(stderr, "exec: %s\n", wrong);
        return command_usage("exec");
    }
    if (e->all_lanes)
        vec_push(&e->arena, &e->set, "all_lanes=yes");
    /* All errors of the command line are reported before anything is compiled or runs. */
    const struct ventus_dev_options o = { .config = e->device,
                                          .set = e->set.at,
                                          .n_set = e->set.n };
    unsigned able;
    if (!ventus_dev_capabilities(&o, &able))
        return exec_fail();
    int status = exec_may_write(e);
    if (status)
        return status;
    if (!exec_may_check(e))
        return 1;
    if (is_case(e->files[0]))
        return exec_cases(e);
    if (e->n_files > 2) {
        fprintf(stderr, "exec: expected FILE [KERNEL], found '%s' too\n",
                e->files[2]);
        return command_usage("exec");
    }
    if (!can_read(e, e->files[0]))
        return 1;
    if (!e->work_dim) {
        fputs("exec: expected --grid X[,Y[,Z]]\n", stderr);
        return command_usage("exec");
    }
    if (e->issues && e->log) {
        fputs("exec: --log and --issues are for cases, or one of them\n",
              stderr);
        return command_usage("exec");
    }
    e->kernel = e->n_files > 1 ? e->files[1] : NULL;
    return exec_kernel(e);
}

int
command_exec(int argc, char **argv)
{
    struct exec e = { .grid = { 0 } };
    int c, status = 0;
    e.sink.arena = &e.arena;
    while ((c = command_option(argc, argv, &options_exec)) != -1) {
        if (c == 'h') {
            arena_free(&e.arena);
            return command_help(help, &options_exec, help_end);
        }
        if (!exec_take_option(&e, c)) {
            arena_free(&e.arena);
            return command_usage("exec");
        }
    }
    e.files = (const char *const *)&argv[optind];
    e.n_files = (unsigned)(argc - optind);
    status = exec_run(&e);
    arena_free(&e.arena);
    return status;
}
