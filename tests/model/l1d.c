/* SPDX-License-Identifier: Apache-2.0 */
/*
 * L1D without a launch: requests at its ports in known cycles, and the cycles of the
 * answers.
 */
#include <string.h>

#include "model/bits.h"
#include "model/memory/l1d.h"

#include "ports.h"
#include "test.h"

static struct ventus_model_config
config_of(unsigned ways)
{
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    c.dcache.ways = ways;
    c.dcache.sets = 4;
    return c;
}

struct bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct dcache dcache;
    uint64_t now;
    uint64_t answered[64]; /* by entry; 0: not yet */
    unsigned left;         /* requests that left for the L2 */
    struct mem_request leaving[64];
    bool closed; /* the bus takes nothing */
};

static void
start(struct bench *b, const struct ventus_model_config *c)
{
    *b = (struct bench){ .config = *c };
    CHECK(dcache_create(&b->dcache, &b->config, &b->stats, 0));
    dcache_reset(&b->dcache, 0);
}

static void
cycle(struct bench *b)
{
    const struct dcache_wires wires = { .bus_open = !b->closed,
                                        .lsu_empty = true };
    if (dcache_is_due(&b->dcache, b->now))
        dcache_tick(&b->dcache, b->now, &wires);
    if (dcache_l2_peek(&b->dcache))
        b->leaving[b->left++ % 64] = dcache_l2_take(&b->dcache);
    if (dcache_peek(&b->dcache, b->now))
        b->answered[dcache_take(&b->dcache, b->now).entry] = b->now;
    b->now++;
}

static void
run(struct bench *b, unsigned cycles)
{
    while (cycles--)
        cycle(b);
}

static void
ask(struct bench *b, unsigned entry, uint64_t line, bool write)
{
    const struct data_request r = {
        .line = line, .lanes = 1, .write = write, .entry = (uint8_t)entry
    };
    CHECK(dcache_can_send(&b->dcache, b->now));
    dcache_send(&b->dcache, b->now, &r);
}

/* Loads a line: misses, and what left is answered. */
static void
load(struct bench *b, uint64_t line)
{
    ask(b, 63, line, false);
    b->left = 0;
    run(b, 8);
    CHECK_EQ(b->left, 1);
    CHECK(b->leaving[0].op == MEM_GET && b->leaving[0].line == line);
    CHECK(answer_dcache(&b->dcache, b->now, &b->leaving[0]));
    run(b, 10);
    b->left = 0;
}

/* Tags are read in the cycle after the request, a hit is known in the next, and
 * goes one later into the queue of answers, which takes two cycles. */
enum { HIT = 1 + 1 + 1 + 2 };

TEST(a_load_that_hits)
{
    struct bench b;
    struct ventus_model_config c = config_of(2);
    start(&b, &c);
    load(&b, 5);
    uint64_t at = b.now;
    ask(&b, 1, 5, false);
    run(&b, 10);
    CHECK_EQ(b.answered[1], at + HIT);
    CHECK_EQ(b.left, 0);
    CHECK_EQ(b.stats.read_hits, 1);
    CHECK(dcache_is_idle(&b.dcache));
    dcache_destroy(&b.dcache);
}

/* ---- one that is ticked when it has something to do, beside one in each cycle ---- */

struct twins {
    struct bench b[2]; /* the first is ticked in each cycle */
    uint64_t open_at, answer_at;
    unsigned answered;
};

/* The bus is closed for some cycles, and open for some. */
static bool
bus_opens(struct twins *t, uint64_t random)
{
    uint64_t now = t->b[0].now;
    if (t->open_at <= now)
        t->open_at = random % 3 ? now + 1 + random / 3 % 24 : UINT64_MAX;
    else if (t->open_at == UINT64_MAX && !(random % 5))
        t->open_at = now + 1 + random / 5 % 24;
    return t->open_at == UINT64_MAX;
}

