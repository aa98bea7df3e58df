/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile arithmetic with two and three operands (docs/tile.md, Arithmetic).  Elements of 16-bit floats are computed in
 * binary32 and rounded once; a core register as operand is one row of 32 bytes
 * that stands for all rows.
 */
#include "isa/sem.h"
#include "tile/alu.h"
#include "tile/vector.h"

/* Operations that a format does not have: shifts of floats, arithmetic on bytes. */
static bool
is_possible(const struct ventus_tile_insn *in)
{
    bool integer = in->fmt == VENTUS_TILE_CVTFMT_I32;
    switch (in->op) {
    case VENTUS_TILE_ALU1:
        return alu1_is_possible(in);
    case VENTUS_TILE_CVT:
        return cvt_is_possible(in);
    case VENTUS_TILE_ALU2_T:
    case VENTUS_TILE_ALU2_VW:
    case VENTUS_TILE_ALU2_VH:
    case VENTUS_TILE_ALU2_FW:
    case VENTUS_TILE_ALU2_FH:
        return integer || in->func <= VENTUS_TILE_OP2_XOR ||
               (in->func >= VENTUS_TILE_OP2_SEQ &&
                in->func <= VENTUS_TILE_OP2_SLE);
    }
    return true;
}

/* tquant: the part must be there in a row of that format. */
static bool
part_fits(const struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    if (in->op < VENTUS_TILE_ALU3_T || in->func != VENTUS_TILE_OP3_QUANT)
        return true;
    return (op->tqcfg & 3) < number_size((enum ventus_tile_cvtfmt)in->fmt);
}

enum thread_result
capture_alu(struct tile_thread *t, struct thread_op *op)
{
    const struct hart *h = &t->hart;
    const struct ventus_tile_insn *in = &op->in;
    uint32_t flags = ventus_tile_flags_of(in);
    if (!is_possible(in) || !part_fits(op))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    unsigned size = number_size((enum ventus_tile_cvtfmt)in->fmt);
    if (flags & VENTUS_TILE_F_VECTOR) {
        if (h->vtype >> 31)
            return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
        memcpy(op->vector.bytes, h->v[in->va], VENTUS_TILE_ROW_B);
    }
    if (flags & VENTUS_TILE_F_FLOAT)
        for (unsigned at = 0; at < VENTUS_TILE_ROW_B; at += size)
            memcpy(op->vector.bytes + at, &h->f[in->va], size);
    return THREAD_DONE;
}

/* ---- two operands -------------------------------------------------------- */

static uint32_t
float_result(unsigned func, uint32_t a, uint32_t b, unsigned *flags)
{
    switch (func) {
    case VENTUS_TILE_OP2_ADD:
        return fp32_add(a, b, FP_RNE, flags);
    case VENTUS_TILE_OP2_SUB:
        return fp32_sub(a, b, FP_RNE, flags);
    case VENTUS_TILE_OP2_MUL:
        return fp32_mul(a, b, FP_RNE, flags);
    case VENTUS_TILE_OP2_DIV:
        return fp32_div(a, b, FP_RNE, flags);
    case VENTUS_TILE_OP2_MIN:
        return fp32_min(a, b, flags);
    }
    return fp32_max(a, b, flags);
}

static uint32_t
float_compare(unsigned func, uint32_t a, uint32_t b, unsigned *flags)
{
    switch (func) {
    case VENTUS_TILE_OP2_SEQ:
        return fp32_eq(a, b, flags) ? ~0u : 0;
    case VENTUS_TILE_OP2_SNE:
        return fp32_eq(a, b, flags) ? 0 : ~0u;
    case VENTUS_TILE_OP2_SLT:
        return fp32_lt(a, b, flags) ? ~0u : 0;
    }
    return fp32_le(a, b, flags) ? ~0u : 0;
}

static uint32_t
float_op(const struct ventus_tile_insn *in, uint32_t a, uint32_t b,
         unsigned *flags)
{
    enum ventus_tile_cvtfmt format = (enum ventus_tile_cvtfmt)in->fmt;
    switch (in->func) {
    case VENTUS_TILE_OP2_AND:
        return a & b;
    case VENTUS_TILE_OP2_OR:
        return a | b;
    case VENTUS_TILE_OP2_XOR:
        return a ^ b;
    }
    a = alu_single(format, a);
    b = alu_single(format, b);
    if (in->func >= VENTUS_TILE_OP2_SEQ)
        return float_compare(in->func, a, b, flags);
    return number_from_f32(format, float_result(in->func, a, b, flags), flags);
}

/* Compares give all bits (isa/sem.h: 0 or 1). */
static uint32_t
integer_op(unsigned func, uint32_t a, uint32_t b)
{
    switch ((enum ventus_tile_op2)func) {
    case VENTUS_TILE_OP2_ADD:
        return sem_add_32(a, b);
    case VENTUS_TILE_OP2_SUB:
        return sem_sub_32(a, b);
    case VENTUS_TILE_OP2_MUL:
        return sem_mul_32(a, b);
    case VENTUS_TILE_OP2_DIV:
        return sem_div_32(a, b);
    case VENTUS_TILE_OP2_MIN:
        return sem_min_32(a, b);
    case VENTUS_TILE_OP2_MAX:
        return sem_max_32(a, b);
    case VENTUS_TILE_OP2_AND:
        return sem_and_32(a, b);
    case VENTUS_TILE_OP2_OR:
        return sem_or_32(a, b);
    case VENTUS_TILE_OP2_XOR:
        return sem_xor_32(a, b);
    case VENTUS_TILE_OP2_SLL:
        return sem_sll_32(a, b);
    case VENTUS_TILE_OP2_SRL:
        return sem_srl_32(a, b);
    case VENTUS_TILE_OP2_SRA:
        return sem_sra_32(a, b);
    case VENTUS_TILE_OP2_SEQ:
        return 0 - sem_seq_32(a, b);
    case VENTUS_TILE_OP2_SNE:
        return 0 - sem_sne_32(a, b);
    case VENTUS_TILE_OP2_SLT:
        return 0 - sem_slt_32(a, b);
    case VENTUS_TILE_OP2_SLE:
        return 0 - sem_sle_32(a, b);
    case VENTUS_TILE_OP2_SLTU:
        return 0 - sem_sltu_32(a, b);
    case VENTUS_TILE_OP2_SLEU:
        return 0 - sem_sleu_32(a, b);
    case VENTUS_TILE_OP2_MINU:
        return sem_minu_32(a, b);
    case VENTUS_TILE_OP2_MAXU:
        return sem_maxu_32(a, b);
    }
    return 0;
}

