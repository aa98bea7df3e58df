/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The front end of an SM without a launch, component by component: what is given
 * to it in known cycles, and what it shows in which.  Expected are the rules of
 * docs/microarchitecture.md and docs/model.md.
 */
#include "model/pipeline/fetch.h"
#include "model/pipeline/ibuffer.h"
#include "model/pipeline/schedule.h"
#include "model/pipeline/scoreboard.h"

#include "ports.h"
#include "test.h"

/* ---- scoreboard ---- */

/* An instruction that reads scalar registers a and b and writes d. */
static struct model_op
scalar_op(unsigned d, unsigned a, unsigned b)
{
    struct model_op o = { .known = true, .writes_x = true };
    for (unsigned i = 0; i < OP_REGISTERS; i++) {
        o.needs[i] = BUSY_NONE;
        o.span[i] = 1;
    }
    o.needs[0] = (uint16_t)(BUSY_X + a);
    o.needs[1] = (uint16_t)(BUSY_X + b);
    o.needs[OP_SOURCES] = (uint16_t)(BUSY_X + d);
    return o;
}

static struct scoreboard
make_scoreboard(void)
{
    struct scoreboard b;
    CHECK(scoreboard_create(&b, 4));
    scoreboard_reset(&b);
    for (unsigned i = 0; i < 4; i++)
        scoreboard_start(&b, i);
    return b;
}

/* Of one warp: another one has registers of its own. */
TEST(raw_and_waw_wait_for_write_back)
{
    struct scoreboard b = make_scoreboard();
    const struct model_op first = scalar_op(5, 6, 7);
    const struct model_op raw = scalar_op(8, 5, 6), waw = scalar_op(5, 6, 7);
    const struct model_op war = scalar_op(6, 8, 8);
    scoreboard_set(&b, 1, &first);
    CHECK_EQ(scoreboard_check(&b, 1, &raw), BUSY);
    CHECK_EQ(scoreboard_check(&b, 1, &waw), BUSY);
    CHECK_EQ(scoreboard_check(&b, 1, &war), 0);
    CHECK_EQ(scoreboard_check(&b, 2, &raw), 0);
    scoreboard_clear(&b, 1, &first);
    CHECK_EQ(scoreboard_check(&b, 1, &raw), 0);
    scoreboard_destroy(&b);
}

TEST(x0_is_never_busy)
{
    struct scoreboard b = make_scoreboard();
    const struct model_op to_zero = scalar_op(0, 6, 7),
                          reads = scalar_op(5, 0, 0);
    scoreboard_set(&b, 0, &to_zero);
    CHECK_EQ(scoreboard_check(&b, 0, &reads), 0);
    scoreboard_destroy(&b);
}

/* Both registers of a pair are marked, and waited for. */
TEST(pairs_are_marked_as_a_whole)
{
    struct scoreboard b = make_scoreboard();
    struct model_op pair = scalar_op(10, 6, 7),
                    pair_source = scalar_op(8, 12, 7);
    const struct model_op high = scalar_op(8, 11, 7),
                          next = scalar_op(13, 6, 7);
    pair.span[OP_SOURCES] = pair_source.span[0] = 2;
    pair.spans = pair_source.spans = true;
    scoreboard_set(&b, 0, &pair);
    CHECK_EQ(scoreboard_check(&b, 0, &high), BUSY);
    CHECK_EQ(scoreboard_check(&b, 0, &pair_source), 0);
    scoreboard_collected(&b, 0);
    scoreboard_set(&b, 0, &next);
    CHECK_EQ(scoreboard_check(&b, 0, &pair_source), BUSY); /* x12, x13 */
    scoreboard_destroy(&b);
}

TEST(a_warp_is_locked_while_its_instruction_collects)
{
    struct scoreboard b = make_scoreboard();
    const struct model_op o = scalar_op(5, 6, 7);
    scoreboard_set(&b, 3, &o);
    CHECK_EQ(scoreboard_collecting(&b), 8);
    CHECK_EQ(scoreboard_branching(&b), 0);
    scoreboard_take_changed(&b);
    scoreboard_collected(&b, 3);
    CHECK_EQ(scoreboard_collecting(&b), 0);
    CHECK_EQ(scoreboard_take_changed(&b), 8);
    CHECK_EQ(scoreboard_take_changed(&b), 0);
    scoreboard_destroy(&b);
}

