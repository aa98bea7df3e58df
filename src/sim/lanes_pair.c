/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lane loops of 64-bit numbers: the low halves of all lanes in an even
 * register, the high halves in the next.  They are joined, computed, split:
 *
 *     v2  l0 l1 l2 ...        u64  h0l0 h1l1 h2l2 ...
 *     v3  h0 h1 h2 ...
 *
 * As in any_width.c, an odd register is sign-extended, and takes the low half.
 * SEW does not matter here.  In floating-point instructions an odd register holds
 * a float: as fpu.c says, it is widened as a source, and the result is rounded to
 * it; ABS and NEG act on the double.
 *
 * Unlike other lane loops, these call the operation through a pointer: joining
 * and splitting takes longer than a call, and compiling one loop for each
 * instruction and form takes much longer.
 */
#include "sim/lane_fp.h"

#define ONE UINT64_C(0x3ff0000000000000)

typedef void
kernel1(const struct sim_warp *w, uint64_t *d, const uint64_t *a);
typedef void
kernel2(const struct sim_warp *w, uint64_t *d, const uint64_t *a,
        const uint64_t *b);

/* Integer instructions that are common; the others are any_width.c's. */
#define PAIR_LIST2(X) \
    X(add)            \
    X(sub)            \
    X(rsub)           \
    X(and)            \
    X(or)             \
    X(xor)            \
    X(mv)             \
    X(sll)            \
    X(srl)            \
    X(sra)            \
    X(seq)            \
    X(sne)            \
    X(slt)            \
    X(sltu)           \
    X(sle)            \
    X(sleu)           \
    X(sgt)            \
    X(sgtu)           \
    X(min)            \
    X(max)            \
    X(minu)           \
    X(maxu)           \
    X(mul)

/* ---- operands ---- */

static always_inline void
read_pair(uint64_t *to, const struct sim_warp *w, unsigned r)
{
    unsigned n = lanes_of(w);
    const uint32_t *lo = vreg(w, r), *hi = lo + n;
    if (r % 2) {
        lane_loop (i, n)
            to[i] = (uint64_t)(int32_t)lo[i];
        return;
    }
    lane_loop (i, n)
        to[i] = lo[i] | (uint64_t)hi[i] << 32;
}

/* x[s1] or the immediate, in every lane: one of the two is always 0. */
static always_inline void
read_scalar(uint64_t *to, const struct sim_warp *w, const struct sim_op *op)
{
    unsigned r = op->s1 ? op->s1 : X_ZERO;
    uint64_t x = r % 2 ? (uint64_t)(int32_t)w->x[r]
                       : w->x[r] | (uint64_t)w->x[r + 1] << 32;
    x += (uint64_t)op->imm;
    lane_loop (i, lanes_of(w))
        to[i] = x;
}

static always_inline void
write_pair(const struct sim_warp *w, unsigned d, const uint64_t *r,
           const uint32_t *m)
{
    unsigned n = lanes_of(w);
    uint32_t *lo = vreg(w, d), *hi = lo + n;
    lane_loop (i, n)
        lo[i] = blend(m[i], (uint32_t)r[i], lo[i]);
    if (d % 2)
        return;
    lane_loop (i, n)
        hi[i] = blend(m[i], (uint32_t)(r[i] >> 32), hi[i]);
}

/* ---- doubles ---- */

static always_inline bool
has_int_source(const struct sim_op *op)
{
    return op->kind == FP_fcvt_f_w || op->kind == FP_fcvt_f_wu;
}

/* Outcomes of compares and classes, which fit in 32 bits. */
static always_inline bool
has_small_result(const struct sim_op *op)
{
    return (op->kind >= FP_feq && op->kind <= FP_fge) || op->kind == FP_fclass;
}

