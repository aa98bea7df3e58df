/* SPDX-License-Identifier: Apache-2.0 */
/* ventus tile: runs programs of the tile extension. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ventus/tile.h>

#include "asm/expand.h"
#include "base/file.h"
#include "base/output.h"
#include "base/spelling.h"
#include "base/text.h"
#include "base/vec.h"
#include "isa/words.h"
#include "option_list.h"
#include "tile/load.h"
#include "tile/translate.h"

static const char help[] =
    "usage: ventus tile run PROG.elf [OPTION...]\n"
    "       ventus tile as FILE.s [-o OUT.s]\n"
    "       ventus tile dis FILE.elf [-o OUT]\n"
    "\n"
    "`as` replaces the tile instructions of an assembly file by data, for any\n"
    "RISC-V assembler.  `dis` prints code with tile and RV64 instructions.\n"
    "\n"
    "`run` executes a linked RV64 program with tile instructions until all "
    "its\n"
    "threads have called exit.  The exit status is that of the program, or\n"
    "1 for a fault, 3 for hazards, 4 for a deadlock, 5 at the limit.\n"
    "\n";

struct request {
    struct ventus_tile_options options;
    struct ventus_tile_timing costs;
    const char *timing, *trace, *output;
    uint64_t limit, arg[8];
    unsigned args;
    bool stats, any; /* any: an option of run was given */
    vec(const char *) loads, dumps;
    struct arena *arena;
    struct diag_sink *sink;
};

static bool
read_number(const char *option, const char *text, uint64_t least, uint64_t most,
            uint64_t *value)
{
    if (text_number(text, 0, least, most, value))
        return true;
    fprintf(stderr,
            "tile: --%s: '%s' is not a number from %" PRIu64 " to %" PRIu64
            "\n",
            option, text, least, most);
    return false;
}

static bool
set_mode(struct request *r, const char *text)
{
    if (strcmp(text, "inorder") == 0)
        r->options.mode = VENTUS_TILE_INORDER;
    else if (strcmp(text, "deferred") == 0)
        r->options.mode = VENTUS_TILE_DEFERRED;
    else
        return fprintf(stderr, "tile: unknown mode '%s'\n", text), false;
    return true;
}

/* Whether an option's value has the form AT=FILE, or AT,SIZE=FILE. */
static bool
is_placed(const char *option, const char *text, bool sized)
{
    const char *file = strchr(text, '='), *comma = strchr(text, ',');
    char count[24];
    uint64_t size;
    bool right = file && file[1] && file != text &&
                 (!sized || (comma && comma < file && comma != text));
    if (!right)
        return fprintf(stderr, "tile: --%s: expected %s, found '%s'\n", option,
                       sized ? "AT,SIZE=FILE" : "AT=FILE", text),
               false;
    if (!sized)
        return true;
    snprintf(count, sizeof count, "%.*s", (int)(file - comma - 1), comma + 1);
    return read_number(option, count, 1, UINT32_MAX, &size);
}

static bool
set_option(struct request *r, int c)
{
    uint64_t n = 0;
    bool ok = true;
    switch (c) {
    case OPT_THREADS:
        ok = read_number("threads", optarg, 1, VENTUS_TILE_THREADS, &n);
        r->options.threads = (unsigned)n;
        return ok;
    case OPT_PES:
        ok = read_number("pes", optarg, 1, VENTUS_TILE_PES, &n);
        r->options.pes = (unsigned)n;
        return ok;
    case OPT_MODE:
        return set_mode(r, optarg);
    case OPT_SEED:
        return read_number("seed", optarg, 0, UINT64_MAX, &r->options.seed);
    case OPT_CHECK:
        return r->options.check = true;
    case OPT_TIMING:
        r->timing = optarg;
        return r->options.timing = true;
    case OPT_STATS:
        return r->stats = true;
    case OPT_TRACE:
        r->trace = optarg;
        return true;
    case OPT_MEMORY:
        return read_number("memory", optarg, 1 << 20, UINT64_C(1) << 32,
                           &r->options.ram_size);
    case OPT_LIMIT:
        return read_number("limit", optarg, 1, UINT64_MAX, &r->limit);
    case OPT_ARG:
        if (r->args == 8)
            return fprintf(stderr, "tile: --arg: a0 to a7 are taken\n"), false;
        return read_number("arg", optarg, 0, UINT64_MAX, &r->arg[r->args++]);
    case OPT_LOAD:
        vec_push(r->arena, &r->loads, optarg);
        return is_placed("load", optarg, false);
    case OPT_DUMP:
        vec_push(r->arena, &r->dumps, optarg);
        return is_placed("dump", optarg, true);
    case 'o':
        r->output = optarg;
        return true;
    }
    return false;
}

