/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of coherence = rcc without a launch: fences in the L1D that keeps time,
 * the values that L1Ds hold, and the ages of registers.
 */
#include "model/decode.h"
#include "model/depend.h"
#include "model/fence.h"
#include "model/l1d.h"
#include "model/lsu.h"
#include "model/shadow.h"

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
        dcache_deliver(&b->dcache, b->now, &b->put[b->waiting - 1]))
        b->waiting--;
}

static void
cycle(struct bench *b)
{
    const struct dcache_wires wires = { .bus_open = true, .lsu_empty = true };
    answer(b);
    dcache_tick(&b->dcache, b->now, &wires);
    if (dcache_has_answer(&b->dcache, b->now))
        dcache_take_answer(&b->dcache, b->now);
    if (fence_next_event(&b->fence, b->now) <= b->now) {
        int warp = fence_tick(&b->fence, b->now, b->bus_full);
        if (warp != NEVER)
            b->done[warp] = b->now;
    }
    if (dcache_leaves(&b->dcache)) {
        b->put[b->waiting++] = dcache_take_leaving(&b->dcache);
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
    CHECK(dcache_has_room(&b->dcache, b->now));
    dcache_request(&b->dcache, b->now, &r);
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

/* ---- values: two L1Ds before one memory ---- */

enum { DATA = 0x90000000, LINE_B = 128 };

struct pair {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct ventus_sim *sim;
    struct shadow x[2];
};

static void
open_pair(struct pair *p)
{
    const struct ventus_sim_config machine = { .num_thread = 8 };
    char text[256] = "";
    *p = (struct pair){ .sim = ventus_sim_create(&machine, text, sizeof text) };
    CHECK(p->sim);
    CHECK(ventus_sim_map(p->sim, DATA, 1 << 16,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    ventus_model_defaults(&p->config);
    p->config.dcache.line_B = LINE_B;
    p->config.dcache.sets = 2;
    p->config.dcache.ways = 2;
    for (unsigned i = 0; i < 2; i++) {
        CHECK(shadow_create(&p->x[i], &p->config, &p->stats, p->sim, i));
        shadow_reset(&p->x[i], 0);
    }
}

static void
close_pair(struct pair *p)
{
    shadow_destroy(&p->x[0]);
    shadow_destroy(&p->x[1]);
    ventus_sim_destroy(p->sim);
}

static uint32_t
step(struct pair *p, unsigned sm, uint64_t at, struct shadow_kind kind,
     uint64_t address, uint32_t value)
{
    uint32_t read = 0;
    struct step_access *a = shadow_begin(&p->x[sm]);
    a->n = 1;
    a->bytes = 4;
    a->at[0] = at;
    shadow_before(&p->x[sm], &kind, address);
    CHECK(ventus_sim_read(p->sim, at, &read, 4));
    if (kind.write || kind.atomic)
        CHECK(ventus_sim_write(p->sim, at, &value, 4));
    shadow_after(&p->x[sm], kind.write);
    return read;
}

static uint32_t
load(struct pair *p, unsigned sm, uint64_t at)
{
    return step(p, sm, at, (struct shadow_kind){ 0 }, 0, 0);
}

static void
store(struct pair *p, unsigned sm, uint64_t at, uint32_t value)
{
    step(p, sm, at, (struct shadow_kind){ .write = true }, 0, value);
}

static uint32_t
swap(struct pair *p, unsigned sm, uint64_t at, uint32_t value)
{
    return step(p, sm, at, (struct shadow_kind){ .atomic = true }, 0, value);
}

static uint32_t
memory(const struct pair *p, uint64_t at)
{
    uint32_t word = 0;
    CHECK(ventus_sim_read(p->sim, at, &word, 4));
    return word;
}

TEST(a_store_that_hits_stays_until_it_is_flushed)
{
    struct pair p;
    open_pair(&p);
    CHECK_EQ(load(&p, 0, DATA), 0u);
    store(&p, 0, DATA, 7);
    CHECK_EQ(load(&p, 0, DATA), 7u);
    CHECK_EQ(load(&p, 1, DATA), 0u);
    CHECK_EQ(memory(&p, DATA), 0u);
    CHECK(!shadow_take_changed(&p.x[0]));
    shadow_flush(&p.x[0]);
    CHECK(shadow_take_changed(&p.x[0]) && !shadow_take_changed(&p.x[0]));
    CHECK_EQ(memory(&p, DATA), 7u);
    CHECK_EQ(load(&p, 1, DATA), 0u); /* it has the line */
    shadow_invalidate(&p.x[1]);
    CHECK(shadow_take_changed(&p.x[1]));
    CHECK_EQ(load(&p, 1, DATA), 7u);
    close_pair(&p);
}

TEST(a_store_that_misses_goes_to_the_l2)
{
    struct pair p;
    open_pair(&p);
    store(&p, 0, DATA, 7);
    CHECK_EQ(memory(&p, DATA), 7u);
    close_pair(&p);
}

TEST(a_line_gives_back_the_bytes_that_were_written)
{
    struct pair p;
    open_pair(&p);
    for (unsigned i = 0; i < 2; i++) {
        load(&p, i, DATA);
        store(&p, i, DATA + 4 * i, 7 + i);
    }
    shadow_invalidate(&p.x[0]);
    shadow_invalidate(&p.x[1]);
    CHECK_EQ(memory(&p, DATA), 7u);
    CHECK_EQ(memory(&p, DATA + 4), 8u);
    close_pair(&p);
}

/* An atomic is done at the L2, behind what its own L1D had written. */
TEST(an_atomic_sees_the_l2)
{
    struct pair p;
    open_pair(&p);
    load(&p, 0, DATA);
    load(&p, 1, DATA);
    store(&p, 0, DATA, 7);
    CHECK_EQ(swap(&p, 1, DATA, 8), 0u);
    CHECK_EQ(memory(&p, DATA), 8u);
    CHECK_EQ(load(&p, 1, DATA), 8u);
    CHECK_EQ(swap(&p, 0, DATA, 9), 7u);
    CHECK_EQ(memory(&p, DATA), 9u);
    close_pair(&p);
}

/* A line that leaves a full set takes what was written with it. */
TEST(a_victim_is_written_back)
{
    struct pair p;
    open_pair(&p);
    const uint64_t set = (uint64_t)2 * LINE_B;
    load(&p, 0, DATA);
    store(&p, 0, DATA, 7);
    load(&p, 0, DATA + set);
    CHECK_EQ(memory(&p, DATA), 0u);
    load(&p, 0, DATA + 2 * set);
    CHECK_EQ(memory(&p, DATA), 7u);
    close_pair(&p);
}

/* The words of a line are looked for at once only if all of them are memory. */
TEST(a_word_behind_the_end_of_memory_is_none_of_its_line)
{
    struct pair p;
    const struct shadow_kind reads = { 0 };
    open_pair(&p);
    CHECK(ventus_sim_bound(p.sim, DATA, LINE_B + 8));
    for (unsigned line = 0; line < 2; line++) {
        struct step_access *a = shadow_begin(&p.x[0]);
        const uint64_t at = DATA + line * LINE_B;
        bool local;
        a->n = 3;
        a->bytes = 4;
        for (unsigned i = 0; i < 3; i++)
            a->at[i] = at + 4 * i;
        shadow_before(&p.x[0], &reads, 0);
        CHECK_EQ(a->at[0], at);
        CHECK_EQ(a->at[1], at + 4);
        CHECK_EQ(a->at[2], line ? UINT64_MAX : at + 8);
        shadow_after(&p.x[0], false);
        shadow_age(&p.x[0], &local);
        CHECK_EQ(local, line);
    }
    close_pair(&p);
}

/* What an address was made of is younger than the line: it is taken anew. */
TEST(a_load_takes_a_line_anew_that_is_older_than_its_address)
{
    struct pair p;
    bool local;
    open_pair(&p);
    const struct shadow_kind reads = { 0 };
    load(&p, 0, DATA);
    const uint64_t old = shadow_age(&p.x[0], &local);
    CHECK(!local && old);
    store(&p, 1, DATA, 7); /* misses: the L2 has it */
    CHECK_EQ(step(&p, 0, DATA, reads, old, 0), 0u);
    CHECK_EQ(p.stats.refetches, 0u);
    load(&p, 0, DATA + LINE_B);
    const uint64_t young = shadow_age(&p.x[0], &local);
    CHECK(young > old);
    CHECK_EQ(step(&p, 0, DATA, reads, young, 0), 7u);
    CHECK_EQ(p.stats.refetches, 1u);
    close_pair(&p);
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
load_register(struct depend *d, unsigned reg, uint64_t exec, uint64_t age)
{
    struct model_op op = op_of(BUSY_X + 1, reg);
    op.memory = true;
    const struct depend_step step = { .exec = exec, .read = age };
    depend_write(d, 0, &op, &step);
}

TEST(a_result_is_as_young_as_its_youngest_source)
{
    struct depend d;
    CHECK(depend_create(&d, WARPS, LANES));
    load_register(&d, BUSY_X + 5, ALL, 30);
    load_register(&d, BUSY_X + 6, ALL, 20);
    struct model_op op = op_of(BUSY_X + 5, BUSY_X + 7);
    op.needs[1] = BUSY_X + 6;
    depend_write(&d, 0, &op, &(struct depend_step){ .exec = ALL });
    CHECK_EQ(depend_age(&d, 0, BUSY_X + 7), 30u);
    CHECK_EQ(depend_age(&d, 1, BUSY_X + 7), 0u);
    struct model_op load_op = op_of(BUSY_X + 7, BUSY_X + 8);
    CHECK_EQ(depend_address(&d, 0, &load_op, false), 0u); /* no access */
    load_op.memory = true;
    CHECK_EQ(depend_address(&d, 0, &load_op, false), 30u);
    load_register(&d, BUSY_X, ALL, 40);
    CHECK_EQ(depend_age(&d, 0, BUSY_X), 0u); /* always 0 */
    depend_clear(&d, 0);
    CHECK_EQ(depend_age(&d, 0, BUSY_X + 7), 0u);
    depend_destroy(&d);
}

/* Lanes are not told apart: the others keep what they had. */
TEST(a_part_of_a_vector_leaves_it_as_young_as_it_was)
{
    struct depend d;
    CHECK(depend_create(&d, WARPS, LANES));
    load_register(&d, BUSY_V + 3, ALL, 30);
    load_register(&d, BUSY_V + 3, ALL & ~1u, 20);
    CHECK_EQ(depend_age(&d, 0, BUSY_V + 3), 30u);
    load_register(&d, BUSY_V + 3, ALL, 20);
    CHECK_EQ(depend_age(&d, 0, BUSY_V + 3), 20u);
    depend_destroy(&d);
}

/* With LMUL 2 a vector is two registers. */
TEST(a_group_is_two_registers)
{
    struct depend d;
    CHECK(depend_create(&d, WARPS, LANES));
    struct model_op op = op_of(BUSY_X + 1, BUSY_V + 4);
    op.memory = true;
    const struct depend_step step = { .exec = ALL, .grouped = true, .read = 9 };
    depend_write(&d, 0, &op, &step);
    CHECK_EQ(depend_age(&d, 0, BUSY_V + 4), 9u);
    CHECK_EQ(depend_age(&d, 0, BUSY_V + 5), 9u);
    CHECK_EQ(depend_age(&d, 0, BUSY_V + 6), 0u);
    depend_destroy(&d);
}

/* All local memory is as young as the youngest that was stored there. */
TEST(local_memory_has_one_age)
{
    struct depend d;
    CHECK(depend_create(&d, WARPS, LANES));
    load_register(&d, BUSY_X + 5, ALL, 30);
    struct model_op op = op_of(BUSY_X + 5, BUSY_NONE);
    op.memory = op.write = true;
    depend_write(&d, 0, &op,
                 &(struct depend_step){ .exec = ALL, .local = true });
    op = op_of(BUSY_X + 1, BUSY_X + 9);
    op.memory = true;
    depend_write(&d, 1, &op,
                 &(struct depend_step){ .exec = ALL, .local = true });
    CHECK_EQ(depend_age(&d, 1, BUSY_X + 9), 30u);
    depend_destroy(&d);
}

TEST_MAIN
