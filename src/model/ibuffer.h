/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/decode.h"

enum { IBUFFER_MAX = 8 };

/* Two instructions, `op` and `op + 1`; NULL: nothing can be executed there. */
struct pair {
    const struct model_op *op;
    uint8_t mask;
};

void
ibuffer_push(struct sm *s, unsigned warp, uint32_t pc, unsigned mask);

void
ibuffer_flush(struct sm *s, unsigned warp);

/* Gives the first of the register to the unit that executes it. */
void
ibuffer_take(struct sm *s, unsigned warp);

void
ibuffer_cycle(struct sm *s);
