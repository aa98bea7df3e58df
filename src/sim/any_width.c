/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer instructions of any width: pairs, narrow elements, ABS, NEG, and the
 * widening forms.
 *
 *   SEW 8, 16   sources are the low bits of their lane, results are written
 *               zero-extended to 32 bits
 *   pair        even registers are 64-bit pairs, odd ones 32-bit: as sources
 *               sign-extended, as destination the low half (manual 4.2.3);
 *               x0 as a pair is 0; without an even register it is as if the
 *               prefix were none (bind.c)
 */
#include "sim/any_width.h"

#include "sim/lanes.h"
#include <assert.h>

typedef void
any_width_fn(struct any_width *a, const uint64_t *x, const uint64_t *y,
             const uint64_t *z);

/* ---- operands ---- */

bool
any_width_is_vector(const struct sim_op *op, enum ventus_isa_slot slot)
{
    const struct ventus_isa_field *f = ventus_isa_slot_field(op->code, slot);
    return f && f->kind == VENTUS_ISA_KIND_V;
}

static uint8_t
slot_register(const struct sim_op *op, enum ventus_isa_slot slot)
{
    switch (slot) {
    case VENTUS_ISA_SLOT_D:
        return op->d;
    case VENTUS_ISA_SLOT_1:
        return op->s1;
    case VENTUS_ISA_SLOT_2:
        return op->s2;
    case VENTUS_ISA_SLOT_3:
        return op->s3;
    }
    return 0;
}

static uint64_t
widen(uint32_t x, unsigned width)
{
    return width == 64 ? (uint64_t)(int32_t)x : x;
}

static uint64_t
read_scalar(const struct sim_warp *w, unsigned r, unsigned width)
{
    if (width == 64 && r % 2 == 0) {
        unsigned pair = r ? r : X_ZERO;
        return join64(w->x[pair], w->x[pair + 1]);
    }
    return widen(w->x[r], width);
}

static void
read_vector(const struct sim_warp *w, unsigned r, unsigned n, unsigned width,
            uint64_t *to)
{
    const uint32_t *lo = w->v + (size_t)r * w->lanes, *hi = lo + w->lanes;
    bool pair = width == 64 && r % 2 == 0;
    for (unsigned i = 0; i < n; i++)
        to[i] = pair ? join64(lo[i], hi[i]) : widen(lo[i], width);
}

void
any_width_read_accumulator(const struct sim_warp *w, const struct sim_op *op,
                           unsigned n, unsigned width, uint64_t *to)
{
    read_vector(w, op->s3, n, width, to);
}

void
any_width_read(const struct sim_warp *w, const struct sim_op *op,
               enum ventus_isa_slot slot, unsigned n, unsigned width,
               uint64_t *to)
{
    const struct ventus_isa_field *f = ventus_isa_slot_field(op->code, slot);
    unsigned r = slot_register(op, slot);
    if (!f) {
        for (unsigned i = 0; i < n; i++)
            to[i] = widen((uint32_t)op->imm, width);
    } else if (f->kind != VENTUS_ISA_KIND_V) {
        uint64_t x = read_scalar(w, r, width);
        for (unsigned i = 0; i < n; i++)
            to[i] = x;
    } else {
        read_vector(w, r, n, width, to);
    }
}

bool
any_width_begin(const struct sim_warp *w, const struct sim_op *op,
                struct any_width *a)
{
    a->vector = any_width_is_vector(op, VENTUS_ISA_SLOT_D);
    a->n = a->vector ? w->lanes : 1;
    a->exec = a->vector ? warp_op_lanes(w, op) : 1;
    a->width = 32;
    if (op->mods & MOD_PAIR)
        a->width = 64;
    else if (a->vector && !(op->mods & MOD_FIXED32))
        a->width = w->sew;
    assert(a->n <= SIM_LANES_MAX && (a->exec & ~first_lanes(a->n)) == 0);
    return a->width != 0;
}

