/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operand collectors without a launch: instructions that come in known cycles, and
 * the cycles in which they leave.  Expected are the rules of
 * docs/microarchitecture.md, Operand collectors; of any number of collectors, what
 * a list of requests gives.
 */
#include "model/pipeline/collect.h"

#include "test.h"

struct collectors {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct collect collect;
    struct model_op op[8];
    struct inflight inflight[8];
    uint64_t now, left[8]; /* left: the first cycle in which it could; or 0 */
};

static void
start_collectors(struct collectors *c, unsigned crossbar, unsigned ports)
{
    *c = (struct collectors){ .now = 1 };
    ventus_model_defaults(&c->config);
    c->config.collectors = 8;
    c->config.banks = 4;
    c->config.crossbar = crossbar;
    c->config.issue_width = ports;
    collect_init(&c->collect, &c->config, &c->stats);
    collect_reset(&c->collect);
}

/* Of warp 0, with n vector registers; at the end of a cycle. */
static void
enter(struct collectors *c, unsigned i, unsigned n, const unsigned *reg)
{
    struct model_op *o = &c->op[i];
    o->known = true;
    for (unsigned k = 0; k < n; k++) {
        o->read[k] = READ_VECTOR;
        o->reg[k] = (uint8_t)reg[k];
        o->reads |= (uint8_t)(1 << k);
    }
    c->inflight[i] = (struct inflight){ .op = o, .id = i };
    CHECK(collect_has_room(&c->collect, PORT_ANY));
    collect_enter(&c->collect, &c->inflight[i]);
}

/* A cycle; what is complete leaves at once, if it may. */
static void
step_collectors(struct collectors *c, bool takes)
{
    c->now++;
    for (unsigned port = 0; port < c->config.issue_width; port++) {
        const struct inflight *f = collect_front(&c->collect, port);
        if (!f || !takes)
            continue;
        c->left[f->id] = c->now;
        collect_pop(&c->collect, port);
    }
    collect_tick(&c->collect, c->now);
}

/* Cycles from its issue to its way out, with nothing else there. */
static uint64_t
collect_alone(unsigned crossbar, unsigned n, const unsigned *reg)
{
    struct collectors c;
    start_collectors(&c, crossbar, 1);
    enter(&c, 0, n, reg);
    uint64_t issued = c.now;
    for (unsigned i = 0; i < 20; i++)
        step_collectors(&c, true);
    CHECK(!collect_is_busy(&c.collect));
    CHECK_EQ(collect_next_event(&c.collect, c.now), UINT64_MAX);
    return c.left[0] - issued;
}

/* microarchitecture.md, Operand collectors; issue to collector out: 2 without operand, 4 with one, 8 with
 * three; with a way for each bank nothing of it is the crossbar's. */
TEST(operands_come_as_measured)
{
    const unsigned apart[3] = { 4, 5, 6 };
    CHECK_EQ(collect_alone(1, 0, apart), 2);
    CHECK_EQ(collect_alone(1, 1, apart), 4);
    CHECK_EQ(collect_alone(1, 2, apart), 6);
    CHECK_EQ(collect_alone(1, 3, apart), 8);
    CHECK_EQ(collect_alone(8, 3, apart), 4);
}

/* A bank serves one request a cycle: two in one bank wait a cycle, three two. */
TEST(a_bank_serves_one_a_cycle)
{
    const unsigned two[3] = { 4, 8, 6 }, one[3] = { 4, 8, 12 };
    CHECK_EQ(collect_alone(8, 3, two), 5);
    CHECK_EQ(collect_alone(8, 3, one), 6);
}

/* It keeps its place, and one behind it with it, while one port is there. */
TEST(what_is_complete_waits_for_its_unit)
{
    struct collectors c;
    start_collectors(&c, 1, 1);
    enter(&c, 0, 0, NULL);
    for (unsigned i = 0; i < 5; i++)
        step_collectors(&c, false);
    CHECK(collect_has_complete(&c.collect));
    CHECK_EQ(c.left[0], 0);
    step_collectors(&c, true);
    CHECK_EQ(c.left[0], 7);
}

/* The arbiters have not granted yet. */
static void
begin_arbiters(struct collectors *c, unsigned input)
{
    c->config.arbiters_begin = input;
    collect_init(&c->collect, &c->config, &c->stats);
    collect_reset(&c->collect);
}

/* With one port the lowest leaves first; with two each has its own way, in turn: where the
 * arbiters begin with 1, as if collector 0 had left last. */
