/* SPDX-License-Identifier: Apache-2.0 */
/* Thread branches, join and the SIMT stack: semantics.md, SIMT stack, rule by
 * rule. */
#include "machine.h"

/* What the step hook saw of branches and joins. */
struct seen {
    unsigned n;
    struct {
        uint64_t pc, next_pc, mask, next_mask;
        unsigned stack;
    } at[64];
    unsigned deepest;
};

static void
on_step(void *ctx, const struct ventus_sim_step *s)
{
    struct seen *seen = ctx;
    if (s->stack > seen->deepest)
        seen->deepest = s->stack;
    if (ventus_isa_info[s->in->op].unit != VENTUS_ISA_UNIT_SIMT ||
        s->in->op == VENTUS_ISA_SETRPC || seen->n == 64)
        return;
    seen->at[seen->n].pc = s->pc;
    seen->at[seen->n].next_pc = s->next_pc;
    seen->at[seen->n].mask = s->mask;
    seen->at[seen->n].next_mask = s->next_mask;
    seen->at[seen->n++].stack = s->stack;
}

/*
 *  0  vid v1
 *  4  vmv v2, limit
 *  8  auipc x7         setrpc to the join at 36
 * 16  vblt v1, v2, 28  lanes below limit: else
 * 20  v3 += 1          if
 * 24  j 36
 * 28  v3 += 2          else
 * 32  nop
 * 36  join
 */
static struct machine *
split(unsigned num_thread, int limit, struct seen *seen)
{
    static struct ventus_sim_hooks hooks;
    struct machine *m =
        machine(&(struct ventus_sim_config){ .num_thread = num_thread });
    *seen = (struct seen){ 0 };
    hooks = (struct ventus_sim_hooks){ .ctx = seen, .step = on_step };
    m->launch.hooks = &hooks;
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vmv_v_i(2, limit));
    put(m, ventus_isa_auipc(7, 0));
    put(m, ventus_isa_setrpc(6, 7, 28));
    put(m, ventus_isa_vblt(1, 2, 12));
    put(m, ventus_isa_vadd_vi(3, 3, 1, 1));
    put(m, ventus_isa_jal(0, 12));
    put(m, ventus_isa_vadd_vi(3, 3, 2, 1));
    put(m, ventus_isa_addi(0, 0, 0));
    put(m, ventus_isa_join(0, 0, 0));
    run(m);
    return m;
}

TEST(setrpc_writes_rd_and_rpc)
{
    struct seen seen;
    struct machine *m = split(8, 3, &seen);
    CHECK_EQ(x(m, 6), CODE + 36);
    CHECK_EQ(warp(m, 0)->rpc, CODE + 36);
    machine_free(m);
}

/* 3 lanes go to else, 5 stay: the smaller else side runs first. */
TEST(smaller_side_first)
{
    struct seen seen;
    struct machine *m = split(8, 3, &seen);
    CHECK_EQ(seen.n, 4);
    CHECK_EQ(seen.at[0].next_pc, CODE + 28);
    CHECK_EQ(seen.at[0].next_mask, 0x07);
    CHECK_EQ(seen.at[0].stack, 2);
    CHECK_EQ(seen.at[1].pc, CODE + 36); /* pops the other side */
    CHECK_EQ(seen.at[1].next_pc, CODE + 20);
    CHECK_EQ(seen.at[1].next_mask, 0xf8);
    CHECK_EQ(seen.at[2].next_pc, CODE + 36); /* pops the reconvergence */
    CHECK_EQ(seen.at[2].next_mask, 0xff);
    CHECK_EQ(seen.at[2].stack, 0);
    CHECK_EQ(seen.at[3].next_pc, CODE + 40); /* the third time: nothing */
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQ(v(m, 3, i), i < 3 ? 2 : 1);
    machine_free(m);
}

TEST(if_side_first_when_it_is_smaller)
{
    struct seen seen;
    struct machine *m = split(8, 5, &seen);
    CHECK_EQ(seen.at[0].next_pc, CODE + 20);
    CHECK_EQ(seen.at[0].next_mask, 0xe0);
    machine_free(m);
}

TEST(else_side_first_on_a_tie)
{
    struct seen seen;
    struct machine *m = split(8, 4, &seen);
    CHECK_EQ(seen.at[0].next_pc, CODE + 28);
    CHECK_EQ(seen.at[0].next_mask, 0x0f);
    machine_free(m);
}

TEST(no_push_if_all_go_one_way)
{
    struct seen seen;
    struct machine *m = split(8, 0, &seen);
    CHECK_EQ(seen.at[0].next_pc, CODE + 20);
    CHECK_EQ(seen.at[0].stack, 0);
    CHECK_EQ(seen.n, 2); /* and the join does nothing */
    CHECK_EQ(v(m, 3, 7), 1);
    machine_free(m);
    m = split(8, 15, &seen);
    CHECK_EQ(seen.at[0].next_pc, CODE + 28);
    CHECK_EQ(seen.at[0].stack, 0);
    CHECK_EQ(v(m, 3, 0), 2);
    machine_free(m);
}

