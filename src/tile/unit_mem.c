/* SPDX-License-Identifier: Apache-2.0 */
/* Tile loads and stores: rows of 32 bytes (docs/tile.md, Loads and stores). */
#include <assert.h>

#include "tile/thread.h"
#include "tile/vector.h"

static bool
is_indexed(const struct ventus_tile_insn *in)
{
    return in->op == VENTUS_TILE_LD_XI || in->op == VENTUS_TILE_LD_XR ||
           in->op == VENTUS_TILE_ST_XI || in->op == VENTUS_TILE_ST_XR;
}

uint64_t
unit_row_address(const struct thread_op *op, unsigned j)
{
    if (is_indexed(&op->in))
        return op->a + VENTUS_TILE_ROW_B * op->index[j];
    return op->a + VENTUS_TILE_ROW_B * (j * op->stride);
}

/* Indices are units of 32 B; j at vl and masked j are inactive. */
static bool
capture_index(struct tile_thread *t, struct thread_op *op, unsigned rows)
{
    struct hart *h = &t->hart;
    unsigned eew = op->in.esize >> 1; /* func6: size << 1 | store */
    assert(eew <= 3 && rows <= THREAD_ROWS_MAX);
    if (h->vtype >> 31)
        return false;
    for (unsigned j = 0; j < rows; j++) {
        if (j >= h->vl || !vector_active(h, op->in.vm, j)) {
            op->tmask &= ~(UINT64_C(1) << j);
            continue;
        }
        op->index[j] = vector_get(h, op->in.va, j, eew);
    }
    return true;
}

static uint64_t
offset_of(const struct thread_op *op)
{
    switch (op->in.op) {
    case VENTUS_TILE_LD_UR:
    case VENTUS_TILE_LD_SR:
    case VENTUS_TILE_LD_XR:
    case VENTUS_TILE_ST_UR:
    case VENTUS_TILE_ST_SR:
    case VENTUS_TILE_ST_XR:
        return op->c;
    }
    return (uint64_t)(int64_t)op->in.imm;
}

enum thread_result
capture_access(struct tile_thread *t, struct thread_op *op)
{
    struct ventus_tile_machine *m = t->machine;
    const struct ventus_tile_insn *in = &op->in;
    unsigned rows = VENTUS_TILE_ROWS << in->n;
    assert(rows <= THREAD_ROWS_MAX);
    bool store = thread_is_store(in);
    bool strided = in->op == VENTUS_TILE_LD_SI || in->op == VENTUS_TILE_LD_SR ||
                   in->op == VENTUS_TILE_ST_SI || in->op == VENTUS_TILE_ST_SR;
    op->a += offset_of(op);
    op->stride = strided ? op->b : 1;
    if (rows < 64)
        op->tmask &= (UINT64_C(1) << rows) - 1;
    if (is_indexed(in) && !capture_index(t, op, rows))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    for (unsigned j = 0; j < rows; j++) {
        if (!(op->tmask >> j & 1))
            continue;
        uint64_t at = unit_row_address(op, j);
        if (at % VENTUS_TILE_ROW_B)
            return thread_fault(t, op->pc,
                                store ? VENTUS_TILE_CAUSE_STORE_MISALIGNED
                                      : VENTUS_TILE_CAUSE_LOAD_MISALIGNED,
                                at);
        if (!memory_tile(&m->memory, (enum memory_space)in->space, t->pe, at,
                         VENTUS_TILE_ROW_B))
            return thread_fault(
                t, op->pc,
                store ? VENTUS_TILE_CAUSE_STORE : VENTUS_TILE_CAUSE_LOAD, at);
    }
    uint64_t bytes =
        (uint64_t)VENTUS_TILE_ROW_B * (unsigned)__builtin_popcountll(op->tmask);
    *(in->space ? &m->stats.bytes_share : &m->stats.bytes_global) += bytes;
    return THREAD_DONE;
}

/* Overlapping scatter: the higher row wins, as the loop goes. */
static enum thread_result
move_rows(struct tile_thread *t, const struct thread_op *op, bool store)
{
    const struct tile_memory *m = &t->machine->memory;
    unsigned rows = VENTUS_TILE_ROWS << op->in.n;
    assert(op->in.td + (1u << op->in.n) <= VENTUS_TILE_REGISTERS);
    for (unsigned j = 0; j < rows; j++) {
        if (!(op->tmask >> j & 1))
            continue;
        uint8_t *memory =
            memory_tile(m, (enum memory_space)op->in.space, t->pe,
                        unit_row_address(op, j), VENTUS_TILE_ROW_B);
        assert(memory); /* capture_access has seen it */
        uint8_t *row = t->tr[op->in.td + j / VENTUS_TILE_ROWS] +
                       j % VENTUS_TILE_ROWS * VENTUS_TILE_ROW_B;
        memcpy(store ? memory : row, store ? row : memory, VENTUS_TILE_ROW_B);
    }
    return THREAD_DONE;
}

enum thread_result
unit_load(struct tile_thread *t, struct thread_op *op)
{
    return move_rows(t, op, false);
}

enum thread_result
unit_store(struct tile_thread *t, struct thread_op *op)
{
    return move_rows(t, op, true);
}
