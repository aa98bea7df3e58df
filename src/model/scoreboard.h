/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/warp.h"

/* Marks of registers that an instruction in flight will write. */
enum { BUSY = 1, BUSY_LSU = 2 };

/* Why an instruction of a warp cannot issue; MODEL_ISSUED: it can. */
static inline enum model_stall
scoreboard_check(const struct warp *w, const struct model_op *op)
{
    unsigned waits = 0;
    if (w->branching)
        return MODEL_BRANCH;
    if (w->collecting)
        return MODEL_COLLECT;
    if (!op || !op->known)
        return MODEL_ISSUED;
    for (unsigned i = 0; i < OP_REGISTERS; i++)
        waits |= w->busy[op->needs[i]];
    if (op->memory && w->fencing)
        waits |= BUSY_LSU;
    return waits & BUSY_LSU ? MODEL_DEPEND_LSU
           : waits          ? MODEL_DEPEND
                            : MODEL_ISSUED;
}

void
scoreboard_set(struct warp *w, const struct model_op *op);

void
scoreboard_clear(struct warp *w, const struct model_op *op);