TEST(branches_barriers_and_ends_lock_until_resolved)
{
    struct scoreboard b = make_scoreboard();
    struct model_op o[3] = { scalar_op(5, 6, 7), scalar_op(5, 6, 7),
                             scalar_op(5, 6, 7) };
    o[0].branch = BRANCH_SCALAR;
    o[1].barrier = true;
    o[2].ends = true;
    for (unsigned i = 0; i < 3; i++)
        scoreboard_set(&b, i, &o[i]);
    CHECK_EQ(scoreboard_branching(&b), 7);
    scoreboard_resolved(&b, 1);
    CHECK_EQ(scoreboard_branching(&b), 5);
    scoreboard_destroy(&b);
}

/* Accesses wait for a fence as for a load; a fence and others do not. */
TEST(a_fence_holds_accesses_back)
{
    struct scoreboard b = make_scoreboard();
    struct model_op fence = scalar_op(0, 0, 0), load = scalar_op(5, 6, 0);
    const struct model_op add = scalar_op(8, 9, 9);
    fence.memory = fence.fence = load.memory = true;
    scoreboard_set(&b, 0, &fence);
    scoreboard_look(&b, 0, &load);
    CHECK_EQ(scoreboard_needs_load(&b), 1);
    scoreboard_look(&b, 0, &fence);
    CHECK_EQ(scoreboard_needs_load(&b), 0);
    scoreboard_look(&b, 0, &add);
    CHECK_EQ(scoreboard_needs_load(&b) | scoreboard_needs_result(&b), 0);
    scoreboard_fenced(&b, 0);
    scoreboard_look(&b, 0, &load);
    CHECK_EQ(scoreboard_needs_load(&b), 0);
    scoreboard_destroy(&b);
}

/* What is loaded is told apart from other results. */
TEST(a_result_is_told_from_a_load)
{
    struct scoreboard b = make_scoreboard();
    struct model_op load = scalar_op(5, 6, 0);
    const struct model_op user = scalar_op(8, 5, 0), add = scalar_op(9, 6, 0);
    const struct model_op both = scalar_op(8, 5, 9);
    load.memory = true;
    scoreboard_set(&b, 0, &load);
    scoreboard_look(&b, 0, &user);
    CHECK_EQ(scoreboard_needs_load(&b), 1);
    CHECK_EQ(scoreboard_needs_result(&b), 0);
    scoreboard_collected(&b, 0);
    scoreboard_set(&b, 0, &add);
    scoreboard_look(&b, 0, &both);
    CHECK_EQ(scoreboard_needs_load(&b), 1);
    scoreboard_take_changed(&b);
    scoreboard_clear(&b, 0, &load); /* it waits: to be looked at again */
    CHECK_EQ(scoreboard_take_changed(&b), 1);
    scoreboard_look(&b, 0, &both);
    CHECK_EQ(scoreboard_needs_load(&b), 0);
    CHECK_EQ(scoreboard_needs_result(&b), 1);
    scoreboard_destroy(&b);
}

/* ---- instruction buffer ---- */

static struct ibuffer
make_ibuffer(unsigned depth, bool overlaps)
{
    struct ibuffer b;
    CHECK(ibuffer_create(&b, 4, depth, overlaps));
    ibuffer_reset(&b);
    return b;
}

/* So many pairs fit, and the register is not one of them. */
TEST(a_buffer_is_full_with_its_pairs)
{
    struct ibuffer b = make_ibuffer(2, false);
    const struct model_op op[4] = { { .known = true } };
    ibuffer_push(&b, 1, &op[0], 3);
    CHECK_EQ(ibuffer_queued(&b), 2);
    CHECK_EQ(ibuffer_full(&b), 0);
    ibuffer_push(&b, 1, &op[2], 3);
    CHECK_EQ(ibuffer_full(&b), 2);
    ibuffer_refill(&b, 2);
    CHECK_EQ(ibuffer_full(&b), 0);
    CHECK_EQ(ibuffer_queued(&b), 2);
    ibuffer_destroy(&b);
}

