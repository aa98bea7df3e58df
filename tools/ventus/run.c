/* SPDX-License-Identifier: Apache-2.0 */
/* ventus run: runs an OpenCL program on a Ventus device. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ventus/dev.h>
#include <ventus/dev_check.h>

#include "base/file.h"
#include "base/output.h"
#include "base/text.h"
#include "base/vec.h"
#include "dev/findings/check_kinds.h"
#include "dev/spec.h"
#include "gdb/gdb.h"
#include "option_list.h"
#include "run_program.h"

static const char help[] =
    "usage: ventus run [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs an unchanged OpenCL program; Ventus devices are the only devices "
    "that\n"
    "it finds.  Only the environment of this process changes.\n"
    "\n";

static const char help_end[] =
    "\n"
    "Ctrl-C stops the kernels that run, says where their warps were, writes "
    "the\n"
    "statistics and files of what was done, and ends the program (130).\n"
    "\n"
    "  ventus run --stats -- ./nbody --n 1024\n"
    "  ventus run --device default:num_thread=8 -- clinfo\n"
    "  ventus run --model chisel --report r.html -- ./nbody --n 64\n"
    "  ventus run --model chisel:clock_mhz=250 --stats -- ./nbody --n 64\n"
    "\n"
    "rtl-verilog runs lanes that have no work-item (all_lanes): start code "
    "masks them in\n"
    "workgroups that are no multiple of its 8 lanes.\n";

/* A file that an option writes. */
struct option_file {
    const char *option, *path, *given; /* path: from the root */
};

/* The requested devices and records; each device of the list gets the settings. */
struct wanted {
    struct arena arena;
    const char *list, *threads;
    const char *set;                    /* ":key=value" for each --set, or "" */
    const char *engine;                 /* setting of the engine, or "" */
    bool native;                        /* --engine native */
    bool records, parts, deterministic; /* parts: limits of what is recorded */
    bool of_check;                      /* an option that requires --check */
    bool recorded, results;             /* --record; --record-results */
    bool counts, logs;                  /* --stats or --json; --log */
    bool coherence;                     /* --coherence */
    const char *gdb;
    struct ventus_dev_check check; /* kinds: NULL without --check */
    unsigned long sm;              /* SM of --trace-sm, from 1; 0: all */
    bool no_file;                  /* a file cannot be read or written */
    vec(struct option_file) files;
};

/* Sets a path, which is made absolute, as the program may change its folder. */
static bool
set_path(struct wanted *w, const char *option, const char *name,
         const char *path)
{
    char here[4096];
    const char *given = path;
    if (strcmp(path, "-") == 0) {
        fprintf(stderr,
                "run: --%s: expected a file, found '-': standard output is the "
                "program's\n",
                option);
        return false;
    }
    const char *expected = spec_other_format(option, path);
    if (expected) {
        fprintf(stderr, "run: --%s: expected a file for %s, found '%s'\n",
                option, expected, path);
        return false;
    }
    if (!output_may_open(path)) {
        fprintf(stderr, "run: cannot write '%s': %s\n", path, strerror(errno));
        w->no_file = true;
        return false;
    }
    if (*path != '/' && getcwd(here, sizeof here))
        path = arena_printf(&w->arena, "%s/%s", here, path);
    for (size_t i = 0; i < w->files.n; i++) {
        const struct option_file *old = &w->files.at[i];
        if (strcmp(old->option, option) == 0) {
            fprintf(stderr,
                    "run: --%s: expected one file, found '%s' and '%s'\n",
                    option, old->given, given);
            return false;
        }
        if (file_is_same(old->path, path)) {
            fprintf(stderr, "run: --%s and --%s would write one file, '%s'\n",
                    old->option, option, given);
            return false;
        }
    }
    vec_push(&w->arena, &w->files,
             ((struct option_file){ option, path, given }));
    return setenv(name, path, 1) == 0;
}

/* Checks that a device supports the options: the first device is debugged, the first
 * that profiles is recorded, all are checked.  `before`: the abilities of the devices
 * before it. */
static bool
suits_options(struct ventus_dev *d, const struct wanted *w, unsigned before)
{
    if (w->gdb && !before && !ventus_dev_can(d, VENTUS_DEV_SANITIZES)) {
        fputs("run: --gdb needs the functional machine (--device)\n", stderr);
        return false;
    }
    if (w->check.kinds && !ventus_dev_check(d, &w->check)) {
        fprintf(stderr, "run: --check: %s\n", ventus_dev_message());
        return false;
    }
    uint64_t sms = ventus_dev_setting(d, "num_sm");
    if (w->sm <= sms || (before & VENTUS_DEV_PROFILES) ||
        !ventus_dev_can(d, VENTUS_DEV_PROFILES))
        return true;
    fprintf(stderr,
            "run: --trace-sm %lu: expected 0 to %llu, the SMs of the "
            "device\n",
            w->sm - 1, (unsigned long long)sms - 1);
    return false;
}

