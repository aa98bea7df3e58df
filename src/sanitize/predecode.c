/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of an instruction that the run loop needs, found once for a launch. */
#include "sanitize/state.h"

static bool
has_pairs(const struct sim_op *op, const struct sanitize_operands *o)
{
    bool pairs = !o->fixed && op->mods & MOD_PAIR;
    for (unsigned slot = 0; slot < 4; slot++)
        pairs |= o->fixed ? o->pair[slot] : o->twice[slot];
    return pairs;
}

static enum quick_way
way_of(const struct sim_op *op, const struct sanitize_operands *o)
{
    bool masked = o->v0 || op->slow & SLOW_MASK;
    if (!op->code || has_pairs(op, o) || (masked && o->v3))
        return QUICK_NONE;
    switch ((enum sanitize_rule)o->rule) {
    case RULE_NONE:
    case RULE_ANY:
    case RULE_AND:
    case RULE_OR:
    case RULE_SAME:
    case RULE_MERGE:
    case RULE_BRANCH:
        return QUICK_VALUES;
    case RULE_HINT:
        return op->d == X_SINK ? QUICK_NONE : QUICK_VALUES;
    case RULE_CSR:
        return op->aux == VENTUS_ISA_CSR_PRINT ||
                       op->aux == VENTUS_ISA_CSR_RPC || csr_counts(op->aux)
                   ? QUICK_NONE
                   : QUICK_VALUES;
    case RULE_MEMORY:
    case RULE_FENCE:
    case RULE_BARRIER:
        break;
    }
    return QUICK_NONE;
}

static uint64_t
bits_from(unsigned r, unsigned n)
{
    uint64_t bits = r < SIM_XREGS ? ((UINT64_C(1) << n) - 1) << r : 0;
    return bits & ~UINT64_C(1); /* x0 */
}

/* The registers whose values have to be known. */
static void
find_values(struct sanitize_quick *q, const struct sim_op *op,
            const struct sanitize_operands *o)
{
    const bool vector[] = { o->vd, o->v1, o->v2, o->v3 };
    const unsigned r[] = { op->d, op->s1, sanitize_vector_2(op, o), op->s3 };
    for (unsigned i = 0; i < 4; i++)
        q->v[i] = (uint16_t)(vector[i] ? r[i] : SANITIZE_NO_VECTOR);
    if (o->v0 || op->slow & SLOW_MASK)
        q->v[3] = 0;
}

/* Scalar registers; of what has pairs they may be any. */
static void
find_scalars(struct sanitize_quick *q, const struct sim_op *op,
             const struct sanitize_operands *o)
{
    unsigned words = op->width > 1 ? op->width : 1;
    bool any = has_pairs(op, o) || o->atomic || !op->code;
    bool rpc = op->code == VENTUS_ISA_SETRPC ||
               (o->rule == RULE_CSR && op->aux == VENTUS_ISA_CSR_RPC);
    uint64_t reads = (o->x1 ? bits_from(op->s1, 1) : 0) |
                     (o->x2 ? bits_from(op->s2, 1) : 0) |
                     (o->x3 ? bits_from(op->s3, 1) : 0);
    q->writes = o->xd ? bits_from(op->d, words) : 0;
    q->values = reads | q->writes;
    if (rpc)
        q->writes |= QUICK_RPC_BIT;
    if (any)
        q->writes = UINT64_MAX;
    q->touches = reads | q->writes;
}

/* Where an access has its addresses: x[s1] + imm, v[s1] + imm, or x[s1] + v[s2]. */
enum quick_shape
sanitize_shape(const struct sim_op *op, const struct sanitize_operands *o)
{
    if (o->rule != RULE_MEMORY || op->space || op->width > 1 ||
        op->aux & MEM_WIDE_ADDRESS)
        return SHAPE_OTHER;
    if (mem_mode_of(op->code) == MODE_OFFSET && !o->atomic)
        return op->aux & MEM_SCALAR ? SHAPE_SCALAR
               : o->v1              ? SHAPE_OFFSET
                                    : SHAPE_OTHER;
    if (mem_mode_of(op->code) == MODE_INDEX && o->x1 && o->v2)
        return SHAPE_INDEXED;
    return SHAPE_OTHER;
}

const struct sanitize_quick *
sanitize_quick_find(struct sanitize *c, const struct sim_warp *w,
                    const struct sim_op *op)
{
    static const struct sanitize_quick none = { .touches = UINT64_MAX,
                                                .writes = UINT64_MAX,
                                                .branches = true };
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    struct sanitize_quick *q = sanitize_quick_row(c, op);
    if (w->grouped) /* each instruction is two */
        return &none;
    q->op = op;
    q->way = (uint8_t)way_of(op, o);
    q->branches = o->rule == RULE_BRANCH;
    q->masked = op->slow & SLOW_MASK;
    q->shape = (uint8_t)sanitize_shape(op, o);
    find_scalars(q, op, o);
    find_values(q, op, o);
    for (unsigned i = 0; !(c->options.kinds & SANITIZE_INIT) && i < 4; i++)
        q->v[i] = SANITIZE_NO_VECTOR;
    if (c->options.kinds & SANITIZE_SCALAR)
        sanitize_declared(c, w, op, o);
    return q;
}
