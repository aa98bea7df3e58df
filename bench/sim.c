/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warp-instructions in a second, one host thread, 32 lanes: an ALU loop,
 * unit-stride loads, gathers, diverging branches; and two threads against one.
 */
#include "bench.h"

#include <stdlib.h>

#include <ventus/isa_build.h>
#include <ventus/sim.h>

enum { CODE = 0x80000000, DATA = 0x90000000, DATA_SIZE = 1 << 20 };

struct program {
    uint32_t word[256];
    unsigned n;
};

static void
emit(struct program *p, struct isa_insn in)
{
    isa_add_prefix(ISA_V1, &in);
    p->n += isa_encode(&in, p->word + p->n);
}

/* x5 = how often the loop runs, x6 = 0x90000000, v1 = lane */
static void
begin(struct program *p, uint32_t rounds)
{
    p->n = 0;
    emit(p, isa_lui(5, (int32_t)(rounds >> 12)));
    emit(p, isa_lui(6, DATA >> 12));
    emit(p, isa_vid_v(1, 1));
}

static void
end_loop(struct program *p, unsigned start)
{
    emit(p, isa_addi(5, 5, -1));
    emit(p, isa_bne(5, 0, 4 * ((int32_t)start - (int32_t)p->n)));
    emit(p, isa_endprg(0, 0, 0));
}

/* Six vector and four scalar instructions. */
static void
alu_loop(struct program *p, uint32_t rounds)
{
    begin(p, rounds);
    unsigned start = p->n;
    emit(p, isa_vadd_vv(2, 1, 3, 1));
    emit(p, isa_vxor_vv(3, 2, 1, 1));
    emit(p, isa_addi(7, 7, 3));
    emit(p, isa_vsll_vi(4, 3, 5, 1));
    emit(p, isa_vadd_vx(5, 4, 7, 1));
    emit(p, isa_xor(8, 8, 7));
    emit(p, isa_vmul_vv(6, 5, 2, 1));
    emit(p, isa_vsub_vv(3, 6, 4, 1));
    end_loop(p, start);
}

/* Addresses in v2 (x6 + lane * stride), eight loads a round. */
static void
load_loop(struct program *p, uint32_t rounds, unsigned shift)
{
    begin(p, rounds);
    emit(p, isa_vsll_vi(2, 1, (int32_t)shift, 1));
    if (shift > 2)
        emit(p, isa_vxor_vi(2, 2, 4, 1));
    emit(p, isa_vadd_vx(2, 2, 6, 1));
    unsigned start = p->n;
    for (unsigned i = 0; i < 8; i++)
        emit(p, isa_vlw12_v(8 + i, 2, 128 * (int32_t)i));
    end_loop(p, start);
}

/* Every round the warp splits in two and joins again. */
static void
split_loop(struct program *p, uint32_t rounds)
{
    begin(p, rounds);
    emit(p, isa_vmv_v_i(2, 7));
    unsigned start = p->n;
    emit(p, isa_auipc(7, 0));
    emit(p, isa_setrpc(0, 7, 24));
    emit(p, isa_vblt(1, 2, 12));
    emit(p, isa_vadd_vi(3, 3, 1, 1));
    emit(p, isa_jal(0, 8));
    emit(p, isa_vadd_vi(3, 3, 2, 1));
    emit(p, isa_join(0, 0, 0));
    end_loop(p, start);
}

/* M warp-instructions in a second. */
static double
measure(const struct program *p, unsigned threads, unsigned groups, bool wall)
{
    struct sim *sim =
        sim_create(&(struct sim_config){ .host_threads = threads }, NULL, 0);
    if (!sim || !sim_map(sim, CODE, 1 << 16, SIM_READ | SIM_WRITE | SIM_EXEC) ||
        !sim_map(sim, DATA, DATA_SIZE, SIM_READ | SIM_WRITE))
        exit(1);
    sim_write(sim, CODE, p->word, sizeof p->word);
    struct sim_launch l = { .pc = CODE, .grid = { groups, 1, 1 }, .warps = 1 };
    struct sim_stats stats = { 0 };
    struct sim_fault fault;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    double start = bench_now();
    if (!sim_launch(sim, &l, &fault)) {
        fprintf(stderr, "%s\n", fault.text);
        exit(1);
    }
    double seconds = bench_now() - start;
    clock_gettime(CLOCK_MONOTONIC, &b);
    if (wall)
        seconds = (double)(b.tv_sec - a.tv_sec) +
                  1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    (void)stats;
    sim_destroy(sim);
    return 1e-6 * groups / seconds;
}

static double
best(const struct program *p, double instructions)
{
    double most = 0;
    for (unsigned i = 0; i < 3; i++) {
        double rate = instructions * measure(p, 1, 1, false);
        most = rate > most ? rate : most;
    }
    return most;
}

int
main(void)
{
    enum { ROUNDS = 1 << 22, LOAD_ROUNDS = 1 << 21 };
    struct program p = { .n = 0 };
    alu_loop(&p, ROUNDS);
    bench_report("sim.alu", best(&p, 10.0 * ROUNDS), "M/s");
    load_loop(&p, LOAD_ROUNDS, 2);
    bench_report("sim.unit", best(&p, 10.0 * LOAD_ROUNDS), "M/s");
    load_loop(&p, LOAD_ROUNDS, 5);
    bench_report("sim.gather", best(&p, 10.0 * LOAD_ROUNDS), "M/s");
    split_loop(&p, LOAD_ROUNDS);
    bench_report("sim.split", best(&p, 11.0 * LOAD_ROUNDS), "M/s");
    alu_loop(&p, ROUNDS / 8);
    double one = measure(&p, 1, 32, true), two = measure(&p, 2, 32, true);
    bench_report("sim.two_threads", two / one, "times");
    return 0;
}
