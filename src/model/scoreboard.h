/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/warp.h"

/* Marks of registers that an instruction in flight will write. */
enum { BUSY = 1, BUSY_LSU = 2 };

/* The same, of the registers behind the first ones of pairs and more. */
unsigned
scoreboard_check_spans(const struct warp *w, const struct model_op *op);

/* Marks of the registers that an instruction needs; 0: it needs none. */
static inline unsigned
scoreboard_check(const struct warp *w, const struct model_op *op)
{
    unsigned marks = 0;
    for (unsigned i = 0; i < OP_REGISTERS; i++)
        marks |= w->busy[op->needs[i]];
    if (op->spans)
        marks |= scoreboard_check_spans(w, op);
    return marks;
}

void
scoreboard_set(struct sm *s, unsigned warp, const struct model_op *op);

void
scoreboard_clear(struct sm *s, unsigned warp, const struct model_op *op);