/* One by one; while the register is empty the last pair's first is shown. */
TEST(the_register_gives_a_pair_one_by_one)
{
    struct ibuffer b = make_ibuffer(2, false);
    const struct model_op op[2] = { { .pc = 0 }, { .pc = 4 } };
    CHECK(ibuffer_empty(&b) & 1);
    CHECK(!ibuffer_head(&b, 0));
    ibuffer_push(&b, 0, op, 3);
    CHECK(ibuffer_empty(&b) & 1);
    ibuffer_refill(&b, 1);
    CHECK(!(ibuffer_empty(&b) & 1));
    CHECK(ibuffer_head(&b, 0) == &op[0]);
    ibuffer_take(&b, 0);
    CHECK(ibuffer_head(&b, 0) == &op[1]);
    ibuffer_take(&b, 0);
    CHECK(ibuffer_empty(&b) & 1);
    CHECK(ibuffer_head(&b, 0) == &op[0]);
    ibuffer_destroy(&b);
}

/* One that overlaps takes the next pair as its last instruction goes; without a pair
 * the second of the last one is shown. */
TEST(a_register_that_overlaps_has_no_gap)
{
    struct ibuffer b = make_ibuffer(2, true);
    const struct model_op op[4] = { { .pc = 0 }, { .pc = 4 }, { .pc = 8 } };
    ibuffer_push(&b, 0, op, 3);
    ibuffer_refill(&b, 1);
    ibuffer_push(&b, 0, op + 2, 1);
    ibuffer_push(&b, 0, op, 3);
    CHECK_EQ(ibuffer_full(&b), 1);
    ibuffer_take(&b, 0);
    CHECK(ibuffer_head(&b, 0) == &op[1]);
    CHECK_EQ(ibuffer_full(&b), 1);
    ibuffer_take(&b, 0);
    CHECK(ibuffer_head(&b, 0) == &op[2]);
    CHECK(!(ibuffer_empty(&b) & 1));
    CHECK_EQ(ibuffer_full(&b), 0);
    ibuffer_take(&b, 0);
    ibuffer_take(&b, 0);
    ibuffer_take(&b, 0);
    CHECK(ibuffer_empty(&b) & 1);
    CHECK(ibuffer_head(&b, 0) == &op[1]);
    ibuffer_destroy(&b);
}

/* A jump to the second of a pair, and a prefix that the decoder folded. */
TEST(a_pair_may_have_one_instruction)
{
    struct ibuffer b = make_ibuffer(2, false);
    const struct model_op op[4] = { { .skip = true }, { .pc = 4 } };
    CHECK_EQ(ibuffer_push(&b, 0, op, 3), 2);
    CHECK_EQ(ibuffer_push(&b, 0, op + 2, 2), 2);
    ibuffer_refill(&b, 1);
    CHECK(ibuffer_head(&b, 0) == &op[1]);
    ibuffer_take(&b, 0);
    ibuffer_refill(&b, 1);
    CHECK(ibuffer_head(&b, 0) == &op[3]);
    ibuffer_destroy(&b);
}

/* Nothing of a warp is left behind a jump; of others everything is. */
TEST(a_flush_empties_one_warp)
{
    struct ibuffer b = make_ibuffer(2, false);
    const struct model_op op[2] = { { .pc = 0 }, { .pc = 4 } };
    for (unsigned i = 0; i < 2; i++)
        for (unsigned n = 0; n < 2; n++)
            ibuffer_push(&b, i, op, 3);
    ibuffer_refill(&b, 3);
    ibuffer_take_changed(&b);
    ibuffer_flush(&b, 0);
    CHECK_EQ(ibuffer_take_changed(&b), 1);
    CHECK_EQ(ibuffer_queued(&b), 2);
    CHECK(!ibuffer_head(&b, 0));
    CHECK(ibuffer_head(&b, 1) == &op[0]);
    ibuffer_destroy(&b);
}

/* ---- scheduler ---- */

