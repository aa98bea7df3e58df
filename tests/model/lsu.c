/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load/store unit of an SM without a launch: instructions that come in known
 * cycles, and the cycles in which they leave.  Expected are the rules of
 * docs/microarchitecture.md and docs/model.md.
 */
#include "model/pipeline/lsu.h"

#include "ports.h"
#include "test.h"

/* The LSU with a local memory and an L1D behind it; what the L1D misses is
 * answered by the test. */
struct lsu_bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct dcache dcache;
    struct local local;
    struct tlb tlb;
    struct inflight_pool pool;
    struct events events;
    struct lsu lsu;
    struct model_op load;
    uint64_t now, left[16]; /* left: cycles in which misses left the L1D */
    struct mem_request miss[16];
    unsigned misses, answered;
    uint64_t result[8]; /* cycle in which write-back had it, by id */
    uint64_t taken_at;  /* cycle in which others have write-back */
};

enum { LINE_B = 8, ADDRESS = 0x90000000 };

static void
start_lsu(struct lsu_bench *b)
{
    *b = (struct lsu_bench){ .now = 1 };
    ventus_model_defaults(&b->config);
    b->config.dcache.line_B = LINE_B;
    b->config.dcache.mshrs = 16;
    b->config.local_in_cache = false;
    CHECK(dcache_create(&b->dcache, &b->config, &b->stats, 0));
    dcache_reset(&b->dcache, 0);
    local_memory_init(&b->local, &b->config, &b->stats);
    inflight_reset(&b->pool);
    struct lsu_ports port = { &b->dcache, &b->local, &b->tlb, &b->pool,
                              &b->events };
    CHECK(lsu_create(&b->lsu, &b->config, &b->stats, 8, port));
    lsu_reset(&b->lsu);
    b->load = (struct model_op){
        .known = true, .memory = true, .vector = true, .writes_v = true
    };
}

static void
stop_lsu(struct lsu_bench *b)
{
    dcache_destroy(&b->dcache);
    lsu_destroy(&b->lsu);
}

/* A load of eight lanes, so many bytes apart; false: it is not taken. */
static bool
load_lanes(struct lsu_bench *b, unsigned id, uint64_t address, unsigned stride)
{
    if (!lsu_can_send(&b->lsu, b->now, 0))
        return false;
    struct inflight *f = inflight_new(&b->pool);
    *f = (struct inflight){ .op = &b->load, .id = id, .lanes = 255 };
    for (unsigned i = 0; i < 8; i++)
        f->at[i] = address + i * stride;
    lsu_send(&b->lsu, b->now, f);
    return true;
}

/* The first that is not answered, if there is room for its answer. */
static void
answer_miss(struct lsu_bench *b)
{
    if (b->answered < b->misses &&
        answer_dcache(&b->dcache, b->now, &b->miss[b->answered % 16]))
        b->answered++;
}

static void
step_lsu(struct lsu_bench *b)
{
    struct result r;
    const struct dcache_wires wires = { .bus_open = true };
    struct lsu_wires free = { .x_free = true, .v_free = true };
    b->now++;
    bool offers = lsu_offers(&b->lsu, &r);
    free.v_free = b->now != b->taken_at;
    free.full = offers && !free.v_free;
    if (offers && free.v_free && !b->result[r.id])
        b->result[r.id] = b->now;
    if (dcache_is_due(&b->dcache, b->now))
        dcache_tick(&b->dcache, b->now, &wires);
    if (dcache_l2_peek(&b->dcache)) {
        b->left[b->misses % 16] = b->now;
        b->miss[b->misses++ % 16] = dcache_l2_take(&b->dcache);
    }
    answer_miss(b);
    lsu_tick(&b->lsu, b->now, &free);
}

/* A line after the other, one a cycle, the lanes of each together. */
TEST(lanes_of_a_line_are_one_request)
{
    const struct {
        unsigned stride, lines;
    } access[] = {
        { 0, 1 }, { 1, 1 }, { 2, 2 }, { 4, 4 }, { 8, 8 }, { 64, 8 }
    };
    for (unsigned i = 0; i < sizeof access / sizeof *access; i++) {
        struct lsu_bench b;
        start_lsu(&b);
        CHECK(load_lanes(&b, 0, ADDRESS, access[i].stride));
        for (unsigned n = 0; n < 60; n++)
            step_lsu(&b);
        CHECK_EQ(b.stats.lsu_requests, access[i].lines);
        CHECK_EQ(b.misses, access[i].lines);
        for (unsigned n = 1; n < 4 && n < access[i].lines; n++)
            CHECK_EQ(b.left[n], b.left[n - 1] + 1);
        CHECK(b.result[0] && lsu_is_empty(&b.lsu));
        stop_lsu(&b);
    }
}

/* Several words of a lane: next to each other, or a row of the warp apart. */
struct words {
    unsigned line_B, first, stride, words, step, lines;
};

