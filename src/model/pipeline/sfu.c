/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency of the SFU (microarchitecture.md, Execution units).  It processes groups of
 * sfu_lanes one after the other, and skips groups without an active lane.  An integer
 * division takes a cycle for each bit of the quotient that the leading zeros of its
 * operands allow; a quotient of floats, and a root, take a fixed time unless an operand
 * is special.  A group takes as long as its slowest lane, active or not; with
 * sfu_idle_ones inactive lanes divide 1 by 1.
 */
#include "model/pipeline/sfu.h"

#include <assert.h>

enum { LANES = 64 };

/* The operands of a division or a root, before it is executed. */
struct division {
    uint32_t dividend[LANES], divisor[LANES];
    bool sign, fp, root;
};

static void
read_operand(const struct step_registers *r, const struct model_op *o,
             unsigned place, unsigned n, uint32_t *to)
{
    bool vector = o->read[place] == READ_VECTOR;
    for (unsigned i = 0; i < n; i++)
        to[i] =
            vector ? r->v[o->reg[place] * r->stride + i] : r->x[o->reg[place]];
}

/* The decoder gives a root an operand in place of a divisor: the pc for lanes, the length of
 * an instruction for a scalar (A1_X = A1_PC, A2_X = A2_SIZE of DecodeUnit.scala). */
static void
set_divisor_of_root(const struct model_op *o, unsigned n, uint32_t *to)
{
    enum { SIZE = 4 };
    for (unsigned i = 0; i < n; i++)
        to[i] = o->vector ? o->pc : SIZE;
}

static unsigned
leading_zeros(uint32_t a)
{
    return a ? (unsigned)__builtin_clz(a) : 0;
}

/* The cycles of a lane's quotient beyond those that every quotient takes. */
static int
quotient_cycles(uint32_t a, uint32_t b, bool sign)
{
    enum { AT_ONCE = -2, SMALL = -1 };
    if (!b || (sign && a == UINT32_C(1) << 31 && b == UINT32_MAX))
        return AT_ONCE;
    a = sign && a >> 31 ? -a : a;
    b = sign && b >> 31 ? -b : b;
    if (a < b)
        return SMALL;
    /* cnt of IntDivMod.scala has five bits: 32 is 0, which takes one cycle. */
    unsigned bits = (leading_zeros(b) - leading_zeros(a) + 1) & 31;
    return bits ? (int)bits : 1;
}

/* Zero, infinite, or no number. */
static bool
is_special(uint32_t a)
{
    enum { EXPONENT = 0xff };
    return !(a << 1) || (a >> 23 & EXPONENT) == EXPONENT;
}

static bool
is_subnormal(uint32_t a)
{
    enum { EXPONENT = 0xff };
    return a << 1 && !(a >> 23 & EXPONENT);
}

/* A special operand needs no iterations; a subnormal one is normalised first, also the
 * divisor that a root has no use for. */
static unsigned
float_cycles(const struct ventus_model_config *c, const struct division *d,
             unsigned i)
{
    enum { AT_ONCE = 2 };
    uint32_t a = d->dividend[i], b = d->divisor[i];
    bool special = is_special(a) || (d->root ? a >> 31 != 0 : is_special(b));
    if (special && c->sfu_fp_cycles > AT_ONCE)
        return AT_ONCE;
    bool subnormal = is_subnormal(a) || is_subnormal(b);
    return c->sfu_fp_cycles + (subnormal ? c->sfu_normal_cycles : 0);
}

/* The cycles of a group of which this is the slowest lane. */
static uint8_t
lane_cycles(const struct ventus_model_config *c, const struct division *d,
            unsigned i)
{
    if (d->fp)
        return (uint8_t)float_cycles(c, d, i);
    return (uint8_t)((int)c->sfu_int_cycles +
                     quotient_cycles(d->dividend[i], d->divisor[i], d->sign));
}

void
sfu_measure(const struct ventus_model_config *c, unsigned lanes,
            const struct step_registers *r, const struct model_op *o,
            uint8_t *cycles)
{
    struct division d = { .sign = o->lat == VENTUS_ISA_LAT_DIV,
                          .fp = o->lat != VENTUS_ISA_LAT_DIV &&
                                o->lat != VENTUS_ISA_LAT_DIVU,
                          .root = o->lat == VENTUS_ISA_LAT_FSQRT };
    assert(o->unit == VENTUS_ISA_UNIT_SFU && lanes <= LANES);
    read_operand(r, o, o->vector ? 1 : 0, lanes, d.dividend);
    if (d.root)
        set_divisor_of_root(o, lanes, d.divisor);
    else
        read_operand(r, o, o->vector ? 0 : 1, lanes, d.divisor);
    for (unsigned i = 0; i < lanes; i++)
        cycles[i] = lane_cycles(c, &d, i);
}

/* A lane that is not active divides 1 by 1: no special case, one bit. */
static unsigned
idle_cycles(const struct ventus_model_config *c, const struct model_op *o)
{
    bool integer =
        o->lat == VENTUS_ISA_LAT_DIV || o->lat == VENTUS_ISA_LAT_DIVU;
    return integer ? c->sfu_int_cycles + 1 : c->sfu_fp_cycles;
}

/* The slowest lane of a group. */
static unsigned
group_cycles(const struct ventus_model_config *c, unsigned lanes,
             const struct inflight *f, const uint8_t *cycles, unsigned first)
{
    unsigned most = 0;
    for (unsigned i = first; i < first + c->sfu_lanes && i < lanes; i++) {
        bool idle = c->sfu_idle_ones && !(f->lanes >> i & 1);
        unsigned n = idle ? idle_cycles(c, f->op) : cycles[i];
        most = n > most ? n : most;
    }
    return most;
}

unsigned
sfu_busy(const struct ventus_model_config *c, unsigned lanes,
         const struct inflight *f, const uint8_t *cycles)
{
    unsigned busy = 0;
    assert(c->sfu_lanes && c->sfu_lanes < 32);
    for (unsigned i = 0; f->op->vector && i < lanes; i += c->sfu_lanes)
        if (f->lanes >> i & (bit_of(c->sfu_lanes) - 1))
            busy += group_cycles(c, lanes, f, cycles, i);
    return (busy ? busy : group_cycles(c, lanes, f, cycles, 0)) + 2;
}
