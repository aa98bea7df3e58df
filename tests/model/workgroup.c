/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workgroups of an SM without a launch: warps that come, wait at barriers and end in
 * known cycles; which of them go on, and when the SM drains.  The program is a barrier and an
 * end; what a warp has executed is sim/step.h's.
 */
#include "model/pipeline/workgroup.h"

#include "ports.h"
#include "program.h"

enum {
    WARPS = 8,
    PER_GROUP = 3,
    SLOTS = 2,
    THREADS = 4,
    ITEMS = PER_GROUP * THREADS
};

/* The workgroups of an SM with all that they order and tell. */
struct bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct ventus_sim *sim;
    struct sim_stepper *stepper;
    struct ibuffer ibuffer;
    struct scoreboard scoreboard;
    struct scheduler scheduler;
    struct collect collect;
    struct inflight_pool pool;
    struct lsu lsu;
    struct rcc rcc;
    struct dcache dcache;
    struct icache icache;
    struct issue issue;
    struct workgroup groups;
    uint64_t now;
    /* What came out of its ports. */
    unsigned wakes, invalidated, drained, warps_ended, last;
    uint64_t ended[SLOTS];
    unsigned groups_ended;
};

static void
on_wake(void *ctx)
{
    ((struct bench *)ctx)->wakes++;
}

static void
on_invalidate(void *ctx)
{
    ((struct bench *)ctx)->invalidated++;
}

static void
on_group_ended(void *ctx, uint64_t group)
{
    struct bench *b = ctx;
    if (CHECK(b->groups_ended < SLOTS))
        b->ended[b->groups_ended++] = group;
}

static void
on_warp_ended(void *ctx, unsigned slot, bool last)
{
    struct bench *b = ctx;
    CHECK(slot < SLOTS);
    b->warps_ended++;
    b->last += last;
}

static void
on_drained(void *ctx)
{
    ((struct bench *)ctx)->drained++;
}

/* ---- the bench ---- */

static void
open_stepper(struct bench *b, uint32_t items)
{
    const struct ventus_sim_config machine = { .num_thread = THREADS,
                                               .num_warp = WARPS };
    const struct ventus_sim_launch launch = { .pc = CODE,
                                              .grid = { SLOTS, 1, 1 },
                                              .global = { items, 1, 1 },
                                              .local = { ITEMS, 1, 1 },
                                              .warps = PER_GROUP };
    const struct ventus_isa_insn program[] = { ventus_isa_barrier(0, 0, 0),
                                               ventus_isa_endprg(0, 0, 0) };
    struct ventus_sim_fault fault;
    char text[256];
    b->sim = ventus_sim_create(&machine, text, sizeof text);
    CHECK(ventus_sim_map(b->sim, CODE, PAGE,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC));
    for (unsigned i = 0; i < 2; i++) {
        uint32_t word[2];
        CHECK_EQ(ventus_isa_encode(&program[i], word), 1);
        CHECK(ventus_sim_write(b->sim, CODE + 4 * i, word, 4));
    }
    b->stepper = step_open(b->sim, &launch, SLOTS, &fault);
    CHECK(b->stepper);
}

/* The issue stage holds warps; nothing issues. */
static void
start_issue(struct bench *b)
{
    CHECK(ibuffer_create(&b->ibuffer, WARPS, 4, false));
    CHECK(scoreboard_create(&b->scoreboard, WARPS));
    ibuffer_reset(&b->ibuffer);
    scoreboard_reset(&b->scoreboard);
    scheduler_init(&b->scheduler, &b->config, 0, WARPS);
    collect_init(&b->collect, &b->config, &b->stats);
    collect_reset(&b->collect);
    inflight_reset(&b->pool);
    const struct issue_ports port = { .ibuffer = &b->ibuffer,
                                      .scoreboard = &b->scoreboard,
                                      .scheduler = &b->scheduler,
                                      .collect = &b->collect,
                                      .pool = &b->pool,
                                      .lsu = &b->lsu,
                                      .rcc = &b->rcc };
    issue_init(&b->issue, &b->config, &port);
    issue_reset(&b->issue);
}

