/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "ir/ir.h"

/*
 * Copies of any kind as single moves of words, in an order in which nothing is
 * overwritten before it is read.
 *
 *   vectors to vectors first; cycles by exclusive or
 *   scalars to vectors
 *   scalars to scalars last; cycles by exclusive or
 */
struct move {
    uint8_t to, from;
    uint8_t to_class, from_class; /* enum ir_class */
    bool swap;                    /* exchange the two registers */
};

/* Moves of a copy, parcopy, pair, lo or hi; returns how many, at most `max`. */
unsigned
moves_of(const struct ir_func *f, const struct ir_insn *in, struct move *out,
         unsigned max);
