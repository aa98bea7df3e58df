/* SPDX-License-Identifier: Apache-2.0 */
/* Workgroups, host threads, barriers, statistics; memory that stays put. */
#include "machine.h"

/* ---- allocations: counted by functions that stand before the C library's */

static unsigned allocations;

void *
__real_malloc(size_t size);
void *
__real_calloc(size_t n, size_t size);
void *
__real_realloc(void *p, size_t size);
void *
__real_aligned_alloc(size_t align, size_t size);
void *
__wrap_malloc(size_t size);
void *
__wrap_calloc(size_t n, size_t size);
void *
__wrap_realloc(void *p, size_t size);
void *
__wrap_aligned_alloc(size_t align, size_t size);

void *
__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
    allocations++;
    return __real_calloc(n, size);
}

void *
__wrap_realloc(void *p, size_t size)
{
    allocations++;
    return __real_realloc(p, size);
}

void *
__wrap_aligned_alloc(size_t align, size_t size)
{
    allocations++;
    return __real_aligned_alloc(align, size);
}

/* A loop of `rounds` over loads, stores, splits, barriers. */
static unsigned
allocations_of(uint32_t rounds)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    m->launch.grid[0] = 3;
    m->launch.warps = 2;
    put_li(m, 5, rounds);
    put_li(m, 6, DATA);
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(2, 1, 2, 1));
    put(m, ventus_isa_vadd_vx(2, 2, 6, 1));
    unsigned start = m->n;
    put(m, ventus_isa_vsw12_v(1, 2, 0));
    put(m, ventus_isa_vlw12_v(3, 2, 0));
    put(m, ventus_isa_amoadd_w(4, 1, 2, 0));
    put(m, ventus_isa_auipc(7, 0));
    put(m, ventus_isa_setrpc(0, 7, 12));
    put(m, ventus_isa_vblt(1, 3, 4));
    put(m, ventus_isa_join(0, 0, 0));
    put(m, ventus_isa_barrier(0, 0, 0));
    put(m, ventus_isa_addi(5, 5, -1));
    put(m, ventus_isa_bne(5, 0, 4 * ((int32_t)start - (int32_t)m->n)));
    allocations = 0;
    run(m);
    unsigned n = allocations;
    allocations = 0;
    CHECK(launch(m)); /* everything is there already */
    CHECK_EQ(allocations, 0);
    machine_free(m);
    return n;
}

TEST(nothing_is_allocated_while_stepping)
{
    CHECK_EQ(allocations_of(1), allocations_of(20000));
}

/* ---- partial warps ---- */

static void
check_partial(bool all_lanes)
{
    struct machine *m = machine(
        &(struct ventus_sim_config){ .num_thread = 8, .all_lanes = all_lanes });
    m->launch.warps = 0;
    m->launch.threads = 19;
    put(m, ventus_isa_vmv_v_i(1, 5));
    run(m);
    for (unsigned i = 0; i < 8; i++) {
        CHECK_EQ(warp(m, 0)->v[8 + i], 5);
        CHECK_EQ(warp(m, 2)->v[8 + i], i < 3 || all_lanes ? 5 : 0);
    }
    CHECK_EQ(warp(m, 0)->group->warps, 3);
    machine_free(m);
}

TEST(partial_warps)
{
    check_partial(false);
    check_partial(true);
}

/* ---- barrier ---- */

/* Warp w writes its slot; behind the barrier each reads its neighbour's. */
TEST(barrier_orders)
{
    for (unsigned robin = 0; robin < 2; robin++) {
        struct machine *m = machine(&(struct ventus_sim_config){
            .num_thread = 8, .round_robin = robin });
        m->launch.warps = 4;
        put_li(m, 6, 0x70000000);
        put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_WID, 0));
        put(m, ventus_isa_slli(7, 5, 2));
        put(m, ventus_isa_add(7, 7, 6));
        put(m, ventus_isa_addi(8, 5, 40));
        for (unsigned round = 0; round < 3; round++) {
            put(m, ventus_isa_sw(8, 7, 0));
            put(m, ventus_isa_barrier(0, 0, 0));
            put(m, ventus_isa_addi(9, 5, 1));
            put(m, ventus_isa_andi(9, 9, 3));
            put(m, ventus_isa_slli(9, 9, 2));
            put(m, ventus_isa_add(9, 9, 6));
            put(m, ventus_isa_lw(8, 9, 0));
            put(m, ventus_isa_barrier(0, 0, 0));
        }
        run(m);
        for (unsigned i = 0; i < 4; i++)
            CHECK_EQ(warp(m, i)->x[8], 40 + (i + 3) % 4);
        machine_free(m);
    }
}