static struct ventus_model_config
scheduler_config(enum ventus_model_scheduler which)
{
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    c.scheduler = which;
    c.inner_warps = 2;
    return c;
}

/* Chooses of the ready warps of four cycles, all of which are active. */
static void
choose(const struct ventus_model_config *c, const uint64_t *ready, int *chosen)
{
    struct scheduler d;
    scheduler_init(&d, c, 0, 4);
    for (unsigned i = 4; i-- > 0;)
        scheduler_start(&d, i); /* the highest slot is the oldest */
    for (unsigned now = 0; now < 4; now++) {
        struct scheduler_warps w = { ready[now], 15, 0 };
        chosen[now] = ready[now] ? scheduler_choose(&d, 0, now, w) : NEVER;
        if (chosen[now] >= 0)
            scheduler_issued(&d, 0, now, (unsigned)chosen[now]);
        CHECK_EQ(scheduler_has_issued(&d, 0, now), chosen[now] >= 0);
    }
}

#define CHECK_CHOICE(which, ready, a, b, c, d)                              \
    do {                                                                    \
        const struct ventus_model_config config_ = scheduler_config(which); \
        int chosen_[4];                                                     \
        choose(&config_, ready, chosen_);                                   \
        const int expected_[4] = { a, b, c, d };                            \
        for (unsigned i_ = 0; i_ < 4; i_++)                                 \
            CHECK_EQ(chosen_[i_], expected_[i_]);                           \
    } while (0)

/* What each key says of the same ready warps: all, all, none, 0 and 2. */
TEST(schedulers_choose_by_their_rule)
{
    const uint64_t ready[4] = { 15, 15, 0, 5 };
    CHECK_CHOICE(VENTUS_MODEL_RR, ready, 0, 1, NEVER, 2);
    CHECK_CHOICE(VENTUS_MODEL_FIXED, ready, 0, 0, NEVER, 0);
    CHECK_CHOICE(VENTUS_MODEL_LRR, ready, 0, 1, NEVER,
                 0); /* cycle 3: from 3 on */
    CHECK_CHOICE(VENTUS_MODEL_GTO, ready, 0, 0, NEVER, 0);
    CHECK_CHOICE(VENTUS_MODEL_TWO_LEVEL, ready, 0, 1, NEVER, 0);
}

/* Greedy until it is not ready, then the oldest. */
TEST(gto_leaves_a_warp_for_the_oldest)
{
    const uint64_t ready[4] = { 6, 2, 13, 9 };
    CHECK_CHOICE(VENTUS_MODEL_GTO, ready, 2, 1, 3, 3);
}

/* One that waits for memory leaves the inner set to the next of the others. */
TEST(two_levels_change_a_warp_that_waits)
{
    const struct ventus_model_config c =
        scheduler_config(VENTUS_MODEL_TWO_LEVEL);
    struct scheduler d;
    scheduler_init(&d, &c, 0, 4);
    struct scheduler_warps w = { 12, 15, 0 };
    CHECK_EQ(scheduler_choose(&d, 0, 0, w), NEVER); /* inner: 0 and 1 */
    w.waiting = 1;
    CHECK_EQ(scheduler_choose(&d, 0, 1, w), 2);
    scheduler_issued(&d, 0, 1, 2);
    w = (struct scheduler_warps){ 9, 15, 0 };
    CHECK_EQ(scheduler_choose(&d, 0, 2, w), NEVER); /* inner: 1 and 2 */
}

/* An arbiter is open to those that would come before the one that it takes. */
TEST(a_port_is_open_up_to_its_next)
{
    const struct ventus_model_config c = scheduler_config(VENTUS_MODEL_RR);
    struct scheduler d;
    scheduler_init(&d, &c, 0, 8);
    scheduler_issued(&d, 0, 0, 2); /* from 3 on */
    CHECK_EQ(scheduler_open(&d, 0, 1 << 5) & 0xff, 1 << 3 | 1 << 4 | 1 << 5);
    CHECK_EQ(scheduler_open(&d, 0, 1 << 1) & 0xff, 0xff & ~(1 << 2));
    CHECK_EQ(scheduler_open(&d, 0, 1 << 6 | 1 << 1) & 0xff, 0x78);
    CHECK_EQ(scheduler_open(&d, 0, 0) & 0xff, 0xff);
}

