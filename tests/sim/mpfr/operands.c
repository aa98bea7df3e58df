/* SPDX-License-Identifier: Apache-2.0 */
#include "operands.h"

#include <string.h>

static bool
has_integers(const struct operands *o)
{
    return o->row->op == OP_FROM_INT || o->row->op == OP_FROM_UINT;
}

/* ---- corners ---- */

/* Powers of two, one below, one above, and the negatives. */
static uint64_t
integer_corner(unsigned n)
{
    uint64_t power = UINT64_C(1) << n / 6, x = power + n % 3 - 1;
    return n / 3 % 2 ? 0 - x : x;
}

static uint64_t
corner(const struct operands *o, unsigned n)
{
    if (o->from <= 16 && !o->row->order[1])
        return n;
    if (has_integers(o))
        return integer_corner(n);
    return fp_corner_at(n / 2, o->from) | (uint64_t)(n % 2) << (o->from - 1);
}

static unsigned
corners(const struct operands *o)
{
    if (o->from <= 16 && !o->row->order[1])
        return 1u << o->from; /* all that there are */
    return has_integers(o) ? 6 * o->from : 2 * FP_CORNERS;
}

uint64_t
operands_count(const struct operands *o)
{
    uint64_t n = 1;
    for (unsigned i = 0; o->row->order[i]; i++)
        n *= corners(o);
    return n;
}

void
operands_crossed(const struct operands *o, uint64_t n, uint64_t abc[3])
{
    for (unsigned i = 0; i < 3; i++) {
        abc[i] = corner(o, (unsigned)(n % corners(o)));
        n /= corners(o);
    }
}

/* ---- random ---- */

static int
exponent_of(unsigned width, uint64_t bits)
{
    unsigned frac = fp_frac_bits(width);
    int field = (int)(bits >> frac & ((UINT64_C(1) << (width - 1 - frac)) - 1));
    return field - ((1 << (width - 2 - frac)) - 1);
}

/* Any sign, about this exponent, a fraction with few ones, few zeros or any. */
static uint64_t
with_exponent(struct fp_random *r, unsigned width, int e)
{
    unsigned frac = fp_frac_bits(width);
    int most = (1 << (width - 1 - frac)) - 2;
    int field = e + most / 2;
    uint64_t one = UINT64_C(1) << frac, bits = fp_random(r);
    if (fp_random(r) % 2) {
        bits = UINT64_C(1) << fp_random(r) % frac;
        bits |= UINT64_C(1) << fp_random(r) % frac;
        if (fp_random(r) % 2)
            bits = ~bits;
    }
    field = field < 0 ? 0 : field > most ? most : field;
    return (fp_random(r) & 1) << (width - 1) | (uint64_t)field << frac |
           (bits & (one - 1));
}

static int
within(struct fp_random *r, int least, int most)
{
    return least + (int)(fp_random(r) % (uint64_t)(most - least + 1));
}

/* Where the result is subnormal, or just not any more. */
static int
tiny_exponent(struct fp_random *r, unsigned width)
{
    int frac = (int)fp_frac_bits(width);
    int emin = 2 - (1 << (width - 2 - (unsigned)frac));
    return within(r, emin - frac - 3, emin + 1);
}

/* One operand, whose result of another format or width is near its limits. */
static uint64_t
operand(struct operands *o)
{
    struct fp_random *r = &o->random;
    enum oracle_op op = o->row->op;
    if (has_integers(o)) {
        uint64_t x = (uint64_t)((int64_t)fp_random(r) >> fp_random(r) % 64);
        /* Small multiples of powers of two are halfway more often. */
        return fp_random(r) % 2 ? x : x & ~UINT64_C(0) << fp_random(r) % 64;
    }
    if (fp_random(r) % 2)
        return fp_operand(r, o->from);
    if (op == OP_TO_INT || op == OP_TO_UINT)
        return with_exponent(r, o->from, within(r, -2, (int)o->to));
    if (op == OP_EXP)
        return with_exponent(r, o->from, within(r, -12, 10));
    if (o->to < o->from && fp_random(r) % 2)
        return with_exponent(r, o->from, tiny_exponent(r, o->to));
    if (o->to < o->from)
        return with_exponent(r, o->from,
                             1 << (o->to - 2 - fp_frac_bits(o->to)));
    return fp_operand(r, o->from);
}

/* The other factor of a product, the divisor: their result is near a limit. */
static uint64_t
partner(struct operands *o, uint64_t a)
{
    struct fp_random *r = &o->random;
    bool product =
        o->row->op == OP_MUL || o->row->op == OP_FMA || o->row->op == OP_TENSOR;
    int ea = exponent_of(o->from, a), tiny = tiny_exponent(r, o->from);
    if (product && fp_random(r) % 4 == 0)
        return with_exponent(r, o->from, tiny - ea);
    if (o->row->op == OP_DIV && fp_random(r) % 4 == 0)
        return with_exponent(r, o->from, ea - tiny);
    return fp_partner(r, o->from, a);
}

/* An addend that reaches the product, half of the time about as large. */
static uint64_t
addend(struct operands *o, uint64_t a, uint64_t b)
{
    struct fp_random *r = &o->random;
    int frac = (int)fp_frac_bits(o->from);
    int e = exponent_of(o->from, a) + exponent_of(o->from, b);
    switch (fp_random(r) % 4) {
    case 0:
        return with_exponent(r, o->from, e + within(r, -1, 2));
    case 1:
        return with_exponent(r, o->from,
                             e + within(r, -frac - 2, 2 * frac + 2));
    default:
        return fp_partner(r, o->from, fp_random(r) % 2 ? a : b);
    }
}

void
operands_random(struct operands *o, uint64_t abc[3])
{
    abc[0] = operand(o);
    abc[1] = abc[2] = 0;
    if (!o->row->order[1])
        return;
    abc[1] = partner(o, abc[0]);
    abc[2] = addend(o, abc[0], abc[1]);
}
