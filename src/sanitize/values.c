/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that nothing has written, in registers: a bit for each lane of a
 * vector register, one for each scalar register.  Copying such a value or
 * computing with it is no mistake, so these only propagate the bit; a branch that
 * depends on such a value is reported.
 *
 * The bits of a register have no separate states, but for bit 0: compares give 0 or 1, and
 * the optimiser makes `or` and `and` of them.  A word is unknown if all bytes that were
 * loaded are; `and` and `or` know the results that one operand decides.
 */
#include <assert.h>

#include "abi/hints.h"
#include "sanitize/state.h"

static uint64_t
vector_unknown(const struct sanitize_warp *k, unsigned r, bool pair)
{
    return k->unknown[r] | (pair && r % 2 == 0 ? k->unknown[r + 1] : 0);
}

static uint64_t
scalar_unknown(const struct sanitize_warp *k, unsigned r, bool pair)
{
    bool unknown = sanitize_x_is_unknown(k, r) ||
                   (pair && r && r % 2 == 0 &&
                    sanitize_x_is_unknown(k, r + 1)); /* x0: a pair of 0 */
    return unknown ? UINT64_MAX : 0;
}

/* The lanes in which the operand of a slot is unknown. */
static uint64_t
source_1(const struct sanitize_warp *k, const struct sim_op *op,
         const struct sanitize_operands *o)
{
    return o->v1 ? vector_unknown(k, op->s1,
                                  sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_1))
           : o->x1
               ? scalar_unknown(k, op->s1,
                                sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_1))
               : 0;
}

static uint64_t
source_2(const struct sanitize_warp *k, const struct sim_op *op,
         const struct sanitize_operands *o)
{
    return o->v2 ? vector_unknown(k, sanitize_vector_2(op, o),
                                  sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_2))
           : o->x2
               ? scalar_unknown(k, op->s2,
                                sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_2))
               : 0;
}

static uint64_t
source_3(const struct sanitize_warp *k, const struct sim_op *op,
         const struct sanitize_operands *o)
{
    return o->v3 ? vector_unknown(k, op->s3,
                                  sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_3))
           : o->x3
               ? scalar_unknown(k, op->s3,
                                sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_3))
               : 0;
}

/* ---- what one operand decides ---- */

static uint32_t
value_1(const struct sim_warp *w, const struct sim_op *op,
        const struct sanitize_operands *o, unsigned lane)
{
    return o->v1   ? w->v[(size_t)op->s1 * w->lanes + lane]
           : o->x1 ? w->x[op->s1]
                   : (uint32_t)op->imm;
}

static uint32_t
value_2(const struct sim_warp *w, const struct sim_op *op,
        const struct sanitize_operands *o, unsigned lane)
{
    return o->v2   ? w->v[(size_t)sanitize_vector_2(op, o) * w->lanes + lane]
           : o->x2 ? w->x[op->s2]
                   : (uint32_t)op->imm;
}

/* Lanes of an operand of which only bit 0 may be unknown. */
static uint64_t
bit_0_of(const struct sanitize_warp *k, bool vector, bool scalar, unsigned r,
         uint64_t unknown)
{
    if (vector)
        return ~unknown | k->bit_0[r];
    bool only = scalar && r < SIM_XREGS && k->x_bit_0 >> r & 1;
    return only ? UINT64_MAX : ~unknown;
}

static uint64_t
bit_0_of_both(const struct sanitize_warp *k, const struct sim_op *op,
              const struct sanitize_operands *o, uint64_t u1, uint64_t u2)
{
    unsigned v2 = o->v2 ? sanitize_vector_2(op, o) : op->s2;
    return bit_0_of(k, o->v1, o->x1, op->s1, u1) &
           bit_0_of(k, o->v2, o->x2, v2, u2);
}

/* Lanes that `and` (decides: 0) and `or` (all ones) leave unknown, by bit 0 where only it is
 * unknown. */
