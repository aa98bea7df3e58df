/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction on the functional machine, again and again: a kernel that
 * loads its operands, clears fflags, does it and stores the result and fflags.
 *
 *     struct bench *b = bench_open(&shape);
 *     bench_load(b, &insn, 32, FP_RUP);
 *     bench_set(b, turn, lane, SLOT_2, bits);      for each turn and lane
 *     bench_run(b, turns);
 *     bench_result(b, turn, lane), bench_flags(b, turn)
 *
 * Registers are those of enum bench_register; `insn` names them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <ventus/sim.h>

#include "oracle.h"

enum { TURNS = 256 };

/* Vectors: pairs with V_, scalars with X_. */
enum bench_register {
    V_1 = 4,
    V_2 = 8,
    V_D = 12,
    X_1 = 12,
    X_2 = 14,
    X_3 = 16,
    X_D = 18
};

struct shape {
    const char *name;
    unsigned lanes, threads; /* threads: work-items of the only warp */
    bool masked, portable;
    enum ventus_isa_version version;
};

struct bench;

/* NULL, and a message: it cannot be. */
struct bench *
bench_open(const struct shape *shape);

void
bench_close(struct bench *b);

/* The kernel for an instruction, with elements of `sew` bits. */
bool
bench_load(struct bench *b, const struct ventus_isa_insn *in, unsigned sew,
           unsigned frm);

/* An operand of a vector instruction's lane; of a scalar register: lane 0. */
void
bench_set(struct bench *b, unsigned turn, unsigned lane, enum oracle_slot slot,
          uint64_t bits);

/* Whether the lane takes part, where the shape is masked. */
void
bench_set_mask(struct bench *b, unsigned turn, unsigned lane, uint32_t word);

/* False, and a message: the launch did not end as it should. */
bool
bench_run(struct bench *b, unsigned turns);

/* Both registers of a pair. */
uint64_t
bench_result(const struct bench *b, unsigned turn, unsigned lane);

unsigned
bench_flags(const struct bench *b, unsigned turn);