/* Reads an address, "SYMBOL" or "0x1000"; the text ends at `length`. */
static bool
read_address(struct request *r, struct ventus_tile_machine *m, const char *text,
             size_t length, uint64_t *at)
{
    char *name = arena_strndup(r->arena, text, length), *end;
    *at = strtoull(name, &end, 0);
    if (end != name && !*end)
        return true;
    *at = ventus_tile_symbol(m, name);
    if (!*at)
        diag_report(r->sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "the program has no symbol '%s'", name);
    return *at != 0;
}

static bool
load_file(struct request *r, struct ventus_tile_machine *m, const char *text)
{
    const char *file = strchr(text, '=');
    uint64_t at;
    size_t size;
    if (!read_address(r, m, text, (size_t)(file - text), &at))
        return false;
    uint8_t *bytes = file_read(r->arena, file + 1, &size, r->sink);
    if (bytes && !ventus_tile_write(m, at, bytes, size)) {
        diag_report(r->sink, DIAG_ERROR, (struct diag_at){ .file = file + 1 },
                    "%zu bytes at 0x%" PRIx64 " are not in memory", size, at);
        return false;
    }
    return bytes != NULL;
}

static bool
dump_memory(struct request *r, struct ventus_tile_machine *m, const char *text)
{
    const char *comma = strchr(text, ','), *file = strchr(text, '=');
    uint64_t at, size = strtoull(comma + 1, NULL, 0);
    if (!read_address(r, m, text, (size_t)(comma - text), &at))
        return false;
    uint8_t *bytes = arena_new(r->arena, uint8_t, size);
    if (!ventus_tile_read(m, at, bytes, size)) {
        diag_report(r->sink, DIAG_ERROR, (struct diag_at){ .file = file + 1 },
                    "0x%" PRIx64 " + %" PRIu64 " is not in memory", at, size);
        return false;
    }
    return file_write(file + 1, bytes, size, r->sink);
}

static bool
read_costs(struct request *r)
{
    size_t size;
    for (unsigned i = 0; i < VENTUS_TILE_LAT_COUNT; i++) {
        r->costs.latency[i] = tile_words.latencies[i].cycles;
        r->costs.interval[i] = tile_words.latencies[i].interval;
    }
    r->options.costs = &r->costs;
    if (!r->timing)
        return true;
    const uint8_t *text = file_read(r->arena, r->timing, &size, r->sink);
    return text &&
           tile_read_timing(&r->costs, r->timing, (const char *)text, r->sink);
}

static void
print_stats(struct ventus_tile_machine *m, bool timing)
{
    const struct ventus_tile_stats *s = ventus_tile_stats_of(m);
    fprintf(stderr, "instructions       %12" PRIu64 "\n", s->instructions);
    if (timing)
        fprintf(stderr, "cycles             %12" PRIu64 "\n", s->cycles);
    fprintf(stderr, "multiply-adds      %12" PRIu64 "\n", s->macs);
    fprintf(stderr, "bytes, global      %12" PRIu64 "\n", s->bytes_global);
    fprintf(stderr, "bytes, share       %12" PRIu64 "\n", s->bytes_share);
    for (unsigned op = 1; op < VENTUS_TILE_OP_COUNT; op++)
        if (s->tile[op])
            fprintf(stderr, "  %-16s %12" PRIu64 "\n", tile_words.rows[op].name,
                    s->tile[op]);
}

static int
status_of(const struct ventus_tile_machine *m, enum ventus_tile_end end)
{
    switch (end) {
    case VENTUS_TILE_EXITED:
        return ventus_tile_status(m);
    case VENTUS_TILE_FAULTED:
    case VENTUS_TILE_NO_MEMORY:
        return 1;
    case VENTUS_TILE_HAZARD:
        return 3;
    case VENTUS_TILE_DEADLOCK:
        return 4;
    case VENTUS_TILE_LIMIT:
        return 5;
    }
    return 1;
}

