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

struct form {
    uint16_t op, imm; /* vx and vi, or register and immediate form */
    int32_t low, high;
};

static const struct form forms[] = {
    { VENTUS_ISA_ADD, VENTUS_ISA_ADDI, -2048, 2047 },
    { VENTUS_ISA_AND, VENTUS_ISA_ANDI, -2048, 2047 },
    { VENTUS_ISA_OR, VENTUS_ISA_ORI, -2048, 2047 },
    { VENTUS_ISA_XOR, VENTUS_ISA_XORI, -2048, 2047 },
    { VENTUS_ISA_SLT, VENTUS_ISA_SLTI, -2048, 2047 },
    { VENTUS_ISA_SLTU, VENTUS_ISA_SLTIU, -2048, 2047 },
    { VENTUS_ISA_SLL, VENTUS_ISA_SLLI, 0, 31 },
    { VENTUS_ISA_SRL, VENTUS_ISA_SRLI, 0, 31 },
    { VENTUS_ISA_SRA, VENTUS_ISA_SRAI, 0, 31 },
    { VENTUS_ISA_VADD_VX, VENTUS_ISA_VADD_VI, -16, 15 },
    { VENTUS_ISA_VADD_VX, VENTUS_ISA_VADD12_VI, 0, 2047 },
    { VENTUS_ISA_VADD_VX, VENTUS_ISA_VSUB12_VI, -2047, -1 },
    { VENTUS_ISA_VRSUB_VX, VENTUS_ISA_VRSUB_VI, -16, 15 },
    { VENTUS_ISA_VAND_VX, VENTUS_ISA_VAND_VI, -16, 15 },
    { VENTUS_ISA_VOR_VX, VENTUS_ISA_VOR_VI, -16, 15 },
    { VENTUS_ISA_VXOR_VX, VENTUS_ISA_VXOR_VI, -16, 15 },
    { VENTUS_ISA_VSLL_VX, VENTUS_ISA_VSLL_VI, 0, 31 },
    { VENTUS_ISA_VSRL_VX, VENTUS_ISA_VSRL_VI, 0, 31 },
    { VENTUS_ISA_VSRA_VX, VENTUS_ISA_VSRA_VI, 0, 31 },
    { VENTUS_ISA_VMSEQ_VX, VENTUS_ISA_VMSEQ_VI, -16, 15 },
    { VENTUS_ISA_VMSNE_VX, VENTUS_ISA_VMSNE_VI, -16, 15 },
    { VENTUS_ISA_VMSLE_VX, VENTUS_ISA_VMSLE_VI, -16, 15 },
    { VENTUS_ISA_VMSLEU_VX, VENTUS_ISA_VMSLEU_VI, 0, 15 },
    { VENTUS_ISA_VMSGT_VX, VENTUS_ISA_VMSGT_VI, -16, 15 },
    { VENTUS_ISA_VMSGTU_VX, VENTUS_ISA_VMSGTU_VI, 0, 15 },
    { VENTUS_ISA_VMERGE_VXM, VENTUS_ISA_VMERGE_VIM, -16, 15 },
    { VENTUS_ISA_VSADD_VX, VENTUS_ISA_VSADD_VI, -16, 15 },
    { VENTUS_ISA_VSADDU_VX, VENTUS_ISA_VSADDU_VI, -16, 15 },
};

static bool
constant(struct ir_func *f, ir_val v, int32_t *x)
{
    struct ir_insn *def = ir_value(f, v)->def;
    *x = v == IR_ZERO ? 0 : def ? def->imm : 0;
    return v == IR_ZERO || (def && def->op == IR_CONST);
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
    for (unsigned i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct form *form = &forms[i];
        if (form->op != in->op || x < form->low || x > form->high)
            continue;
        assert(ir_slot_kind(form->imm, VENTUS_ISA_SLOT_D) ==
               ir_slot_kind(in->op, VENTUS_ISA_SLOT_D));
        in->op = form->imm;
        in->imm = form->imm == VENTUS_ISA_VSUB12_VI ? -x : x;
        in->src[slot] = IR_NONE;
        if (form->imm == VENTUS_ISA_VADD12_VI ||
            form->imm == VENTUS_ISA_VSUB12_VI) {
            in->src[1] = in->src[2];
            in->src[2] = IR_NONE;
        }
        return;
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
                constant(f, in->src[1], &x) && x >= -16 && x <= 15) {
                in->op = VENTUS_ISA_VMV_V_I;
                in->imm = x;
                in->src[1] = IR_NONE;
            }
        }
}