static void
tick_twin(struct bench *b, bool each, bool open)
{
    struct dcache *d = &b->dcache;
    const struct dcache_wires wires = { .bus_open =
                                            open && dcache_needs_bus(d, b->now),
                                        .bus_polled = !each,
                                        .lsu_empty = false };
    if (each || dcache_is_due(d, b->now) || (open && dcache_awaits_bus(d)))
        dcache_tick(d, b->now, &wires);
    else
        dcache_skip(d, 1);
    if (dcache_l2_peek(d))
        b->leaving[b->left++ % 64] = dcache_l2_take(d);
    if (dcache_peek(d, b->now))
        b->answered[dcache_take(d, b->now).entry] = b->now;
    b->now++;
}

/* What comes from the LSU, and the next answer of the L2, to both. */
static void
feed(struct twins *t, uint64_t random)
{
    const struct data_request r = { .line = random % 24,
                                    .lanes = 1,
                                    .write = random / 32 % 3 == 0,
                                    .atomic = random / 32 % 11 == 1,
                                    .entry = random / 1024 % 64,
                                    .hint = random >> 40 & 3 };
    uint64_t now = t->b[0].now;
    bool asks = !(random / 4096 % 16), answers = t->answered < t->b[0].left;
    if (answers && !t->answer_at)
        t->answer_at = now + 1 + random / 65536 % 12;
    answers = answers && t->answer_at <= now;
    bool taken[2] = { false, false };
    for (unsigned i = 0; i < 2; i++) {
        struct dcache *d = &t->b[i].dcache;
        if (asks && dcache_can_send(d, now))
            dcache_send(d, now, &r);
        if (answers)
            taken[i] =
                answer_dcache(d, now, &t->b[i].leaving[t->answered % 64]);
    }
    CHECK_EQ(taken[0], taken[1]);
    t->answered += taken[0];
    t->answer_at = taken[0] ? 0 : t->answer_at;
}

/* Requests, answers and counters are those of an L1D that sees the bus each cycle. */
TEST(an_l1d_that_awaits_the_bus_is_not_ticked)
{
    for (unsigned i = 0; i < 4; i++) {
        struct ventus_model_config c = config_of(2);
        struct twins t = { 0 };
        unsigned spared = 0, keeps = i & 1;
        c.dcache_keeps_tags = keeps;
        c.rtl_faults = i < 2;
        c.dcache_request_cycles = c.dcache_queue_room = keeps ? 0 : 1;
        c.dcache_queue = keeps ? 2 : 8;
        start(&t.b[0], &c);
        start(&t.b[1], &c);
        for (unsigned k = 0; k < 20000; k++) {
            bool open = bus_opens(&t, random_of(1, keeps, k));
            spared += dcache_awaits_bus(&t.b[1].dcache);
            tick_twin(&t.b[0], true, open);
            tick_twin(&t.b[1], false, open);
            feed(&t, random_of(2, keeps, k));
            CHECK_EQ(t.b[1].left, t.b[0].left);
            CHECK(!memcmp(t.b[1].answered, t.b[0].answered,
                          sizeof t.b[0].answered));
            CHECK(!memcmp(&t.b[1].stats, &t.b[0].stats, sizeof t.b[0].stats));
        }
        CHECK(spared > 500 && t.answered > 500);
        dcache_destroy(&t.b[0].dcache);
        dcache_destroy(&t.b[1].dcache);
    }
}

/* Behind reset 32 sets are cleared, one a cycle; of later launches none. */
TEST(a_load_waits_for_the_tags_behind_reset)
{
    for (unsigned age = 0; age < 2; age++) {
        struct bench b;
        struct ventus_model_config c = config_of(2);
        c.dcache.sets = 32;
        c.reset_cycles = 16;
        start(&b, &c);
        dcache_reset(&b.dcache, age);
        ask(&b, 1, 5, false);
        while (!b.left && b.now < 40)
            cycle(&b);
        CHECK_EQ(b.now - 1, age ? 4 : 32 - 16 + 3);
        dcache_destroy(&b.dcache);
    }
}