/* The turn of a port is kept between launches, all else is not. */
TEST(the_turn_outlives_a_reset)
{
    const struct ventus_model_config c = scheduler_config(VENTUS_MODEL_RR);
    const struct scheduler_warps w = { 15, 15, 0 };
    struct scheduler d;
    scheduler_init(&d, &c, 0, 4);
    scheduler_issued(&d, 0, 7, 1);
    scheduler_reset(&d);
    CHECK_EQ(scheduler_choose(&d, 0, 0, w), 2);
    CHECK_EQ(scheduler_choose(&d, 1, 0, w), 0);
    CHECK(!scheduler_has_issued(&d, 0, 7));
}

/* Before its first grant the arbiter of each port prefers one warp. */
TEST(a_turn_begins_with_a_warp)
{
    struct ventus_model_config c = scheduler_config(VENTUS_MODEL_RR);
    const struct scheduler_warps all = { 15, 15, 0 };
    for (unsigned begin = 0; begin < 2; begin++) {
        struct scheduler d;
        c.arbiters_begin = begin;
        scheduler_init(&d, &c, 0, 4);
        CHECK_EQ(scheduler_choose(&d, 0, 0, all), begin);
        CHECK_EQ(scheduler_choose(&d, 1, 0, all), begin);
        scheduler_init(&d, &c, 0, 1);
        CHECK_EQ(
            scheduler_choose(&d, 0, 0, (struct scheduler_warps){ 1, 1, 0 }), 0);
    }
}

/* ---- fetch ---- */

/* Fetch before an L1I of lines of 8 bytes, so of one pair each; no TLB. */
struct front {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct tlb tlb;
    struct icache icache;
    struct fetch fetch;
    uint64_t now, active, full;
    struct {
        uint32_t pc;
        uint64_t at;
        unsigned warp, mask;
    } came[16];
    unsigned n;
};

static void
start_front(struct front *f)
{
    *f = (struct front){ .active = 1 };
    ventus_model_defaults(&f->config);
    f->config.icache.line_B = 8;
    CHECK(icache_create(&f->icache, &f->config, &f->stats, 0));
    icache_reset(&f->icache, 0, 0);
    fetch_init(&f->fetch, &f->tlb, &f->icache, 3);
    fetch_reset(&f->fetch);
}

/* A cycle; what the L1I asks for is answered in it. */
static void
step_front(struct front *f, bool answers)
{
    if (f->now)
        icache_tick(&f->icache, f->now);
    fetch_begin(&f->fetch, f->active, f->full);
    struct fetch_request r;
    if (fetch_tick(&f->fetch, f->now, &r) && CHECK(f->n < 16)) {
        f->came[f->n].pc = r.pc;
        f->came[f->n].at = f->now;
        f->came[f->n].warp = r.warp;
        f->came[f->n++].mask = r.mask;
    }
    if (answers && icache_l2_peek(&f->icache, f->now)) {
        uint64_t line = icache_l2_take(&f->icache, f->now);
        CHECK(answer_icache(&f->icache, line, f->now));
    }
    f->now++;
}

static void
fill_lines(struct front *f, unsigned lines)
{
    for (unsigned i = 0; i < lines; i++) {
        icache_lookup(&f->icache, i, f->now);
        for (unsigned n = 0; n < 8; n++)
            step_front(f, true);
    }
    f->n = 0;
}

/* Lines 0 to 7 are there, and nothing is under way. */
static void
start_warm(struct front *f)
{
    start_front(f);
    f->active = 0;
    fill_lines(f, 8);
}

/* An answer after two cycles, and a pair a cycle. */
TEST(a_hit_comes_after_two_cycles)
{
    struct front f;
    start_warm(&f);
    uint64_t start = f.now;
    fetch_jump(&f.fetch, 0, 0);
    f.active = 1;
    for (unsigned i = 0; i < 5; i++)
        step_front(&f, true);
    CHECK_EQ(f.n, 3);
    for (unsigned i = 0; i < 3; i++) {
        CHECK_EQ(f.came[i].pc, 8 * i);
        CHECK_EQ(f.came[i].at, start + 2 + i);
        CHECK_EQ(f.came[i].mask, 3);
    }
    icache_destroy(&f.icache);
}

