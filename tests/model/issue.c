/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The issue stage of an SM without a launch: instructions that its buffers have in
 * known cycles, and the cycles in which they issue.  Expected are the rules of
 * docs/microarchitecture.md, Scoreboard and issue.
 */
#include "model/pipeline/issue.h"

#include "test.h"

enum { WARPS = 4, OPS = 64 };

/* The stage with all that it reads; what it issues leaves its collector at once. */
struct issue_bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct ibuffer ibuffer;
    struct scoreboard scoreboard;
    struct scheduler scheduler;
    struct collect collect;
    struct inflight_pool pool;
    struct lsu lsu;
    struct rcc rcc;
    struct issue issue;
    struct model_op op[OPS];
    unsigned ops;
    uint64_t now;
    bool faults;
    struct {
        uint64_t at;
        unsigned warp, port;
    } issued[OPS];
    unsigned n;
};

static bool
on_issue(void *ctx, unsigned port, struct inflight *f)
{
    struct issue_bench *b = ctx;
    if (b->faults || !CHECK(b->n < OPS))
        return false;
    CHECK_EQ(f->id, b->n);
    b->issued[b->n].at = b->now;
    b->issued[b->n].warp = f->warp;
    b->issued[b->n++].port = port;
    return true;
}

static void
start_bench(struct issue_bench *b, unsigned ports)
{
    *b = (struct issue_bench){ .now = 1 };
    ventus_model_defaults(&b->config);
    b->config.issue_width = ports;
    b->config.collectors = 8;
    b->config.scheduler = VENTUS_MODEL_RR;
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
                                      .rcc = &b->rcc,
                                      .ctx = b,
                                      .execute = on_issue };
    issue_init(&b->issue, &b->config, &port);
    issue_reset(&b->issue);
    for (unsigned i = 0; i < WARPS; i++)
        scoreboard_start(&b->scoreboard, i);
}

static void
stop_bench(struct issue_bench *b)
{
    ibuffer_destroy(&b->ibuffer);
    scoreboard_destroy(&b->scoreboard);
}

/* A pair of instructions that read register a and write d, for a warp's buffer. */
static struct model_op *
give(struct issue_bench *b, unsigned warp, unsigned d, unsigned a)
{
    struct model_op *pair = &b->op[b->ops];
    b->ops += 2;
    CHECK(b->ops <= OPS);
    for (struct model_op *o = pair; o < pair + 2; o++) {
        *o = (struct model_op){ .known = true, .writes_x = true };
        for (unsigned i = 0; i < OP_REGISTERS; i++) {
            o->needs[i] = BUSY_NONE;
            o->span[i] = 1;
        }
        o->needs[0] = (uint16_t)(BUSY_X + a);
        o->needs[OP_SOURCES] = (uint16_t)(BUSY_X + d);
    }
    ibuffer_push(&b->ibuffer, warp, pair, 3);
    return pair;
}

/* A cycle; what is complete leaves its collector, before others issue. */
static void
step_bench(struct issue_bench *b)
{
    issue_begin(&b->issue, b->now);
    for (unsigned port = 0; port < b->config.issue_width; port++) {
        const struct inflight *f = collect_front(&b->collect, port);
        if (!f)
            continue;
        collect_pop(&b->collect, port);
        scoreboard_collected(&b->scoreboard, f->warp);
        inflight_free(&b->pool, f);
    }
    CHECK_EQ(issue_tick(&b->issue, b->now), !b->faults);
    collect_tick(&b->collect, b->now);
    uint64_t refills = issue_refills(&b->issue) & ibuffer_queued(&b->ibuffer);
    if (refills)
        ibuffer_refill(&b->ibuffer, refills);
    b->now++;
}

static void
step_to(struct issue_bench *b, uint64_t cycle)
{
    while (b->now < cycle)
        step_bench(b);
}

/* It runs from its cycle on, and not before; behind that nothing is to be done. */
TEST(a_warp_begins_in_its_cycle)
{
    struct issue_bench b;
    start_bench(&b, 1);
    CHECK_EQ(issue_next_event(&b.issue, b.now), UINT64_MAX);
    issue_start(&b.issue, 2, 5);
    CHECK_EQ(issue_next_event(&b.issue, 1), 5);
    step_to(&b, 5);
    CHECK_EQ(issue_active(&b.issue), 0);
    step_bench(&b);
    CHECK_EQ(issue_active(&b.issue), 4);
    CHECK_EQ(issue_next_event(&b.issue, 5), UINT64_MAX);
    CHECK_EQ(issue_start_of(&b.issue, 2), 5);
    stop_bench(&b);
}

