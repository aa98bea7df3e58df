/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector machine IR: 64-bit arithmetic on 32-bit values.
 *
 *   vmul.vx (zext v3), (zext s4)    vwmulu.vx v3, s4       and vw{add,sub}
 *   vadd.vx v3:2, (zext s4)         vwaddu.wx v3, s4       and vwsub
 *   vadd.vv v3:2, v5:2              vwadd.wv v3, v5
 *   vadd.vv v3:2, (vwmul.vv a, b)   vwmacc.vv v3, a, b     if v3 ends there
 *   v5 = lo (vremu.vx v3:2, s4:2)   v5 = vremu.vx v3, s4   an odd register
 *   pair zero, zero                 zero                   x0 is a pair, too
 *
 * The widening rows need neither a prefix nor odd registers.  The pass does nothing for
 * a target without these rows.
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"

/* How a 64-bit operand comes of a word. */
enum extension { WHOLE, SIGNED, UNSIGNED, EITHER };

struct operand {
    enum extension extension;
    ir_val word;
};

struct state {
    struct ir_func *f;
    const struct cc_target *target;
    unsigned *uses;
};

static bool
has_row(const struct state *s, unsigned op)
{
    return op && ventus_isa_info[op].versions & (unsigned)s->target->isa;
}

static struct operand
operand(const struct state *s, ir_val v)
{
    const struct ir_insn *def = ir_value(s->f, v)->def;
    int32_t x;
    if (ir_value(s->f, v)->words == 1) {
        bool either = cc_is_constant(s->f, v, &x) && x >= 0;
        return (struct operand){ either ? EITHER : SIGNED, v };
    }
    if (def && def->op == IR_PAIR && def->src[2] == IR_ZERO &&
        ir_value(s->f, def->src[1])->cls == ir_value(s->f, v)->cls)
        return (struct operand){ UNSIGNED, def->src[1] };
    if (def && def->src[1] == IR_ZERO && !def->masked &&
        (def->op == VENTUS_ISA_VWADD_VX || def->op == VENTUS_ISA_VWADDU_VX))
        return (struct operand){ def->op == VENTUS_ISA_VWADD_VX ? SIGNED
                                                                : UNSIGNED,
                                 def->src[2] };
    return (struct operand){ WHOLE, v };
}

static bool
is(struct operand o, enum extension extension)
{
    return o.extension == extension || o.extension == EITHER;
}

static void
become(struct ir_insn *in, unsigned op, ir_val one, ir_val two)
{
    in->op = (uint16_t)op;
    in->src[1] = one;
    in->src[2] = two;
}

/* Whether the source will be an immediate (immediate.c), which a widening instruction
 * has not. */
static bool
is_immediate(const struct state *s, const struct ir_insn *in)
{
    int32_t x;
    return (ir_related(in->op, VENTUS_ISA_IMMEDIATE_OF) ||
            ir_related(in->op, VENTUS_ISA_IMMEDIATE12_OF)) &&
           cc_is_constant(s->f, in->src[1], &x);
}

static bool
widen(const struct state *s, struct ir_insn *in)
{
    if (!ir_related(in->op, VENTUS_ISA_SIGNED_OF) || !in->pair || in->masked ||
        in->half || is_immediate(s, in) || ir_value(s->f, in->dst)->words != 2)
        return false;
    struct operand one = operand(s, in->src[1]), two = operand(s, in->src[2]);
    bool commutes = ir_flags(in->op) & VENTUS_ISA_F_COMMUTES;
    if (commutes && one.extension == SIGNED && two.extension == UNSIGNED) {
        struct operand swap = one;
        one = two;
        two = swap;
    }
    unsigned op = 0;
    if (is(one, SIGNED) && is(two, SIGNED))
        op = ir_related(in->op, VENTUS_ISA_SIGNED_OF);
    else if (is(one, UNSIGNED) && is(two, UNSIGNED))
        op = ir_related(in->op, VENTUS_ISA_UNSIGNED_OF);
    else if (is(one, UNSIGNED) && is(two, SIGNED))
        op = ir_related(in->op, VENTUS_ISA_MIXED_OF);
    else if (one.extension != WHOLE && two.extension == WHOLE)
        op = ir_related(in->op, is(one, SIGNED) ? VENTUS_ISA_SIGNED1_OF
                                                : VENTUS_ISA_UNSIGNED1_OF);
    else if (one.extension == WHOLE && two.extension == WHOLE)
        op = ir_related(in->op, VENTUS_ISA_PAIRS_OF);
    if (!has_row(s, op))
        return false;
    become(in, op, one.word, two.word);
    return true;
}

