/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch begins as on a new machine, whatever the one before it left when it
 * failed; nothing but caches and turns persist, which the first cycles do not see.
 */
#include "heap.h"
#include "program.h"

enum { BAD = 0x10000000, PAGE_B = 4096, GLOBAL_SCOPE = 2 };

static void
put_code(struct ventus_model *m, uint32_t at, const struct ventus_isa_insn *in)
{
    uint32_t words[64];
    unsigned used = 0;
    for (; in->op != VENTUS_ISA_NONE; in++)
        used += ventus_isa_encode(in, &words[used]);
    CHECK(ventus_sim_write(ventus_model_sim(m), at, words, 4 * used));
}

static struct ventus_model *
open_model(unsigned threads, bool rcc)
{
    const struct ventus_sim_config machine = {
        .num_thread = 8, .num_warp = 8, .num_sm = 2, .host_threads = threads
    };
    struct ventus_model_config c;
    char text[512] = "";
    program_config(&c);
    c.barrier_waits = true;
    c.icache_emptied = true; /* nothing of it persists */
    c.rcc = rcc;
    c.tlb_entries = c.fetch_tlb_entries = c.l2_tlb_entries = 16;
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    CHECK(m);
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, 2 * PAGE_B,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_map(ventus_model_sim(m), DATA, DATA_B,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    return m;
}

/* The cycles of a launch; 0: it failed. */
static uint64_t
launch(struct ventus_model *m, uint32_t pc, unsigned warps)
{
    const struct ventus_sim_launch l = { .pc = pc,
                                         .grid = { 2, 1, 1 },
                                         .warps = warps };
    struct ventus_sim_fault fault;
    struct ventus_model_stats stats = { 0 };
    bool ok = ventus_model_launch(m, &l, NULL, &stats, &fault);
    return ok ? stats.cycles : 0;
}

/* Warps but 0 load and come to a barrier that waits for the load; warp 0 faults
 * after a delay. */
static void
put_failing(struct ventus_model *m, unsigned delay)
{
    struct ventus_isa_insn in[64] = {
        program_lui(6, DATA),      ventus_isa_csrrs(5, VENTUS_ISA_CSR_WID, 0),
        program_lui(8, BAD),       ventus_isa_beq(5, 0, 16),
        ventus_isa_lw(7, 6, 0),    ventus_isa_barrier(0, 0, GLOBAL_SCOPE),
        ventus_isa_endprg(0, 0, 0)
    };
    unsigned n = 7;
    while (delay--)
        in[n++] = ventus_isa_addi(9, 9, 1);
    in[n++] = ventus_isa_lw(7, 8, 0);
    in[n++] = ventus_isa_endprg(0, 0, 0);
    in[n].op = VENTUS_ISA_NONE;
    put_code(m, CODE, in);
}

static void
put_plain(struct ventus_model *m)
{
    const struct ventus_isa_insn in[] = {
        program_lui(6, DATA),       ventus_isa_lw(7, 6, 0),
        ventus_isa_add(7, 7, 7),    ventus_isa_barrier(0, 0, GLOBAL_SCOPE),
        ventus_isa_endprg(0, 0, 0), { .op = VENTUS_ISA_NONE },
    };
    put_code(m, CODE + PAGE_B, in);
}

static uint64_t
launch_alone(unsigned warps)
{
    struct ventus_model *m = open_model(1, false);
    put_plain(m);
    uint64_t cycles = launch(m, CODE + PAGE_B, warps);
    ventus_model_destroy(m);
    return cycles;
}

/*
 * A warp that waited at a barrier for its load when the launch failed was waited for
 * in the next launch, which had no such warp: it ended the process.
 */
TEST(a_failed_launch_leaves_no_warp_at_a_barrier)
{
    const uint64_t cycles = launch_alone(1);
    CHECK(cycles);
    for (unsigned threads = 1; threads < 3; threads++)
        for (unsigned delay = 0; delay < 40; delay++) {
            struct ventus_model *m = open_model(threads, false);
            put_plain(m);
            put_failing(m, delay);
            CHECK_EQ(launch(m, CODE, 4), 0u);
            CHECK_EQ(launch(m, CODE + PAGE_B, 1), cycles);
            ventus_model_destroy(m);
        }
}

/* With everything that is created if the configuration asks for it. */
TEST(a_model_gives_all_its_memory_back)
{
    enum { MANY = 50 };
    size_t before = 0;
    for (unsigned i = 0; i < 2 * MANY; i++) {
        struct ventus_model *m = open_model(1 + i % 2, i & 2);
        put_plain(m);
        CHECK(launch(m, CODE + PAGE_B, 1));
        ventus_model_destroy(m);
        if (i == MANY)
            before = heap_B();
    }
    CHECK(heap_B() < before + MANY * sizeof(void *));
}

TEST_MAIN