/* One instruction a cycle, round robin; a pair comes to the register first. */
TEST(ready_warps_issue_in_turn_one_a_cycle)
{
    struct issue_bench b;
    start_bench(&b, 1);
    for (unsigned i = 0; i < 3; i++) {
        issue_start(&b.issue, i, 1);
        give(&b, i, 5, 6);
    }
    CHECK_EQ(issue_next_event(&b.issue, 0), 1);
    step_bench(&b); /* registers are filled */
    CHECK_EQ(b.n, 0);
    step_to(&b, 5);
    CHECK_EQ(b.n, 3);
    for (unsigned i = 0; i < 3; i++) {
        CHECK_EQ(b.issued[i].warp, i);
        CHECK_EQ(b.issued[i].at, 2 + i);
    }
    CHECK_EQ(issue_last(&b.issue), 4);
    stop_bench(&b);
}

/* A warp that waits for a result has nothing to do until that is written. */
TEST(a_result_is_waited_for)
{
    struct issue_bench b;
    start_bench(&b, 1);
    issue_start(&b.issue, 0, 1);
    const struct model_op *first = give(&b, 0, 5, 6);
    struct model_op *second = &b.op[1];
    second->needs[0] = BUSY_X + 5;
    second->needs[OP_SOURCES] = BUSY_X + 7;
    step_to(&b, 10);
    CHECK_EQ(b.n, 1);
    CHECK_EQ(issue_why(&b.issue, 0), VENTUS_MODEL_DEPEND);
    CHECK_EQ(issue_why_none(&b.issue), VENTUS_MODEL_DEPEND);
    CHECK_EQ(issue_next_event(&b.issue, 9), UINT64_MAX);
    scoreboard_clear(&b.scoreboard, 0, first);
    CHECK_EQ(issue_next_event(&b.issue, 9), 10);
    step_to(&b, 11);
    CHECK_EQ(b.n, 2);
    CHECK_EQ(b.issued[1].at, 10);
    stop_bench(&b);
}

/* It is not chosen while it waits, and goes on in the cycle behind its release. */
TEST(a_barrier_holds_a_warp)
{
    struct issue_bench b;
    start_bench(&b, 1);
    issue_start(&b.issue, 1, 1);
    give(&b, 1, 5, 6);
    step_bench(&b);
    issue_hold(&b.issue, 1);
    CHECK_EQ(issue_waits(&b.issue), 2);
    CHECK_EQ(issue_next_event(&b.issue, 1), UINT64_MAX);
    step_to(&b, 6);
    CHECK_EQ(b.n, 0);
    CHECK_EQ(issue_why(&b.issue, 1), VENTUS_MODEL_BARRIER);
    issue_release(&b.issue, 1);
    CHECK_EQ(issue_next_event(&b.issue, 5), 6);
    step_to(&b, 7);
    CHECK_EQ(b.n, 1);
    CHECK_EQ(b.issued[0].at, 6);
    stop_bench(&b);
}

/* With two ports one of the scalar port and one of the others, of two warps. */
TEST(two_ports_issue_of_two_warps)
{
    struct issue_bench b;
    start_bench(&b, 2);
    for (unsigned i = 0; i < 2; i++) {
        issue_start(&b.issue, i, 1);
        struct model_op *pair = give(&b, i, 5, 6);
        pair[0].scalar_port = pair[1].scalar_port = i;
    }
    step_to(&b, 3);
    CHECK_EQ(b.n, 2);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(b.issued[i].at, 2);
        CHECK_EQ(b.issued[i].warp, i);
        CHECK_EQ(b.issued[i].port, i ? PORT_SCALAR : PORT_VECTOR);
    }
    stop_bench(&b);
}

TEST(scalar_instructions_share_their_port)
{
    struct issue_bench b;
    start_bench(&b, 2);
    for (unsigned i = 0; i < 2; i++) {
        issue_start(&b.issue, i, 1);
        struct model_op *pair = give(&b, i, 5, 6);
        pair[0].scalar_port = pair[1].scalar_port = true;
    }
    step_to(&b, 4);
    CHECK_EQ(b.n, 2);
    CHECK_EQ(b.issued[0].at, 2);
    CHECK_EQ(b.issued[1].at, 3);
    stop_bench(&b);
}

/* Nothing of an instruction that faulted is counted or kept. */
TEST(a_fault_issues_nothing)
{
    struct issue_bench b;
    start_bench(&b, 1);
    issue_start(&b.issue, 0, 1);
    give(&b, 0, 5, 6);
    step_bench(&b);
    b.faults = true;
    step_bench(&b);
    CHECK_EQ(b.n, 0);
    CHECK_EQ(issue_last(&b.issue), 0);
    CHECK_EQ(issue_candidates(&b.issue), 1);
    CHECK_EQ(scoreboard_collecting(&b.scoreboard), 0);
    stop_bench(&b);
}

