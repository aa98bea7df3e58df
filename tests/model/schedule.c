/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who issues, seen from outside: events say in each cycle which warps were
 * ready, and each policy is written down here once more, as a rule.
 */
#include "program.h"

enum { WARPS = 8 };

struct seen {
    enum ventus_model_scheduler policy;
    uint64_t ready; /* passed over, as of the last event of each warp */
    int issued[2];  /* in this cycle, by port */
    unsigned issued_unit[2], issues;
    int last;
    uint64_t order[WARPS]; /* of launch, oldest first */
    unsigned launched, wrong, contended, pairs;
    uint64_t first_issue[WARPS], last_issue[WARPS], ended;
};

static bool
goes_first(const struct seen *s, uint64_t cycle, unsigned a)
{
    unsigned turn = s->policy == VENTUS_MODEL_LRR
                        ? (unsigned)(cycle % WARPS)
                        : (unsigned)(s->last + 1) % WARPS;
    uint64_t ready = s->ready | 1u << a;
    switch (s->policy) {
    case VENTUS_MODEL_FIXED:
        return !(ready & ((1u << a) - 1));
    case VENTUS_MODEL_RR:
    case VENTUS_MODEL_LRR:
        while (!(ready >> turn & 1))
            turn = (turn + 1) % WARPS;
        return turn == a;
    case VENTUS_MODEL_GTO:
        if (s->last >= 0 && ready >> s->last & 1)
            return (int)a == s->last;
        for (unsigned i = 0; i < s->launched; i++)
            if (ready >> s->order[i] & 1)
                return s->order[i] == a;
        return false;
    case VENTUS_MODEL_TWO_LEVEL:
    case VENTUS_MODEL_RANDOM:
        break;
    }
    return true;
}

/* The end of a cycle: all that happened in it was told. */
static void
judge(struct seen *s, uint64_t cycle)
{
    int a = s->issued[0];
    if (a >= 0 && s->issued[1] < 0) {
        s->contended += s->ready != 0;
        s->wrong += !goes_first(s, cycle, (unsigned)a);
    }
    s->pairs += a >= 0 && s->issued[1] >= 0;
    if (a >= 0)
        s->last = a;
    s->issued[0] = s->issued[1] = -1;
    s->issues = 0;
}

static void
on_event(void *ctx, const struct ventus_model_event *e)
{
    struct seen *s = ctx;
    uint64_t bit = UINT64_C(1) << e->warp;
    switch (e->kind) {
    case VENTUS_MODEL_EVENT_WARP:
        s->order[s->launched++] = e->warp;
        s->first_issue[e->warp] = 0;
        return;
    case VENTUS_MODEL_EVENT_WAIT:
        s->ready =
            e->why == VENTUS_MODEL_PASSED ? s->ready | bit : s->ready & ~bit;
        return;
    case VENTUS_MODEL_EVENT_ISSUED:
        s->issued_unit[s->issues] = e->unit;
        s->issued[s->issues++] = (int)e->warp;
        if (!s->first_issue[e->warp])
            s->first_issue[e->warp] = e->cycle;
        s->last_issue[e->warp] = e->cycle;
        return;
    case VENTUS_MODEL_EVENT_SLOT:
        judge(s, e->cycle);
        return;
    default:
        return;
    }
}

static void
fixed(struct ventus_model_config *c)
{
    c->scheduler = VENTUS_MODEL_FIXED;
}

static void
loose(struct ventus_model_config *c)
{
    c->scheduler = VENTUS_MODEL_LRR;
}

static void
greedy(struct ventus_model_config *c)
{
    c->scheduler = VENTUS_MODEL_GTO;
}

static void
two_level(struct ventus_model_config *c)
{
    c->scheduler = VENTUS_MODEL_TWO_LEVEL;
    c->inner_warps = 2;
}

