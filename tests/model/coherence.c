/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of coherence = rcc without a launch: fences in the L1D that keeps time,
 * and the ages of registers.
 */
#include "model/memory/fence.h"
#include "model/memory/l1d.h"
#include "model/memory/value_age.h"
#include "model/pipeline/decode.h"
#include "model/pipeline/lsu.h"

#include "ports.h"
#include "test.h"

/* ---- fences: cycles ---- */

struct bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct dcache dcache;
    struct local local;
    struct tlb tlb;
    struct inflight_pool pool;
    struct events events;
    struct lsu lsu;
    struct fence fence;
    uint64_t now;
    bool bus_full;
    bool answers; /* stores are answered in the cycle after they left */
    uint64_t done[MAX_WARPS];
    unsigned puts;
    struct mem_request put[16]; /* that were not answered */
    unsigned waiting;
};

static void
start(struct bench *b)
{
    *b = (struct bench){ .now = 1, .answers = true };
    ventus_model_defaults(&b->config);
    b->config.dcache.sets = 4;
    b->config.dcache.ways = 2;
    CHECK(dcache_create(&b->dcache, &b->config, &b->stats, 0));
    dcache_reset(&b->dcache, 0);
    local_memory_init(&b->local, &b->config, &b->stats);
    inflight_reset(&b->pool);
    struct lsu_ports port = { &b->dcache, &b->local, &b->tlb, &b->pool,
                              &b->events };
    CHECK(lsu_create(&b->lsu, &b->config, &b->stats, 8, port));
    lsu_reset(&b->lsu);
    fence_init(&b->fence, &b->dcache, &b->lsu, &b->stats);
    fence_reset(&b->fence);
}

static void
stop(struct bench *b)
{
    dcache_destroy(&b->dcache);
    lsu_destroy(&b->lsu);
}

/* One a cycle; without room it comes again. */
static void
answer(struct bench *b)
{
    if (b->answers && b->waiting &&
        answer_dcache(&b->dcache, b->now, &b->put[b->waiting - 1]))
        b->waiting--;
}

static void
cycle(struct bench *b)
{
    const struct dcache_wires wires = { .bus_open = true, .lsu_empty = true };
    answer(b);
    dcache_tick(&b->dcache, b->now, &wires);
    if (dcache_peek(&b->dcache, b->now))
        dcache_take(&b->dcache, b->now);
    if (fence_next_event(&b->fence, b->now) <= b->now) {
        int warp = fence_tick(&b->fence, b->now, b->bus_full);
        if (warp != NEVER)
            b->done[warp] = b->now;
    }
    if (dcache_l2_peek(&b->dcache)) {
        b->put[b->waiting++] = dcache_l2_take(&b->dcache);
        b->puts += b->put[b->waiting - 1].op == MEM_PUT;
    }
    b->now++;
}

static void
run(struct bench *b, unsigned cycles)
{
    while (cycles--)
        cycle(b);
}

static void
access(struct bench *b, uint32_t line, bool write)
{
    const struct data_request r = { .line = line, .lanes = 1, .write = write };
    CHECK(dcache_can_send(&b->dcache, b->now));
    dcache_send(&b->dcache, b->now, &r);
    run(b, 40);
    CHECK(dcache_is_settled(&b->dcache) && !dcache_misses(&b->dcache));
}

/* A line in the cache that a store hits is dirty. */
static void
make_dirty(struct bench *b, uint32_t line)
{
    access(b, line, false);
    access(b, line, true);
    b->puts = 0;
}

static void
fence(struct bench *b, unsigned warp, enum fence_effect effect)
{
    fence_issue(&b->fence, warp, effect);
    CHECK(fence_is_pending(&b->fence, warp));
    fence_arrive(&b->fence, warp);
}

/* Begins in one cycle, and ends in the next in which nothing is under way. */
TEST(a_drain_takes_two_cycles)
{
    struct bench b;
    start(&b);
    uint64_t at = b.now;
    fence(&b, 3, FENCE_DRAIN);
    run(&b, 4);
    CHECK_EQ(b.done[3], at + 1);
    CHECK(!fence_is_pending(&b.fence, 3));
    CHECK_EQ(b.stats.cache_flushes, 0u);
    CHECK_EQ(fence_next_event(&b.fence, b.now), UINT64_MAX);
    stop(&b);
}

/* It begins, sees that nothing is awaited, looks for dirty lines, and is done. */
enum { EMPTY_FLUSH = 3 };

