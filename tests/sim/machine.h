/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine for tests: programs are written with the builders of isa_build.h,
 * run, and then registers are looked at where the machine left them.
 *
 *     struct machine *m = machine(&(struct ventus_sim_config){ 0 });
 *     put(m, ventus_isa_addi(5, 0, 7));
 *     run(m);                           adds endprg, launches, checks no fault
 *     CHECK_EQ(x(m, 5), 7);
 *     machine_free(m);
 */
#pragma once

#include <stdlib.h>

#include <ventus/isa_build.h>
#include <ventus/sim.h>

#include "sim/bind.h"
#include "sim/state.h"
#include "test.h"

enum { CODE = 0x80000000, DATA = 0x90000000, DATA_SIZE = 1 << 20 };
enum { CODE_SIZE = 1 << 16 };

struct machine {
    struct ventus_sim *sim;
    struct ventus_sim_launch launch;
    struct ventus_sim_fault fault;
    uint32_t word[CODE_SIZE / 4];
    unsigned n;
};

static inline struct machine *
machine(const struct ventus_sim_config *config)
{
    struct ventus_sim_config c = *config;
    if (!c.host_threads)
        c.host_threads = 1;
    struct machine *m = calloc(1, sizeof *m);
    m->sim = ventus_sim_create(&c, NULL, 0);
    CHECK(m->sim != NULL);
    CHECK(ventus_sim_map(m->sim, CODE, CODE_SIZE,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_map(m->sim, DATA, DATA_SIZE,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    m->launch = (struct ventus_sim_launch){ .pc = CODE, .warps = 1 };
    return m;
}

static inline void
machine_free(struct machine *m)
{
    ventus_sim_destroy(m->sim);
    free(m);
}

static inline void
put_word(struct machine *m, uint32_t word)
{
    m->word[m->n++] = word;
}

/* Adds the prefix it needs, if any. */
static inline void
put(struct machine *m, struct ventus_isa_insn in)
{
    char text[128];
    enum ventus_isa_version version = ventus_sim_configuration(m->sim)->isa;
    ventus_isa_add_prefix(version, &in);
    const char *wrong = ventus_isa_check(version, &in, text, sizeof text);
    if (wrong)
        printf("%s: %s\n", ventus_isa_info[in.op].name, wrong);
    CHECK(!wrong);
    m->n += ventus_isa_encode(&in, m->word + m->n);
}

/* lui and addi: any 32-bit number. */
static inline void
put_li(struct machine *m, unsigned rd, uint32_t value)
{
    uint32_t upper = (value + 0x800) >> 12 & 0xfffff;
    put(m, ventus_isa_lui(rd, (int32_t)upper));
    put(m, ventus_isa_addi(rd, rd, (int32_t)(value << 20) >> 20));
}

/* The pc of what is put next. */
static inline uint32_t
here(const struct machine *m)
{
    return CODE + 4 * m->n;
}

static inline bool
launch(struct machine *m)
{
    CHECK(ventus_sim_write(m->sim, CODE, m->word, 4 * m->n));
    return ventus_sim_launch(m->sim, &m->launch, &m->fault);
}

/* Ends the program, runs it, and it must not fault. */
static inline void
run(struct machine *m)
{
    put(m, ventus_isa_endprg(0, 0, 0));
    if (!CHECK(launch(m)))
        printf("  %s\n", m->fault.text);
}

static inline const struct sim_warp *
warp(const struct machine *m, unsigned id)
{
    return &m->sim->worker[0].group[0].warp[id];
}

/* Registers of warp 0. */
static inline uint32_t
x(const struct machine *m, unsigned r)
{
    return warp(m, 0)->x[r];
}

static inline uint32_t
v(const struct machine *m, unsigned r, unsigned lane)
{
    return warp(m, 0)->v[r * warp(m, 0)->lanes + lane];
}

static inline uint64_t
v64(const struct machine *m, unsigned r, unsigned lane)
{
    return v(m, r, lane) | (uint64_t)v(m, r + 1, lane) << 32;
}

static inline uint32_t
data(const struct machine *m, uint32_t offset)
{
    uint32_t word = 0xdeadbeef;
    CHECK(ventus_sim_read(m->sim, DATA + offset, &word, 4));
    return word;
}

static inline void
set_data(struct machine *m, uint32_t offset, uint32_t word)
{
    CHECK(ventus_sim_write(m->sim, DATA + offset, &word, 4));
}

/* v[r] = values[lane]: through memory at `offset` of DATA; uses x31. */
static inline void
put_vector(struct machine *m, unsigned r, const uint32_t *values,
           uint32_t offset)
{
    unsigned n = ventus_sim_configuration(m->sim)->num_thread;
    CHECK(ventus_sim_write(m->sim, DATA + offset, values, 4 * n));
    put_li(m, 31, DATA + offset);
    put(m, ventus_isa_vle32_v(r, 31, 1));
}
