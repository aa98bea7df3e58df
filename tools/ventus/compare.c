/* SPDX-License-Identifier: Apache-2.0 */
/* ventus compare: compares two event files, launch by launch. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "dbg/compare.h"
#include "option_list.h"

static const char help[] =
    "usage: ventus compare [OPTION...] A B\n"
    "\n"
    "Compares the timing of two machines that ran the same program.  A and B\n"
    "are event files (docs/events.md): a line for each issue, write-back,\n"
    "memory request and end, with its cycle.  A is the reference, which a "
    "test\n"
    "bench of the RTL prints.  B comes from the model:\n"
    "\n"
    "  ventus exec --model chisel-2sm --events model.events CASE.metadata\n"
    "  ventus compare rtl.events model.events\n"
    "\n"
    "For each launch it prints the totals; the number of events of each kind\n"
    "in the same cycle; the first event in a different cycle, with the events\n"
    "of its warp around it; and the mechanisms that cause the difference of "
    "the\n"
    "totals.  These are the segments of a path from A's last issue back to "
    "the\n"
    "launch, which sum to the totals of A and B.  The n-th event of a kind,\n"
    "warp and pc of A is compared with the n-th of B; SMs are paired in the\n"
    "order of their first events.\n"
    "\n";

static const char help_end[] =
    "\n"
    "An example of a segment: \"+96  load: LSU entry to write-back\" says "
    "that\n"
    "loads on the path took 96 cycles more in B, from the LSU to the "
    "register.\n"
    "Files that have issues only give segments between issues.\n"
    "\n"
    "Exit status: 0 done, 1 wrong input, or a difference with --exact, 2 "
    "wrong\n"
    "command line.\n";

struct options {
    struct compare_options compare;
    unsigned context, version;
    bool json, exact;
};

static bool
take_number(const char *text, unsigned *n)
{
    enum { MAX_CONTEXT = 100000 };
    uint64_t value;
    bool ok = text_number(text, 10, 0, MAX_CONTEXT, &value);
    *n = (unsigned)value;
    return ok;
}

static bool
take_option(struct options *o, int c)
{
    switch (c) {
    case OPT_CONTEXT:
        if (take_number(optarg, &o->context))
            return true;
        fprintf(stderr,
                "compare: --context: expected 0 to 100000, found '%s'\n",
                optarg);
        return false;
    case OPT_ORIGIN:
        if (strcmp(optarg, "launch") == 0 || strcmp(optarg, "issue") == 0) {
            o->compare.origin = *optarg == 'i' ? COMPARE_ISSUE : COMPARE_LAUNCH;
            return true;
        }
        fprintf(stderr,
                "compare: --origin: expected launch or issue, found "
                "'%s'\n",
                optarg);
        return false;
    case 'm':
        return strncmp(optarg, "arch=", 5) == 0 &&
               command_march("compare", optarg + 5, &o->version);
    case OPT_JSON:
        o->json = true;
        return true;
    case OPT_SUBSET:
        o->compare.subset = true;
        return true;
    case OPT_EXACT:
        o->exact = true;
        return true;
    }
    return false;
}

static void
print_launch(const struct options *o, const struct comparison *c, size_t i)
{
    if (o->json) {
        struct json j = { .out = stdout };
        compare_json(&j, c, o->context);
        putchar('\n');
        return;
    }
    printf("%slaunch %zu", i ? "\n" : "", i + 1);
    if (*c->name[0] || *c->name[1])
        printf(": %s, %s", *c->name[0] ? c->name[0] : "A",
               *c->name[1] ? c->name[1] : "B");
    putchar('\n');
    compare_print(stdout, c, o->context);
}

/* Prints the comparison of every launch; true: all are exact. */
static bool
compare_all(struct arena *a, const struct options *o,
            const struct event_file *x, const struct event_file *y)
{
    size_t n = x->launches.n < y->launches.n ? x->launches.n : y->launches.n;
    bool exact = x->launches.n == y->launches.n;
    for (size_t i = 0; i < n; i++) {
        struct comparison c;
        compare_launches(a, &x->launches.at[i], &y->launches.at[i], &o->compare,
                         &c);
        exact &= compare_is_exact(&c);
        print_launch(o, &c, i);
    }
    if (x->launches.n != y->launches.n)
        fprintf(stderr,
                "compare: A has %zu launches, B has %zu: what is beyond is "
                "not compared\n",
                x->launches.n, y->launches.n);
    return exact;
}

static int
compare_files(struct options *o, const char *const *path)
{
    struct arena arena = { 0 };
    struct diag_sink sink = { .arena = &arena };
    struct event_file file[COMPARE_SIDES] = { 0 };
    bool ok = true, exact = false;
    for (unsigned side = 0; side < COMPARE_SIDES; side++) {
        ok = event_file_read(&arena, path[side], &file[side], &sink) && ok;
        if (ok && !file[side].launches.n) {
            diag_report(&sink, DIAG_ERROR,
                        (struct diag_at){ .file = path[side] },
                        "no event in it, expected lines 'cycle kind sm warp "
                        "pc word'");
            ok = false;
        }
    }
    diag_print(&sink, stderr, command_colour());
    o->compare.isa = (enum ventus_isa_version)o->version;
    if (ok)
        exact = compare_all(&arena, o, &file[0], &file[1]);
    arena_free(&arena);
    return ok && (exact || !o->exact) ? 0 : 1;
}

int
command_compare(int argc, char **argv)
{
    struct options o = { .context = 5 };
    for (int c; (c = command_option(argc, argv, &options_compare)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_compare, help_end);
        if (!take_option(&o, c))
            return command_usage("compare");
    }
    if (argc - optind != COMPARE_SIDES) {
        fputs("compare: expected two event files, A and B\n", stderr);
        return command_usage("compare");
    }
    return compare_files(&o, (const char *const *)&argv[optind]);
}
