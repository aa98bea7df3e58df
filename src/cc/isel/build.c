/* SPDX-License-Identifier: Apache-2.0 */
/* Building scalar machine IR, with constants folded on the way. */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "cc/isel/build.h"
#include "cc/warn.h"
#include "isa/sem.h"

bool
tr_fail(struct tr *t, const char *format, ...)
{
    t->failed = true;
    struct diag_at at = cc_source_at(t->m, t->file, t->line, t->column);
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(t->m->arena, format, args);
    va_end(args);
    diag_report(t->m->sink, DIAG_ERROR, at, "kernel '%s': %s", t->f->name,
                text);
    return false;
}

struct ir_block *
tr_new_block(struct tr *t)
{
    t->block = ir_block_new(t->f);
    while (t->origin.n < t->f->blocks.n)
        vec_push(t->m->arena, &t->origin, t->llvm_block);
    assert(t->origin.n == t->f->blocks.n);
    return t->block;
}

struct ir_insn *
tr_emit(struct tr *t, unsigned op, unsigned words)
{
    if (words == 2 && !t->failed &&
        t->m->options->profile == CC_PROFILE_UPSTREAM)
        tr_fail(t, "doubles, and conversions of long to float, need register "
                   "pairs, which profile 'upstream' does not use");
    struct ir_insn *in = ir_insn_new(t->f, op);
    tr_set_place(t, in);
    in->object = (uint16_t)t->object;
    in->is_exchange = t->is_exchange;
    assert(words <= 2);
    assert(!t->block->last || !ir_is_terminator(t->block->last));
    ir_append(t->block, in);
    if (words)
        ir_set_dst(t->f, in, ir_value_new(t->f, IR_S, words));
    return in;
}

ir_val
tr_const(struct tr *t, int32_t x)
{
    if (!x)
        return IR_ZERO;
    void **at = map_put_number(t->m->arena, &t->consts, (uint32_t)x);
    if (!*at) {
        struct ir_insn *in = ir_insn_new(t->f, IR_CONST);
        in->imm = x;
        assert(t->entry_mark->block == t->f->blocks.at[0]);
        ir_insert_before(t->entry_mark, in);
        ir_set_dst(t->f, in, ir_value_new(t->f, IR_S, 1));
        *at = in;
    }
    return ((struct ir_insn *)*at)->dst;
}

bool
tr_is_const(struct tr *t, ir_val v, int32_t *x)
{
    if (v == IR_ZERO) {
        *x = 0;
        return true;
    }
    struct ir_insn *def = ir_value(t->f, v)->def;
    if (!def || def->op != IR_CONST)
        return false;
    *x = def->imm;
    return true;
}

/* X(operation, its meaning in isa/sem.h). */
/* clang-format off */
#define FOLDED_LIST(X)                                                   \
    X(VENTUS_ISA_ADD, add) X(VENTUS_ISA_SUB, sub)                        \
    X(VENTUS_ISA_AND, and) X(VENTUS_ISA_OR, or) X(VENTUS_ISA_XOR, xor)   \
    X(VENTUS_ISA_SLL, sll) X(VENTUS_ISA_SRL, srl) X(VENTUS_ISA_SRA, sra) \
    X(VENTUS_ISA_MUL, mul) X(VENTUS_ISA_MULHU, mulhu)                    \
    X(VENTUS_ISA_SLT, slt) X(VENTUS_ISA_SLTU, sltu)                      \
    X(IR_SEQ, seq) X(IR_SNE, sne) X(IR_SLE, sle) X(IR_SLEU, sleu)
/* clang-format on */