/* ABS and NEG of the source in a slot. */
static always_inline void
modify_sign(uint64_t *x, const struct sim_op *op, enum ventus_isa_slot slot,
            unsigned n)
{
    const unsigned source = (unsigned)slot - VENTUS_ISA_SLOT_1;
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t clear = op->mods & (MOD_ABS << source) ? sign : 0;
    uint64_t flip = op->mods & (MOD_NEG << source) ? sign : 0;
    if (!(clear | flip))
        return;
    lane_loop (i, n)
        x[i] = (x[i] & ~clear) ^ flip;
}

/* Register r, which is in a slot of op, as doubles; widening raises no flag. */
static void
read_double(uint64_t *to, const struct sim_warp *w, const struct sim_op *op,
            enum ventus_isa_slot slot, unsigned r)
{
    struct fp_host exact = { .rm = FP_RNE };
    if (r % 2)
        fp64_from_fp32_lanes(&exact, to, vreg(w, r), lanes_of(w));
    else
        read_pair(to, w, r);
    modify_sign(to, op, slot, lanes_of(w));
}

/* x[s1] in every lane. */
static void
read_double_scalar(uint64_t *to, const struct sim_warp *w,
                   const struct sim_op *op)
{
    struct fp_host exact = { .rm = FP_RNE };
    unsigned r = op->s1 ? op->s1 : X_ZERO;
    uint64_t x;
    if (r % 2)
        fp64_from_fp32_lanes(&exact, &x, &w->x[r], 1);
    else
        x = w->x[r] | (uint64_t)w->x[r + 1] << 32;
    modify_sign(&x, op, VENTUS_ISA_SLOT_1, 1);
    lane_loop (i, lanes_of(w))
        to[i] = x;
}

/* vs2 of an instruction of one source: doubles, or integers to convert. */
static void
read_single(uint64_t *to, const struct sim_warp *w, const struct sim_op *op)
{
    if (!has_int_source(op)) {
        read_double(to, w, op, VENTUS_ISA_SLOT_2, op->s2);
        return;
    }
    read_pair(to, w, op->s2);
    if (op->kind == FP_fcvt_f_w || op->s2 % 2 == 0)
        return;
    lane_loop (i, lanes_of(w))
        to[i] = (uint32_t)to[i];
}

/* Lanes that are off compute with 1.0, which raises no flag. */
static always_inline void
only_active(uint64_t *x, const uint32_t *m, unsigned n)
{
    lane_loop (i, n) {
        uint64_t on = (uint64_t)(int32_t)m[i];
        x[i] = (x[i] & on) | (ONE & ~on);
    }
}

/* Writes results, or rounds them to an odd register.  Numbers of lanes that are off
 * may be inexact, as e is. */
static void
write_double(const struct sim_warp *w, const struct sim_op *op, uint64_t *r,
             const uint32_t *m)
{
    unsigned n = lanes_of(w);
    uint32_t narrow[SIM_LANES_MAX], *d = vreg(w, op->d);
    if (op->d % 2 == 0 || has_small_result(op)) {
        write_pair(w, op->d, r, m);
        return;
    }
    if (w->slow | op->slow)
        only_active(r, m, n);
    fp32_from_fp64_lanes(host_of(w, false), narrow, r, n);
    lane_loop (i, n)
        d[i] = blend(m[i], narrow[i], d[i]);
}

/* Converts doubles to integers of 32 bits, for an odd register. */
static void
to_words(const struct sim_warp *w, const struct sim_op *op, uint64_t *x,
         const uint32_t *m)
{
    bool towards_zero =
        op->kind == FP_fcvt_rtz_w_f || op->kind == FP_fcvt_rtz_wu_f;
    bool is_signed = op->kind == FP_fcvt_w_f || op->kind == FP_fcvt_rtz_w_f;
    uint64_t high = is_signed ? INT32_MAX : UINT32_MAX;
    uint64_t low = is_signed ? UINT64_C(1) << 31 : 0;
    fp64_to_integer_lanes(host_of(w, towards_zero), x, x, high, low,
                          lanes_of(w));
    write_pair(w, op->d, x, m);
}