/* `change` may be NULL; both workgroups have so many work-items. */
static void
start_bench(struct bench *b, void (*change)(struct ventus_model_config *),
            uint32_t items)
{
    *b = (struct bench){ .now = 100 };
    program_config(&b->config);
    b->config.collectors = WARPS;
    b->config.done_cycles = 5;
    b->config.reply_cycles = 7;
    if (change)
        change(&b->config);
    open_stepper(b, items);
    start_issue(b);
    CHECK(dcache_create(&b->dcache, &b->config, &b->stats, 0));
    CHECK(icache_create(&b->icache, &b->config, &b->stats, 0));
    dcache_reset(&b->dcache, 0);
    icache_reset(&b->icache, 0, 0);
    const struct workgroup_ports port = { .issue = &b->issue,
                                          .lsu = &b->lsu,
                                          .rcc = &b->rcc,
                                          .dcache = &b->dcache,
                                          .icache = &b->icache,
                                          .ctx = b,
                                          .wake = on_wake,
                                          .invalidate = on_invalidate,
                                          .group_ended = on_group_ended,
                                          .warp_ended = on_warp_ended,
                                          .drained = on_drained };
    const struct workgroup_launch launch = { .warps = PER_GROUP,
                                             .slots = SLOTS,
                                             .stepper = b->stepper };
    workgroup_init(&b->groups, &b->config, WARPS, &port);
    workgroup_reset(&b->groups, &launch);
}

static void
stop_bench(struct bench *b)
{
    step_close(b->stepper);
    ventus_sim_destroy(b->sim);
    ibuffer_destroy(&b->ibuffer);
    scoreboard_destroy(&b->scoreboard);
    dcache_destroy(&b->dcache);
    icache_destroy(&b->icache);
}

/* A workgroup with all its warps: the warp slots, which run at once. */
static void
start_group(struct bench *b, unsigned slot, int warp[PER_GROUP])
{
    workgroup_start(&b->groups, slot, slot);
    for (unsigned id = 0; id < PER_GROUP; id++) {
        warp[id] = workgroup_start_warp(&b->groups, slot, id);
        if (warp[id] == NEVER)
            continue;
        scoreboard_start(&b->scoreboard, (unsigned)warp[id]);
        issue_start(&b->issue, (unsigned)warp[id], b->now);
    }
    issue_begin(&b->issue, b->now);
}

static void
step(struct bench *b, int warp)
{
    struct warp_place at = workgroup_place(&b->groups, (unsigned)warp);
    CHECK(step_warp(b->stepper, at.group, at.id));
}

static const struct model_op a_barrier = { .barrier = true,
                                           .orders = ORDERS_GLOBAL };

static void
arrive(struct bench *b, int warp)
{
    step(b, warp);
    CHECK(workgroup_barrier(&b->groups, (unsigned)warp, &a_barrier));
}

/* Its barrier is behind it. */
static void
end(struct bench *b, int warp)
{
    step(b, warp);
    workgroup_ending(&b->groups);
    CHECK(workgroup_warp_ended(&b->groups, (unsigned)warp, b->now));
}

static bool
waits(const struct bench *b, int warp)
{
    return issue_waits(&b->issue) >> warp & 1;
}

/* The only barrier of a workgroup, which has just begun. */
static void
pass_barrier(struct bench *b, const int warp[PER_GROUP])
{
    for (unsigned i = 0; i < PER_GROUP; i++)
        arrive(b, warp[i]);
    for (unsigned i = 0; i < PER_GROUP; i++)
        CHECK(!waits(b, warp[i]));
}

/* ---- slots ---- */

TEST(a_warp_takes_the_lowest_slot_that_is_free)
{
    struct bench b;
    int first[PER_GROUP], second[PER_GROUP], third[PER_GROUP];
    start_bench(&b, NULL, SLOTS * ITEMS);
    CHECK(workgroup_is_none(&b.groups));
    start_group(&b, 0, first);
    start_group(&b, 1, second);
    for (int i = 0; i < PER_GROUP; i++) {
        CHECK_EQ(first[i], i);
        CHECK_EQ(second[i], PER_GROUP + i);
    }
    CHECK_EQ(b.wakes, 2 * PER_GROUP);
    pass_barrier(&b, first);
    for (unsigned i = 0; i < PER_GROUP; i++)
        end(&b, first[i]);
    CHECK_EQ(b.groups_ended, 1);
    CHECK_EQ(b.ended[0], 0);
    CHECK(!workgroup_is_live(&b.groups, 0) && workgroup_is_live(&b.groups, 1));
    start_group(&b, 0, third);
    CHECK_EQ(third[0], 0);
    CHECK_EQ(workgroup_place(&b.groups, 2).id, 2);
    CHECK_EQ(workgroup_place(&b.groups, 4).group, 1);
    CHECK_EQ(workgroup_warps(&b.groups), 2 * PER_GROUP);
    CHECK(workgroup_runs(&b.groups));
    CHECK_EQ(b.last, 0);
    stop_bench(&b);
}