/* The miss is known with the tags; its queue takes two cycles. */
TEST(a_load_that_misses_leaves_once)
{
    struct bench b;
    struct ventus_model_config c = config_of(2);
    start(&b, &c);
    ask(&b, 1, 5, false);
    for (unsigned i = 0; i < 4; i++) {
        cycle(&b);
        CHECK_EQ(b.left, 0);
    }
    cycle(&b);
    CHECK_EQ(b.left, 1);
    CHECK(dcache_awaits_l2(&b.dcache));
    ask(&b, 2, 5, false);
    run(&b, 20);
    CHECK_EQ(b.left, 1);
    CHECK_EQ(b.answered[1] + b.answered[2], 0);
    CHECK(!dcache_is_due(&b.dcache, b.now));
    /* The line comes: requests are answered one a cycle, the last one first. */
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 20);
    CHECK_EQ(b.answered[1], b.answered[2] + 1);
    CHECK(!dcache_awaits_l2(&b.dcache));
    CHECK_EQ(b.stats.read_misses, 2);
    dcache_destroy(&b.dcache);
}

/*
 * The Chisel design: what waits for a line is answered in the order in which it came,
 * and queues take a cycle each: a hit is answered three cycles after the tags took the
 * request, a miss leaves a cycle after it was known.
 */
TEST(answers_of_the_chisel_l1d)
{
    struct bench b;
    struct ventus_model_config c = config_of(2);
    c.dcache_newest_first = false;
    c.dcache_answer_cycles = c.dcache_queue_cycles = 1;
    c.dcache_queue = 8;
    c.dcache_queue_room = 0;
    start(&b, &c);
    uint64_t at = b.now;
    ask(&b, 1, 5, false);
    while (!b.left && b.now < 20)
        cycle(&b);
    CHECK_EQ(b.now - 1, at + 1 + 2);
    ask(&b, 2, 5, false);
    run(&b, 20);
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 20);
    CHECK_EQ(b.answered[2], b.answered[1] + 1);
    at = b.now;
    ask(&b, 3, 5, false);
    run(&b, 10);
    CHECK_EQ(b.answered[3], at + 1 + 3);
    dcache_destroy(&b.dcache);
}

/* The Chisel design's, whose lines that come wait for misses or not. */
static void
start_chisel(struct bench *b, bool fill_waits)
{
    struct ventus_model_config c = config_of(2);
    c.dcache_request_cycles = 0;
    c.dcache_newest_first = false;
    c.dcache_answer_cycles = c.dcache_queue_cycles = 1;
    c.dcache_queue = 8;
    c.dcache_queue_room = 0;
    c.dcache_fill_waits = fill_waits;
    start(b, &c);
}

/* Cycles from the delivery of a line to the answer of its load; another load misses
 * that was asked `before` cycles earlier. */
static unsigned
fill_beside_a_miss(bool fill_waits, unsigned before)
{
    struct bench b;
    start_chisel(&b, fill_waits);
    ask(&b, 1, 5, false);
    run(&b, 20);
    ask(&b, 2, 6, false);
    run(&b, before);
    uint64_t at = b.now;
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 20);
    CHECK_EQ(b.left, 2);
    dcache_destroy(&b.dcache);
    return (unsigned)(b.answered[1] - at);
}

/* missRspOut_st1.enq of L1MSHR.scala does not look at missReq: a line is as fast beside
 * a load that misses.  On the port it waits for one that is noted in its cycle. */
TEST(a_line_does_not_wait_for_a_load_that_misses)
{
    for (unsigned waits = 0; waits < 2; waits++) {
        unsigned least = 100, most = 0;
        for (unsigned before = 0; before < 8; before++) {
            unsigned n = fill_beside_a_miss(waits, before);
            least = n < least ? n : least;
            most = n > most ? n : most;
        }
        CHECK_EQ(most - least, waits);
    }
}

/* Cycles from the delivery of a line that two loads wait for until the tags have taken a
 * request that was there when it came. */
static uint64_t
taken_beside_a_line(enum ventus_model_fill holds)
{
    struct bench b;
    start_chisel(&b, false);
    b.config.dcache_fill_holds = holds;
    load(&b, 6);
    for (unsigned i = 1; i <= 2; i++) {
        ask(&b, i, 5, false);
        run(&b, 10);
    }
    uint64_t at = b.now;
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 1);
    ask(&b, 3, 6, false);
    while (!dcache_can_send(&b.dcache, b.now) && b.now < at + 20)
        cycle(&b);
    dcache_destroy(&b.dcache);
    return b.now - at;
}