void
any_width_write(struct sim_warp *w, const struct sim_op *op,
                const struct any_width *a)
{
    bool pair = a->width == 64 && op->d % 2 == 0;
    assert(a->vector || op->d + pair < X_COUNT);
    if (!a->vector) {
        w->x[op->d] = (uint32_t)a->r[0];
        if (pair)
            w->x[op->d + 1] = (uint32_t)(a->r[0] >> 32);
        return;
    }
    uint32_t *lo = w->v + (size_t)op->d * w->lanes, *hi = lo + w->lanes;
    for (unsigned i = 0; i < a->n; i++) {
        if (!(a->exec >> i & 1))
            continue;
        lo[i] = (uint32_t)a->r[i];
        if (pair)
            hi[i] = (uint32_t)(a->r[i] >> 32);
    }
}

uint64_t
any_width_modified(uint64_t x, unsigned width, bool abs, bool neg)
{
    assert(width >= 8 && width <= 64);
    uint64_t low = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
    unsigned shift = 64 - width;
    int64_t value = (int64_t)(x << shift) >> shift;
    uint64_t y = (uint64_t)value;
    if (abs && value < 0)
        y = 0 - y;
    if (neg)
        y = 0 - y;
    return y & low;
}

void
any_width_modify(uint64_t *x, unsigned n, unsigned width, bool abs, bool neg)
{
    for (unsigned i = 0; (abs || neg) && i < n; i++)
        x[i] = any_width_modified(x[i], width, abs, neg);
}

void
any_width_modify_int(const struct sim_op *op, struct any_width *a)
{
    uint64_t *source[3] = { a->s1, a->s2, a->s3 };
    for (unsigned s = 0; s < 3; s++)
        any_width_modify(source[s], a->n, a->width, op->mods & (MOD_ABS << s),
                         op->mods & (MOD_NEG << s));
}

/* ---- operations ---- */

#define TWO(name, W, T)                                            \
    static void name##_##W(struct any_width *a, const uint64_t *x, \
                           const uint64_t *y, const uint64_t *z)   \
    {                                                              \
        (void)z;                                                   \
        for (unsigned i = 0; i < a->n; i++)                        \
            a->r[i] = sem_##name##_##W((T)x[i], (T)y[i]);          \
    }
#define THREE(name, W, T)                                          \
    static void name##_##W(struct any_width *a, const uint64_t *x, \
                           const uint64_t *y, const uint64_t *z)   \
    {                                                              \
        for (unsigned i = 0; i < a->n; i++)                        \
            a->r[i] = sem_##name##_##W((T)x[i], (T)y[i], (T)z[i]); \
    }
#define X(name)           \
    TWO(name, 8, uint8_t) \
    TWO(name, 16, uint16_t) TWO(name, 32, uint32_t) TWO(name, 64, uint64_t)
SEM_LIST2(X)
#undef X
#define X(name)               \
    THREE(name, 8, uint8_t)   \
    THREE(name, 16, uint16_t) \
    THREE(name, 32, uint32_t) THREE(name, 64, uint64_t)
SEM_LIST3(X)
#undef X
#undef TWO
#undef THREE

/* By kind and log2(width / 8). */
static any_width_fn *const int_fns[INT_COUNT][4] = {
#define X(name) [INT_##name] = { name##_8, name##_16, name##_32, name##_64 },
    SEM_LIST2(X) SEM_LIST3(X)
#undef X
};

static unsigned
width_index(unsigned width)
{
    return width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : 3;
}

static bool
is_three(unsigned kind)
{
    return kind >= INT_madd && kind <= INT_nmsac;
}

/*
 * Which source is the first operand: see sem_int.h.  vadd12.vi and vmv.v.v
 * have theirs in slot 1, as scalar instructions do.
 */
static bool
s1_is_first(const struct sim_op *op)
{
    return is_three(op->kind) || !any_width_is_vector(op, VENTUS_ISA_SLOT_D) ||
           ventus_isa_info[op->code].format == VENTUS_ISA_FORMAT_VI12;
}

static void
read_sources(const struct sim_warp *w, const struct sim_op *op,
             struct any_width *a)
{
    any_width_read(w, op, VENTUS_ISA_SLOT_1, a->n, a->width, a->s1);
    any_width_read(w, op, VENTUS_ISA_SLOT_2, a->n, a->width, a->s2);
    if (is_three(op->kind))
        any_width_read_accumulator(w, op, a->n, a->width, a->s3);
}

