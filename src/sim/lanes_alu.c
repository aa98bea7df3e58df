/* SPDX-License-Identifier: Apache-2.0 */
/* Lane loops of the integer units, 32-bit elements. */
#include "sim/divide.h"
#include "sim/lane_loop.h"

typedef uint32_t
op2(uint32_t a, uint32_t b);
typedef uint32_t
op3(uint32_t a, uint32_t b, uint32_t c);

/* Narrow elements, and the instruction has elements of that width. */
static always_inline bool
needs_any(const struct sim_warp *w, const struct sim_op *op)
{
    return (w->slow & SLOW_SEW) && !(op->mods & MOD_FIXED32);
}

/* vd[i] = f(vs2[i], vs1[i]) */
static always_inline const struct sim_op *
loop_vv(struct sim_warp *w, const struct sim_op *op, op2 *f)
{
    uint32_t *d = vreg(w, op->d);
    const uint32_t *a = vreg(w, op->s2), *b = vreg(w, op->s1);
    unsigned n = lanes_of(w);
    if (likely(!(w->slow | op->slow))) {
        lane_loop (i, n)
            d[i] = f(a[i], b[i]);
        return op + op->words;
    }
    if (needs_any(w, op))
        return any_width_int(w, op);
    uint32_t storage[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    lane_loop (i, n)
        d[i] = blend(m[i], f(a[i], b[i]), d[i]);
    return op + op->words;
}

/* vd[i] = f(vs2[i], x[s1] + imm): one of the two is always 0 */
static always_inline const struct sim_op *
loop_vs(struct sim_warp *w, const struct sim_op *op, op2 *f)
{
    uint32_t *d = vreg(w, op->d);
    const uint32_t *a = vreg(w, op->s2);
    uint32_t b = w->x[op->s1] + (uint32_t)op->imm;
    unsigned n = lanes_of(w);
    if (likely(!(w->slow | op->slow))) {
        lane_loop (i, n)
            d[i] = f(a[i], b);
        return op + op->words;
    }
    if (needs_any(w, op))
        return any_width_int(w, op);
    uint32_t storage[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    lane_loop (i, n)
        d[i] = blend(m[i], f(a[i], b), d[i]);
    return op + op->words;
}

/* The same for divisions. */
static always_inline const struct sim_op *
loop_divide(struct sim_warp *w, const struct sim_op *op, enum int_kind kind)
{
    if (needs_any(w, op))
        return any_width_int(w, op);
    uint32_t *d = vreg(w, op->d);
    const uint32_t *a = vreg(w, op->s2);
    struct divisor by = divisor_of(kind, w->x[op->s1] + (uint32_t)op->imm);
    uint32_t storage[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    lane_loop (i, lanes_of(w))
        d[i] = blend(m[i], divisor_apply(kind, &by, a[i]), d[i]);
    return op + op->words;
}

/* vd[i] = f(vs1[i], vs2[i], c[i]), c: vd, or what the prefix makes of vs3 */
static always_inline const struct sim_op *
loop_acc_vv(struct sim_warp *w, const struct sim_op *op, op3 *f)
{
    uint32_t *d = vreg(w, op->d);
    const uint32_t *a = vreg(w, op->s1), *b = vreg(w, op->s2);
    const uint32_t *c = vreg(w, op->s3);
    unsigned n = lanes_of(w);
    if (likely(!(w->slow | op->slow))) {
        lane_loop (i, n)
            d[i] = f(a[i], b[i], c[i]);
        return op + op->words;
    }
    if (needs_any(w, op))
        return any_width_int(w, op);
    uint32_t storage[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    lane_loop (i, n)
        d[i] = blend(m[i], f(a[i], b[i], c[i]), d[i]);
    return op + op->words;
}

/* vd[i] = f(x[s1], vs2[i], c[i]) */
static always_inline const struct sim_op *
loop_acc_vs(struct sim_warp *w, const struct sim_op *op, op3 *f)
{
    uint32_t *d = vreg(w, op->d);
    const uint32_t *b = vreg(w, op->s2), *c = vreg(w, op->s3);
    uint32_t a = w->x[op->s1];
    unsigned n = lanes_of(w);
    if (likely(!(w->slow | op->slow))) {
        lane_loop (i, n)
            d[i] = f(a, b[i], c[i]);
        return op + op->words;
    }
    if (needs_any(w, op))
        return any_width_int(w, op);
    uint32_t storage[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    lane_loop (i, n)
        d[i] = blend(m[i], f(a, b[i], c[i]), d[i]);
    return op + op->words;
}

/* vd[i] = bit 0 of v0[i] ? vs1[i] : vs2[i] */
static const struct sim_op *
merge_v(struct sim_warp *w, const struct sim_op *op)
{
    if (w->slow & SLOW_SEW)
        return any_width_merge(w, op);
    uint32_t *d = vreg(w, op->d);
    const uint32_t *a = vreg(w, op->s2), *b = vreg(w, op->s1);
    const uint32_t *v0 = w->v, *m = w->lane;
    lane_loop (i, lanes_of(w))
        d[i] = blend(m[i], blend(0 - (v0[i] & 1), b[i], a[i]), d[i]);
    return op + op->words;
}

/* vd[i] = bit 0 of v0[i] ? x[s1] + imm : vs2[i] */
static const struct sim_op *
merge_s(struct sim_warp *w, const struct sim_op *op)
{
    if (w->slow & SLOW_SEW)
        return any_width_merge(w, op);
    uint32_t *d = vreg(w, op->d);
    const uint32_t *a = vreg(w, op->s2);
    const uint32_t *v0 = w->v, *m = w->lane;
    uint32_t b = w->x[op->s1] + (uint32_t)op->imm;
    lane_loop (i, lanes_of(w))
        d[i] = blend(m[i], blend(0 - (v0[i] & 1), b, a[i]), d[i]);
    return op + op->words;
}

static const struct sim_op *
vid(struct sim_warp *w, const struct sim_op *op)
{
    if (w->slow & SLOW_SEW)
        return any_width_vid(w, op);
    uint32_t *d = vreg(w, op->d);
    uint32_t storage[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    lane_loop (i, lanes_of(w))
        d[i] = blend(m[i], i, d[i]);
    return op + op->words;
}

#define X(name)                                                              \
    static const struct sim_op *vv_##name(struct sim_warp *w,                \
                                          const struct sim_op *op)           \
    {                                                                        \
        return loop_vv(w, op, sem_##name##_32);                              \
    }                                                                        \
    static const struct sim_op *vs_##name(struct sim_warp *w,                \
                                          const struct sim_op *op)           \
    {                                                                        \
        return divisor_is_for(INT_##name) ? loop_divide(w, op, INT_##name)   \
                                          : loop_vs(w, op, sem_##name##_32); \
    }
SEM_LIST2(X)
#undef X

#define X(name)                                                    \
    static const struct sim_op *vv_##name(struct sim_warp *w,      \
                                          const struct sim_op *op) \
    {                                                              \
        return loop_acc_vv(w, op, sem_##name##_32);                \
    }                                                              \
    static const struct sim_op *vs_##name(struct sim_warp *w,      \
                                          const struct sim_op *op) \
    {                                                              \
        return loop_acc_vs(w, op, sem_##name##_32);                \
    }
SEM_LIST3(X)
#undef X

void SIM_FN(lanes_alu)(struct sim_lanes *t);

void
SIM_FN(lanes_alu)(struct sim_lanes *t)
{
#define X(name)                    \
    t->vv[INT_##name] = vv_##name; \
    t->vs[INT_##name] = vs_##name;
    SEM_LIST2(X)
    SEM_LIST3(X)
#undef X
    t->merge_v = merge_v;
    t->merge_s = merge_s;
    t->vid = vid;
}