static int
run_file(struct request *r, struct ventus_tile_machine *m, const char *path)
{
    size_t size;
    const uint8_t *image = file_read(r->arena, path, &size, r->sink);
    if (!image || !tile_load(m, path, image, size, r->sink))
        return 1;
    ventus_tile_set_arguments(m, r->arg, r->args);
    for (size_t i = 0; i < r->loads.n; i++)
        if (!load_file(r, m, r->loads.at[i]))
            return 1;
    enum ventus_tile_end end = ventus_tile_run(m, r->limit);
    fflush(stdout);
    if (end != VENTUS_TILE_EXITED)
        ventus_tile_report(m, stderr);
    for (size_t i = 0; i < r->dumps.n; i++)
        if (!dump_memory(r, m, r->dumps.at[i]))
            return 1;
    if (r->stats)
        print_stats(m, r->options.timing);
    return status_of(m, end);
}

static void
fail_trace(struct request *r)
{
    diag_report(r->sink, DIAG_ERROR, (struct diag_at){ .file = r->trace },
                "cannot write: %s", strerror(errno));
}

static int
run_program(struct request *r, const char *path)
{
    r->options.out = stdout;
    struct output o = { .is_open = false };
    if (r->trace)
        r->options.trace =
            strcmp(r->trace, "-") == 0 ? stderr : output_stream(&o, r->trace);
    int status = 1;
    struct ventus_tile_machine *m = NULL;
    bool traced = !r->trace || r->options.trace;
    if (!traced)
        fail_trace(r);
    if (traced && read_costs(r) && (m = ventus_tile_create(&r->options)))
        status = run_file(r, m, path);
    ventus_tile_destroy(m);
    if (!output_close(&o, true)) {
        fail_trace(r);
        status = status ? status : 1;
    }
    diag_print(r->sink, stderr, command_colour());
    return status;
}

static int
convert_file(struct request *r, const char *path, bool assemble)
{
    struct buf out = { 0 };
    struct elf e;
    size_t size;
    const uint8_t *bytes = file_read(r->arena, path, &size, r->sink);
    bool ok = bytes != NULL;
    if (ok && assemble)
        ok = asm_expand(&(struct ventus_asm_options){ .file = path },
                        (const char *)bytes, size, tile_replace, &out, r->arena,
                        r->sink);
    else if (ok && (ok = elf_read(r->arena, path, bytes, size, &e, r->sink)))
        tile_disassemble(&out, &e);
    ok = ok && file_write(r->output ? r->output : "-", out.at, out.n, r->sink);
    diag_print(r->sink, stderr, command_colour());
    buf_free(&out);
    return !ok;
}

/* Refuses an unknown verb; "": too few words, or too many. */
static void
refuse_verb(const char *verb)
{
    struct spelling nearest = { .word = verb };
    spelling_offer(&nearest, "run");
    spelling_offer(&nearest, "as");
    spelling_offer(&nearest, "dis");
    fputs("tile: expected run, as or dis, and a file", stderr);
    if (*verb)
        fprintf(stderr, ", found '%s'", verb);
    if (*verb && nearest.name)
        fprintf(stderr, ", did you mean '%s'?", nearest.name);
    fputc('\n', stderr);
}

static int
usage(struct arena *a)
{
    arena_free(a);
    return command_usage("tile");
}

int
command_tile(int argc, char **argv)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct request r = { .arena = &a, .sink = &sink };
    for (int c; (c = command_option(argc, argv, &options_tile)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_tile, NULL);
        r.any |= c != 'o';
        if (!set_option(&r, c))
            return usage(&a);
    }
    const char *verb = optind + 2 == argc ? argv[optind] : "";
    bool runs = strcmp(verb, "run") == 0;
    int status;
    if (runs ? r.output != NULL : r.any) {
        fprintf(stderr, "tile: %s\n",
                runs ? "-o is of as and dis"
                     : "run has options, as and dis -o");
        return usage(&a);
    }
    if (runs)
        status = run_program(&r, argv[optind + 1]);
    else if (strcmp(verb, "as") == 0 || strcmp(verb, "dis") == 0)
        status = convert_file(&r, argv[optind + 1], verb[0] == 'a');
    else
        return refuse_verb(verb), usage(&a);
    arena_free(&a);
    return status;
}
