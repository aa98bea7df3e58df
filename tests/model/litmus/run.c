/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs litmus tests on the cycle-level machine with coherence = rcc:
 *
 *     run SEEDS [FIRST] < tests, as program.py writes them
 *
 * and prints for each test and placement how often each final state was seen:
 *
 *     MP scalar across 0011:57 1111:143
 *
 * a digit for each register that the threads read into, in their order, then
 * for each location.  A seed stands for an order of issue, latencies, sizes of
 * caches, where threads and locations are, and what each thread waits for.
 *
 * Placements: one, all warps on one SM; across, an SM for each thread; mixed,
 * two SMs with two warps each, where slots without a thread make noise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/asm.h>
#include <ventus/model.h>

#include "base/arena.h"
#include "base/diag.h"
#include "obj/elf.h"

enum {
    CODE = 0x80000000,
    SLOTS = 0x90000000, /* blocks of parameters, one for each warp slot */
    SLOT_B = 128,
    SLOT_WARPS = 4, /* of a workgroup: the program numbers slots so */
    PLACES = 0x90002000,
    RESULTS = 0x90008000,
    RESULT_B = 512, /* of a thread */
    MAPPED_B = 0x10000,
    THREADS = 4,
    LOCATIONS = 4,
    LANES = 8,
    WAITS = 12,
    STATES = 4096,
    STATE = 32
};

enum placement { ONE, ACROSS, MIXED, PLACEMENTS };
static const char *const placement_names[] = { "one", "across", "mixed" };

struct test {
    char name[64], form[16];
    unsigned locations, threads, reads[THREADS];
    bool lanes;
    char *text;
    size_t size;
    uint8_t *code;
    size_t code_B;
};

/* What the program finds in the block of its warp slot. */
struct slot {
    uint32_t thread, warm, place[LOCATIONS], result, shift, wait[WAITS];
};

/* How a seed places the threads. */
struct layout {
    unsigned groups, warps, sms;
    unsigned slot[THREADS]; /* group * SLOT_WARPS + warp */
    uint32_t place[LOCATIONS];
    unsigned shift[THREADS];
};

struct seen {
    char state[STATE];
    unsigned count;
};

static uint64_t random_state;
static struct seen seen[STATES];
static unsigned states;

_Noreturn static void
die(const struct test *t, const char *what)
{
    fprintf(stderr, "run: %s (%s): %s\n", t->name, t->form, what);
    exit(2);
}

/* xorshift64*: from 0 to n - 1. */
static unsigned
any(unsigned n)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (unsigned)((random_state * UINT64_C(2685821657736338717)) >> 33) % n;
}

static unsigned
one_of(const unsigned *from, unsigned n)
{
    return from[any(n)];
}
#define ONE_OF(...)                           \
    one_of((const unsigned[]){ __VA_ARGS__ }, \
           sizeof((unsigned[]){ __VA_ARGS__ }) / sizeof(unsigned))

/* ---- reading ---- */

static bool
read_test(struct test *t, FILE *in)
{
    char line[256];
    *t = (struct test){ .size = 0 };
    if (!fgets(line, sizeof line, in))
        return false;
    int n = sscanf(line, "test %63s %15s %u %u %u %u %u", t->name, t->form,
                   &t->locations, &t->reads[0], &t->reads[1], &t->reads[2],
                   &t->reads[3]);
    if (n < 4 || t->locations > LOCATIONS)
        die(t, "a line 'test NAME FORM LOCATIONS READS...' was expected");
    t->threads = (unsigned)n - 3;
    t->lanes = !strcmp(t->form, "lanes");
    FILE *text = open_memstream(&t->text, &t->size);
    while (fgets(line, sizeof line, in) && strcmp(line, "end\n") != 0)
        fputs(line, text);
    fclose(text);
    return true;
}