/* Checks that a text, NAME[:key=value...], is a device, and adds the abilities of its
 * engine to `able`. */
static bool
is_device(struct arena *a, const char *text, size_t size,
          const struct wanted *w, unsigned *able)
{
    enum { MAX_SETTINGS = 64 };
    const char *settings[MAX_SETTINGS];
    unsigned can = 0;
    char *name =
        arena_printf(a, "%.*s%s%s", (int)size, text, w->engine, w->set);
    struct ventus_dev_options options = { .config = name, .set = settings };
    for (char *colon = name; (colon = strchr(colon, ':'));) {
        *colon++ = 0;
        if (options.n_set < MAX_SETTINGS)
            settings[options.n_set++] = colon;
    }
    struct ventus_dev *d = ventus_dev_open(&options);
    if (!d)
        fprintf(stderr, "run: device '%.*s': %s\n", (int)size, text,
                ventus_dev_message());
    bool ok = d && suits_options(d, w, *able);
    if (ok && ventus_dev_capabilities(&options, &can))
        *able |= can;
    ventus_dev_close(d);
    return ok;
}

static bool
has_empty_name(const char *list)
{
    size_t n = strlen(list);
    return !n || *list == ',' || list[n - 1] == ',' || strstr(list, ",,");
}

static bool
set_devices(const struct wanted *w, unsigned *able)
{
    struct arena a = { 0 };
    bool changes = w->list || w->threads || w->deterministic || *w->set;
    const char *given = changes ? NULL : getenv("VENTUS_DEVICES");
    const char *devices = "", *list = w->list           ? w->list
                                      : given && *given ? given
                                                        : "default";
    if (!changes && !w->records && !w->check.kinds && !w->gdb)
        return true;
    if (has_empty_name(list)) {
        fprintf(stderr,
                "run: device '%s': expected names of presets or files, "
                "separated by commas\n",
                list);
        return false;
    }
    while (*list) {
        int n = (int)strcspn(list, ",");
        if (n && !is_device(&a, list, (size_t)n, w, able)) {
            arena_free(&a);
            return false;
        }
        if (n)
            devices = arena_printf(
                &a, "%s%s%.*s%s%s%s%s%s", devices, *devices ? "," : "", n, list,
                w->engine, w->set, w->threads ? ":host_threads=" : "",
                w->threads ? w->threads : "",
                w->deterministic ? ":deterministic=yes" : "");
        list += n + (list[n] == ',');
    }
    bool ok = setenv("VENTUS_DEVICES", devices, 1) == 0;
    arena_free(&a);
    return ok;
}

static bool
take_threads(struct wanted *w, const char *text)
{
    uint64_t n;
    w->threads = text;
    if (text_number(text, 10, 1, 256, &n))
        return true;
    fprintf(stderr, "run: --threads %s: expected 1 to 256\n", text);
    return false;
}

static bool
take_limit(const char *text)
{
    uint64_t ms;
    if (text_number(text, 10, 1, UINT64_MAX, &ms))
        return setenv("VENTUS_TIME_LIMIT_MS", text, 1) == 0;
    fprintf(stderr, "run: --time-limit %s: expected milliseconds\n", text);
    return false;
}

static bool
take_check(struct wanted *w, const char *kinds)
{
    w->check.kinds = kinds;
    if (findings_kinds(kinds, CHECK_ALL))
        return setenv("VENTUS_CHECK", kinds, 1) == 0;
    fprintf(stderr, "run: --%s\n", ventus_dev_message());
    return false;
}

static bool
take_check_limit(const char *text)
{
    uint64_t n;
    if (text_number(text, 10, 1, UINT64_MAX, &n))
        return setenv("VENTUS_CHECK_LIMIT", text, 1) == 0;
    fprintf(stderr, "run: --check-limit %s: expected a number above 0\n", text);
    return false;
}

/* Sets the path of a readable file, made absolute, as the program may change its
 * folder. */
static bool
set_readable(struct wanted *w, const char *name, const char *path)
{
    char *real = realpath(path, NULL);
    bool ok = real && access(real, R_OK) == 0 && setenv(name, real, 1) == 0;
    if (!ok)
        fprintf(stderr, "run: cannot read '%s': %s\n", path, strerror(errno));
    w->no_file |= !ok;
    free(real);
    return ok;
}

