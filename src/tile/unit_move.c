/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves between tiles and core registers (docs/tile.md, Moves).  The element
 * size and its extension are in func6 (in->esize):
 *
 *     x    [5:4] 00 zero, 01 sign (or nibble), 11 nibble with sign
 *          [4:1] 0 byte 1 half 2 word 3 double 8 nibble   [0] 1 = to the tile
 *     f    [1:0] 1 half 2 word 3 double
 *     v    [4:1] as x; bit 5 is vm
 */
#include <assert.h>

#include "tile/number.h"
#include "tile/thread.h"
#include "tile/vector.h"

enum { NIBBLE = 8 };

static bool
to_tile(const struct ventus_tile_insn *in)
{
    return in->esize & 1;
}

static bool
is_vector(const struct ventus_tile_insn *in)
{
    return in->op >= VENTUS_TILE_MV_TVI && in->op <= VENTUS_TILE_MV_VTR;
}

static bool
is_float(const struct ventus_tile_insn *in)
{
    return in->op >= VENTUS_TILE_MV_TFI && in->op <= VENTUS_TILE_MV_FTR;
}

/* The index: an immediate, or x[rs2]. */
static uint64_t
index_of(const struct thread_op *op)
{
    switch (op->in.op) {
    case VENTUS_TILE_MV_TVR:
    case VENTUS_TILE_MV_VTR:
    case VENTUS_TILE_MV_TXR:
    case VENTUS_TILE_MV_XTR:
    case VENTUS_TILE_MV_TFR:
    case VENTUS_TILE_MV_FTR:
        return op->b;
    }
    return (uint64_t)op->in.imm;
}

/* log2 of an element's bytes, or NIBBLE. */
static unsigned
size_of(const struct ventus_tile_insn *in)
{
    if (is_float(in))
        return in->esize & 3;
    unsigned size = in->esize >> 1 & 15;
    return size >= NIBBLE && size != NIBBLE ? size - NIBBLE : size;
}

/* A vector's elements, and which of them are active. */
static enum thread_result
capture_vector(struct tile_thread *t, struct thread_op *op)
{
    struct hart *h = &t->hart;
    const struct ventus_tile_insn *in = &op->in;
    unsigned size = size_of(in), log2 = size == NIBBLE ? 0 : size;
    uint64_t index = index_of(op);
    uint64_t bytes = (uint64_t)h->vl << log2;
    uint64_t nibbles = size == NIBBLE ? h->vl : 2 * bytes; /* of the tile */
    bool ok = !(h->vtype >> 31) && index < VENTUS_TILE_B / HART_VLENB &&
              (in->va << 7) + bytes <= 32 * HART_VLENB;
    if (in->bc)
        ok = ok && nibbles && 2 * VENTUS_TILE_B % nibbles == 0;
    else
        ok = ok && 2 * index * HART_VLENB + nibbles <= 2 * VENTUS_TILE_B;
    if (!ok)
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    op->vl = h->vl;
    op->a = index;
    memset(op->vector.mask, 0, sizeof op->vector.mask);
    for (unsigned e = 0; e < h->vl && e < VENTUS_TILE_B; e++)
        vector_set_bit(op->vector.mask, e, vector_active(h, in->vm, e));
    if (to_tile(in) && bytes <= VENTUS_TILE_B)
        memcpy(op->vector.bytes, vector_at(h, in->va, 0, 0), bytes);
    return bytes <= VENTUS_TILE_B
               ? THREAD_DONE
               : thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
}

enum thread_result
capture_move(struct tile_thread *t, struct thread_op *op)
{
    if (is_vector(&op->in))
        return capture_vector(t, op);
    op->c = index_of(op);
    op->a = is_float(&op->in) ? t->hart.f[op->in.va] : t->hart.x[op->in.va];
    return THREAD_DONE;
}

static void
put_nibble(uint8_t *tile, uint64_t at, uint64_t value)
{
    assert(at < 2 * VENTUS_TILE_B);
    uint8_t *byte = &tile[at / 2 % VENTUS_TILE_B];
    unsigned shift = at % 2 * 4;
    *byte = (uint8_t)((*byte & ~(15u << shift)) | (value & 15) << shift);
}

