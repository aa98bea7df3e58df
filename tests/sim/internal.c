/* SPDX-License-Identifier: Apache-2.0 */
/* An assertion that fails while workgroups run is a fault of their launch, at any number of
 * host threads, and the next launch is right. */
#include "machine.h"

#include "base/guard.h"

enum { GROUPS = 64, WRONG = 9 };

static void
fail_in_group(void *ctx, uint64_t group)
{
    (void)ctx;
    if (group == WRONG)
        guard_assertion_failed("a < b", "somewhere.c", 7, "something");
}

#ifdef NDEBUG
#error "assertions are on in all builds"
#endif
#ifndef VENTUS_DEBUG
/* A real one, of the machine: there is no such workgroup. */
static void
start_wrong_group(void *ctx, uint64_t group)
{
    const struct machine *m = ctx;
    struct sim_worker *k = &m->sim->worker[0];
    if (group == WRONG)
        group_start(k, &k->group[0], GROUPS);
}
#endif

/* 64 workgroups of a warp that adds 1 to a word. */
static struct machine *
make(unsigned threads)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = 8, .num_warp = 4, .host_threads = threads });
    m->launch.grid[0] = GROUPS;
    put(m, ventus_isa_lui(6, (int32_t)(DATA >> 12)));
    put(m, ventus_isa_addi(7, 0, 1));
    put(m, ventus_isa_vmv_v_x(1, 6));
    put(m, ventus_isa_vmv_v_x(2, 7));
    put(m, ventus_isa_vid_v(3, 1));
    put(m, ventus_isa_vsll_vi(3, 3, 2, 1));
    put(m, ventus_isa_vadd_vv(1, 1, 3, 1));
    put(m, ventus_isa_amoadd_w(0, 2, 1, 0));
    put(m, ventus_isa_endprg(0, 0, 0));
    CHECK(ventus_sim_write(m->sim, CODE, m->word, sizeof m->word));
    return m;
}

static uint32_t
first_word(struct machine *m)
{
    uint32_t word = 0;
    CHECK(ventus_sim_read(m->sim, DATA, &word, 4));
    return word;
}

static void
fails(struct machine *m, void (*ended)(void *ctx, uint64_t group),
      const char *words)
{
    const struct ventus_sim_hooks hooks = { .ctx = m, .ended = ended };
    struct ventus_sim_fault f;
    m->launch.hooks = &hooks;
    CHECK(!ventus_sim_launch(m->sim, &m->launch, &f));
    CHECK_EQ(f.kind, VENTUS_SIM_FAULT_INTERNAL);
    if (!CHECK(strstr(f.text, words)))
        printf("%s\n", f.text);
    m->launch.hooks = NULL;
    uint32_t before = first_word(m);
    CHECK(ventus_sim_launch(m->sim, &m->launch, &f));
    CHECK_EQ(first_word(m), before + GROUPS);
}

TEST(an_assertion_is_a_fault_of_the_launch)
{
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct machine *m = make(threads);
        for (int again = 0; again < 8; again++)
            fails(m, fail_in_group,
                  "internal error: somewhere.c:7: something: assertion "
                  "'a < b', workgroup ");
#ifndef VENTUS_DEBUG
        fails(m, start_wrong_group, "group.c:");
#endif
        machine_free(m);
    }
}

static void
fail(void *ctx)
{
    (void)ctx;
    guard_assertion_failed("outer", "x.c", 1, "f");
}

static void
guard_and_fail(void *ctx)
{
    struct guard_failure why;
    struct guard_lock held;
    guard_lock(&held, ctx);
    CHECK(!guard_call(fail, NULL, &why));
    CHECK(strstr(why.text, "outer"));
    guard_assertion_failed("inner", "x.c", 2, "f");
}

TEST(the_innermost_guarded_call_ends_and_its_locks_are_free)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct guard_failure why;
    CHECK(!guard_call(guard_and_fail, &lock, &why));
    CHECK_STR(why.text, "x.c:2: f: assertion 'inner'");
    CHECK_EQ(pthread_mutex_trylock(&lock), 0);
    pthread_mutex_unlock(&lock);
}

TEST_MAIN
