/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warp-instructions in a second, one host thread, 32 lanes: an ALU loop,
 * unit-stride loads, gathers, diverging branches; and two threads against one.
 * With the interpreter, and as code of the host if this one has a translator.
 */
#include "bench.h"

#include <stdlib.h>

#include <ventus/sim.h>

#include "native/client.h"
#include "program.h"

/* The translator of all machines; NULL: they interpret. */
static const struct sim_translator *translator;

/* Every round the warp splits in two and joins again. */
static void
split_loop(struct program *p, uint32_t rounds)
{
    begin(p, rounds);
    emit(p, ventus_isa_vmv_v_i(2, 7));
    unsigned start = p->n;
    emit(p, ventus_isa_auipc(7, 0));
    emit(p, ventus_isa_setrpc(0, 7, 24));
    emit(p, ventus_isa_vblt(1, 2, 12));
    emit(p, ventus_isa_vadd_vi(3, 3, 1, 1));
    emit(p, ventus_isa_jal(0, 8));
    emit(p, ventus_isa_vadd_vi(3, 3, 2, 1));
    emit(p, ventus_isa_join(0, 0, 0));
    end_loop(p, start);
}

/* M warp-instructions in a second. */
static double
measure(const struct program *p, unsigned threads, unsigned groups, bool wall)
{
    struct ventus_sim *sim = ventus_sim_create(
        &(struct ventus_sim_config){ .host_threads = threads }, NULL, 0);
    if (!sim ||
        !ventus_sim_map(sim, CODE, 1 << 16,
                        VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC) ||
        !ventus_sim_map(sim, DATA, DATA_SIZE,
                        VENTUS_SIM_READ | VENTUS_SIM_WRITE))
        exit(1);
    if (translator)
        native_attach(sim, translator);
    ventus_sim_write(sim, CODE, p->word, sizeof p->word);
    struct ventus_sim_launch l = { .pc = CODE,
                                   .grid = { groups, 1, 1 },
                                   .warps = 1 };
    struct ventus_sim_fault fault;
    double seconds = 0;
    for (int i = translator ? 0 : 1; i < 2; i++) { /* the first translates */
        double start = wall ? bench_clock() : bench_now();
        if (!ventus_sim_launch(sim, &l, &fault)) {
            fprintf(stderr, "%s\n", fault.text);
            exit(1);
        }
        seconds = (wall ? bench_clock() : bench_now()) - start;
    }
    ventus_sim_destroy(sim);
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

static void
report(const char *loop, double value, const char *unit)
{
    char name[64];
    snprintf(name, sizeof name, "sim.%s%s", loop, translator ? "_native" : "");
    bench_report(name, value, unit);
}

static void
measure_all(void)
{
    enum { ROUNDS = 1 << 22, LOAD_ROUNDS = 1 << 21 };
    struct program p = { .n = 0 };
    alu_loop(&p, ROUNDS);
    report("alu", best(&p, 10.0 * ROUNDS), "M/s");
    load_loop(&p, LOAD_ROUNDS, 2);
    report("unit", best(&p, 10.0 * LOAD_ROUNDS), "M/s");
    load_loop(&p, LOAD_ROUNDS, 5);
    report("gather", best(&p, 10.0 * LOAD_ROUNDS), "M/s");
    split_loop(&p, LOAD_ROUNDS);
    report("split", best(&p, 11.0 * LOAD_ROUNDS), "M/s");
    alu_loop(&p, ROUNDS / 8);
    double one = measure(&p, 1, 32, true), two = measure(&p, 2, 32, true);
    report("two_threads", two / one, "times");
}

int
main(void)
{
    const char *why;
    measure_all();
    struct native_client *c = native_client_open(0, &why);
    if (c) {
        translator = native_client_translator(c);
        measure_all();
    }
    native_client_close(c);
    return 0;
}