TEST(two_ports_have_two_ways_out)
{
    static const struct {
        unsigned ports, begin, left[3];
    } row[] = { { 1, 0, { 3, 4, 5 } },
                { 1, 1, { 3, 4, 5 } },
                { 2, 0, { 3, 3, 4 } },
                { 2, 1, { 4, 3, 3 } } };
    struct collectors c;
    for (unsigned r = 0; r < sizeof row / sizeof *row; r++) {
        start_collectors(&c, 1, row[r].ports);
        begin_arbiters(&c, row[r].begin);
        c.op[1].scalar_port = true;
        for (unsigned i = 0; i < 3; i++)
            enter(&c, i, 0, NULL);
        for (unsigned i = 0; i < 5; i++)
            step_collectors(&c, true);
        for (unsigned i = 0; i < 3; i++)
            CHECK_EQ(c.left[i], row[r].left[i]);
    }
}

/* Two collectors that ask one bank in one cycle: the arbiter of the bank begins with its
 * input 0, the first operand of collector 0, or with 1, and input 0 is the last. */
TEST(a_bank_begins_with_one_of_two_inputs)
{
    const unsigned reg[1] = { 4 };
    for (unsigned begin = 0; begin < 2; begin++) {
        struct collectors c;
        start_collectors(&c, 8, 2);
        c.config.collect_cycles = 0;
        begin_arbiters(&c, begin);
        enter(&c, 0, 1, reg);
        enter(&c, 1, 1, reg);
        collect_tick(&c.collect, c.now);
        for (unsigned i = 0; i < 9; i++)
            step_collectors(&c, true);
        CHECK_EQ(c.left[0] - c.left[1], begin ? 1 : UINT64_MAX);
    }
}

/*
 * Where a collector asks in the cycle of issue: I + 1 without operands, else
 * I + 2 + r, r the most operands in one bank (microarchitecture.md, Operand
 * collectors, Chisel design).
 */
TEST(operands_are_asked_for_in_the_cycle_of_issue)
{
    const struct {
        unsigned n, reg[3], out;
    } row[] = { { 0, { 0 }, 1 },        { 1, { 4 }, 3 },
                { 3, { 4, 5, 6 }, 3 },  { 3, { 4, 8, 6 }, 4 },
                { 3, { 4, 8, 12 }, 5 }, { 2, { 4, 4 }, 4 } };
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct collectors c;
        start_collectors(&c, 8, 2);
        c.config.collect_cycles = 0;
        collect_init(&c.collect, &c.config, &c.stats);
        CHECK(collect_is_direct(&c.collect));
        enter(&c, 0, row[i].n, row[i].reg);
        uint64_t issued = c.now;
        collect_tick(&c.collect, c.now);
        for (unsigned k = 0; k < 10; k++)
            step_collectors(&c, true);
        CHECK_EQ(c.left[0] - issued, row[i].out);
    }
}

/*
 * The vector port has the lowest collector that was free when the cycle began, the
 * scalar one the next: it needs a second one even if the vector port issues nothing
 * (instDemux), and one that leaves in this cycle is not free.
 */
TEST(the_scalar_port_needs_a_second_collector)
{
    struct collectors c;
    start_collectors(&c, 8, 2);
    c.config.collect_cycles = 0;
    begin_arbiters(&c, 1);
    for (unsigned i = 0; i < 7; i++)
        enter(&c, i, 0, NULL);
    collect_tick(&c.collect, c.now);
    CHECK(collect_has_room(&c.collect, PORT_VECTOR));
    CHECK(!collect_has_room(&c.collect, PORT_SCALAR));
    CHECK(collect_front(&c.collect, PORT_VECTOR) == &c.inflight[1]);
    collect_pop(&c.collect, PORT_VECTOR);
    CHECK(!collect_has_room(&c.collect, PORT_SCALAR));
    collect_tick(&c.collect, ++c.now);
    CHECK(collect_has_room(&c.collect, PORT_SCALAR));
}

/* A place for each; it is free again in the cycle in which one left. */
TEST(collectors_have_a_capacity)
{
    struct collectors c;
    start_collectors(&c, 1, 1);
    for (unsigned i = 0; i < 8; i++)
        enter(&c, i, 0, NULL);
    CHECK(!collect_has_room(&c.collect, PORT_ANY));
    step_collectors(&c, true);
    CHECK(!collect_has_room(&c.collect, PORT_ANY));
    step_collectors(&c, true);
    CHECK(collect_has_room(&c.collect, PORT_ANY));
}

/* ---- any number of them ---- */

enum { ASKS_NOT = -1, MOST = 64, HALVES = 8 };

/* An instruction in a collector: of each operand its bank, which counts the scalar
 * and the vector half, whether it passed the crossbar and when that is known. */
struct slow_collector {
    bool used, complete;
    uint64_t id;
    int bank[3];
    bool passed[3];
    uint64_t known_at[3];
};

struct slow {
    struct slow_collector at[MOST];
    unsigned collectors, ways;
    int served[HALVES]; /* the request that a bank served last */
};

