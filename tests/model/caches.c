/* SPDX-License-Identifier: Apache-2.0 */
/*
 * L1I, TLBs and local memory without a launch: requests at their ports in
 * known cycles, and the cycles of the answers.
 */
#include <string.h>

#include "model/bits.h"
#include "model/memory/icache.h"
#include "model/memory/local.h"
#include "model/memory/tlb.h"

#include "ports.h"
#include "test.h"

static struct ventus_model_config
config_of(unsigned ways)
{
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    c.icache.ways = ways;
    c.icache.sets = 4;
    return c;
}

/* ---- L1I ---- */

struct fetches {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct icache icache;
    uint64_t now;
};

static bool
fetch(struct fetches *f, uint64_t line)
{
    icache_tick(&f->icache, f->now);
    bool hit = icache_lookup(&f->icache, line, f->now);
    if (icache_was_filled(&f->icache, f->now))
        icache_write(&f->icache, f->now);
    f->now++;
    return hit;
}

/* Asks for a line until it is there; the L2 answers at once. */
static unsigned
fetch_until(struct fetches *f, uint64_t line)
{
    unsigned cycles = 0;
    while (!fetch(f, line) && ++cycles < 100)
        if (icache_l2_peek(&f->icache, f->now)) {
            uint64_t asked = icache_l2_take(&f->icache, f->now);
            CHECK_EQ(asked, line);
            CHECK(!icache_has_unsent(&f->icache));
            CHECK(answer_icache(&f->icache, asked, f->now));
        }
    return cycles;
}

static void
start_fetches(struct fetches *f, unsigned ways)
{
    *f = (struct fetches){ .config = config_of(ways), .now = 1 };
    CHECK(icache_create(&f->icache, &f->config, &f->stats, 0));
    icache_reset(&f->icache, 0, 0);
}

TEST(a_fetch_that_misses_comes_again)
{
    struct fetches f;
    start_fetches(&f, 2);
    CHECK(fetch_until(&f, 5) > 0);
    CHECK(!icache_awaits_l2(&f.icache));
    CHECK_EQ(fetch_until(&f, 5), 0);
    CHECK(icache_next_event(&f.icache) == UINT64_MAX);
    icache_invalidate(&f.icache, f.now);
    CHECK(fetch_until(&f, 5) > 0);
    icache_destroy(&f.icache);
}

/*
 * The cycle after a line was written all ways of its set show it, and the way is
 * the sum of those that are valid.  Of three ways that is none of them: it wrote
 * behind the last set.
 */
TEST(a_line_being_written_is_in_a_way_of_its_set)
{
    struct fetches f;
    start_fetches(&f, 3);
    for (uint64_t line = 3; line < 3 + 4 * 5; line += 4)
        fetch_until(&f, line);
    for (uint64_t line = 3; line < 3 + 4 * 5; line += 4)
        CHECK(fetch_until(&f, line) < 100);
    icache_destroy(&f.icache);
}

/* Without a bypass the way that is being written shows nothing in the next cycle, and the
 * other ways what they hold. */
TEST(a_line_being_written_is_not_read_without_a_bypass)
{
    for (unsigned bypass = 0; bypass < 2; bypass++) {
        struct fetches f;
        start_fetches(&f, 2);
        f.config.icache_bypass = bypass;
        fetch_until(&f, 1);
        fetch(&f, 1);
        CHECK(!fetch(&f, 5));
        CHECK_EQ(icache_l2_take(&f.icache, f.now), 5);
        CHECK(answer_icache(&f.icache, 5, f.now - 2));
        CHECK(!fetch(&f, 5)); /* it comes */
        CHECK_EQ(fetch(&f, 5), bypass);
        CHECK(fetch(&f, 5));
        icache_destroy(&f.icache);
        /* The other line of the set, in that cycle. */
        start_fetches(&f, 2);
        f.config.icache_bypass = bypass;
        fetch_until(&f, 1);
        fetch(&f, 1);
        CHECK(!fetch(&f, 5));
        CHECK_EQ(icache_l2_take(&f.icache, f.now), 5);
        CHECK(answer_icache(&f.icache, 5, f.now - 2));
        fetch(&f, 5);
        CHECK_EQ(fetch(&f, 1), !bypass);
        icache_destroy(&f.icache);
    }
}

/* So many requests for line 5, whose MSHR is the first, then for line 9. */
static void
miss_twice(struct fetches *f, unsigned fives, unsigned nines)
{
    start_fetches(f, 2);
    f->config.icache.subentries = 4;
    while (fives--)
        CHECK(!fetch(f, 5));
    while (nines--)
        CHECK(!fetch(f, 9));
    while (icache_l2_peek(&f->icache, f->now))
        icache_l2_take(&f->icache, f->now);
}