/* A product that is used once, in its own block. */
static const struct ir_insn *
product_of(const struct state *s, const struct ir_insn *in, ir_val v)
{
    const struct ir_insn *def = ir_value(s->f, v)->def;
    return s->uses[v] == 1 && def && def->block == in->block && !def->masked
               ? def
               : NULL;
}

static bool
accumulate(const struct state *s, struct ir_insn *in)
{
    if (in->op != VENTUS_ISA_VADD_VV || !in->pair || in->masked)
        return false;
    for (unsigned slot = 1; slot < 3; slot++) {
        const struct ir_insn *def = product_of(s, in, in->src[slot]);
        ir_val to = in->src[3 - slot];
        if (!def || s->uses[to] != 1 || ir_value(s->f, to)->words != 2)
            continue;
        unsigned sum = ir_related(def->op, VENTUS_ISA_SUM_OF);
        unsigned exchanged = ir_related(def->op, VENTUS_ISA_EXCHANGED_SUM_OF);
        if (has_row(s, sum))
            become(in, sum, def->src[1], def->src[2]);
        else if (has_row(s, exchanged))
            become(in, exchanged, def->src[2], def->src[1]);
        else
            continue;
        in->src[0] = to;
        return true;
    }
    return false;
}

/* An odd register takes the low half of what an integer unit computes; a number of
 * the FPU's is rounded to binary32 for it, or converted to 32 bits. */
static bool
keeps_low_half(const struct ventus_isa_info *row)
{
    return row->unit == VENTUS_ISA_UNIT_SALU ||
           row->unit == VENTUS_ISA_UNIT_VALU ||
           row->unit == VENTUS_ISA_UNIT_MUL || row->lat == VENTUS_ISA_LAT_DIV ||
           row->lat == VENTUS_ISA_LAT_DIVU;
}

/* The low half of a result comes in an odd register, if something is a pair. */
static void
narrow_result(const struct state *s, struct ir_insn *lo)
{
    struct ir_insn *def = ir_value(s->f, lo->src[1])->def;
    if (!def || !ir_is_isa(def->op) || s->uses[lo->src[1]] != 1 || !def->pair ||
        def->masked || def->mask || def->src[0] || def->n_many ||
        ir_has_address(def) || !keeps_low_half(&ventus_isa_info[def->op]) ||
        ventus_isa_info[def->op].flags & VENTUS_ISA_F_PAIR64)
        return;
    bool pair = false;
    for (unsigned slot = 1; slot < 4; slot++)
        pair |= def->src[slot] && ir_value(s->f, def->src[slot])->words == 2;
    const struct ir_value *to = ir_value(s->f, lo->dst);
    if (!pair || to->cls != ir_value(s->f, def->dst)->cls || to->fixed >= 0)
        return;
    ir_val dst = lo->dst;
    ir_remove(lo);
    ir_set_dst(s->f, def, dst);
}

/* x0 stands for 64 bits of zero where nothing asks how many words it has. */
static void
use_zero(const struct state *s, struct ir_insn *in, ir_val **at)
{
    bool moves = in->op == IR_PHI || in->op == IR_COPY;
    for (unsigned i = moves ? ir_sources(in, at) : 0; i-- > 0;) {
        const struct ir_insn *def = ir_value(s->f, *at[i])->def;
        if (def && def->op == IR_PAIR && def->src[1] == IR_ZERO &&
            def->src[2] == IR_ZERO)
            *at[i] = IR_ZERO;
    }
}

void
cc_widening(struct cc *c)
{
    assert(c->f->form == IR_FORM_VECTOR);
    struct state s = { .f = c->f,
                       .target = cc_target_or_v1(c->options->target) };
    if (!s.target->wide_integers)
        return;
    ir_val **at = arena_new(s.f->arena, ir_val *, ir_max_sources(s.f));
    s.uses = arena_new(s.f->arena, unsigned, s.f->values.n);
    ir_foreach_block (s.f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                s.uses[*at[i]]++;
    ir_foreach_block (s.f, b)
        ir_foreach_insn_safe (b, in) {
            use_zero(&s, in, at);
            if (in->op == IR_LO)
                narrow_result(&s, in);
            else if (!accumulate(&s, in))
                widen(&s, in);
        }
}
