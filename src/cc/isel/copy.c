/* SPDX-License-Identifier: Apache-2.0 */
/* memcpy, memmove and memset. */
#include <assert.h>
#include <string.h>

#include "cc/front/front.h"
#include "cc/front/module.h"
#include "cc/isel/arith.h"
#include "cc/isel/build.h"
#include "cc/isel/copy.h"
#include "cc/isel/mem.h"
#include "cc/isel/object.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

static bool
is_generic(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == GENERIC_SPACE;
}

static struct tr_memory
place_of(struct tr *t, LLVMValueRef pointer, uint64_t bytes, bool is_volatile)
{
    return (struct tr_memory){ .base = tr_get1(t, pointer),
                               .space = is_generic(pointer)
                                            ? IR_SPACE_GLOBAL
                                            : tr_space(t, pointer),
                               .is_volatile = is_volatile,
                               .object = tr_object(t, pointer, bytes) };
}

enum { UNROLL = 256 }; /* bytes that are copied without a loop */

struct block_copy {
    struct tr_memory to, from;
    ir_val fill;    /* what memset writes; IR_NONE: bytes of `from` */
    uint32_t bytes; /* in all */
    unsigned piece; /* bytes of an access: 1, 2 or 4 */
    bool overlaps;  /* `to` may lie in what is read (memmove) */
    /* the bytes of a structure that are no padding; NULL: all */
    const bool *members;
};

/* i = f(i), which is `next`, until the loop ends; begins as `first`. */
static struct ir_insn *
loop_value(struct tr *t, ir_val first)
{
    struct ir_insn *phi = tr_emit(t, IR_PHI, 1);
    phi->many = arena_new(t->m->arena, ir_val, 2);
    phi->n_many = 2;
    phi->many[0] = first;
    return phi;
}

/*
 * The offset at which a loop begins, and in *step what it adds, a piece: at the end
 * and downwards if `to` lies after the first byte of `from` and before its last, which
 * (unsigned)(to - from) < bytes says.  Each lane has its own direction.
 */
static ir_val
first_piece(struct tr *t, const struct block_copy *c, uint32_t whole,
            ir_val *step)
{
    assert(c->piece == 1 || c->piece == 2 || c->piece == 4);
    int32_t piece = (int32_t)c->piece;
    if (!c->overlaps) {
        *step = tr_const(t, piece);
        return IR_ZERO;
    }
    ir_val distance = tr_op(t, VENTUS_ISA_SUB, c->to.base, c->from.base);
    ir_val down =
        tr_op(t, VENTUS_ISA_SLTU, distance, tr_const(t, (int32_t)c->bytes));
    ir_val mask = tr_op(t, VENTUS_ISA_SUB, IR_ZERO, down);
    /* piece, or -piece = piece ^ (piece ^ -piece) */
    *step = tr_opi(t, VENTUS_ISA_XOR,
                   tr_opi(t, VENTUS_ISA_AND, mask, piece ^ -piece), piece);
    return tr_opi(t, VENTUS_ISA_AND, mask, (int32_t)whole - piece);
}

/*
 * n = whole; do { copy a piece at i; i += step; } while (n -= piece);
 * without `overlaps` i itself counts: while (i != whole).
 */
static void
copy_loop(struct tr *t, const struct block_copy *c, uint32_t whole)
{
    assert(whole && whole % c->piece == 0 && whole <= c->bytes);
    struct tr_memory to = c->to, from = c->from;
    ir_val step, first = first_piece(t, c, whole, &step);
    ir_val all = tr_const(t, (int32_t)whole);
    struct ir_block *before = t->block, *body = tr_new_block(t);
    ir_append(before, ir_insn_new(t->f, IR_JUMP));
    ir_link(before, 0, body);
    struct ir_insn *i = loop_value(t, first);
    struct ir_insn *left = c->overlaps ? loop_value(t, all) : NULL;
    to.base = tr_op(t, VENTUS_ISA_ADD, to.base, i->dst);
    ir_val word = c->fill;
    if (!word) {
        from.base = tr_op(t, VENTUS_ISA_ADD, from.base, i->dst);
        word = tr_load_piece(t, from, c->piece, false);
    }
    tr_store_piece(t, to, c->piece, word);
    i->many[1] = tr_op(t, VENTUS_ISA_ADD, i->dst, step);
    if (left)
        left->many[1] =
            tr_opi(t, VENTUS_ISA_ADD, left->dst, -(int32_t)c->piece);
    struct ir_insn *branch = tr_emit(t, VENTUS_ISA_BNE, 0);
    branch->src[1] = left ? left->many[1] : i->many[1];
    branch->src[2] = left ? IR_ZERO : all;
    struct ir_block *after = tr_new_block(t);
    ir_link(body, 0, body);
    ir_link(body, 1, after);
}

/* The piece at `done`, of as many bytes as are left, or of `most`. */
static unsigned
piece_at(const struct block_copy *c, uint32_t done, unsigned most)
{
    while (done + most > c->bytes)
        most /= 2;
    assert(most && done + most <= c->bytes);
    return most;
}

/* Padding is not copied: a checker would take it for a value that nothing wrote. */
static bool
is_padding(const struct block_copy *c, uint32_t at, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (!c->members || c->members[at + i])
            return false;
    return true;
}

/* Copies with all loads before all stores, since the two may overlap: the part that no
 * loop copies, or that is left after its last piece. */