/* vs2 OP vs1: v1 = 1, v2 = 2 in every lane; taken skips. */
static bool
is_taken(struct ventus_isa_insn branch)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_vmv_v_i(1, 1));
    put(m, ventus_isa_vmv_v_i(2, -2));
    put(m, ventus_isa_vmv_v_i(3, 1));
    put(m, branch);
    put(m, ventus_isa_addi(5, 0, 1));
    run(m);
    bool taken = !x(m, 5);
    machine_free(m);
    return taken;
}

TEST(vs2_is_compared_with_vs1)
{
    /* Arguments: vs2, vs1. */
    CHECK(is_taken(ventus_isa_vblt(2, 1, 8)));
    CHECK(!is_taken(ventus_isa_vblt(1, 2, 8)));
    CHECK(is_taken(ventus_isa_vbge(1, 2, 8)));
    CHECK(is_taken(ventus_isa_vbge(1, 3, 8)));
    CHECK(is_taken(ventus_isa_vbltu(1, 2, 8)));
    CHECK(is_taken(ventus_isa_vbgeu(2, 1, 8)));
    CHECK(!is_taken(ventus_isa_vbgeu(1, 2, 8)));
    CHECK(is_taken(ventus_isa_vbeq(1, 3, 8)));
    CHECK(!is_taken(ventus_isa_vbeq(1, 2, 8)));
    CHECK(is_taken(ventus_isa_vbne(1, 2, 8)));
    CHECK(!is_taken(ventus_isa_vbne(1, 3, 8)));
}

TEST(join_without_an_entry_is_nothing)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_join(0, 0, 0));
    put(m, ventus_isa_addi(5, 0, 1));
    run(m);
    CHECK_EQ(x(m, 5), 1);
    machine_free(m);
}

/* ---- random programs against threads that run one by one ---- */

enum node_kind { ADD, IF, LOOP };

struct node {
    enum node_kind kind;
    uint32_t k;
    unsigned input;
    struct node *body, *other, *next;
};

enum { INPUTS = 4, ACC = 10, NODES = 4000 };

static struct node pool[NODES];
static unsigned used;
static uint64_t seed;

static uint32_t
next_random(void)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

static struct node *
make(unsigned depth)
{
    struct node *n = &pool[used++];
    *n = (struct node){ .k = next_random(), .input = next_random() % INPUTS };
    unsigned dice = depth ? next_random() % 8 : 0;
    n->kind = dice < 2 ? ADD : dice < 6 ? IF : LOOP;
    if (n->kind != ADD)
        n->body = make(depth - 1);
    if (n->kind == IF && next_random() % 2)
        n->other = make(depth - 1);
    if (next_random() % 3 == 0)
        n->next = make(depth);
    return n;
}

/* One thread. */
static void
interpret(const struct node *n, uint32_t *acc, const uint32_t *input)
{
    for (; n; n = n->next) {
        switch (n->kind) {
        case ADD:
            *acc = *acc * 3 + n->k + input[n->input];
            break;
        case IF:
            interpret((*acc & n->k) < (input[n->input] & n->k) ? n->other
                                                               : n->body,
                      acc, input);
            break;
        case LOOP:
            for (uint32_t left = (*acc >> 3 & 3) + 1; left; left--)
                interpret(n->body, acc, input);
            break;
        }
    }
}

/* setrpc to a place known later: auipc x7; setrpc x0, x7, ... */
static unsigned
put_setrpc(struct machine *m)
{
    put(m, ventus_isa_auipc(7, 0));
    put(m, ventus_isa_setrpc(0, 7, 0));
    return m->n - 2;
}

static void
patch_setrpc(struct machine *m, unsigned at)
{
    unsigned n = m->n;
    int32_t offset = 4 * ((int32_t)n - (int32_t)at);
    m->n = at;
    put(m, ventus_isa_auipc(7, (offset + 0x800) >> 12));
    put(m, ventus_isa_setrpc(0, 7, (int32_t)((uint32_t)offset << 20) >> 20));
    m->n = n;
}

static void
translate(struct machine *m, const struct node *n, unsigned depth);

static void
patch_jump(struct machine *m, unsigned at, bool thread_branch)
{
    unsigned n = m->n;
    int32_t offset = 4 * ((int32_t)n - (int32_t)at);
    m->n = at;
    put(m, thread_branch ? ventus_isa_vbltu(20, 21, offset)
                         : ventus_isa_jal(0, offset));
    m->n = n;
}