/* The second workgroup has five work-items, so two warps are all of it. */
TEST(a_warp_without_work_items_takes_no_slot)
{
    struct bench b;
    int warp[PER_GROUP];
    start_bench(&b, NULL, ITEMS + THREADS + 1);
    start_group(&b, 1, warp);
    CHECK_EQ(warp[2], NEVER);
    CHECK_EQ(workgroup_warps(&b.groups), 2);
    arrive(&b, warp[0]);
    CHECK(waits(&b, warp[0]));
    arrive(&b, warp[1]);
    CHECK(!waits(&b, warp[0]) && !waits(&b, warp[1]));
    stop_bench(&b);
}

/* ---- barriers ---- */

TEST(a_barrier_holds_the_warps_of_its_workgroup)
{
    struct bench b;
    int first[PER_GROUP], second[PER_GROUP];
    start_bench(&b, NULL, SLOTS * ITEMS);
    start_group(&b, 0, first);
    start_group(&b, 1, second);
    arrive(&b, first[2]);
    arrive(&b, second[0]);
    arrive(&b, first[0]);
    CHECK(waits(&b, first[0]) && waits(&b, first[2]) && !waits(&b, first[1]));
    arrive(&b, first[1]);
    CHECK(!waits(&b, first[0]) && !waits(&b, first[1]) && !waits(&b, first[2]));
    CHECK(waits(&b, second[0]));
    stop_bench(&b);
}

TEST(a_barrier_of_a_warp_alone_holds_nothing)
{
    struct bench b;
    int warp[PER_GROUP];
    const struct model_op op = { .barrier = true, .subgroup = true };
    start_bench(&b, NULL, SLOTS * ITEMS);
    start_group(&b, 0, warp);
    CHECK(workgroup_barrier(&b.groups, 1, &op));
    CHECK(!waits(&b, 1));
    stop_bench(&b);
}

static void
waits_for_accesses(struct ventus_model_config *c)
{
    c->barrier_waits = true;
}

/* The access of the warp that came last is what all wait for. */
TEST(a_warp_arrives_when_its_accesses_are_done)
{
    struct bench b;
    int warp[PER_GROUP];
    start_bench(&b, waits_for_accesses, SLOTS * ITEMS);
    start_group(&b, 0, warp);
    arrive(&b, warp[0]);
    arrive(&b, warp[1]);
    b.lsu.state.global[warp[2]] = 1;
    arrive(&b, warp[2]);
    CHECK(workgroup_has_arriving(&b.groups));
    CHECK(workgroup_tick(&b.groups));
    CHECK(waits(&b, warp[0]) && waits(&b, warp[1]) && waits(&b, warp[2]));
    b.lsu.state.global[warp[2]] = 0;
    CHECK(workgroup_tick(&b.groups));
    CHECK(!workgroup_has_arriving(&b.groups));
    CHECK(!waits(&b, warp[0]) && !waits(&b, warp[1]) && !waits(&b, warp[2]));
    stop_bench(&b);
}

/* ---- the end ---- */

/* A launch that ended while a warp was on its way to a barrier leaves nothing. */
TEST(nothing_of_a_launch_is_left_for_the_next)
{
    struct bench b;
    int warp[PER_GROUP];
    start_bench(&b, waits_for_accesses, SLOTS * ITEMS);
    start_group(&b, 0, warp);
    b.lsu.state.global[warp[0]] = 1;
    arrive(&b, warp[0]);
    const struct workgroup_launch launch = b.groups.launch;
    workgroup_reset(&b.groups, &launch);
    CHECK(workgroup_is_none(&b.groups));
    CHECK(!workgroup_has_arriving(&b.groups));
    CHECK(!workgroup_has_warp(&b.groups, 0));
    CHECK_EQ(workgroup_next_drain(&b.groups), UINT64_MAX);
    stop_bench(&b);
}

/* All ends of one workgroup, `apart` cycles from each other: when it drains. */
static uint64_t
drain_behind(bool one_group, unsigned apart)
{
    struct bench b;
    int warp[PER_GROUP];
    start_bench(&b, NULL, SLOTS * ITEMS);
    b.config.one_group = one_group;
    start_group(&b, 0, warp);
    pass_barrier(&b, warp);
    for (unsigned i = 0; i < PER_GROUP; i++) {
        CHECK_EQ(workgroup_next_drain(&b.groups), UINT64_MAX);
        b.now += i ? apart : 0;
        end(&b, warp[i]);
    }
    CHECK(workgroup_drains(&b.groups));
    CHECK_EQ(b.last, 1);
    uint64_t at = workgroup_next_drain(&b.groups);
    stop_bench(&b);
    return at - b.now;
}