/* ---- loops; b: vs1 or the scalar ---- */

static const struct sim_op *
int_loop(struct sim_warp *w, const struct sim_op *op, const uint64_t *b,
         kernel2 *kernel)
{
    uint32_t storage[SIM_LANES_MAX];
    uint64_t x[SIM_LANES_MAX];
    read_pair(x, w, op->s2);
    kernel(w, x, x, b);
    write_pair(w, op->d, x, op_mask(w, op, storage));
    return op + op->words;
}

static const struct sim_op *
loop2(struct sim_warp *w, const struct sim_op *op, uint64_t *b, kernel2 *kernel)
{
    unsigned n = lanes_of(w);
    uint32_t storage[SIM_LANES_MAX];
    uint64_t x[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    if (w->frm > FP_RM_MAX)
        return any_width_fp(w, op);
    read_double(x, w, op, VENTUS_ISA_SLOT_2, op->s2);
    if (w->slow | op->slow) {
        only_active(x, m, n);
        only_active(b, m, n);
    }
    kernel(w, x, x, b);
    write_double(w, op, x, m);
    return op + op->words;
}

static const struct sim_op *
loop1(struct sim_warp *w, const struct sim_op *op, kernel1 *kernel)
{
    uint32_t storage[SIM_LANES_MAX];
    uint64_t x[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    if (w->frm > FP_RM_MAX)
        return any_width_fp(w, op);
    read_single(x, w, op);
    if (w->slow | op->slow)
        only_active(x, m, lanes_of(w));
    if (op->d % 2 && op->kind >= FP_fcvt_w_f && op->kind <= FP_fcvt_rtz_wu_f) {
        to_words(w, op, x, m);
        return op + op->words;
    }
    kernel(w, x, x);
    write_double(w, op, x, m);
    return op + op->words;
}

/* vd = first * factor + addend, one of the two is the accumulator; first: vs1
 */
static const struct sim_op *
loop3(struct sim_warp *w, const struct sim_op *op, uint64_t *first,
      bool factor_is_vd, unsigned negate)
{
    unsigned n = lanes_of(w);
    uint32_t storage[SIM_LANES_MAX];
    uint64_t y[SIM_LANES_MAX], z[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    if (w->frm > FP_RM_MAX)
        return any_width_fp(w, op);
    uint64_t *vs2 = factor_is_vd ? z : y, *vd = factor_is_vd ? y : z;
    read_double(vs2, w, op, VENTUS_ISA_SLOT_2, op->s2);
    read_double(vd, w, op, VENTUS_ISA_SLOT_3, op->s3);
    if (w->slow | op->slow) {
        only_active(first, m, n);
        only_active(y, m, n);
        only_active(z, m, n);
    }
    fp64_fma_lanes(host_of(w, false), z, first, y, z, negate, n);
    write_double(w, op, z, m);
    return op + op->words;
}

/* ---- one function for each ---- */

#define FORMS(name, read_vs1, read_x, loop, ...)                   \
    static const struct sim_op *vv_##name(struct sim_warp *w,      \
                                          const struct sim_op *op) \
    {                                                              \
        uint64_t b[SIM_LANES_MAX];                                 \
        read_vs1;                                                  \
        return loop(w, op, b, __VA_ARGS__);                        \
    }                                                              \
    static const struct sim_op *vs_##name(struct sim_warp *w,      \
                                          const struct sim_op *op) \
    {                                                              \
        uint64_t b[SIM_LANES_MAX];                                 \
        read_x;                                                    \
        return loop(w, op, b, __VA_ARGS__);                        \
    }

#define INT_FORMS(name, ...) \
    FORMS(name, read_pair(b, w, op->s1), read_scalar(b, w, op), __VA_ARGS__)
#define FP_FORMS(name, ...)                                       \
    FORMS(name, read_double(b, w, op, VENTUS_ISA_SLOT_1, op->s1), \
          read_double_scalar(b, w, op), __VA_ARGS__)

#define X(name)                                                     \
    static void name##_lanes(const struct sim_warp *w, uint64_t *d, \
                             const uint64_t *a, const uint64_t *b)  \
    {                                                               \
        lane_loop (i, lanes_of(w))                                  \
            d[i] = sem_##name##_64(a[i], b[i]);                     \
    }                                                               \
    INT_FORMS(name, int_loop, name##_lanes)
PAIR_LIST2(X)
#undef X

#define X(name, kernel, exchanged)                                     \
    static void name##_lanes(const struct sim_warp *w, uint64_t *d,    \
                             const uint64_t *a, const uint64_t *b)     \
    {                                                                  \
        fp64_##kernel##_lanes(host_of(w, false), d, exchanged ? b : a, \
                              exchanged ? a : b, lanes_of(w));         \
    }                                                                  \
    FP_FORMS(name, loop2, name##_lanes)
FP_LIST2(X)
#undef X

#define X(name, kernel, towards_zero)                                       \
    static void name##_lanes(const struct sim_warp *w, uint64_t *d,         \
                             const uint64_t *a)                             \
    {                                                                       \
        fp64_##kernel##_lanes(host_of(w, towards_zero), d, a, lanes_of(w)); \
    }                                                                       \
    static const struct sim_op *vv_##name(struct sim_warp *w,               \
                                          const struct sim_op *op)          \
    {                                                                       \
        return loop1(w, op, name##_lanes);                                  \
    }
FP_LIST1(X)
#undef X

enum { factor_vd = 1, factor_vs2 = 0 };

#define X(name, factor, addend, negate) \
    FP_FORMS(name, loop3, factor_##factor, negate)
FP_LIST3(X)
#undef X

/* ---- bit 0 of v0[i] ? b[i] : vs2[i] ---- */

static const struct sim_op *
merge(struct sim_warp *w, const struct sim_op *op, const uint64_t *b)
{
    const uint32_t *v0 = w->v;
    uint64_t x[SIM_LANES_MAX];
    read_pair(x, w, op->s2);
    lane_loop (i, lanes_of(w)) {
        uint64_t take = 0 - (uint64_t)(v0[i] & 1);
        x[i] = (b[i] & take) | (x[i] & ~take);
    }
    write_pair(w, op->d, x, w->lane);
    return op + op->words;
}

static const struct sim_op *
merge_v(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t b[SIM_LANES_MAX];
    read_pair(b, w, op->s1);
    return merge(w, op, b);
}

static const struct sim_op *
merge_s(struct sim_warp *w, const struct sim_op *op)
{
    uint64_t b[SIM_LANES_MAX];
    read_scalar(b, w, op);
    return merge(w, op, b);
}

void SIM_FN(lanes_pair)(struct sim_lanes *t);

void
SIM_FN(lanes_pair)(struct sim_lanes *t)
{
    for (unsigned i = 0; i < INT_COUNT; i++)
        t->pair_vv[i] = t->pair_vs[i] = any_width_int;
#define X(name)                         \
    t->pair_vv[INT_##name] = vv_##name; \
    t->pair_vs[INT_##name] = vs_##name;
    PAIR_LIST2(X)
#undef X
#define X(name, kernel, exchanged)        \
    t->fp_pair_vv[FP_##name] = vv_##name; \
    t->fp_pair_vs[FP_##name] = vs_##name;
    FP_LIST2(X)
#undef X
#define X(name, kernel, towards_zero) t->fp_pair_vv[FP_##name] = vv_##name;
    FP_LIST1(X)
#undef X
#define X(name, factor, addend, negate)   \
    t->fp_pair_vv[FP_##name] = vv_##name; \
    t->fp_pair_vs[FP_##name] = vs_##name;
    FP_LIST3(X)
#undef X
    t->pair_merge_v = merge_v;
    t->pair_merge_s = merge_s;
}