/* A warp that waits for another by looking at memory gets what it waits for:
 * warp 0 for warp 1, workgroup 0 for workgroup 1. */
TEST(waiting_in_memory)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    m->launch.grid[0] = 2;
    m->launch.warps = 2;
    put_li(m, 6, DATA);
    put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_WID, 0));
    put(m, ventus_isa_csrrs(7, VENTUS_ISA_CSR_WGID, 0));
    put(m, ventus_isa_add(5, 5, 7));
    put(m, ventus_isa_addi(8, 0, 2));
    put(m, ventus_isa_bne(5, 8, 12)); /* only the last warp writes */
    put(m, ventus_isa_sw(8, 6, 0));
    put(m, ventus_isa_jal(0, 12));
    put(m, ventus_isa_lw(9, 6, 0));
    put(m, ventus_isa_beq(9, 0, -4));
    run(m);
    CHECK_EQ(data(m, 0), 2);
    machine_free(m);
}

/* ---- host threads ---- */

enum { GROUPS = 40 };

/* A checksum of memory after work that differs from group to group. */
static uint64_t
checksum(unsigned threads, bool robin, struct ventus_sim_stats *stats)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .host_threads = threads, .round_robin = robin });
    m->launch.grid[0] = GROUPS / 2;
    m->launch.grid[2] = 2;
    m->launch.warps = 3;
    m->launch.stats = stats;
    put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_WGID, 0));
    put(m, ventus_isa_csrrs(6, VENTUS_ISA_CSR_TID, 0));
    put_li(m, 7, DATA);
    put_li(m, 8, DATA + 0x8000);
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vadd_vx(1, 1, 6, 1));
    put(m, ventus_isa_addi(9, 0, 96));
    put(m, ventus_isa_mul(9, 9, 5));
    put(m, ventus_isa_vadd_vx(2, 1, 9, 1));
    put(m, ventus_isa_vsll_vi(3, 2, 2, 1));
    put(m, ventus_isa_vadd_vx(3, 3, 8, 1)); /* its word */
    put(m, ventus_isa_vmv_v_x(4, 7));       /* a counter for all */
    put(m, ventus_isa_addi(10, 5, 50));
    unsigned start = m->n;
    put(m, ventus_isa_vmadd_vv(2, 1, 2, 1));
    put(m, ventus_isa_amoadd_w(5, 2, 4, 0));
    put(m, ventus_isa_vsw12_v(2, 3, 0));
    put(m, ventus_isa_addi(10, 10, -1));
    put(m, ventus_isa_bne(10, 0, 4 * ((int32_t)start - (int32_t)m->n)));
    run(m);
    uint64_t sum = data(m, 0);
    for (uint32_t i = 0; i < GROUPS * 96; i++)
        sum = sum * 31 + data(m, 0x8000 + 4 * i);
    machine_free(m);
    return sum;
}

