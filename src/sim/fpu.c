/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floating-point unit: scalar instructions, and vectors of any width.
 *
 *   SEW 16   binary16 in the low half of each lane, results zero-extended
 *   SEW 8    there is no such format: illegal
 *   pair     binary64 in even registers.  An odd register holds a binary32
 *            number: as a source it is widened, which is exact, as the
 *            destination the result is rounded to it (manual 4.2.3: "still
 *            32-bit data").  So fsgnj.s with a pair prefix converts between
 *            the two formats.
 *
 * Only active lanes are computed, for their flags.
 */
#include <assert.h>

#include "isa/hostfloat.h"
#include "isa/sem_fp.h"
#include "sim/any_width.h"
#include "sim/bind.h"
#include "sim/fp.h"
#include "sim/state.h"

struct sources {
    uint64_t a, b, c;
};

typedef uint64_t
fp_fn(const struct sources *s, enum fp_rm rm, unsigned *flags);

/* ---- every meaning in every width as an fp_fn ---- */

#define FP_FNS(name, W, T, ...)                                        \
    static uint64_t name##_##W(const struct sources *s, enum fp_rm rm, \
                               unsigned *flags)                        \
    {                                                                  \
        typedef T word;                                                \
        return sem_##name##_##W(__VA_ARGS__, rm, flags);               \
    }
#define EACH_WIDTH(name, ...)               \
    FP_FNS(name, 16, uint16_t, __VA_ARGS__) \
    FP_FNS(name, 32, uint32_t, __VA_ARGS__) \
    FP_FNS(name, 64, uint64_t, __VA_ARGS__)

#define X(name, kernel, extra) EACH_WIDTH(name, (word)s->a, (word)s->b)
FP_LIST2(X)
#undef X
#define X(name, kernel, extra) EACH_WIDTH(name, (word)s->a)
FP_LIST1(X)
#undef X
#define X(name, factor, addend, negate) \
    EACH_WIDTH(name, (word)s->a, (word)s->b, (word)s->c)
FP_LIST3(X)
#undef X
#define X(name) EACH_WIDTH(name, (word)s->a, (word)s->b, (word)s->c)
FP_LIST4(X)
#undef X

#define ROW(name) [FP_##name] = { name##_16, name##_32, name##_64 },
static fp_fn *const fp_fns[FP_COUNT][3] = {
#define X(name, kernel, extra) ROW(name)
    FP_LIST2(X) FP_LIST1(X)
#undef X
#define X(name, factor, addend, negate) ROW(name)
        FP_LIST3(X)
#undef X
#define X(name) ROW(name)
            FP_LIST4(X)
#undef X
};
#undef ROW

/* ---- what kind of operands ---- */

static bool
has_int_source(unsigned kind)
{
    return kind == FP_fcvt_f_w || kind == FP_fcvt_f_wu;
}

static bool
has_int_result(unsigned kind)
{
    return kind >= FP_feq && kind <= FP_fge
               ? true
               : kind >= FP_fclass && kind <= FP_fcvt_rtz_wu_f;
}

static bool
is_three(unsigned kind)
{
    return kind >= FP_vfmadd && kind < FP_fmadd;
}

/* ---- sources ---- */

/* In a 64-bit operation the odd registers: 32 bits become 64. */
static void
widen(const struct sim_op *op, unsigned r, unsigned n, uint64_t *x,
      unsigned *flags)
{
    if (r % 2 == 0)
        return;
    for (unsigned i = 0; i < n; i++) {
        if (op->kind == FP_fcvt_f_wu)
            x[i] = (uint32_t)x[i];
        else if (op->kind != FP_fcvt_f_w) /* any_width_read sign-extended it */
            x[i] = fp64_from_fp32((uint32_t)x[i], flags);
    }
}

static void
modify_sign(uint64_t *x, unsigned n, unsigned width, bool abs, bool neg)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    for (unsigned i = 0; i < n; i++) {
        x[i] &= abs ? ~sign : ~UINT64_C(0);
        x[i] ^= neg ? sign : 0;
    }
}

static void
read_sources(const struct sim_warp *w, const struct sim_op *op,
             struct any_width *a, unsigned *flags)
{
    any_width_read(w, op, VENTUS_ISA_SLOT_1, a->n, a->width, a->s1);
    any_width_read(w, op, VENTUS_ISA_SLOT_2, a->n, a->width, a->s2);
    if (is_three(op->kind))
        any_width_read_accumulator(w, op, a->n, a->width, a->s3);
    else
        any_width_read(w, op, VENTUS_ISA_SLOT_3, a->n, a->width, a->s3);
    if (a->width == 64) {
        widen(op, op->s1, a->n, a->s1, flags);
        widen(op, op->s2, a->n, a->s2, flags);
        widen(op, op->s3, a->n, a->s3, flags);
    }
    if (has_int_source(op->kind)) {
        any_width_modify_int(op, a);
        return;
    }
    uint64_t *source[3] = { a->s1, a->s2, a->s3 };
    for (unsigned s = 0; s < 3; s++)
        modify_sign(source[s], a->n, a->width, op->mods & (MOD_ABS << s),
                    op->mods & (MOD_NEG << s));
}

