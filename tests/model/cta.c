/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CTA scheduler of the Chisel design without a launch: ends of warps at its ports
 * in known cycles, and the cycles of what it does.  The expectations are those of the
 * sources (microarchitecture.md, Launch), and what its RTL did.
 */
#include "model/pipeline/cta.h"

#include "test.h"

enum { SMS = 2, WARPS = 8, GROUPS = 64, NOT_YET = -1 };

struct bench {
    struct ventus_model_config config;
    struct cta cta;
    uint64_t now;
    int taken[GROUPS], done[GROUPS]; /* cycles */
    int order[GROUPS];               /* of the starts */
    unsigned starts;
    int sm[GROUPS], slot[GROUPS];
    int warp[GROUPS][WARPS]; /* cycle of a warp's first fetch */
};

static bool
on_away(void *ctx, unsigned sm)
{
    (void)ctx;
    (void)sm;
    return false;
}

static void
on_taken(void *ctx, uint64_t group, uint64_t cycle)
{
    ((struct bench *)ctx)->taken[group] = (int)cycle;
}

static void
on_done(void *ctx, unsigned sm, uint64_t group, uint64_t cycle)
{
    struct bench *b = ctx;
    CHECK_EQ(b->sm[group], sm);
    b->done[group] = (int)cycle;
}

static void
on_start(void *ctx, unsigned sm, unsigned slot, uint64_t group)
{
    struct bench *b = ctx;
    b->order[b->starts++] = (int)group;
    b->sm[group] = (int)sm;
    b->slot[group] = (int)slot;
}

static bool
on_start_warp(void *ctx, unsigned sm, unsigned slot, unsigned warp, uint64_t at)
{
    struct bench *b = ctx;
    int group = b->order[b->starts - 1];
    CHECK_EQ(b->sm[group], sm);
    CHECK_EQ(b->slot[group], slot);
    b->warp[group][warp] = (int)at;
    return true;
}

static void
begin(struct bench *b, unsigned groups, unsigned warps, unsigned slots)
{
    *b = (struct bench){ 0 };
    memset(b->taken, 0xff, sizeof b->taken);
    memset(b->done, 0xff, sizeof b->done);
    ventus_model_defaults(&b->config);
    b->config.one_group = false;
    b->config.wg_buffer = 8;
    const struct cta_ports port = { b,       on_away,  on_taken,
                                    on_done, on_start, on_start_warp };
    CHECK(cta_create(&b->cta, &b->config, SMS, WARPS, &port));
    cta_reset(&b->cta, &(struct cta_launch){
                           .groups = groups, .warps = warps, .slots = slots });
}

/* Up to a cycle; the scheduler sleeps when it says so. */
static void
run(struct bench *b, uint64_t until)
{
    for (; b->now < until; b->now++)
        if (cta_next_event(&b->cta) <= b->now)
            cta_tick(&b->cta, b->now);
}

/* A warp of a workgroup ends, as the warp scheduler sees it. */
static void
end_warp(struct bench *b, unsigned group, uint64_t at)
{
    run(b, at);
    cta_warp_ended(&b->cta, (unsigned)b->sm[group], (unsigned)b->slot[group],
                   false, at);
}

/* Two cycles in the buffer, three in the allocator (5), the tables' answer (9), the
 * fifo and the splitter (10), and the first warp (11), whose pc is set for the next. */
TEST(the_first_warp_is_fetched_in_cycle_12)
{
    struct bench b;
    begin(&b, 1, 8, 1);
    run(&b, 100);
    CHECK_EQ(b.taken[0], 0);
    CHECK_EQ(b.sm[0], 0);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(b.warp[0][i], 12 + i);
    CHECK(cta_next_event(&b.cta) == UINT64_MAX);
    cta_destroy(&b.cta);
}

/* Nine in a row, and one more for each that was placed: microarchitecture.md, Launch. */
TEST(the_host_fills_the_buffer)
{
    struct bench b;
    begin(&b, 32, 4, 2);
    run(&b, 200);
    for (int i = 0; i < 9; i++)
        CHECK_EQ(b.taken[i], i);
    CHECK_EQ(b.taken[9], 10);
    CHECK_EQ(b.taken[10], 14);
    CHECK_EQ(b.taken[11], 18);
    CHECK_EQ(b.taken[12], NOT_YET);
    CHECK_EQ(b.starts, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(b.sm[i], i % 2);
        CHECK_EQ(b.slot[i], i / 2);
    }
    cta_destroy(&b.cta);
}

/* Six cycles behind the report the tables have room again; by the place of the poll it
 * is seen up to three later, and in the second next the buffer has a free place. */
TEST(a_freed_place_is_filled_soon)
{
    unsigned seen = 0;
    for (unsigned k = 0; k < 8; k++) {
        struct bench b;
        begin(&b, 32, 8, 1);
        for (unsigned i = 0; i < 8; i++)
            end_warp(&b, 0, 1000 + k + 10 * i);
        int told = (int)(1000 + k + 70 + 2);
        run(&b, 1200);
        CHECK_EQ(b.done[0], told);
        CHECK_EQ(b.taken[9], 10);
        int filled = b.taken[10] - told;
        CHECK(filled >= 8 && filled <= 11);
        seen |= 1u << filled;
        cta_destroy(&b.cta);
    }
    CHECK_EQ(seen, 0xf00);
}

