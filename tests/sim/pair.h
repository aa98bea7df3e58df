/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What the tests of prefixes share: pairs of registers, and memory above 4 GiB. */
#include "machine.h"

static const struct ventus_sim_config v1 = { 0 };
static const struct ventus_sim_config v2 = { .isa = VENTUS_ISA_V2 };

static inline struct ventus_isa_insn
with_pair(struct ventus_isa_insn in)
{
    in.pair = 1;
    return in;
}

/* x8:x9 = a, x10:x11 = b */
static inline struct machine *
two_pairs(const struct ventus_sim_config *config, uint64_t a, uint64_t b)
{
    struct machine *m = machine(config);
    put_li(m, 8, (uint32_t)a);
    put_li(m, 9, (uint32_t)(a >> 32));
    put_li(m, 10, (uint32_t)b);
    put_li(m, 11, (uint32_t)(b >> 32));
    return m;
}

static inline uint64_t
x64(const struct machine *m, unsigned r)
{
    return x(m, r) | (uint64_t)x(m, r + 1) << 32;
}

enum { HIGH_SIZE = 0x10000 };
static const uint64_t high = UINT64_C(0x1234fffff000);

/* Its address in x8:x9; in v4:v5, 256 bytes apart, so that the low halves of
 * lanes 16 and up have carried into the high ones. */
static inline struct machine *
high_memory(const struct ventus_sim_config *config)
{
    struct machine *m = two_pairs(config, high, 3);
    CHECK(ventus_sim_map(m->sim, high, HIGH_SIZE,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(2, 1, 8, 1));
    put(m, ventus_isa_vmv_v_i(3, 0));
    put(m, ventus_isa_vmv_v_x(4, 8));
    put(m, ventus_isa_vmv_v_x(5, 9));
    put(m, with_pair(ventus_isa_vadd_vv(4, 4, 2, 1)));
    return m;
}

static inline uint32_t
high_word(const struct machine *m, uint32_t offset)
{
    uint32_t word = 0xdeadbeef;
    CHECK(ventus_sim_read(m->sim, high + offset, &word, 4));
    return word;
}

static inline void
set_high(struct machine *m, uint32_t offset, uint32_t word)
{
    CHECK(ventus_sim_write(m->sim, high + offset, &word, 4));
}
