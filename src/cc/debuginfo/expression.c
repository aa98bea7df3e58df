/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Location expressions (DWARF 5, 2.6.1).  GDB's numbers for RISC-V end at v31,
 * so further registers are described as memory, at addresses of their own.
 */
#include <assert.h>

#include "base/bytes.h"
#include "cc/debuginfo/debug.h"

enum { NUMBERED = 32 };

static bool
has_number(const struct debug_piece *p)
{
    return p->value < NUMBERED;
}

static unsigned
number_of(const struct debug_piece *p)
{
    assert(p->kind == DEBUG_REGISTER && has_number(p));
    return p->cls == IR_S ? p->value : CC_DWARF_VECTORS + p->value;
}

static uint32_t
register_address(const struct debug_piece *p)
{
    return CC_DEBUG_REGISTERS + (p->cls == IR_V ? CC_DEBUG_VECTORS : 0) +
           4 * p->value;
}

static void
put_addr(struct buf *b, uint32_t address)
{
    buf_u8(b, DW_OP_addr);
    buf_u32(b, address);
}

/* The address, on the stack of the expression. */
static void
put_memory(struct buf *b, const struct debug_piece *p)
{
    assert(p->kind == DEBUG_MEMORY && p->base < NUMBERED);
    if (p->base < 0) {
        put_addr(b, p->value);
        return;
    }
    buf_u8(b, (uint8_t)(DW_OP_breg0 + p->base));
    buf_sleb128(b, p->value);
}

/* The value, there. */
static void
put_pushed(struct buf *b, const struct debug_piece *p)
{
    if (p->kind == DEBUG_NUMBER) {
        buf_u8(b, DW_OP_const4u);
        buf_u32(b, p->value);
    } else if (p->kind == DEBUG_MEMORY) {
        put_memory(b, p);
        buf_u8(b, DW_OP_deref);
    } else if (!has_number(p)) {
        put_addr(b, register_address(p));
        buf_u8(b, DW_OP_deref);
    } else {
        buf_u8(b, DW_OP_bregx);
        buf_uleb128(b, number_of(p));
        buf_sleb128(b, 0);
    }
}

static void
put_computed(struct buf *b, const struct debug_piece *p)
{
    if (!p->n_steps && p->of->kind == DEBUG_NUMBER)
        put_addr(b, p->of->value);
    else if (!p->n_steps)
        put_pushed(b, p->of);
    for (unsigned i = 0; i < p->n_steps; i++) {
        if (p->step[i].word >= 0)
            put_pushed(b, &p->of[p->step[i].word]);
        buf_put(b, p->step[i].operations, p->step[i].size);
    }
    if (p->n_steps)
        buf_u8(b, DW_OP_stack_value);
}

static void
put_piece(struct buf *b, const struct debug_piece *p)
{
    switch (p->kind) {
    case DEBUG_UNKNOWN:
        break;
    case DEBUG_NUMBER:
        buf_u8(b, DW_OP_implicit_value);
        buf_uleb128(b, p->size_B);
        bytes_store(buf_extend(b, p->size_B), p->size_B, p->value);
        break;
    case DEBUG_REGISTER:
        if (has_number(p)) {
            buf_u8(b, DW_OP_regx);
            buf_uleb128(b, number_of(p));
        } else {
            put_addr(b, register_address(p));
        }
        break;
    case DEBUG_MEMORY:
        put_memory(b, p);
        break;
    case DEBUG_COMPUTED:
        put_computed(b, p);
        break;
    }
}

static void
put_size(struct buf *b, uint32_t size_B)
{
    if (!size_B)
        return;
    buf_u8(b, DW_OP_piece);
    buf_uleb128(b, size_B);
}

bool
debug_expression(struct buf *b, const struct debug_piece *piece, size_t n,
                 uint32_t size_B)
{
    uint32_t at = 0;
    if (!n)
        return false;
    if (n == 1 && !piece->offset_B && piece->size_B == size_B) {
        put_piece(b, piece);
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        assert(piece[i].offset_B >= at);
        put_size(b, piece[i].offset_B - at);
        put_piece(b, &piece[i]);
        put_size(b, piece[i].size_B);
        at = piece[i].offset_B + piece[i].size_B;
    }
    if (size_B > at)
        put_size(b, size_B - at);
    return true;
}