TEST(any_number_of_host_threads)
{
    uint64_t one = checksum(1, false, NULL);
    CHECK_EQ(checksum(2, false, NULL), one);
    CHECK_EQ(checksum(5, false, NULL), one);
    CHECK_EQ(checksum(1, true, NULL), one);
    struct ventus_sim_stats a = { 0 }, b = { 0 };
    CHECK_EQ(checksum(1, false, &a), one);
    CHECK_EQ(checksum(3, false, &b), one);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

/* Whose slice ends with a lock in hand is not made to wait until all others
 * have tried for a whole slice of theirs. */
TEST(a_lock_that_is_taken_gives_way)
{
    enum { WARPS = 8, ROUNDS = 20000, INSNS = 10 };
    struct ventus_sim_stats s = { 0 };
    struct machine *m =
        machine(&(struct ventus_sim_config){ .host_threads = 1 });
    m->launch.warps = WARPS;
    m->launch.stats = &s;
    put_li(m, 7, DATA);
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(1, 1, 2, 1));
    put(m, ventus_isa_vadd_vx(1, 1, 7, 1)); /* a lock for each lane */
    put(m, ventus_isa_vmv_v_i(2, 1));
    put(m, ventus_isa_vmv_v_i(3, 0));
    put_li(m, 10, ROUNDS);
    unsigned start = m->n;
    put(m, ventus_isa_amoswap_w(4, 2, 1, 0));
    put(m, ventus_isa_vmv_x_s(6, 4));
    put(m, ventus_isa_bne(6, 0, -8));
    put(m, ventus_isa_lw(8, 7, 256));
    put(m, ventus_isa_addi(8, 8, 1));
    put(m, ventus_isa_sw(8, 7, 256));
    put(m, ventus_isa_addi(9, 9, 1));
    put(m, ventus_isa_amoswap_w(4, 3, 1, 0));
    put(m, ventus_isa_addi(10, 10, -1));
    put(m, ventus_isa_bne(10, 0, 4 * ((int32_t)start - (int32_t)m->n)));
    run(m);
    CHECK_EQ(data(m, 256), WARPS * ROUNDS);
    CHECK(s.warp_instructions >= WARPS * ROUNDS * INSNS);
#ifndef VENTUS_TINY /* there a slice is not much longer than a try */
    CHECK(s.warp_instructions < 2 * WARPS * ROUNDS * INSNS);
#endif
    machine_free(m);
}

/* ---- statistics ---- */

TEST(statistics)
{
    struct ventus_sim_stats s = { 0 };
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    m->launch.stats = &s;
    put_li(m, 5, DATA);                     /* 2 scalar */
    put(m, ventus_isa_vid_v(1, 1));         /* 1 vector */
    put(m, ventus_isa_vsll_vi(2, 1, 2, 1)); /* 2 */
    put(m, ventus_isa_vadd_vx(2, 2, 5, 1)); /* 3 */
    put(m, ventus_isa_vlw12_v(40, 2, 0));   /* 4, unit, prefix */
    put(m, ventus_isa_vsll_vi(3, 1, 3, 1)); /* 5 */
    put(m, ventus_isa_vadd_vx(3, 3, 5, 1)); /* 6 */
    put(m, ventus_isa_vlw12_v(4, 3, 0));    /* 7, gather */
    put(m, ventus_isa_vsw12_v(1, 3, 0));    /* 8, scatter */
    put(m, ventus_isa_vmv_v_x(4, 5));       /* 9 */
    put(m, ventus_isa_vlw12_v(6, 4, 0));    /* 10, uniform */
    put(m, ventus_isa_vmv_v_i(8, 3));       /* 11 */
    put(m, ventus_isa_auipc(7, 0));         /* 3 scalar */
    put(m, ventus_isa_setrpc(0, 7, 16));    /* 4 scalar */
    put(m, ventus_isa_vblt(1, 8, 8));       /* 12, divergent */
    put(m, ventus_isa_vadd_vi(9, 9, 1, 1)); /* 13: 5 lanes */
    put(m, ventus_isa_join(0, 0, 0));       /* 14, 15, 16: 3, 5, 8 lanes */
    put(m, ventus_isa_barrier(0, 0, 0));    /* 5 scalar */
    run(m);                                 /* 6 scalar */
    CHECK_EQ(s.warp_instructions, 22);
    CHECK_EQ(s.vector_instructions, 16);
    CHECK_EQ(s.prefixes, 1);
    CHECK_EQ(s.vector_lanes, 12 * 8 + 5 + 3 + 5 + 8);
    CHECK_EQ(s.thread_instructions, 6 + 12 * 8 + 5 + 3 + 5 + 8);
    CHECK_EQ(s.loads_unit, 1);
    CHECK_EQ(s.loads_uniform, 1);
    CHECK_EQ(s.loads_gather, 1);
    CHECK_EQ(s.stores_scatter, 1);
    CHECK_EQ(s.stores_unit, 0);
    CHECK_EQ(s.branches, 1);
    CHECK_EQ(s.branches_divergent, 1);
    CHECK_EQ(s.joins, 2);
    CHECK_EQ(s.max_stack, 2);
    CHECK_EQ(s.barriers, 1);
    CHECK_EQ(s.workgroups, 1);
    CHECK_EQ(s.by_op[VENTUS_ISA_JOIN], 3);
    CHECK_EQ(s.by_unit[VENTUS_ISA_UNIT_LSU], 4);
    machine_free(m);
}