/* Ends are counted one in two cycles, and the host hears three behind an ENDPRG.  The SMs
 * take turns from the one on that the arbiter begins with. */
TEST(ends_are_counted_one_after_the_other)
{
    for (unsigned first = 0; first < 2; first++) {
        struct bench b;
        begin(&b, 2, 2, 4);
        b.config.arbiters_begin = first;
        cta_reset(&b.cta,
                  &(struct cta_launch){ .groups = 2, .warps = 2, .slots = 4 });
        run(&b, 500);
        end_warp(&b, 0, 500);
        end_warp(&b, 0, 500);
        end_warp(&b, 1, 500);
        end_warp(&b, 1, 501);
        run(&b, 600);
        /* 501, 503 (the other SM), 505, 507. */
        CHECK_EQ(b.done[first], 506);
        CHECK_EQ(b.done[1 - first], 508);
        CHECK(cta_is_over(&b.cta));
        cta_destroy(&b.cta);
    }
}

/* Workgroups of one warp, of which three end in one cycle. */
static void
end_three(struct bench *b, unsigned table_sms)
{
    begin(b, 4, 1, 4);
    b->config.table_sms = table_sms;
    run(b, 500);
    for (unsigned group = 0; group < 3; group++)
        end_warp(b, group, 500);
    run(b, 600);
}

/* A handler of two SMs finishes with one before it begins with the other: 11 cycles for the
 * first workgroup, 12 and 13 where there is one already.  An end is not counted until the
 * tables have taken the one before.  With a handler for each SM nothing waits. */
TEST(sms_share_a_handler_of_their_tables)
{
    static const int starts[2][4] = { { 12, 16, 20, 24 }, { 12, 23, 35, 48 } };
    static const int ends[2][3] = { { 502, 504, 506 }, { 502, 504, 514 } };
    for (unsigned shared = 0; shared < 2; shared++) {
        struct bench b;
        end_three(&b, 1 + shared);
        for (unsigned group = 0; group < 4; group++)
            CHECK_EQ(b.warp[group][0], starts[shared][group]);
        for (unsigned group = 0; group < 3; group++)
            CHECK_EQ(b.done[group], ends[shared][group]);
        cta_destroy(&b.cta);
    }
}

/* Of two workgroups of four warps all end, the last of them as the RTL reported it. */
static void
end_both(struct bench *b, unsigned first, int first_done, unsigned second,
         int second_done)
{
    for (unsigned k = 0; k < 3; k++) {
        end_warp(b, first, (uint64_t)first_done - 200 + 20 * k);
        end_warp(b, second, (uint64_t)first_done - 190 + 20 * k);
    }
    end_warp(b, first, (uint64_t)first_done - 2);
    end_warp(b, second, (uint64_t)second_done - 2);
    run(b, b->now + 100);
    CHECK_EQ(b->done[first], first_done);
    CHECK_EQ(b->done[second], second_done);
}

/* vecadd-vgpr256, one workgroup on an SM: 6 and 7 follow 0 and 1. */
TEST(the_buffer_is_served_round_robin)
{
    struct bench b;
    begin(&b, 8, 4, 1);
    run(&b, 500);
    end_both(&b, 0, 1076, 1, 1078);
    CHECK_EQ(b.order[2], 6);
    CHECK_EQ(b.order[3], 7);
    CHECK_EQ(b.sm[6], 0);
    CHECK_EQ(b.sm[7], 1);
    cta_destroy(&b.cta);
}

/* vecadd-wg8, two workgroups on an SM: 5 and 6 follow 0 and 1. */
TEST(a_buffer_of_four_is_served_round_robin)
{
    struct bench b;
    begin(&b, 8, 4, 2);
    run(&b, 500);
    end_both(&b, 0, 1202, 1, 1204);
    CHECK_EQ(b.order[4], 5);
    CHECK_EQ(b.order[5], 6);
    CHECK_EQ(b.sm[5], 0);
    CHECK_EQ(b.sm[6], 1);
    cta_destroy(&b.cta);
}

/* Polling that is passed over ends where polling cycle by cycle does. */
TEST(rounds_of_polling_are_passed_over)
{
    struct bench slept, ticked;
    begin(&slept, 32, 4, 1);
    begin(&ticked, 32, 4, 1);
    for (unsigned g = 0; g < 31; g++) {
        uint64_t at = 1000 + 3001 * (uint64_t)g;
        for (; ticked.now < at; ticked.now++)
            cta_tick(&ticked.cta, ticked.now);
        for (unsigned k = 0; k < 4; k++) {
            end_warp(&slept, (unsigned)slept.order[g], at);
            cta_warp_ended(&ticked.cta, (unsigned)ticked.sm[ticked.order[g]], 0,
                           false, at);
        }
        run(&slept, at + 100);
        for (; ticked.now < at + 100; ticked.now++)
            cta_tick(&ticked.cta, ticked.now);
        CHECK_EQ(slept.starts, ticked.starts);
        CHECK(!memcmp(slept.order, ticked.order, sizeof slept.order));
    }
    CHECK(!memcmp(slept.warp, ticked.warp, sizeof slept.warp));
    cta_destroy(&slept.cta);
    cta_destroy(&ticked.cta);
}

TEST_MAIN
