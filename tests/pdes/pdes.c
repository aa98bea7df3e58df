/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine of LPs that compute, send requests to the hub, which answers one after
 * the other with a delay, and take numbers of a ticket, in order of LPs.  On several
 * threads it must do what a loop over cycles does.
 */
#include "pdes/pdes.h"
#include "base/guard.h"

#include <time.h>

#include "pdes/pool.h"
#include "pdes/window.h"
#include "test.h"

enum { LPS = 5, JOBS = 20000, DELAY = 7, QUEUE = 2 * LPS };

/* What an LP does in cycle `wake`; from SENDS on it is an exchange. */
enum act { COMPUTES, RECEIVES, WAITS, SENDS, ENDS, TAKES_TICKET, ENDED };

struct lp {
    uint64_t now, wake;
    enum act act;
    uint64_t random, hash; /* of all that it saw, and when */
    unsigned jobs;
    enum act told; /* the hub, SENDS or ENDS, in this cycle: */
    uint64_t told_at;
};

struct machine {
    uint64_t now;
    struct lp lp[LPS];
    unsigned queue[QUEUE], queued; /* LPs, oldest first */
    uint64_t free_at;              /* the hub answers no other one before */
    unsigned ticket, ended, pieces;
    struct pdes pdes;
};

static unsigned
next_random(struct lp *l, unsigned n)
{
    l->random ^= l->random << 13;
    l->random ^= l->random >> 7;
    l->random ^= l->random << 17;
    return (unsigned)(l->random % n);
}