static void
copy_block(struct tr *t, const struct block_copy *c)
{
    uint32_t done = c->bytes > UNROLL ? c->bytes / c->piece * c->piece : 0;
    ir_val words[UNROLL];
    unsigned n = 0;
    for (uint32_t i = done, k = c->piece; i < c->bytes; i += k) {
        struct tr_memory p = c->from;
        p.offset += (int32_t)i;
        k = piece_at(c, i, k);
        assert(n < UNROLL);
        if (is_padding(c, i, k))
            continue;
        words[n++] = c->fill ? c->fill : tr_load_piece(t, p, k, false);
    }
    if (done)
        copy_loop(t, c, done);
    n = 0;
    for (uint32_t i = done, k = c->piece; i < c->bytes; i += k) {
        struct tr_memory p = c->to;
        p.offset += (int32_t)i;
        k = piece_at(c, i, k);
        if (!is_padding(c, i, k))
            tr_store_piece(t, p, k, words[n++]);
    }
}

/*
 * A generic pointer as one to private memory (`own`) or to the rest, and in
 * *right whether all that were asked for so far are what they are taken for.
 * Volatile: nothing else knows that global memory may be local here.
 */
static struct tr_memory
place_as(struct tr *t, struct tr_memory p, bool own, ir_val *right)
{
    ir_val mark = tr_opi(t, VENTUS_ISA_AND, p.base, (int32_t)GENERIC_MARKS);
    ir_val is = tr_op(t, IR_SEQ, mark, tr_const(t, GENERIC_PRIVATE));
    if (own)
        p.base = tr_opi(t, VENTUS_ISA_AND, p.base, (int32_t)~GENERIC_MARKS);
    else
        is = tr_opi(t, VENTUS_ISA_XOR, is, 1);
    p.space = own ? IR_SPACE_PRIVATE : IR_SPACE_GLOBAL;
    p.is_volatile = true;
    *right = *right ? tr_op(t, VENTUS_ISA_AND, *right, is) : is;
    return p;
}

/* A copy for each pair of memories that generic pointers may mean, of which
 * each lane does one. */
static void
copy_generic(struct tr *t, const struct block_copy *c, bool to, bool from)
{
    for (unsigned own = 0; own < 4; own++) {
        bool to_own = own & 1, from_own = own & 2;
        if ((to_own && !to) || (from_own && !from))
            continue;
        struct block_copy each = *c;
        ir_val right = IR_NONE;
        if (to)
            each.to = place_as(t, c->to, to_own, &right);
        if (from)
            each.from = place_as(t, c->from, from_own, &right);
        struct ir_insn *branch = tr_emit(t, VENTUS_ISA_BEQ, 0);
        branch->src[1] = right;
        branch->src[2] = IR_ZERO;
        struct ir_block *before = t->block, *body = tr_new_block(t);
        copy_block(t, &each);
        tr_emit(t, IR_JUMP, 0);
        struct ir_block *end = t->block, *after = tr_new_block(t);
        ir_link(before, 0, after);
        ir_link(before, 1, body);
        ir_link(end, 0, after);
    }
}

/* The bytes of members, from offset, size, and type of each (tbaa.struct); NULL if
 * these are not known, or where a loop copies.  Offsets may lie after the end. */
static const bool *
find_members(struct tr *t, LLVMValueRef in, uint32_t bytes)
{
    static const char name[] = "tbaa.struct";
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(in)),
                                             name, sizeof name - 1);
    LLVMValueRef node = LLVMGetMetadata(in, kind);
    if (!node || bytes > UNROLL)
        return NULL;
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *part = arena_new(t->m->arena, LLVMValueRef, n + 1);
    bool *members = arena_new(t->m->arena, bool, bytes + 1);
    LLVMGetMDNodeOperands(node, part);
    for (unsigned i = 0; i + 2 < n; i += 3) {
        if (!LLVMIsAConstantInt(part[i]) || !LLVMIsAConstantInt(part[i + 1]))
            return NULL;
        uint64_t at = LLVMConstIntGetZExtValue(part[i]);
        uint64_t end = at + LLVMConstIntGetZExtValue(part[i + 1]);
        for (; at < end && at < bytes; at++)
            members[at] = true;
    }
    return members;
}

bool
tr_memory_call(struct tr *t, LLVMValueRef in, const char *name)
{
    LLVMValueRef length = LLVMGetOperand(in, 2);
    if (!LLVMIsAConstantInt(length))
        return tr_fail(t, "block copies of variable length are not supported");
    bool is_volatile = LLVMConstIntGetZExtValue(LLVMGetOperand(in, 3)) != 0;
    struct block_copy c = {
        .bytes = (uint32_t)LLVMConstIntGetZExtValue(length),
        .overlaps = strncmp(name, "llvm.memmove", 12) == 0,
    };
    c.to = place_of(t, LLVMGetOperand(in, 0), c.bytes, is_volatile);
    if (!is_volatile)
        c.members = find_members(t, in, c.bytes);
    unsigned align = front_param_align(in, 0);
    if (strncmp(name, "llvm.memset", 11) == 0) {
        ir_val byte = tr_zext(t, tr_get1(t, LLVMGetOperand(in, 1)), 8);
        c.fill = tr_opi(t, VENTUS_ISA_MUL, byte, 0x01010101);
    } else {
        c.from = place_of(t, LLVMGetOperand(in, 1), c.bytes, is_volatile);
        unsigned other = front_param_align(in, 1);
        align = other < align ? other : align;
    }
    c.piece = align > 4 ? 4 : align ? align : 1;
    bool to = is_generic(LLVMGetOperand(in, 0));
    bool from = !c.fill && is_generic(LLVMGetOperand(in, 1));
    if (to || from)
        copy_generic(t, &c, to, from);
    else
        copy_block(t, &c);
    return true;
}