/* ---- steps ---- */

struct seen {
    unsigned n;
    struct ventus_sim_step at[32];
    uint64_t address[32];
    uint32_t x5[32];
};

static void
on_step(void *ctx, const struct ventus_sim_step *step)
{
    struct seen *s = ctx;
    if (s->n == 32)
        return;
    s->at[s->n] = *step;
    s->address[s->n] =
        step->access_B ? step->addresses[!step->scalar_access] : 0;
    s->x5[s->n++] = step->x[5];
}

TEST(steps)
{
    struct seen s = { 0 };
    struct ventus_sim_hooks hooks = { .ctx = &s, .step = on_step };
    struct machine *m = machine(
        &(struct ventus_sim_config){ .num_thread = 8, .round_robin = true });
    m->launch.warps = 2;
    m->launch.hooks = &hooks;
    put(m, ventus_isa_lui(5, DATA >> 12));
    put(m, ventus_isa_sw(5, 5, 8));
    put(m, ventus_isa_vle32_v(33, 5, 1));
    run(m);
    CHECK_EQ(s.n, 8);
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQ(s.at[i].warp, i % 2); /* in turn */
    CHECK_EQ(s.at[0].pc, CODE);
    CHECK_EQ(s.x5[0], DATA);
    CHECK_EQ(s.at[0].access_B, 0);
    CHECK_EQ(s.at[2].access_B, 4);
    CHECK(s.at[2].scalar_access);
    CHECK_EQ(s.address[2], DATA + 8);
    CHECK_EQ(s.at[2].next_pc, CODE + 8);
    CHECK_EQ(s.at[4].pc, CODE + 12); /* behind its regext */
    CHECK_EQ(s.at[4].words[0] & 0x707f, 0x200b);
    CHECK_EQ(s.at[4].exec, 0xff);
    CHECK_EQ(s.address[4], DATA + 4);
    machine_free(m);
}

/* Code that changes between launches is decoded again. */
TEST(new_code)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_addi(5, 0, 1));
    run(m);
    CHECK_EQ(x(m, 5), 1);
    m->n = 0;
    put(m, ventus_isa_addi(5, 0, 2));
    run(m);
    CHECK_EQ(x(m, 5), 2);
    machine_free(m);
}

/* Registers of one workgroup do not show in the next. */
TEST(registers_start_at_zero)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    m->launch.grid[0] = 3;
    put(m, ventus_isa_add(7, 7, 5));
    put(m, ventus_isa_vadd_vv(7, 7, 200, 1));
    put(m, ventus_isa_addi(5, 0, 1));
    put(m, ventus_isa_vmv_v_i(200, 1));
    run(m);
    CHECK_EQ(x(m, 7), 0);
    CHECK_EQ(v(m, 7, 0), 0);
    machine_free(m);
}

/* Registers of an access of four words after the named one start at zero, too; numbers of
 * scalar registers say nothing of vectors. */