/* Takes an option that limits what is recorded. */
static bool
take_part(struct wanted *w, int c)
{
    uint64_t from, to, n;
    if (c == OPT_TRACE_KERNEL)
        return setenv("VENTUS_TRACE_KERNEL", optarg, 1) == 0;
    if (c == OPT_TRACE_CYCLES && spec_cycles(optarg, &from, &to))
        return setenv("VENTUS_TRACE_CYCLES", optarg, 1) == 0;
    if (c == OPT_TRACE_CYCLES) {
        fprintf(stderr,
                "run: --trace-cycles %s: expected FROM:TO or FROM:, cycles, "
                "FROM not above TO, TO above 0\n",
                optarg);
        return false;
    }
    if (text_number(optarg, 10, 0, UINT32_MAX, &n)) {
        w->sm = n + 1;
        return setenv("VENTUS_TRACE_SM", optarg, 1) == 0;
    }
    fprintf(stderr, "run: --trace-sm %s: expected the number of an SM\n",
            optarg);
    return false;
}

static bool
take_setting(struct wanted *w, const char *text)
{
    if (strchr(text, '=') && !strpbrk(text, ":,")) {
        w->set = arena_printf(&w->arena, "%s:%s", w->set, text);
        return true;
    }
    fprintf(stderr, "run: --set %s: expected KEY=VALUE\n", text);
    return false;
}

/* Takes --gdb.  A port in use is reported now, and not when a device is opened. */
static bool
take_gdb(struct wanted *w, const char *where)
{
    char why[512];
    w->gdb = where;
    if (gdb_may_open(where, why, sizeof why))
        return setenv("VENTUS_GDB", where, 1) == 0;
    fprintf(stderr, "run: --%s\n", why);
    return false;
}

static bool
take_key(struct wanted *w, const char *key)
{
    return take_setting(w, arena_printf(&w->arena, "%s=%s", key, optarg));
}

/* Takes an option that records launches; false: it is none of these, or wrong. */
static bool
take_record(struct wanted *w, int c)
{
    w->records = true;
    switch (c) {
    case OPT_HOT:
        return setenv("VENTUS_HOT", "1", 1) == 0;
    case OPT_REPORT:
        return set_path(w, "report", "VENTUS_REPORT", optarg);
    case OPT_TRACE:
        return set_path(w, "trace", "VENTUS_TRACE", optarg);
    case OPT_EVENTS:
        return set_path(w, "events", "VENTUS_EVENTS", optarg);
    default:
        return set_path(w, "konata", "VENTUS_KONATA", optarg);
    }
}

static bool
take_engine(struct wanted *w, const char *text)
{
    if (!command_is_engine(text)) {
        fprintf(stderr,
                "run: --engine %s: expected auto, interpreter or native\n",
                text);
        return false;
    }
    w->native = strcmp(text, "native") == 0;
    w->set = arena_printf(&w->arena, "%s:execution=%s", w->set, text);
    if (strcmp(text, "interpreter") == 0)
        return true;
    return setenv("VENTUS_ENGINE_SHARE", "1", 1) == 0;
}