static uint64_t
undecided(const struct sim_warp *w, const struct sanitize_warp *k,
          const struct sim_op *op, const struct sanitize_operands *o,
          uint64_t u1, uint64_t u2, uint32_t decides)
{
    uint64_t result = u1 & u2, bit_0 = bit_0_of_both(k, op, o, u1, u2);
    for (uint64_t rest = u1 ^ u2; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        unsigned at = lane < w->lanes ? lane : 0;
        uint32_t known =
            u1 >> lane & 1 ? value_2(w, op, o, at) : value_1(w, op, o, at);
        uint32_t open = bit_0 >> lane & 1 ? 1 : UINT32_MAX;
        if ((known ^ decides) & open)
            result |= UINT64_C(1) << lane;
    }
    return result;
}

static bool
is_same(const struct sim_op *op, const struct sanitize_operands *o)
{
    return op->s1 == op->s2 && ((o->v1 && o->v2) || (o->x1 && o->x2));
}

/* The lanes in which the result is unknown. */
static uint64_t
result_of(const struct sim_warp *w, const struct sanitize_warp *k,
          const struct sim_op *op, const struct sanitize_operands *o)
{
    uint64_t u1 = source_1(k, op, o), u2 = source_2(k, op, o);
    uint64_t others = source_3(k, op, o) | (o->v0 ? k->unknown[0] : 0);
    uint64_t on = 0;
    if (op->slow & SLOW_MASK)
        others |= k->unknown[0];
    switch ((enum sanitize_rule)o->rule) {
    case RULE_AND:
        return others | undecided(w, k, op, o, u1, u2, 0);
    case RULE_OR:
        return others | undecided(w, k, op, o, u1, u2, UINT32_MAX);
    case RULE_SAME:
        return is_same(op, o) ? others : others | u1 | u2;
    case RULE_MERGE:
        on = warp_vm_lanes(w);
        return others | (u1 & on) | (u2 & ~on);
    case RULE_NONE:
    case RULE_CSR:
    case RULE_ANY:
    case RULE_BRANCH:
    case RULE_MEMORY:
    case RULE_FENCE:
    case RULE_BARRIER:
    case RULE_HINT:
        break;
    }
    return others | u1 | u2;
}

/* The lanes in which only bit 0 of the result may be unknown. */
static uint64_t
bit_0_of_result(const struct sanitize_warp *k, const struct sim_op *op,
                const struct sanitize_operands *o)
{
    uint64_t u1 = source_1(k, op, o);
    bool copies = o->moves || (op->code == VENTUS_ISA_ADDI && !op->imm);
    if (o->compares)
        return UINT64_MAX;
    if (o->bits)
        return bit_0_of_both(k, op, o, u1, source_2(k, op, o));
    return copies ? bit_0_of(k, o->v1, o->x1, op->s1, u1) : 0;
}

/* ---- around the call ---- */

/* The registers are known from now on: the mistake is reported once. */
static void
make_known(struct sanitize_warp *k, const struct sim_op *op,
           const struct sanitize_operands *o, uint64_t lanes)
{
    unsigned n1 = sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_1) ? 2 : 1;
    unsigned n2 = sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_2) ? 2 : 1;
    for (unsigned i = 0; i < n1; i++) {
        if (o->v1)
            k->unknown[op->s1 + i] &= ~lanes;
        if (o->x1)
            sanitize_set_x(k, op->s1 + i, false);
    }
    for (unsigned i = 0; i < n2; i++) {
        if (o->v2)
            k->unknown[op->s2 + i] &= ~lanes;
        if (o->x2)
            sanitize_set_x(k, op->s2 + i, false);
    }
}

void
sanitize_uninit(struct sanitize *c, const struct sim_warp *w,
                const struct sim_op *op, enum sanitize_what what,
                uint64_t lanes)
{
    assert(lanes);
    sanitize_note(c, w,
                  &(struct sanitize_finding){
                      .what = what,
                      .here = sanitize_party(w, op, __builtin_ctzll(lanes)),
                  });
}

static bool
is_bounds_hint(const struct sim_warp *w, uint32_t pc)
{
    const struct sim_code_page *p = w->page;
    const size_t i = (pc - p->base) / 4;
    const enum sanitize_what what =
        i < p->n ? sanitize_hint_says(&p->ops[i]) : SANITIZE_WHATS;
    return what != SANITIZE_WHATS && what != SANITIZE_DIVIDE;
}

