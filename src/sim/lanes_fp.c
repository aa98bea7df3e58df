/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lane loops of the floating-point unit, binary32 and, with SEW 16, binary16, on
 * the FPU of the host.
 *
 * Lanes that are off compute 1.0 op 1.0, which raises no flag.  Flags stay in
 * the host's status register until the warp stops or asks for them.
 */
#include "sim/lane_loop.h"

#include "sim/lane_fp.h"

/* 1.0 as a float and as a half. */
enum { ONE = 0x3f800000, ONE_HALF = 0x3c00 };

typedef void
kernel1(struct fp_host *h, uint32_t *d, const uint32_t *a, unsigned n);
typedef void
kernel2(struct fp_host *h, uint32_t *d, const uint32_t *a, const uint32_t *b,
        unsigned n);
typedef void
kernel3(struct fp_host *h, uint32_t *d, const uint32_t *a, const uint32_t *b,
        const uint32_t *c, unsigned negate, unsigned n);

/* ---- loops ---- */

/* The sources of lanes that are off become 1.0. */
static always_inline void
only_active(uint32_t *to, const uint32_t *from, const uint32_t *m, unsigned n,
            uint32_t one)
{
    lane_loop (i, n)
        to[i] = blend(m[i], from[i], one);
}

static always_inline void
blend_into(uint32_t *d, const uint32_t *r, const uint32_t *m, unsigned n)
{
    lane_loop (i, n)
        d[i] = blend(m[i], r[i], d[i]);
}

/* Cases that loops of floats leave out: another width, or an frm that is no mode. */
static always_inline bool
is_odd(const struct sim_warp *w)
{
    return (w->slow & SLOW_SEW) || w->frm > FP_RM_MAX;
}

static always_inline bool
is_half(const struct sim_warp *w)
{
    return w->sew == 16 && w->frm <= FP_RM_MAX;
}