TEST(a_warp_that_ended_is_no_candidate)
{
    struct issue_bench b;
    start_bench(&b, 1);
    for (unsigned i = 0; i < 2; i++) {
        issue_start(&b.issue, i, 1);
        give(&b, i, 5, 6);
    }
    step_bench(&b);
    issue_stop(&b.issue, 0);
    step_to(&b, 8);
    CHECK_EQ(issue_active(&b.issue), 2);
    for (unsigned i = 0; i < b.n; i++)
        CHECK_EQ(b.issued[i].warp, 1);
    CHECK(b.n > 0);
    CHECK_EQ(issue_why(&b.issue, 0), VENTUS_MODEL_ISSUED);
    stop_bench(&b);
}

/* A fence is over when its warp has no access under way; the LSU's next instruction
 * waits for that, and the cycle in which it is seen is an event. */
TEST(a_fence_ends_with_the_last_access)
{
    struct issue_bench b;
    start_bench(&b, 1);
    issue_start(&b.issue, 0, 1);
    step_bench(&b);
    scoreboard_fence(&b.scoreboard, 0);
    lsu_start(&b.lsu, 0, 0);
    b.lsu.state.outstanding[0] = 1;
    CHECK_EQ(issue_next_event(&b.issue, 1), UINT64_MAX);
    step_bench(&b);
    CHECK_EQ(scoreboard_fencing(&b.scoreboard), 1);
    b.lsu.state.outstanding[0] = 0;
    CHECK_EQ(issue_next_event(&b.issue, 2), 3);
    step_bench(&b);
    CHECK_EQ(scoreboard_fencing(&b.scoreboard), 0);
    stop_bench(&b);
}

/* What others may see is told before it issues. */
TEST(an_instruction_with_visible_effects_is_known_before_it_issues)
{
    struct issue_bench b;
    start_bench(&b, 1);
    issue_start(&b.issue, 0, 1);
    give(&b, 0, 5, 6)[0].shared = true;
    step_bench(&b);
    issue_begin(&b.issue, 2);
    CHECK(issue_has_shared(&b.issue));
    CHECK_EQ(b.n, 0);
    stop_bench(&b);
}

static unsigned
next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(*state >> 33);
}

/* What a test does to a bench in a cycle, from outside. */
static void
disturb(struct issue_bench *b, unsigned what)
{
    unsigned warp = what / 8 % WARPS;
    uint64_t bit = bit_of(warp);
    bool runs = issue_active(&b->issue) & bit;
    if (what % 8 == 0 && runs && b->ops + 2 <= OPS &&
        !(ibuffer_full(&b->ibuffer) & bit))
        give(b, warp, 5 + what / 64 % 4, 5 + what / 256 % 4);
    else if (what % 8 == 1 && runs && !(issue_waits(&b->issue) & bit))
        issue_hold(&b->issue, warp);
    else if (what % 8 <= 3 && issue_waits(&b->issue) & bit)
        issue_release(&b->issue, warp);
    else if (what % 8 == 4)
        for (unsigned i = 0; i < b->ops; i++)
            scoreboard_clear(&b->scoreboard, warp, &b->op[i]);
}

/* Cycles that next_event leaves out change nothing: two machines that are told the
 * same, one of which has all cycles, issue in the same ones. */
TEST(what_next_event_skips_is_empty)
{
    for (unsigned seed = 0; seed < 200; seed++) {
        static struct issue_bench all, some;
        uint64_t random = seed;
        start_bench(&all, 1 + seed % 2);
        start_bench(&some, 1 + seed % 2);
        for (unsigned i = 0; i < WARPS; i++) {
            issue_start(&all.issue, i, 1 + i);
            issue_start(&some.issue, i, 1 + i);
        }
        for (uint64_t now = 1; now < 200; now++) {
            step_bench(&all);
            bool busy = collect_is_busy(&some.collect);
            some.now = now;
            if (busy || issue_next_event(&some.issue, now - 1) <= now)
                step_bench(&some);
            unsigned what = next_random(&random);
            disturb(&all, what);
            disturb(&some, what);
        }
        CHECK_EQ(all.n, some.n);
        CHECK(all.n > 4);
        for (unsigned i = 0; i < all.n; i++) {
            CHECK_EQ(all.issued[i].at, some.issued[i].at);
            CHECK_EQ(all.issued[i].warp, some.issued[i].warp);
        }
        stop_bench(&all);
        stop_bench(&some);
    }
}

TEST_MAIN
