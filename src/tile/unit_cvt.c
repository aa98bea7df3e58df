/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile arithmetic with one operand: special functions, reductions, transpose
 * and conversion (docs/tile.md, Arithmetic).
 *
 * Special functions are those of the C library in binary64, rounded to the
 * element: within 2 units in the last place of the exact result.
 */
#include <assert.h>
#include <math.h>

#include "isa/sem.h"
#include "tile/alu.h"

enum { ROWS = VENTUS_TILE_ROWS, ROW = VENTUS_TILE_ROW_B };

bool
alu1_is_possible(const struct ventus_tile_insn *in)
{
    enum ventus_tile_cvtfmt format = (enum ventus_tile_cvtfmt)in->fmt;
    bool moves = in->func == VENTUS_TILE_OP1_MOV ||
                 in->func == VENTUS_TILE_OP1_NOT ||
                 in->func == VENTUS_TILE_OP1_TRN;
    if (number_size(format) == 1)
        return moves;
    if (format == VENTUS_TILE_CVTFMT_I32)
        return in->func <= VENTUS_TILE_OP1_RELU ||
               in->func >= VENTUS_TILE_OP1_RSUM;
    return true;
}

bool
cvt_is_possible(const struct ventus_tile_insn *in)
{
    unsigned from = number_size((enum ventus_tile_cvtfmt)in->fmt);
    unsigned to = number_size((enum ventus_tile_cvtfmt)in->dfmt);
    unsigned parts = from > to ? from / to : to / from;
    return in->part < parts;
}

/* ---- special functions --------------------------------------------------- */

static double
function(unsigned func, double x)
{
    switch (func) {
    case VENTUS_TILE_OP1_EXP:
        return exp(x);
    case VENTUS_TILE_OP1_EXP2:
        return exp2(x);
    case VENTUS_TILE_OP1_LN:
        return log(x);
    case VENTUS_TILE_OP1_LOG2:
        return log2(x);
    case VENTUS_TILE_OP1_SQRT:
        return sqrt(x);
    case VENTUS_TILE_OP1_RSQRT:
        return 1 / sqrt(x);
    case VENTUS_TILE_OP1_RCP:
        return 1 / x;
    case VENTUS_TILE_OP1_SIN:
        return sin(x);
    case VENTUS_TILE_OP1_COS:
        return cos(x);
    case VENTUS_TILE_OP1_TANH:
        return tanh(x);
    case VENTUS_TILE_OP1_SIGM:
        return 1 / (1 + exp(-x));
    case VENTUS_TILE_OP1_ERF:
        return erf(x);
    case VENTUS_TILE_OP1_FLOOR:
        return floor(x);
    case VENTUS_TILE_OP1_CEIL:
        return ceil(x);
    case VENTUS_TILE_OP1_RINT:
        return rint(x);
    }
    return trunc(x);
}

static uint32_t
float_op(unsigned func, enum ventus_tile_cvtfmt format, uint32_t x,
         unsigned *flags)
{
    uint32_t sign = 1u << (8 * number_size(format) - 1);
    uint64_t wide = number_widen(format, x);
    struct number_rounding nearest = { FP_RNE, false, flags };
    switch (func) {
    case VENTUS_TILE_OP1_ABS:
        return x & ~sign;
    case VENTUS_TILE_OP1_RELU: /* a NaN stays one */
        if (!fp64_is_nan(wide))
            return x & sign ? 0 : x;
        return number_narrow(format, wide, nearest);
    }
    double y = function(func, number_double(wide));
    return number_narrow(format, number_bits64(y), nearest);
}

static uint32_t
element_op(const struct ventus_tile_insn *in, uint32_t x, unsigned *flags)
{
    enum ventus_tile_cvtfmt format = (enum ventus_tile_cvtfmt)in->fmt;
    if (in->func == VENTUS_TILE_OP1_MOV)
        return x;
    if (in->func == VENTUS_TILE_OP1_NOT)
        return ~x;
    if (number_is_float(format))
        return float_op(in->func, format, x, flags);
    return in->func == VENTUS_TILE_OP1_ABS ? sem_abs_32(x) : sem_max_32(x, 0);
}

/* ---- reductions ---------------------------------------------------------- */

/* kind: 0 sum, 1 max, 2 min; floats as binary32, rounded at the end only. */
static uint32_t
reduce(unsigned kind, bool is_float, uint32_t a, uint32_t b, unsigned *flags)
{
    assert(kind <= 2);
    if (is_float)
        return kind == 0   ? fp32_add(a, b, FP_RNE, flags)
               : kind == 1 ? fp32_max(a, b, flags)
                           : fp32_min(a, b, flags);
    return kind == 0   ? sem_add_32(a, b)
           : kind == 1 ? sem_max_32(a, b)
                       : sem_min_32(a, b);
}

/* The elements of line l, `count` of them, `step` bytes apart. */
static uint32_t
reduce_line(const struct ventus_tile_insn *in, const uint8_t *from,
            unsigned count, unsigned step, uint64_t active, unsigned *flags)
{
    enum ventus_tile_cvtfmt format = (enum ventus_tile_cvtfmt)in->fmt;
    unsigned size = number_size(format), kind = in->func & 3;
    assert((count - 1) * step + size <= VENTUS_TILE_B);
    bool any = false;
    uint32_t sum = 0;
    for (unsigned e = 0; e < count; e++) {
        if (!(active >> e & 1))
            continue;
        uint32_t x = alu_single(format, alu_get(from, e * step, size));
        sum = any ? reduce(kind, number_is_float(format), sum, x, flags) : x;
        any = true;
    }
    return number_is_float(format) ? number_from_f32(format, sum, flags) : sum;
}