TEST(a_flush_of_clean_lines_keeps_them)
{
    struct bench b;
    start(&b);
    access(&b, 5, false);
    uint64_t at = b.now, misses = b.stats.read_misses;
    fence(&b, 0, FENCE_FLUSH);
    CHECK(!fence_blocks(&b.fence));
    cycle(&b);
    CHECK(fence_blocks(&b.fence));
    run(&b, 5);
    CHECK(!fence_blocks(&b.fence));
    CHECK_EQ(b.done[0], at + EMPTY_FLUSH);
    CHECK_EQ(b.stats.cache_flushes, 1u);
    access(&b, 5, false);
    CHECK_EQ(b.stats.read_misses, misses);
    stop(&b);
}

TEST(an_invalidate_keeps_none)
{
    struct bench b;
    start(&b);
    access(&b, 5, false);
    uint64_t at = b.now, misses = b.stats.read_misses;
    fence(&b, 0, FENCE_INVALIDATE);
    run(&b, 6);
    CHECK_EQ(b.done[0], at + EMPTY_FLUSH);
    access(&b, 5, false);
    CHECK_EQ(b.stats.read_misses, misses + 1);
    stop(&b);
}

/* Each is written once; clean ones are not. */
TEST(a_flush_writes_dirty_lines_and_waits_for_answers)
{
    for (unsigned lines = 1; lines < 5; lines++) {
        struct bench b;
        start(&b);
        access(&b, 9, false);
        for (uint32_t i = 0; i < lines; i++)
            make_dirty(&b, i);
        b.answers = false;
        fence(&b, 7, FENCE_FLUSH);
        run(&b, 60);
        CHECK_EQ(b.puts, lines);
        CHECK_EQ(b.done[7], 0u);
        CHECK(fence_is_pending(&b.fence, 7));
        b.answers = true;
        run(&b, 10);
        CHECK(b.done[7] > 60);
        CHECK_EQ(b.stats.cache_flushes, 1u);
        fence(&b, 7, FENCE_FLUSH);
        run(&b, 10);
        CHECK_EQ(b.puts, lines); /* they are clean now */
        stop(&b);
    }
}

TEST(a_flush_waits_for_the_register_before_the_bus)
{
    struct bench b;
    start(&b);
    b.bus_full = true;
    fence(&b, 0, FENCE_FLUSH);
    run(&b, 20);
    CHECK_EQ(b.done[0], 0u);
    b.bus_full = false;
    uint64_t at = b.now;
    cycle(&b);
    CHECK_EQ(b.done[0], at);
    stop(&b);
}

/* The warp behind the one that had its turn last goes first. */
TEST(warps_have_their_turn_in_a_circle)
{
    struct bench b;
    start(&b);
    fence(&b, 5, FENCE_DRAIN);
    run(&b, 4);
    fence(&b, 2, FENCE_DRAIN);
    fence(&b, 63, FENCE_DRAIN);
    fence(&b, 6, FENCE_DRAIN);
    run(&b, 10);
    CHECK_EQ(b.done[63], b.done[6] + 2);
    CHECK_EQ(b.done[2], b.done[63] + 2);
    stop(&b);
}

/* The warp goes on when the stronger effect is done, too. */
TEST(a_stronger_effect_follows_a_weaker_one)
{
    struct bench b;
    start(&b);
    uint64_t at = b.now;
    fence(&b, 1, FENCE_DRAIN);
    cycle(&b);
    fence(&b, 1, FENCE_FLUSH);
    run(&b, 10);
    CHECK_EQ(b.done[1], at + 2 + EMPTY_FLUSH);
    CHECK_EQ(b.stats.cache_flushes, 1u);
    stop(&b);
}

/* fence.c's table, from the slides: pred in the upper bits, succ in the lower. */
TEST(effects_of_instructions)
{
    enum { R_R = 0x22, R_W = 0x21, W_R = 0x12, W_W = 0x11, RW_RW = 0x33 };
    static const struct {
        struct model_op op;
        bool local;
        enum fence_effect effect;
    } row[] = {
        { { .fence = true, .order = R_R }, false, FENCE_INVALIDATE },
        { { .fence = true, .order = W_R }, false, FENCE_INVALIDATE },
        { { .fence = true, .order = RW_RW }, false, FENCE_INVALIDATE },
        { { .fence = true, .order = W_W }, false, FENCE_FLUSH },
        { { .fence = true, .order = R_W }, false, FENCE_DRAIN },
        { { .atomic = true, .aqrl = 1 }, false, FENCE_FLUSH },
        { { .atomic = true, .aqrl = 2 }, false, FENCE_INVALIDATE },
        { { .atomic = true, .aqrl = 3 }, false, FENCE_INVALIDATE },
        { { .atomic = true, .aqrl = 3 }, true, FENCE_DRAIN },
        { { .atomic = true }, false, FENCE_NOTHING },
        { { .barrier = true, .orders = ORDERS_DEVICE }, 0, FENCE_INVALIDATE },
        { { .barrier = true, .orders = ORDERS_GLOBAL }, 0, FENCE_NOTHING },
    };
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
        CHECK_EQ(fence_effect_of(&row[i].op, row[i].local), row[i].effect);
}