static void
see(struct lp *l, uint64_t cycle, uint64_t what)
{
    l->hash = (l->hash ^ what ^ cycle << 20) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static void
choose(struct lp *l, uint64_t cycle)
{
    unsigned what = next_random(l, 16);
    l->act = ++l->jobs > JOBS ? ENDS
             : what == 0      ? TAKES_TICKET
             : what < 3       ? SENDS
                              : COMPUTES;
    l->wake = cycle + 1 + (what > 12 ? next_random(l, 90) : what / 4);
}

/* ---- a cycle of an LP, and of the hub behind all of them ---- */

static void
cycle_lp(struct machine *m, struct lp *l, uint64_t cycle)
{
    l->now = cycle + 1;
    if (l->wake > cycle)
        return;
    CHECK_EQ(l->wake, cycle);
    switch (l->act) {
    case COMPUTES:
    case RECEIVES:
        see(l, cycle, l->act);
        choose(l, cycle);
        return;
    case TAKES_TICKET:
        see(l, cycle, 10 + m->ticket++);
        choose(l, cycle);
        return;
    case SENDS:
    case ENDS:
        l->told = l->act;
        l->told_at = cycle;
        l->act = l->act == SENDS ? WAITS : ENDED;
        l->wake = PDES_NEVER;
        return;
    case WAITS:
    case ENDED:
        CHECK(!"nothing happens in an LP that waits");
        return;
    }
}

static void
cycle_hub(struct machine *m)
{
    for (unsigned i = 0; i < LPS; i++) {
        struct lp *l = &m->lp[i];
        if (l->told_at != m->now || (l->told != SENDS && l->told != ENDS))
            continue;
        m->ended += l->told == ENDS;
        if (l->told == SENDS)
            m->queue[m->queued++] = i;
        l->told = COMPUTES;
    }
    if (m->queued && m->free_at <= m->now) {
        struct lp *l = &m->lp[m->queue[0]];
        CHECK_EQ(l->act, WAITS);
        l->act = RECEIVES;
        l->wake = m->now + DELAY;
        m->free_at = m->now + 2;
        memmove(m->queue, m->queue + 1, --m->queued * sizeof *m->queue);
    }
    m->now++;
}

static void
make(struct machine *m)
{
    memset(m, 0, sizeof *m);
    for (unsigned i = 0; i < LPS; i++) {
        m->lp[i].random = 88172645463325252u + i;
        choose(&m->lp[i], 0);
    }
}

/* The reference. */
static void
run_plainly(struct machine *m, uint64_t pause)
{
    while (m->ended < LPS && m->now < pause) {
        for (unsigned i = 0; i < LPS; i++)
            cycle_lp(m, &m->lp[i], m->now);
        cycle_hub(m);
    }
}

/* ---- for pdes ---- */

static struct lp *
lp_of(void *ctx, unsigned lp)
{
    return &((struct machine *)ctx)->lp[lp];
}

static uint64_t
local_time(void *ctx, unsigned lp)
{
    return lp_of(ctx, lp)->now;
}

static uint64_t
next_event(void *ctx, unsigned lp)
{
    return lp_of(ctx, lp)->wake;
}

static unsigned
next_kind(void *ctx, unsigned lp)
{
    enum act act = lp_of(ctx, lp)->act;
    return act == TAKES_TICKET           ? PDES_EVENT | PDES_ORDER
           : act == SENDS || act == ENDS ? PDES_EVENT
           : act == ENDED                ? PDES_ASLEEP
                                         : 0;
}

static uint64_t
lookahead(void *ctx, unsigned lp)
{
    uint64_t now = ((struct machine *)ctx)->now;
    enum act act = lp_of(ctx, lp)->act;
    return act == COMPUTES || act == RECEIVES ? now + 1000 : now + 1;
}

static uint64_t
next_input(void *ctx, unsigned lp)
{
    (void)lp;
    return ((struct machine *)ctx)->now + 1;
}

static void
grant(void *ctx, unsigned lp, uint64_t clock)
{
    CHECK_EQ(clock, lp_of(ctx, lp)->wake);
}

static void
begin_window(void *ctx, unsigned lp, bool in_order)
{
    CHECK_EQ(in_order, (next_kind(ctx, lp) & PDES_ORDER) != 0);
}

static void
end_window(void *ctx, unsigned lp)
{
    (void)ctx;
    (void)lp;
}

static bool
tick(void *ctx, unsigned lp, uint64_t until, uint64_t *now)
{
    struct lp *l = lp_of(ctx, lp);
    uint64_t to = l->wake < until ? l->wake : until;
    l->now = l->now < to ? to : l->now;
    bool runs = l->now < until;
    if (runs)
        cycle_lp(ctx, l, l->now);
    *now = l->now;
    return runs && !(next_kind(ctx, lp) & PDES_EVENT) && l->now < until;
}

static void
tick_in_order(void *ctx, unsigned lp, uint64_t cycle)
{
    CHECK_EQ(((struct machine *)ctx)->now, cycle);
    cycle_lp(ctx, lp_of(ctx, lp), cycle);
}

static uint64_t
hub_time(void *ctx)
{
    return ((struct machine *)ctx)->now;
}

static uint64_t
hub_bound(void *ctx)
{
    return hub_time(ctx) + 100000;
}

/* No LP has an event left in a cycle that the hub does. */
static void
hub_tick(void *ctx, uint64_t limit)
{
    struct machine *m = ctx;
    CHECK(m->now < limit);
    cycle_hub(m);
}

static bool
is_over(void *ctx)
{
    return ((struct machine *)ctx)->ended == LPS;
}

static bool
commit(void *ctx, bool in_step)
{
    struct machine *m = ctx;
    for (unsigned i = 0; in_step && i < LPS; i++)
        CHECK(m->lp[i].now <= m->now && m->lp[i].wake >= m->now);
    return is_over(ctx);
}

static void
begin_piece(void *ctx)
{
    ((struct machine *)ctx)->pieces++;
}

static void
end_piece(void *ctx)
{
    (void)ctx;
}

static void
run_serial(void *ctx, uint64_t pause)
{
    run_plainly(ctx, pause);
}

static const struct pdes_ops ops = {
    .local_time = local_time,
    .next_event = next_event,
    .next_kind = next_kind,
    .lookahead = lookahead,
    .next_input = next_input,
    .grant = grant,
    .begin_window = begin_window,
    .end_window = end_window,
    .tick = tick,
    .tick_in_order = tick_in_order,
    .work = hub_time, /* a cycle is a unit */
    .hub_time = hub_time,
    .hub_bound = hub_bound,
    .hub_tick = hub_tick,
    .commit = commit,
    .begin = begin_piece,
    .end = end_piece,
    .run_serial = run_serial,
    .is_over = is_over,
};

TEST(threads_do_what_a_loop_over_cycles_does)
{
    static struct machine plain, parallel;
    make(&plain);
    run_plainly(&plain, PDES_NEVER);
    CHECK(plain.ticket > LPS * JOBS / 32);
    for (unsigned threads = 2; threads <= LPS + 1; threads++) {
        make(&parallel);
        CHECK(pdes_create(&parallel.pdes, &ops, &parallel, LPS, threads));
        pdes_run(&parallel.pdes);
        CHECK(parallel.pieces > 1);
        CHECK_EQ(parallel.ticket, plain.ticket);
        CHECK_EQ(parallel.now, plain.now);
        for (unsigned i = 0; i < LPS; i++)
            CHECK_EQ(parallel.lp[i].hash, plain.lp[i].hash);
        pdes_destroy(&parallel.pdes);
    }
}

/* A piece of 16,384 cycles, each of which takes the host a thousandth of a second, because
 * it is busy: the piece ends long before, and one thread goes on. */
static void
hub_tick_slowly(void *ctx, uint64_t limit)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    hub_tick(ctx, limit);
}