static void
reduce_tile(const struct thread_op *op, const uint8_t *from, uint8_t *to,
            unsigned *flags)
{
    const struct ventus_tile_insn *in = &op->in;
    unsigned size = number_size((enum ventus_tile_cvtfmt)in->fmt);
    unsigned columns = ROW / size;
    bool by_column = in->func >= VENTUS_TILE_OP1_CSUM;
    for (unsigned l = 0; l < (by_column ? columns : ROWS); l++) {
        uint32_t x = by_column ? reduce_line(in, from + l * size, ROWS, ROW,
                                             op->tmask, flags)
                               : reduce_line(in, from + l * ROW, columns, size,
                                             ~UINT64_C(0), flags);
        for (unsigned e = 0; e < (by_column ? ROWS : columns); e++)
            memcpy(to + (by_column ? e * ROW + l * size : l * ROW + e * size),
                   &x, size);
    }
}

/* ---- transpose ----------------------------------------------------------- */

/* 8 rows of C elements become C rows of 8, side by side in the 256 bytes. */
static void
transpose(const uint8_t *from, uint8_t *to, unsigned size)
{
    unsigned columns = ROW / size;
    for (unsigned r = 0; r < ROWS; r++)
        for (unsigned c = 0; c < columns; c++)
            memcpy(to + (c * ROWS + r) * size, from + (r * columns + c) * size,
                   size);
}

/* ---- instructions -------------------------------------------------------- */

/* The operand, negated if need be: a copy, so that td may be ts1. */
static void
operand(struct tile_thread *t, const struct ventus_tile_insn *in, uint8_t *out)
{
    enum ventus_tile_cvtfmt format = (enum ventus_tile_cvtfmt)in->fmt;
    unsigned size = number_size(format);
    memcpy(out, t->tr[in->ts1], VENTUS_TILE_B);
    for (unsigned at = 0; in->neg1 && at < VENTUS_TILE_B; at += size) {
        uint32_t x = alu_negate(format, alu_get(out, at, size));
        memcpy(out + at, &x, size);
    }
}

static void
write_rows(struct tile_thread *t, const struct thread_op *op,
           const uint8_t *made)
{
    for (unsigned r = 0; r < ROWS; r++)
        if (op->tmask >> r & 1)
            memcpy(t->tr[op->in.td] + r * ROW, made + r * ROW, ROW);
}

enum thread_result
unit_alu1(struct tile_thread *t, struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    unsigned size = number_size((enum ventus_tile_cvtfmt)in->fmt), flags = 0;
    uint8_t from[VENTUS_TILE_B], made[VENTUS_TILE_B];
    operand(t, in, from);
    if (in->func == VENTUS_TILE_OP1_TRN) {
        transpose(from, made, size);
    } else if (in->func >= VENTUS_TILE_OP1_RSUM) {
        reduce_tile(op, from, made, &flags);
    } else {
        for (unsigned at = 0; at < VENTUS_TILE_B; at += size) {
            uint32_t x = 0;
            if (op->tmask >> at / ROW & 1)
                x = element_op(in, alu_get(from, at, size), &flags);
            memcpy(made + at, &x, size);
        }
    }
    write_rows(t, op, made);
    t->tfcsr |= flags;
    return THREAD_DONE;
}

/*
 * Narrowing writes element c of a row to part * columns + c of the narrower
 * row and leaves the rest; widening reads from there.
 */
enum thread_result
unit_cvt(struct tile_thread *t, struct thread_op *op)
{
    static const enum fp_rm modes[4] = { FP_RNE, FP_RTZ, FP_RDN, FP_RUP };
    const struct ventus_tile_insn *in = &op->in;
    enum ventus_tile_cvtfmt sf = (enum ventus_tile_cvtfmt)in->fmt;
    enum ventus_tile_cvtfmt df = (enum ventus_tile_cvtfmt)in->dfmt;
    unsigned ss = number_size(sf), ds = number_size(df), flags = 0;
    unsigned count = ROW / (ss > ds ? ss : ds), part = in->part * count;
    assert(part + count <= ROW / (ss < ds ? ss : ds));
    struct number_rounding how = { modes[in->rm], op->tfcsr >> 9 & 1, &flags };
    uint8_t from[VENTUS_TILE_B], made[VENTUS_TILE_B];
    operand(t, in, from);
    memcpy(made, t->tr[in->td], sizeof made);
    for (unsigned r = 0; r < ROWS; r++) {
        for (unsigned c = 0; c < count && op->tmask >> r & 1; c++) {
            unsigned at = ss < ds ? part + c : c, to = ss > ds ? part + c : c;
            uint64_t x = number_widen(sf, alu_get(from, r * ROW + at * ss, ss));
            uint32_t y = number_narrow(df, x, how);
            memcpy(made + r * ROW + to * ds, &y, ds);
        }
    }
    write_rows(t, op, made);
    t->tfcsr |= flags;
    return THREAD_DONE;
}