/*
 * One end is served in done_cycles.  The scheduler of the Verilog design hears of it
 * two cycles later and is busy for three: of ends in three cycles one behind the other
 * it hears at 2, then at 5 of the two others, which it counts together: the last of
 * them came at 2, so 5 are 3 behind it, one more than its own 2.
 */
TEST(the_sm_drains_when_the_scheduler_has_counted_the_ends)
{
    CHECK_EQ(drain_behind(false, 1), 5);
    CHECK_EQ(drain_behind(true, 100), 5);
    CHECK_EQ(drain_behind(true, 1), 5 + 1);
}

/* Then its caches are flushed; the scheduler hears of it behind the answer. */
TEST(the_scheduler_hears_of_the_end_behind_the_flush)
{
    struct bench b;
    int warp[PER_GROUP];
    start_bench(&b, NULL, SLOTS * ITEMS);
    start_group(&b, 0, warp);
    pass_barrier(&b, warp);
    for (unsigned i = 0; i < PER_GROUP; i++)
        end(&b, warp[i]);
    uint64_t at = workgroup_next_drain(&b.groups);
    workgroup_drain(&b.groups, at - 1);
    CHECK_EQ(workgroup_next_drain(&b.groups), at);
    workgroup_drain(&b.groups, at);
    CHECK_EQ(workgroup_next_drain(&b.groups), UINT64_MAX); /* the L2 is asked */
    CHECK_EQ(b.invalidated, 0);
    const struct dcache_wires wires = { .bus_open = true, .lsu_empty = true };
    for (b.now = at + 1; !dcache_l2_peek(&b.dcache) && b.now < at + 100;
         b.now++)
        dcache_tick(&b.dcache, b.now, &wires);
    struct mem_request flush = dcache_l2_take(&b.dcache);
    CHECK_EQ(flush.op, MEM_FLUSH);
    CHECK(answer_dcache(&b.dcache, b.now, &flush));
    uint64_t answered = b.now;
    while (workgroup_next_drain(&b.groups) == UINT64_MAX && b.now < at + 200)
        dcache_tick(&b.dcache, b.now++, &wires);
    uint64_t hears = workgroup_next_drain(&b.groups);
    CHECK(hears >= answered + 7 && hears <= b.now + 7);
    workgroup_drain(&b.groups, hears - 1);
    CHECK_EQ(b.drained, 0);
    workgroup_drain(&b.groups, hears);
    CHECK_EQ(b.drained, 1);
    CHECK_EQ(b.invalidated, 1);
    CHECK(workgroup_is_none(&b.groups));
    stop_bench(&b);
}

static void
flushes_behind(struct ventus_model_config *c)
{
    c->flush_behind = true;
    c->wg_buffer = true;
}

/* The Chisel design counts ends: the scheduler waits for no flush. */
TEST(with_flush_behind_each_workgroup_has_a_flush)
{
    struct bench b;
    int warp[PER_GROUP];
    start_bench(&b, flushes_behind, SLOTS * ITEMS);
    start_group(&b, 0, warp);
    pass_barrier(&b, warp);
    CHECK(!workgroup_has_visible_end(&b.groups));
    workgroup_ending(&b.groups);
    CHECK(workgroup_has_visible_end(&b.groups)); /* it counts each */
    step(&b, warp[0]);
    CHECK(workgroup_warp_ended(&b.groups, (unsigned)warp[0], b.now));
    CHECK_EQ(b.invalidated, 0);
    end(&b, warp[1]);
    end(&b, warp[2]);
    CHECK_EQ(b.invalidated, 1);
    CHECK_EQ(b.warps_ended, PER_GROUP);
    CHECK_EQ(b.last, 0);
    CHECK(workgroup_drains(&b.groups) && dcache_is_due(&b.dcache, b.now));
    CHECK_EQ(workgroup_next_drain(&b.groups), UINT64_MAX);
    workgroup_leave(&b.groups);
    CHECK(workgroup_is_none(&b.groups));
    stop_bench(&b);
}

/* Its warps come one by one: behind the last end of another it is still to run. */
TEST(a_workgroup_whose_warps_are_to_come_is_not_drained)
{
    struct bench b;
    int warp[PER_GROUP];
    start_bench(&b, flushes_behind, SLOTS * ITEMS);
    start_group(&b, 0, warp);
    pass_barrier(&b, warp);
    workgroup_start(&b.groups, 1, 1);
    for (unsigned i = 0; i < PER_GROUP; i++)
        end(&b, warp[i]);
    CHECK_EQ(workgroup_warps(&b.groups), 0);
    CHECK(workgroup_runs(&b.groups));
    CHECK_EQ(workgroup_start_warp(&b.groups, 1, 0), 0);
    stop_bench(&b);
}

TEST_MAIN