TEST(registers_of_wide_accesses_start_at_zero)
{
    struct machine *m =
        machine(&(struct ventus_sim_config){ .isa = VENTUS_ISA_V2 });
    m->launch.grid[0] = 3;
    put_li(m, 5, DATA);
    put_li(m, 6, 99);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_128].match);
    put(m, ventus_isa_vsw12_v(8, 1, 64));
    for (unsigned i = 0; i < 4; i++)
        put(m, ventus_isa_sw(6, 5, 4 * (int32_t)i));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_128].match);
    put(m, ventus_isa_vlw12_v(8, 1, 0));
    run(m);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQ(data(m, 64 + 4 * i), 0);
        CHECK_EQ(v(m, 8 + i, 0), 99);
    }
    machine_free(m);
}

TEST(mapping)
{
    struct ventus_sim *sim =
        ventus_sim_create(&(struct ventus_sim_config){ 0 }, NULL, 0);
    uint32_t word = 7;
    CHECK(ventus_sim_map(sim, 0x1000, 0x1000, VENTUS_SIM_READ));
    CHECK(ventus_sim_map(sim, 0x2000, 0x1000, VENTUS_SIM_READ));
    CHECK(!ventus_sim_map(sim, 0x1000, 0x3000, VENTUS_SIM_READ)); /* overlaps */
    CHECK(!ventus_sim_map(sim, 0x10, 0x1000, VENTUS_SIM_READ)); /* not a page */
    CHECK(!ventus_sim_map(sim, 0x70000000, 0x1000,
                          VENTUS_SIM_READ));        /* local memory */
    CHECK(ventus_sim_write(sim, 0x1ffe, &word, 4)); /* across two banks */
    word = 0;
    CHECK(ventus_sim_read(sim, 0x1ffe, &word, 4));
    CHECK_EQ(word, 7);
    CHECK(!ventus_sim_read(sim, 0x2ffe, &word, 4));
    CHECK(ventus_sim_fill(sim, 0x1000, 0xab, 0x2000));
    uint64_t size = 0;
    uint8_t *at = ventus_sim_pointer(sim, 0x2004, &size);
    CHECK_EQ(at[0], 0xab);
    CHECK_EQ(size, 0xffc);
    CHECK(ventus_sim_unmap(sim, 0x1000));
    CHECK(!ventus_sim_unmap(sim, 0x1000));
    CHECK(!ventus_sim_pointer(sim, 0x1000, NULL));
    ventus_sim_destroy(sim);
}

/* Loads of one bank, an atomic on another, a store behind a false condition; the piece after a
 * written one is marked with it. */
TEST(which_pieces_of_memory_a_launch_wrote)
{
    enum { READ = 0x40000, ADDED = 0x41000, STORED = 0x42000, NEVER = 0x43000 };
    enum { PIECE = VENTUS_SIM_MARK_B };
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    uint64_t marks[4] = { 0 };
    for (unsigned i = 0; i < 4; i++) {
        uint64_t at = READ + 0x1000 * (uint64_t)i;
        CHECK(ventus_sim_map(m->sim, at, 0x1000,
                             VENTUS_SIM_READ | VENTUS_SIM_WRITE));
        CHECK(ventus_sim_mark_writes(m->sim, at, &marks[i]));
        CHECK(ventus_sim_fill(m->sim, at, 1, 0x1000)); /* by the host */
    }
    put_li(m, 5, READ);
    put_li(m, 6, ADDED + 3 * PIECE);
    put_li(m, 7, STORED + 2 * PIECE);
    put_li(m, 8, NEVER);
    put(m, ventus_isa_lw(9, 5, 0));
    put(m, ventus_isa_vmv_v_x(2, 6));
    put(m, ventus_isa_amoadd_w(4, 1, 2, 0));
    put(m, ventus_isa_sw(9, 7, -4)); /* the last word of a piece */
    put(m, ventus_isa_sw(9, 7, 0));  /* and the first of the next one */
    put(m, ventus_isa_sw(9, 7, 5 * PIECE));
    put(m, ventus_isa_beq(0, 0, 8));
    put(m, ventus_isa_sw(9, 8, 0));
    run(m);
    CHECK_EQ(marks[0], 0);
    CHECK_EQ(marks[1], 3 << 3);
    CHECK_EQ(marks[2], 3 << 1 | 3 << 7);
    CHECK_EQ(marks[3], 0);
    marks[1] = 0;
    marks[2] = 1 << 2; /* as a launch before might have left it */
    CHECK(launch(m));  /* and again */
    CHECK_EQ(marks[1], 3 << 3);
    CHECK_EQ(marks[2], 3 << 1 | 3 << 7);
    CHECK(ventus_sim_mark_writes(m->sim, ADDED, NULL));
    marks[1] = 0;
    CHECK(launch(m));
    CHECK_EQ(marks[1], 0);
    CHECK(!ventus_sim_mark_writes(m->sim, ADDED + 4, marks));
    CHECK(!ventus_sim_mark_writes(m->sim, 0xdead0000, marks));
    machine_free(m);
}