static void
assemble(struct test *t)
{
    struct ventus_asm_result r;
    struct arena arena = { 0 };
    struct diag_sink sink = { 0 };
    struct elf elf;
    if (!ventus_asm_assemble(&(struct ventus_asm_options){ .file = t->name },
                             t->text, t->size, &r)) {
        ventus_asm_print_messages(&r, stderr, false);
        die(t, "it does not assemble");
    }
    if (!elf_read(&arena, t->name, r.object, r.object_size, &elf, &sink))
        die(t, "the object cannot be read");
    for (size_t i = 0; i < elf.n_sections; i++) {
        const struct elf_section *s = &elf.section[i];
        if (strcmp(s->name, ".text") != 0)
            continue;
        if (s->n_relocs)
            die(t, "the program must not need a linker");
        t->code_B = s->size;
        t->code = malloc(s->size);
        memcpy(t->code, s->contents, s->size);
    }
    if (!t->code || t->code_B > 0x2000)
        die(t, "no code, or too much");
    arena_free(&arena);
    ventus_asm_free(&r);
}

/* ---- what a seed is ---- */

static void
choose_machine(struct ventus_model_config *c)
{
    unsigned line = ONE_OF(32, 64, 128);
    ventus_model_defaults(c);
    c->local_in_cache = c->one_group = false;
    c->rcc = true;
    c->scheduler = VENTUS_MODEL_RANDOM;
    c->seed = random_state;
    c->icache.line_B = c->dcache.line_B = c->l2.line_B = line;
    c->dcache.sets = ONE_OF(1, 2, 16, 16);
    c->dcache.ways = ONE_OF(1, 2, 4);
    c->l2_hits = any(2);
    c->l2.sets = ONE_OF(2, 64);
    c->lsu_per_warp = ONE_OF(1, 4, 4);
    c->issue_width = 1 + any(2);
    c->memory_requests = 1 + any(8);
    c->memory_cycles = 1 + any(30);
    c->memory_jitter = ONE_OF(0, 5, 60);
}

/* Lines of their own, in one set or not, or words of one line. */
static void
choose_places(const struct test *t, struct layout *l)
{
    unsigned apart = ONE_OF(128, 256, 2048, t->lanes ? 32 : 4);
    for (unsigned i = 0; i < LOCATIONS; i++)
        l->place[i] = PLACES + i * apart;
}

static struct layout
choose_layout(const struct test *t, enum placement p)
{
    struct layout l = { .groups = THREADS, .warps = 1, .sms = 1 };
    unsigned slots[THREADS];
    if (p == ACROSS)
        l.sms = THREADS;
    if (p == MIXED)
        l.groups = l.warps = l.sms = 2;
    else if (p == ONE && any(2)) {
        l.groups = 1;
        l.warps = THREADS;
    }
    for (unsigned i = 0; i < THREADS; i++)
        slots[i] = i / l.warps * SLOT_WARPS + i % l.warps;
    for (unsigned i = 0; i < THREADS; i++) {
        unsigned k = i + any(THREADS - i), at = slots[k];
        slots[k] = slots[i];
        slots[i] = l.slot[i] = at;
        l.shift[i] = any(LANES);
    }
    choose_places(t, &l);
    return l;
}

/* Threads behind the test's own are noise. */
static struct slot
make_slot(const struct layout *l, unsigned thread)
{
    struct slot s = { .thread = thread,
                      .warm = any(3) ? any(1 << LOCATIONS) : 0,
                      .result = RESULTS + thread * RESULT_B,
                      .shift = l->shift[thread] };
    memcpy(s.place, l->place, sizeof s.place);
    unsigned often = any(3);
    for (unsigned i = 0; i < WAITS; i++)
        s.wait[i] = any(3) < often ? any(12) : 0;
    s.wait[0] = any(4) ? any(30) : 0;
    return s;
}

/* ---- a run ---- */

static void
count_state(const struct test *t, const char *state)
{
    for (unsigned i = 0; i < states; i++)
        if (!strcmp(seen[i].state, state)) {
            seen[i].count++;
            return;
        }
    if (states == STATES)
        die(t, "too many final states");
    strcpy(seen[states].state, state);
    seen[states++].count = 1;
}

static char
read_digit(struct ventus_model *m, uint64_t at)
{
    uint32_t value = 0;
    bool is_there = ventus_sim_read(ventus_model_sim(m), at, &value, 4);
    return (char)(!is_there || value > 9 ? '?' : '0' + (int)value);
}