/*
 * A line that comes holds up requests for the cycle in which its set is read
 * (probereadAllocateWriteConflict of DCache.scala), and in the later version until those
 * that waited for it have left, two here (releasing_stall of L1MSHR.scala).
 */
TEST(a_line_holds_up_requests_as_long_as_its_version_says)
{
    uint64_t tags = taken_beside_a_line(VENTUS_MODEL_FILL_TAGS);
    CHECK_EQ(taken_beside_a_line(VENTUS_MODEL_FILL_ARRAYS), tags + 1);
    CHECK_EQ(taken_beside_a_line(VENTUS_MODEL_FILL_RELEASES), tags + 2);
}

/* A store of a line that is being read is taken when that has come, and hits; the LSU
 * has it until then. */
TEST(a_store_waits_with_the_lsu_for_a_line_that_is_read)
{
    struct bench b;
    struct ventus_model_config c = config_of(2);
    c.dcache_request_cycles = 0;
    start(&b, &c);
    ask(&b, 1, 5, false);
    run(&b, 6);
    CHECK_EQ(b.left, 1);
    ask(&b, 2, 5, true);
    run(&b, 20);
    CHECK(!dcache_can_send(&b.dcache, b.now));
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 20);
    CHECK(dcache_can_send(&b.dcache, b.now));
    CHECK(b.answered[1] && b.answered[2] > b.answered[1]);
    CHECK_EQ(b.stats.write_hits, 1);
    CHECK_EQ(b.left, 1);
    dcache_destroy(&b.dcache);
}

/* A store that hits stays; one that misses is answered when it leaves. */
TEST(stores)
{
    struct bench b;
    struct ventus_model_config c = config_of(2);
    start(&b, &c);
    load(&b, 5);
    uint64_t at = b.now;
    ask(&b, 1, 5, true);
    run(&b, 10);
    CHECK_EQ(b.answered[1], at + HIT);
    CHECK_EQ(b.left, 0);
    ask(&b, 2, 6, true);
    b.closed = true;
    run(&b, 20);
    CHECK_EQ(b.left, 0);
    CHECK_EQ(b.answered[2], 0);
    b.closed = false;
    at = b.now;
    run(&b, 10);
    CHECK_EQ(b.left, 1);
    CHECK_EQ(b.leaving[0].op, MEM_PUT);
    CHECK_EQ(b.answered[2], at + 2);
    CHECK(!dcache_is_settled(&b.dcache));
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 10);
    CHECK(dcache_is_settled(&b.dcache));
    dcache_destroy(&b.dcache);
}

/* A dirty line that is replaced is written. */
TEST(a_dirty_victim_leaves)
{
    struct bench b;
    struct ventus_model_config c = config_of(1);
    start(&b, &c);
    load(&b, 1);
    ask(&b, 1, 1, true);
    run(&b, 10);
    ask(&b, 2, 5, false);
    run(&b, 10);
    CHECK_EQ(b.left, 1);
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 20);
    CHECK_EQ(b.left, 2);
    CHECK(b.leaving[1].op == MEM_PUT && b.leaving[1].line == 1);
    dcache_destroy(&b.dcache);
}

/*
 * The tag is not written beside a victim that is (allocateWriteTagSRAMWValid_st1): the
 * dirty line is written, and stays; the one that came has no place.
 */
TEST(a_dirty_line_stays_when_it_is_written)
{
    struct bench b;
    struct ventus_model_config c = config_of(1);
    c.dcache_dirty_stays = true;
    start(&b, &c);
    load(&b, 1);
    ask(&b, 1, 1, true);
    run(&b, 10);
    ask(&b, 2, 5, false);
    run(&b, 10);
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 20);
    CHECK(b.answered[2] && b.left == 2);
    CHECK(b.leaving[1].op == MEM_PUT && b.leaving[1].line == 1);
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[1]));
    run(&b, 10);
    ask(&b, 3, 1, false);
    run(&b, 10);
    CHECK(b.answered[3] && b.left == 2);
    load(&b, 5); /* now the victim is clean */
    ask(&b, 4, 5, false);
    run(&b, 10);
    CHECK(b.answered[4] && b.left == 0);
    dcache_destroy(&b.dcache);
}