static bool
asks(const struct slow_collector *s, unsigned k, uint64_t now)
{
    return s->used && s->bank[k] != ASKS_NOT &&
           (!s->passed[k] || s->known_at[k] > now);
}

/* The next request behind the last one, or ASKS_NOT. */
static int
slow_serve(struct slow *s, int bank, uint64_t now)
{
    int all = 4 * (int)s->collectors;
    for (int i = 1; i <= all; i++) {
        int r = (s->served[bank] + i) % all;
        const struct slow_collector *c = &s->at[r / 4];
        if (r % 4 < 3 && c->bank[r % 4] == bank && asks(c, r % 4u, now)) {
            s->served[bank] = r;
            return r;
        }
    }
    return ASKS_NOT;
}

static void
slow_tick(struct slow *s, uint64_t now)
{
    unsigned ways = s->ways;
    for (unsigned i = 0; i < s->collectors; i++) {
        struct slow_collector *c = &s->at[i];
        c->complete =
            c->used && !asks(c, 0, now) && !asks(c, 1, now) && !asks(c, 2, now);
    }
    for (int bank = 0; bank < HALVES; bank++) {
        int r = slow_serve(s, bank, now);
        if (r == ASKS_NOT || !ways)
            continue;
        ways--;
        struct slow_collector *c = &s->at[r / 4];
        if (!c->passed[r % 4]) {
            c->passed[r % 4] = true;
            c->known_at[r % 4] = now + 2;
        }
    }
}

/* The lowest collector that is free has it. */
static void
slow_enter(struct slow *s, uint64_t id, const struct model_op *o, unsigned warp)
{
    struct slow_collector *c = s->at;
    while (c->used)
        c++;
    *c = (struct slow_collector){ .used = true, .id = id };
    for (unsigned k = 0; k < 3; k++)
        c->bank[k] = o->read[k] == READ_NONE
                         ? ASKS_NOT
                         : (int)(2 * ((warp + o->reg[k]) % 4) +
                                 (o->read[k] == READ_VECTOR));
}

static uint64_t
draw(uint64_t *seed, uint64_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (*seed >> 33) % n;
}

/* Up to three registers of one file or the other. */
static void
draw_op(uint64_t *seed, struct model_op *o)
{
    *o = (struct model_op){ .known = true };
    unsigned n = (unsigned)draw(seed, 4);
    for (unsigned k = 0; k < n; k++) {
        o->read[k] = draw(seed, 2) ? READ_VECTOR : READ_SCALAR;
        o->reg[k] = (uint8_t)draw(seed, 32);
        o->reads |= (uint8_t)(1 << k);
    }
}

/* The first that is complete, which leaves; its number, or UINT64_MAX. */
static uint64_t
slow_pop(struct slow *s)
{
    for (unsigned i = 0; i < s->collectors; i++)
        if (s->at[i].complete) {
            uint64_t id = s->at[i].id;
            s->at[i] = (struct slow_collector){ .used = false };
            return id;
        }
    return UINT64_MAX;
}

static void
follows(unsigned collectors, unsigned ways, uint64_t seed)
{
    enum { N = 2000 };
    static struct model_op op[N];
    static struct inflight in[N];
    struct collectors c;
    struct slow s = { .collectors = collectors, .ways = ways };
    unsigned n = 0;
    start_collectors(&c, ways, 1);
    c.config.collectors = collectors;
    collect_init(&c.collect, &c.config, &c.stats);
    memset(s.served, 0xff, sizeof s.served);
    for (uint64_t now = 2; now < 3000; now++) {
        const struct inflight *f = collect_front(&c.collect, 0);
        bool takes = draw(&seed, 8);
        uint64_t id = takes ? slow_pop(&s) : UINT64_MAX;
        if (takes && !CHECK_EQ(f ? f->id : UINT64_MAX, id))
            break;
        if (takes && f)
            collect_pop(&c.collect, 0);
        collect_tick(&c.collect, now);
        slow_tick(&s, now);
        if (n == N || !collect_has_room(&c.collect, PORT_ANY))
            continue;
        draw_op(&seed, &op[n]);
        in[n] = (struct inflight){ .op = &op[n],
                                   .id = n,
                                   .warp = (uint8_t)draw(&seed, 8) };
        slow_enter(&s, n, &op[n], in[n].warp);
        collect_enter(&c.collect, &in[n]);
        n++;
    }
    CHECK(n > 200);
}

/* More than 16 have their requests in several words. */
TEST(any_number_of_collectors_is_served_in_turn)
{
    static const unsigned collectors[] = { 1, 8, 16, 17, 32, 33, 48, 64 };
    for (unsigned i = 0; i < sizeof collectors / sizeof *collectors; i++)
        for (unsigned ways = 1; ways <= 8; ways *= 2)
            follows(collectors[i], ways, 100 * i + ways);
}

TEST_MAIN
