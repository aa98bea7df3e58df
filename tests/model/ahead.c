/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SMs that are ahead of the uncore or sleep, without a launch: the access log, which
 * finds data races between them, the cycle in which the uncore hears a parked one, and
 * the cycles of a sleep.
 */
#include <stdalign.h>

#include "model/advance.h"
#include "model/machine.h"
#include "model/parallel/access_log.h"
#include "model/sleep.h"

#include "test.h"

enum { SMS = 3, NEVER_LOGGED = 1 << 20 };

static alignas(64) uint8_t line[256];

/* A machine of three SMs for two host threads, as before the first cycle. */
static struct ventus_model *
make(void)
{
    char text[256];
    const struct ventus_sim_config machine = {
        .num_thread = 8, .num_warp = 8, .num_sm = SMS, .host_threads = 2
    };
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    if (!CHECK(m))
        return NULL;
    memory_reset(&m->memory, NULL);
    l2_reset(&m->l2, 0);
    bus_reset(&m->bus);
    cta_reset(&m->cta, &(struct cta_launch){ .warps = 1, .slots = 1 });
    m->runs_ahead = true;
    return m;
}

/* ---- the access log ---- */

/* An access of an SM to one byte of the line; since: when it went ahead, or HERE: it
 * executes in order. */
enum { HERE = -1 };

struct access {
    unsigned sm;
    int since;
    unsigned cycle, byte;
    bool write;
};

static void
note(struct ventus_model *m, struct access a)
{
    struct sm *s = &m->sm[a.sm];
    s->access_mode = a.since == HERE ? ACCESS_IN_ORDER : ACCESS_AHEAD;
    s->granted_at = a.since == HERE ? 0 : (uint64_t)a.since;
    s->now = m->now = a.cycle;
    access_log_bytes(s, &line[a.byte], 1, a.write);
}

static bool
race_of(struct ventus_model *m, struct access a, struct access b)
{
    note(m, a);
    note(m, b);
    bool found = access_log_has_race(m);
    CHECK(!access_log_has_race(m)); /* it is cleared */
    return found;
}

/* Two that were ahead at the same time may have executed in any order. */
TEST(a_race_of_two_that_are_ahead)
{
    struct ventus_model *m = make();
    const struct access store = { 0, 5, 10, 3, true };
    CHECK(race_of(m, store, (struct access){ 1, 4, 8, 3, false }));
    CHECK(race_of(m, (struct access){ 1, 4, 8, 3, false }, store));
    CHECK(race_of(m, store, (struct access){ 1, 10, 12, 3, true }));
    /* Not two loads, another byte or line, one SM, or one behind the other. */
    CHECK(!race_of(m, (struct access){ 0, 5, 10, 3, false },
                   (struct access){ 1, 4, 8, 3, false }));
    CHECK(!race_of(m, store, (struct access){ 1, 4, 8, 2, false }));
    CHECK(!race_of(m, store, (struct access){ 1, 4, 8, 64 + 3, true }));
    CHECK(!race_of(m, store, (struct access){ 0, 4, 8, 3, true }));
    CHECK(!race_of(m, store, (struct access){ 1, 11, 12, 3, false }));
    ventus_model_destroy(m);
}

/* One in order is late if another one, that went ahead before, comes behind it by
 * (cycle, SM). */
TEST(a_race_of_one_in_order)
{
    struct ventus_model *m = make();
    const struct access ahead = { 1, 5, 10, 3, false };
    CHECK(race_of(m, (struct access){ 0, HERE, 7, 3, true }, ahead));
    CHECK(race_of(m, (struct access){ 0, HERE, 10, 3, true }, ahead));
    CHECK(!race_of(m, (struct access){ 2, HERE, 10, 3, true }, ahead));
    CHECK(!race_of(m, (struct access){ 0, HERE, 4, 3, true }, ahead));
    CHECK(!race_of(m, (struct access){ 0, HERE, 11, 3, true }, ahead));
    /* The same of a load in order and a store ahead; never of two in order. */
    const struct access store = { 1, 5, 10, 3, true };
    CHECK(race_of(m, (struct access){ 0, HERE, 7, 3, false }, store));
    CHECK(!race_of(m, (struct access){ 0, HERE, 11, 3, false }, store));
    CHECK(!race_of(m, (struct access){ 0, HERE, 7, 3, true },
                   (struct access){ 1, HERE, 7, 3, true }));
    ventus_model_destroy(m);
}