static void
start_words(struct lsu_bench *b, const struct words *w)
{
    start_lsu(b);
    lsu_destroy(&b->lsu);
    b->config.dcache.line_B = w->line_B;
    struct lsu_ports port = { &b->dcache, &b->local, &b->tlb, &b->pool,
                              &b->events };
    CHECK(lsu_create(&b->lsu, &b->config, &b->stats, 8, port));
    lsu_reset(&b->lsu);
    b->load.words = (uint8_t)w->words;
    CHECK(load_lanes(b, 0, ADDRESS + w->first, w->stride));
    for (unsigned i = 0; i < MAX_INFLIGHT; i++)
        b->pool.at[i].word_step = w->step;
}

/* It asked for the lines of the first words only: those of 64 to 128 private bits were
 * as fast as 32, and so was what crosses the end of a line. */
TEST(words_of_a_lane_in_other_lines_are_requests)
{
    const struct words access[] = {
        { 32, 0, 4, 1, 0, 1 },    /* 32 private bits: a row of the warp */
        { 32, 0, 4, 2, 32, 2 },   /* 64: two rows */
        { 32, 0, 4, 3, 32, 3 },   /* 96 */
        { 32, 0, 4, 4, 32, 4 },   /* 128 */
        { 32, 16, 4, 4, 32, 5 },  /* rows that begin within a line */
        { 32, 0, 16, 4, 4, 4 },   /* 128 global bits in a row: 128 bytes */
        { 32, 0, 0, 4, 4, 1 },    /* the same of all lanes */
        { 32, 24, 0, 4, 4, 2 },   /* and across the end of a line */
        { 32, 24, 32, 4, 4, 9 },  /* of each lane, into that of the next */
        { 32, 24, 64, 4, 4, 16 }, /* into a line of its own */
        { 32, 20, 64, 3, 4, 8 },  /* up to the end of the line */
        { 8, 4, 16, 3, 4, 16 },   /* 4 bytes of one line, 8 of another */
    };
    for (unsigned i = 0; i < sizeof access / sizeof *access; i++) {
        struct lsu_bench b;
        start_words(&b, &access[i]);
        for (unsigned n = 0; n < 80; n++)
            step_lsu(&b);
        CHECK_EQ(b.stats.lsu_requests, access[i].lines);
        CHECK_EQ(b.misses, access[i].lines);
        CHECK(b.result[0] && lsu_is_empty(&b.lsu));
        stop_lsu(&b);
    }
}

/* The lines of all words are awaited, in whatever order they come. */
TEST(a_wide_load_awaits_its_first_words)
{
    const struct words access = { 32, 0, 4, 2, 32, 2 };
    for (unsigned first = 0; first < 2; first++) {
        struct lsu_bench b;
        start_words(&b, &access);
        b.answered = 99; /* not by the bench */
        for (unsigned n = 0; n < 20; n++)
            step_lsu(&b);
        CHECK_EQ(b.misses, 2);
        for (unsigned i = 0; i < 2; i++) {
            CHECK_EQ(b.result[0], 0);
            CHECK(answer_dcache(&b.dcache, b.now, &b.miss[first ^ i]));
            for (unsigned n = 0; n < 20; n++)
                step_lsu(&b);
        }
        CHECK(b.result[0] && lsu_is_empty(&b.lsu));
        stop_lsu(&b);
    }
}

/* Two cycles before the first request; another line delays the result of a load
 * from local memory, which answers in order, by nothing: bank conflicts do. */
TEST(a_bank_conflict_is_a_cycle_of_the_load)
{
    uint64_t took[3];
    for (unsigned i = 0; i < 3; i++) {
        struct lsu_bench b;
        start_lsu(&b);
        b.config.local_banks = 8;
        b.config.dcache.line_B = 64;
        lsu_destroy(&b.lsu);
        struct lsu_ports port = { &b.dcache, &b.local, &b.tlb, &b.pool,
                                  &b.events };
        CHECK(lsu_create(&b.lsu, &b.config, &b.stats, 8, port));
        lsu_reset(&b.lsu);
        CHECK(load_lanes(&b, 0, SIM_LOCAL_BASE, 4 << i));
        for (unsigned n = 0; n < 60; n++)
            step_lsu(&b);
        CHECK_EQ(b.stats.lsu_requests, i < 2 ? 1 : 2);
        took[i] = b.result[0];
        stop_lsu(&b);
    }
    CHECK_EQ(took[1], took[0] + 1);
    CHECK(took[2] > took[1]);
}

/* As the Chisel design has it: 32 bytes a line here, as many banks as lanes. */
static void
start_chisel_lsu(struct lsu_bench *b)
{
    start_lsu(b);
    lsu_destroy(&b->lsu);
    dcache_destroy(&b->dcache);
    b->config.local_banks = 8;
    b->config.dcache.line_B = 32;
    b->config.local_cycles = 2;
    b->config.local_answers = 2;
    b->config.local_store_cycles = 1;
    b->config.lsu_table_reads = false;
    b->config.dcache_request_cycles = 0;
    b->config.dcache_answer_cycles = b->config.dcache_queue_cycles = 1;
    CHECK(dcache_create(&b->dcache, &b->config, &b->stats, 0));
    dcache_reset(&b->dcache, 0);
    struct lsu_ports port = { &b->dcache, &b->local, &b->tlb, &b->pool,
                              &b->events };
    CHECK(lsu_create(&b->lsu, &b->config, &b->stats, 8, port));
    lsu_reset(&b->lsu);
}