static bool
take_option(struct wanted *w, int c)
{
    switch (c) {
    case OPT_MODEL:
        w->list = optarg;
        w->engine = ":engine=model";
        return true;
    case OPT_DEVICE:
        w->list = optarg;
        w->engine = "";
        return true;
    case OPT_HOT:
    case OPT_REPORT:
    case OPT_TRACE:
    case OPT_EVENTS:
    case OPT_KONATA:
        return take_record(w, c);
    case OPT_TRACE_CYCLES:
    case OPT_TRACE_KERNEL:
    case OPT_TRACE_SM:
        w->parts = true;
        return take_part(w, c);
    case OPT_SET:
        return take_setting(w, optarg);
    case OPT_ENGINE:
        return take_engine(w, optarg);
    case OPT_THREADS:
        return take_threads(w, optarg);
    case OPT_DETERMINISTIC:
        w->deterministic = true;
        return true;
    case OPT_LOG:
        w->logs = true;
        return set_path(w, "log", "VENTUS_LOG", optarg);
    case OPT_LANES:
        return take_key(w, "num_thread");
    case OPT_LIMIT:
        return take_key(w, "max_instructions");
    case OPT_COHERENCE:
        w->coherence = true;
        return take_key(w, "coherence");
    case OPT_STATS:
        w->counts = true;
        return setenv("VENTUS_STATS", "1", 1) == 0;
    case OPT_JSON:
        w->counts = true;
        return set_path(w, "json", "VENTUS_STATS_JSON", optarg);
    case OPT_LOG_API:
        return setenv("VENTUS_LOG_API", "1", 1) == 0;
    case OPT_TIME_LIMIT:
        return take_limit(optarg);
    case OPT_NO_CACHE:
        return setenv("VENTUS_CACHE", "0", 1) == 0;
    case OPT_IGNORE_FAULTS:
        return setenv("VENTUS_FAULT_STATUS", "0", 1) == 0;
    case OPT_OPTIONS:
        return setenv("VENTUS_BUILD_OPTIONS", optarg, 1) == 0;
    case OPT_GDB:
        return take_gdb(w, optarg);
    case OPT_RECORD:
        w->recorded = true;
        return set_path(w, "record", "VENTUS_RECORD", optarg);
    case OPT_RECORD_RESULTS:
        w->results = true;
        return setenv("VENTUS_RECORD_RESULTS", "1", 1) == 0;
    case OPT_RECORD_ON_FAULT:
        return set_path(w, "record-on-fault", "VENTUS_RECORD_ON_FAULT", optarg);
    case OPT_CHECK:
        return take_check(w, optarg ? optarg : "all");
    case OPT_CHECK_JSON:
        w->of_check = true;
        return set_path(w, "check-json", "VENTUS_CHECK_JSON", optarg);
    case OPT_SARIF:
        w->of_check = true;
        return set_path(w, "sarif", "VENTUS_CHECK_SARIF", optarg);
    case OPT_CHECK_LIMIT:
        w->of_check = true;
        return take_check_limit(optarg);
    case OPT_SUPPRESS:
        w->of_check = true;
        w->check.suppress = optarg;
        return set_readable(w, "VENTUS_CHECK_SUPPRESS", optarg);
    }
    return false;
}

/* The option that has no effect without another one, or with it; NULL: none. */
static const char *
useless_option(const struct wanted *w)
{
    if (w->parts && !w->records)
        return "--trace-cycles, --trace-kernel and --trace-sm need --trace, "
               "--konata or --events";
    if (w->of_check && !w->check.kinds)
        return "--check-json, --sarif, --check-limit and --suppress need "
               "--check";
    if (w->results && !w->recorded)
        return "--record-results needs --record";
    if (w->native && (w->counts || w->logs || w->check.kinds || w->gdb))
        return "--engine native is without --stats, --json, --log, --check and "
               "--gdb, which interpret instructions";
    if (w->gdb && (w->counts || w->logs || w->records))
        return "--gdb is without --stats, --json, --log, --hot and files of "
               "--model";
    return NULL;
}

/* Checks all options before the program starts: 0, or the exit status. */
static int
prepare_run(struct wanted *w, bool program)
{
    unsigned able = 0;
    const char *wrong = useless_option(w);
    if (!wrong && !program)
        wrong = "expected a program";
    if (wrong) {
        fprintf(stderr, "run: %s\n", wrong);
        return command_usage("run");
    }
    if (w->logs) /* warps execute in upstream's order */
        w->set = arena_printf(&w->arena, "%s:round_robin=yes", w->set);
    if (!run_use_runtime(&w->arena) || !set_devices(w, &able))
        return 1;
    if (w->coherence && !(able & VENTUS_DEV_CYCLES)) {
        fputs("run: --coherence needs a device whose engine counts cycles "
              "(--model)\n",
              stderr);
        return command_usage("run");
    }
    if (!w->records || (able & VENTUS_DEV_PROFILES))
        return 0;
    fputs("run: --hot, --report, --trace, --konata and --events need a device "
          "whose engine profiles (--model)\n",
          stderr);
    return command_usage("run");
}

int
command_run(int argc, char **argv)
{
    struct wanted wanted = { .engine = "", .set = "" };
    int status = -1;
    /* +: options after PROGRAM are the program's. */
    for (int c;
         status < 0 && (c = command_option(argc, argv, &options_run)) != -1;) {
        if (c == 'h')
            status = command_help(help, &options_run, help_end);
        else if (!take_option(&wanted, c))
            status = wanted.no_file ? 1 : command_usage("run");
    }
    bool done = status >= 0;
    if (!done && optind < argc && !run_is_program(argv[optind])) {
        done = true;
        status = command_usage("run");
    }
    if (!done)
        status = prepare_run(&wanted, optind < argc);
    arena_free(&wanted.arena);
    if (done || status)
        return status;
    setenv("VENTUS_INTERRUPT", "1", 1);
    setenv("VENTUS_FAULT_STATUS", "3", 0);
    execvp(argv[optind], argv + optind);
    fprintf(stderr, "run: cannot start '%s': %s\n", argv[optind],
            strerror(errno));
    return 1;
}
