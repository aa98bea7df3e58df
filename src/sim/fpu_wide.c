/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions between floating-point widths, vfwcvt and vfncvt: any of them,
 * lane by lane in software, and the table of functions.
 *
 *   SEW 8    integers of 8 bits and halves
 *   SEW 16   halves, integers of 16 bits and what has 32
 *   SEW 32   what has 32 bits and, in even register pairs, what has 64
 */
#include <assert.h>

#include "isa/sem_fp_cvt.h"
#include "sim/any_width.h"
#include "sim/bind.h"
#include "sim/lanes.h"
#include "sim/state.h"

typedef uint64_t
cvt_fn(uint64_t a, enum fp_rm rm, unsigned *flags);

/* By SEW: 8, 16, 32; NULL where there is none. */
static cvt_fn *const cvt_fns[CVT_COUNT][3] = {
#define SEW_8        0
#define SEW_16       1
#define SEW_32       2
#define X(name, SEW) [CVT_##name][SEW_##SEW] = sem_##name##_##SEW,
    SEM_CVT_LIST(X)
#undef X
};

static bool
is_widening(const struct sim_op *op)
{
    return op->kind < CVT_fn_w_f;
}

static bool
has_int_source(const struct sim_op *op)
{
    return op->kind == CVT_fw_f_w || op->kind == CVT_fw_f_wu ||
           op->kind == CVT_fn_f_w || op->kind == CVT_fn_f_wu;
}

/* ABS and NEG of a prefix, on integers and on signs. */
static void
modify(const struct sim_op *op, uint64_t *x, unsigned n, unsigned width)
{
    bool abs = op->mods & MOD_ABS << 1, neg = op->mods & MOD_NEG << 1;
    uint64_t sign = UINT64_C(1) << (width - 1);
    if (has_int_source(op)) {
        any_width_modify(x, n, width, abs, neg);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        x[i] = (x[i] & (abs ? ~sign : ~UINT64_C(0))) ^ (neg ? sign : 0);
}

/* The reason that the instruction is illegal now, or NULL. */
static const char *
wrong_now(const struct sim_warp *w, const struct sim_op *op, unsigned rm)
{
    const char *wrong =
        any_width_twice_wrong(w, is_widening(op) ? op->d : op->s2);
    if (wrong)
        return wrong;
    if (!cvt_fns[op->kind][w->sew == 8 ? 0 : w->sew == 16 ? 1 : 2])
        return "no floating point of this element width";
    return rm > FP_RM_MAX &&
                   ventus_isa_info[op->code].flags & VENTUS_ISA_F_ROUNDS
               ? "no such rounding mode"
               : NULL;
}

const struct sim_op *
any_width_convert(struct sim_warp *w, const struct sim_op *op)
{
    const char *wrong = wrong_now(w, op, w->frm);
    if (wrong)
        return warp_fault_text(w, op, VENTUS_SIM_FAULT_ILLEGAL, wrong);
    unsigned from = is_widening(op) ? w->sew : 2 * w->sew;
    unsigned to = is_widening(op) ? 2 * w->sew : w->sew, flags = 0;
    struct any_width a = { .n = w->lanes, .vector = true, .width = to };
    a.exec = warp_op_lanes(w, op);
    any_width_read(w, op, VENTUS_ISA_SLOT_2, a.n, from == 64 ? 64 : 32, a.s2);
    modify(op, a.s2, a.n, from);
    cvt_fn *f = cvt_fns[op->kind][w->sew == 8 ? 0 : w->sew == 16 ? 1 : 2];
    assert(f && from <= 64 && to <= 64);
    enum fp_rm rm = w->frm > FP_RM_MAX ? FP_RNE : (enum fp_rm)w->frm;
    for (uint64_t rest = a.exec; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctzll(rest);
        a.r[i] = f(a.s2[i], rm, &flags);
    }
    w->fflags |= flags;
    any_width_write(w, op, &a);
    return op + op->words;
}

/* A pair prefix would ask for 128 bits. */
static bool
bind_convert(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
             struct sim_op *op)
{
    (void)in;
    op->fn = any_width_convert;
    if (!op->mods && op->kind == CVT_fw_f_f)
        op->fn = sim->lanes.half_to_float;
    if (!op->mods && op->kind == CVT_fn_f_f)
        op->fn = sim->lanes.float_to_half;
    return !(op->mods & MOD_PAIR);
}

const struct sim_meaning convert_meanings[] = {
#define X(name) { #name, { bind_convert, CVT_##name } },
    SEM_CVT_MEANINGS(X)
#undef X
        { NULL, { NULL, 0 } }
};