/* Eight warps that do nothing but compute, 20 times around a loop. */
static struct ventus_model_stats
run_loop(struct seen *s, void (*change)(struct ventus_model_config *))
{
    struct program p = {
        .insn = { ventus_isa_addi(5, 0, 20), ventus_isa_addi(6, 0, 1),
                  ventus_isa_lui(7, 1), ventus_isa_lui(8, 1),
                  ventus_isa_lui(9, 1), ventus_isa_addi(5, 5, -1),
                  ventus_isa_bne(5, 0, -16), ventus_isa_endprg(0, 0, 0) },
        .warps = WARPS,
        .change = change,
        .event = on_event,
        .ctx = s
    };
    s->issued[0] = s->issued[1] = s->last = -1;
    struct ventus_model_stats stats = program_run(&p);
    CHECK_EQ(stats.issued, WARPS * (2 + 20 * 5 + 1));
    CHECK_EQ(s->launched, WARPS);
    return stats;
}

static void
follows(enum ventus_model_scheduler policy,
        void (*change)(struct ventus_model_config *))
{
    struct seen s = { .policy = policy };
    run_loop(&s, change);
    CHECK_EQ(s.wrong, 0);
    CHECK(s.contended > 50);
}

TEST(each_policy_takes_who_goes_first)
{
    follows(VENTUS_MODEL_RR, NULL);
    follows(VENTUS_MODEL_FIXED, fixed);
    follows(VENTUS_MODEL_LRR, loose);
    follows(VENTUS_MODEL_GTO, greedy);
}

/* No warp waits for memory, so the two inner warps run to their ends first. */
TEST(two_level_keeps_its_inner_warps)
{
    struct seen s = { .policy = VENTUS_MODEL_TWO_LEVEL };
    run_loop(&s, two_level);
    for (unsigned i = 0; i < WARPS; i++) {
        unsigned together = 0;
        for (unsigned k = 0; k < WARPS; k++)
            together += s.first_issue[k] <= s.first_issue[i] &&
                        s.last_issue[k] >= s.first_issue[i];
        CHECK(together <= 2);
    }
}

static uint64_t random_seed;

static void
random_order(struct ventus_model_config *c)
{
    c->scheduler = VENTUS_MODEL_RANDOM;
    c->seed = random_seed;
}

TEST(random_is_an_order_of_its_seed)
{
    struct seen first = { .policy = VENTUS_MODEL_RANDOM };
    unsigned others = 0;
    random_seed = 0;
    run_loop(&first, random_order);
    for (random_seed = 0; random_seed < 8; random_seed++) {
        struct seen a = { .policy = VENTUS_MODEL_RANDOM }, b = a;
        CHECK_EQ(run_loop(&a, random_order).cycles,
                 run_loop(&b, random_order).cycles);
        CHECK(!memcmp(a.last_issue, b.last_issue, sizeof a.last_issue));
        others +=
            memcmp(a.last_issue, first.last_issue, sizeof a.last_issue) != 0;
    }
    CHECK(others >= 6);
}

static unsigned jitter;

static void
jittering(struct ventus_model_config *c)
{
    program_config(c);
    c->memory_cycles = 20;
    c->memory_requests = 8;
    c->memory_jitter = jitter;
    c->seed = random_seed;
}

/* A load that misses takes memory_cycles, and at most memory_jitter more. */
TEST(memory_jitter_is_between_its_bounds)
{
    struct program p = { .insn = { program_lui(5, DATA), ventus_isa_lw(6, 5, 0),
                                   ventus_isa_addi(6, 6, 1),
                                   ventus_isa_endprg(0, 0, 0) },
                         .warps = 1,
                         .change = jittering };
    jitter = 0;
    uint64_t plain = program_run(&p).cycles, least = UINT64_MAX, most = 0;
    jitter = 100;
    for (random_seed = 0; random_seed < 40; random_seed++) {
        uint64_t cycles = program_run(&p).cycles;
        CHECK_EQ(program_run(&p).cycles, cycles);
        least = cycles < least ? cycles : least;
        most = cycles > most ? cycles : most;
    }
    /* Three misses one after the other: two of fetches, one of the load. */
    CHECK(least >= plain && most <= plain + 3 * 100 && most > least + 100);
}

/* Else the one operand that passes the crossbar is the limit, or what a collector
 * and a buffer need for each instruction, or fetches for buffers that are full. */
static void
single(struct ventus_model_config *c)
{
    c->crossbar = 8;
    c->collect_cycles = 0;
    c->ibuffer_overlaps = true;
    c->ibuffer = 8;
}

static void
dual(struct ventus_model_config *c)
{
    single(c);
    c->issue_width = 2;
}

static void
dual_two_level(struct ventus_model_config *c)
{
    dual(c);
    two_level(c);
}

