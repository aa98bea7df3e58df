/* SPDX-License-Identifier: Apache-2.0 */
/* ventus exec: runs a kernel without a host program. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "exec.h"

static const char help[] =
    "usage: ventus exec FILE [KERNEL] --grid X[,Y[,Z]] [OPTION...]\n"
    "       ventus exec CASE.metadata... [OPTION...]\n"
    "\n"
    "Runs a kernel of FILE.cl (compiled as by `ventus cc -g`), FILE.s or\n"
    "FILE.elf on a simulated device.  The command line creates the kernel's\n"
    "arguments:\n"
    "\n"
    "  ventus exec examples/vecadd.s --grid 8 --local 8 \\\n"
    "      --arg fiota:8 --arg fiota:8 --arg zeros:8 --show 2:f32\n"
    "\n"
    "FILE may be -, standard input: a program, OpenCL C, or assembly with -x "
    "s.\n"
    "A file that an option writes may be -, standard output.\n"
    "\n"
    "  --grid X[,Y[,Z]]    global size in work-items\n"
    "  --local X[,Y[,Z]]   workgroup size in work-items; default: automatic\n"
    "  --offset X[,Y[,Z]]  offset of global ids\n"
    "  --arg SPEC          the next argument:\n"
    "                        buf:FILE  zeros:WORDS               a buffer\n"
    "                        iota:WORDS    the integers 0, 1, 2 ...\n"
    "                        fiota:WORDS   the floats 0, 1, 2 ...\n"
    "                        u32:V i32:V f32:V u64:V i64:V f64:V a value\n"
    "                        bytes:HEX     the bytes of a structure or a "
    "vector\n"
    "                        local:BYTES                         local memory\n"
    "  --show N[:TYPE]     after the launch print buffer N (from 0), u32 by "
    "default\n"
    "  --dump N=FILE       write buffer N to a file\n"
    "\n"
    "  --device PRESET     a preset, `default` unless given, or an ini file\n"
    "  --model PRESET      the same on the cycle-level machine\n"
    "  --coherence rcc|none  rcc: L1Ds hold data and are not coherent, so "
    "missing\n"
    "                      fences show; the default of chisel\n"
    "  --events FILE       with --model: issues, write-backs, memory requests, "
    "ends,\n"
    "                      for `ventus compare`\n"
    "  --issues FILE       with --model: cycle, SM, warp, pc, word of each "
    "issue\n"
    "  --hot               profile: source lines and instructions by cost\n"
    "  --report FILE.html  HTML page: time line, stalls, roofline, hot lines\n"
    "  --trace FILE        trace of warps and units, for ui.perfetto.dev: "
    "JSON, or\n"
    "                      its own format if the name ends in .pftrace\n"
    "  --konata FILE       trace of pipeline stages, for the Konata viewer\n"
    "  --trace-cycles A:B  trace only these cycles of a launch\n"
    "  --trace-kernel NAME trace only this kernel; --trace-sm N: only this SM\n"
    "  --set KEY=VALUE     change a setting; `ventus info --config` lists "
    "them\n"
    "  --lanes N           threads of a warp (num_thread)\n"
    "  --threads N         host threads; results that depend on the order of\n"
    "                      workgroups may differ from run to run\n"
    "  --deterministic     a fixed order of workgroups for any number of "
    "threads\n"
    "  --check[=LIST]      find mistakes: memory, init, race, sync,\n"
    "                      scalar (all)\n"
    "  --check-json FILE   write the findings as JSON; --sarif FILE: as SARIF\n"
    "                      2.1.0\n"
    "  --check-limit N     write N findings in full (100), count the others\n"
    "  --suppress FILE     leave out the findings that FILE lists\n"
    "  --record FILE       write the launch, with the memory before it, to a\n"
    "                      file for `ventus replay`; --record-results: and "
    "the\n"
    "                      memory after it\n"
    "  --record-on-fault FILE  the same, only if the launch fails\n"
    "  --gdb PORT          wait for GDB on this port, see ventus debug\n"
    "  --limit N           maximum instructions of a warp; more are a fault\n"
    "  --time-limit MS     a launch that takes longer is an error\n"
    "  -x cl|s             language of standard input; OpenCL C by default\n"
    "  -march=ventus2      build for version 2 of the instruction set\n"
    "  -cl-OPTION -D NAME[=VALUE] -I DIR -O0 -fOPTION\n"
    "                      options of `ventus cc`, if FILE is OpenCL C\n"
    "\n"
    "  --stats             statistics of executed instructions\n"
    "  --json              the result as one line of JSON; output of the\n"
    "                      kernel's printf and --show go to standard error\n"
    "  --log FILE          commit log in upstream's format\n"
    "\n"
    "Cases of the upstream simulator run in order and share the memory:\n"
    "  --all-lanes         partial warps run all lanes, as upstream does\n"
    "  --dump-mem ADDR,SIZE=FILE\n"
    "  --log-dir DIR       the log of each case in DIR/CASE.log\n"
    "\n"
    "Ctrl-C stops the launch: where each warp was, statistics and files of "
    "what was\n"
    "done are written.\n"
    "\n"
    "Exit status: 0 success, 1 fault or wrong input, 2 wrong command line, 130 "
    "Ctrl-C.\n";

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
        fputs("exec: expected FILE.cl, FILE.s, FILE.elf or CASE.metadata\n",
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
    while ((c = command_option(argc, argv, "m:x:D:I:O:c:f:h", exec_options,
                               false)) != -1) {
        if (c == 'h') {
            arena_free(&e.arena);
            return command_help(help);
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
