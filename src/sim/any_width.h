/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/warp.h"

/*
 * Operands of any width, for what the fast lane loops do not do: elements of
 * 8, 16 or 64 bits, ABS and NEG.  Values travel as 64-bit numbers, one a lane
 * (one in all for scalar instructions).
 */
struct any_width {
    unsigned n;     /* lanes */
    unsigned width; /* of the operation: 8, 16, 32, 64 */
    bool vector;    /* destination and s2 are vectors */
    uint64_t exec;  /* lanes that are written */
    uint64_t s1[SIM_LANES_MAX], s2[SIM_LANES_MAX], s3[SIM_LANES_MAX];
    uint64_t r[SIM_LANES_MAX];
};

/* Which register file each operand of an instruction is in. */
bool
any_width_is_vector(const struct sim_op *op, enum ventus_isa_slot slot);

/*
 * A source, raw: a pair if the operation has 64 bits and the register is even;
 * else its 32 bits, sign-extended for a 64-bit operation.
 */
void
any_width_read(const struct sim_warp *w, const struct sim_op *op,
               enum ventus_isa_slot slot, unsigned n, unsigned width,
               uint64_t *to);

/* The accumulator, as any_width_read reads a vector source. */
void
any_width_read_accumulator(const struct sim_warp *w, const struct sim_op *op,
                           unsigned n, unsigned width, uint64_t *to);

/* Width and lanes; false: vtype does not allow vector instructions. */
bool
any_width_begin(const struct sim_warp *w, const struct sim_op *op,
                struct any_width *a);

/*
 * Writes a->r: to a pair if 64 bits and an even register, else the low 32
 * bits.  Narrow results come zero-extended.
 */
void
any_width_write(struct sim_warp *w, const struct sim_op *op,
                const struct any_width *a);

/* A number of 64 bits of the registers of a pair. */
static inline uint64_t
join64(uint32_t lo, uint32_t hi)
{
    return lo | (uint64_t)hi << 32;
}

/* A number of `width` bits, or its absolute value or negative. */
uint64_t
any_width_modified(uint64_t x, unsigned width, bool abs, bool neg);

/* Applies ABS and NEG of the prefix to the integer sources. */
void
any_width_modify_int(const struct sim_op *op, struct any_width *a);

/* Applies them to n numbers of `width` bits. */
void
any_width_modify(uint64_t *x, unsigned n, unsigned width, bool abs, bool neg);

/*
 * Whether register r can hold elements of 2 * SEW bits, which for SEW 32 are
 * pairs; NULL, or why not.
 */
const char *
any_width_twice_wrong(const struct sim_warp *w, unsigned r);