/* The final state of one copy of the test. */
static void
count_copy(const struct test *t, struct ventus_model *m, const struct layout *l,
           unsigned copy)
{
    char state[STATE];
    unsigned n = 0;
    for (unsigned i = 0; i < t->threads; i++)
        for (unsigned k = 0; k < t->reads[i]; k++)
            state[n++] =
                read_digit(m, RESULTS + i * RESULT_B + 4 * (LANES * k + copy));
    for (unsigned i = 0; i < t->locations; i++)
        state[n++] = read_digit(m, l->place[i] + 4 * copy);
    state[n] = 0;
    count_state(t, state);
}

struct placed {
    unsigned sm[THREADS];
};

static void
on_event(void *ctx, const struct ventus_model_event *e)
{
    struct placed *p = ctx;
    if (e->kind == VENTUS_MODEL_EVENT_WARP)
        p->sm[e->group] = e->sm;
}

/* Workgroups come to SMs of their own if there are as many. */
static void
check_placement(const struct test *t, const struct layout *l,
                const struct placed *p)
{
    for (unsigned i = 0; i < l->groups; i++)
        for (unsigned k = 0; k < i; k++)
            if ((p->sm[i] == p->sm[k]) != (l->sms == 1))
                die(t, "a workgroup is on another SM than was planned");
}

static void
load(const struct test *t, struct ventus_model *m, const struct layout *l)
{
    struct ventus_sim *s = ventus_model_sim(m);
    bool ok =
        ventus_sim_map(s, CODE, 0x2000, VENTUS_SIM_READ | VENTUS_SIM_EXEC) &&
        ventus_sim_map(s, SLOTS, MAPPED_B,
                       VENTUS_SIM_READ | VENTUS_SIM_WRITE) &&
        ventus_sim_write(s, CODE, t->code, t->code_B);
    for (unsigned i = 0; i < THREADS; i++) {
        struct slot slot = make_slot(l, i);
        ok = ok && ventus_sim_write(s, SLOTS + l->slot[i] * SLOT_B, &slot,
                                    sizeof slot);
    }
    if (!ok)
        die(t, "memory");
}

static void
run(const struct test *t, enum placement p, uint64_t seed)
{
    char text[256] = "";
    struct ventus_model_config c;
    struct ventus_model_stats stats = { 0 };
    struct ventus_sim_fault fault;
    struct placed placed;
    random_state = (seed * PLACEMENTS + p + 1) * UINT64_C(0x9e3779b97f4a7c15);
    choose_machine(&c);
    struct layout l = choose_layout(t, p);
    struct ventus_sim_config machine = { .num_thread = LANES,
                                         .num_warp = 8,
                                         .num_sm = l.sms,
                                         .scalar_amo = !t->lanes };
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    if (!m)
        die(t, text);
    load(t, m, &l);
    struct ventus_model_hooks hooks = { .ctx = &placed, .event = on_event };
    bool checks = seed % 64 == 0;
    struct ventus_sim_launch launch = { .pc = CODE,
                                        .grid = { l.groups },
                                        .warps = l.warps };
    if (!ventus_model_launch(m, &launch, checks ? &hooks : NULL, &stats,
                             &fault))
        die(t, "a fault");
    if (checks)
        check_placement(t, &l, &placed);
    for (unsigned i = 0; i < (t->lanes ? LANES : 1); i++)
        count_copy(t, m, &l, i);
    ventus_model_destroy(m);
}

int
main(int argc, char **argv)
{
    struct test t;
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    if (!seeds) {
        fprintf(stderr, "run: error: expected SEEDS [FIRST] < tests\n");
        return 2;
    }
    while (read_test(&t, stdin)) {
        assemble(&t);
        for (unsigned p = 0; p < PLACEMENTS; p++) {
            states = 0;
            for (uint64_t i = 0; i < seeds; i++)
                run(&t, p, first + i);
            printf("%s %s %s", t.name, t.form, placement_names[p]);
            for (unsigned i = 0; i < states; i++)
                printf(" %s:%u", seen[i].state, seen[i].count);
            printf("\n");
        }
        free(t.text);
        free(t.code);
    }
    return fflush(stdout) ? 2 : 0;
}
