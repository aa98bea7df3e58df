/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scoreboard (cycle.md 3b): a bit for each register that an instruction in
 * flight will write, a lock while a branch or a barrier is under way, and a
 * lock while an instruction of the warp is in the operand collector.
 */
#include "model/machine.h"

enum { BUSY = 1, BUSY_LSU = 2 };

static unsigned
busy(const struct warp *w, unsigned kind, unsigned reg)
{
    return kind == READ_VECTOR   ? w->v_busy[reg]
           : kind == READ_SCALAR ? w->x_busy[reg]
                                 : 0;
}

enum model_stall
scoreboard_check(const struct warp *w, const struct model_op *op)
{
    unsigned waits = 0;
    if (w->branching)
        return MODEL_BRANCH;
    if (w->collecting)
        return MODEL_COLLECT;
    if (!op || !op->known)
        return MODEL_ISSUED;
    for (unsigned i = 0; i < 4; i++)
        waits |= busy(w, op->read[i], op->reg[i]);
    waits |= op->writes_x ? w->x_busy[op->d] : 0;
    waits |= op->writes_v ? w->v_busy[op->d] : 0;
    if (op->memory && w->fencing)
        waits |= BUSY_LSU;
    return waits & BUSY_LSU ? MODEL_DEPEND_LSU
           : waits          ? MODEL_DEPEND
                            : MODEL_ISSUED;
}

void
scoreboard_set(struct warp *w, const struct model_op *op)
{
    uint8_t mark = op->memory ? BUSY_LSU : BUSY;
    if (op->writes_x && op->d)
        w->x_busy[op->d] = mark;
    if (op->writes_v)
        w->v_busy[op->d] = mark;
    w->collecting = true;
    if (op->branch || op->barrier || op->ends)
        w->branching = true;
    if (op->fence)
        w->fencing = true;
}

void
scoreboard_clear(struct warp *w, const struct model_op *op)
{
    if (op->writes_x)
        w->x_busy[op->d] = 0;
    if (op->writes_v)
        w->v_busy[op->d] = 0;
}
