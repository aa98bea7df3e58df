/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/pipeline/result.h"

/*
 * The FPU of the Chisel design (key fpu_pipes): pipelines that stall one by one, and
 * one way out.  Its queues take a new entry in the cycle in which they give one away.
 *
 *             +------------+  product   +----------+
 *     fmul -->|            |----------->| products |------------+
 *     fma  -->| multiplier |  fused     +----------+            |
 *             |  2 stages  |------->[1]---+                     v
 *             +------------+              v                 +-------+
 *     fadd -------------------->[1]---> adder and its ----->|       |
 *                                       queue, 2            |  out  |--> write-back
 *     fcmp ---> 2 stages ---------------------------------->|       |
 *     fcvt ---> 2 stages ---------------------------------->|       |
 *                                                           +-------+
 *
 * The fused product has the adder before a sum.  Out comes the adder's result before a
 * product, then a comparison, then a conversion.
 */
enum { FPU_DEPTH = 2 };

enum fpu_stage {
    FPU_MULTIPLIER,
    FPU_PRODUCTS,
    FPU_TO_ADD_FUSED,
    FPU_TO_ADD_SUM,
    FPU_ADDER,
    FPU_COMPARE,
    FPU_CONVERT,
    FPU_STAGES
};

/* A pipeline without gaps: what enters can leave after as many cycles as it has
 * registers, one each cycle. */
struct fpu_pipe {
    uint8_t n;
    uint64_t at[FPU_DEPTH]; /* when each can leave */
    struct result item[FPU_DEPTH];
};

/* State of one run. */
struct fpu {
    unsigned n; /* results in it */
    struct fpu_pipe pipe[FPU_STAGES];
    struct result written; /* the last one */
};

/* May an instruction of this kind enter in this cycle, after fpu_tick? */
bool
fpu_has_room(const struct fpu *f, const struct model_op *op);

void
fpu_take(struct fpu *f, uint64_t now, const struct result *r);

/* The result that write-back sees, or NULL. */
const struct result *
fpu_front(const struct fpu *f, uint64_t now);

/* Write-back takes that; it stays where it is returned until the next one. */
const struct result *
fpu_pop(struct fpu *f, uint64_t now);

/* Moves what is inside, after write-back. */
void
fpu_tick(struct fpu *f, uint64_t now);

/* When one of its results can go on; UINT64_MAX: it is empty. */
uint64_t
fpu_next(const struct fpu *f);
