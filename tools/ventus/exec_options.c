/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `ventus exec`. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dev/findings/check_kinds.h"
#include "dev/spec.h"
#include "exec.h"
#include "gdb/gdb.h"
#include "option_list.h"

static bool
bad_option(const char *option, const char *expected, const char *found)
{
    fprintf(stderr, "%s: --%s: expected %s, found '%s'\n", exec_name, option,
            expected, found);
    return false;
}

/* Takes an option that names a file, only once: a second file would be the only one
 * written. */
static bool
take_file(const char *option, const char **path)
{
    if (*path) {
        fprintf(stderr, "%s: --%s: expected one file, found '%s' and '%s'\n",
                exec_name, option, *path, optarg);
        return false;
    }
    *path = optarg;
    return true;
}

static bool
take_sizes(const struct exec *e, const char *option, uint64_t size[3],
           unsigned *dim)
{
    unsigned n = spec_sizes(optarg, size);
    if (!n)
        return bad_option(option, "X[,Y[,Z]]", optarg);
    for (unsigned i = 0; i < n; i++)
        if (!size[i] && size != e->offset)
            return bad_option(option, "sizes above 0", optarg);
    if (n > *dim)
        *dim = n;
    return true;
}

static bool
take_output(struct exec *e, bool show)
{
    char *end;
    struct exec_output o = { .show = show, .what = "u32" };
    unsigned long index = strtoul(optarg, &end, 10);
    bool named = *end == (show ? ':' : '=');
    if (named)
        o.what = end + 1;
    if (*optarg < '0' || *optarg > '9' || index > UINT32_MAX ||
        (!named && (*end || !show)) || !*o.what)
        return bad_option(show ? "show" : "dump", show ? "N[:TYPE]" : "N=FILE",
                          optarg);
    if (show && !spec_is_value(o.what))
        return bad_option("show", "a type u32, i32, f32, u64, i64 or f64",
                          o.what);
    o.index = (unsigned)index;
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
    if (!isdigit((unsigned char)*optarg) || !equals || *equals != '=' ||
        !isdigit((unsigned char)comma[1]) || !d.size || !equals[1] ||
        d.address > UINT32_MAX || d.size > UINT32_MAX)
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
take_time_limit(struct exec *e)
{
    uint64_t ms;
    bool ok = text_number(optarg, 10, 1, UINT64_MAX, &ms);
    add_setting(e, "max_ms");
    return ok || bad_option("time-limit", "milliseconds above 0", optarg);
}

/* Takes --gdb.  A port in use is reported before anything is compiled. */
static bool
take_gdb(struct exec *e)
{
    char why[512];
    e->gdb = optarg;
    if (gdb_may_open(optarg, why, sizeof why))
        return true;
    fprintf(stderr, "%s: --%s\n", exec_name, why);
    return false;
}

/* Takes an option of recordings; false: it is none of these. */
static bool
take_recording(struct exec *e, int c)
{
    if (c == OPT_RECORD)
        return take_file("record", &e->recording.path);
    if (c == OPT_RECORD_ON_FAULT)
        return take_file("record-on-fault", &e->recording.on_fault);
    e->recording.results |= c == OPT_RECORD_RESULTS;
    return c == OPT_RECORD_RESULTS;
}

/* Takes an option of traces and reports; false: it is none of these, or wrong. */
static bool
take_record(struct exec *e, int c)
{
    uint64_t n;
    switch (c) {
    case OPT_TRACE:
        return take_file("trace", &e->record.trace);
    case OPT_KONATA:
        return take_file("konata", &e->record.konata);
    case OPT_EVENTS:
        return take_file("events", &e->record.events);
    case OPT_REPORT:
        return take_file("report", &e->record.report);
    case OPT_TRACE_KERNEL:
        e->record.kernel = optarg;
        return true;
    case OPT_TRACE_SM:
        e->record.one_sm = true;
        if (!text_number(optarg, 10, 0, UINT32_MAX, &n))
            return bad_option("trace-sm", "the number of an SM", optarg);
        e->record.sm = (unsigned)n;
        return true;
    case OPT_TRACE_CYCLES:
        return spec_cycles(optarg, &e->record.from_cycle,
                           &e->record.to_cycle) ||
               bad_option(
                   "trace-cycles",
                   "FROM:TO or FROM:, cycles, FROM not above TO, TO above 0",
                   optarg);
    default:
        return false;
    }
}

/* Takes kinds of checks; without a host program there are no checks of the API. */
static bool
take_kinds(const char *list)
{
    unsigned kinds = findings_kinds(list, SANITIZE_KINDS);
    if (kinds & SANITIZE_KINDS)
        return true;
    if (kinds) {
        char kernels[CHECK_LIST_MAX], hosts[CHECK_LIST_MAX];
        char expected[2 * CHECK_LIST_MAX + 80];
        findings_kind_list(kernels, SANITIZE_KINDS, ", ");
        findings_kind_list(hosts, CHECK_HOST, " and ");
        snprintf(expected, sizeof expected,
                 "%s or all (%s are mistakes of host programs: run --check)",
                 kernels, hosts);
        return bad_option("check", expected, list);
    }
    fprintf(stderr, "exec: --%s\n", ventus_dev_message());
    return false;
}

/* Takes an option of checks; false: it is none of these, or wrong. */
static bool
take_engine(struct exec *e)
{
    if (!command_is_engine(optarg)) {
        fprintf(stderr,
                "%s: --engine %s: expected auto, interpreter or native\n",
                exec_name, optarg);
        return false;
    }
    e->engine = optarg;
    vec_push(&e->arena, &e->set,
             arena_printf(&e->arena, "execution=%s", optarg));
    return true;
}

static bool
take_check(struct exec *e, int c)
{
    e->checked = true;
    switch (c) {
    case OPT_CHECK:
        e->check.kinds = optarg;
        return take_kinds(optarg);
    case OPT_CHECK_JSON:
        return take_file("check-json", &e->check_json);
    case OPT_SARIF:
        return take_file("sarif", &e->check_sarif);
    case OPT_CHECK_LIMIT:
        return text_number(optarg, 10, 1, UINT64_MAX, &e->check.limit) ||
               bad_option("check-limit", "a number above 0", optarg);
    case OPT_SUPPRESS:
        e->check.suppress = optarg;
        return true;
    default:
        return false;
    }
}

bool
exec_take_option(struct exec *e, int c)
{
    unsigned dim = 0;
    switch (c) {
    case OPT_GRID:
        return take_sizes(e, "grid", e->grid, &e->work_dim);
    case OPT_LOCAL:
        return take_sizes(e, "local", e->local, &e->work_dim);
    case OPT_OFFSET:
        e->offset_given = true;
        return take_sizes(e, "offset", e->offset, &dim);
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
        vec_push(&e->arena, &e->set, "engine=model");
        return true;
    case OPT_ISSUES:
        return take_file("issues", &e->issues);
    case OPT_SET:
        vec_push(&e->arena, &e->set, optarg);
        return true;
    case OPT_ENGINE:
        return take_engine(e);
    case OPT_CHECK:
    case OPT_CHECK_JSON:
    case OPT_SARIF:
    case OPT_CHECK_LIMIT:
    case OPT_SUPPRESS:
        return take_check(e, c);
    case OPT_DETERMINISTIC:
        vec_push(&e->arena, &e->set, "deterministic=yes");
        return true;
    case OPT_COHERENCE:
        e->coherence = true;
        add_setting(e, "coherence");
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
    case OPT_TIME_LIMIT:
        return take_time_limit(e);
    case OPT_STATS:
    case OPT_JSON:
    case OPT_HOT:
    case OPT_ALL_LANES:
        *(c == OPT_STATS  ? &e->stats
          : c == OPT_JSON ? &e->json
          : c == OPT_HOT  ? &e->hot
                          : &e->all_lanes) = true;
        return true;
    case OPT_LOG:
        return take_file("log", &e->log);
    case OPT_LOG_DIR:
        return take_file("log-dir", &e->log_dir);
    case OPT_GDB:
        return take_gdb(e);
    case OPT_DUMP_MEM:
        return take_dump_mem(e);
    case 'm':
        return strncmp(optarg, "arch=", 5) == 0
                   ? command_march(exec_name, optarg + 5, &e->version)
                   : bad_option("march", "-march=ventus1 or 2", optarg);
    case 'D':
    case 'I':
    case 'O':
    case 'c':
    case 'f':
        vec_push(&e->arena, &e->build,
                 arena_printf(&e->arena, "-%c%s", c, optarg));
        return true;
    case OPT_SPEC_CONSTANT:
        vec_push(&e->arena, &e->build, "--spec-constant");
        vec_push(&e->arena, &e->build, optarg);
        return true;
    case 'x':
        e->language = optarg;
        if (strcmp(optarg, "cl") == 0 || strcmp(optarg, "s") == 0)
            return true;
        fprintf(stderr, "exec: -x: expected cl or s, found '%s'\n", optarg);
        return false;
    default:
        return take_recording(e, c) || take_record(e, c);
    }
}