/* A, the entry in the table, is two cycles behind the collector; a result of local
 * memory of R lines comes 4 + R behind A, an L1D hit 5 (microarchitecture.md,
 * Load/store unit). */
TEST(times_of_the_chisel_lsu)
{
    for (unsigned lines = 1; lines <= 8; lines *= 2) {
        struct lsu_bench b;
        start_chisel_lsu(&b);
        uint64_t a = b.now + 2;
        CHECK(load_lanes(&b, 0, SIM_LOCAL_BASE, 4 * lines));
        for (unsigned n = 0; n < 40; n++)
            step_lsu(&b);
        CHECK_EQ(b.stats.lsu_requests, lines);
        CHECK_EQ(b.result[0], a + 4 + lines);
        CHECK(load_lanes(&b, 1, ADDRESS, 4));
        for (unsigned n = 0; n < 40; n++)
            step_lsu(&b);
        a = b.now + 2;
        CHECK(load_lanes(&b, 2, ADDRESS, 4));
        for (unsigned n = 0; n < 40; n++)
            step_lsu(&b);
        CHECK_EQ(b.result[2], a + 5);
        CHECK(lsu_is_idle(&b.lsu, b.now));
        stop_lsu(&b);
    }
}

/* A vector that a mask leaves no lane of went to the L1D with the address of lane 0,
 * and read a line that nobody wants.  The unit takes it for one of local memory (LSU.scala,
 * is_shared), and its entry is complete at once and written 2 cycles behind A.  The
 * table stays in that state for one more cycle, so the next A is 4 cycles behind. */
TEST(an_access_without_lanes_asks_no_cache)
{
    struct lsu_bench b;
    start_chisel_lsu(&b);
    uint64_t a = b.now + 2;
    CHECK(load_lanes(&b, 0, ADDRESS, 4));
    for (unsigned i = 0; i < MAX_INFLIGHT; i++)
        b.pool.at[i].lanes = 0;
    step_lsu(&b);
    CHECK(load_lanes(&b, 1, SIM_LOCAL_BASE, 4));
    for (unsigned n = 0; n < 40; n++)
        step_lsu(&b);
    CHECK_EQ(b.result[0], a + 2);
    CHECK_EQ(b.result[1], a + 4 + 4 + 1);
    CHECK_EQ(b.stats.lsu_requests, 2);
    CHECK_EQ(b.stats.local_requests, 2);
    CHECK_EQ(b.misses, 0);
    CHECK(lsu_is_idle(&b.lsu, b.now));
    stop_lsu(&b);
}

/* Loads of several warps follow each other: one each 4 cycles, as an answer and an
 * entry meet and a result is shown for two cycles.  Without entries it is three. */
TEST(a_saturated_table_gives_a_result_each_four_cycles)
{
    struct lsu_bench b;
    start_chisel_lsu(&b);
    b.config.lsu_per_warp = 8;
    unsigned taken = 0;
    for (unsigned n = 0; n < 60; n++) {
        if (taken < 8)
            taken += load_lanes(&b, taken, SIM_LOCAL_BASE, 4);
        step_lsu(&b);
    }
    for (unsigned i = 3; i < 6; i++)
        CHECK_EQ(b.result[i], b.result[i - 1] + 4);
    CHECK_EQ(b.result[7], b.result[6] + 3);
    stop_lsu(&b);
}

/* A result that finds its port taken comes two cycles later. */
TEST(a_load_whose_port_is_taken_loses_two_cycles)
{
    struct lsu_bench b;
    start_chisel_lsu(&b);
    b.taken_at = b.now + 2 + 5;
    CHECK(load_lanes(&b, 0, SIM_LOCAL_BASE, 4));
    for (unsigned n = 0; n < 20; n++)
        step_lsu(&b);
    CHECK_EQ(b.result[0], b.taken_at + 2);
    stop_lsu(&b);
}

/* A warp has lsu_per_warp under way, and the LSU a queue of one. */
TEST(a_warp_has_so_many_accesses_under_way)
{
    struct lsu_bench b;
    start_lsu(&b);
    b.config.lsu_per_warp = 2;
    b.config.barrier_waits = true; /* which counts them by space */
    unsigned taken = 0;
    for (unsigned n = 0; n < 12; n++) {
        taken += load_lanes(&b, taken, ADDRESS + 64 * taken, 0);
        CHECK(taken <= 2 || b.result[0]);
        step_lsu(&b);
    }
    CHECK_EQ(lsu_accesses(&b.lsu, 0, SPACE_GLOBAL),
             lsu_has_accesses(&b.lsu, 0));
    for (unsigned n = 0; n < 60; n++)
        step_lsu(&b);
    CHECK(lsu_is_empty(&b.lsu) && lsu_is_idle(&b.lsu, b.now));
    CHECK_EQ(lsu_next_event(&b.lsu, b.now), UINT64_MAX);
    stop_lsu(&b);
}

TEST_MAIN
