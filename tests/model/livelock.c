/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the check for livelocks says of two warps, without a launch: one that waits at a
 * barrier or is not issued, and one that repeats itself, or seems to.
 */
#include "model/livelock.h"

#include "model/machine.h"

#include "test.h"

enum { DEADLOCK = 100, WAITS = 0, RUNS = 1, GROUP = 7 };

static struct ventus_sim_fault fault;
static const struct ventus_sim_launch launch = { .grid = { 8, 1, 1 } };

/* A workgroup of two warps on one SM, which have begun in cycle 0. */
static struct ventus_model *
make(bool at_barrier)
{
    char text[256];
    const struct ventus_sim_config machine = { .num_thread = 8,
                                               .num_warp = 8,
                                               .num_sm = 1 };
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    c.deadlock = DEADLOCK;
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    if (!CHECK(m))
        return NULL;
    fault = (struct ventus_sim_fault){ .kind = VENTUS_SIM_FAULT_NONE };
    m->fault = &fault;
    m->launch = &launch;
    m->slots = 1;
    cta_reset(&m->cta, &(struct cta_launch){ .warps = 2, .slots = 1 });
    struct sm *s = &m->sm[0];
    struct workgroup *g = &s->workgroup;
    ibuffer_reset(&s->ibuffer);
    workgroup_reset(g, &(struct workgroup_launch){ .warps = 2, .slots = 1 });
    g->state.phase = WORKGROUP_RUNS;
    g->state.slot[0] = (struct workgroup_slot){
        .valid = true, .live = 2, .waiting = at_barrier, .number = GROUP
    };
    g->state.warps = 2;
    g->state.resident = 3;
    for (unsigned i = 0; i < 2; i++) {
        g->state.place[i] = (struct warp_place){ .group = 0, .id = i };
        issue_start(&s->issue, i, 0);
    }
    issue_begin(&s->issue, 0);
    if (at_barrier)
        issue_hold(&s->issue, WAITS);
    issue_begin(&s->issue, 0);
    return m;
}

static void
check_at(struct ventus_model *m, uint64_t now)
{
    m->now = now;
    livelock_check(m);
}

/* The warp that runs is in a state in which it was in a cycle. */
static void
repeats(struct ventus_model *m, uint64_t kept_at)
{
    struct warp *w = &m->sm[0].warp[RUNS];
    w->livelock = (struct warp_livelock){ .repeats = true, .kept_at = kept_at };
}

/* The first check only begins to observe. */
TEST(a_barrier_that_a_repeating_warp_never_reaches)
{
    struct ventus_model *m = make(true);
    check_at(m, 100);
    CHECK(m->detects_livelock && !m->failed);
    m->sm[0].warp[RUNS].issued_at = 190;
    m->sm[0].changed_at = 120;
    repeats(m, 150);
    check_at(m, 200);
    CHECK(m->failed);
    CHECK_EQ(fault.kind, VENTUS_SIM_FAULT_DEADLOCK);
    CHECK(strstr(fault.text,
                 "some warps repeat themselves for ever, the others "
                 "wait at a barrier)"));
    CHECK(strstr(fault.text, "workgroup 7 (7,0,0), warp 1"));
    CHECK(strstr(fault.text, "warp 0 at 0x0: barrier"));
    CHECK(strstr(fault.text, "warp 1 at 0x0: repeats itself"));
    ventus_model_destroy(m);
}

/* A change of memory behind the begin of a repetition may end it: it begins anew. */
TEST(a_change_makes_a_repetition_begin_anew)
{
    struct ventus_model *m = make(true);
    check_at(m, 100);
    m->sm[0].warp[RUNS].issued_at = 190;
    m->sm[0].changed_at = 160;
    repeats(m, 150);
    check_at(m, 200);
    CHECK(!m->failed && m->detects_livelock);
    CHECK(!m->sm[0].warp[RUNS].livelock.repeats);
    m->sm[0].warp[RUNS].issued_at = 290;
    repeats(m, 210); /* without another change it is one */
    check_at(m, 300);
    CHECK(m->failed);
    ventus_model_destroy(m);
}

/* One that does something else may still come. */
TEST(a_warp_that_goes_on_is_waited_for)
{
    struct ventus_model *m = make(true);
    for (uint64_t now = 100; now < 2000; now += 100) {
        m->sm[0].warp[RUNS].issued_at = now - 1;
        check_at(m, now);
        CHECK(!m->failed && m->detects_livelock);
    }
    ventus_model_destroy(m);
}

/* One at no barrier is starved when neither it nor memory moved for so long. */
TEST(a_warp_that_is_starved)
{
    struct ventus_model *m = make(false);
    check_at(m, 100);
    m->sm[0].changed_at = 120;
    for (uint64_t now = 200; now <= 220; now += 20) {
        m->sm[0].warp[RUNS].issued_at = now - 1;
        repeats(m, 150);
        check_at(m, now);
        CHECK_EQ(m->failed, now >= 120 + DEADLOCK);
    }
    CHECK_EQ(fault.kind, VENTUS_SIM_FAULT_DEADLOCK);
    CHECK(strstr(fault.text, "were not issued for 100 cycles"));
    ventus_model_destroy(m);
}

/* Issues are observed while a warp waits for long, and no launch pays otherwise. */
TEST(nothing_is_observed_while_all_are_issued)
{
    struct ventus_model *m = make(false);
    check_at(m, 99);
    CHECK(!m->detects_livelock && !m->sm[0].detects_livelock);
    check_at(m, 100);
    CHECK(m->detects_livelock && m->sm[0].detects_livelock);
    m->sm[0].warp[WAITS].issued_at = m->sm[0].warp[RUNS].issued_at = 150;
    check_at(m, 200);
    CHECK(!m->detects_livelock && !m->sm[0].detects_livelock);
    ventus_model_destroy(m);
}

TEST_MAIN
