/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random SIMT programs on every engine against the reference:
 *
 *     simt [--seed N] [--programs N] [--lanes N] [--engines all|NAME,...]
 *          [--cycle-every N] [--print]
 *
 * A program that differs is printed as assembly, after it has been made as
 * small as it gets.  Then exit status 1; 2 for what is not about programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines.h"

struct options {
    uint64_t seed, programs;
    unsigned lanes, cycle_every;
    const char *engines;
    bool print;
};

struct totals {
    uint64_t programs, refused, reference;
    uint64_t instructions[32], runs[32];
    uint64_t with_depth4, with_partial_break, with_dead, with_barrier_loop;
    uint64_t with_partial_warp, with_divergent_call, with_ended, with_return;
    unsigned deepest, max_stack;
};

enum { STATEMENTS_MAX = 150000 };

static uint64_t
number(const char *text)
{
    char *end;
    uint64_t n = text ? strtoull(text, &end, 0) : 0;
    if (!text || *end) {
        fprintf(stderr, "simt: expected a number, not '%s'\n",
                text ? text : "");
        exit(2);
    }
    return n;
}

static struct options
read_options(char **argv)
{
    struct options o = {
        .seed = 1, .programs = 100, .cycle_every = 1, .engines = "all"
    };
    for (char **a = argv + 1; *a; a++) {
        if (!strcmp(*a, "--print")) {
            o.print = true;
            continue;
        }
        const char *name = *a, *value = a[1] ? *++a : NULL;
        if (!strcmp(name, "--seed"))
            o.seed = number(value);
        else if (!strcmp(name, "--programs"))
            o.programs = number(value);
        else if (!strcmp(name, "--lanes"))
            o.lanes = (unsigned)number(value);
        else if (!strcmp(name, "--cycle-every"))
            o.cycle_every = (unsigned)number(value);
        else if (!strcmp(name, "--engines") && value)
            o.engines = value;
        else {
            fprintf(stderr, "simt: unknown option '%s'\n", name);
            exit(2);
        }
    }
    return o;
}

/* Whether the list names it; "all" leaves out those that are to be wrong. */
static bool
is_wanted(const struct options *o, const struct engine *e)
{
    size_t length = strlen(e->name);
    if (!strcmp(o->engines, "all"))
        return !e->broken;
    for (const char *at = o->engines; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!strncmp(at, e->name, length) && (!at[length] || at[length] == ','))
            return true;
    }
    return false;
}

static void
report(struct job *j, unsigned engine, struct outcome *o)
{
    const struct geometry *g = &j->program.at;
    printf("seed %llu differs on %s: %s\n", (unsigned long long)j->program.seed,
           engines[engine].name, o->wrong);
    shrink(j, engine);
    engine_run(engine, j, o);
    printf("  made smaller: %s\n", o->wrong);
    printf("  %u lanes, %u warps, %u threads a workgroup, %u in all\n\n",
           g->lanes, g->warps, g->threads, g->items);
    fputs(j->text, stdout);
}

static void
note_coverage(struct totals *t, const struct coverage *c)
{
    t->with_depth4 += c->depth4 > 0;
    t->with_partial_break += c->partial_breaks > 0;
    t->with_dead += c->dead_warps > 0;
    t->with_barrier_loop += c->loop_barriers > 0;
    t->with_partial_warp += c->partial_warps > 0;
    t->with_divergent_call += c->divergent_calls > 0;
    t->with_ended += c->ended_warps > 0;
    t->with_return += c->returns > 0;
    if (c->deepest > t->deepest)
        t->deepest = c->deepest;
}

/* False after a difference. */
static bool
run_program(const struct options *o, uint64_t seed, struct totals *t)
{
    static struct job j;
    struct outcome outcome;
    uint64_t instructions = 0;
    bool right = true;
    generate(&j.program, seed, o->lanes);
    if (!job_make(&j, STATEMENTS_MAX)) {
        t->refused++;
        return true;
    }
    if (o->print)
        fputs(j.text, stdout);
    for (unsigned i = 0; right && i < n_engines; i++) {
        if (!is_wanted(o, &engines[i]) ||
            (engines[i].cycles && seed % o->cycle_every) ||
            !engine_run(i, &j, &outcome))
            continue;
        if (outcome.instructions)
            instructions = outcome.instructions;
        if (outcome.max_stack > t->max_stack)
            t->max_stack = outcome.max_stack;
        t->instructions[i] += instructions;
        t->runs[i]++;
        if (outcome.wrong[0]) {
            report(&j, i, &outcome);
            right = false;
        }
    }
    t->programs++;
    t->reference += instructions;
    note_coverage(t, &j.expected.coverage);
    job_free(&j);
    return right;
}

static void
print_totals(const struct totals *t)
{
    uint64_t functional = 0, cycle = 0;
    printf("%-16s %10s %16s\n", "engine", "programs", "warp-instr");
    for (unsigned i = 0; i < n_engines; i++) {
        if (!t->runs[i])
            continue;
        printf("%-16s %10llu %16llu\n", engines[i].name,
               (unsigned long long)t->runs[i],
               (unsigned long long)t->instructions[i]);
        *(engines[i].cycles ? &cycle : &functional) += t->instructions[i];
    }
    printf("functional %llu, cycle model %llu, reference %llu warp-instr\n",
           (unsigned long long)functional, (unsigned long long)cycle,
           (unsigned long long)t->reference);
}

/* What programs must reach, each in as many as are seen in a few dozen. */
static bool
check_coverage(const struct totals *t)
{
    const struct {
        const char *what;
        uint64_t n;
    } rows[] = {
        { "four branches open at once", t->with_depth4 },
        { "a break by a part of the lanes", t->with_partial_break },
        { "a return by a part of the lanes", t->with_return },
        { "a warp whose lanes all end early", t->with_dead },
        { "a warp that ends before others", t->with_ended },
        { "a barrier in a uniform loop", t->with_barrier_loop },
        { "a partial warp", t->with_partial_warp },
        { "a call by a part of the lanes", t->with_divergent_call },
    };
    bool ok = true;
    printf("%llu programs, %llu too long; reached by\n",
           (unsigned long long)t->programs, (unsigned long long)t->refused);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf("%8llu  %s\n", (unsigned long long)rows[i].n, rows[i].what);
        ok = ok && (rows[i].n || t->programs < 50);
    }
    printf("branches open at most: %u; SIMT stack at most: %u\n", t->deepest,
           t->max_stack);
    if (!ok)
        printf("error: not all of it is reached\n");
    return ok;
}

int
main(int argc, char **argv)
{
    (void)argc;
    struct options o = read_options(argv);
    struct totals t = { 0 };
    bool right = true;
    for (uint64_t i = 0; right && i < o.programs; i++)
        right = run_program(&o, o.seed + i, &t);
    if (right) {
        print_totals(&t);
        right = check_coverage(&t);
    }
    engines_close();
    return !right;
}
