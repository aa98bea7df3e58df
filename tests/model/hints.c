/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cache hints (microarchitecture.md, Cache hints) at the ports of L1D and L2, without a
 * launch: loads of three lines of a set of two ways, and which of them are there then.
 */
#include "model/memory/l1d.h"
#include "model/memory/l2.h"

#include "ports.h"
#include "test.h"

enum { NONE, STREAM, KEEP, BYPASS, UNKNOWN };
enum { A = 1, B = 5, C = 9, SETS = 4, WAYS = 2 }; /* lines of one set */

static struct ventus_model_config
config_of(enum ventus_model_replacement policy)
{
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    c.dcache.ways = c.l2.ways = WAYS;
    c.dcache.sets = c.l2.sets = SETS;
    c.dcache.replacement = c.l2.replacement = policy;
    c.l2_hits = true;
    return c;
}

/* ---- the L1D ---- */

struct l1d_bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct dcache dcache;
    uint64_t now;
    unsigned left; /* requests that left for the L2, and the last one */
    struct mem_request leaving;
    unsigned answers;
};

static void
start_l1d(struct l1d_bench *b)
{
    *b = (struct l1d_bench){ .config = config_of(VENTUS_MODEL_REPLACE_LRU) };
    CHECK(dcache_create(&b->dcache, &b->config, &b->stats, 0));
    dcache_reset(&b->dcache, 0);
}

static void
run_l1d(struct l1d_bench *b)
{
    const struct dcache_wires wires = { .bus_open = true, .lsu_empty = true };
    for (uint64_t end = b->now + 12; b->now < end; b->now++) {
        dcache_tick(&b->dcache, b->now, &wires);
        if (dcache_l2_peek(&b->dcache)) {
            b->leaving = dcache_l2_take(&b->dcache);
            b->left++;
        }
        if (dcache_peek(&b->dcache, b->now)) {
            dcache_take(&b->dcache, b->now);
            b->answers++;
        }
    }
}

/* A request, up to what it asks of the L2; true: nothing. */
static bool
ask(struct l1d_bench *b, uint64_t line, bool write, unsigned hint)
{
    const struct data_request r = {
        .line = line, .lanes = 1, .write = write, .hint = (uint8_t)hint
    };
    unsigned left = b->left;
    dcache_send(&b->dcache, b->now, &r);
    run_l1d(b);
    return b->left == left;
}

/* And with the answer of the L2; true: a hit. */
static bool
load(struct l1d_bench *b, uint64_t line, unsigned hint)
{
    if (ask(b, line, false, hint))
        return true;
    CHECK(b->leaving.op == MEM_GET && b->leaving.line == line);
    CHECK_EQ(b->leaving.hint, hint);
    CHECK(answer_dcache(&b->dcache, b->now, &b->leaving));
    run_l1d(b);
    return false;
}

static bool
l1d_has(uint64_t line, const uint8_t hints[3])
{
    struct l1d_bench b;
    start_l1d(&b);
    CHECK(!load(&b, A, hints[0]));
    CHECK(!load(&b, B, hints[1]));
    CHECK(!load(&b, C, hints[2]));
    bool has = load(&b, line, NONE);
    dcache_destroy(&b.dcache);
    return has;
}

/* ---- the L2 ---- */

struct l2_bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats, sm_stats;
    struct memory memory;
    struct l2 l2;
    uint64_t now;
};

static bool
on_can_send(void *ctx, const struct mem_request *r, uint64_t now)
{
    (void)ctx;
    (void)r;
    (void)now;
    return true;
}

static void
on_send(void *ctx, const struct mem_request *r, uint64_t now)
{
    (void)ctx;
    (void)r;
    (void)now;
}

static bool
load_l2(struct l2_bench *b, uint64_t line, unsigned hint)
{
    const struct mem_request r = {
        .op = MEM_GET, .line = line, .cache = MEM_DCACHE, .hint = (uint8_t)hint
    };
    uint64_t hits = b->sm_stats.l2_hits;
    l2_send(&b->l2, b->now, &r);
    for (uint64_t end = b->now + 60; b->now < end; b->now++) {
        struct memory_request answer;
        if (memory_busy(&b->memory) &&
            tick_memory(&b->memory, b->now, &answer) && !answer.write)
            l2_memory_send(&b->l2, b->now, &answer);
        l2_tick(&b->l2, b->now);
    }
    CHECK(l2_is_idle(&b->l2));
    return b->sm_stats.l2_hits > hits;
}

