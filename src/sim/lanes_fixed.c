/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lane loops of fixed point, for each SEW; of carries and of widened integers,
 * for 32 bits.  Sources of 2 * SEW bits are in their lane for SEW 8 and 16;
 * fixed.c has pairs.
 */
#include "sim/lane_loop.h"

/* x[s1] or the immediate, in every lane: one of the two is always 0. */
static always_inline const uint32_t *
broadcast(const struct sim_warp *w, const struct sim_op *op, uint32_t *to)
{
    uint32_t x = w->x[op->s1] + (uint32_t)op->imm;
    lane_loop (i, lanes_of(w))
        to[i] = x;
    return to;
}

/* vd[i] = sem(vs2[i], b[i]) */
#define FIXED(name, W, A)                                                  \
    static const struct sim_op *name##_##W(                                \
        struct sim_warp *w, const struct sim_op *op, const uint32_t *b)    \
    {                                                                      \
        uint32_t *d = vreg(w, op->d), sat = 0, storage[SIM_LANES_MAX];     \
        const uint32_t *a = vreg(w, op->s2), *m = op_mask(w, op, storage); \
        unsigned vxrm = w->vxrm;                                           \
        lane_loop (i, lanes_of(w)) {                                       \
            unsigned over = 0;                                             \
            uint32_t r =                                                   \
                sem_##name##_##W((A)a[i], (uint##W##_t)b[i], vxrm, &over); \
            d[i] = blend(m[i], r, d[i]);                                   \
            sat |= over & m[i];                                            \
        }                                                                  \
        w->vxsat |= sat;                                                   \
        return op + op->words;                                             \
    }

#define FORMS(name)                                                \
    static const struct sim_op *vv_##name(struct sim_warp *w,      \
                                          const struct sim_op *op) \
    {                                                              \
        return do_##name(w, op, vreg(w, op->s1));                  \
    }                                                              \
    static const struct sim_op *vs_##name(struct sim_warp *w,      \
                                          const struct sim_op *op) \
    {                                                              \
        uint32_t b[SIM_LANES_MAX];                                 \
        return do_##name(w, op, broadcast(w, op, b));              \
    }

#define X(name)                                                         \
    FIXED(name, 8, uint8_t)                                             \
    FIXED(name, 16, uint16_t)                                           \
    FIXED(name, 32, uint32_t)                                           \
    static always_inline const struct sim_op *do_##name(                \
        struct sim_warp *w, const struct sim_op *op, const uint32_t *b) \
    {                                                                   \
        return w->sew == 32   ? name##_32(w, op, b)                     \
               : w->sew == 16 ? name##_16(w, op, b)                     \
               : w->sew == 8  ? name##_8(w, op, b)                      \
                              : any_width_fixed(w, op);                  \
    }                                                                   \
    FORMS(name)
SEM_FIXED_LIST(X)
#undef X

#define X(name)                                                         \
    FIXED(name, 8, uint16_t)                                            \
    FIXED(name, 16, uint32_t)                                           \
    static always_inline const struct sim_op *do_##name(                \
        struct sim_warp *w, const struct sim_op *op, const uint32_t *b) \
    {                                                                   \
        return w->sew == 16  ? name##_16(w, op, b)                      \
               : w->sew == 8 ? name##_8(w, op, b)                       \
                             : any_width_narrow(w, op);                 \
    }                                                                   \
    FORMS(name)
SEM_NARROW_LIST(X)
#undef X

/* ---- carries ---- */

#define X(meaning, fn)                                                        \
    static always_inline const struct sim_op *do_##meaning(                   \
        struct sim_warp *w, const struct sim_op *op, const uint32_t *b)       \
    {                                                                         \
        if (w->sew != 32)                                                     \
            return any_width_carry(w, op);                                    \
        uint32_t *d = vreg(w, op->d);                                         \
        const uint32_t *a = vreg(w, op->s2), *m = w->lane, *v0 = w->v;        \
        uint32_t bit = CARRY_##meaning < CARRY_madc0;                         \
        lane_loop (i, lanes_of(w))                                            \
            d[i] = blend(m[i], sem_##fn##_32(a[i], b[i], v0[i] & bit), d[i]); \
        return op + op->words;                                                \
    }                                                                         \
    FORMS(meaning)
SEM_CARRY_LIST(X)
#undef X

/* ---- vzext, vsext ---- */

static const struct sim_op *
extend_loop(struct sim_warp *w, const struct sim_op *op, unsigned up, bool sign)
{
    uint32_t *d = vreg(w, op->d), storage[SIM_LANES_MAX];
    const uint32_t *a = vreg(w, op->s2), *m = op_mask(w, op, storage);
    if (w->sew != 32)
        return any_width_extend(w, op);
    if (sign)
        lane_loop (i, lanes_of(w))
            d[i] = blend(m[i], (uint32_t)((int32_t)(a[i] << up) >> up), d[i]);
    else
        lane_loop (i, lanes_of(w))
            d[i] = blend(m[i], a[i] << up >> up, d[i]);
    return op + op->words;
}

#define EXTEND(name, up, sign)                                \
    static const struct sim_op *name(struct sim_warp *w,      \
                                     const struct sim_op *op) \
    {                                                         \
        return extend_loop(w, op, up, sign);                  \
    }
EXTEND(zext_vf2, 16, false)
EXTEND(zext_vf4, 24, false)
EXTEND(sext_vf2, 16, true)
EXTEND(sext_vf4, 24, true)

void SIM_FN(lanes_fixed)(struct sim_lanes *t);

void
SIM_FN(lanes_fixed)(struct sim_lanes *t)
{
#define X(name)                            \
    t->fixed_vv[FIXED_##name] = vv_##name; \
    t->fixed_vs[FIXED_##name] = vs_##name;
    SEM_FIXED_LIST(X)
    SEM_NARROW_LIST(X)
#undef X
#define X(meaning, fn)                           \
    t->carry_vv[CARRY_##meaning] = vv_##meaning; \
    t->carry_vs[CARRY_##meaning] = vs_##meaning;
    SEM_CARRY_LIST(X)
#undef X
    for (unsigned i = 0; i < EXTEND_COUNT; i++)
        t->extend[i] = any_width_extend;
    t->extend[EXTEND_zext_vf2] = zext_vf2;
    t->extend[EXTEND_zext_vf4] = zext_vf4;
    t->extend[EXTEND_sext_vf2] = sext_vf2;
    t->extend[EXTEND_sext_vf4] = sext_vf4;
}
