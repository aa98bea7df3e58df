/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of instructions on pairs and of wide accesses, and what others may change. */
#include "sim/any_width.h"
#include "sim/native.h"

static bool
has_slot(const struct sim_op *op, enum ventus_isa_slot slot)
{
    return ventus_isa_slot_field(op->code, slot) != NULL;
}

static bool
is_pair(const struct sim_op *op, enum ventus_isa_slot slot)
{
    const struct ventus_isa_field *f = ventus_isa_slot_field(op->code, slot);
    return f && f->pair;
}

/* An integer instruction of any_width.c with two sources. */
static enum native_form
form_of_any_width(const struct sim_op *op, uint8_t *mode)
{
    unsigned format = ventus_isa_info[op->code].format;
    if (op->kind >= INT_madd || format == VENTUS_ISA_FORMAT_VI12)
        return NATIVE_OTHER;
    if (any_width_is_vector(op, VENTUS_ISA_SLOT_D))
        return any_width_is_vector(op, VENTUS_ISA_SLOT_1) ? NATIVE_PAIR_VV
                                                          : NATIVE_PAIR_VS;
    bool both = op->kind == INT_mv && format == VENTUS_ISA_FORMAT_R1;
    *mode = (uint8_t)((has_slot(op, VENTUS_ISA_SLOT_1) ? 0 : NATIVE_IMM_1) |
                      (has_slot(op, VENTUS_ISA_SLOT_2) ? 0 : NATIVE_IMM_2) |
                      (both ? NATIVE_BOTH_1 : 0));
    return NATIVE_PAIR;
}

static enum native_form
form_of_widening(const struct sim_op *op, uint8_t *mode)
{
    *mode = (uint8_t)((is_pair(op, VENTUS_ISA_SLOT_1) ? NATIVE_PAIR_1 : 0) |
                      (is_pair(op, VENTUS_ISA_SLOT_2) ? NATIVE_PAIR_2 : 0));
    return any_width_is_vector(op, VENTUS_ISA_SLOT_1) ? NATIVE_WIDE_VV
                                                      : NATIVE_WIDE_VS;
}

/* Accesses of mem_lanewise.c that are contiguous in one space. */
static enum native_form
form_of_access(const struct sim_op *op)
{
    bool store = op->fn == mem_lanewise_store;
    bool scalar = op->aux & MEM_SCALAR;
    if (op->space != VENTUS_ISA_SPACE_DEFAULT ||
        mem_mode_of(op->code) != MODE_OFFSET ||
        !has_slot(op, VENTUS_ISA_SLOT_1) ||
        (!scalar && !any_width_is_vector(op, VENTUS_ISA_SLOT_1)))
        return NATIVE_OTHER;
    if (!scalar)
        return store ? NATIVE_STORE : NATIVE_LOAD;
    if (op->d == X_SINK && !store)
        return NATIVE_OTHER;
    return store ? NATIVE_SCALAR_STORE : NATIVE_SCALAR_LOAD;
}

/* Translated are arithmetic and compares; of conversions, estimates and exponentials
 * there is the interpreter's function. */
static enum native_form
form_of_doubles(const struct sim_lanes *l, const struct sim_op *op)
{
    if (op->kind > FP_fsqrt && op->kind < FP_vfmadd)
        return NATIVE_OTHER;
    if (op->kind < FP_COUNT && op->fn == l->fp_pair_vv[op->kind])
        return NATIVE_FP_PAIR_VV;
    if (op->kind < FP_COUNT && op->fn == l->fp_pair_vs[op->kind])
        return NATIVE_FP_PAIR_VS;
    return NATIVE_OTHER;
}

enum native_form
native_form_of_wide(const struct sim_lanes *l, const struct sim_op *op,
                    uint8_t *mode)
{
    if (op->fn == mem_lanewise_load || op->fn == mem_lanewise_store)
        return form_of_access(op);
    if ((op->mods & ~MOD_FIXED32) != MOD_PAIR)
        return NATIVE_OTHER;
    if (op->fn == any_width_int)
        return form_of_any_width(op, mode);
    if (op->fn == any_width_wide)
        return form_of_widening(op, mode);
    if (op->kind < INT_madd && op->fn == l->pair_vv[op->kind])
        return NATIVE_PAIR_VV;
    if (op->kind < INT_madd && op->fn == l->pair_vs[op->kind])
        return NATIVE_PAIR_VS;
    if (op->fn == l->pair_merge_v)
        return NATIVE_PAIR_MERGE_V;
    return op->fn == l->pair_merge_s ? NATIVE_PAIR_MERGE_S
                                     : form_of_doubles(l, op);
}

uint8_t
native_results(const struct sim_op *op)
{
    const struct ventus_isa_field *f =
        op->code ? ventus_isa_slot_field(op->code, VENTUS_ISA_SLOT_D) : NULL;
    if (!f)
        return 0;
    return f->kind == VENTUS_ISA_KIND_V   ? NATIVE_TO_V
           : f->kind == VENTUS_ISA_KIND_X ? NATIVE_TO_X
                                          : NATIVE_TO_X | NATIVE_TO_V;
}
