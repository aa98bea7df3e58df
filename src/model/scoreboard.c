/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scoreboard (cycle.md 3b): a bit for each register that an instruction in
 * flight will write, a lock while a branch or a barrier is under way, and a
 * lock while an instruction of the warp is in the operand collector.
 */
#include "model/machine.h"

void
scoreboard_set(struct sm *s, unsigned warp, const struct model_op *op)
{
    uint8_t mark = op->memory ? BUSY_LSU : BUSY, *busy = s->warp[warp].busy;
    if (op->writes_x && op->d)
        busy[BUSY_X + op->d] = mark;
    if (op->writes_v)
        busy[BUSY_V + op->d] = mark;
    s->collecting |= bit_of(warp);
    if (op->branch || op->barrier || op->ends)
        s->branching |= bit_of(warp);
    if (op->fence)
        s->fencing |= bit_of(warp);
}

void
scoreboard_clear(struct sm *s, unsigned warp, const struct model_op *op)
{
    uint8_t *busy = s->warp[warp].busy;
    if (op->writes_x)
        busy[BUSY_X + op->d] = 0;
    if (op->writes_v)
        busy[BUSY_V + op->d] = 0;
    /* Who needs nothing more needs nothing now. */
    s->changed |= bit_of(warp) & (s->needs_load | s->needs_result);
}