/* Scalar: rs1 rs2 rs3; vector: vs2 vs1, accumulating vs1 vs2 vd. */
static struct sources
lane_sources(const struct sim_op *op, const struct any_width *a, unsigned i)
{
    if (!a->vector || is_three(op->kind))
        return (struct sources){ a->s1[i], a->s2[i], a->s3[i] };
    return (struct sources){ a->s2[i], a->s1[i], 0 };
}

/* ---- results ---- */

/* A 64-bit result for an odd register. */
static uint64_t
narrow(const struct sim_op *op, const struct sources *s, uint64_t r,
       enum fp_rm rm, unsigned *flags)
{
    if (!has_int_result(op->kind))
        return fp32_from_fp64(r, rm, flags);
    switch (op->kind) {
    case FP_fcvt_w_f:
        return (uint64_t)fp64_to_int(s->a, 32, rm, flags);
    case FP_fcvt_wu_f:
        return fp64_to_uint(s->a, 32, rm, flags);
    case FP_fcvt_rtz_w_f:
        return (uint64_t)fp64_to_int(s->a, 32, FP_RTZ, flags);
    case FP_fcvt_rtz_wu_f:
        return fp64_to_uint(s->a, 32, FP_RTZ, flags);
    default:
        return r;
    }
}

static uint64_t
compute(const struct sim_op *op, const struct any_width *a, unsigned i,
        enum fp_rm rm, unsigned *flags)
{
    unsigned index = a->width == 16 ? 0 : a->width == 32 ? 1 : 2;
    assert(a->width >= 16 && fp_fns[op->kind][index]);
    bool to_odd = a->width == 64 && op->d % 2;
    struct sources s = lane_sources(op, a, i);
    unsigned raised = 0;
    uint64_t r = fp_fns[op->kind][index](&s, rm, &raised);
    if (to_odd) {
        /* Conversions to 32-bit integers have flags of their own. */
        if (op->kind >= FP_fcvt_w_f && op->kind <= FP_fcvt_rtz_wu_f)
            raised = 0;
        r = narrow(op, &s, r, rm, &raised);
    }
    *flags |= raised;
    return r;
}

/* aux: the rounding mode of the word, 7: of the CSR */
const struct sim_op *
any_width_fp(struct sim_warp *w, const struct sim_op *op)
{
    struct any_width a;
    if (!any_width_begin(w, op, &a) || a.width == 8)
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                               "no floating point of this element width");
    unsigned rm = fp_rounding(w, op->aux);
    if (rm > FP_RM_MAX) {
        if (ventus_isa_info[op->code].flags & VENTUS_ISA_F_ROUNDS)
            return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL,
                                   "no such rounding mode");
        rm = FP_RNE;
    }
    unsigned flags = 0, ignored = 0;
    assert(rm <= FP_RM_MAX);
    read_sources(w, op, &a, &ignored);
    for (uint64_t rest = a.exec; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctzll(rest);
        a.r[i] = compute(op, &a, i, (enum fp_rm)rm, &flags);
    }
    w->fflags |= flags;
    any_width_write(w, op, &a);
    return op + op->words;
}

void
fp_collect(struct sim_warp *w)
{
    if (!w->worker->fp_idle)
        w->fflags |= fp_host_take(w->fp);
}

/* ---- binding ---- */

static sim_fn *
fp_vector_fn(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
             const struct sim_op *op)
{
    bool one = op->kind >= FP_fsqrt && op->kind < FP_vfmadd;
    bool vv = one || bind_is_vector(in, VENTUS_ISA_SLOT_1);
    const struct sim_lanes *l = &sim->lanes;
    bool modified_int = has_int_source(op->kind) && op->mods != MOD_PAIR;
    if (op->mods & MOD_PAIR && !modified_int)
        return (vv ? l->fp_pair_vv : l->fp_pair_vs)[op->kind];
    return op->mods ? any_width_fp : (vv ? l->fp_vv : l->fp_vs)[op->kind];
}

static bool
bind_fp(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
        struct sim_op *op)
{
    bool vector = bind_is_vector(in, VENTUS_ISA_SLOT_D);
    bool rounds = ventus_isa_info[in->op].flags & VENTUS_ISA_F_ROUNDS;
    op->aux = vector || !rounds ? FP_RM_DYNAMIC : in->rm;
    if (!vector && rounds && in->rm > FP_RM_MAX && in->rm != FP_RM_DYNAMIC)
        return false;
    op->fn = vector ? fp_vector_fn(sim, in, op) : any_width_fp;
    return op->fn != NULL;
}

const struct sim_meaning fpu_meanings[] = {
#define X(name, kernel, extra) { #name, { bind_fp, FP_##name } },
    FP_LIST2(X) FP_LIST1(X)
#undef X
#define X(name, factor, addend, negate) { #name, { bind_fp, FP_##name } },
        FP_LIST3(X)
#undef X
#define X(name) { #name, { bind_fp, FP_##name } },
            FP_LIST4(X)
#undef X
                { NULL, { NULL, 0 } }
};