const struct sim_op *
any_width_int(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a;
    if (!any_width_begin(w, op, &a))
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                               "vtype is not valid");
    read_sources(w, op, &a);
    any_width_modify_int(op, &a);
    any_width_fn *f = int_fns[op->kind][width_index(a.width)];
    assert(f);
    if (op->kind == INT_mv &&
        ventus_isa_info[op->code].format == VENTUS_ISA_FORMAT_R1)
        f(&a, a.s1, a.s1, a.s3);
    else if (s1_is_first(op))
        f(&a, a.s1, a.s2, a.s3);
    else
        f(&a, a.s2, a.s1, a.s3);
    any_width_write(w, op, &a);
    return op + op->words;
}

const struct sim_op *
any_width_merge(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a;
    if (!any_width_begin(w, op, &a))
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                               "vtype is not valid");
    any_width_read(w, op, VENTUS_ISA_SLOT_1, a.n, a.width, a.s1);
    any_width_read(w, op, VENTUS_ISA_SLOT_2, a.n, a.width, a.s2);
    any_width_modify_int(op, &a);
    for (unsigned i = 0; i < a.n; i++) {
        uint64_t x = w->v[i] & 1 ? a.s1[i] : a.s2[i];
        a.r[i] = any_width_modified(x, a.width, false, false);
    }
    any_width_write(w, op, &a);
    return op + op->words;
}

const struct sim_op *
any_width_vid(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a;
    if (!any_width_begin(w, op, &a))
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                               "vtype is not valid");
    for (unsigned i = 0; i < a.n; i++)
        a.r[i] = i;
    any_width_write(w, op, &a);
    return op + op->words;
}

/* ---- widening: always a 64-bit result in a pair ---- */

typedef uint64_t
wide_fn(uint64_t a, uint64_t b, uint64_t c);

static const struct {
    wide_fn *fn;
    bool a_signed, b_signed;
} wide_fns[WIDE_COUNT] = {
#define X(meaning, fn, as, bs) [WIDE_##meaning] = { sem_wide_##fn, as, bs },
    SEM_WIDE_LIST(X)
#undef X
};

static uint64_t
extend_to_64(uint64_t x, unsigned width, bool is_signed)
{
    assert(width >= 8 && width <= 64);
    unsigned shift = 64 - width;
    return is_signed ? (uint64_t)((int64_t)(x << shift) >> shift)
                     : x << shift >> shift;
}

/* Reads a source: a pair where the encoding says so, else SEW bits. */
static void
wide_read(const struct sim_warp *w, const struct sim_op *op,
          enum ventus_isa_slot slot, unsigned sew, bool is_signed, uint64_t *to)
{
    const struct ventus_isa_field *f = ventus_isa_slot_field(op->code, slot);
    bool pair = f && f->pair;
    any_width_read(w, op, slot, w->lanes, pair ? 64 : 32, to);
    for (unsigned i = 0; !pair && i < w->lanes; i++)
        to[i] = extend_to_64(to[i], sew, is_signed);
}

const struct sim_op *
any_width_wide(struct sim_warp *w, const struct sim_op *op)
{
    assert(op->kind < WIDE_COUNT && op->d % 2 == 0);
    struct any_width a = { .n = w->lanes, .width = 64, .vector = true };
    if (!w->sew)
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                               "vtype is not valid");
    a.exec = warp_op_lanes(w, op);
    bool acc = op->kind >= WIDE_wmaccu;
    bool as = wide_fns[op->kind].a_signed, bs = wide_fns[op->kind].b_signed;
    wide_read(w, op, VENTUS_ISA_SLOT_1, w->sew, acc ? as : bs, a.s1);
    wide_read(w, op, VENTUS_ISA_SLOT_2, w->sew, acc ? bs : as, a.s2);
    any_width_read_accumulator(w, op, a.n, 64, a.s3);
    any_width_modify_int(op, &a);
    for (unsigned i = 0; i < a.n; i++)
        a.r[i] = acc ? wide_fns[op->kind].fn(a.s1[i], a.s2[i], a.s3[i])
                     : wide_fns[op->kind].fn(a.s2[i], a.s1[i], 0);
    any_width_write(w, op, &a);
    return op + op->words;
}