/* To the second of a pair: only that one comes. */
TEST(a_jump_into_a_pair_fetches_one)
{
    struct front f;
    start_warm(&f);
    fetch_jump(&f.fetch, 0, 12);
    f.active = 1;
    for (unsigned i = 0; i < 4; i++)
        step_front(&f, true);
    CHECK_EQ(f.came[0].pc, 8);
    CHECK_EQ(f.came[0].mask, 2);
    CHECK_EQ(f.came[1].mask, 3);
    icache_destroy(&f.icache);
}

/* The lowest whose buffer has room has each cycle. */
TEST(the_lowest_warp_with_room_is_fetched)
{
    struct front f;
    start_warm(&f);
    for (unsigned i = 0; i < 3; i++)
        fetch_jump(&f.fetch, i, 16 * i);
    f.active = 7;
    f.full = 1;
    step_front(&f, true);
    f.full = 3;
    step_front(&f, true);
    f.full = 0;
    f.active = 0;
    step_front(&f, true);
    step_front(&f, true);
    CHECK_EQ(f.n, 2);
    CHECK_EQ(f.came[0].warp, 1);
    CHECK_EQ(f.came[1].warp, 2);
    icache_destroy(&f.icache);
}

/* Sent back when its buffer is full at the answer; then asked for again. */
TEST(a_full_buffer_sends_a_pair_back)
{
    struct front f;
    start_warm(&f);
    uint64_t start = f.now;
    fetch_jump(&f.fetch, 0, 0);
    f.active = 1;
    step_front(&f, true);
    f.full = 1;
    step_front(&f, true);
    fetch_begin(&f.fetch, 1, 1);
    CHECK(fetch_is_blocked(&f.fetch));
    step_front(&f, true);
    f.full = 0;
    for (unsigned i = 0; i < 3; i++)
        step_front(&f, true);
    CHECK_EQ(f.n, 1);
    CHECK_EQ(f.came[0].pc, 0);
    CHECK_EQ(f.came[0].at, start + 3 + 2);
    icache_destroy(&f.icache);
}

/* There is no list of waiters: the warp asks until its line has come, and then
 * as often as it takes; each answer of a miss blocks branches for its cycle. */
TEST(a_miss_is_asked_again_until_it_hits)
{
    struct front f;
    start_front(&f);
    fetch_jump(&f.fetch, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        step_front(&f, false);
    CHECK_EQ(f.stats.icache_misses, 1);
    fetch_begin(&f.fetch, 1, 0);
    CHECK(fetch_is_blocked(&f.fetch));
    for (unsigned i = 0; i < 12; i++)
        step_front(&f, false);
    CHECK_EQ(f.n, 0);
    CHECK(f.stats.icache_misses > 3);
    for (unsigned i = 0; i < 12; i++)
        step_front(&f, true);
    CHECK(f.n && f.came[0].pc == 0);
    icache_destroy(&f.icache);
}

/* What was under way when the warp jumped does not come. */
TEST(a_jump_drops_what_is_under_way)
{
    struct front f;
    start_warm(&f);
    fetch_jump(&f.fetch, 0, 0);
    f.active = 1;
    step_front(&f, true);
    step_front(&f, true);
    fetch_begin(&f.fetch, f.active, 0);
    fetch_flush(&f.fetch, 0);
    fetch_jump(&f.fetch, 0, 40);
    struct fetch_request dropped;
    CHECK(!fetch_tick(&f.fetch, f.now++, &dropped));
    uint64_t jumped = f.now;
    for (unsigned i = 0; i < 3; i++)
        step_front(&f, true);
    CHECK_EQ(f.n, 1);
    CHECK_EQ(f.came[0].pc, 40);
    CHECK_EQ(f.came[0].at, jumped + 2);
    icache_destroy(&f.icache);
}

TEST_MAIN
