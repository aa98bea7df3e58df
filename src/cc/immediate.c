/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector machine IR: constants become immediates, and copies of them vmv.v.i.
 *
 *   s5 = add s3, const 8         addi s3, 8
 *   v5 = vadd.vx v3, const 100   vadd12.vi v3, 100
 *   v5 = vand.vx v3, const 7     vand.vi v3, 7
 *   v5 = copy const 0            vmv.v.i 0
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"

static bool
constant(struct ir_func *f, ir_val v, int32_t *x)
{
    struct ir_insn *def = ir_value(f, v)->def;
    *x = v == IR_ZERO ? 0 : def ? def->imm : 0;
    return v == IR_ZERO || (def && def->op == IR_CONST);
}

/* Whether the immediate field of a row has the number x.  Unsigned compares take numbers
 * without a sign only, though their immediate is extended by its sign. */
static bool
fits_field(unsigned op, int32_t x)
{
    bool is_unsigned = op == VENTUS_ISA_VMSLEU_VI || op == VENTUS_ISA_VMSGTU_VI;
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *field =
            &ventus_isa_fields[format->field[i]];
        if (field->member == VENTUS_ISA_MEMBER_IMM) {
            bool has_sign = field->is_signed && !is_unsigned;
            int32_t end = 1 << (field->width - field->is_signed);
            return x >= (has_sign ? -end : 0) && x < end;
        }
    }
    return false;
}

/* A machine may take the 12 bits of vadd12.vi for signed (ventus_sim_config). */
static bool
fits_12(unsigned op, int32_t x)
{
    return op && x >= 0 && x < 2048;
}

static void
use_immediate(struct ir_func *f, struct ir_insn *in)
{
    bool is_vector = in->dst && ir_value(f, in->dst)->cls == IR_V;
    enum ventus_isa_slot slot =
        is_vector ? VENTUS_ISA_SLOT_1 : VENTUS_ISA_SLOT_2;
    int32_t x;
    if (!in->src[slot] || in->imm || ir_has_address(in) ||
        !constant(f, in->src[slot], &x))
        return;
    unsigned op = ir_related(in->op, VENTUS_ISA_IMMEDIATE_OF);
    unsigned plus = ir_related(in->op, VENTUS_ISA_IMMEDIATE12_OF);
    unsigned minus = ir_related(ir_related(in->op, VENTUS_ISA_NEGATED_OF),
                                VENTUS_ISA_IMMEDIATE12_OF);
    bool is_short = op && fits_field(op, x);
    if (!is_short && fits_12(plus, x)) {
        op = plus;
    } else if (!is_short && x > INT32_MIN && fits_12(minus, -x)) {
        op = minus;
        x = -x;
    } else if (!is_short) {
        return;
    }
    assert(ir_slot_kind(op, VENTUS_ISA_SLOT_D) ==
               ir_slot_kind(in->op, VENTUS_ISA_SLOT_D) &&
           "related rows write the same kind of register");
    in->op = (uint16_t)op;
    in->imm = x;
    in->src[slot] = IR_NONE;
    if (!is_short) { /* vadd12.vi has its vector in slot 1 */
        in->src[1] = in->src[2];
        in->src[2] = IR_NONE;
    }
}

/* v < c is v <= c - 1, which has an immediate form. */
static void
use_less_equal(struct ir_func *f, struct ir_insn *in)
{
    int32_t x;
    if ((in->op != VENTUS_ISA_VMSLT_VX && in->op != VENTUS_ISA_VMSLTU_VX) ||
        in->pair || !constant(f, in->src[1], &x))
        return;
    bool is_signed = in->op == VENTUS_ISA_VMSLT_VX;
    if (x < (is_signed ? -15 : 1) || x > 16)
        return;
    in->op = is_signed ? VENTUS_ISA_VMSLE_VI : VENTUS_ISA_VMSLEU_VI;
    in->imm = x - 1;
    in->src[1] = IR_NONE;
}

void
cc_immediate(struct cc *c)
{
    assert(c->f->form == IR_FORM_VECTOR);
    struct ir_func *f = c->f;
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in) {
            int32_t x;
            if (c->options->profile != CC_PROFILE_UPSTREAM)
                use_less_equal(f, in);
            use_immediate(f, in);
            if (in->op == IR_COPY && !in->pair &&
                ir_value(f, in->dst)->cls == IR_V &&
                ir_value(f, in->src[1])->cls == IR_S &&
                constant(f, in->src[1], &x) &&
                fits_field(VENTUS_ISA_VMV_V_I, x)) {
                in->op = VENTUS_ISA_VMV_V_I;
                in->imm = x;
                in->src[1] = IR_NONE;
            }
        }
}