/* Words at random places, in both directions and dense in a part: a mark for each piece that
 * has one, and none in a page that has none. */
TEST(scattered_writes_are_marked)
{
    enum { BASE = 0x100000, PAGES = 300, STORES = 1200 };
    enum { PIECE = VENTUS_SIM_MARK_B, PIECES = PAGES * 4096 / PIECE };
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    uint64_t marks[PAGES] = { 0 };
    bool page[PAGES] = { false }, expected[PIECES] = { false };
    CHECK(ventus_sim_map(m->sim, BASE, PAGES * 4096, VENTUS_SIM_WRITE));
    CHECK(ventus_sim_mark_writes(m->sim, BASE, marks));
    srand(3);
    for (unsigned i = 0; i < STORES; i++) {
        unsigned piece = i % 3 == 0   ? (unsigned)rand() % PIECES
                         : i % 3 == 1 ? PIECES / 2 + i / 3
                                      : PIECES / 3 - i / 3;
        expected[piece] = page[piece * PIECE / 4096] = true;
        put_li(m, 5,
               BASE + piece * PIECE + 4 * ((uint32_t)rand() % (PIECE / 4)));
        put(m, ventus_isa_sw(5, 5, 0));
    }
    run(m);
    for (unsigned i = 0; i < PIECES; i++)
        CHECK(marks[i / 64] >> i % 64 & 1 || !expected[i]);
    for (unsigned i = 0; i < PAGES; i++)
        CHECK(page[i] || !marks[i]);
    machine_free(m);
}

/* Rows of all lanes across pieces and pages, as long as the memory is, are marked ahead; the
 * memory around them is not. */
TEST(rows_of_writes_are_marked_ahead_in_their_pages)
{
    enum {
        BASE = 0x100000,
        PAGES = 8,
        FROM = 4096 + 40,
        TO = FROM + 162 * 128
    };
    struct machine *m =
        machine(&(struct ventus_sim_config){ .num_thread = 32 });
    uint64_t marks[PAGES] = { 0 };
    CHECK(ventus_sim_map(m->sim, BASE, PAGES * 4096, VENTUS_SIM_WRITE));
    CHECK(ventus_sim_mark_writes(m->sim, BASE, marks));
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(1, 1, 2, 1));
    put_li(m, 5, BASE + FROM);
    put_li(m, 6, BASE + TO - 128);
    put(m, ventus_isa_vadd_vx(2, 1, 5, 1)); /* the loop */
    put(m, ventus_isa_vsw12_v(2, 2, 0));
    put(m, ventus_isa_addi(5, 5, 128));
    put(m, ventus_isa_bge(6, 5, -12));
    run(m);
    CHECK_EQ(marks[0], 0);
    CHECK_EQ(marks[1], UINT64_MAX);
    CHECK_EQ(marks[5], UINT64_MAX);
    CHECK(marks[6] & 1);
    CHECK_EQ(marks[7], 0);
    const uint32_t *at = ventus_sim_pointer(m->sim, BASE, NULL);
    for (uint32_t i = 0; i < PAGES * 1024; i++)
        CHECK_EQ(at[i], 4 * i >= FROM && 4 * i < TO ? BASE + 4 * i : 0);
    machine_free(m);
}

TEST_MAIN