/* Cycles from one line to the other, which the L2 sends in the same cycle. */
static unsigned
cycles_between(struct fetches *f, uint64_t first, uint64_t second)
{
    unsigned cycles = 0;
    CHECK(answer_icache(&f->icache, first, f->now));
    CHECK(answer_icache(&f->icache, second, f->now));
    while (!icache_tick(&f->icache, f->now))
        f->now++;
    CHECK_EQ(icache_next_event(&f->icache), f->icache.state.busy_until);
    do
        cycles++;
    while (!icache_tick(&f->icache, ++f->now));
    CHECK(!icache_awaits_l2(&f->icache));
    icache_destroy(&f->icache);
    return cycles;
}

/* A line occupies the path of answers for a cycle for each request that its MSHR has
 * noted, four at most.  A repetition takes the place that is free in the first MSHR, so
 * that of the second one all but one take the same. */
TEST(repeated_fetches_keep_the_next_line_waiting)
{
    struct fetches f;
    for (unsigned n = 1; n < 7; n++) {
        miss_twice(&f, n, 1);
        CHECK_EQ(cycles_between(&f, 5, 9), n < 4 ? n : 4);
        miss_twice(&f, 1, n);
        CHECK_EQ(cycles_between(&f, 9, 5), n < 2 ? n : 2);
    }
    /* The first MSHR is full: it keeps the other one from noting more. */
    miss_twice(&f, 4, 9);
    CHECK_EQ(cycles_between(&f, 9, 5), 1);
}

/* A line that is being given back is not asked for again, and its MSHR is not free. */
TEST(a_line_that_is_given_back_keeps_its_mshr)
{
    struct fetches f;
    const uint64_t *line;
    miss_twice(&f, 4, 1);
    CHECK(answer_icache(&f.icache, 5, f.now));
    while (!icache_tick(&f.icache, f.now))
        f.now++;
    CHECK(!icache_lookup(&f.icache, 5, f.now));
    CHECK(!icache_lookup(&f.icache, 13, f.now + 1));
    CHECK(f.icache.state.miss[2].valid && !f.icache.state.miss[0].valid);
    line = icache_l2_peek(&f.icache, f.now + 2);
    CHECK(line && *line == 13);
    CHECK(!icache_lookup(&f.icache, 17, f.now + 4));
    CHECK(f.icache.state.miss[0].valid);
    icache_destroy(&f.icache);
}

/* ---- TLBs ---- */

enum { PAGE = 4096, ROOT = 1 << 20, LEAF = 0xf, TABLE = 1 };

