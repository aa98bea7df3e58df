/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues.  In order within a queue, no order between them: in mode deferred an
 * operation is executed only when something forces it, and then perhaps some of
 * other queues before it, as the seed decides.
 */
#include <assert.h>

#include "tile/check.h"
#include "tile/thread.h"

#define ENTRY(row, meaning) [VENTUS_TILE_##row] = unit_##meaning,
/* Operations that are executed at once never get here. */
#define unit_csrr   NULL
#define unit_csrw   NULL
#define unit_csrx   NULL
#define unit_sync   NULL
#define unit_wait   NULL
#define unit_commit NULL
#define unit_waitg  NULL
#define unit_waitu  NULL
static thread_execute *const execute[VENTUS_TILE_OP_COUNT] = { VENTUS_TILE_ROWS(
    ENTRY) };
#undef ENTRY

unsigned
tile_queue_count(const struct tile_thread *t, enum ventus_tile_unit unit,
                 bool stores)
{
    assert(unit == VENTUS_TILE_UNIT_GLSU || unit == VENTUS_TILE_UNIT_SLSU);
    const struct thread_queue *q = &t->queue[unit];
    unsigned n = 0;
    for (unsigned i = 0; i < q->count; i++) {
        const struct ventus_tile_insn *in =
            &q->op[(q->first + i) % THREAD_RING].in;
        n += stores ? thread_is_store(in) : thread_is_load(in);
    }
    return n;
}

static enum thread_result
execute_first(struct tile_thread *t, struct thread_queue *q)
{
    assert(q->count > 0 && q->count < THREAD_RING && q->first < THREAD_RING);
    struct thread_op *op = &q->op[q->first];
    assert(q == &t->queue[op->unit] && execute[op->in.op]);
    q->first = (q->first + 1) % THREAD_RING;
    q->count--;
    enum thread_result r = execute[op->in.op](t, op);
    if (r == THREAD_DONE && op->unit == VENTUS_TILE_UNIT_TMA)
        check_tma_complete(t, op);
    return r;
}

/* Before something is forced: perhaps some others, of any queue. */
static enum thread_result
disturb(struct tile_thread *t)
{
    struct ventus_tile_machine *m = t->machine;
    enum thread_result r = THREAD_DONE;
    if (m->options.mode == VENTUS_TILE_INORDER)
        return r;
    for (uint64_t n = thread_random(m) % 4; n-- && r == THREAD_DONE;) {
        struct thread_queue *q = &t->queue[thread_random(m) % THREAD_QUEUES];
        if (q->count)
            r = execute_first(t, q);
    }
    return r;
}

enum thread_result
tile_queue_drain(struct tile_thread *t, enum ventus_tile_unit unit,
                 unsigned left)
{
    struct thread_queue *q = &t->queue[unit];
    enum thread_result r = THREAD_DONE;
    if (q->count > left)
        r = disturb(t);
    while (r == THREAD_DONE && q->count > left)
        r = execute_first(t, q);
    assert(r != THREAD_DONE || q->count <= left);
    return r;
}

enum thread_result
tile_queue_drain_memory(struct tile_thread *t, enum ventus_tile_unit unit,
                        int loads, int stores)
{
    struct thread_queue *q = &t->queue[unit];
    enum thread_result r = THREAD_DONE;
    if (q->count)
        r = disturb(t);
    while (
        r == THREAD_DONE && q->count &&
        ((loads >= 0 && tile_queue_count(t, unit, false) > (unsigned)loads) ||
         (stores >= 0 && tile_queue_count(t, unit, true) > (unsigned)stores)))
        r = execute_first(t, q);
    return r;
}

struct thread_op *
tile_queue_reserve(struct tile_thread *t, enum ventus_tile_unit unit)
{
    struct thread_queue *q = &t->queue[unit];
    if (q->count == THREAD_RING - 1 &&
        tile_queue_drain(t, unit, THREAD_RING - 2) != THREAD_DONE)
        return NULL;
    assert(q->count < THREAD_RING - 1);
    return &q->op[(q->first + q->count) % THREAD_RING];
}

enum thread_result
tile_queue_push(struct tile_thread *t, struct thread_op *op)
{
    struct thread_queue *q = &t->queue[op->unit];
    assert(q->count < THREAD_RING - 1);
    assert(op == &q->op[(q->first + q->count) % THREAD_RING]); /* reserved */
    q->count++;
    assert(q->count == 1 || t->machine->options.mode != VENTUS_TILE_INORDER);
    if (t->machine->options.mode == VENTUS_TILE_INORDER)
        return execute_first(t, q);
    return THREAD_DONE;
}

enum thread_result
tile_queue_shuffle(struct tile_thread *t)
{
    struct ventus_tile_machine *m = t->machine;
    if (m->options.mode == VENTUS_TILE_INORDER || thread_random(m) % 8)
        return THREAD_DONE;
    struct thread_queue *q = &t->queue[thread_random(m) % THREAD_QUEUES];
    return q->count ? execute_first(t, q) : THREAD_DONE;
}