/* A branch beside a hint of -fcheck-bounds is not the source's: it compares an index. */
static bool
compares_index(const struct sim_warp *w, const struct sim_op *op)
{
    const struct sim_code_page *p = w->page;
    const size_t i = p ? (op->pc - p->base) / 4 : 0;
    struct ventus_isa_insn in;
    if (!p || i >= p->n)
        return false;
    ventus_isa_decode_word(w->worker->sim->config.isa, p->words[i], &in);
    return is_bounds_hint(w, op->pc + 4) ||
           is_bounds_hint(w, op->pc + (uint32_t)in.imm);
}

static void
branch(struct sanitize *c, struct sim_warp *w, struct sanitize_warp *k,
       const struct sim_op *op, const struct sanitize_operands *o)
{
    uint64_t unknown = (source_1(k, op, o) | source_2(k, op, o)) & w->exec;
    if (!unknown)
        return;
    sanitize_uninit(c, w, op,
                    compares_index(w, op) ? SANITIZE_UNINIT_ADDRESS
                                          : SANITIZE_UNINIT_BRANCH,
                    unknown);
    make_known(k, op, o, unknown);
}

static void
set_result(struct sanitize_warp *k, const struct sim_op *op,
           const struct sanitize_operands *o, uint64_t lanes, uint64_t unknown,
           uint64_t bit_0)
{
    bool pair = sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_D) && op->d % 2 == 0;
    if (pair)
        bit_0 = 0;
    if (o->vd) {
        k->unknown[op->d] = (k->unknown[op->d] & ~lanes) | (unknown & lanes);
        k->bit_0[op->d] = (k->bit_0[op->d] & ~lanes) | (bit_0 & lanes);
        if (pair)
            k->bit_0[op->d + 1] &= ~lanes;
        if (pair)
            k->unknown[op->d + 1] =
                (k->unknown[op->d + 1] & ~lanes) | (unknown & lanes);
    } else if (o->xd) {
        /* A vector's lane is read, and it is not known which. */
        bool all = unknown && (unknown & lanes) == lanes;
        sanitize_set_x(k, op->d, all);
        if (all && (bit_0 & lanes) == lanes && op->d < SIM_XREGS)
            k->x_bit_0 |= UINT64_C(1) << op->d;
        if (pair)
            sanitize_set_x(k, op->d + 1u, all);
    }
}

void
sanitize_unwritten(struct sanitize *c, struct sim_warp *w,
                   const struct sim_op *op)
{
    if (c->options.kinds & SANITIZE_INIT && op->code == VENTUS_ISA_SLTI &&
        op->s1 && op->imm == HINT_UNWRITTEN)
        sanitize_set_x(sanitize_warp_of(w), op->s1, true);
}

const struct sim_op *
sanitize_values(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
                const struct sanitize_operands *o)
{
    struct sanitize_warp *k = sanitize_warp_of(w);
    uint64_t unknown = 0, bit_0 = 0, lanes;
    if (!(c->options.kinds & SANITIZE_INIT) || !op->code)
        return sanitize_call(w, op);
    k->sew_32 = w->sew == 32;
    if (o->rule == RULE_BRANCH)
        branch(c, w, k, op, o);
    else if (o->rule != RULE_NONE && o->rule != RULE_CSR)
        unknown = result_of(w, k, op, o);
    if (unknown)
        bit_0 = bit_0_of_result(k, op, o);
    /* The mask may change with v0, which may be the destination. */
    if (unknown ||
        (o->vd && (k->unknown[op->d] ||
                   sanitize_is_pair(k, op, o, VENTUS_ISA_SLOT_D))) ||
        o->xd) {
        lanes = o->vector ? warp_op_lanes(w, op) : UINT64_MAX;
        if (w->grouped) /* two registers a lane: not followed */
            unknown = 0;
        set_result(k, op, o, lanes, unknown, bit_0);
    }
    return sanitize_call(w, op);
}
