/* SPDX-License-Identifier: Apache-2.0 */
/* Code that arrives while a launch runs: a translator whose code does the instructions by the
 * interpreter's functions, and arrives after some looks. */
#include "machine.h"

#include "sim/native.h"

enum { GROUPS = 24, ROUNDS = 40, SLICE = 16 };

struct translator {
    struct sim_translator sim;
    unsigned delay, left; /* looks until an answer is there */
    bool refuses;
    _Atomic bool busy; /* in one of its functions */
    unsigned started, taken, dropped, released;
};

static void
enter(struct translator *t)
{
    CHECK(!atomic_exchange(&t->busy, true));
}

static void
leave(struct translator *t)
{
    atomic_store(&t->busy, false);
}

/* Some instructions from the block on, as long as the page is the same. */
static const struct sim_op *
stand_in(struct sim_warp *w, const struct sim_op *ops, const uint16_t *entry,
         uint32_t at)
{
    const struct sim_code_page *page = w->page;
    unsigned i = 0;
    while (entry[i] != at)
        i++;
    const struct sim_op *op = ops + i, *next = op;
    for (i = 0; i < 5 && w->left && next && w->page == page; i++) {
        w->left--;
        next = op->fn(w, op);
        op = next ? next : op;
    }
    return next;
}

static bool
start(void *ctx, const struct native_request *r, const char **why)
{
    struct translator *t = ctx;
    enter(t);
    CHECK(r->n > 0);
    t->left = t->delay;
    t->started++;
    if (t->refuses)
        *why = "it refuses";
    leave(t);
    return !t->refuses;
}

static bool
take(void *ctx, bool wait, native_fn **run, void **image, const char **why)
{
    struct translator *t = ctx;
    (void)why;
    enter(t);
    bool there = wait || !t->left;
    t->left -= !there;
    t->taken += there;
    if (there) {
        *run = stand_in;
        *image = t;
    }
    leave(t);
    return there;
}

static void
drop(void *ctx)
{
    struct translator *t = ctx;
    t->dropped++;
}

static void
release(void *ctx, void *image)
{
    struct translator *t = ctx;
    CHECK(image == t);
    t->released++;
}

static struct translator
translator(unsigned delay)
{
    return (struct translator){ .sim = { .hot = 100,
                                         .start = start,
                                         .take = take,
                                         .drop = drop,
                                         .release = release },
                                .delay = delay };
}

/* Workgroups of two warps that add `step` to a word of their own in each round. */
static void
put_program(struct machine *m, int step)
{
    m->n = 0;
    put_li(m, 6, DATA);
    put(m, ventus_isa_vmv_v_x(1, 6));
    put(m, ventus_isa_vid_v(3, 1));
    put(m, ventus_isa_vsll_vi(3, 3, 2, 1));
    put(m, ventus_isa_vadd_vv(1, 1, 3, 1));
    put(m, ventus_isa_addi(7, 0, step));
    put(m, ventus_isa_vmv_v_x(2, 7));
    put(m, ventus_isa_addi(5, 0, ROUNDS));
    uint32_t loop = here(m);
    put(m, ventus_isa_amoadd_w(0, 2, 1, 0));
    put(m, ventus_isa_addi(5, 5, -1));
    put(m, ventus_isa_bne(5, 0, (int32_t)(loop - here(m))));
    put(m, ventus_isa_endprg(0, 0, 0));
}

static struct machine *
make(unsigned threads, struct translator *t)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = 8, .num_warp = 8, .host_threads = threads });
    m->launch.grid[0] = GROUPS;
    m->launch.warps = 2;
    m->sim->slice = SLICE;
    t->sim.ctx = t;
    native_attach(m->sim, &t->sim);
    put_program(m, 3);
    return m;
}

static bool
is_impossible(void)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    const char *why = native_obstacle(m->sim);
    if (why)
        printf("not run: %s\n", why);
    machine_free(m);
    return why;
}