/* vd = kernel(vs2, b): b is vs1 or the scalar in every lane */
static always_inline const struct sim_op *
loop2(struct sim_warp *w, const struct sim_op *op, const uint32_t *b,
      kernel2 *kernel, bool exchanged, uint32_t one)
{
    unsigned n = lanes_of(w);
    uint32_t *d = vreg(w, op->d);
    const uint32_t *a = vreg(w, op->s2);
    struct fp_host *h = host_of(w, false);
    if (likely(!(w->slow | op->slow))) {
        kernel(h, d, exchanged ? b : a, exchanged ? a : b, n);
        return op + op->words;
    }
    uint32_t storage[SIM_LANES_MAX], r[SIM_LANES_MAX];
    uint32_t x[SIM_LANES_MAX], y[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    only_active(x, a, m, n, one);
    only_active(y, b, m, n, one);
    kernel(h, r, exchanged ? y : x, exchanged ? x : y, n);
    blend_into(d, r, m, n);
    return op + op->words;
}

static always_inline const struct sim_op *
loop1(struct sim_warp *w, const struct sim_op *op, kernel1 *kernel,
      bool towards_zero, uint32_t one)
{
    unsigned n = lanes_of(w);
    uint32_t *d = vreg(w, op->d);
    const uint32_t *a = vreg(w, op->s2);
    struct fp_host *h = host_of(w, towards_zero);
    if (likely(!(w->slow | op->slow))) {
        kernel(h, d, a, n);
        return op + op->words;
    }
    uint32_t storage[SIM_LANES_MAX], r[SIM_LANES_MAX], x[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    only_active(x, a, m, n, one);
    kernel(h, r, x, n);
    blend_into(d, r, m, n);
    return op + op->words;
}

/* vd = vs1 * factor + addend, one of the two is the accumulator; first: vs1 */
static always_inline const struct sim_op *
loop3(struct sim_warp *w, const struct sim_op *op, const uint32_t *first,
      bool factor_is_vd, unsigned negate, kernel3 *kernel, uint32_t one)
{
    unsigned n = lanes_of(w);
    uint32_t *d = vreg(w, op->d);
    const uint32_t *vs2 = vreg(w, op->s2), *vs3 = vreg(w, op->s3);
    const uint32_t *factor = factor_is_vd ? vs3 : vs2;
    const uint32_t *addend = factor_is_vd ? vs2 : vs3;
    struct fp_host *h = host_of(w, false);
    if (likely(!(w->slow | op->slow))) {
        kernel(h, d, first, factor, addend, negate, n);
        return op + op->words;
    }
    uint32_t storage[SIM_LANES_MAX], r[SIM_LANES_MAX];
    uint32_t x[SIM_LANES_MAX], y[SIM_LANES_MAX], z[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    only_active(x, first, m, n, one);
    only_active(y, factor, m, n, one);
    only_active(z, addend, m, n, one);
    kernel(h, r, x, y, z, negate, n);
    blend_into(d, r, m, n);
    return op + op->words;
}

static always_inline void
broadcast(const struct sim_warp *w, const struct sim_op *op, uint32_t *to)
{
    uint32_t x = w->x[op->s1];
    lane_loop (i, lanes_of(w))
        to[i] = x;
}

/* ---- one function for each ---- */

#define X(name, kernel, exchanged)                                          \
    static const struct sim_op *half_##name(                                \
        struct sim_warp *w, const struct sim_op *op, const uint32_t *b)     \
    {                                                                       \
        if (!is_half(w))                                                    \
            return any_width_fp(w, op);                                     \
        return loop2(w, op, b, fp16_##kernel##_lanes, exchanged, ONE_HALF); \
    }                                                                       \
    static const struct sim_op *vv_##name(struct sim_warp *w,               \
                                          const struct sim_op *op)          \
    {                                                                       \
        const uint32_t *b = vreg(w, op->s1);                                \
        if (is_odd(w))                                                      \
            return half_##name(w, op, b);                                   \
        return loop2(w, op, b, fp32_##kernel##_lanes, exchanged, ONE);      \
    }                                                                       \
    static const struct sim_op *vs_##name(struct sim_warp *w,               \
                                          const struct sim_op *op)          \
    {                                                                       \
        uint32_t b[SIM_LANES_MAX];                                          \
        broadcast(w, op, b);                                                \
        if (is_odd(w))                                                      \
            return half_##name(w, op, b);                                   \
        return loop2(w, op, b, fp32_##kernel##_lanes, exchanged, ONE);      \
    }
FP_LIST2(X)
#undef X

#define X(name, kernel, towards_zero)                                       \
    static const struct sim_op *half_##name(struct sim_warp *w,             \
                                            const struct sim_op *op)        \
    {                                                                       \
        if (!is_half(w))                                                    \
            return any_width_fp(w, op);                                     \
        return loop1(w, op, fp16_##kernel##_lanes, towards_zero, ONE_HALF); \
    }                                                                       \
    static const struct sim_op *vv_##name(struct sim_warp *w,               \
                                          const struct sim_op *op)          \
    {                                                                       \
        if (is_odd(w))                                                      \
            return half_##name(w, op);                                      \
        return loop1(w, op, fp32_##kernel##_lanes, towards_zero, ONE);      \
    }
FP_LIST1(X)
#undef X

enum { factor_vd = 1, factor_vs2 = 0 };

#define X(name, factor, addend, negate)                                       \
    static const struct sim_op *half_##name(                                  \
        struct sim_warp *w, const struct sim_op *op, const uint32_t *b)       \
    {                                                                         \
        if (!is_half(w))                                                      \
            return any_width_fp(w, op);                                       \
        return loop3(w, op, b, factor_##factor, negate, fp16_fma_lanes,       \
                     ONE_HALF);                                               \
    }                                                                         \
    static const struct sim_op *vv_##name(struct sim_warp *w,                 \
                                          const struct sim_op *op)            \
    {                                                                         \
        const uint32_t *b = vreg(w, op->s1);                                  \
        if (is_odd(w))                                                        \
            return half_##name(w, op, b);                                     \
        return loop3(w, op, b, factor_##factor, negate, fp32_fma_lanes, ONE); \
    }                                                                         \
    static const struct sim_op *vs_##name(struct sim_warp *w,                 \
                                          const struct sim_op *op)            \
    {                                                                         \
        uint32_t b[SIM_LANES_MAX];                                            \
        broadcast(w, op, b);                                                  \
        if (is_odd(w))                                                        \
            return half_##name(w, op, b);                                     \
        return loop3(w, op, b, factor_##factor, negate, fp32_fma_lanes, ONE); \
    }
FP_LIST3(X)
#undef X

/* ---- between halves and floats, with SEW 16 ---- */

static const struct sim_op *
half_to_float(struct sim_warp *w, const struct sim_op *op)
{
    if (!is_half(w))
        return any_width_convert(w, op);
    return loop1(w, op, fp16_to_fp32_lanes, false, ONE_HALF);
}

static const struct sim_op *
float_to_half(struct sim_warp *w, const struct sim_op *op)
{
    if (!is_half(w))
        return any_width_convert(w, op);
    return loop1(w, op, fp16_from_fp32_lanes, false, ONE);
}

void SIM_FN(lanes_fp)(struct sim_lanes *t);

void
SIM_FN(lanes_fp)(struct sim_lanes *t)
{
#define X(name, kernel, exchanged)   \
    t->fp_vv[FP_##name] = vv_##name; \
    t->fp_vs[FP_##name] = vs_##name;
    FP_LIST2(X)
#undef X
#define X(name, kernel, towards_zero) t->fp_vv[FP_##name] = vv_##name;
    FP_LIST1(X)
#undef X
#define X(name, factor, addend, negate) \
    t->fp_vv[FP_##name] = vv_##name;    \
    t->fp_vs[FP_##name] = vs_##name;
    FP_LIST3(X)
#undef X
    t->half_to_float = half_to_float;
    t->float_to_half = float_to_half;
}