static const uint8_t *
second(struct tile_thread *t, const struct thread_op *op, unsigned *wrap)
{
    *wrap = alu_reads_core(&op->in) ? VENTUS_TILE_ROW_B : VENTUS_TILE_B;
    return alu_reads_core(&op->in) ? op->vector.bytes : t->tr[op->in.ts2];
}

enum thread_result
unit_alu2(struct tile_thread *t, struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    enum ventus_tile_cvtfmt format = (enum ventus_tile_cvtfmt)in->fmt;
    unsigned size = number_size(format), wrap, flags = 0;
    const uint8_t *s2 = second(t, op, &wrap);
    for (unsigned at = 0; at < VENTUS_TILE_B; at += size) {
        if (!(op->tmask >> at / VENTUS_TILE_ROW_B & 1))
            continue;
        uint32_t a = alu_get(t->tr[in->ts1], at, size);
        uint32_t b = alu_get(s2, at % wrap, size);
        a = in->neg1 ? alu_negate(format, a) : a;
        b = in->neg2 ? alu_negate(format, b) : b;
        uint32_t x = number_is_float(format) ? float_op(in, a, b, &flags)
                                             : integer_op(in->func, a, b);
        memcpy(t->tr[in->td] + at, &x, size);
    }
    t->tfcsr |= flags;
    return THREAD_DONE;
}

/* ---- three operands ------------------------------------------------------ */

static uint32_t
multiply_add(const struct ventus_tile_insn *in, uint32_t a, uint32_t b,
             uint32_t c, unsigned *flags)
{
    enum ventus_tile_cvtfmt format = (enum ventus_tile_cvtfmt)in->fmt;
    bool negate = in->func == VENTUS_TILE_OP3_NMAD;
    if (format == VENTUS_TILE_CVTFMT_I32)
        return negate ? sem_nmsac_32(a, b, c) : sem_macc_32(a, b, c);
    uint32_t x = fp32_fma(alu_single(format, a), alu_single(format, b),
                          alu_single(format, c), negate ? FP_NEG_PRODUCT : 0,
                          FP_RNE, flags);
    return number_from_f32(format, x, flags);
}

/* A fused multiply-add in binary32, then rounded to the type in tqcfg. */
static uint8_t
quantise(const struct thread_op *op, uint32_t a, uint32_t b, uint32_t c,
         unsigned *flags)
{
    static const enum ventus_tile_cvtfmt types[4] = { VENTUS_TILE_CVTFMT_I8,
                                                      VENTUS_TILE_CVTFMT_U8,
                                                      VENTUS_TILE_CVTFMT_E4M3,
                                                      VENTUS_TILE_CVTFMT_E5M2 };
    enum ventus_tile_cvtfmt format = (enum ventus_tile_cvtfmt)op->in.fmt;
    if (format == VENTUS_TILE_CVTFMT_I32)
        a = fp32_from_int((int32_t)a, FP_RNE, flags);
    else
        a = alu_single(format, a);
    uint32_t y = fp32_fma(a, alu_single(format, b), alu_single(format, c), 0,
                          FP_RNE, flags);
    return (uint8_t)number_narrow(
        types[op->tqcfg >> 2 & 3], fp64_from_fp32(y, flags),
        (struct number_rounding){ FP_RNE, true, flags });
}

enum thread_result
unit_alu3(struct tile_thread *t, struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    unsigned size = number_size((enum ventus_tile_cvtfmt)in->fmt), wrap,
             flags = 0;
    unsigned columns = VENTUS_TILE_ROW_B / size;
    const uint8_t *s2 = second(t, op, &wrap);
    uint8_t made[VENTUS_TILE_B];
    memcpy(made, t->tr[in->td], sizeof made);
    for (unsigned at = 0; at < VENTUS_TILE_B; at += size) {
        unsigned row = at / VENTUS_TILE_ROW_B,
                 column = at % VENTUS_TILE_ROW_B / size;
        if (!(op->tmask >> row & 1))
            continue;
        uint32_t a = alu_get(t->tr[in->ts1], at, size);
        uint32_t b = alu_get(s2, at % wrap, size);
        uint32_t c = alu_get(t->tr[in->ts3], at, size), x;
        if (in->func == VENTUS_TILE_OP3_QUANT) {
            unsigned to = (unsigned)(op->tqcfg & 3) * columns + column;
            made[row * VENTUS_TILE_ROW_B + to] = quantise(op, a, b, c, &flags);
            continue;
        }
        x = in->func == VENTUS_TILE_OP3_SEL ? (a ? b : c)
                                            : multiply_add(in, a, b, c, &flags);
        memcpy(made + at, &x, size);
    }
    memcpy(t->tr[in->td], made, sizeof made);
    t->tfcsr |= flags;
    return THREAD_DONE;
}