/* tile <- x or f */
static void
put_scalar(uint8_t *tile, const struct thread_op *op)
{
    unsigned size = size_of(&op->in);
    if (size == NIBBLE) {
        for (unsigned e = 0; e < (op->in.bc ? 2u * VENTUS_TILE_B : 1); e++)
            put_nibble(tile, (op->in.bc ? e : op->c) % (2 * VENTUS_TILE_B),
                       op->a);
        return;
    }
    unsigned count = op->in.bc ? (unsigned)VENTUS_TILE_B >> size : 1;
    for (unsigned e = 0; e < count; e++) {
        uint64_t at = (op->in.bc ? e : op->c) << size;
        memcpy(tile + at % VENTUS_TILE_B, &op->a, 1u << size);
    }
}

/* tile <- v; bc repeats what there is over the whole tile */
static void
put_vector(uint8_t *tile, const struct thread_op *op)
{
    unsigned size = size_of(&op->in), n = op->vl;
    bool nibbles = size == NIBBLE;
    unsigned per_tile =
        nibbles ? 2 * VENTUS_TILE_B : (unsigned)VENTUS_TILE_B >> size;
    unsigned start = nibbles ? (unsigned)op->a * HART_VLENB * 2
                             : (unsigned)op->a * HART_VLENB >> size;
    unsigned count = op->in.bc ? per_tile : n;
    for (unsigned e = 0; e < count && n; e++) {
        unsigned from = e % n, to = op->in.bc ? e : start + e;
        if (!vector_bit(op->vector.mask, from))
            continue;
        if (nibbles)
            put_nibble(tile, to, op->vector.bytes[from]);
        else
            memcpy(tile + (to << size), op->vector.bytes + (from << size),
                   1u << size);
    }
}

enum thread_result
unit_mvt(struct tile_thread *t, struct thread_op *op)
{
    uint8_t *tile = t->tr[op->in.td];
    if (is_vector(&op->in))
        put_vector(tile, op);
    else
        put_scalar(tile, op);
    return THREAD_DONE;
}

/* v <- tile */
enum thread_result
unit_mvv(struct tile_thread *t, struct thread_op *op)
{
    const uint8_t *tile = t->tr[op->in.td];
    unsigned size = size_of(&op->in);
    bool nibbles = size == NIBBLE;
    assert(nibbles || size <= 3);
    for (unsigned e = 0; e < op->vl; e++) {
        if (!vector_bit(op->vector.mask, e))
            continue;
        uint64_t at = op->a * HART_VLENB, x = 0;
        if (nibbles)
            x = tile[at + e / 2] >> e % 2 * 4 & 15;
        else
            memcpy(&x, tile + at + ((uint64_t)e << size), 1u << size);
        vector_set(&t->hart, op->in.va, e, nibbles ? 0 : size, x);
    }
    return THREAD_DONE;
}

/* x <- tile */
enum thread_result
unit_mvx(struct tile_thread *t, struct thread_op *op)
{
    const uint8_t *tile = t->tr[op->in.td];
    unsigned size = size_of(&op->in), bits = 4;
    bool is_signed = op->in.esize == VENTUS_TILE_XLOAD_NS ||
                     (op->in.esize >= VENTUS_TILE_XLOAD_HS &&
                      op->in.esize <= VENTUS_TILE_XLOAD_DS);
    uint64_t x = 0;
    if (size == NIBBLE) {
        x = tile[op->c / 2 % VENTUS_TILE_B] >> op->c % 2 * 4 & 15;
    } else {
        bits = 8u << size;
        memcpy(&x, tile + (op->c << size) % VENTUS_TILE_B, 1u << size);
    }
    if (is_signed)
        x = (uint64_t)((int64_t)(x << (64 - bits)) >> (64 - bits));
    if (op->in.va)
        t->hart.x[op->in.va] = x;
    return THREAD_DONE;
}

/* f <- tile, boxed */
enum thread_result
unit_mvf(struct tile_thread *t, struct thread_op *op)
{
    unsigned size = size_of(&op->in);
    uint64_t x = ~UINT64_C(0);
    memcpy(&x, t->tr[op->in.td] + (op->c << size) % VENTUS_TILE_B, 1u << size);
    t->hart.f[op->in.va] = x;
    return THREAD_DONE;
}