static bool
fold(unsigned op, uint32_t a, uint32_t b, uint32_t *r)
{
    switch (op) {
#define X(operation, name)                                       \
    case operation:                                              \
        assert(!ir_is_isa(op) ||                                 \
               strcmp(ventus_isa_info[op].meaning, #name) == 0); \
        *r = sem_##name##_32(a, b);                              \
        return true;
        FOLDED_LIST(X)
#undef X
    }
    return false;
}

/* x op c where that is x, or a constant. */
static bool
identity(unsigned op, ir_val a, uint32_t c, ir_val *r)
{
    switch (op) {
    case VENTUS_ISA_ADD:
    case VENTUS_ISA_SUB:
    case VENTUS_ISA_OR:
    case VENTUS_ISA_XOR:
    case VENTUS_ISA_SLL:
    case VENTUS_ISA_SRL:
    case VENTUS_ISA_SRA:
        *r = a;
        return c == 0;
    case VENTUS_ISA_AND:
        *r = c ? a : (ir_val)IR_ZERO;
        return c == 0 || c == UINT32_MAX;
    case VENTUS_ISA_MUL:
        *r = c ? a : (ir_val)IR_ZERO;
        return c <= 1;
    case VENTUS_ISA_MULHU:
        *r = IR_ZERO;
        return c <= 1;
    case VENTUS_ISA_SLTU: /* nothing is below 0 */
        *r = IR_ZERO;
        return c == 0;
    }
    return false;
}

static bool
commutes(unsigned op)
{
    return op == IR_SEQ || op == IR_SNE ||
           (ir_is_isa(op) &&
            (ventus_isa_info[op].flags & VENTUS_ISA_F_COMMUTES));
}

/* ---- 64 bits in pairs ---- */

/* Compares give a word, others a pair. */
static unsigned
result_words(unsigned op)
{
    switch (op) {
    case IR_SEQ:
    case IR_SNE:
    case IR_SLE:
    case IR_SLEU:
    case VENTUS_ISA_SLT:
    case VENTUS_ISA_SLTU:
        return 1;
    }
    return 2;
}

/* A word that is never negative. */
static bool
is_positive(struct tr *t, ir_val v)
{
    int32_t x;
    const struct ir_insn *def = ir_value(t->f, v)->def;
    if (tr_is_const(t, v, &x))
        return x >= 0;
    if (!def || def->pair)
        return false;
    switch (def->op) {
    case VENTUS_ISA_LBU:
    case VENTUS_ISA_LHU:
    case VENTUS_ISA_VID_V:
        return true;
    case VENTUS_ISA_AND:
        return tr_is_const(t, def->src[2], &x) && x >= 0;
    case VENTUS_ISA_SRL:
        return tr_is_const(t, def->src[2], &x) && (x & 31);
    }
    return false;
}

/* The word that v is the sign extension of, or v itself. */
static ir_val
narrowed(struct tr *t, ir_val v)
{
    int32_t lo, hi;
    const struct ir_insn *def = ir_value(t->f, v)->def;
    if (!def || ir_value(t->f, v)->words == 1)
        return v;
    if (def->op == IR_SEXT ||
        (def->op == IR_ZEXT && is_positive(t, def->src[1])))
        return def->src[1];
    if (def->op == IR_PAIR && tr_is_const(t, def->src[1], &lo) &&
        tr_is_const(t, def->src[2], &hi) && hi == (lo < 0 ? -1 : 0))
        return def->src[1];
    return v;
}

/* a + x, where a may be a sum with a constant already. */
static ir_val
add_wide_const(struct tr *t, ir_val a, int32_t x)
{
    int32_t y, sum;
    const struct ir_insn *def = ir_value(t->f, a)->def;
    if (def && def->op == VENTUS_ISA_ADD && def->pair &&
        ir_value(t->f, def->src[1])->words == 2 &&
        tr_is_const(t, def->src[2], &y) && !__builtin_add_overflow(x, y, &sum))
        return sum ? add_wide_const(t, def->src[1], sum) : def->src[1];
    struct ir_insn *in = tr_emit(t, VENTUS_ISA_ADD, 2);
    in->src[1] = a;
    in->src[2] = tr_const(t, x);
    in->pair = 1;
    return in->dst;
}

static ir_val
wide_op(struct tr *t, unsigned op, ir_val a, ir_val b)
{
    ir_val same;
    a = narrowed(t, a);
    b = narrowed(t, b);
    int32_t x = 0;
    if (commutes(op) && ir_value(t->f, a)->words == 1 &&
        (ir_value(t->f, b)->words == 2 || tr_is_const(t, a, &x))) {
        ir_val swap = a;
        a = b;
        b = swap;
    }
    bool is_const = tr_is_const(t, b, &x);
    if (is_const && identity(op, a, (uint32_t)x, &same))
        return result_words(op) == 1 ? same : tr_extend(t, same, true);
    if (is_const && op == VENTUS_ISA_MUL && x > 0 && !(x & (x - 1)))
        return wide_op(t, VENTUS_ISA_SLL, a,
                       tr_const(t, __builtin_ctz((unsigned)x)));
    if (is_const && op == VENTUS_ISA_SUB && x != INT32_MIN)
        return add_wide_const(t, a, -x);
    if (is_const && op == VENTUS_ISA_ADD)
        return add_wide_const(t, a, x);
    struct ir_insn *in = tr_emit(t, op, result_words(op));
    in->src[1] = a;
    in->src[2] = b;
    in->pair = 1;
    return in->dst;
}

ir_val
tr_knl_word(struct tr *t, unsigned offset, unsigned words)
{
    struct ir_insn *in = tr_emit(t, VENTUS_ISA_LW, words);
    in->src[1] = t->knl;
    in->imm = (int32_t)offset;
    in->space = IR_SPACE_CONST;
    in->pair = words == 2;
    if (t->target->knl_dims && offset >= t->target->knl_dims) {
        ir_remove(in);
        ir_insert_after(ir_value(t->f, t->knl)->def, in);
        /* A line here would end the prologue before parameters are stored. */
        in->line = in->column = in->file = in->scope = 0;
    }
    return in->dst;
}

ir_val
tr_extend(struct tr *t, ir_val word, bool is_signed)
{
    int32_t x;
    if (ir_value(t->f, word)->words == 2)
        return word;
    if (tr_is_const(t, word, &x))
        return tr_pair(t, word, tr_const(t, is_signed && x < 0 ? -1 : 0));
    const struct ir_insn *def = ir_value(t->f, word)->def;
    if (!is_signed && def && def->op == VENTUS_ISA_LW &&
        def->src[1] == t->knl && cc_knl_is_wide(t->target, (unsigned)def->imm))
        return tr_knl_word(t, (unsigned)def->imm, 2);
    struct ir_insn *in = tr_emit(t, is_signed ? IR_SEXT : IR_ZEXT, 2);
    in->src[1] = word;
    in->pair = 1;
    return in->dst;
}

ir_val
tr_op(struct tr *t, unsigned op, ir_val a, ir_val b)
{
    if (ir_value(t->f, a)->words == 2 || ir_value(t->f, b)->words == 2)
        return wide_op(t, op, a, b);
    int32_t x, y;
    uint32_t r;
    ir_val same;
    bool a_const = tr_is_const(t, a, &x), b_const = tr_is_const(t, b, &y);
    if (a_const && b_const && fold(op, (uint32_t)x, (uint32_t)y, &r))
        return tr_const(t, (int32_t)r);
    if (a_const && !b_const && commutes(op)) {
        ir_val swap = a;
        a = b;
        b = swap;
        y = x;
        b_const = true;
    }
    if (b_const && identity(op, a, (uint32_t)y, &same))
        return same;
    if (b_const && op == VENTUS_ISA_MUL && y > 0 && !(y & (y - 1)))
        return tr_op(t, VENTUS_ISA_SLL, a,
                     tr_const(t, __builtin_ctz((unsigned)y)));
    if (b_const && op == VENTUS_ISA_SUB)
        return tr_op(t, VENTUS_ISA_ADD, a,
                     tr_const(t, (int32_t)sem_neg_32((uint32_t)y)));
    /* (x + c) + d */
    struct ir_insn *def = ir_value(t->f, a)->def;
    if (b_const && op == VENTUS_ISA_ADD && def && def->op == VENTUS_ISA_ADD &&
        tr_is_const(t, def->src[2], &x))
        return tr_op(
            t, VENTUS_ISA_ADD, def->src[1],
            tr_const(t, (int32_t)sem_add_32((uint32_t)x, (uint32_t)y)));
    assert(ir_value(t->f, a)->words == 1 && ir_value(t->f, b)->words == 1);
    struct ir_insn *in = tr_emit(t, op, 1);
    in->src[1] = a;
    in->src[2] = b;
    return in->dst;
}

ir_val
tr_op1(struct tr *t, unsigned op, ir_val a)
{
    struct ir_insn *in = tr_emit(t, op, 1);
    assert(!ir_is_isa(op) || ventus_isa_info[op].versions & VENTUS_ISA_V1);
    in->src[1] = a;
    return in->dst;
}

ir_val
tr_opi(struct tr *t, unsigned op, ir_val a, int32_t imm)
{
    return tr_op(t, op, a, tr_const(t, imm));
}

ir_val
tr_select(struct tr *t, ir_val c, ir_val a, ir_val b)
{
    int32_t x;
    if (a == b)
        return a;
    if (tr_is_const(t, c, &x))
        return x ? a : b;
    assert(ir_value(t->f, a)->words == ir_value(t->f, b)->words || t->failed);
    struct ir_insn *in = tr_emit(t, IR_SELECT, ir_value(t->f, a)->words);
    in->src[1] = c;
    in->src[2] = a;
    in->src[3] = b;
    in->pair = ir_value(t->f, a)->words == 2;
    return in->dst;
}

ir_val
tr_pair(struct tr *t, ir_val lo, ir_val hi)
{
    struct ir_insn *a = ir_value(t->f, lo)->def, *b = ir_value(t->f, hi)->def;
    if (a && b && a->op == IR_LO && b->op == IR_HI && a->src[1] == b->src[1])
        return a->src[1];
    assert(ir_value(t->f, lo)->words == 1 && ir_value(t->f, hi)->words == 1);
    int32_t x;
    if (t->target->wide_integers && !tr_is_const(t, lo, &x)) {
        if (hi == IR_ZERO)
            return tr_extend(t, lo, false);
        if (b && b->op == VENTUS_ISA_SRA && b->src[1] == lo &&
            tr_is_const(t, b->src[2], &x) && x == 31)
            return tr_extend(t, lo, true);
    }
    struct ir_insn *in = tr_emit(t, IR_PAIR, 2);
    in->src[1] = lo;
    in->src[2] = hi;
    in->pair = 1;
    return in->dst;
}

static ir_val
part(struct tr *t, unsigned op, ir_val pair)
{
    struct ir_insn *def = ir_value(t->f, pair)->def;
    if (def && def->op == IR_PAIR)
        return def->src[op == IR_LO ? 1 : 2];
    if (def && (def->op == IR_SEXT || def->op == IR_ZEXT)) {
        if (op == IR_LO)
            return def->src[1];
        return def->op == IR_ZEXT ? (ir_val)IR_ZERO
                                  : tr_opi(t, VENTUS_ISA_SRA, def->src[1], 31);
    }
    assert(ir_value(t->f, pair)->words == 2 || pair == IR_ZERO);
    struct ir_insn *in = tr_emit(t, op, 1);
    in->src[1] = pair;
    in->pair = 1;
    return in->dst;
}

ir_val
tr_lo(struct tr *t, ir_val pair)
{
    return part(t, IR_LO, pair);
}

ir_val
tr_hi(struct tr *t, ir_val pair)
{
    return part(t, IR_HI, pair);
}

ir_val
tr_pair_op(struct tr *t, unsigned op, ir_val a, ir_val b)
{
    struct ir_insn *in = tr_emit(t, op, 2);
    in->src[1] = a;
    in->src[2] = b;
    in->pair = 1;
    return in->dst;
}
