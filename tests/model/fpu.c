/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FPU of the Chisel design alone: in which cycle each result leaves.  Expected are
 * the stages that docs/microarchitecture.md draws (Execution units).
 */
#include "model/pipeline/fpu.h"

#include <ventus/isa.h>

#include "test.h"

enum { SUM, PRODUCT, FUSED, COMPARE, CONVERT, KINDS, MOST = 8 };

static const struct model_op op[KINDS] = {
    [SUM] = { .fpu = FPU_SUM },
    [PRODUCT] = { .fpu = FPU_PRODUCT },
    [FUSED] = { .fpu = FPU_FUSED },
    [COMPARE] = { .fpu = FPU_SHORT, .lat = VENTUS_ISA_LAT_FCMP },
    [CONVERT] = { .fpu = FPU_SHORT, .lat = VENTUS_ISA_LAT_FCVT },
};

struct fpu_bench {
    struct fpu fpu;
    uint64_t now, busy;  /* write-back takes nothing before that cycle */
    uint64_t left[MOST]; /* by id */
};

static bool
take(struct fpu_bench *b, unsigned id, unsigned kind)
{
    const struct result r = { .op = &op[kind], .id = id };
    if (!fpu_has_room(&b->fpu, &op[kind]))
        return false;
    fpu_take(&b->fpu, b->now, &r);
    return true;
}

/* The next cycle, up to where instructions enter. */
static void
step(struct fpu_bench *b)
{
    b->now++;
    if (b->now >= b->busy && fpu_front(&b->fpu, b->now))
        b->left[fpu_pop(&b->fpu, b->now)->id] = b->now;
    fpu_tick(&b->fpu, b->now);
}

static void
steps(struct fpu_bench *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        step(b);
}

/* A multiplier of two stages, an adder of one behind a register, a queue of one behind
 * each of the two. */
TEST(each_kind_alone_has_its_latency)
{
    static const unsigned latency[KINDS] = { 3, 3, 5, 2, 2 };
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct fpu_bench b = { .now = 10 };
        CHECK(take(&b, 0, kind));
        steps(&b, 8);
        CHECK_EQ(b.left[0], 10 + latency[kind]);
        CHECK_EQ(b.fpu.n, 0);
        CHECK_EQ(fpu_next(&b.fpu), UINT64_MAX);
    }
}

/* Any kind can enter every cycle while write-back takes what comes out. */
TEST(an_instruction_of_a_kind_enters_each_cycle)
{
    static const unsigned latency[KINDS] = { 3, 3, 5, 2, 2 };
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct fpu_bench b = { .now = 1 };
        for (unsigned i = 0; i < MOST; i++) {
            CHECK(take(&b, i, kind));
            step(&b);
        }
        steps(&b, 8);
        for (unsigned i = 0; i < MOST; i++)
            CHECK_EQ(b.left[i], 1 + i + latency[kind]);
    }
}

/* A fused product that reaches the adder together with a sum goes first. */
TEST(a_fused_product_is_added_before_a_sum)
{
    struct fpu_bench b = { .now = 1 };
    CHECK(take(&b, 0, FUSED)); /* at the adder in 4 */
    steps(&b, 2);
    CHECK(take(&b, 1, SUM)); /* in 4, too */
    steps(&b, 8);
    CHECK_EQ(b.left[0], 1 + 5);
    CHECK_EQ(b.left[1], 3 + 3 + 1);
}

/* One result leaves in a cycle: that of the adder, then a product, then a comparison,
 * then a conversion. */
TEST(results_of_one_cycle_leave_in_the_order_of_the_pipelines)
{
    struct fpu_bench b = { .now = 1 };
    CHECK(take(&b, 0, SUM) && take(&b, 1, PRODUCT)); /* ready in 4 */
    step(&b);
    CHECK(take(&b, 2, COMPARE) && take(&b, 3, CONVERT)); /* in 4 */
    steps(&b, 8);
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(b.left[i], 4 + i);
}

/* A pipeline that cannot give its results away takes no more than it has registers
 * for; the others go on. */
TEST(a_full_pipeline_does_not_stop_the_others)
{
    struct fpu_bench b = { .now = 1, .busy = 20 };
    CHECK(take(&b, 0, COMPARE));
    step(&b);
    CHECK(take(&b, 1, COMPARE));
    step(&b);
    CHECK(!take(&b, 2, COMPARE));
    CHECK(take(&b, 2, CONVERT));
    CHECK(take(&b, 3, PRODUCT));
    CHECK(take(&b, 4, SUM));
    b.busy = 0;
    steps(&b, 10);
    CHECK_EQ(b.left[0], 4);
    CHECK_EQ(b.left[1], 5);
    CHECK_EQ(b.left[4], 6); /* sum and product are ready */
    CHECK_EQ(b.left[3], 7);
    CHECK_EQ(b.left[2], 8);
}

/* Fused products behind one another: two wait in the multiplier, one before the adder,
 * two in the adder and its queue. */
TEST(five_fused_products_fit)
{
    struct fpu_bench b = { .now = 1, .busy = UINT64_MAX };
    unsigned n = 0;
    for (unsigned i = 0; i < 20; i++) {
        n += take(&b, n, FUSED);
        step(&b);
    }
    CHECK_EQ(n, 5);
    CHECK_EQ(b.fpu.n, 5);
    b.busy = b.now + 1;
    steps(&b, 5);
    for (unsigned i = 0; i < 5; i++)
        CHECK_EQ(b.left[i], b.busy + i);
}

TEST_MAIN
