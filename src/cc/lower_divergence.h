/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* Between lower_divergence.c and lower_vector.c. */
struct lowering {
    struct cc *c;
    struct ir_func *f;
    unsigned *uses; /* of the values there were at the start */
    size_t n_uses;
};

static inline bool
lower_is_vector(struct lowering *s, ir_val v)
{
    return ir_value(s->f, v)->cls == IR_V;
}

/* A new instruction before `at`, with a result of class cls. */
struct ir_insn *
lower_before(struct lowering *s, struct ir_insn *at, unsigned op,
             enum ir_class cls, unsigned words);

/* v as a vector, for `at`; of halves 16 bits are enough. */
ir_val
lower_as_vector(struct lowering *s, struct ir_insn *at, ir_val v);

void
lower_sources(struct ir_insn *in, ir_val s1, ir_val s2, ir_val s3);

/* The parts of the result of `in` that are narrower than 32 bits. */
uint8_t
lower_result_half(const struct ir_insn *in);

/* The vector form of an instruction with a result, of a memory access, and of
 * a branch. */
void
lower_to_vector(struct lowering *s, struct ir_insn *in);

bool
lower_access(struct lowering *s, struct ir_insn *in);

void
lower_branch(struct lowering *s, struct ir_insn *in);

/* No vector form: a scalar result, copied. */
void
lower_scalar_then_copy(struct lowering *s, struct ir_insn *in);