static bool
is_scalar(unsigned unit)
{
    return unit == VENTUS_ISA_UNIT_SALU || unit == VENTUS_ISA_UNIT_CSR ||
           unit == VENTUS_ISA_UNIT_WARP;
}

static void
on_dual(void *ctx, const struct ventus_model_event *e)
{
    struct seen *s = ctx;
    on_event(ctx, e);
    if (e->kind == VENTUS_MODEL_EVENT_ISSUED && s->issues == 2) {
        CHECK(s->issued[0] != s->issued[1]);
        CHECK(is_scalar(s->issued_unit[0]) != is_scalar(s->issued_unit[1]));
    }
}

static struct ventus_model_stats
run_mixed(struct seen *s, void (*change)(struct ventus_model_config *))
{
    struct program p = {
        .insn = { ventus_isa_addi(5, 0, 20), ventus_isa_vadd_vx(1, 1, 5, 1),
                  ventus_isa_lui(7, 1), ventus_isa_vadd_vx(2, 2, 5, 1),
                  ventus_isa_lui(8, 1), ventus_isa_vadd_vx(3, 3, 5, 1),
                  ventus_isa_lui(9, 1), ventus_isa_vadd_vx(4, 4, 5, 1),
                  ventus_isa_addi(5, 5, -1), ventus_isa_bne(5, 0, -32),
                  ventus_isa_endprg(0, 0, 0) },
        .warps = WARPS,
        .change = change,
        .event = on_dual,
        .ctx = s
    };
    s->issued[0] = s->issued[1] = s->last = -1;
    return program_run(&p);
}

TEST(two_ports_issue_a_scalar_and_a_vector_instruction)
{
    struct seen one = { .policy = VENTUS_MODEL_TWO_LEVEL }, two = one;
    struct ventus_model_stats a = run_mixed(&one, single),
                              b = run_mixed(&two, dual);
    uint64_t sum = 0;
    CHECK_EQ(one.pairs, 0);
    CHECK(two.pairs > 50);
    CHECK_EQ(a.issued, b.issued);
    CHECK(b.cycles < a.cycles);
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        sum += b.stall[i];
    CHECK_EQ(sum, b.slots);
    CHECK_EQ(b.slots, 2 * b.cycles);
    CHECK_EQ(b.stall[VENTUS_MODEL_ISSUED], b.issued);
}

/* Each port had an inner set: of warps that waited for the other port. */
TEST(two_level_ends_with_two_ports)
{
    struct seen one = { .policy = VENTUS_MODEL_TWO_LEVEL }, two = one;
    CHECK_EQ(run_mixed(&one, single).issued,
             run_mixed(&two, dual_two_level).issued);
}

static unsigned buffer;

static void
with_buffer(struct ventus_model_config *c)
{
    c->wg_buffer = buffer;
    c->flush_behind = buffer > 0;
}

static void
on_warp(void *ctx, const struct ventus_model_event *e)
{
    *(unsigned *)ctx += e->kind == VENTUS_MODEL_EVENT_WARP;
}

/*
 * 40 x 12 work-items in workgroups of 32 x 1: of every second one a warp is left,
 * which passes its barrier.  The other three take no slot of the SM's eight, and
 * none is lost, or the 24 workgroups would not all have run.
 */
TEST(warps_without_work_items_take_no_slot)
{
    for (buffer = 0; buffer <= 8; buffer += 8) {
        unsigned warps = 0;
        struct ventus_model_stats s = program_run(&(struct program){
            .insn = { ventus_isa_vid_v(1, 1), ventus_isa_barrier(0, 0, 0),
                      ventus_isa_vadd_vi(1, 1, 1, 1),
                      ventus_isa_endprg(0, 0, 0) },
            .warps = 4,
            .launch = { .grid = { 2, 12, 1 },
                        .global = { 40, 12, 1 },
                        .local = { 32, 1, 1 } },
            .change = with_buffer,
            .event = on_warp,
            .ctx = &warps });
        CHECK_EQ(s.workgroups, 24);
        CHECK_EQ(warps, 12 * (4 + 1));
        CHECK_EQ(s.issued, 12 * (4 + 1) * 4);
        CHECK_EQ(s.vector_lanes, 12 * 40 * 2);
    }
}

TEST_MAIN
