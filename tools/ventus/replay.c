/* SPDX-License-Identifier: Apache-2.0 */
/* ventus replay: runs launches of a recording again. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "option_list.h"
#include "recording/extract.h"
#include "replay.h"

static const char help[] =
    "usage: ventus replay FILE [OPTION...]\n"
    "\n"
    "Replays launches of a file that `ventus run --record FILE` has written:\n"
    "runs each alone, with its recorded memory, and compares how it ends.\n"
    "\n";

static const char help_end[] =
    "\n"
    "  ventus run --record app.rec -- ./nbody --n 1024\n"
    "  ventus replay app.rec --list\n"
    "  ventus replay app.rec --launch 3 --check\n"
    "  ventus replay app.rec --launch 3 --model chisel --report r.html\n"
    "\n"
    "Exit status: 0 all ended well and as recorded, 1 one did not, or has "
    "findings, or\n"
    "the file is wrong, 2 wrong command line.\n";

static bool
take_number(struct replaying *r)
{
    r->one = true;
    if (text_number(optarg, 10, 0, UINT64_MAX, &r->number))
        return true;
    fprintf(stderr, "replay: --launch: expected a number, found '%s'\n",
            optarg);
    return false;
}

static bool
take_option(struct replaying *r, int c)
{
    size_t settings = r->e.set.n;
    switch (c) {
    case OPT_LIST:
        return r->list = true;
    case OPT_LAUNCH:
        return take_number(r);
    case OPT_SAVE:
        return (r->save = optarg) != NULL;
    case OPT_COMPARE:
        return r->compare = true;
    default:
        if (!exec_take_option(&r->e, c))
            return false;
    }
    for (; settings < r->e.set.n; settings++)
        if (strncmp(r->e.set.at[settings], "engine=", 7) == 0)
            r->engine_given = true;
    return true;
}

/* The reason why these options cannot be combined; NULL: they can. */
static const char *
wrong_options(const struct replaying *r)
{
    const struct exec *e = &r->e;
    const struct ventus_dev_record *w = &e->record;
    if (r->save && !r->one)
        return "--save needs --launch";
    if ((r->list || r->save) && (e->checked || e->gdb || r->compare))
        return "--list and --save run nothing";
    if (r->compare && (e->checked || e->gdb))
        return "--compare is without --check and --gdb";
    if (exec_wants_both(e) ||
        (r->compare && e->engine && strcmp(e->engine, "native") == 0))
        return "--engine native is without --stats, --log, --issues, --check, "
               "--gdb and --compare, which interpret instructions";
    if (e->gdb && (e->log || e->stats))
        return "--gdb is without --log and --stats";
    if (e->log && e->issues)
        return "expected --log or --issues, found both";
    if (!r->one && recording_launches(r->from) > 1 &&
        (w->trace || w->konata || w->events || w->report || e->log ||
         e->issues || e->check_json || e->outputs.n || e->gdb))
        return "the recording has several launches: say which one, with "
               "--launch N";
    return NULL;
}

static int
save_launch(struct replaying *r)
{
    if (file_is_same(r->save, recording_path(r->from))) {
        fprintf(stderr,
                "replay: error: %s: --save would replace the recording that "
                "it reads\n",
                r->save);
        return 1;
    }
    bool ok =
        recording_extract(r->from, (size_t)r->number, r->save, &r->e.sink);
    diag_print(&r->e.sink, stderr, command_colour());
    return ok ? 0 : 1;
}

static int
replay_file(struct replaying *r)
{
    size_t n = recording_launches(r->from);
    int status = 0;
    const char *wrong = wrong_options(r);
    if (wrong) {
        fprintf(stderr, "replay: %s\n", wrong);
        return command_usage("replay");
    }
    if (r->one && r->number >= n) {
        fprintf(stderr,
                "replay: error: %s: no launch %" PRIu64 ", it has %zu, the "
                "first is 0\n",
                recording_path(r->from), r->number, n);
        return 1;
    }
    if (r->list)
        return replay_list(r);
    if (r->save)
        return save_launch(r);
    status = exec_may_write(&r->e);
    if (status)
        return status;
    if (!n)
        fprintf(stderr, "replay: %s has no launches\n",
                recording_path(r->from));
    for (size_t i = 0; i < n && !exec_interrupted(); i++)
        if (!r->one || i == r->number)
            status |= replay_run(r, i);
    return exec_interrupted() ? exec_status(false) : status;
}

static int
open_and_replay(struct replaying *r, const char *path)
{
    r->from = recording_open(path, &r->e.sink);
    diag_print(&r->e.sink, stderr, command_colour());
    r->e.sink = (struct diag_sink){ .arena = &r->e.arena };
    int status = r->from ? replay_file(r) : 1;
    recording_memory_free(&r->memory);
    recording_memory_free(&r->after);
    recording_close(r->from);
    return status;
}

int
command_replay(int argc, char **argv)
{
    struct replaying r = { .e = { .grid = { 0 } } };
    int status = -1;
    exec_name = "replay";
    r.e.sink.arena = &r.e.arena;
    for (int c; status < 0 &&
                (c = command_option(argc, argv, &options_replay)) != -1;) {
        if (c == 'h')
            status = command_help(help, &options_replay, help_end);
        else if (!take_option(&r, c))
            status = command_usage("replay");
    }
    if (status < 0 && optind + 1 != argc) {
        fputs("replay: expected one file\n", stderr);
        status = command_usage("replay");
    }
    if (status < 0 && strcmp(argv[optind], "-") == 0) {
        fputs("replay: expected a file, found '-': a recording is read from "
              "several places\n",
              stderr);
        status = command_usage("replay");
    }
    if (status < 0)
        status = open_and_replay(&r, argv[optind]);
    arena_free(&r.e.arena);
    return status;
}
