/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/isa_build.h>
#include <ventus/model.h>

#include <stdlib.h>

#include "test.h"

/*
 * A program of a few instructions on a model of its own, with DATA_B bytes of
 * zeroed memory at DATA.  Every field that is not set has a default.
 */
enum { CODE = 0x80000000, DATA = 0x90000000, DATA_B = 1 << 20 };

struct program {
    struct ventus_isa_insn insn[64]; /* up to the first without operation */
    unsigned warps, groups, sms;
    struct ventus_sim_launch launch; /* the rest of it, and the grid */
    void (*change)(struct ventus_model_config *);
    void (*event)(void *ctx, const struct ventus_model_event *e);
    void *ctx;
    struct ventus_sim_fault
        *fault; /* that the launch ends with; NULL: none does */
};

/* The upper 20 bits of an address. */
static inline struct ventus_isa_insn
program_lui(unsigned rd, uint32_t address)
{
    return ventus_isa_lui(rd, (int32_t)(address >> 12));
}

/* Large caches and a fast start, so that one mechanism is what is seen. */
static inline void
program_config(struct ventus_model_config *c)
{
    ventus_model_defaults(c);
    c->icache.line_B = c->dcache.line_B = c->l2.line_B = 128;
    c->icache.sets = c->dcache.sets = c->l2.sets = 64;
    c->local_in_cache = false;
    c->one_group = false;
}

/* ---- Sv39 ---- */

enum {
    PAGE = 4096,
    LEAF = 0xdf, /* valid, all permissions, user, accessed, dirty */
    TABLE = 1
};
static const uint64_t tables = UINT64_C(0x100000000);

static inline void
put_entry(struct ventus_model *m, unsigned table, unsigned index, uint64_t to,
          unsigned flags)
{
    uint64_t pte = to >> 12 << 10 | flags;
    CHECK(ventus_sim_write(ventus_model_sim(m),
                           tables + table * PAGE + 8 * index, &pte, 8));
}

/* Root, second level, and a last level each for code (2) and data (3). */
static inline void
program_tables(struct ventus_model *m)
{
    CHECK(ventus_sim_map(ventus_model_sim(m), tables, 4 * PAGE,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    put_entry(m, 0, 2, tables + PAGE, TABLE);
    put_entry(m, 1, 0, tables + 2 * PAGE, TABLE);
    put_entry(m, 1, 128, tables + 3 * PAGE, TABLE);
}

/* ---- run ---- */

static inline struct ventus_model_stats
program_run(const struct program *p)
{
    char text[512] = "";
    uint32_t words[128];
    unsigned used = 0;
    struct ventus_sim_config machine = { .num_thread = 8,
                                         .num_warp = 8,
                                         .num_sm = p->sms ? p->sms : 1 };
    struct ventus_model_config c;
    struct ventus_sim_fault fault;
    struct ventus_model_stats stats = { 0 };
    struct ventus_model_hooks hooks = { .ctx = p->ctx, .event = p->event };
    program_config(&c);
    if (p->change)
        p->change(&c);
    for (unsigned i = 0; i < 64 && p->insn[i].op != VENTUS_ISA_NONE; i++) {
        unsigned n = ventus_isa_encode(&p->insn[i], &words[used]);
        CHECK(n);
        used += n;
    }
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    if (!CHECK(m)) {
        puts(text);
        exit(1);
    }
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, 4096,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_map(ventus_model_sim(m), DATA, DATA_B,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE, words, 4 * used));
    struct ventus_sim_launch launch = p->launch;
    launch.pc = CODE;
    launch.warps = p->warps ? p->warps : 1;
    if (p->groups)
        launch.grid[0] = p->groups;
    for (unsigned i = 0; i < 3; i++)
        launch.grid[i] += launch.grid[i] == 0;
    bool ended = ventus_model_launch(m, &launch, &hooks, &stats, &fault);
    if (p->fault)
        *p->fault = fault;
    if (!CHECK_EQ(ended, !p->fault))
        puts(fault.text);
    ventus_model_destroy(m);
    return stats;
}