/* A range is logged to the byte, over the ends of lines. */
TEST(ranges_are_logged_to_the_byte)
{
    struct ventus_model *m = make();
    for (unsigned byte = 0; byte < sizeof line; byte++) {
        note(m, (struct access){ 0, 5, 10, byte, false });
        struct sm *s = &m->sm[1];
        s->access_mode = ACCESS_AHEAD;
        s->granted_at = 5;
        s->now = 10;
        access_log_bytes(s, &line[60], 72, true); /* over two ends */
        CHECK_EQ(access_log_has_race(m), byte >= 60 && byte < 60 + 72);
    }
    ventus_model_destroy(m);
}

/* A log that is half full ends the SM's window; one that is full says that there may
 * be a race. */
TEST(a_full_log_is_no_proof)
{
    struct ventus_model *m = make();
    struct sm *s = &m->sm[0];
    unsigned n = 0;
    for (; !s->log_full && n < NEVER_LOGGED; n++)
        note(m, (struct access){ 0, 5, 10, 3, false });
    CHECK(s->log_full && n < NEVER_LOGGED);
    CHECK(!access_log_has_race(m) && !s->log_full);
    for (unsigned k = 0; k < 3 * n; k++)
        note(m, (struct access){ 0, 5, 10, 3, false });
    CHECK(access_log_has_race(m));
    CHECK(!access_log_has_race(m));
    ventus_model_destroy(m);
}

/* On one thread nothing is logged. */
TEST(one_thread_logs_nothing)
{
    struct ventus_model *m = make();
    for (unsigned i = 0; i < 2; i++) {
        m->sm[i].access_mode = ACCESS_UNLOGGED;
        access_log_bytes(&m->sm[i], line, sizeof line, true);
    }
    CHECK(!access_log_has_race(m));
    ventus_model_destroy(m);
}

/* ---- the uncore ---- */

/* An SM that is parked ahead asks in the last cycle that it did: the uncore, which has
 * nothing before, skips up to there and not over it. */
TEST(the_uncore_stops_where_a_parked_sm_asks)
{
    struct ventus_model *m = make();
    advance_uncore(m, 20);
    CHECK_EQ(m->now, 20);
    m->sm[1].now = 31;
    m->sm[2].now = 41;
    m->sm[1].calls = m->sm[2].calls = true;
    advance_uncore(m, 25);
    CHECK_EQ(m->now, 25);
    advance_uncore(m, 100);
    CHECK_EQ(m->now, 30);
    advance_uncore(m, 100); /* it asked for nothing that takes longer */
    CHECK_EQ(m->now, 31);
    CHECK(!m->sm[1].calls && m->sm[2].calls);
    advance_uncore(m, 100);
    CHECK_EQ(m->now, 40);
    ventus_model_destroy(m);
}

/* ---- sleep ---- */

TEST(cycles_of_a_sleep_are_counted_once)
{
    struct ventus_model *m = make();
    struct sm *s = &m->sm[0];
    m->runs_ahead = false;
    sleep_skip_to(s, 12);
    CHECK_EQ(s->now, 12);
    sleep_skip_to(s, 12);
    sleep_skip_to(s, 3); /* that is over */
    CHECK_EQ(s->now, 12);
    CHECK_EQ(s->stats.stall[VENTUS_MODEL_NO_WARP], 12 * s->ports);
    ventus_model_destroy(m);
}

/* What comes later than the next event changes nothing; an earlier one wakes all that
 * is not the pipeline. */
TEST(an_sm_wakes_at_the_first_of_its_events)
{
    struct ventus_model *m = make();
    struct sm *s = &m->sm[0];
    m->runs_ahead = false;
    s->wake = s->pipeline_wake = 50;
    s->is_pending = false;
    sleep_wake_at(s, 70);
    CHECK_EQ(s->wake, 50);
    CHECK(s->is_pending);
    sleep_wake_at(s, 20);
    CHECK_EQ(s->wake, 20);
    CHECK_EQ(s->pipeline_wake, 50);
    /* From outside, behind its part of the machine's cycle: the next one, with all. */
    m->now = 9;
    sleep_wake_now(s);
    CHECK_EQ(s->now, 10);
    CHECK_EQ(s->wake, 10);
    CHECK_EQ(s->pipeline_wake, 10);
    CHECK_EQ(s->stats.stall[VENTUS_MODEL_NO_WARP], 10 * s->ports);
    ventus_model_destroy(m);
}

TEST_MAIN