enum {
    RESULT = 3 * 2 * GROUPS * ROUNDS,
    RETIRED = 2 * GROUPS * (9 + 3 * ROUNDS + 1)
};

TEST(results_do_not_depend_on_when_code_arrives)
{
    if (is_impossible())
        return;
    for (unsigned threads = 1; threads <= 4; threads++)
        for (unsigned delay = 0; delay < 700; delay += 1 + delay / 6) {
            struct translator t = translator(delay);
            struct machine *m = make(threads, &t);
            CHECK(launch(m));
            struct native_share s = native_share(m->sim);
            CHECK_EQ(data(m, 0), RESULT);
            CHECK_EQ(data(m, 28), RESULT);
            CHECK_EQ(s.translated + s.interpreted, RETIRED);
            CHECK(!s.translated || t.taken); /* it may come at the end */
            CHECK(s.translated || threads > 1 || delay > RETIRED / SLICE / 2);
            CHECK(!s.why);
            machine_free(m);
            CHECK_EQ(t.released, t.taken);
            CHECK_EQ(t.dropped, t.started - t.taken);
        }
}

TEST(a_translation_outlives_its_launch)
{
    if (is_impossible())
        return;
    struct translator t = translator(1000);
    struct machine *m = make(1, &t);
    CHECK(launch(m));
    CHECK_EQ(t.started, 1);
    CHECK_EQ(t.taken, 0);
    t.left = 0;
    CHECK(launch(m));
    CHECK_EQ(t.taken, 1);
    CHECK_EQ(data(m, 0), 2 * RESULT);
    CHECK(native_share(m->sim).translated > RETIRED / 2);
    machine_free(m);
}

TEST(code_arrives_between_workgroups_that_end_within_a_slice)
{
    if (is_impossible())
        return;
    for (unsigned warps = 1; warps <= 2; warps++) {
        struct translator t = translator(1);
        struct machine *m = make(1, &t);
        m->launch.warps = warps;
        m->sim->slice = 3 * ROUNDS * 4;
        CHECK(launch(m));
        CHECK(t.taken > 0); /* quick code, and maybe better code, too */
        CHECK_EQ(data(m, 0), RESULT / 2 * (int)warps);
        struct native_share s = native_share(m->sim);
        CHECK_EQ(s.translated + s.interpreted, RETIRED / 2 * warps);
        CHECK(s.translated > s.interpreted / 2);
        machine_free(m);
    }
}

TEST(changed_code_is_forgotten)
{
    if (is_impossible())
        return;
    for (unsigned delay = 0; delay < 1000; delay += 999) {
        struct translator t = translator(delay);
        struct machine *m = make(2, &t);
        CHECK(launch(m));
        put_program(m, 4);
        CHECK(launch(m));
        CHECK_EQ(data(m, 0), RESULT / 3 * 7);
        /* The code of each program that came was made better, too. */
        CHECK_EQ(t.started, delay ? 2 : 4);
        CHECK_EQ(t.dropped + t.released, delay ? 1 : 2);
        machine_free(m);
    }
}

TEST(what_is_refused_is_interpreted)
{
    if (is_impossible())
        return;
    struct translator t = translator(0);
    t.refuses = true;
    struct machine *m = make(1, &t);
    CHECK(launch(m));
    CHECK_EQ(data(m, 0), RESULT);
    CHECK_EQ(t.started, 1);
    CHECK_EQ(native_share(m->sim).translated, 0);
    CHECK_STR(native_share(m->sim).why, "it refuses");
    machine_free(m);
}

TEST(statistics_are_interpreted)
{
    if (is_impossible())
        return;
    struct translator t = translator(0);
    struct ventus_sim_stats stats = { 0 };
    struct machine *m = make(1, &t);
    m->launch.stats = &stats;
    CHECK(launch(m));
    CHECK_EQ(stats.warp_instructions, RETIRED);
    CHECK_EQ(t.started, 0);
    CHECK(strstr(native_share(m->sim).why, "statistics"));
    machine_free(m);
}

TEST_MAIN
