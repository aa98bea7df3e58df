/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scoreboard (cycle.md 3b): a mark for each register that an instruction in
 * flight will write, a lock while a branch or a barrier is under way, and a
 * lock while an instruction of the warp is in the operand collector.
 */
#include <string.h>

#include "model/machine.h"

unsigned
scoreboard_check_spans(const struct warp *w, const struct model_op *op)
{
    unsigned marks = 0;
    for (unsigned i = 0; i < OP_REGISTERS; i++)
        for (unsigned n = 1; n < op->span[i]; n++)
            marks |= w->busy[op->needs[i] + n];
    return marks;
}

/* x0 is never busy. */
static void
mark_written(struct warp *w, const struct model_op *op, uint8_t mark)
{
    for (unsigned i = OP_SOURCES; i < OP_REGISTERS; i++)
        if (op->needs[i] != BUSY_X && op->needs[i] != BUSY_NONE) {
            debug_assert(op->needs[i] + op->span[i] <= BUSY_NONE);
            memset(&w->busy[op->needs[i]], mark, op->span[i]);
        }
}

void
scoreboard_set(struct sm *s, unsigned warp, const struct model_op *op)
{
    debug_assert(!scoreboard_check(&s->warp[warp], op));
    debug_assert(!(s->collecting >> warp & 1));
    mark_written(&s->warp[warp], op, op->memory ? BUSY_LSU : BUSY);
    s->collecting |= bit_of(warp);
    if (op->branch || op->barrier || op->ends)
        s->branching |= bit_of(warp);
    if (op->fence)
        s->fencing |= bit_of(warp);
}

void
scoreboard_clear(struct sm *s, unsigned warp, const struct model_op *op)
{
    mark_written(&s->warp[warp], op, 0);
    /* A warp that waited for nothing does not change by it. */
    s->changed |= bit_of(warp) & (s->needs_load | s->needs_result);
}