static uint64_t first_end;

static void
end_piece_and_note(void *ctx)
{
    if (((struct machine *)ctx)->pieces == 1)
        first_end = hub_time(ctx);
}

TEST(a_piece_of_slow_cycles_ends_early)
{
    static struct machine plain, parallel;
    static struct pdes_ops slow;
    slow = ops;
    slow.hub_tick = hub_tick_slowly;
    slow.end = end_piece_and_note;
    make(&plain);
    run_plainly(&plain, PDES_NEVER);
    make(&parallel);
    CHECK(pdes_create(&parallel.pdes, &slow, &parallel, LPS, 2));
    CHECK(pdes_run(&parallel.pdes));
    CHECK(first_end > 0 && first_end < 16384);
    CHECK_EQ(parallel.ticket, plain.ticket);
    CHECK_EQ(parallel.now, plain.now);
    for (unsigned i = 0; i < LPS; i++)
        CHECK_EQ(parallel.lp[i].hash, plain.lp[i].hash);
    pdes_destroy(&parallel.pdes);
}

/* The host does not run the other threads, which own several LPs: the one that it
 * runs takes these over. */
TEST(windows_of_several_lps_whose_threads_do_not_come)
{
    static struct machine plain, parallel;
    enum { PAUSE = 20000 };
    make(&plain);
    run_plainly(&plain, PAUSE);
    make(&parallel);
    struct pdes *p = &parallel.pdes;
    CHECK(pdes_create(p, &ops, &parallel, LPS, 3));
    for (unsigned i = 1; i < p->pool.threads; i++)
        atomic_store(&p->pool.worker[i].sleeps, true);
    pool_begin(p);
    window_begin(p, PAUSE);
    pool_run(p);
    CHECK_EQ(parallel.now, plain.now);
    CHECK_EQ(parallel.ticket, plain.ticket);
    for (unsigned i = 0; i < LPS; i++)
        CHECK_EQ(parallel.lp[i].hash, plain.lp[i].hash);
    pdes_destroy(p);
}

/* An LP of which a thread fails: all threads end, and the next run is as it should be. */
static bool
tick_and_fail(void *ctx, unsigned lp, uint64_t until, uint64_t *now)
{
    const struct machine *m = ctx;
    if (lp == LPS / 2 && m->lp[lp].now > 100)
        guard_assertion_failed("a < b", "lp.c", 1, "tick");
    return tick(ctx, lp, until, now);
}

TEST(a_thread_that_fails_ends_the_run)
{
    static struct machine m, next;
    static struct pdes_ops failing;
    failing = ops;
    failing.tick = tick_and_fail;
    for (unsigned threads = 2; threads <= LPS; threads++) {
        make(&m);
        CHECK(pdes_create(&m.pdes, &failing, &next, LPS, threads));
        for (unsigned i = 0; i < 20; i++) {
            make(&next);
            CHECK(!pdes_run(&m.pdes));
        }
        make(&next);
        m.pdes.ops = &ops;
        CHECK(pdes_run(&m.pdes));
        CHECK_EQ(next.ended, LPS);
        pdes_destroy(&m.pdes);
    }
}

TEST_MAIN
