/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scoreboard (microarchitecture.md, Scoreboard and issue): a mark for each
 * register that an instruction in flight will write, a lock while a branch or a
 * barrier is under way, and a lock while an instruction of the warp is in the
 * operand collector.
 */
#include "model/pipeline/scoreboard.h"

#include <stdlib.h>
#include <string.h>

unsigned
scoreboard_check_spans(const struct scoreboard *b, unsigned warp,
                       const struct model_op *op)
{
    unsigned marks = 0;
    for (unsigned i = 0; i < OP_REGISTERS; i++)
        for (unsigned n = 1; n < op->span[i]; n++)
            marks |= b->busy[warp][op->needs[i] + n];
    return marks;
}

/* x0 is never busy.  Most results are one register, which is no call. */
static void
mark_written(uint8_t *busy, const struct model_op *op, uint8_t mark)
{
    for (unsigned i = OP_SOURCES; i < OP_REGISTERS; i++) {
        unsigned first = op->needs[i];
        if (first == BUSY_X || first == BUSY_NONE)
            continue;
        debug_assert(first + op->span[i] <= BUSY_NONE && op->span[i]);
        busy[first] = mark;
        if (op->spans)
            memset(&busy[first], mark, op->span[i]);
    }
}

void
scoreboard_set(struct scoreboard *b, unsigned warp, const struct model_op *op)
{
    debug_assert(warp < b->warps && !scoreboard_check(b, warp, op) &&
                 "an instruction issues without hazards");
    debug_assert(!(b->state.collecting >> warp & 1) &&
                 "a warp has one instruction in a collector");
    mark_written(b->busy[warp], op, op->memory ? BUSY_LSU : BUSY);
    b->state.collecting |= bit_of(warp);
    if (op->branch || op->barrier || op->ends)
        b->state.branching |= bit_of(warp);
    if (op->fence)
        scoreboard_fence(b, warp);
}

/* A warp that waited for nothing does not change by it. */
void
scoreboard_clear(struct scoreboard *b, unsigned warp, const struct model_op *op)
{
    struct scoreboard_state *t = &b->state;
    mark_written(b->busy[warp], op, 0);
    t->changed |= bit_of(warp) & (t->needs_load | t->needs_result);
}

void
scoreboard_start(struct scoreboard *b, unsigned warp)
{
    struct scoreboard_state *t = &b->state;
    uint64_t others = ~bit_of(warp);
    assert(warp < b->warps);
    memset(b->busy[warp], 0, sizeof *b->busy);
    t->branching &= others;
    t->collecting &= others;
    t->fencing &= others;
    t->changed |= bit_of(warp);
}

void
scoreboard_reset(struct scoreboard *b)
{
    memset(b->busy, 0, b->warps * sizeof *b->busy);
    b->state = (struct scoreboard_state){ .changed = 0 };
}

bool
scoreboard_create(struct scoreboard *b, unsigned warps)
{
    assert(warps && warps <= MAX_WARPS);
    *b = (struct scoreboard){ .warps = warps };
    b->busy = calloc(warps, sizeof *b->busy);
    return b->busy;
}

void
scoreboard_destroy(struct scoreboard *b)
{
    free(b->busy);
}