static void
translate_if(struct machine *m, const struct node *n, unsigned depth)
{
    put_li(m, 5, n->k);
    put(m, ventus_isa_vand_vx(20, ACC, 5, 1));
    put(m, ventus_isa_vand_vx(21, 1 + n->input, 5, 1));
    unsigned rpc = put_setrpc(m);
    unsigned branch = m->n;
    put(m, ventus_isa_vbltu(20, 21, 8));
    translate(m, n->body, depth - 1);
    unsigned jump = m->n;
    put(m, ventus_isa_jal(0, 8));
    patch_jump(m, branch, true);
    translate(m, n->other, depth - 1);
    patch_jump(m, jump, false);
    patch_setrpc(m, rpc);
    put(m, ventus_isa_join(0, 0, 0));
}

/* v(32 + depth) counts down; the lanes that go on are the else side. */
static void
translate_loop(struct machine *m, const struct node *n, unsigned depth)
{
    unsigned left = 32 + depth;
    put(m, ventus_isa_vsrl_vi(left, ACC, 3, 1));
    put(m, ventus_isa_vand_vi(left, left, 3, 1));
    put(m, ventus_isa_vadd_vi(left, left, 1, 1));
    unsigned start = m->n;
    translate(m, n->body, depth - 1);
    put(m, ventus_isa_vadd_vi(left, left, -1, 1));
    put(m, ventus_isa_vmv_v_i(31, 0));
    unsigned rpc = put_setrpc(m);
    put(m, ventus_isa_regext(0, 0, 1 << 6)); /* vs2: v32 and up */
    put(m,
        ventus_isa_vbne(left - 32, 31, 4 * ((int32_t)start - (int32_t)m->n)));
    patch_setrpc(m, rpc);
    put(m, ventus_isa_join(0, 0, 0));
}

static void
translate(struct machine *m, const struct node *n, unsigned depth)
{
    for (; n; n = n->next) {
        switch (n->kind) {
        case ADD:
            put_li(m, 5, n->k);
            put(m, ventus_isa_addi(6, 0, 3));
            put(m, ventus_isa_vmul_vx(ACC, ACC, 6, 1));
            put(m, ventus_isa_vadd_vx(ACC, ACC, 5, 1));
            put(m, ventus_isa_vadd_vv(ACC, ACC, 1 + n->input, 1));
            break;
        case IF:
            translate_if(m, n, depth);
            break;
        case LOOP:
            translate_loop(m, n, depth);
            break;
        }
    }
}

/* Branches reach 4 KiB: larger programs are left out. */
static bool
check_random(unsigned num_thread, bool portable)
{
    uint32_t input[INPUTS][64];
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = num_thread, .portable = portable });
    used = 0;
    struct node *root = make(5);
    bool small = used < 60;
    for (unsigned r = 0; small && r < INPUTS; r++) {
        for (unsigned i = 0; i < num_thread; i++)
            input[r][i] = next_random();
        put_vector(m, 1 + r, input[r], 256 * r);
    }
    if (small) {
        translate(m, root, 5);
        run(m);
    }
    for (unsigned i = 0; small && i < num_thread; i++) {
        const uint32_t mine[INPUTS] = { input[0][i], input[1][i], input[2][i],
                                        input[3][i] };
        uint32_t acc = 0;
        interpret(root, &acc, mine);
        CHECK_EQ(v(m, ACC, i), acc);
    }
    CHECK(!small || warp(m, 0)->depth == 0);
    machine_free(m);
    return small;
}

TEST(random_divergence)
{
    seed = 1;
    unsigned checked = 0;
    for (unsigned round = 0; round < 40; round++)
        for (unsigned n = 1; n <= 64; n *= 2)
            checked += check_random(n, round % 4 == 0);
    CHECK(checked > 100);
}

/*
 * Lane i leaves a loop after i + 1 rounds.  Every split leaves an entry, and
 * n lanes never need more than n (semantics.md, SIMT stack).
 */
TEST(depth_of_a_loop)
{
    struct seen seen = { 0 };
    struct ventus_sim_hooks hooks = { .ctx = &seen, .step = on_step };
    struct machine *m = machine(
        &(struct ventus_sim_config){ .num_thread = 16, .stack_depth = 16 });
    m->launch.hooks = &hooks;
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_auipc(7, 0)); /* 4 */
    put(m, ventus_isa_vadd_vi(3, 3, 1, 1));
    put(m, ventus_isa_vadd_vi(1, 1, -1, 1));
    put(m, ventus_isa_setrpc(0, 7, 20)); /* 24 */
    put(m, ventus_isa_vbge(1, 0, -12));  /* 20, to 8 */
    put(m, ventus_isa_join(0, 0, 0));    /* 24 */
    run(m);
    for (unsigned i = 0; i < 16; i++)
        CHECK_EQ(v(m, 3, i), i + 1);
    CHECK(seen.deepest <= 16);
    CHECK(seen.deepest >= 2);
    machine_free(m);
}

TEST_MAIN
