/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scoreboard (cycle.md 3b): a bit for each register that an instruction in
 * flight will write, a lock while a branch or a barrier is under way, and a
 * lock while an instruction of the warp is in the operand collector.
 */
#include "model/machine.h"

void
scoreboard_set(struct warp *w, const struct model_op *op)
{
    uint8_t mark = op->memory ? BUSY_LSU : BUSY;
    if (op->writes_x && op->d)
        w->busy[BUSY_X + op->d] = mark;
    if (op->writes_v)
        w->busy[BUSY_V + op->d] = mark;
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
        w->busy[BUSY_X + op->d] = 0;
    if (op->writes_v)
        w->busy[BUSY_V + op->d] = 0;
}
