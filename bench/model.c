/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warp-instructions that the cycle model runs in a second: two SMs of eight
 * warps of 32 lanes, caches of the newer design's size, statistics on.  The
 * pipeline is the RTL reference's, where an SM issues one instruction every two or three
 * cycles; or that of the newer design, with two ports and a way out of each
 * register bank.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include <ventus/model.h>

#include "program.h"

enum pipeline { PORT, CHISEL };

static struct ventus_model *
make(enum pipeline pipeline, unsigned threads)
{
    struct ventus_sim_config machine = { .num_sm = 2,
                                         .num_warp = 8,
                                         .host_threads = threads };
    struct ventus_model_config c;
    char text[256];
    ventus_model_defaults(&c);
    c.icache = c.dcache = (struct ventus_model_cache){
        256, 2, 128, 4, 2, VENTUS_MODEL_REPLACE_LRU
    };
    c.l2 = (struct ventus_model_cache){ 64, 16, 128,
                                        16, 16, VENTUS_MODEL_REPLACE_LRU };
    c.l2_hits = true;
    c.local_in_cache = c.one_group = false;
    c.memory_requests = 5;
    c.local_banks = 32;
    if (pipeline == CHISEL) { /* configs/chisel.ini */
        c.issue_width = 2;
        c.crossbar = 8;
        c.collect_cycles = 0;
        c.ibuffer_overlaps = c.branch_flows = c.sfu_idle_ones = true;
        c.lsu_table_reads = c.dcache_newest_first = c.fpu_repeats = false;
        c.dcache_request_cycles = c.dcache_queue_room = 0;
        c.dcache_answer_cycles = c.dcache_queue_cycles = 1;
        c.dcache_queue = 8;
        c.dcache.replacement = VENTUS_MODEL_REPLACE_MRU;
        c.dcache_keeps_tags = c.flush_waits = c.fpu_pipes = true;
        c.barrier_waits = false;
        c.branch_queue = c.sfu_normal_cycles = 1;
        c.l2_hit_cycles = 1;
        c.l2_write_cycles = 0;
        c.memory_cycles = 3;
        c.memory_stages = 2;
        c.local_cycles = c.local_answers = 2;
        c.local_store_cycles = 1;
        c.l2.mshrs = 32;
    }
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    if (!m) {
        fprintf(stderr, "%s\n", text);
        exit(1);
    }
    return m;
}

/* M warp-instructions in a second, of the thread's time or the clock's. */
static double
measure(const struct program *p, enum pipeline pipeline, unsigned threads,
        double (*now)(void))
{
    struct ventus_model *m = make(pipeline, threads);
    struct ventus_sim *sim = ventus_model_sim(m);
    if (!ventus_sim_map(sim, CODE, 1 << 16,
                        VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC) ||
        !ventus_sim_map(sim, DATA, DATA_SIZE,
                        VENTUS_SIM_READ | VENTUS_SIM_WRITE))
        exit(1);
    ventus_sim_write(sim, CODE, p->word, sizeof p->word);
    struct ventus_sim_launch l = { .pc = CODE,
                                   .grid = { 2, 1, 1 },
                                   .warps = 8 };
    struct ventus_model_stats stats = { 0 };
    struct ventus_sim_fault fault;
    double start = now();
    if (!ventus_model_launch(m, &l, NULL, &stats, &fault)) {
        fprintf(stderr, "%s\n", fault.text);
        exit(1);
    }
    double seconds = now() - start;
    ventus_model_destroy(m);
    return 1e-6 * (double)stats.issued / seconds;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * How much faster two threads are: the median of pairs of runs, one behind the
 * other.  A host that others use as well is seldom twice as fast as usual on
 * both of its processors at once, so the best of each would compare one with two.
 */
static double
two_threads(const struct program *p)
{
    enum { PAIRS = 7 };
    double times[PAIRS];
    for (unsigned i = 0; i < PAIRS; i++) {
        double one = measure(p, PORT, 1, bench_clock);
        times[i] = measure(p, PORT, 2, bench_clock) / one;
    }
    qsort(times, PAIRS, sizeof *times, compare);
    return times[PAIRS / 2];
}

/* One figure, alu, chisel or mem, of loops with so many rounds, a multiple of 4096. */
static void
report_one(const char *name, uint32_t rounds)
{
    struct program p;
    char figure[32];
    if (!strcmp(name, "mem"))
        load_loop(&p, rounds, 2);
    else
        alu_loop(&p, rounds);
    snprintf(figure, sizeof figure, "model.%s", name);
    enum pipeline pipeline = strcmp(name, "chisel") ? PORT : CHISEL;
    bench_report(figure, measure(&p, pipeline, 1, bench_now), "M/s");
}

/* bench_model [alu | chisel | mem [ROUNDS]]: all figures, or one. */
int
main(int argc, char **argv)
{
    enum { ROUNDS = 1 << 13 };
    struct program p;
    if (argc > 1) {
        report_one(argv[1],
                   argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : ROUNDS);
        return 0;
    }
    report_one("alu", ROUNDS);
    report_one("chisel", ROUNDS);
    report_one("mem", ROUNDS);
    load_loop(&p, ROUNDS, 2);
    bench_report("model.two_threads", two_threads(&p), "times");
    stream_loop(&p, ROUNDS / 2);
    bench_report("model.two_stream", two_threads(&p), "times");
    race_loop(&p, ROUNDS / 2);
    bench_report("model.two_race", two_threads(&p), "times");
    return 0;
}