static bool
l2_has(uint64_t line, const uint8_t hints[3],
       enum ventus_model_replacement policy)
{
    struct l2_bench b = { .config = config_of(policy) };
    memory_init(&b.memory, &b.config, &b.stats);
    const struct l2_port answers = { on_can_send, on_send, NULL };
    CHECK(l2_create(&b.l2, &b.config, &b.sm_stats, &b.memory, &answers));
    l2_reset(&b.l2, 0);
    CHECK(!load_l2(&b, A, hints[0]));
    CHECK(!load_l2(&b, B, hints[1]));
    CHECK(!load_l2(&b, C, hints[2]));
    bool has = load_l2(&b, line, NONE);
    l2_destroy(&b.l2);
    return has;
}

/* ---- which lines are there ---- */

struct row {
    uint8_t hints[3];     /* of A, B, C, in the order of the loads */
    const char *l1d, *l2; /* what is there then */
};

/* The least recently used line goes for another one. */
static const struct row rows[] = {
    { { NONE, NONE, NONE }, "BC", "BC" },
    { { NONE, NONE, STREAM }, "AB", "AB" },
    { { NONE, NONE, BYPASS }, "AB", "BC" },
    { { STREAM, NONE, NONE }, "BC", "BC" },
    { { BYPASS, NONE, NONE }, "BC", "BC" },
    { { KEEP, NONE, NONE }, "AC", "AC" },
    { { KEEP, NONE, KEEP }, "AC", "AC" },
    { { KEEP, KEEP, NONE }, "BC", "BC" }, /* all ways are kept */
    { { KEEP, NONE, STREAM }, "AB", "AB" },
    { { UNKNOWN, NONE, NONE }, "BC", "BC" },
};

TEST(hints_say_which_lines_have_a_place)
{
    static const uint64_t lines[] = { A, B, C };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned k = 0; k < 3; k++) {
            char name = (char)('A' + k);
            CHECK_EQ(l1d_has(lines[k], rows[i].hints),
                     strchr(rows[i].l1d, name) != NULL);
            CHECK_EQ(l2_has(lines[k], rows[i].hints, VENTUS_MODEL_REPLACE_LRU),
                     strchr(rows[i].l2, name) != NULL);
        }
}

/* lfsr chooses the way with the miss, whatever it holds: what is kept stays, and a
 * stream takes nothing. */
TEST(hints_hold_where_the_way_is_chosen_with_the_miss)
{
    const enum ventus_model_replacement lfsr = VENTUS_MODEL_REPLACE_LFSR;
    CHECK(l2_has(A, (uint8_t[]){ KEEP, NONE, NONE }, lfsr));
    CHECK(l2_has(A, (uint8_t[]){ NONE, STREAM, STREAM }, lfsr));
    CHECK(!l2_has(C, (uint8_t[]){ NONE, NONE, STREAM }, lfsr));
}

/* ---- hits ---- */

/* A hit with STREAM leaves the line as old as it was; others make it young. */
TEST(a_streaming_hit_makes_no_line_younger)
{
    for (unsigned hint = NONE; hint <= KEEP; hint++) {
        struct l1d_bench b;
        start_l1d(&b);
        load(&b, A, NONE);
        load(&b, B, NONE);
        CHECK(load(&b, A, hint));
        load(&b, C, NONE);
        CHECK_EQ(load(&b, A, NONE), hint != STREAM);
        dcache_destroy(&b.dcache);
    }
}

/* A bypass asks the L2 for a line that is there, which goes; a dirty one it uses. */
TEST(a_bypass_uses_dirty_lines_alone)
{
    for (unsigned dirty = 0; dirty < 2; dirty++)
        for (unsigned write = 0; write < 2; write++) {
            struct l1d_bench b;
            start_l1d(&b);
            load(&b, A, NONE);
            if (dirty)
                CHECK(ask(&b, A, true, NONE));
            unsigned answers = b.answers;
            CHECK_EQ(ask(&b, A, write, BYPASS), dirty);
            CHECK(dirty || b.leaving.op == (write ? MEM_PUT : MEM_GET));
            CHECK_EQ(b.answers > answers, dirty || write);
            dcache_destroy(&b.dcache);
        }
}

/* One request for the line, which has a place if one of the loads wants that. */
TEST(loads_of_a_line_share_a_miss_whatever_their_hints)
{
    for (unsigned hint = NONE; hint <= BYPASS; hint++) {
        struct l1d_bench b;
        start_l1d(&b);
        CHECK(!ask(&b, A, false, STREAM));
        CHECK(ask(&b, A, false, hint));
        CHECK(answer_dcache(&b.dcache, b.now, &b.leaving));
        run_l1d(&b);
        CHECK_EQ(b.answers, 2);
        CHECK_EQ(load(&b, A, NONE), hint == NONE || hint == KEEP);
        dcache_destroy(&b.dcache);
    }
}

TEST_MAIN