/* Three levels, each one request through the L2, for a page that no TLB has. */
TEST(a_walk_reads_three_entries)
{
    struct ventus_model_config c = config_of(2);
    struct ventus_model_stats stats = { 0 };
    struct tlb t;
    struct l2_tlb shared;
    char text[256];
    uint64_t line;
    c.tlb_entries = 2;
    c.l2_tlb_cycles = 8;
    struct ventus_sim_config sc = { .num_thread = 8,
                                    .num_warp = 8,
                                    .num_sm = 1 };
    struct ventus_sim *sim = ventus_sim_create(&sc, text, sizeof text);
    CHECK(sim && ventus_sim_map(sim, ROOT, 3 * PAGE,
                                VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    uint64_t pte[3] = { (ROOT + PAGE) >> 12 << 10 | TABLE,
                        (ROOT + 2 * PAGE) >> 12 << 10 | TABLE,
                        0x1234 << 10 | LEAF };
    for (unsigned i = 0; i < 3; i++) /* page 0 */
        CHECK(ventus_sim_write(sim, ROOT + i * PAGE, &pte[i], 8));
    CHECK(tlb_create(&t, TLB_DATA, &c, &stats, 0));
    CHECK(l2_tlb_create(&shared, &c, &stats, sim));
    tlb_reset(&t, ROOT);
    CHECK(!tlb_lookup(&t, 16, 0));
    for (unsigned now = 0; now < 8; now++) {
        tlb_tick(&t, &shared, now);
        CHECK(!tlb_l2_peek(&t));
        CHECK_EQ(tlb_next_event(&t, now + 1), 8);
    }
    tlb_tick(&t, &shared, 8); /* the shared one does not have it */
    unsigned now = 9;
    for (unsigned level = 0; level < 3; level++) {
        tlb_tick(&t, &shared, now++);
        CHECK(tlb_l2_peek(&t));
        line = tlb_l2_take(&t, 3);
        CHECK_EQ(line & INT32_MAX, (ROOT + level * PAGE) >> 3);
        tlb_tick(&t, &shared, now++);
        CHECK(!tlb_l2_peek(&t));
        CHECK_EQ(tlb_next_event(&t, now), UINT64_MAX);
        tlb_l2_send(&t);
        CHECK_EQ(tlb_next_event(&t, now), now);
        if (level == 2)
            tlb_tick(&t, &shared, now++);
    }
    CHECK(!tlb_is_busy(&t));
    CHECK(tlb_lookup(&t, PAGE - 1, now));
    CHECK_EQ(stats.page_walks, 1);
    CHECK_EQ(stats.tlb_misses, 1);
    tlb_destroy(&t);
    l2_tlb_destroy(&shared);
    ventus_sim_destroy(sim);
}

/* ---- local memory ---- */

/* Rounds of lanes that meet in a bank: each is an answer of its own. */
TEST(lanes_that_meet_in_a_bank_go_one_after_the_other)
{
    struct ventus_model_config c = config_of(2);
    struct ventus_model_stats stats = { 0 };
    struct local l;
    c.local_banks = 4;
    c.local_cycles = 3;
    local_memory_init(&l, &c, &stats);
    for (unsigned stride = 1; stride <= 4; stride *= 2) {
        uint64_t at[8], now = 1000 * stride, lanes = 0;
        struct data_request r = { .lanes = 0xff, .local = true }, answer;
        unsigned rounds = 2 * stride, given = 0;
        for (unsigned i = 0; i < 8; i++)
            at[i] = SIM_LOCAL_BASE + 4 * stride * i;
        CHECK(local_memory_can_send(&l, now));
        local_memory_send(&l, now, &r, at);
        CHECK_EQ(local_memory_next_event(&l), now + 1 + 3);
        for (uint64_t t = now; t < now + 40; t++)
            if (take_local(&l, t, &answer)) {
                CHECK_EQ(t, now + 1 + 3 + given++);
                CHECK(!(lanes & answer.lanes));
                lanes |= answer.lanes;
            }
        CHECK_EQ(given, rounds);
        CHECK_EQ(lanes, 0xff);
        CHECK(!local_memory_is_busy(&l));
    }
    CHECK_EQ(stats.local_conflicts, (2 - 1) + (4 - 1) + (8 - 1));
    /* Nothing is taken until the rounds are over, and for so long behind. */
    for (unsigned more = 0; more < 2; more++) {
        uint64_t at[8] = { 0 }, now = 9000 + 100 * more;
        struct data_request r = { .lanes = 0x7, .local = true }, answer;
        c.local_conflict_cycles = more;
        local_memory_send(&l, now, &r, at);
        CHECK(!local_memory_can_send(&l, now + 2));
        CHECK_EQ(local_memory_can_send(&l, now + 3), !more);
        for (uint64_t t = now; t < now + 20; t++)
            take_local(&l, t, &answer);
    }
}

/*
 * ShareMem.scala of the Chisel design.  A round is answered three cycles behind the one in
 * which it is in the arbiter, of a store as of a load: coreReqisValid*_st1, _st2,
 * coreRsp_Q.  coreReq.ready falls behind each round but the last, by
 * RegNext(bankConflict), and behind each of a store, by coreReqisValidWrite_st1.
 */
TEST(rounds_of_a_store_are_those_of_a_load)
{
    struct ventus_model_config c = config_of(2);
    struct ventus_model_stats stats = { 0 };
    struct local l;
    c.local_banks = 32;
    c.local_cycles = 2;
    c.local_answers = 2;
    c.local_store_cycles = 1;
    c.local_conflict_cycles = 0;
    local_memory_init(&l, &c, &stats);
    for (unsigned n = 0; n < 12; n++) {
        bool write = n % 2;
        unsigned rounds = 1u << n / 2, given = 0, ready = 0; /* 1 to 32 */
        uint64_t at[32] = { 0 }, now = 1000 * (n + 1);
        struct data_request r = { .lanes = UINT32_MAX >> (32 - rounds),
                                  .local = true,
                                  .write = write };
        struct data_request answer;
        local_memory_send(&l, now, &r, at);
        for (unsigned t = 1; t < 80; t++) {
            if (take_local(&l, now + t, &answer))
                CHECK_EQ(t, 3 + given++);
            if (!ready && local_memory_can_send(&l, now + t))
                ready = t;
        }
        CHECK_EQ(given, rounds);
        CHECK_EQ(ready, rounds + write);
    }
}

TEST_MAIN
