/* SPDX-License-Identifier: Apache-2.0 */
/* ventus exec: runs a kernel without a host program. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "exec.h"

static const char help[] =
    "usage: ventus exec FILE.s|FILE.elf [KERNEL] --grid X[,Y[,Z]] [OPTION...]\n"
    "       ventus exec CASE.metadata... [OPTION...]\n"
    "\n"
    "Runs a kernel on a simulated device.  The kernel's arguments are made on\n"
    "the command line:\n"
    "\n"
    "  ventus exec examples/vecadd.s --grid 8 --local 8 \\\n"
    "      --arg iota:8 --arg iota:8 --arg zeros:8 --show 2:u32\n"
    "\n"
    "  --grid X[,Y[,Z]]    work-items in all\n"
    "  --local X[,Y[,Z]]   work-items of a workgroup; chosen if not given\n"
    "  --offset X[,Y[,Z]]  of global ids\n"
    "  --arg SPEC          the next argument:\n"
    "                        buf:FILE  zeros:WORDS  iota:WORDS   a buffer\n"
    "                        u32:V i32:V f32:V u64:V i64:V f64:V a value\n"
    "                        local:BYTES                         local memory\n"
    "  --show N[:TYPE]     print buffer N (from 0) afterwards, u32 if not "
    "said\n"
    "  --dump N=FILE       write buffer N to a file (- is standard output)\n"
    "\n"
    "  --device PRESET     default, or the path of an ini file\n"
    "  --model PRESET      the same, and count cycles\n"
    "  --issues FILE       with --model: cycle, SM, warp, pc, word of each "
    "issue\n"
    "  --set KEY=VALUE     change a setting; `ventus info --config` lists "
    "them\n"
    "  --lanes N           threads of a warp (num_thread)\n"
    "  --threads N         host threads\n"
    "  --limit N           instructions of a warp, more are a fault\n"
    "  -march=ventus2      assemble for version 2 of the instruction set\n"
    "\n"
    "  --stats             what was executed\n"
    "  --json              the result as one line of JSON\n"
    "  --log FILE          commit log in upstream's format\n"
    "\n"
    "Cases of the upstream simulator run in order, memory kept between them:\n"
    "  --all-lanes         partial warps run all lanes, as upstream does\n"
    "  --dump-mem ADDR,SIZE=FILE\n"
    "  --log-dir DIR       the log of each case in DIR/CASE.log\n"
    "\n"
    "Exit status: 0 done, 1 fault or wrong input, 2 wrong command line.\n";

enum {
    OPT_GRID = 256,
    OPT_LOCAL,
    OPT_OFFSET,
    OPT_ARG,
    OPT_SHOW,
    OPT_DUMP,
    OPT_DEVICE,
    OPT_MODEL,
    OPT_ISSUES,
    OPT_SET,
    OPT_LANES,
    OPT_THREADS,
    OPT_LIMIT,
    OPT_STATS,
    OPT_JSON,
    OPT_LOG,
    OPT_ALL_LANES,
    OPT_DUMP_MEM,
    OPT_LOG_DIR
};

static const struct option options[] = {
    { "grid", required_argument, NULL, OPT_GRID },
    { "local", required_argument, NULL, OPT_LOCAL },
    { "offset", required_argument, NULL, OPT_OFFSET },
    { "arg", required_argument, NULL, OPT_ARG },
    { "show", required_argument, NULL, OPT_SHOW },
    { "dump", required_argument, NULL, OPT_DUMP },
    { "device", required_argument, NULL, OPT_DEVICE },
    { "model", required_argument, NULL, OPT_MODEL },
    { "issues", required_argument, NULL, OPT_ISSUES },
    { "set", required_argument, NULL, OPT_SET },
    { "lanes", required_argument, NULL, OPT_LANES },
    { "threads", required_argument, NULL, OPT_THREADS },
    { "limit", required_argument, NULL, OPT_LIMIT },
    { "stats", no_argument, NULL, OPT_STATS },
    { "json", no_argument, NULL, OPT_JSON },
    { "log", required_argument, NULL, OPT_LOG },
    { "all-lanes", no_argument, NULL, OPT_ALL_LANES },
    { "dump-mem", required_argument, NULL, OPT_DUMP_MEM },
    { "log-dir", required_argument, NULL, OPT_LOG_DIR },
    { "help", no_argument, NULL, 'h' },
    { 0 },
};

int
exec_fail(void)
{
    fprintf(stderr, "exec: error: %s\n", dev_message());
    return 1;
}

static bool
bad_option(const char *option, const char *expected, const char *found)
{
    fprintf(stderr, "exec: --%s: expected %s, found '%s'\n", option, expected,
            found);
    return false;
}

static bool
take_sizes(const char *option, uint64_t size[3], unsigned *dim)
{
    unsigned n = spec_sizes(optarg, size);
    if (!n)
        return bad_option(option, "X[,Y[,Z]]", optarg);
    if (n > *dim)
        *dim = n;
    return true;
}

static bool
take_output(struct exec *e, bool show)
{
    char *end;
    struct exec_output o = { .show = show, .what = "u32" };
    o.index = (unsigned)strtoul(optarg, &end, 10);
    bool named = *end == (show ? ':' : '=');
    if (end == optarg || (!named && (*end || !show)))
        return bad_option(show ? "show" : "dump", show ? "N[:TYPE]" : "N=FILE",
                          optarg);
    if (named)
        o.what = end + 1;
    vec_push(&e->arena, &e->outputs, o);
    return true;
}

static bool
take_dump_mem(struct exec *e)
{
    char *comma, *equals = NULL;
    struct exec_dump d = { .address = strtoull(optarg, &comma, 0) };
    if (*comma == ',')
        d.size = strtoull(comma + 1, &equals, 0);
    if (!equals || *equals != '=' || !d.size || !equals[1])
        return bad_option("dump-mem", "ADDR,SIZE=FILE", optarg);
    d.file = equals + 1;
    vec_push(&e->arena, &e->dumps, d);
    return true;
}

static void
add_setting(struct exec *e, const char *key)
{
    vec_push(&e->arena, &e->set, arena_printf(&e->arena, "%s=%s", key, optarg));
}

static bool
take_option(struct exec *e, int c)
{
    unsigned dim = 0;
    switch (c) {
    case OPT_GRID:
        return take_sizes("grid", e->grid, &e->work_dim);
    case OPT_LOCAL:
        return take_sizes("local", e->local, &e->work_dim);
    case OPT_OFFSET:
        return take_sizes("offset", e->offset, &dim);
    case OPT_ARG:
        vec_push(&e->arena, &e->args, optarg);
        return true;
    case OPT_SHOW:
    case OPT_DUMP:
        return take_output(e, c == OPT_SHOW);
    case OPT_DEVICE:
        e->device = optarg;
        return true;
    case OPT_MODEL:
        e->device = optarg;
        e->model = true;
        vec_push(&e->arena, &e->set, "engine=model");
        return true;
    case OPT_ISSUES:
        e->issues = optarg;
        return true;
    case OPT_SET:
        vec_push(&e->arena, &e->set, optarg);
        return true;
    case OPT_LANES:
        add_setting(e, "num_thread");
        return true;
    case OPT_THREADS:
        add_setting(e, "host_threads");
        return true;
    case OPT_LIMIT:
        add_setting(e, "max_instructions");
        return true;
    case OPT_STATS:
    case OPT_JSON:
    case OPT_ALL_LANES:
        *(c == OPT_STATS  ? &e->stats
          : c == OPT_JSON ? &e->json
                          : &e->all_lanes) = true;
        return true;
    case OPT_LOG:
        e->log = optarg;
        return true;
    case OPT_LOG_DIR:
        e->log_dir = optarg;
        return true;
    case OPT_DUMP_MEM:
        return take_dump_mem(e);
    case 'm':
        return strncmp(optarg, "arch=", 5) == 0
                   ? command_march(optarg + 5, &e->version)
                   : bad_option("march", "-march=ventus1 or 2", optarg);
    default:
        return false;
    }
}

static bool
is_case(const char *path)
{
    size_t n = strlen(path);
    return n > 9 && strcmp(path + n - 9, ".metadata") == 0;
}

static int
run(struct exec *e)
{
    if (!e->n_files) {
        fputs("exec: expected FILE.s, FILE.elf or CASE.metadata\n", stderr);
        return command_usage("exec");
    }
    if (e->all_lanes)
        vec_push(&e->arena, &e->set, "all_lanes=yes");
    if (is_case(e->files[0]))
        return exec_cases(e);
    if (e->n_files > 2) {
        fprintf(stderr, "exec: expected FILE [KERNEL], found '%s' too\n",
                e->files[2]);
        return command_usage("exec");
    }
    if (!e->work_dim) {
        fputs("exec: expected --grid X[,Y[,Z]]\n", stderr);
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
    while ((c = getopt_long(argc, argv, "m:h", exec_options, NULL)) != -1) {
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
    status = run(&e);
    arena_free(&e.arena);
    return status;
}