/*
 * The LSU takes a flush before its next access, but what it offers to the L1D goes first
 * (from_fifo.ready of LSU.scala); and the flush comes to the tags when no line is awaited,
 * in the later version.
 */
TEST(a_flush_follows_the_access_that_waits)
{
    for (unsigned later = 0; later < 2; later++) {
        struct bench b;
        start_chisel(&b, false);
        b.config.flush_behind = b.config.flush_waits = true;
        b.config.flush_after_loads = later;
        b.config.dcache.mshrs = 1;
        ask(&b, 1, 5, false);
        run(&b, 10);
        ask(&b, 2, 6, false); /* it waits for the MSHR */
        dcache_queue_flush(&b.dcache, b.now);
        run(&b, 20);
        CHECK_EQ(b.left, 1);
        CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
        run(&b, 20);
        CHECK_EQ(b.left, later ? 2 : 3);
        CHECK(b.leaving[1].op == MEM_GET && b.leaving[1].line == 6);
        CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[1]));
        run(&b, 20);
        CHECK_EQ(b.left, 3);
        CHECK_EQ(b.leaving[2].op, MEM_FLUSH);
        dcache_destroy(&b.dcache);
    }
}

/* At the end of a workgroup dirty lines leave, and behind them the flush. */
TEST(a_flush_writes_what_is_dirty)
{
    struct bench b;
    struct ventus_model_config c = config_of(2);
    uint64_t at;
    start(&b, &c);
    load(&b, 1);
    load(&b, 2);
    ask(&b, 1, 2, true);
    run(&b, 10);
    dcache_begin_flush(&b.dcache);
    run(&b, 30);
    CHECK_EQ(b.left, 2);
    CHECK(b.leaving[0].op == MEM_PUT && b.leaving[0].line == 2);
    CHECK(b.leaving[1].op == MEM_FLUSH);
    CHECK_EQ(dcache_flush_state(&b.dcache, &at), FLUSH_L2);
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
    run(&b, 5);
    CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[1]));
    run(&b, 10);
    CHECK_EQ(dcache_flush_state(&b.dcache, &at), FLUSH_DONE);
    dcache_end_flush(&b.dcache);
    ask(&b, 2, 1, false);
    run(&b, 10);
    CHECK_EQ(b.answered[2], 0); /* nothing is left of it */
    dcache_destroy(&b.dcache);
}

/*
 * flushL2 of DCache.scala: the acknowledgement clears waitforL2flush and flushL2_Reg,
 * the request is in stage 1 still, and asks once more in the next cycle.  A load
 * behind it leaves behind the second one, without an answer to that.
 */
TEST(a_flush_asks_the_l2_twice)
{
    for (unsigned hints = 1; hints <= 2; hints++) {
        struct bench b;
        struct ventus_model_config c = config_of(2);
        c.flush_behind = true;
        c.flush_hints = hints;
        start(&b, &c);
        dcache_queue_flush(&b.dcache, b.now);
        run(&b, 60);
        CHECK_EQ(b.left, 1); /* waits for the answer */
        CHECK(b.leaving[0].op == MEM_FLUSH);
        ask(&b, 1, 5, false);
        run(&b, 60);
        CHECK_EQ(b.left, 1);
        CHECK(answer_dcache(&b.dcache, b.now, &b.leaving[0]));
        run(&b, 60);
        CHECK_EQ(b.left, 1 + hints);
        CHECK(hints == 1 || b.leaving[1].op == MEM_FLUSH);
        CHECK(b.leaving[hints].op == MEM_GET);
        dcache_destroy(&b.dcache);
    }
}

/* Before what it says no request leaves. */
TEST(lookahead_is_never_late)
{
    struct bench b;
    struct ventus_model_config c = config_of(2);
    uint64_t bound = UINT64_MAX;
    start(&b, &c);
    for (unsigned i = 0; i < 12; i++) {
        unsigned left = b.left;
        if (i % 4 == 0)
            ask(&b, i, 8 + i, i % 8 != 0);
        bound = dcache_lookahead(&b.dcache);
        uint64_t now = b.now;
        cycle(&b);
        CHECK(b.left == left || bound <= now);
    }
    CHECK(b.left >= 2);
    dcache_destroy(&b.dcache);
}

TEST_MAIN
