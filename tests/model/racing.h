/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Programs that race, on one thread of the host and on several. */
#include "program.h"

enum { VM = 1, MOST = 128 };
enum { BASE = 6, GROUP = 7, COUNT = 8, SUM = 9, AT = 10, STEP = 11 };

/* From CODE on, and from the page behind. */
struct racing {
    struct ventus_isa_insn insn[MOST], far[4];
    unsigned n, fars;
};

/* Without coherence = rcc; with it, and a flush at the end of each SM's last
 * workgroup; with it, as the Chisel design has it. */
enum machine { MACHINE_PLAIN, MACHINE_RCC, MACHINE_CHISEL, MACHINES };

struct setting {
    unsigned sms, launches, groups;
    bool virtual, prints, fails;
    enum machine machine;
};

static inline void
put(struct racing *r, struct ventus_isa_insn in)
{
    r->insn[r->n++] = in;
}

static inline void
begin(struct racing *r, unsigned rounds)
{
    r->n = r->fars = 0;
    put(r, program_lui(BASE, DATA));
    put(r, ventus_isa_csrrs(GROUP, VENTUS_ISA_CSR_GIDX, 0));
    put(r, program_lui(COUNT, rounds << 12));
    put(r, ventus_isa_srli(COUNT, COUNT, 12));
    put(r, ventus_isa_lw(SUM, BASE, 0));
}

/* back to the instruction with number `to` while COUNT counts down */
static inline void
again(struct racing *r, unsigned to)
{
    put(r, ventus_isa_addi(COUNT, COUNT, -1));
    put(r, ventus_isa_bne(COUNT, 0, 4 * ((int32_t)to - (int32_t)r->n)));
}

static inline void
put_delay(struct racing *r, unsigned rounds)
{
    put(r, ventus_isa_addi(STEP, 0, (int32_t)rounds));
    put(r, ventus_isa_addi(STEP, STEP, -1));
    put(r, ventus_isa_bne(STEP, 0, -4));
}

/* ---- one model, and the same on several threads ---- */

static unsigned printed[2];

static inline void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    unsigned *sum = ctx;
    *sum = 31 * *sum + value + (unsigned)group + warp;
}

/* Code and data where they are; page 8 of the data is page 0 once more, and 9
 * is the table itself. */
static inline void
build_tables(struct ventus_model *m)
{
    program_tables(m);
    put_entry(m, 2, 0, CODE, LEAF);
    put_entry(m, 2, 1, CODE + PAGE, LEAF);
    for (unsigned i = 0; i < 64; i++)
        put_entry(m, 3, i, (uint64_t)DATA + i * PAGE, LEAF);
    put_entry(m, 3, 8, DATA, LEAF);
    put_entry(m, 3, 9, tables + 3 * PAGE, LEAF);
}

static inline void
racing_config(struct ventus_model_config *c, enum machine machine)
{
    program_config(c);
    if (machine == MACHINE_PLAIN)
        return;
    c->rcc = c->barrier_waits = true;
    c->dcache.sets = 4;
    if (machine == MACHINE_RCC)
        return;
    c->issue_width = 2;
    c->l2.sets = 8;
    c->l2_hits = c->flush_behind = c->flush_waits = true;
    c->wg_buffer = 8;
    c->memory_cycles = 3;
}

static inline struct ventus_model *
make(const struct racing *r, const struct setting *s, unsigned threads)
{
    struct ventus_sim_config machine = { .num_thread = 8,
                                         .num_warp = 8,
                                         .num_sm = s->sms,
                                         .host_threads = threads };
    struct ventus_model_config c;
    char text[256] = "";
    uint32_t words[2 * MOST], far[8];
    unsigned used = 0, fars = 0;
    racing_config(&c, s->machine);
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    if (!CHECK(m))
        exit(1);
    for (unsigned i = 0; i < r->n; i++)
        used += ventus_isa_encode(&r->insn[i], &words[used]);
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, 2 * PAGE,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_map(ventus_model_sim(m), DATA, DATA_B,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    for (unsigned i = 0; i < r->fars; i++)
        fars += ventus_isa_encode(&r->far[i], &far[fars]);
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE, words, 4 * used));
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE + PAGE, far, 4 * fars));
    if (s->virtual)
        build_tables(m);
    return m;
}

static inline void
compare_memory(struct ventus_model *a, struct ventus_model *b, uint64_t at,
               uint64_t size)
{
    CHECK(memcmp(ventus_sim_pointer(ventus_model_sim(a), at, NULL),
                 ventus_sim_pointer(ventus_model_sim(b), at, NULL), size) == 0);
}

/* Of the last launch: each is told once, also if the launch is done again. */
static _Atomic unsigned ended;

static inline void
on_ended(void *ctx, uint64_t group)
{
    (void)ctx;
    (void)group;
    ended++;
}

static inline bool
launch(struct ventus_model *m, const struct setting *s, unsigned *print,
       struct ventus_model_stats *stats, struct ventus_sim_fault *fault)
{
    struct ventus_sim_hooks hooks = { .ctx = print,
                                      .print = s->prints ? on_print : NULL,
                                      .ended = on_ended };
    struct ventus_sim_launch l = { .pc = CODE,
                                   .grid = { s->groups, 1, 1 },
                                   .warps = 2,
                                   .pds_base = DATA + 32 * PAGE,
                                   .pds_size_B = 64,
                                   .pds_zeroed = true,
                                   .ptbr = s->virtual ? tables : 0,
                                   .hooks = &hooks };
    ended = 0;
    bool ok = ventus_model_launch(m, &l, NULL, stats, fault);
    CHECK(!ok || ended == s->groups);
    return ok;
}

static inline void
compare(const struct racing *r, struct setting s, unsigned threads)
{
    struct ventus_model *one = make(r, &s, 1), *many = make(r, &s, threads);
    struct ventus_model_stats a = { 0 }, b = { 0 };
    struct ventus_sim_fault fault[2];
    printed[0] = printed[1] = 0;
    for (unsigned i = 0; i < s.launches; i++) {
        bool ok = launch(one, &s, &printed[0], &a, &fault[0]);
        CHECK_EQ(launch(many, &s, &printed[1], &b, &fault[1]), ok);
        CHECK_EQ(ok, !s.fails);
        CHECK_STR(fault[0].text, fault[1].text);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
        for (unsigned k = 0; k < s.sms; k++)
            CHECK(memcmp(ventus_model_sm_stats(one, k),
                         ventus_model_sm_stats(many, k), sizeof a) == 0);
        compare_memory(one, many, DATA, DATA_B);
        compare_memory(one, many, CODE, 2 * PAGE);
        CHECK_EQ(printed[0], printed[1]);
    }
    CHECK(!s.prints || printed[0]);
    ventus_model_destroy(one);
    ventus_model_destroy(many);
}