/* ---- ages of registers ---- */

enum { WARPS = 2, LANES = 8, ALL = 255 };

static struct model_op
op_of(unsigned source, unsigned destination)
{
    struct model_op op = { .known = true };
    for (unsigned i = 0; i < OP_REGISTERS; i++) {
        op.needs[i] = BUSY_NONE;
        op.span[i] = 1;
    }
    op.needs[0] = (uint16_t)source;
    op.needs[OP_SOURCES] = (uint16_t)destination;
    return op;
}

static void
load_register(struct value_age *d, unsigned reg, uint64_t exec, uint64_t age)
{
    struct model_op op = op_of(BUSY_X + 1, reg);
    op.memory = true;
    const struct value_age_step step = { .exec = exec, .read = age };
    value_age_write(d, 0, &op, &step);
}

TEST(a_result_is_as_young_as_its_youngest_source)
{
    struct value_age d;
    CHECK(value_age_create(&d, WARPS, LANES));
    load_register(&d, BUSY_X + 5, ALL, 30);
    load_register(&d, BUSY_X + 6, ALL, 20);
    struct model_op op = op_of(BUSY_X + 5, BUSY_X + 7);
    op.needs[1] = BUSY_X + 6;
    value_age_write(&d, 0, &op, &(struct value_age_step){ .exec = ALL });
    CHECK_EQ(value_age_of(&d, 0, BUSY_X + 7), 30u);
    CHECK_EQ(value_age_of(&d, 1, BUSY_X + 7), 0u);
    struct model_op load_op = op_of(BUSY_X + 7, BUSY_X + 8);
    CHECK_EQ(value_age_address(&d, 0, &load_op, false), 0u); /* no access */
    load_op.memory = true;
    CHECK_EQ(value_age_address(&d, 0, &load_op, false), 30u);
    load_register(&d, BUSY_X, ALL, 40);
    CHECK_EQ(value_age_of(&d, 0, BUSY_X), 0u); /* always 0 */
    value_age_clear(&d, 0);
    CHECK_EQ(value_age_of(&d, 0, BUSY_X + 7), 0u);
    value_age_destroy(&d);
}

/* Lanes are not told apart: the others keep what they had. */
TEST(a_part_of_a_vector_leaves_it_as_young_as_it_was)
{
    struct value_age d;
    CHECK(value_age_create(&d, WARPS, LANES));
    load_register(&d, BUSY_V + 3, ALL, 30);
    load_register(&d, BUSY_V + 3, ALL & ~1u, 20);
    CHECK_EQ(value_age_of(&d, 0, BUSY_V + 3), 30u);
    load_register(&d, BUSY_V + 3, ALL, 20);
    CHECK_EQ(value_age_of(&d, 0, BUSY_V + 3), 20u);
    value_age_destroy(&d);
}

/* With LMUL 2 a vector is two registers. */
TEST(a_group_is_two_registers)
{
    struct value_age d;
    CHECK(value_age_create(&d, WARPS, LANES));
    struct model_op op = op_of(BUSY_X + 1, BUSY_V + 4);
    op.memory = true;
    const struct value_age_step step = { .exec = ALL,
                                         .grouped = true,
                                         .read = 9 };
    value_age_write(&d, 0, &op, &step);
    CHECK_EQ(value_age_of(&d, 0, BUSY_V + 4), 9u);
    CHECK_EQ(value_age_of(&d, 0, BUSY_V + 5), 9u);
    CHECK_EQ(value_age_of(&d, 0, BUSY_V + 6), 0u);
    value_age_destroy(&d);
}

/* All local memory is as young as the youngest that was stored there. */
TEST(local_memory_has_one_age)
{
    struct value_age d;
    CHECK(value_age_create(&d, WARPS, LANES));
    load_register(&d, BUSY_X + 5, ALL, 30);
    struct model_op op = op_of(BUSY_X + 5, BUSY_NONE);
    op.memory = op.write = true;
    value_age_write(&d, 0, &op,
                    &(struct value_age_step){ .exec = ALL, .local = true });
    op = op_of(BUSY_X + 1, BUSY_X + 9);
    op.memory = true;
    value_age_write(&d, 1, &op,
                    &(struct value_age_step){ .exec = ALL, .local = true });
    CHECK_EQ(value_age_of(&d, 1, BUSY_X + 9), 30u);
    value_age_destroy(&d);
}

TEST_MAIN
